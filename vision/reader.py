"""Reading a table from camera pictures: cards at places, dice, devices, and the dealer button.

Every reading is made from the decoded JPEG that is stored as evidence, so that reading the stored picture again gives
the same reading. Nothing is known here about what was meant to lie on the table.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from evidence.errors import UsageError
from vision.annotate import annotate_button, annotate_dice, annotate_place
from vision.button import button_here
from vision.deck import EnrolledDeck
from vision.dice import read_dice
from vision.faces import LEAST_INDEX_GAP_MM
from vision.finding import Found, Kind, find_cards
from vision.markers import device_present
from vision.paper import Paper
from vision.pictures import Picture, Points, decode_picture, encode_jpeg, project, u8
from vision.places import Box, Place, TableLayout, density_at
from vision.plastic import with_cut_cards
from vision.printed_place import read_in_part, read_printed_place
from vision.readings import ButtonReading, CardReading, DiceReading, PlaceReading
from vision.sharp import Sharp, coarse
from vision.told_row import read_told_row
from vision.windows import BUTTON_MARGIN_MM, DEVICE_MARGIN_MM, PLACE_MARGIN_MM, Upright, Window, upright, window_for

SHAKER, BUTTON = "shaker", "button"
"""Names, beside the layout's places and devices, of what a picture can be cut out for."""

_PX_PER_MM = 1.6


class TableReader:
    """Reads one table through one camera. Holds no state between looks, so several threads may share one.

    Raises `UsageError` for a deck of which cards are missing (but for the joker).
    """

    def __init__(self, layout: TableLayout, deck: EnrolledDeck) -> None:
        deck.require_complete()
        self.layout = layout
        self.deck = deck
        margins = {name: (place.box, PLACE_MARGIN_MM) for name, place in layout.places.items()}
        margins |= {name: (device.box, DEVICE_MARGIN_MM) for name, device in layout.devices.items()}
        margins[SHAKER] = (layout.shaker.zone, 0.0)
        self._views: Mapping[str, Upright] = {
            name: upright(layout, window_for(layout, box, margin), _PX_PER_MM)
            for name, (box, margin) in margins.items()
        }
        self._tiles = _button_tiles(layout)

    def crop(self, image: Picture, area: str) -> bytes:
        """The evidence picture of an area, as JPEG: the camera's own pixels around it.

        `area` is a place, a device, `shaker`, or `button` (its spots side by side). Raises `UsageError` for another
        name and for a picture that has not the layout's size.
        """
        height, width = image.shape[:2]
        if image.ndim != 3 or (width, height) != self.layout.size_px:
            raise UsageError(
                f"camera picture: expected {self.layout.size_px[0]} x {self.layout.size_px[1]} colour pixels as layout "
                f"{self.layout.name!r} says, got {width} x {height}; set the camera, or calibrate the layout"
            )
        cuts = [window.cut(image) for window in self.windows(area)]
        return encode_jpeg(u8(np.hstack(cuts)) if len(cuts) > 1 else cuts[0])

    def look(self, image: Picture, place: str) -> PlaceReading:
        """Read the cards at one place of a camera picture."""
        return self.look_crop(self.crop(image, place), place)

    def look_crop(self, jpeg: bytes, place: str) -> PlaceReading:
        """Read the cards in an evidence picture of a place."""
        if place not in self.layout.places:
            raise UsageError(f"place: expected one of {', '.join(self.layout.places)}, got {place!r}")
        fine, whole_view = self._open(jpeg, place)
        at = self.layout.places[place]
        density = density_at(self.layout.mm_to_px, at.box.centre_mm)
        crop, view = coarse(fine, whole_view, density)
        seen = view.rectify(crop)
        found = self._find(seen, at)
        reading = self._read_place(crop, view, at, found, Sharp(fine, view.window, self.deck, density))
        return with_cut_cards(reading, fine, whole_view.window, seen, found.paper, _PX_PER_MM)

    def _find(self, seen: Picture, at: Place) -> Found:
        return find_cards(seen, _PX_PER_MM, self.layout.card_mm, PLACE_MARGIN_MM, _pitch_mm(at))

    def _read_place(self, crop: Picture, view: Upright, at: Place, found: Found, sharp: Sharp) -> PlaceReading:
        place = at.name
        if found.kind is Kind.NOTHING:
            return PlaceReading(place, 0, (), 0, False, found.margin)
        if found.paper is None or found.kind in (Kind.UNCLEAR, Kind.DENSE):
            told = self._by_printing(crop, view, at, found, sharp)
            return told or self._uncounted(crop, view, at, found.kind is Kind.DENSE, sharp)
        cards, clear = self._read_cards(crop, view, found, found.paper, sharp)
        if cards is None or len(cards) > at.countable:
            told = self._by_printing(crop, view, at, found, sharp)
            return told or self._uncounted(crop, view, at, len(found.edges) > 1, sharp)
        close = at.stagger_pitch_mm < LEAST_INDEX_GAP_MM
        if any(card.face_up and card.label is None for card in (cards[-1:] if close else cards)):
            told = self._by_printing(crop, view, at, found, sharp)
            if told is not None and (not close or told.count == len(cards)):
                return told
            if told is not None and told.stacked and found.kind is Kind.ROW and told.cards[0].face_up:
                cards = (*cards[:-1], told.cards[0])
        return _placed(place, cards, found.kind is Kind.STACK, min(found.margin, clear))

    def dice(self, image: Picture) -> DiceReading:
        """Read the dice in and around the shaker."""
        return self.dice_crop(self.crop(image, SHAKER))

    def dice_crop(self, jpeg: bytes) -> DiceReading:
        """Read the dice in an evidence picture of the shaker."""
        crop, view = self._open(jpeg, SHAKER)
        reading = read_dice(view.rectify(crop), self.layout.shaker, _PX_PER_MM)
        placed = tuple(replace(die, corners=view.to_picture(die.corners)) for die in reading.dice)
        return replace(reading, dice=placed)

    def device(self, image: Picture, name: str) -> bool | None:
        """Whether a device stands at its spot; None when the camera cannot tell."""
        return self.device_crop(self.crop(image, name), name)

    def device_crop(self, jpeg: bytes, name: str) -> bool | None:
        """Whether a device stands at its spot, from an evidence picture of it."""
        if name not in self.layout.devices:
            raise UsageError(f"device: expected one of {', '.join(self.layout.devices)}, got {name!r}")
        crop, view = self._open(jpeg, name)
        return device_present(view.rectify(crop), self.layout.devices[name])

    def button(self, image: Picture) -> ButtonReading:
        """Where the dealer button lies."""
        return self.button_crop(self.crop(image, BUTTON))

    def button_crop(self, jpeg: bytes) -> ButtonReading:
        """Where the dealer button lies, from the evidence picture of its spots."""
        strip = decode_picture(jpeg, "picture of the button's spots")
        side = next(iter(self._tiles.values())).width
        if strip.shape[:2] != (side, side * len(self._tiles)):
            raise UsageError(f"picture of the button's spots: expected {side * len(self._tiles)} x {side} pixels")
        found, certainty = [], 1.0
        for number, position in enumerate(self._tiles):
            here, clear = button_here(strip[:, number * side : (number + 1) * side], self._button_radius_px(position))
            certainty = min(certainty, clear)
            if here is None:
                return ButtonReading(None, 0.0)
            if here:
                found.append(position)
        if len(found) > 1:
            return ButtonReading(None, 0.0)
        return ButtonReading(found[0] if found else None, certainty)

    def annotate(self, jpeg: bytes, reading: PlaceReading | DiceReading | ButtonReading) -> bytes:
        """An evidence picture, enlarged, with its reading drawn in: outlines, labels, counts. JPEG."""
        if isinstance(reading, PlaceReading):
            return annotate_place(jpeg, reading, self.window(reading.place))
        if isinstance(reading, DiceReading):
            return annotate_dice(jpeg, reading, self.window(SHAKER))
        return annotate_button(jpeg, reading, tuple(self._tiles))

    def _read_cards(
        self, crop: Picture, view: Upright, found: Found, paper: Paper, sharp: Sharp
    ) -> tuple[tuple[CardReading, ...] | None, float]:
        """All cards found, with the clarity of the least clear; None if one is like neither a face nor a back."""
        ends = [edge.x for edge in found.edges[1:]] + [paper.right]
        cards, clear = [], 1.0
        for edge, end in zip(found.edges, ends, strict=True):
            seen = sharp.card_at(crop, view, paper, edge, (end - edge.x) / _PX_PER_MM)
            if seen is None:
                return None, 0.0
            corners, sight = seen
            if sight.face_up is None:
                return None, 0.0
            if not sight.face_up:
                clear = min(clear, sight.confidence)
            cards.append(CardReading(sight.label, sight.confidence, corners, sight.face_up, sight.back))
        return tuple(cards), clear

    def _by_printing(self, crop: Picture, view: Upright, at: Place, found: Found, sharp: Sharp) -> PlaceReading | None:
        """What printing tells where edges do not; of cards so close that their indices are covered, the last."""
        close, pitch_mm = at.stagger_pitch_mm < LEAST_INDEX_GAP_MM, _pitch_mm(at)
        if found.paper is not None and found.maybe and not close:
            row = read_told_row(crop, view, found.paper, found.maybe, sharp, pitch_mm)
            if row is not None and len(row[0]) <= at.countable:
                return _placed(at.name, row[0], False, row[1])
        told = read_printed_place(crop, view, self.deck, found.paper, pitch_mm, close)
        if told is None or len(told.cards) > at.countable:
            return None
        if sharp.passed_over(told.cards, told.white):
            return None
        reading = _placed(at.name, sharp.named(told.cards, told.white), told.stacked, told.clear)
        return replace(reading, in_part=told.in_part)

    def _uncounted(self, crop: Picture, view: Upright, at: Place, many: bool, sharp: Sharp) -> PlaceReading:
        """An abstention, with the cards that are surely read all the same; where cards are meant to lie close upon
        each other, that many do so is still a fact."""
        close = at.stagger_pitch_mm < LEAST_INDEX_GAP_MM
        cards, white = read_in_part(crop, view, self.deck, close)
        named = tuple(card for one in cards for card in sharp.named((one,), white) if card.label is not None)
        certainty = 0.9 if many and close else 0.0
        stacked = many and close
        return PlaceReading(at.name, None, stacked=stacked, certainty=certainty, in_part=stacked, named=named)

    def _open(self, jpeg: bytes, area: str) -> tuple[Picture, Upright]:
        view = self._view(area)
        crop = decode_picture(jpeg, f"picture of {area}")
        view.window.check(crop, f"picture of {area}")
        return crop, view

    def windows(self, area: str) -> tuple[Window, ...]:
        """Which pixels of the whole picture an evidence picture is made of."""
        return tuple(self._tiles.values()) if area == BUTTON else (self.window(area),)

    def window(self, area: str) -> Window:
        """Which pixels of the whole picture the evidence picture of a place, device or the shaker shows."""
        return self._view(area).window

    def _view(self, area: str) -> Upright:
        if area not in self._views:
            raise UsageError(f"area: expected one of {', '.join((*self._views, BUTTON))}, got {area!r}")
        return self._views[area]

    def _button_radius_px(self, position: str) -> float:
        x, y = self.layout.button_spots_mm[position]
        r = self.layout.button_radius_mm
        middle, right, below = project(self.layout.mm_to_px, [(x, y), (x + r, y), (x, y + r)])
        return float((np.hypot(*(right - middle)) + np.hypot(*(below - middle))) / 2)


def _pitch_mm(at: Place) -> tuple[float, float]:
    return min(at.spread_pitch_mm, at.stagger_pitch_mm), max(at.spread_pitch_mm, at.stagger_pitch_mm)


def _placed(place: str, cards: tuple[CardReading, ...], stacked: bool, certainty: float) -> PlaceReading:
    up = tuple(card for card in cards if card.face_up)
    if stacked:
        return PlaceReading(place, None, up, None, True, certainty, cards)
    return PlaceReading(place, len(cards), up, len(cards) - len(up), False, certainty, cards)


def _button_tiles(layout: TableLayout) -> dict[str, Window]:
    """Square windows of one size about the button's spots."""
    reach = layout.button_radius_mm + BUTTON_MARGIN_MM
    boxes = {position: Box(spot, (2 * reach, 2 * reach)) for position, spot in layout.button_spots_mm.items()}
    windows = {position: window_for(layout, box, 0.0) for position, box in boxes.items()}
    side = max(max(window.width, window.height) for window in windows.values())
    tiles = {}
    for position, window in windows.items():
        centre: Points = project(layout.mm_to_px, [layout.button_spots_mm[position]])[0]
        left = int(np.clip(round(centre[0] - (side - 1) / 2), 0, layout.size_px[0] - side))
        top = int(np.clip(round(centre[1] - (side - 1) / 2), 0, layout.size_px[1] - side))
        tiles[position] = Window(window.box, 0.0, left, top, side, side)
    return tiles
