"""The house way: how seven cards are set into a hand of five and a hand of two, as the operator has submitted it.

It is an operator input, a list of rules in TOML; the first rule that fits the seven cards decides. The file shipped
with the emulated rig tells what a rule can say.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import msgspec

from rules.poker_hands import ACE, KINDS, RANKS, five_card_key, rank_of, two_card_key

Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
Holding = Literal[
    "no_pair", "one_pair", "two_pairs", "three_pairs", "three_of_a_kind", "full_house", "three_and_two_pairs",
    "two_threes", "four_of_a_kind", "four_and_pair", "four_and_three", "five_of_a_kind",
]  # fmt: skip
Low = Literal[
    "top_singles", "second_third", "top_pair", "bottom_pair", "pair_of_most", "pair_of_next", "one_of_most",
    "best_left",
]  # fmt: skip
HOLDINGS: dict[tuple[int, ...], Holding] = {
    (): "no_pair",
    (2,): "one_pair",
    (2, 2): "two_pairs",
    (2, 2, 2): "three_pairs",
    (3,): "three_of_a_kind",
    (3, 2): "full_house",
    (3, 2, 2): "three_and_two_pairs",
    (3, 3): "two_threes",
    (4,): "four_of_a_kind",
    (4, 2): "four_and_pair",
    (4, 3): "four_and_three",
    (5,): "five_of_a_kind",
    (5, 2): "five_of_a_kind",
}
"""What seven cards hold, by how often each rank is held that is held more than once."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    low: Low
    holding: list[Holding] = []
    made: list[Literal["straight", "flush", "straight_flush"]] = []
    rank_from: Rank = "2"
    rank_to: Rank = "A"
    single_from: Rank = "2"

    @property
    def always(self) -> bool:
        """Whether it fits any seven cards."""
        return self == Rule(low=self.low)


class HouseWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: list[Rule]
    title: str = ""

    def __post_init__(self) -> None:
        if not self.rule or not self.rule[-1].always or self.rule[-1].low != "second_third":
            raise ValueError('the last rule must fit any cards: it says low = "second_third" and nothing else')
        for rule in self.rule:
            if rule.low == "best_left" and not rule.made:
                raise ValueError("a rule with low = 'best_left' must say which hands the other five keep, in `made`")

    def set(self, seven: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The hand of five and the hand of two that these seven cards are to be set into.

        Raises ValueError when they are not seven cards.
        """
        if len(seven) != 7:
            raise ValueError(f"{len(seven)} cards are not seven")
        cards = _Seven(seven)
        # The last rule fits any cards, so there is always one.
        ranks = sorted(map(rank_of, next(low for low in map(cards.low, self.rule) if low)))
        # Of cards of one rank those are taken that leave the better five: a suit or the joker may be of use there.
        splits = [
            (tuple(label for n, label in enumerate(seven) if n not in chosen), tuple(seven[n] for n in chosen))
            for chosen in combinations(range(7), 2)
            if sorted(rank_of(seven[n]) for n in chosen) == ranks
        ]
        return max(splits, key=lambda split: (five_card_key(split[0]), split))

    def agrees(self, high: Sequence[str], low: Sequence[str]) -> bool:
        """Whether seven cards were set as they should be; settings of the same worth are as good as each other."""
        right_high, right_low = self.set([*high, *low])
        same_low = two_card_key(low) == two_card_key(right_low)
        return same_low and five_card_key(high) == five_card_key(right_high)


def parse_house_way(text: str) -> HouseWay:
    """Raises ValueError, saying what is wrong, for what is no house way."""
    try:
        return msgspec.toml.decode(text, type=HouseWay)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    except RecursionError:
        raise ValueError("brackets within brackets without end") from None


class _Seven:
    """Seven cards, highest first, and what they hold."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = sorted(labels, key=rank_of, reverse=True)
        ranks = {rank: [label for label in self.labels if rank_of(label) == rank] for rank in range(2, ACE + 1)}
        held = [group for group in ranks.values() if group]
        self.groups = sorted(held, key=lambda group: (len(group), rank_of(group[0])), reverse=True)
        self.singles = [label for label in self.labels if len(ranks[rank_of(label)]) == 1]
        self.pairs = [group for group in self.groups if len(group) == 2]
        self.holding = HOLDINGS.get(tuple(len(group) for group in self.groups if len(group) > 1))

    def low(self, rule: Rule) -> list[str]:
        """The hand of two by one rule; empty when the rule does not fit, or asks for cards that are not there."""
        if rule.holding and self.holding not in rule.holding:
            return []
        if not _rank(rule.rank_from) <= rank_of(self.groups[0][0]) <= _rank(rule.rank_to):
            return []
        single = rank_of(self.singles[0]) if self.singles else 0
        if rule.single_from != "2" and single < _rank(rule.single_from):
            return []
        kept = self._keeping(rule.made) if rule.made else []
        if rule.made and not kept:
            return []
        two = kept if rule.low == "best_left" else self._choice(rule.low)
        return two if len(two) == 2 else []

    def _choice(self, low: Low) -> list[str]:
        match low:
            case "second_third":
                return self.labels[1:3]
            case "top_singles":
                return self.singles[:2]
            case "top_pair":
                return self.pairs[0] if self.pairs else []
            case "bottom_pair":
                return self.pairs[-1] if self.pairs else []
            case "pair_of_most":
                return self.groups[0][:2]
            case "pair_of_next":
                return self.groups[1][:2] if len(self.groups) > 1 else []
            case "one_of_most":
                return [*self.groups[0][:1], *self.singles[:1]]
        return []

    def _keeping(self, made: Sequence[str]) -> list[str]:
        """The best two cards to leave when the other five make one of these hands; none when five cannot."""
        kinds = {KINDS.index(kind) for kind in made}
        found: list[tuple[tuple[int, ...], tuple[int, ...], list[str]]] = []
        for chosen in combinations(range(7), 5):
            five = [self.labels[n] for n in chosen]
            two = [self.labels[n] for n in range(7) if n not in chosen]
            key = five_card_key(five)
            if key[0] in kinds:
                found.append((two_card_key(two), key, two))
        return max(found)[2] if found else []


def _rank(rank: Rank) -> int:
    return RANKS.index(rank) + 2
