"""Totals of blackjack hands, and on which of them a dealer stands."""

from collections.abc import Sequence

LIMIT = 21
STAND = 17
RULE = "dealer_drawing_rule"
"""The operator's input that says what the dealer does with a soft 17."""
STAND_ON_ALL, HIT_SOFT = "stand_on_all_17", "hit_soft_17"
RULES = (STAND_ON_ALL, HIT_SOFT)
SUITS = ("c", "d", "h", "s")
VALUES = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10, **{str(number): number for number in range(2, 10)}}


def total_of(labels: Sequence[str | None]) -> tuple[int, bool] | None:
    """Points of a hand and whether an ace counts 11 in it; None where a face is unknown."""
    ranks = [label[0] for label in labels if label and label[0] in VALUES and label[1:] in SUITS]
    if len(ranks) < len(labels):
        return None
    hard = sum(VALUES[rank] for rank in ranks)
    soft = "A" in ranks and hard + 10 <= LIMIT
    return (hard + 10 if soft else hard), soft


def dealer_stands(labels: Sequence[str | None], rule: str) -> bool | None:
    """Whether a dealer's hand is one to stand on; None where a face, or the house's rule that matters, is unknown."""
    total = total_of(labels)
    if total is None:
        return None
    points, soft = total
    if points == STAND and soft:
        return {STAND_ON_ALL: True, HIT_SOFT: False}.get(rule.strip())
    return points >= STAND
