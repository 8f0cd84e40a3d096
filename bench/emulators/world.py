"""The physical truth of an emulated table: every card in exactly one place, the dice, the button, the devices.

Device emulators and hands move cards only through a `World`; the camera draws its `scene()`. Piles are ordered bottom
to top, which in a spread is first to last.
"""

import random
import re
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from evidence.errors import UsageError
from vision.scene import (
    BACKS,
    DEVICES,
    JOKER,
    LABELS,
    PLACES,
    POSITIONS,
    Arrangement,
    DiePose,
    Pile,
    Scene,
    SceneCard,
    SceneDie,
)

Take = Literal["top", "bottom"]
Turn = Literal["down", "up", "as_is"]

HAND = "hand"
"""The pack in the dealer's hand."""
AWAY = "away"
"""Off the table."""
FLOOR = "floor"
"""Where a card lies that fell off the table; no camera looks there."""
MOUTH = "shoe_mouth"
PACKS: dict[int, tuple[str, ...]] = {
    36: tuple(label for label in LABELS if label != JOKER and label[0] not in "2345"),
    52: tuple(label for label in LABELS if label != JOKER),
    53: LABELS,
}
"""The cards of a pack by their number."""
MAX_CARDS = 50_000
"""Cards that one world ever holds: some 900 packs. More means that something places packs without end."""
_PLACE = re.compile(r"[a-z][a-z0-9_-]{0,39}(/[a-z0-9_]{1,20}){1,2}")


@dataclass(frozen=True, slots=True)
class Card:
    """A card as a thing: `uid` tells it from every other, even from one with the same label."""

    uid: int
    label: str
    back: str
    face_up: bool = False


@dataclass(slots=True)
class _Pile:
    cards: list[Card] = field(default_factory=list)
    arrangement: Arrangement = "squared"


class Cards(Protocol):
    """What a device's mechanics may do to the world; served from another process it is a `RemoteWorld`."""

    def count(self, place: str) -> int: ...

    def counts(self, prefix: str) -> dict[str, int]: ...

    def move(
        self, place: str, to: str, count: int | None = None, *, take: Take = "top", turn: Turn = "as_is"
    ) -> int: ...

    def turn(self, place: str, index: int, face_up: bool) -> None: ...

    def opened(self, device: str) -> int: ...

    def pulled(self, device: str) -> int: ...

    def label(self, place: str, index: int) -> str: ...


class World:
    """One emulated table. Everything random in it comes from `seed`. Safe to use from several threads."""

    def __init__(self, seed: int | str = 0, devices: Iterable[str] = DEVICES) -> None:
        self._rng = random.Random(f"{seed}:world")
        self._piles: dict[str, _Pile] = {}
        self._devices: set[str] = set()
        self._opened: dict[str, int] = {}
        self._pulled: dict[str, int] = {}
        self._dice: tuple[SceneDie, ...] = tuple(SceneDie(1, "flat") for _ in range(3))
        self._covered = True
        self._prepared: list[tuple[SceneDie, ...]] = []
        self._button: str | None = None
        self._cards = 0
        self._lock = threading.RLock()
        for device in devices:
            self.place_device(device)

    # --- packs ---

    def new_pack(
        self, cards_in_deck: int, *, missing: int = 0, extra: int = 0, swapped: int = 0, back: str = "red"
    ) -> None:
        """Put a fresh pack, face down and in maker's order, on top of what is in the hand.

        52 cards, 53 with the joker, or the 36 from six to ace; `missing` of them left out, `extra` duplicates of the
        same back slipped in, and `swapped` replaced by a duplicate of another, so that the count is right; all drawn
        at random.
        """
        if cards_in_deck not in PACKS:
            sizes = "52 cards, 53 with the joker, or 36 from six to ace"
            raise UsageError(f"pack: {cards_in_deck} cards; an emulated pack has {sizes}.")
        if not 0 <= missing < cards_in_deck or not 0 <= extra <= cards_in_deck:
            raise UsageError(f"pack: {missing} missing and {extra} extra of {cards_in_deck} cards cannot be.")
        if not 0 <= swapped <= (cards_in_deck - missing) // 2:
            raise UsageError(f"pack: {swapped} of {cards_in_deck - missing} cards cannot be duplicates of others.")
        if back not in BACKS:
            raise UsageError(f"pack: back {back!r}; expected one of {', '.join(BACKS)}.")
        with self._lock:
            labels = list(PACKS[cards_in_deck])
            for _ in range(missing):
                labels.pop(self._rng.randrange(len(labels)))
            if swapped:
                places = self._rng.sample(range(len(labels)), 2 * swapped)
                for place, other in zip(places[:swapped], places[swapped:], strict=True):
                    labels[place] = labels[other]
            for label in self._rng.sample(labels, min(extra, len(labels))):
                labels.insert(self._rng.randrange(len(labels) + 1), label)
            if self._cards + len(labels) > MAX_CARDS:
                raise UsageError(f"pack: over {MAX_CARDS} cards in one emulated world. Start a new one.")
            self._pile(HAND).cards.extend(Card(self._cards + n, label, back) for n, label in enumerate(labels))
            self._cards += len(labels)

    # --- cards ---

    def count(self, place: str) -> int:
        """How many cards lie at `place`."""
        with self._lock:
            pile = self._piles.get(place)
            return len(pile.cards) if pile else 0

    def counts(self, prefix: str) -> dict[str, int]:
        """How many cards lie at each place whose name begins with `prefix`; empty places are left out."""
        with self._lock:
            return {
                place: len(pile.cards) for place, pile in self._piles.items() if pile.cards and place.startswith(prefix)
            }

    def cards(self, place: str) -> tuple[Card, ...]:
        """The cards at `place`, bottom to top."""
        with self._lock:
            pile = self._piles.get(place)
            return tuple(pile.cards) if pile else ()

    def label(self, place: str, index: int) -> str:
        """Label of the card at `index` of the pile (0 the lowest, -1 the topmost), for a reader; empty without one."""
        cards = self.cards(place)
        return cards[index].label if -len(cards) <= index < len(cards) else ""

    def all_cards(self) -> Iterator[tuple[str, Card]]:
        """Every card that exists with the place where it is."""
        with self._lock:
            return iter([(place, card) for place, pile in self._piles.items() for card in pile.cards])

    def move(self, place: str, to: str, count: int | None = None, *, take: Take = "top", turn: Turn = "as_is") -> int:
        """Move `count` cards (None: all) off one end of the pile at `place` onto `to`, keeping their order.

        Returns how many moved: fewer when fewer lie there. They come to lie as such cards do at `to`: single cards
        beside each other on the layout, groups squared, staggered at the shoe's mouth.
        """
        with self._lock:
            source = self._pile(place)
            target = self._pile(to)
            number = len(source.cards) if count is None else max(0, min(count, len(source.cards)))
            if not number or source is target:
                return 0
            if take == "top":
                moved = source.cards[-number:]
                del source.cards[-number:]
            else:
                moved = source.cards[:number]
                del source.cards[:number]
            if turn != "as_is":
                moved = [_turned(card, turn == "up") for card in moved]
            target.arrangement = _arrangement(to, target, number)
            target.cards.extend(moved)
            return number

    def pick(self, place: str, to: str, *, face_up: bool) -> int:
        """Move the cards at `place` that lie this way up onto `to`, keeping their order; returns how many moved."""
        with self._lock:
            source, target = self._pile(place), self._pile(to)
            moved = [card for card in source.cards if card.face_up == face_up]
            if not moved or source is target:
                return 0
            source.cards = [card for card in source.cards if card.face_up != face_up]
            target.arrangement = _arrangement(to, target, len(moved))
            target.cards.extend(moved)
            return len(moved)

    def exchange(self, place: str, index: int, label: str = "", back: str = "") -> None:
        """Put a card of another pack in place of the one at `index`; that one leaves the table.

        Without a label or a back it has those of the card that it replaces; no card there, no effect.
        """
        if label and label not in LABELS:
            raise UsageError(f"card: {label!r} is no card; a label is rank and suit such as Td, or Jk.")
        if back and back not in BACKS:
            raise UsageError(f"card: back {back!r}; expected one of {', '.join(BACKS)}.")
        with self._lock:
            cards = self._pile(place).cards
            if -len(cards) <= index < len(cards):
                old = cards[index]
                cards[index] = Card(self._cards, label or old.label, back or old.back, old.face_up)
                self._cards += 1
                self._pile(AWAY).cards.append(old)

    def pick_cards(self, place: str, labels: Sequence[str], to: str, *, turn: Turn = "as_is") -> int:
        """Move the topmost card of each of these labels from the pile at `place` onto `to`; returns how many moved."""
        with self._lock:
            source, target = self._pile(place), self._pile(to)
            picked: list[Card] = []
            for label in labels:
                found = next((card for card in reversed(source.cards) if card.label == label), None)
                if found is not None and source is not target:
                    source.cards.remove(found)
                    picked.append(found if turn == "as_is" else _turned(found, turn == "up"))
            if picked:
                target.arrangement = _arrangement(to, target, len(picked))
                target.cards.extend(picked)
            return len(picked)

    def turn(self, place: str, index: int, face_up: bool) -> None:
        """Turn the card at `index` of the pile at `place` (0 the lowest, -1 the topmost); no card there, no effect."""
        with self._lock:
            cards = self._pile(place).cards
            if -len(cards) <= index < len(cards):
                cards[index] = _turned(cards[index], face_up)

    def swap(self, place: str, index: int, label: str, fixed: Collection[int] = ()) -> bool:
        """Let the card `label` and the one at `index` change places within the pile; False when it is not there.

        Cards at the indices `fixed` stay where they are.
        """
        with self._lock:
            cards = self._pile(place).cards
            other = next((n for n, card in enumerate(cards) if card.label == label and n not in fixed), None)
            if other is None or not -len(cards) <= index < len(cards):
                return False
            cards[index], cards[other] = cards[other], cards[index]
            return True

    def arrangement(self, place: str) -> Arrangement:
        """How the cards at `place` lie."""
        with self._lock:
            return self._pile(place).arrangement

    def arrange(self, place: str, arrangement: Arrangement) -> None:
        """Square, stagger or spread what lies at `place`."""
        with self._lock:
            self._pile(place).arrangement = arrangement

    def shuffle(self, place: str) -> None:
        """Shuffle the pile at `place`."""
        with self._lock:
            self._rng.shuffle(self._pile(place).cards)

    def cut(self, place: str) -> None:
        """Cut the pile at `place` somewhere in its middle half."""
        with self._lock:
            cards = self._pile(place).cards
            if len(cards) > 1:
                quarter = len(cards) // 4
                at = self._rng.randint(max(1, quarter), max(1, len(cards) - quarter - 1))
                cards[:] = cards[at:] + cards[:at]

    # --- dice, button, devices ---

    def prepare_roll(self, dice: Sequence[tuple[int, DiePose]]) -> None:
        """Let the next roll that is not yet prepared come out as stated; three dice."""
        if len(dice) != 3:
            raise UsageError(f"dice: {len(dice)} given; the shaker holds 3.")
        with self._lock:
            self._prepared.append(tuple(SceneDie(value, pose) for value, pose in dice))

    def shake_dice(self) -> None:
        """Shake and uncover the dice: flat in the shaker unless a roll was prepared."""
        with self._lock:
            if self._prepared:
                self._dice = self._prepared.pop(0)
            else:
                self._dice = tuple(SceneDie(self._rng.randint(1, 6), "flat") for _ in range(3))
            self._covered = False

    def move_button(self, position: str | None) -> None:
        """Move the dealer button; None takes it off the table."""
        if position is not None and position not in POSITIONS:
            raise UsageError(f"button: {position!r} is not a position; use one of {', '.join(POSITIONS)}.")
        with self._lock:
            self._button = position

    def place_device(self, device: str, present: bool = True) -> None:
        """Stand a device on the table, or take it off."""
        if device not in DEVICES:
            raise UsageError(f"device: {device!r} has no stand on this table; there are {', '.join(DEVICES)}.")
        with self._lock:
            (self._devices.add if present else self._devices.discard)(device)

    def open_device(self, device: str) -> None:
        """Somebody opens the device and frees whatever is stuck in it."""
        with self._lock:
            self._opened[device] = self._opened.get(device, 0) + 1

    def opened(self, device: str) -> int:
        """How often the device has been opened."""
        with self._lock:
            return self._opened.get(device, 0)

    def pull(self, device: str) -> None:
        """Somebody pulls at the next card of a device; what comes of it is up to the device."""
        with self._lock:
            self._pulled[device] = self._pulled.get(device, 0) + 1

    def pulled(self, device: str) -> int:
        """How often somebody has pulled at the device's next card."""
        with self._lock:
            return self._pulled.get(device, 0)

    def scene(self) -> Scene:
        """What a camera above the table sees: the table's places only, never the inside of a device."""
        with self._lock:
            return Scene(
                piles={
                    place: Pile(
                        tuple(SceneCard(card.label, card.face_up, card.back) for card in pile.cards), pile.arrangement
                    )
                    for place in PLACES
                    if (pile := self._piles.get(place)) and pile.cards
                },
                dice=self._dice,
                shaker_covered=self._covered,
                devices=frozenset(self._devices),
                button=self._button,
            )

    def _pile(self, place: str) -> _Pile:
        pile = self._piles.get(place)
        if pile is None:
            if place not in PLACES and place not in {HAND, AWAY, FLOOR} and not _is_inside_device(place):
                known = ", ".join((*PLACES, HAND, AWAY, FLOOR))
                raise UsageError(f"place: {place!r} does not exist; use one of {known} or device/part.")
            pile = self._piles.setdefault(place, _Pile())
        return pile


def _is_inside_device(place: str) -> bool:
    return _PLACE.fullmatch(place) is not None and not place.startswith("seat/")


def _turned(card: Card, face_up: bool) -> Card:
    return card if card.face_up == face_up else replace(card, face_up=face_up)


def _arrangement(place: str, pile: _Pile, arriving: int) -> Arrangement:
    """How cards come to lie when `arriving` of them are put on `pile`."""
    if place == MOUTH:
        return "staggered"
    if place not in PLACES or place == "discard_rack":
        return "squared"
    if arriving == 1 and (not pile.cards or pile.arrangement == "spread"):
        return "spread"
    return "squared"
