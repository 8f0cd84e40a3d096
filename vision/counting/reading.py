"""What a count says."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Mark = tuple[tuple[float, float], tuple[float, float]]
"""A line from one pixel of the whole picture to another, along a card's edge."""
CountKind = Literal["spread", "fan", "stack", "side"]
UNTOLD = "no shadow tells thickness here; a card lying exactly on another would not be told"
_UNTOLD = 0.5
"""How certain a count is then at most."""


@dataclass(frozen=True, slots=True)
class CountReading:
    """`count` is None where the camera abstains; `why` then says what was doubtful, and `least` and `most`, where they
    are known, between which numbers it lies. A count with a `why` is that of the edges that show, of which one may hide
    another card, and has no `most`. `certainty` runs from 0 to 1. `marks` are the edges that were found, for
    drawing.
    """

    kind: CountKind
    count: int | None
    certainty: float
    least: int | None = None
    most: int | None = None
    why: str = ""
    marks: tuple[Mark, ...] = field(default=(), compare=False)


def counted(
    kind: CountKind, count: int, certainty: float, marks: Sequence[Mark] = (), *, told: bool = True
) -> CountReading:
    """A count that stands. Not `told`: it is that of the edges that show, and nothing tells a pair from one card."""
    sure = round(min(1.0, max(0.0, certainty)), 3)
    if told:
        return CountReading(kind, count, sure, count, count, "", tuple(marks))
    return CountReading(kind, count, min(sure, _UNTOLD), count, None, UNTOLD, tuple(marks))


def uncertain(
    kind: CountKind, why: str, least: int | None = None, most: int | None = None, marks: Sequence[Mark] = ()
) -> CountReading:
    """An abstention."""
    return CountReading(kind, None, 0.0, least, most, why, tuple(marks))


def as_data(reading: CountReading) -> dict[str, Any]:
    """A count as plain data, without its marks."""
    return {name: value for name, value in asdict(reading).items() if name != "marks"}
