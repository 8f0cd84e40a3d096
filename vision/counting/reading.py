"""What a count says."""

from dataclasses import dataclass
from typing import Literal

CountKind = Literal["spread", "fan", "stack", "side"]


@dataclass(frozen=True, slots=True)
class CountReading:
    """`count` is None where the camera abstains; `why` then says what was doubtful, and `least` and `most`, where they
    are known, between which numbers it lies. `certainty` runs from 0 to 1.
    """

    kind: CountKind
    count: int | None
    certainty: float
    least: int | None = None
    most: int | None = None
    why: str = ""


def counted(kind: CountKind, count: int, certainty: float) -> CountReading:
    """A count that stands."""
    return CountReading(kind, count, round(min(1.0, max(0.0, certainty)), 3), count, count)


def uncertain(kind: CountKind, why: str, least: int | None = None, most: int | None = None) -> CountReading:
    """An abstention."""
    return CountReading(kind, None, 0.0, least, most, why)
