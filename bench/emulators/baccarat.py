"""The drawing rules of punto banco, for emulated shoes and table software."""

from collections.abc import Sequence

NATURAL = 8
Side = str
"""`player` or `banker`."""


def points(labels: Sequence[str]) -> int:
    """The points of a hand of known cards: tens and faces count nothing, only the last digit counts."""
    return sum(1 if card[0] == "A" else 0 if card[0] in "TJQK" else int(card[0]) for card in labels) % 10


def next_side(player: Sequence[str], banker: Sequence[str]) -> Side:
    """Who gets the next card; empty when the game is complete."""
    if len(player) < 2 or len(banker) < 2:
        return "player" if len(player) <= len(banker) else "banker"
    mine, theirs = points(player[:2]), points(banker[:2])
    if max(mine, theirs) >= NATURAL:
        return ""
    if len(player) == 2 and mine <= 5:
        return "player"
    if len(banker) > 2:
        return ""
    if len(player) == 2:
        return "banker" if theirs <= 5 else ""
    third = points(player[2:])
    draws = {0: True, 1: True, 2: True, 3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: third in (6, 7)}
    return "banker" if draws.get(theirs, False) else ""


def winner(player: Sequence[str], banker: Sequence[str]) -> str:
    """`player`, `banker` or `tie` of a complete game."""
    mine, theirs = points(player), points(banker)
    return "tie" if mine == theirs else "player" if mine > theirs else "banker"
