"""Hands: whoever moves cards at the table. Emulated, a dealing robot behind an address, or a person who is prompted."""

import sys
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TextIO

from bench.emulators.rpc import Client
from bench.emulators.world import AWAY, HAND, MOUTH, World
from evidence.errors import RigFault, UsageError
from vision.scene import PLACES

Face = Literal["down", "up"]
Turn = Literal["down", "up", "as_is"]


class Hands(Protocol):
    """What the bench asks of them. A place that holds no cards is no error: nothing moves, and the camera shows it."""

    def place_pack(self, cards_in_deck: int, missing: int = 0, extra: int = 0) -> None:
        """A fresh pack comes into the hand, face down; whatever was on the table before leaves it."""
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

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        """All that lies at the shoe's mouth goes to the position.

        `turned` are cards that land the other way up by accident, counted from the topmost (0).
        """
        ...

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        """The topmost `count` cards (None: all) go from one place to another."""
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

    def shake_dice(self) -> None:
        """The dice are covered, shaken and uncovered."""
        ...

    def move_button(self, position: str) -> None: ...

    def remove_device(self, device: str) -> None: ...

    def place_device(self, device: str) -> None: ...

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        """The k-th next cards to be dealt (1 the next) are turned face up inside the device: a prepared deck."""
        ...

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        """The k-th next card to be dealt (1 the next) becomes the card with this label: a prepared deck."""
        ...


class EmulatedHands:
    """Hands in an emulated world. They never fail and never slip unless told to."""

    def __init__(self, world: World) -> None:
        self._world = world

    def place_pack(self, cards_in_deck: int, missing: int = 0, extra: int = 0) -> None:
        self.remove_pack()
        self._world.new_pack(cards_in_deck, missing=missing, extra=extra)

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

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        moved = self._world.move(MOUTH, position, turn=face)
        for index in turned:
            if 0 <= index < moved:
                self._world.turn(position, -1 - index, face_up=face == "down")

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        self._world.move(place, to, count, turn=face)

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

    def shake_dice(self) -> None:
        self._world.shake_dice()

    def move_button(self, position: str) -> None:
        self._world.move_button(position)

    def remove_device(self, device: str) -> None:
        self._world.place_device(device, False)

    def place_device(self, device: str) -> None:
        self._world.place_device(device)

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        for position in positions:
            if position > 0:
                self._world.turn(self._supply(device), position - 1, face_up=True)

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        for position, label in cards.items():
            if position > 0:
                self._world.swap(self._supply(device), position - 1, label)

    def _open(self, place: str) -> None:
        """Cards inside a device are got at by opening it."""
        if place not in PLACES and place not in {AWAY, HAND}:
            self._world.open_device(place.split("/", maxsplit=1)[0])

    def _supply(self, device: str) -> str:
        """Where the device's next card comes from; it draws from underneath."""
        inside = f"{device}/inside"
        return inside if self._world.count(inside) else f"{device}/tray"


class RemoteHands:
    """Hands behind an address: a dealing robot, or the emulated world of another process (JSON over HTTP)."""

    def __init__(self, url: str) -> None:
        self._client = Client(url)

    def _do(self, act: str, **params: object) -> None:
        self._client.call(f"hands.{act}", params)

    def place_pack(self, cards_in_deck: int, missing: int = 0, extra: int = 0) -> None:
        self._do("place_pack", cards_in_deck=cards_in_deck, missing=missing, extra=extra)

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

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        self._do("deliver", position=position, face=face, turned=list(turned))

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        self._do("move", place=place, to=to, count=count, face=face)

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

    def shake_dice(self) -> None:
        self._do("shake_dice")

    def move_button(self, position: str) -> None:
        self._do("move_button", position=position)

    def remove_device(self, device: str) -> None:
        self._do("remove_device", device=device)

    def place_device(self, device: str) -> None:
        self._do("place_device", device=device)

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        self._do("reverse_in_device", device=device, positions=list(positions))

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        self._do("arrange_in_device", device=device, cards=dict(cards))


class PromptedHands:
    """A person at a real table: each act is printed as one plain order, and Enter says that it is done.

    UsageError when there is no terminal to ask at, RigFault when the terminal is closed meanwhile.
    """

    def __init__(self, answers: TextIO | None = None, prompts: TextIO | None = None) -> None:
        self._answers = answers or sys.stdin
        self._prompts = prompts or sys.stdout
        if not self._answers.isatty():
            raise UsageError(
                'hands: kind "person" needs a terminal to prompt at, and standard input is not one. '
                'Run from a terminal, or set [hands] kind = "remote" in the rig file.'
            )

    def _ask(self, order: str) -> None:
        self._prompts.write(f"DEALER: {order}. Then press Enter. ")
        self._prompts.flush()
        if not self._answers.readline():
            raise RigFault("hands: the terminal was closed before the dealer had answered. Run again from a terminal.")

    def place_pack(self, cards_in_deck: int, missing: int = 0, extra: int = 0) -> None:
        self.remove_pack()
        prepared = f", with {missing} cards left out" if missing else ""
        prepared += f", with {extra} cards of the same back too many" if extra else ""
        self._ask(f"take a pack of {cards_in_deck} cards{prepared} into your hand")

    def remove_pack(self) -> None:
        self._ask("take every card off the table and out of the devices, and put them away")

    def load(self, device: str) -> None:
        self._ask(f"put the pack into the tray of the {device}")

    def unload(self, device: str) -> None:
        self._ask(f"take all cards out of the {device}, stuck ones too, into your hand, face down")

    def take_shuffled(self, device: str) -> None:
        self._ask(f"take the shuffled pack from the exit of the {device} into your hand")

    def shuffle_by_hand(self) -> None:
        self._ask("shuffle the pack by hand")

    def cut(self) -> None:
        self._ask("cut the pack")

    def draw_by_hand(self) -> None:
        self._ask("draw the top card of the pack to the shoe's mouth")

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        other = "up" if face == "down" else "down"
        slip = f", but let these cards, counted from the topmost as 1, land face {other}: " if turned else ""
        cards = ", ".join(str(index + 1) for index in turned)
        self._ask(f"move all that lies at the shoe's mouth to {position}, face {face}{slip}{cards}")

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        what = "all cards" if count is None else f"{count} card(s) from the top"
        self._ask(f"move {what} at {place} to {to}, {'as they lie' if face == 'as_is' else 'face ' + face}")

    def spread(self, place: str) -> None:
        self._ask(f"spread the cards at {place} as they lie, so that each can be counted")

    def square(self, place: str) -> None:
        self._ask(f"square the cards at {place}")

    def take_remainder(self, device: str) -> None:
        self._ask(f"take the cards left in the {device} to the layout's centre, squared, as they lie")

    def gather(self) -> None:
        self._ask("gather every card on the table and in the devices into your hand, face down")

    def turn_up(self, position: str, cards: Sequence[int] | None = None) -> None:
        if cards is None:
            self._ask(f"turn up all cards at {position} and lay them beside each other")
        else:
            self._ask(f"turn up at {position} card(s) number {', '.join(str(index + 1) for index in cards)}")

    def shake_dice(self) -> None:
        self._ask("cover, shake and uncover the dice")

    def move_button(self, position: str) -> None:
        self._ask(f"move the button to {position}")

    def remove_device(self, device: str) -> None:
        self._ask(f"take the {device} off the table")

    def place_device(self, device: str) -> None:
        self._ask(f"put the {device} in its place on the table")

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        cards = ", ".join(str(position) for position in positions)
        self._ask(f"turn up inside the {device} these next cards to be dealt (1 is the next): {cards}")

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        wanted = ", ".join(f"number {position}: {label}" for position, label in cards.items())
        self._ask(f"arrange the next cards to be dealt from the {device} (1 is the next): {wanted}")
