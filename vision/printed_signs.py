"""What a sign of a card in a row is: where a card may begin, told by an index or by the border of a back."""

from dataclasses import dataclass

import numpy as np

from vision.printed import Plane

AT_MM = 2.0
"""How far the outermost cards' edges may lie from the ends of the paper."""
APART_PX = 4


@dataclass(frozen=True, slots=True)
class Sign:
    """Where a card may begin: its picture's corner, and its number among the faces, or among the backs."""

    left: float
    top: float
    face: int | None = None
    back: int = 0
    window: int = 0
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a row may lie, in pixels: between two columns, from an upper row on that is known well or only about."""

    ends: tuple[float, float]
    top: float
    about: bool = False


def of_one_card(one: Sign, other: Sign) -> bool:
    """Whether two signs are a card's upper index and its lower one."""
    near = abs(one.left - other.left) < APART_PX and abs(one.top - other.top) < APART_PX
    return near and one.face == other.face is not None and one.turned != other.turned


def peaks(values: Plane, least: float) -> list[int]:
    """Columns at which a likeness is highest and at least `least`, `APART_PX` from each other, the highest first."""
    taken: list[int] = []
    for index in np.argsort(values, kind="stable")[::-1]:
        if values[index] < least:
            break
        if all(abs(int(index) - other) > APART_PX for other in taken):
            taken.append(int(index))
    return taken
