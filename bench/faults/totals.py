"""The total of a blackjack hand by the faces that the camera has read."""

from collections.abc import Iterable
from typing import NamedTuple

MOST = 21
TENS = "TJQK"
SUITS = ("c", "d", "h", "s")


class Total(NamedTuple):
    """Points of a hand; `soft` while an ace counts 11."""

    points: int
    soft: bool


def hand_total(labels: Iterable[str | None]) -> Total | None:
    """The best total of the cards; None when a face could not be read or is that of a joker."""
    points, aces = 0, 0
    for label in labels:
        rank = label[0] if label and label[1:] in SUITS else ""
        if rank == "A":
            aces += 1
            points += 11
        elif rank and rank in TENS:
            points += 10
        elif rank.isdigit():
            points += int(rank)
        else:
            return None
    while points > MOST and aces:
        points, aces = points - 10, aces - 1
    return Total(points, soft=aces > 0)
