"""Which of two poker hands is better: the best five of the cards of each."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
Rank = tuple[int, tuple[int, ...]]
"""Kind of hand, 0 for none to 8 for a straight flush, and what decides among hands of one kind."""


def best_rank(labels: Sequence[str]) -> Rank:
    """The rank of the best five of at least five cards. A higher one wins, equal ones share."""
    return max(rank_of(five) for five in combinations(labels, 5))


def rank_of(five: Sequence[str]) -> Rank:
    """The rank of just these five cards."""
    values = sorted((RANKS.index(label[0]) for label in five), reverse=True)
    counts = Counter(values)
    ordered = tuple(sorted(counts, key=lambda value: (-counts[value], -value)))
    shape = sorted(counts.values(), reverse=True)
    flush = len({label[1] for label in five}) == 1
    high = _straight(values)
    if high is not None:
        return (8 if flush else 4), (high,)
    if shape[0] == 4:
        return 7, ordered
    if shape == [3, 2]:
        return 6, ordered
    if flush:
        return 5, ordered
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), ordered


def _straight(values: Sequence[int]) -> int | None:
    """The highest card of a straight; the ace also stands below the two."""
    if list(values) == [12, 3, 2, 1, 0]:
        return 3
    return values[0] if values == list(range(values[0], values[0] - 5, -1)) else None
