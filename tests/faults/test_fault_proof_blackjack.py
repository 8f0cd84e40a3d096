"""What goes wrong at blackjack is proven by what the camera sees, and by nothing that the injector says."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.emulators.table_software.games.blackjack.hand import is_soft, must_draw, points_of
from bench.faults.proof import Prover
from bench.faults.script import parse_fault
from bench.faults.totals import hand_total
from evidence.events import (
    AnyEvent,
    CardsSeen,
    DealerDid,
    DeviceFault,
    Directive,
    FaultArmed,
    FaultProven,
    FaultUnproven,
    Record,
    SessionOpened,
    TableDone,
)
from rules.totals import HIT_SOFT, STAND_ON_ALL, dealer_stands, total_of

POSITIONS = ["seat/1", "seat/3", "dealer"]


class Told:
    """Records as a bench writes them, offered to the prover one by one."""

    def __init__(self, **fault: object) -> None:
        spec = parse_fault(fault, "test")
        self.prover = Prover([spec])
        self.proven: list[FaultProven] = []
        self.seq = 0
        self.put(FaultArmed(fault=spec.name, target=spec.target))
        self.put(SessionOpened(game="blackjack", cards_in_deck=52, positions=POSITIONS, seated=[], devices={}))

    def put(self, event: AnyEvent) -> int:
        record = Record(seq=self.seq, mono_ns=0, utc="", source="bench:test", scenario="s", event=event)
        self.seq += 1
        self.proven += self.prover.observe(record)
        return record.seq

    def see(self, place: str, *faces: str, down: int = 0, count: int | None = -1, stacked: bool = False) -> int:
        number = len(faces) + down if count == -1 else count
        return self.put(CardsSeen(place=place, count=number, face_up=[*faces], face_down=down, stacked=stacked))

    def deliver(self, position: str, *faces: str, mouth: int = 0, said: bool = True) -> None:
        order = f"d{self.seq}"
        self.put(Directive(id=order, verb="deliver", position=position, face="up"))
        if said:
            self.put(DealerDid(act="deliver", directive=order, position=position))
        self.see(position, *faces)
        self.see("shoe_mouth", down=mouth)
        self.put(TableDone(directive=order, verb="deliver", outcome="done"))

    def draw(self) -> int:
        return self.put(DealerDid(act="draw", device="shoe", count=1))

    def end(self) -> list[FaultProven | FaultUnproven]:
        return [*self.proven, *self.prover.finish()]


def test_a_card_left_at_the_mouth_is_proven_by_the_hand_and_the_mouth() -> None:
    told = Told(name="card_left_at_mouth", target="dealer", at={"position": "seat/1", "card": 2})
    told.deliver("seat/1", "Tc")
    told.see("shoe_mouth", down=1)
    told.deliver("seat/1", "Tc", mouth=1, said=False)
    (proof,) = told.end()
    assert isinstance(proof, FaultProven)
    assert (proof.symptom, len(proof.by)) == ("card_left_at_mouth", 2)


@pytest.mark.parametrize(
    ("at", "faces", "mouth"),
    [
        ({"position": "seat/1", "card": 2}, ("Tc", "2d"), 0),  # the card came
        ({"position": "seat/1", "card": 2}, ("Tc", "2d"), 1),  # it came, and another one lies at the mouth
        ({"position": "seat/1", "card": 2}, ("Tc",), 0),  # it is not at the mouth either
        ({"position": "seat/3"}, ("Tc",), 1),  # another hand was meant
        ({"position": "seat/1", "card": 1}, ("Tc",), 1),  # another card was meant
    ],
)
def test_a_card_that_came_or_was_not_meant_proves_nothing(
    at: dict[str, object], faces: tuple[str, ...], mouth: int
) -> None:
    told = Told(name="card_left_at_mouth", target="dealer", at=at)
    told.deliver("seat/1", "Tc")
    told.deliver("seat/1", *faces, mouth=mouth)
    assert [type(one) for one in told.end()] == [FaultUnproven]


def test_an_exposed_draw_is_proven_by_its_face() -> None:
    told = Told(name="card_drawn_and_exposed", target="dealer")
    drawn = told.draw()
    seen = told.see("shoe_mouth", "4s")
    (proof,) = told.end()
    assert isinstance(proof, FaultProven)
    assert proof.by == [drawn, seen]


@pytest.mark.parametrize("face_down", [True, False])
def test_a_hidden_draw_or_an_ordered_card_is_no_exposed_draw(face_down: bool) -> None:
    told = Told(name="card_drawn_and_exposed", target="dealer")
    if face_down:
        told.draw()
        told.see("shoe_mouth", down=1)
    else:
        told.see("shoe_mouth", "4s")
    assert [type(one) for one in told.end()] == [FaultUnproven]


def test_a_hidden_draw_to_a_hand_that_stands_is_no_overdraw() -> None:
    told = Told(name="dealer_overdraws", target="dealer")
    told.see("dealer", "Tc", "7d")
    told.draw()
    told.see("shoe_mouth", down=1)
    assert [type(one) for one in told.end()] == [FaultUnproven]


@pytest.mark.parametrize(
    ("hand", "down", "proven"),
    [
        (("Tc", "7d"), 0, True),
        (("Ac", "6d"), 0, True),
        (("Tc", "6d"), 0, False),  # such a hand must draw
        (("Tc",), 1, False),  # the second card is still hidden
        ((), 2, False),
    ],
)
def test_a_dealer_who_draws_too_far_is_proven_by_the_hand_and_the_draw(
    hand: tuple[str, ...], down: int, proven: bool
) -> None:
    told = Told(name="dealer_overdraws", target="dealer")
    shown = told.see("dealer", *hand, down=down)
    drawn = told.draw()
    seen = told.see("shoe_mouth", "4s")
    (finding,) = told.end()
    assert isinstance(finding, FaultProven) is proven
    if isinstance(finding, FaultProven):
        assert finding.by == [shown, drawn, seen]


def short_shoe(*, aside: bool = True, comes: bool = False) -> Told:
    told = Told(name="few_cards_left", target="pack", params={"count": 5})
    told.see("discard_rack", count=None if aside else 0, stacked=aside)
    told.deliver("seat/1", "Tc")
    told.put(Directive(id="d", verb="dispense", device="shoe"))
    told.put(DeviceFault(device="shoe", code="NOT_ENOUGH_CARDS", symptom="empty"))
    told.see("shoe_mouth", down=int(comes))
    return told


def test_a_shoe_that_runs_out_is_proven_by_the_rack_and_the_mouth() -> None:
    (proof,) = short_shoe().end()
    assert isinstance(proof, FaultProven)
    assert len(proof.by) == 3


@pytest.mark.parametrize("how", [{"aside": False}, {"comes": True}])
def test_what_the_shoe_says_of_itself_proves_nothing(how: dict[str, bool]) -> None:
    assert [type(one) for one in short_shoe(**how).end()] == [FaultUnproven]


def test_cards_that_come_to_the_rack_later_were_not_laid_aside() -> None:
    told = Told(name="few_cards_left", target="pack")
    told.deliver("seat/1", "Tc")
    told.see("discard_rack", count=None, stacked=True)
    told.put(Directive(id="d", verb="dispense", device="shoe"))
    told.see("shoe_mouth")
    assert [type(one) for one in told.end()] == [FaultUnproven]


# --- totals: the proof, the table software under test and the judge each have their own ---

RANKS = "A23456789TJQK"


def reference(ranks: str) -> tuple[int, bool]:
    """The best total by trying every value of every ace."""
    totals = {0}
    for rank in ranks:
        values = {1, 11} if rank == "A" else {min(10, RANKS.index(rank) + 1)}
        totals = {total + value for total in totals for value in values}
    fitting = [total for total in totals if total <= 21]
    best = max(fitting) if fitting else min(totals)
    hard = sum(1 if rank == "A" else min(10, RANKS.index(rank) + 1) for rank in ranks)
    return best, best != hard


@given(st.text(RANKS, min_size=1, max_size=8))
def test_all_three_totals_are_those_of_the_trade(ranks: str) -> None:
    rng = random.Random(ranks)
    labels = [rank + rng.choice("cdhs") for rank in ranks]
    points, soft = reference(ranks)
    assert hand_total(labels) == (points, soft)
    assert total_of(labels) == (points, soft)
    assert (points_of(labels), is_soft(labels)) == (points, soft)
    for rule in (STAND_ON_ALL, HIT_SOFT):
        stands = points > 17 or (points == 17 and not (soft and rule == HIT_SOFT))
        assert dealer_stands(labels, rule) is stands
        assert must_draw(labels, rule) is not stands


@given(st.lists(st.sampled_from(["Tc", "2d", None, "Jk", "??"]), min_size=1))
def test_a_card_that_is_not_known_makes_the_total_unknown(labels: list[str | None]) -> None:
    known = all(label in ("Tc", "2d") for label in labels)
    assert (hand_total(labels) is not None) is known
    assert (total_of(labels) is not None) is known


def test_without_the_house_rule_only_a_soft_17_is_open() -> None:
    assert dealer_stands(["Ac", "6d"], "") is None
    assert dealer_stands(["Tc", "7d"], "") is True
    assert dealer_stands(["Tc", "6d"], "") is False
