"""What lies on a table: the description that the renderer draws and that tests compare readings with.

A scene holds no pixels and no millimetres. Where a place is on the table is the business of `vision.layout`; how it
looks is the business of `vision.synthetic`. The reader never sees a scene.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evidence.errors import UsageError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jk"
LABELS: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER)
"""The 53 card labels: rank and suit, clubs first, the joker last."""

SEATS: tuple[str, ...] = tuple(f"seat/{number}" for number in range(1, 7))
POSITIONS: tuple[str, ...] = (*SEATS, "dealer")
PLACES: tuple[str, ...] = (*POSITIONS, "burn", "discard_rack", "shoe_mouth", "layout_centre")
DEVICES: tuple[str, ...] = ("shuffler", "shoe")
BACKS: tuple[str, ...] = ("red", "blue")
DICE_POSES: tuple[str, ...] = ("flat", "leaning", "outside")
ARRANGEMENTS: tuple[str, ...] = ("squared", "staggered", "spread")

Arrangement = Literal["squared", "staggered", "spread"]
DiePose = Literal["flat", "leaning", "outside"]


@dataclass(frozen=True, slots=True)
class SceneCard:
    """One card. `label` is one of `LABELS`, `back` one of `BACKS`; raises `UsageError` on anything else."""

    label: str
    face_up: bool
    back: str = "red"

    def __post_init__(self) -> None:
        _one_of("card label", self.label, LABELS)
        _one_of("card back", self.back, BACKS)


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards at one place, ordered bottom to top, which in a spread is first to last.

    Squared: exactly upon each other, only the top card shows. Staggered: each upon the last, a narrow strip showing.
    Spread: side by side, overlapping, so that each index shows.
    """

    cards: tuple[SceneCard, ...]
    arrangement: Arrangement

    def __post_init__(self) -> None:
        _one_of("arrangement", self.arrangement, ARRANGEMENTS)


@dataclass(frozen=True, slots=True)
class SceneDie:
    """One die of the shaker: `value` is the top face, 1 to 6; a die leans on the rim or lies outside the shaker."""

    value: int
    pose: DiePose

    def __post_init__(self) -> None:
        if self.value not in range(1, 7):
            raise UsageError(f"die value: expected 1 to 6, got {self.value!r}")
        _one_of("die pose", self.pose, DICE_POSES)


@dataclass(frozen=True, slots=True)
class Scene:
    """The whole table at one moment.

    `piles` by place; a place that is not named is empty. The dice show only while `shaker_covered` is false.
    `devices` are those that stand on the table. `button` is the position that has the dealer button, if any.
    """

    piles: Mapping[str, Pile]
    dice: tuple[SceneDie, ...] = ()
    shaker_covered: bool = True
    devices: frozenset[str] = field(default_factory=frozenset)
    button: str | None = None

    def __post_init__(self) -> None:
        for place in self.piles:
            _one_of("place", place, PLACES)
        for device in self.devices:
            _one_of("device", device, DEVICES)
        if self.button is not None:
            _one_of("button position", self.button, POSITIONS)


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{what}: expected one of {', '.join(allowed)}, got {value!r}")
