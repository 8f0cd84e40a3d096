"""Rounds of Winner's Pot against the reference software, for tests of its irregularities."""

from collections.abc import Sequence

from tests.software.scripted_table import PACK_52, ScriptedTable, Slip, table

SEATED = ["seat/1", "seat/3", "seat/6"]
# The button goes to seat/1 first, so cards go to seat/3, seat/6, seat/1 and the dealer.
ORDER = ["seat/3", "seat/6", "seat/1", "dealer"]
VOID_AND_RESHUFFLE = ["void_round", "return_wagers round all", "reshuffle device all_cards"]
AFTER_SHOE = ["void_round", "return_wagers round all", "remove_cards", "reshuffle device all_cards"]
Slips = Sequence[tuple[str, int, Slip]]


def play(
    *defects: str,
    slips: Slips = (),
    cards: Sequence[str] = PACK_52,
    wagers: Sequence[tuple[str, str]] = (),
    seated: Sequence[str] = SEATED,
    asks: Sequence[str] = ("next_round",),
) -> list[str]:
    return played(*defects, slips=slips, cards=cards, wagers=wagers, seated=seated, asks=asks)[0]


def played(
    *defects: str,
    slips: Slips = (),
    cards: Sequence[str] = PACK_52,
    wagers: Sequence[tuple[str, str]] = (),
    seated: Sequence[str] = SEATED,
    asks: Sequence[str] = ("next_round",),
) -> tuple[list[str], ScriptedTable]:
    with table("winners_pot", *defects, cards=cards) as bench:
        for verb, nth, slip in slips:
            bench.slip(verb, nth, slip)
        bench.open(seated=seated, told=(), wagers=wagers)
        return [line for request in asks for line in bench.ask(request)], bench


PLAIN = play()
HAND_ROUND = [
    line.replace("dispense card", "dispense hand card").replace("burn 1", "burn hand 1")
    for line in PLAIN
    if line != "load_device"
]
HAND_ROUND[HAND_ROUND.index("shuffle shuffler device")] = "shuffle hand"


def inserted(said: list[str], position: int, *lines: str) -> list[str]:
    return [*said[:position], *lines, *said[position:]]


def index_of(said: list[str], line: str, nth: int = 1) -> int:
    """Where the nth `line` stands."""
    return [position for position, other in enumerate(said) if other == line][nth - 1]


def without(position: str, said: list[str], since: int) -> list[str]:
    """`said` without the cards for a position from there on."""
    kept, rest = said[:since], list(said[since:])
    while (line := next((line for line in rest if line.startswith(f"deliver {position}")), None)) is not None:
        at = rest.index(line)
        del rest[at - 1 : at + 1]
    return [*kept, *rest]


def settled_apart(said: list[str], *seats: str) -> list[str]:
    """`said` with the main wagers settled seat by seat."""
    at = said.index("settle main")
    return [*said[:at], *[f"settle {seat} main" for seat in seats], *said[at + 1 :]]
