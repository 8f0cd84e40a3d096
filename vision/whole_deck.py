"""Whether cards, seen in one or several pictures, are a whole deck: which are missing, there twice, or foreign.

What is found is named as the check of a pack at the table names it: `whole`, `missing`, `extra` or `swapped`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evidence.errors import UsageError
from vision.readings import CardReading
from vision.scene import JOKER, LABELS

SIZES = (52, 53)
Found = Literal["whole", "missing", "extra", "swapped"]


@dataclass(frozen=True, slots=True)
class DeckCheck:
    """`found` is None where a card could not be read; `missing` are then missing, or among the `unread`.

    `foreign` counts cards whose face or back is of no enrolled card, or whose back is not that of most; `unread` those
    that are not clear, `cards` all that were seen.
    """

    found: Found | None
    cards: int
    missing: tuple[str, ...]
    twice: tuple[str, ...]
    foreign: int
    unread: int

    @property
    def missing_surely(self) -> bool:
        """Whether those of `missing` are not there: no card lies unread that may be one of them."""
        return not self.unread


def check_deck(cards: Sequence[CardReading], size: int) -> DeckCheck:
    """Check the cards seen against a deck of 52, or 53 with the joker. A card must show its face to be known."""
    if size not in SIZES:
        raise UsageError(f"--check-deck: expected {SIZES[0]}, or {SIZES[1]} with the joker; got {size}")
    known = set(LABELS) - (set() if size > 52 else {JOKER})
    seen = Counter(card.label for card in cards if card.face_up and card.label)
    backs = Counter(card.back for card in cards if not card.face_up)
    foreign = sum(count for label, count in seen.items() if label not in known)
    foreign += sum(backs.values()) - max(backs.values(), default=0)
    unread = sum(1 for card in cards if card.face_up and not card.label) + max(backs.values(), default=0)
    # Two indices of one name, of which no outline tells that they lie on two cards, may be those of one card.
    whole = Counter(card.label for card in cards if card.face_up and card.label and not card.index_only)
    doubtful = {label: count - max(whole[label], 1) for label, count in seen.items() if count > 1 and whole[label] < 2}
    unread += sum(doubtful.values())
    missing = tuple(label for label in LABELS if label in known and not seen[label])
    more = {label for label, count in seen.items() if count > 1} - set(doubtful)
    twice = tuple(sorted(more & known))
    extra = bool(twice or foreign)
    found: Found = "swapped" if missing and extra else "missing" if missing else "extra" if extra else "whole"
    # A card that is not clear may be the one that seems to be missing; that one is there twice it does not change.
    return DeckCheck(found if not unread else None, len(cards), missing, twice, foreign, unread)
