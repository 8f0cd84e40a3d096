"""Twelve decks, each of its own design, read with the deck enrolled and as that of nobody.

Each design has its own lettering, inks, suits, sizes and courts. Six come from the seeds from which the networks'
training began, six from seeds on which nothing was trained or chosen. The camera above the standard table is the
smallest of 720p, 1080p, 1440p and 2160p that gives at every place the density which the enrolled deck says it needs, as
`cardcert doctor` would ask for; where none does it is 2160p, and cards that are not read at a place with less than the
need are told apart from those not read elsewhere.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import cv2
import numpy as np

from benchmarks.accuracy import conditions
from benchmarks.accuracy.parts import Counts, Pairs, Part, as_list, reader_version
from benchmarks.accuracy.scoring import count_at, outlines_at, pairs_at, random_table, wiped_out
from vision.deck import EnrolledDeck
from vision.deck_from_faces import enrol
from vision.faces import LEAST_INDEX_GAP_MM
from vision.indices.reader import shipped_reader
from vision.layout import standard_layout
from vision.pictures import Picture
from vision.places import TableLayout
from vision.reader import TableReader
from vision.readings import CardReading
from vision.resolution import densities, resolution
from vision.scene import BACKS, JOKER, LABELS
from vision.synthetic.cards import back_image, face_image
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.faces import design_face
from vision.synthetic.decks.grounds import random_ground
from vision.synthetic.decks.scenes import CardTruth, Laid, lay_cards, photographed, placed
from vision.synthetic.renderer import Renderer

SEEN_DESIGNS = tuple(range(6))
HELD_OUT_DESIGNS = tuple(range(5_000_000, 5_000_006))
CAMERAS_PX = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
ENROLLED, UNKNOWN = "enrolled", "unknown deck"
_SCANNED_PX_PER_MM = 6.0
_PICTURE_PX = (1440, 960)
_CARDS_ACROSS, _CARDS_DOWN = 4, 2
_PX_PER_MM = (2.0, 2.9)


def face_of(design: int, label: str, px_per_mm: float) -> Picture:
    """A face of a design; its joker is that of our own deck."""
    return face_image(label, px_per_mm) if label == JOKER else design_face(deck_design(design), label, px_per_mm)


def camera_for(deck: EnrolledDeck, seen: Callable[[TableLayout], TableLayout]) -> TableLayout:
    """The table as the smallest camera sees it that resolves the deck at every place, else the largest one."""
    layout = standard_layout()
    for size in CAMERAS_PX:
        layout = seen(standard_layout().scaled(size))
        if resolution(layout, deck)[0]:
            break
    return layout


@lru_cache(maxsize=1)
def deck_of(design: int) -> EnrolledDeck:
    """A design, enrolled as from scans of its cards, with the backs of our own deck."""
    faces = {label: face_of(design, label, _SCANNED_PX_PER_MM) for label in LABELS}
    return enrol(faces, {name: back_image(name, _SCANNED_PX_PER_MM) for name in BACKS})


class _Cameras:
    """The last renderer: a camera that hangs as before is not set up anew."""

    def __init__(self) -> None:
        self._last: tuple[TableLayout, int, int, Renderer] | None = None

    def renderer(self, layout: TableLayout, design: int, seed: int) -> Renderer:
        if self._last is None or self._last[:3] != (layout, design, seed):
            self._last = layout, design, seed, Renderer(layout, seed, layout.size_px, partial(face_of, design))
        return self._last[3]


_CAMERAS = _Cameras()


def enrolled(design: int, condition: str, tables: int, first_seed: int) -> Part:
    """Random tables of one design under one condition, read with the deck enrolled. Every ten a camera hangs anew."""
    cv2.setNumThreads(1)
    deck = deck_of(design)
    need = deck.need.px_per_mm if deck.need is not None else 0.0
    how = conditions.CONDITIONS[condition]
    found: Pairs = Counter()
    counts, errors = Counts(), []
    hidden = coarse = 0
    cameras: set[int] = set()
    for number in range(tables):
        seed = [first_seed, design, number, list(conditions.CONDITIONS).index(condition)]
        rng = np.random.default_rng(seed)
        if number % 10 == 0:
            layout = camera_for(deck, lambda layout: how.seen(layout, np.random.default_rng([*seed, 1])))  # noqa: B023
            renderer = _CAMERAS.renderer(layout, design, first_seed + design + number)
            reader, density = TableReader(layout, deck), densities(layout)
            cameras.add(layout.size_px[1])
        scene = random_table(rng, {place.name: place.countable for place in layout.places.values()})
        clean = renderer.frame(scene, number)
        frame = how.spoilt(clean.copy(), rng)
        for place in layout.places.values():
            close = place.stagger_pitch_mm < LEAST_INDEX_GAP_MM
            pile, reading = scene.piles[place.name], reader.look(frame, place.name)
            pairs = pairs_at(reading, pile, close, outlines_at(renderer, place.name, pile))
            counted = count_at(reading, pile)
            counts += counted
            if counted.wrong or any(label not in (None, true) for true, label in pairs):
                lies = " ".join(card.label if card.face_up else "##" for card in pile.cards)
                errors.append(f"table {number}, {place.name}: {pile.arrangement} {lies}; read {reading.cards}")
            if how.glare and any(label is None for _, label in pairs):
                gone = wiped_out(clean, frame, renderer, place.name, pile)
                seen = [(true, label) for true, label in pairs if label is not None or true not in gone]
                hidden += len(pairs) - len(seen)
                pairs = seen
            if density[place.name] < need:
                told = [pair for pair in pairs if pair[1] is not None]
                coarse += len(pairs) - len(told)
                pairs = told
            found.update(pairs)
    return Part(
        ENROLLED,
        f"design {design}",
        condition,
        tables,
        as_list(found),
        counts,
        errors,
        hidden,
        coarse,
        sorted(cameras),
        need,
        reader_version(),
    )


def unknown(design: int, scenes: int, first_seed: int) -> Part:
    """Pictures of eight cards of one design that lie apart, read without the deck."""
    cv2.setNumThreads(1)
    reader, deck = shipped_reader(), deck_design(design)
    found: Pairs = Counter()
    counts, errors = Counts(), []
    width, height = _PICTURE_PX
    labels = [label for label in LABELS if label != JOKER]
    for number in range(scenes):
        rng = np.random.default_rng([first_seed, design, number, 99])
        density = float(rng.uniform(*_PX_PER_MM))
        cards = []
        for place, label in enumerate(rng.permutation(labels)[: _CARDS_ACROSS * _CARDS_DOWN]):
            down, across = divmod(place, _CARDS_ACROSS)
            at = ((across + 0.5) * width / _CARDS_ACROSS, (down + 0.5) * height / _CARDS_DOWN)
            to_px = placed(rng, (31.5, 44.0), at, density, float(rng.uniform(0, 2 * np.pi)), 0.3)
            cards.append(Laid(deck, str(label), to_px))
        picture, truths = lay_cards(rng, random_ground(rng, (width, height)), cards)
        readings = [card for card in reader.read(photographed(rng, picture, 0.4)) if card.label is not None]
        own, readings = readings_of(truths, readings)
        for truth, cards_there in zip(truths, own, strict=True):
            wrong = [card.label for card in cards_there if card.label != truth.label]
            found[str(truth.label), (wrong or [card.label for card in cards_there] or [None])[0]] += 1
            errors += [f"picture {number}: {truth.label} read {label}" for label in wrong]
        found.update(("-", card.label) for card in readings)
        errors += [f"picture {number}: {card.label} where no card lies" for card in readings]
        counts += counted_apart(own, readings)
    return Part(UNKNOWN, f"design {design}", "", scenes, as_list(found), counts, errors, version=reader_version())


def readings_of(
    truths: Sequence[CardTruth], readings: Sequence[CardReading]
) -> tuple[list[list[CardReading]], list[CardReading]]:
    """The readings within each card's outline, and those in none; where outlines overlap, first by what is right."""
    own: list[list[CardReading]] = [[] for _ in truths]
    stray: list[CardReading] = []
    for card in readings:
        at = tuple(card.corners.mean(axis=0))
        within = [
            number
            for number, truth in enumerate(truths)
            if cv2.pointPolygonTest(truth.corners.astype(np.float32).reshape(-1, 1, 2), at, False) >= 0
        ]
        right = [number for number in within if truths[number].label == card.label]
        (own[(right or within)[0]] if within else stray).append(card)
    return own, stray


def counted_apart(own: Sequence[Sequence[CardReading]], stray: Sequence[CardReading]) -> Counts:
    """Of cards that lie apart and are told one by one: one that is not is a count left open, one told twice or where
    none lies makes it wrong."""
    told = [len(cards) for cards in own]
    wrong = bool(stray) or max(told, default=0) > 1
    return Counts(int(not wrong and 0 not in told), int(wrong), int(not wrong and 0 in told))
