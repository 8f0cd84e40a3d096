"""A dealing robot, or emulated hands in another process, behind an address."""

from collections.abc import Mapping, Sequence

from bench.emulators.rpc import Client
from bench.hands.protocol import Die, Face, Turn


class RemoteHands:
    """Hands behind an address: a dealing robot, or the emulated world of another process (JSON over HTTP)."""

    def __init__(self, url: str) -> None:
        self._client = Client(url)

    def _do(self, act: str, **params: object) -> None:
        self._client.call(f"hands.{act}", params)

    def place_pack(
        self, cards_in_deck: int, missing: int = 0, extra: int = 0, swapped: int = 0, back: str = "red"
    ) -> None:
        self._do("place_pack", cards_in_deck=cards_in_deck, missing=missing, extra=extra, swapped=swapped, back=back)

    def remove_pack(self) -> None:
        self._do("remove_pack")

    def load(self, device: str) -> None:
        self._do("load", device=device)

    def unload(self, device: str) -> None:
        self._do("unload", device=device)

    def take_shuffled(self, device: str) -> None:
        self._do("take_shuffled", device=device)

    def shuffle_by_hand(self) -> None:
        self._do("shuffle_by_hand")

    def cut(self) -> None:
        self._do("cut")

    def draw_by_hand(self) -> None:
        self._do("draw_by_hand")

    def draw_from(self, device: str) -> None:
        self._do("draw_from", device=device)

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        self._do("deliver", position=position, face=face, turned=list(turned))

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        self._do("move", place=place, to=to, count=count, face=face)

    def take_face_up(self, place: str, to: str) -> None:
        self._do("take_face_up", place=place, to=to)

    def spread(self, place: str) -> None:
        self._do("spread", place=place)

    def square(self, place: str) -> None:
        self._do("square", place=place)

    def take_remainder(self, device: str) -> None:
        self._do("take_remainder", device=device)

    def gather(self) -> None:
        self._do("gather")

    def turn_up(self, position: str, cards: Sequence[int] | None = None) -> None:
        self._do("turn_up", position=position, cards=None if cards is None else list(cards))

    def pick_out(self, place: str, labels: Sequence[str], to: str, face: Turn = "as_is") -> None:
        self._do("pick_out", place=place, labels=list(labels), to=to, face=face)

    def shake_dice(self, prepared: Sequence[Die] = ()) -> None:
        self._do("shake_dice", prepared=list(prepared))

    def call_total(self, total: int) -> None:
        self._do("call_total", total=total)

    def move_button(self, position: str) -> None:
        self._do("move_button", position=position)

    def inject(self, order: str) -> None:
        self._do("inject", order=order)

    def restore(self, order: str) -> None:
        self._do("restore", order=order)

    def remove_device(self, device: str) -> None:
        self._do("remove_device", device=device)

    def place_device(self, device: str) -> None:
        self._do("place_device", device=device)

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        self._do("reverse_in_device", device=device, positions=list(positions))

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        self._do("arrange_in_device", device=device, cards=dict(cards))

    def exchange_in_device(self, device: str, card: int, label: str, back: str = "") -> None:
        self._do("exchange_in_device", device=device, card=card, label=label, back=back)
