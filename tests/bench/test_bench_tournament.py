"""The bench at a tournament table: blinds and bets in turn, the board, the dealer's slips, and news."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.acts.acts import Acts
from bench.faults.script import FaultSpec, parse_fault
from bench.live_rig import Rig
from bench.news import News
from bench.plan import Scenario, load_plan, only
from bench.plan_entries import Move
from bench.rig import load_rig
from bench.slips import Slips
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import (
    AnyEvent,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    Directive,
    LevelAnnounced,
    PlayerDid,
    Record,
    SeatStatus,
)
from evidence.journal import Journal

SEATS = ["seat/1", "seat/2", "seat/3"]


class Table:
    """Acts at an emulated table with the pack in the shoe, and what they told."""

    def __init__(self, rig: Rig, scenario: Scenario, faults: list[FaultSpec], journal: Journal) -> None:
        self.rig = rig
        self.journal = journal
        self.told: list[tuple[str, AnyEvent]] = []
        self.acts = Acts(rig, scenario, Slips(faults), self)
        self.orders = 0

    def publish(self, event: AnyEvent, source: str) -> Record:
        self.told.append((source, event))
        return self.journal.append(event, source=source)

    def tap(self) -> None:
        pass

    def do(self, verb: str, **fields: Any) -> list[AnyEvent]:
        """Carry out an order and what follows it; what was told meanwhile."""
        self.orders += 1
        before = len(self.told)
        order = Directive(id=f"d{self.orders}", verb=verb, **fields)  # type: ignore[arg-type]
        outcome, detail = self.acts.carry_out(order)
        assert outcome == "done", detail
        self.acts.after(order)
        return [event for _, event in self.told[before:]]

    def deal(self) -> None:
        """The initial deal as software orders it: what lies at the mouth is the next card."""
        for place in SEATS * 2:
            self.do("dispense", device="shoe", unit="card")
            self.do("deliver", position=place, face="down")

    def counts(self) -> list[int]:
        """Cards at each seat by the camera."""
        return [self.rig.eye.cards(place).count or 0 for place in SEATS]


Make = Callable[..., Table]


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(load_rig(find_rig("emulated")), seed=1)


@pytest.fixture
def make(tmp_path: Path, workshop: Workshop) -> Iterator[Make]:
    with ExitStack() as stack:

        def table(*moves: Move, faults: tuple[dict[str, object], ...] = (), news: tuple[News, ...] = ()) -> Table:
            scenario = only(load_plan(find_plan("tda-35")), ["tda-plain"]).scenarios[0]
            scenario = msgspec.structs.replace(scenario, play=list(moves), news=list(news))
            journal = stack.enter_context(Journal.create(tmp_path, workshop.now_ns, durable=False))
            rig = stack.enter_context(workshop.open(scenario, journal, {}))
            rig.hands.place_pack(52)
            bench = Table(rig, scenario, [parse_fault(one, "test") for one in faults], journal)
            bench.do("open_round")
            bench.do("move_button", position="seat/3")
            bench.do("load_device", device="shoe")
            return bench

        yield table


def acted(told: list[AnyEvent]) -> list[tuple[str, str, int]]:
    return [(one.position, one.act, one.amount_cents) for one in told if isinstance(one, PlayerDid)]


def looks(told: list[AnyEvent]) -> list[tuple[str, int | None, int]]:
    """Place, count and faces of each look."""
    return [(one.place, one.count, len(one.face_up)) for one in told if isinstance(one, CardsSeen)]


# --- money ---


def blinds(bench: Table) -> None:
    bench.do("post_blind", position="seat/1", amount_cents=100)
    bench.do("post_blind", position="seat/2", amount_cents=200)


def test_players_who_are_told_nothing_fold_in_turn_until_one_is_left(make: Make) -> None:
    bench = make()
    assert acted(bench.do("post_blind", position="seat/1", amount_cents=100)) == [("seat/1", "post", 100)]
    bench.do("post_blind", position="seat/2", amount_cents=200)
    assert acted(bench.do("betting_round")) == [("seat/3", "fold", 0), ("seat/1", "fold", 0)]


def test_players_do_what_the_plan_says_in_its_order_and_a_call_is_what_is_owed(make: Make) -> None:
    bench = make(
        Move(position="seat/3", act="call"),
        Move(position="seat/1", act="raise", amount_cents=500),
        Move(position="seat/2", act="call"),
        Move(position="seat/1", act="check", betting_round=2),
    )
    blinds(bench)
    assert acted(bench.do("betting_round")) == [
        ("seat/3", "call", 200), ("seat/1", "raise", 500), ("seat/2", "call", 400),
    ]  # fmt: skip
    assert acted(bench.do("betting_round")) == [("seat/1", "check", 0)]
    left = [("seat/1", "fold", 0), ("seat/2", "fold", 0)]
    assert acted(bench.do("betting_round")) == left


def test_a_dead_hand_does_not_act_and_a_redeal_brings_it_back(make: Make) -> None:
    bench = make()
    blinds(bench)
    bench.do("dead_hand", position="seat/3")
    assert acted(bench.do("betting_round")) == [("seat/1", "fold", 0)]
    told = bench.do("redeal")
    assert [one.position for one in told if isinstance(one, ButtonSeen)] == ["seat/3"]
    blinds(bench)
    assert acted(bench.do("betting_round")) == [("seat/3", "fold", 0), ("seat/1", "fold", 0)]


def test_a_hand_is_found_short_after_the_act_that_the_plan_names(make: Make) -> None:
    late = {"name": "hand_short_found_late", "target": "dealer", "at": {"position": "seat/2", "act": 2}}
    bench = make(Move(position="seat/3", act="call"), Move(position="seat/1", act="call"), faults=(late,))
    blinds(bench)
    bench.deal()
    told = bench.do("betting_round")
    kinds = [type(one).__name__ for one in told]
    assert kinds == ["PlayerDid", "PlayerDid", "CardsSeen"]
    assert looks(told) == [("seat/2", 1, 0)]


def test_a_player_shows_the_own_cards(make: Make) -> None:
    bench = make(Move(position="seat/2", act="expose"))
    bench.deal()
    told = bench.do("betting_round")
    assert acted(told) == [("seat/2", "expose", 0)]
    assert looks(told) == [("seat/2", 2, 2)]


# --- cards ---


def test_the_board_is_laid_card_by_card_and_its_last_card_can_be_retired(make: Make) -> None:
    bench = make()
    for laid in (1, 2):
        bench.do("dispense", device="shoe", unit="card")
        assert looks(bench.do("lay_board")) == [("layout_centre", laid, laid)]
    before = bench.rig.eye.cards("layout_centre").face_up
    bench.do("retire_card", place="layout_centre", count=1)
    assert bench.rig.eye.cards("layout_centre").face_up == before[:1]


def test_only_the_cards_that_lie_face_up_are_taken_away(make: Make) -> None:
    turned = {"name": "hole_card_turned_up", "target": "dealer", "at": {"position": "seat/1", "card": 1}}
    bench = make(faults=(turned,))
    bench.deal()
    assert looks(bench.do("take_exposed", position="seat/1", to="burn")) == [("seat/1", 1, 0), ("burn", 1, 1)]


def slip(name: str, position: str, card: int) -> dict[str, object]:
    return {"name": name, "target": "dealer", "at": {"position": position, "card": card}}


@pytest.mark.parametrize(
    ("fault", "counts", "left_at_mouth"),
    [
        (slip("seat_passed_over", "seat/2", 1), [2, 0, 2], 0),
        (slip("seat_passed_over", "seat/2", 2), [2, 1, 2], 0),
        (slip("seat_passed_over", "seat/3", 2), [2, 2, 1], 1),
        (slip("button_dealt_last", "seat/3", 1), [2, 2, 2], 0),
        (slip("cards_transposed", "seat/1", 1), [2, 2, 2], 0),
    ],
)
def test_each_slip_of_the_deal_leaves_the_hands_as_it_says(
    make: Make, fault: dict[str, object], counts: list[int], left_at_mouth: int
) -> None:
    bench = make(faults=(fault,))
    bench.deal()
    assert bench.counts() == counts
    assert bench.rig.eye.cards("shoe_mouth").count == left_at_mouth


def test_a_dealer_who_is_told_twice_in_a_row_sees_whom_he_overlooked(make: Make) -> None:
    bench = make(faults=(slip("seat_passed_over", "seat/3", 2),))
    bench.deal()
    bench.do("use_as_next_card", place="shoe_mouth")
    bench.do("deliver", position="seat/3", face="down")
    assert bench.counts() == [2, 2, 2]


def test_transposed_cards_are_seen_where_they_came(make: Make) -> None:
    bench = make(faults=(slip("cards_transposed", "seat/2", 1),))
    for place in SEATS[:2]:
        bench.do("dispense", device="shoe", unit="card")
        bench.do("deliver", position=place, face="down")
    assert bench.counts() == [1, 0, 1]


def test_an_overlooked_hand_is_dealt_in_again_when_the_hand_is_replayed(make: Make) -> None:
    bench = make(faults=(slip("seat_passed_over", "seat/2", 1),))
    bench.deal()
    bench.do("redeal")
    bench.do("reshuffle", scope="all_cards", method="device")
    bench.do("load_device", device="shoe")
    bench.deal()
    assert bench.counts() == [2, 2, 2]


@pytest.mark.parametrize(
    ("name", "params", "seen"),
    [
        ("nonstandard_card", {}, "Jk"),
        ("nonstandard_card", {"label": "4h"}, "4h"),
        ("duplicate_card", {"label": "Kd"}, "Kd"),
    ],
)
def test_a_card_of_another_pack_is_dealt_where_the_plan_says(
    make: Make, name: str, params: dict[str, object], seen: str
) -> None:
    bench = make(
        Move(position="seat/3", act="expose"),
        faults=({"name": name, "target": "pack", "at": {"card": 3}, "params": params},),
    )
    bench.deal()
    told = bench.do("betting_round")
    assert [one.face_up[0] for one in told if isinstance(one, CardsSeen)] == [seen]


def test_a_card_with_another_back_is_dealt_where_the_plan_says(make: Make) -> None:
    bench = make(faults=({"name": "other_back_card", "target": "pack", "at": {"card": 2}},))
    bench.deal()
    assert [bench.rig.eye.cards(place).backs for place in SEATS] == [
        ["red", "red"], ["blue", "red"], ["red", "red"],
    ]  # fmt: skip


# --- news ---


def test_the_first_level_and_who_sits_where_are_known_before_the_first_hand(make: Make) -> None:
    bench = make(news=(News(seat="seat/2", state="absent"), News(seat="seat/5", state="present", after="misdeal")))
    before = len(bench.told)
    bench.acts.begin()
    assert bench.told[before:] == [
        ("operator:clock", LevelAnnounced(small_blind_cents=100, big_blind_cents=200)),
        ("operator:floor", SeatStatus(position="seat/2", state="absent")),
    ]


def test_news_come_once_after_the_order_that_they_wait_for(make: Make) -> None:
    bench = make(
        news=(
            News(after="misdeal", nth=2, blinds=[200, 400]),
            News(after="misdeal", push=True),
        )
    )
    assert bench.do("misdeal") == [DealerDid(act="push")]
    assert bench.do("misdeal") == [LevelAnnounced(small_blind_cents=200, big_blind_cents=400)]
    assert bench.do("misdeal") == []


def test_cards_that_are_shown_when_the_hand_is_over_are_looked_at(make: Make) -> None:
    bench = make(news=(News(after="close_round", exposes="seat/1"),))
    bench.deal()
    assert looks(bench.do("close_round")) == [("seat/1", 2, 2)]
