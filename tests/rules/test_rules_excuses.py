"""An exception excuses what it was a reason for: it stands in the round of the trigger, and not after the breach."""

import pytest

from rules.excuses import PROMPT
from rules.facts.machine import FactMachine
from rules.judge import judge
from rules.verdicts import Verdict
from tests.rules.pai_gow_script import PaiGow
from tests.rules.stud_script import Stud
from tests.rules.table_script import PACKS, Script


def verdict(story: Script, clause: str) -> Verdict:
    story.end()
    return next(one for one in judge(story.records, list(PACKS.values())) if one.clause == clause)


def stud(*rounds: str) -> Stud:
    """Rounds in which a player shows a card, holds a card too many, or has the hand called dead, in this order."""
    s = Stud()
    for steps in rounds:
        s.opening()
        s.hole()
        for step in steps.split():
            match step:
                case "shown":
                    s.expose("seat/3")
                case "miscounted":
                    s.card("seat/3", "up", extra=1)
                case "dead":
                    s.just("dead_hand", position="seat/3")
        s.finish()
    return s


@pytest.mark.parametrize(
    ("rounds", "broken"),
    [
        (["shown dead"], ["hand_lives"]),
        (["shown miscounted dead"], []),
        (["miscounted shown dead"], []),
        (["shown dead miscounted"], ["hand_lives"]),
        (["shown dead", "miscounted dead"], ["hand_lives"]),
        (["miscounted dead", "shown dead"], ["hand_lives"]),
        (["shown miscounted dead", "shown dead"], ["hand_lives"]),
        (["shown miscounted dead", "shown miscounted dead"], []),
    ],
)
def test_a_hand_that_is_dead_for_a_shown_card_is_not_excused_by_a_later_count(
    rounds: list[str], broken: list[str]
) -> None:
    assert verdict(stud(*rounds), "NJ-69F-33.12.h").failed == broken


def pai_gow(*rounds: str) -> PaiGow:
    """Rounds in which the third stack has six cards, with the proof of an injected fault or without, or a void one."""
    s = PaiGow()
    for steps in rounds:
        s.opening()
        s.deal(sizes={3: 6} if "six" in steps else None)
        shown = s.records[-1].seq
        if "proven" in steps:
            s.proven("wrong_group_size", "shoe", "wrong_group_size", [shown])
        if "void" in steps:
            s.just("void_round")
            s.reshuffle()
            s.just("close_round")
        elif "played on" in steps:
            s.finish()
        else:
            s.after()
    return s


@pytest.mark.parametrize(
    ("rounds", "broken"),
    [
        (["six proven"], False),
        (["six"], True),
        (["six", "six proven"], True),
        (["six proven", "six"], True),
        (["six proven", "six proven"], False),
    ],
)
def test_a_stack_of_six_is_excused_by_a_fault_that_was_injected_in_its_round(rounds: list[str], broken: bool) -> None:
    assert ("seven_seen" in verdict(pai_gow(*rounds), "PR-PGP-SHOE.A.1").failed) is broken


def test_a_fault_that_is_proven_only_in_the_next_round_is_dated_when_it_showed() -> None:
    s = pai_gow("six")
    shown = next(one.seq for one in s.records if getattr(one.event, "count", 0) == 6)
    s.opening()
    s.proven("wrong_group_size", "shoe", "wrong_group_size", [shown])
    s.deal()
    s.after()
    assert verdict(s, "PR-PGP-SHOE.A.1").failed == []


@pytest.mark.parametrize(
    ("rounds", "broken"),
    [
        (["void"], []),
        (["played on"], ["remainder_spread"]),
        (["played on", "void"], ["remainder_spread"]),
        (["void", "played on"], ["remainder_spread"]),
    ],
)
def test_what_a_void_round_excuses_it_excuses_in_that_round(rounds: list[str], broken: list[str]) -> None:
    assert verdict(pai_gow(*rounds), "PR-PGP-SHOE.E.0").failed == broken


def test_what_is_known_at_once_is_dated_after_the_order_before() -> None:
    """On this it rests that a breach stands where only later records are lost."""
    story = stud("shown miscounted dead", "miscounted shown dead", "dead")
    story.just("open_round")
    story.hole(seat3_1={"up": True}, seat3_2={"up": True})
    story.end()
    machine = FactMachine(PACKS["NJ-69F-33.12"].game)
    told = set()
    for record in story.records:
        settled = machine.settled
        for _, fact in machine.feed(record):
            if fact.name in PROMPT:
                told.add(fact.name)
                assert fact.at > settled, fact
    assert {"directive", "player_act", "hand_counted", "hole_cards_face_up"} <= told
