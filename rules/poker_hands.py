"""The worth of poker hands of five cards and of two, with a joker that is an ace or completes a straight or a flush.

Hands are compared by their keys: the greater key is the better hand. Labels are those of the camera, `Jk` the joker.
"""

from collections import Counter
from collections.abc import Sequence

RANKS = "23456789TJQKA"
ACE = 14
JOKER = "Jk"
KINDS = (
    "high_card", "pair", "two_pairs", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind",
    "straight_flush", "five_of_a_kind",
)  # fmt: skip
"""Kinds of hands of five, the lowest first."""

Key = tuple[int, ...]
"""The place of a hand's kind in `KINDS`, then the ranks that decide between hands of one kind."""


def rank_of(label: str) -> int:
    """2 to 14; the joker is an ace unless it completes something. ValueError for what is no card."""
    if label == JOKER:
        return ACE
    if len(label) != 2 or label[0] not in RANKS or label[1] not in "cdhs":
        raise ValueError(f"{label!r} is no card")
    return RANKS.index(label[0]) + 2


def two_card_key(labels: Sequence[str]) -> Key:
    """The worth of a hand of two: a pair, or its ranks."""
    high, low = sorted((rank_of(label) for label in labels), reverse=True)
    return (1, high) if high == low else (0, high, low)


def five_card_key(labels: Sequence[str]) -> Key:
    """The worth of a hand of five."""
    ranks = [rank_of(label) for label in labels]
    grouped = sorted(Counter(ranks).items(), key=lambda entry: (entry[1], entry[0]), reverse=True)
    order = tuple(rank for rank, _ in grouped)
    counts = tuple(count for _, count in grouped)
    straight = _straight([rank_of(label) for label in labels if label != JOKER])
    flush = len({label[1] for label in labels if label != JOKER}) == 1
    if counts == (5,):
        return (KINDS.index("five_of_a_kind"), *order)
    if straight and flush:
        return (KINDS.index("straight_flush"), straight)
    kind = _GROUPED.get(counts, "high_card")
    if kind in ("four_of_a_kind", "full_house"):
        return (KINDS.index(kind), *order)
    if flush:
        return (KINDS.index("flush"), *sorted(ranks, reverse=True))
    if straight:
        return (KINDS.index("straight"), straight)
    return (KINDS.index(kind), *order)


def is_foul(high: Sequence[str], low: Sequence[str]) -> bool:
    """Whether the hand of two is worth more than the hand of five."""
    five, two = five_card_key(high), two_card_key(low)
    if five[0] != two[0]:
        return two[0] > five[0]
    return two[1:] > five[1 : len(two)]


def _straight(natural: Sequence[int]) -> int:
    """The worth of the straight that these cards make, with a joker if they are four; 0 for none.

    Ten to ace is the highest, ace to five comes next.
    """
    if len(set(natural)) != len(natural):
        return 0
    for worth, run in _RUNS:
        if set(natural) <= run:
            return worth
    return 0


_GROUPED: dict[tuple[int, ...], str] = {
    (4, 1): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1, 1): "three_of_a_kind",
    (2, 2, 1): "two_pairs",
    (2, 1, 1, 1): "pair",
}
_RUNS = [
    (ACE + 1, frozenset(range(10, 15))),
    (ACE, frozenset((ACE, 2, 3, 4, 5))),
    *((top, frozenset(range(top - 4, top + 1))) for top in range(13, 5, -1)),
]
"""Every straight with its worth, the best first."""
