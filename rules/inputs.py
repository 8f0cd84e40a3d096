"""What operator inputs must look like that the judge reads. Others are only there, or not."""

import math
from collections.abc import Callable, Mapping

from rules.house_way import parse_house_way
from rules.totals import RULES as DRAWING_RULES

LONGEST_S = 3600.0

FACE_UP_PROCEDURES = ("replace", "void")
"""What may be approved for a card found face up in a stack: the next card takes its place, or the round is void."""

EXPOSED_CARD_RULES = ("misdeal", "replace")
"""What a house may say of a card that the dealer exposes in a draw game."""
FOULED_CONDITIONS = ("missing_card", "other_back")
"""What a house may name beside cards that are there twice, as fouling a deck."""


def problem(name: str, text: str) -> str:
    """What is wrong with an input, with how to mend it; empty when nothing is."""
    try:
        if name in CHECKS:
            CHECKS[name](text)
    except ValueError as error:
        return str(error)
    return ""


def seconds(text: str) -> float:
    """A time in seconds. Raises ValueError for anything but a number above 0 and up to an hour."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found <= LONGEST_S:
        raise ValueError(f"expected seconds above 0 and up to {LONGEST_S:g}, got {text[:40]!r}")
    return found


def seconds_of(inputs: Mapping[str, str], name: str) -> float | None:
    """The seconds that an input gives; None when it is not there, or is no time."""
    try:
        return seconds(inputs[name]) if name in inputs else None
    except ValueError:
        return None


def _word(text: str) -> None:
    if text.strip() not in FACE_UP_PROCEDURES:
        raise ValueError(f"expected one of {', '.join(FACE_UP_PROCEDURES)}, got {text[:40]!r}")


def _drawing_rule(text: str) -> None:
    if text.strip() not in DRAWING_RULES:
        raise ValueError(f"expected one of {', '.join(DRAWING_RULES)}, got {text[:40]!r}")


def _exposed_card_rule(text: str) -> None:
    if text.strip() not in EXPOSED_CARD_RULES:
        raise ValueError(f"expected one of {', '.join(EXPOSED_CARD_RULES)}, got {text[:40]!r}")


def fouled_conditions(text: str) -> frozenset[str]:
    """The conditions that a house names, in words with commas or blanks between. Raises ValueError for another one."""
    words = frozenset(text.replace(",", " ").split())
    if not words or words - {*FOULED_CONDITIONS, "none"} or ("none" in words and len(words) > 1):
        raise ValueError(f"expected {', '.join(FOULED_CONDITIONS)}, or none, got {text[:40]!r}")
    return words - {"none"}


PLAIN = frozenset({"location", "reshuffle_procedure"})
"""Inputs of which the judge reads nothing but whether they are there, or compares them as they are."""

CHECKS: dict[str, Callable[[str], object]] = {
    "house_way": parse_house_way,
    "face_up_procedure": _word,
    "longest_shuffle_s": seconds,
    "longest_dispense_s": seconds,
    "dealer_drawing_rule": _drawing_rule,
    "draw_exposed_card": _exposed_card_rule,
    "fouled_deck_conditions": fouled_conditions,
}


def known_inputs() -> frozenset[str]:
    """The names of all inputs that a pack can need without telling what they are."""
    return PLAIN | frozenset(CHECKS)
