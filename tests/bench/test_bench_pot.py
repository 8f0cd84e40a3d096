"""The bench at a table with a pot: who bets what, packs that are checked and replaced, and slips with hands."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.acts.acts import Acts
from bench.faults.script import FaultSpec, parse_fault
from bench.live_rig import Rig
from bench.plan import Scenario, load_plan, only
from bench.plan_entries import Move
from bench.rig import load_rig
from bench.slips import Slips
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import AnyEvent, CardsSeen, DealerDid, Directive, PlayerDid, Record
from evidence.journal import Journal

ANTE, BET = 500, 1000


class Table:
    """Acts at an emulated table, and what they told."""

    def __init__(self, rig: Rig, scenario: Scenario, faults: list[FaultSpec], journal: Journal) -> None:
        self.rig = rig
        self.journal = journal
        self.told: list[AnyEvent] = []
        self.acts = Acts(rig, scenario, Slips(faults), self)
        self.orders = 0

    def publish(self, event: AnyEvent, source: str) -> Record:
        self.told.append(event)
        return self.journal.append(event, source=source)

    def tap(self) -> None:
        pass

    def do(self, verb: str, **fields: Any) -> list[AnyEvent]:
        """Carry out an order; what was told meanwhile."""
        self.orders += 1
        before = len(self.told)
        outcome, detail = self.acts.carry_out(Directive(id=f"d{self.orders}", verb=verb, **fields))  # type: ignore[arg-type]
        assert outcome == "done", detail
        return self.told[before:]

    def bets(self, **fields: Any) -> list[tuple[str, str, int]]:
        told = self.do("betting_round", **fields)
        return [(one.position, one.act, one.amount_cents) for one in told if isinstance(one, PlayerDid)]

    def looks(self, told: list[AnyEvent]) -> list[tuple[str, int | None, int]]:
        """Place, count and faces of each look."""
        return [(one.place, one.count, len(one.face_up)) for one in told if isinstance(one, CardsSeen)]


Make = Callable[..., Table]


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(load_rig(find_rig("emulated")), seed=1)


@pytest.fixture
def make(tmp_path: Path, workshop: Workshop) -> Iterator[Make]:
    with ExitStack() as stack:

        def table(*moves: Move, faults: tuple[dict[str, object], ...] = (), swapped: int = 0, **changes: Any) -> Table:
            scenario = only(load_plan(find_plan("pr-poker-irr")), ["poker-plain"]).scenarios[0]
            scenario = msgspec.structs.replace(scenario, play=list(moves), **changes)
            journal = stack.enter_context(Journal.create(tmp_path, workshop.now_ns, durable=False))
            rig = stack.enter_context(workshop.open(scenario, journal, {}))
            rig.hands.place_pack(52, swapped=swapped)
            bench = Table(rig, scenario, [parse_fault(one, "test") for one in faults], journal)
            bench.do("open_round")
            return bench

        yield table


# --- money ---


def test_everybody_in_the_round_puts_in_the_ante_and_calls_the_first_bet(make: Make) -> None:
    bench = make(sits_out=["seat/2"])
    told = bench.do("post_antes")
    assert [(one.position, one.act, one.amount_cents) for one in told if isinstance(one, PlayerDid)] == [
        ("seat/1", "ante", ANTE),
        ("seat/3", "ante", ANTE),
    ]
    assert bench.bets() == [("seat/1", "bet", BET), ("seat/3", "call", BET)]


def test_players_do_what_the_plan_says_and_answer_raises(make: Make) -> None:
    bench = make(
        Move("seat/1", "check"),
        Move("seat/2", "protect"),
        Move("seat/2", "raise", amount_cents=3000),
        Move("seat/3", "fold"),
        Move("seat/1", "fold", betting_round=2),
    )
    assert bench.bets() == [
        ("seat/1", "check", 0),
        ("seat/2", "protect", 0),
        ("seat/2", "raise", 3000),
        ("seat/3", "fold", 0),
        ("seat/1", "call", 3000),
    ]
    assert bench.bets() == [("seat/1", "fold", 0)]
    assert bench.bets() == []


def test_a_dead_hand_bets_no_more_until_the_next_round(make: Make) -> None:
    bench = make()
    bench.do("dead_hand", position="seat/1")
    assert [seat for seat, _, _ in bench.bets()] == ["seat/2", "seat/3"]
    bench.do("open_round")
    assert [seat for seat, _, _ in bench.bets()] == ["seat/1", "seat/2", "seat/3"]


# --- the pack ---


def faces(told: list[AnyEvent]) -> list[str | None]:
    return [label for one in told if isinstance(one, CardsSeen) for label in one.face_up]


@pytest.mark.parametrize("swapped", [0, 1])
def test_a_check_reads_every_card_of_the_pack_once_in_few_looks(make: Make, swapped: int) -> None:
    bench = make(swapped=swapped)
    told = bench.do("check_deck")
    read = faces(told)
    assert len(read) == 52
    assert None not in read
    assert len(set(read)) == 52 - swapped
    assert len([one for one in told if isinstance(one, DealerDid) and one.act == "lay_out"]) == 5
    assert bench.looks(told)[-1] == ("layout_centre", 0, 0)


def test_a_pack_that_is_replaced_is_seen_to_go_and_another_one_to_come(make: Make) -> None:
    bench = make()
    backs = []
    for _ in range(2):
        for verb in ("remove_deck", "place_deck"):
            looks = [one for one in bench.do(verb) if isinstance(one, CardsSeen)]
            backs += [back for look in looks for back in look.backs]
            assert looks[-1].count == 0
    assert backs == ["red", "blue", "blue", "red"]
    assert len(faces(bench.do("check_deck"))) == 52


def test_the_same_pack_comes_back_where_the_dealer_slips(make: Make) -> None:
    bench = make(faults=({"name": "deck_reused", "target": "dealer"},), swapped=1)
    backs = []
    for verb in ("remove_deck", "place_deck"):
        backs += [back for one in bench.do(verb) if isinstance(one, CardsSeen) for back in one.backs]
    assert backs == ["red", "red"]
    assert len(set(faces(bench.do("check_deck")))) == 51


def test_a_cut_in_sight_shows_two_parts(make: Make) -> None:
    seen = make().do("cut", place="layout_centre")
    assert [(one.place, one.stacked) for one in seen if isinstance(one, CardsSeen)] == [
        ("layout_centre", True),
        ("burn", True),
    ]


def test_a_cut_left_out_shows_none_and_is_told_all_the_same(make: Make) -> None:
    omitted = make(faults=({"name": "cut_omitted", "target": "dealer"},)).do("cut", place="layout_centre")
    assert [(one.place, one.count) for one in omitted if isinstance(one, CardsSeen)] == [
        ("layout_centre", 0),
        ("burn", 0),
    ]
    assert [one.act for one in omitted if isinstance(one, DealerDid)] == ["cut"]


def test_a_shuffle_left_out_is_told_by_nobody(make: Make) -> None:
    told = make(faults=({"name": "shuffle_omitted", "target": "dealer"},)).do(
        "shuffle", method="device", device="shuffler"
    )
    assert told == []


# --- hands ---


def dealt(bench: Table, *seats: str) -> None:
    for seat in seats:
        bench.do("dispense", method="hand", unit="card")
        bench.do("deliver", position=seat, face="down")


def test_a_card_that_fell_lies_nowhere_until_it_is_brought_to_a_position(make: Make) -> None:
    fall = {"name": "card_off_table", "target": "dealer", "at": {"position": "seat/2"}, "params": {"lands": "up"}}
    bench = make(faults=(fall,))
    bench.do("dispense", method="hand", unit="card")
    told = bench.do("deliver", position="seat/2", face="down")
    assert bench.looks(told) == [("seat/2", 0, 0), ("shoe_mouth", 0, 0)]
    assert [(one.act, one.face) for one in told if isinstance(one, DealerDid)] == [("drop_card", "up")]
    assert bench.looks(bench.do("recover_card", position="seat/2")) == [("seat/2", 1, 1)]


def test_a_card_moves_from_place_to_place_and_is_turned_up(make: Make) -> None:
    bench = make()
    dealt(bench, "seat/1", "seat/2", "seat/1")
    assert bench.looks(bench.do("move_card", place="seat/1", position="seat/2")) == [("seat/1", 1, 0), ("seat/2", 2, 0)]
    assert bench.looks(bench.do("turn_up", position="seat/2", count=2)) == [("seat/2", 2, 1)]
    assert bench.looks(bench.do("turn_up", position="seat/2")) == [("seat/2", 2, 2)]
    order = Directive(id="x", verb="move_card", place="seat/1", position="seat/1")
    assert bench.acts.carry_out(order)[0] == "impossible"


def test_the_dealer_runs_ahead_over_a_hand_that_was_passed_over(make: Make) -> None:
    skip = {"name": "hand_skipped", "target": "dealer", "at": {"position": "seat/1"}, "params": {"served": 2}}
    bench = make(faults=(skip,))
    bench.do("dispense", method="hand", unit="card")
    told = bench.do("deliver", position="seat/1", face="down", method="hand")
    seen = {place: count for place, count, _ in bench.looks(told)}
    assert (seen["seat/1"], seen["seat/2"], seen["seat/3"]) == (0, 1, 1)


def test_a_seat_that_is_out_of_the_round_gets_a_card_of_its_own(make: Make) -> None:
    stray = {"name": "ineligible_dealt", "target": "dealer", "at": {"position": "seat/4", "card": 1}}
    bench = make(faults=(stray,))
    bench.do("dispense", method="hand", unit="card")
    told = bench.do("deliver", position="seat/3", face="down", method="hand")
    assert bench.looks(told) == [("seat/3", 1, 0), ("seat/4", 1, 0)]


@pytest.mark.parametrize(
    ("fault", "looks"),
    [
        ({"name": "hand_collected", "at": {"position": "seat/2", "betting_round": 1}}, [("seat/2", 0, 0)]),
        (
            {"name": "hand_fouled", "at": {"position": "seat/2", "betting_round": 1}, "params": {"seat": 1}},
            [("seat/1", 0, 0), ("seat/2", 2, 0)],
        ),
    ],
    ids=["collected", "fouled"],
)
def test_hands_are_lost_while_players_act(
    make: Make, fault: dict[str, object], looks: list[tuple[str, int, int]]
) -> None:
    bench = make(Move("seat/1", "fold"), faults=({**fault, "target": "dealer"},))
    dealt(bench, "seat/1", "seat/2", "seat/3")
    told = bench.do("betting_round")
    assert bench.looks(told)[: len(looks)] == looks
