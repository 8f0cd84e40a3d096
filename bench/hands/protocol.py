"""What hands can do: whoever moves cards at the table."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

Face = Literal["down", "up"]
Turn = Literal["down", "up", "as_is"]
Die = tuple[int, Literal["flat", "leaning", "outside"]]
"""A die by its pips, and how it lies."""


class Hands(Protocol):
    """What the bench asks of them. A place that holds no cards is no error: nothing moves, and the camera shows it."""

    def place_pack(
        self, cards_in_deck: int, missing: int = 0, extra: int = 0, swapped: int = 0, back: str = "red"
    ) -> None:
        """A fresh pack comes into the hand, face down; whatever was on the table before leaves it.

        `missing` cards are left out, `extra` are there twice, `swapped` are replaced by duplicates of others.
        """
        ...

    def remove_pack(self) -> None:
        """Every card, also those in the devices, leaves the table."""
        ...

    def load(self, device: str) -> None:
        """The pack in hand goes into the device's tray."""
        ...

    def unload(self, device: str) -> None:
        """All cards in the device, stuck ones too, come into the hand, face down."""
        ...

    def take_shuffled(self, device: str) -> None:
        """The shuffled pack at the device's exit comes into the hand."""
        ...

    def shuffle_by_hand(self) -> None: ...

    def cut(self) -> None: ...

    def draw_by_hand(self) -> None:
        """The top card of the pack in hand goes to the shoe's mouth."""
        ...

    def draw_from(self, device: str) -> None:
        """The next card of a shoe that dispenses none by itself is drawn out to its mouth."""
        ...

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        """All that lies at the shoe's mouth goes to the position.

        `turned` are cards that land the other way up by accident, counted from the topmost (0).
        """
        ...

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        """The topmost `count` cards (None: all) go from one place to another."""
        ...

    def take_face_up(self, place: str, to: str) -> None:
        """The cards that lie face up at a place, whichever of them, go to another, as they lie."""
        ...

    def spread(self, place: str) -> None: ...

    def square(self, place: str) -> None: ...

    def take_remainder(self, device: str) -> None:
        """The cards left in the device go to the layout's centre, squared, face as they lie."""
        ...

    def gather(self) -> None:
        """Every card on the table and in the devices comes into the hand, face down."""
        ...

    def turn_up(self, position: str, cards: Sequence[int] | None = None) -> None:
        """Cards at the position are turned face up; all of them are then laid beside each other.

        `cards` counts single cards in the order dealt (0 the first), and those of a stack from the topmost (0).
        """
        ...

    def pick_out(self, place: str, labels: Sequence[str], to: str, face: Turn = "as_is") -> None:
        """The cards with these faces go from one place to another; the others stay as they lie."""
        ...

    def shake_dice(self, prepared: Sequence[Die] = ()) -> None:
        """The dice are covered, shaken and uncovered; prepared ones then lie as they are told to, all three of them."""
        ...

    def call_total(self, total: int) -> None:
        """The dealer says what the dice total, as the dealer believes."""
        ...

    def move_button(self, position: str) -> None: ...

    def inject(self, order: str) -> None:
        """Somebody at the table brings a fault about, as told."""
        ...

    def restore(self, order: str) -> None:
        """Somebody at the table puts a device right, as told, so that it can be tried again."""
        ...

    def remove_device(self, device: str) -> None: ...

    def place_device(self, device: str) -> None: ...

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        """The k-th next cards to be dealt (1 the next) are turned face up inside the device: a prepared deck."""
        ...

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        """The k-th next card to be dealt (1 the next) becomes the card with this label: a prepared deck."""
        ...

    def exchange_in_device(self, device: str, card: int, label: str, back: str = "") -> None:
        """In place of the k-th next card to be dealt (1 the next) lies one of another pack: a prepared deck.

        Without a label it has the face of the card that it replaces, without a back its back.
        """
        ...
