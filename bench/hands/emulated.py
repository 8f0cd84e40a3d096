"""Hands in an emulated world."""

from collections.abc import Mapping, Sequence

from bench.emulators.world import AWAY, FLOOR, HAND, MOUTH, World
from bench.hands.protocol import Die, Face, Turn
from vision.scene import PLACES


class EmulatedHands:
    """Hands in an emulated world. They never fail and never slip unless told to."""

    def __init__(self, world: World) -> None:
        self._world = world

    def place_pack(
        self, cards_in_deck: int, missing: int = 0, extra: int = 0, swapped: int = 0, back: str = "red"
    ) -> None:
        self.remove_pack()
        self._world.new_pack(cards_in_deck, missing=missing, extra=extra, swapped=swapped, back=back)

    def remove_pack(self) -> None:
        for place in self._world.counts(""):
            self._open(place)
            self._world.move(place, AWAY)

    def load(self, device: str) -> None:
        self._world.move(HAND, f"{device}/tray")

    def unload(self, device: str) -> None:
        self._world.open_device(device)
        for place in self._world.counts(f"{device}/"):
            self._world.move(place, HAND, turn="down")

    def take_shuffled(self, device: str) -> None:
        self._world.move(f"{device}/exit", HAND)

    def shuffle_by_hand(self) -> None:
        self._world.shuffle(HAND)

    def cut(self) -> None:
        self._world.cut(HAND)

    def draw_by_hand(self) -> None:
        self._world.move(HAND, MOUTH, 1)

    def draw_from(self, device: str) -> None:
        self._world.pull(device)

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        moved = self._world.move(MOUTH, position, turn=face)
        for index in turned:
            if 0 <= index < moved:
                self._world.turn(position, -1 - index, face_up=face == "down")

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        self._world.move(place, to, count, turn=face)

    def take_face_up(self, place: str, to: str) -> None:
        self._world.pick(place, to, face_up=True)

    def spread(self, place: str) -> None:
        self._world.arrange(place, "spread")

    def square(self, place: str) -> None:
        self._world.arrange(place, "squared")

    def take_remainder(self, device: str) -> None:
        self._world.open_device(device)
        for place in self._world.counts(f"{device}/"):
            self._world.move(place, "layout_centre")
        self._world.arrange("layout_centre", "squared")

    def gather(self) -> None:
        for place in self._world.counts(""):
            if place not in {AWAY, HAND}:
                self._open(place)
                self._world.move(place, HAND, turn="down")

    def turn_up(self, position: str, cards: Sequence[int] | None = None) -> None:
        if cards is None:
            for index in range(self._world.count(position)):
                self._world.turn(position, index, face_up=True)
            self._world.arrange(position, "spread")
            return
        stacked = self._world.arrangement(position) != "spread"
        for index in cards:
            if index >= 0:
                self._world.turn(position, -1 - index if stacked else index, face_up=True)

    def pick_out(self, place: str, labels: Sequence[str], to: str, face: Turn = "as_is") -> None:
        self._world.pick_cards(place, labels, to, turn=face)

    def shake_dice(self, prepared: Sequence[Die] = ()) -> None:
        if prepared:
            self._world.prepare_roll(prepared)
        self._world.shake_dice()

    def call_total(self, total: int) -> None:
        """An emulated dealer says it by what the bench writes down."""

    def move_button(self, position: str) -> None:
        self._world.move_button(position)

    def inject(self, order: str) -> None:
        """Emulated hands bring about only what they are told act by act; emulators have injectors of their own."""

    def restore(self, order: str) -> None:
        """Emulated hands put nothing right: what faults leave at an emulated device, its control puts right."""

    def remove_device(self, device: str) -> None:
        self._world.place_device(device, False)

    def place_device(self, device: str) -> None:
        self._world.place_device(device)

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        for position in positions:
            if position > 0:
                self._world.turn(self._supply(device), position - 1, face_up=True)

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        fixed: set[int] = set()
        for position, label in cards.items():
            if position > 0:
                self._world.swap(self._supply(device), position - 1, label, fixed)
                fixed.add(position - 1)

    def exchange_in_device(self, device: str, card: int, label: str, back: str = "") -> None:
        if card > 0:
            self._world.exchange(self._supply(device), card - 1, label, back)

    def _open(self, place: str) -> None:
        """Cards inside a device are got at by opening it."""
        if place not in PLACES and place not in {AWAY, FLOOR, HAND}:
            self._world.open_device(place.split("/", maxsplit=1)[0])

    def _supply(self, device: str) -> str:
        """Where the device's next card comes from; it draws from underneath."""
        inside = f"{device}/inside"
        return inside if self._world.count(inside) else f"{device}/tray"
