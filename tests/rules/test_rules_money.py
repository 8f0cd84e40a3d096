"""The judge's ledger: who put in what, what came back to whom, and whether everybody is even."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.events import PlayerDid, WagerPlaced
from rules.facts.machine import FactMachine
from tests.rules.table_script import PACKS, Script

SEATS = ["seat/1", "seat/2", "seat/3"]


def ledger(script: Script) -> list[tuple[str, dict[str, Any]]]:
    machine = FactMachine(PACKS["PR-POKER-IRR"].game)
    facts = [fact for record in script.records if record.scenario for _, fact in machine.feed(record)]
    return [(fact.name, dict(fact.attributes)) for fact in facts if fact.name.startswith("money_")]


def payments(script: Script) -> list[dict[str, Any]]:
    return [attributes for name, attributes in ledger(script) if name == "money_paid"]


def evens(script: Script) -> list[tuple[int, int]]:
    found = [attributes for name, attributes in ledger(script) if name == "money_all_returned"]
    return [(one["players"], one["amount_cents"]) for one in found]


def table(**put_in: int) -> Script:
    """A round in which players put so much into the pot, the ante of 500 first."""
    script = Script()
    script.begin("s", "PR-POKER-IRR")
    script.session(SEATS, game="seven_card_stud")
    script.just("open_round")
    for seat, cents in put_in.items():
        position = seat.replace("seat", "seat/")
        script.put(PlayerDid(act="ante", position=position, amount_cents=500))
        if cents > 500:
            script.put(PlayerDid(act="bet", position=position, amount_cents=cents - 500))
    return script


def give(script: Script, position: str, cents: int) -> Script:
    script.just("return_wagers", scope="hand", position=position, amount_cents=cents)
    return script


def test_what_a_player_puts_in_adds_up_and_the_ante_is_the_initial_bet() -> None:
    put = [one for name, one in ledger(table(seat1=1700)) if name == "money_put_in"]
    assert [(one["amount_cents"], one["total_cents"], one["initial"]) for one in put] == [
        (500, 500, True),
        (1200, 1700, False),
    ]


@pytest.mark.parametrize(
    ("position", "cents", "states"),
    [
        ("seat/1", 1700, {"in_full"}),
        ("seat/1", 500, {"initial"}),
        ("seat/2", 500, {"in_full", "initial"}),
        ("seat/1", 1200, set()),
        ("seat/1", 1701, {"over"}),
        ("seat/3", 1, {"over"}),
    ],
)
def test_a_return_is_measured_by_what_that_player_put_in(position: str, cents: int, states: set[str]) -> None:
    (paid,) = payments(give(table(seat1=1700, seat2=500), position, cents))
    assert {name for name in ("in_full", "initial", "over") if paid[name]} == states
    assert paid["contributed"] == (position != "seat/3")


def test_returns_of_one_round_add_up_and_those_of_another_do_not() -> None:
    script = give(give(table(seat1=1700), "seat/1", 700), "seat/1", 1000)
    assert [paid["in_full"] for paid in payments(script)] == [False, True]
    script.just("open_round")
    script.put(PlayerDid(act="ante", position="seat/1", amount_cents=500))
    assert [(paid["in_full"], paid["over"]) for paid in payments(give(script, "seat/1", 500))[2:]] == [(True, False)]


def test_an_order_that_was_not_carried_out_returns_nothing() -> None:
    script = table(seat1=1700)
    script.just("return_wagers", outcome="failed", scope="hand", position="seat/1", amount_cents=1700)
    assert payments(script) == []


def test_everybody_is_even_once_each_has_just_the_own_money_back() -> None:
    script = table(seat1=1700, seat2=500)
    give(script, "seat/1", 1700)
    assert evens(script) == []
    assert evens(give(script, "seat/2", 500)) == [(2, 2200)]
    assert evens(give(script, "seat/2", 500)) == [(2, 2200)]


def test_a_pot_that_was_awarded_leaves_nobody_even() -> None:
    script = table(seat1=1700)
    script.just("award_pot", position="seat/1", amount_cents=1700)
    assert [paid["kind"] for paid in payments(script)] == ["award"]
    assert evens(give(script, "seat/1", 1700)) == []


def test_no_more_is_awarded_than_lies_in_the_pot() -> None:
    script = table(seat1=1700, seat2=500)
    give(script, "seat/2", 500)
    for position, cents in (("seat/1", 1000), ("seat/2", 700), ("seat/2", 1)):
        script.just("award_pot", position=position, amount_cents=cents)
    awards = [paid for paid in payments(script) if paid["kind"] == "award"]
    assert [paid["over"] for paid in awards] == [False, False, True]
    assert not any(paid["in_full"] or paid["initial"] for paid in awards)


def test_with_nothing_put_in_a_void_round_leaves_everybody_even_and_other_rounds_say_nothing() -> None:
    script = table()
    script.just("void_round")
    assert evens(script) == [(0, 0)]
    played = table()
    played.just("close_round")
    assert evens(played) == []
    owed = table(seat1=500)
    owed.just("misdeal")
    assert evens(owed) == []


def test_wagers_against_the_house_are_money_too_and_go_back_by_name() -> None:
    script = Script()
    script.begin("s", "PR-POKER-IRR")
    script.session(SEATS, game="seven_card_stud")
    for wager, cents in (("main", 1000), ("additional", 300)):
        script.put(WagerPlaced(position="seat/1", wager=wager, amount_cents=cents))  # type: ignore[arg-type]
    for _ in range(2):
        script.just("open_round")
        script.just("return_wagers", scope="round", wager="main")
        script.just("return_wagers", scope="round", wager="additional")
    assert [(paid["amount_cents"], paid["in_full"]) for paid in payments(script)] == [(1000, False), (300, True)] * 2
    assert evens(script) == [(1, 1300), (1, 1300)]


STAKES = st.dictionaries(st.sampled_from(["seat1", "seat2", "seat3"]), st.integers(500, 9000), min_size=1)


@given(STAKES, st.data())
def test_any_other_sum_than_the_own_one_leaves_somebody_uneven(stakes: dict[str, int], data: st.DataObject) -> None:
    seats = data.draw(st.permutations(list(stakes)))
    odd, off = data.draw(st.sampled_from(seats)), data.draw(st.integers(-499, 499))
    script = table(**stakes)
    for seat in seats:
        give(script, seat.replace("seat", "seat/"), stakes[seat] + (off if seat == odd else 0))
    assert evens(script) == ([] if off else [(len(stakes), sum(stakes.values()))])
    assert any(paid["over"] for paid in payments(script)) == (off > 0)
