"""How the software sets seven cards: it follows the operator's house way, a list of rules of which the first that fits
decides. The joker is an ace, and completes a straight or a flush.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

ORDER = {rank: worth for worth, rank in enumerate("23456789TJQKA", start=2)}
STRAIGHTS = [{14, 2, 3, 4, 5}, *({*range(low, low + 5)} for low in range(2, 11))]
COUNTS = {
    "no_pair": [],
    "one_pair": [2],
    "two_pairs": [2, 2],
    "three_pairs": [2, 2, 2],
    "three_of_a_kind": [3],
    "full_house": [3, 2],
    "three_and_two_pairs": [3, 2, 2],
    "two_threes": [3, 3],
    "four_of_a_kind": [4],
    "four_and_pair": [4, 2],
    "four_and_three": [4, 3],
    "five_of_a_kind": [5],
}
MOST_RULES = 100


def worth(label: str) -> int:
    """2 to 14."""
    return ORDER["A"] if label == "Jk" else ORDER[label[0]]


class HouseWay:
    """The operator's rules. An input that is no house way gives one without rules, which sets nothing."""

    def __init__(self, text: str) -> None:
        try:
            found = tomllib.loads(text).get("rule", [])
        except (ValueError, RecursionError):
            found = []
        self._rules = [rule for rule in found if isinstance(rule, dict)][:MOST_RULES] if isinstance(found, list) else []

    def low(self, seven: Sequence[str]) -> list[str]:
        """The two cards for the hand of two; none when there is no rule for these cards."""
        if len(seven) != 7:
            return []
        for rule in self._rules:
            try:
                two = _by(rule, seven)
            except (KeyError, TypeError, AttributeError):
                continue
            if len(two) == 2:
                return _least_of_use(two, seven)
        return []


def _by(rule: dict[str, Any], seven: Sequence[str]) -> list[str]:
    cards = sorted(seven, key=worth, reverse=True)
    held = Counter(map(worth, cards))
    ranks = sorted(held, key=lambda rank: (held[rank], rank), reverse=True)
    counts = [held[rank] for rank in ranks if held[rank] > 1]
    singles = [card for card in cards if held[worth(card)] == 1]
    wanted = rule.get("holding") or [*COUNTS]
    if not any(COUNTS[name] == counts or (name == "five_of_a_kind" and counts[:1] == [5]) for name in wanted):
        return []
    if not ORDER[rule.get("rank_from", "2")] <= ranks[0] <= ORDER[rule.get("rank_to", "A")]:
        return []
    if "single_from" in rule and not (singles and worth(singles[0]) >= ORDER[rule["single_from"]]):
        return []
    kept = _best_left(cards, rule["made"]) if rule.get("made") else []
    if rule.get("made") and not kept:
        return []
    pairs = [rank for rank in ranks if held[rank] == 2]
    match rule["low"]:
        case "best_left":
            return kept
        case "second_third":
            return cards[1:3]
        case "top_singles":
            return singles[:2]
        case "one_of_most":
            return [*_of(cards, ranks[:1])[:1], *singles[:1]]
        case "top_pair":
            return _of(cards, pairs[:1])
        case "bottom_pair":
            return _of(cards, pairs[-1:])
        case "pair_of_most":
            return _of(cards, ranks[:1])[:2]
        case "pair_of_next":
            return _of(cards, ranks[1:2])[:2]
    return []


def _least_of_use(two: Sequence[str], seven: Sequence[str]) -> list[str]:
    """Of cards of these ranks, those without which the other five are still a flush or a straight if they can be."""
    ranks = sorted(map(worth, two))
    choices = [list(pair) for pair in combinations(seven, 2) if sorted(map(worth, pair)) == ranks]
    return max(choices, key=lambda pair: _merit([card for card in seven if card not in pair]))


def _merit(five: Sequence[str]) -> int:
    return 0 if _is_full(five) else 2 * _is_flush(five) + _is_straight(five)


def _of(cards: Iterable[str], ranks: Sequence[int]) -> list[str]:
    return [card for card in cards if worth(card) in ranks]


def _best_left(cards: Sequence[str], made: Sequence[str]) -> list[str]:
    """The two highest cards to leave, a pair before others, such that the other five still make one of these hands."""
    found: list[tuple[bool, int, int, int, list[str]]] = []
    for two in combinations(range(7), 2):
        five = [card for n, card in enumerate(cards) if n not in two]
        straight, flush = _is_straight(five), _is_flush(five)
        kind = "straight_flush" if straight and flush else "flush" if flush else "straight" if straight else ""
        if kind in made and not _is_full(five):
            left = [cards[n] for n in two]
            high, low = map(worth, left)
            found.append((high == low, high, low, made.index(kind), left))
    return max(found)[4] if found else []


def _is_straight(five: Sequence[str]) -> bool:
    natural = [worth(card) for card in five if card != "Jk"]
    return len({*natural}) == len(natural) and any({*natural} <= run for run in STRAIGHTS)


def _is_flush(five: Sequence[str]) -> bool:
    return len({card[1] for card in five if card != "Jk"}) == 1


def _is_full(five: Sequence[str]) -> bool:
    """Four of a kind, a full house: more than a flush or a straight."""
    return sorted(Counter(map(worth, five)).values())[-2:] in ([1, 4], [2, 3])


def is_foul(high: Sequence[str], low: Sequence[str]) -> bool:
    """Whether the hand of two beats the hand of five, which can be only when that one holds a pair at most."""
    if _is_straight(high) or _is_flush(high):
        return False
    held = Counter(map(worth, high))
    groups = sorted((count for count in held.values() if count > 1), reverse=True)
    two = sorted(map(worth, low), reverse=True)
    if groups not in ([], [2]):
        return False
    if two[0] == two[1]:
        return not groups or two[0] > max(rank for rank in held if held[rank] == 2)
    return not groups and two > sorted(held, reverse=True)[:2]
