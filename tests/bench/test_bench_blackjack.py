"""The slips of a blackjack dealer happen when their moment has come, and the discards alone are shuffled."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.acts.acts import Acts
from bench.faults.script import parse_fault
from bench.plan import load_plan, only
from bench.rig import load_rig
from bench.slips import Slips
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import AnyEvent, CardsSeen, DealerDid, Directive, Record
from evidence.journal import Journal


class Heard:
    """Keeps what acts report."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.said: list[AnyEvent] = []

    def publish(self, event: AnyEvent, source: str) -> Record:
        self.said.append(event)
        return self.journal.append(event, source=source)

    def tap(self) -> None:
        pass

    def looks(self, place: str) -> list[CardsSeen]:
        return [event for event in self.said if isinstance(event, CardsSeen) and event.place == place]

    def did(self, act: str) -> int:
        return sum(isinstance(event, DealerDid) and event.act == act for event in self.said)


class Bench:
    """A blackjack table with a loaded shoe."""

    def __init__(self, acts: Acts, heard: Heard) -> None:
        self.heard = heard
        self._acts = acts
        self._orders = 0

    def do(self, verb: str, **fields: object) -> str:
        self._orders += 1
        order = Directive(id=f"d{self._orders}", verb=verb, **fields)  # type: ignore[arg-type]
        return self._acts.carry_out(order)[0]

    def deal(self, position: str, face: str = "up") -> None:
        assert self.do("dispense", device="shoe", unit="card") == "done"
        assert self.do("deliver", position=position, face=face) == "done"


@contextmanager
def bench(folder: Path, scenario: str, *faults: dict[str, object]) -> Iterator[Bench]:
    """The table of a shipped scenario, with other faults than it has; the first card is the first arranged one."""
    planned = only(load_plan(find_plan("sd-bj-28")), [scenario]).scenarios[0]
    slips = Slips([parse_fault(fault, "test") for fault in faults])
    workshop = Workshop(load_rig(find_rig("emulated")), seed=1)
    with (
        Journal.create(folder, workshop.now_ns, durable=False) as journal,
        workshop.open(planned, journal, {}) as rig,
    ):
        rig.hands.place_pack(52)
        table = Bench(Acts(rig, planned, slips, heard := Heard(journal)), heard)
        assert table.do("load_device", device="shoe") == "done"
        assert table.do("burn", count=1) == "done"
        yield table


def test_a_forgotten_card_stays_at_the_mouth_and_is_the_next_one(tmp_path: Path) -> None:
    fault: dict[str, object] = {
        "name": "card_left_at_mouth", "target": "dealer", "at": {"position": "seat/1", "card": 1},
    }  # fmt: skip
    with bench(tmp_path, "sd-4", fault) as table:
        table.deal("seat/1")
        assert table.heard.looks("seat/1")[-1].count == 0
        assert table.heard.looks("shoe_mouth")[-1].count == 1
        assert table.heard.did("deliver") == 0
        assert table.do("deliver", position="dealer", face="up") == "done"
        assert table.heard.looks("dealer")[-1].face_up == ["Tc"]


def test_a_dealer_draws_too_far_only_on_a_hand_to_stand_on(tmp_path: Path) -> None:
    with bench(tmp_path, "sd-4", {"name": "dealer_overdraws", "target": "dealer"}) as table:
        table.deal("seat/1")
        table.deal("dealer")
        table.deal("seat/1")
        table.deal("dealer", "down")
        assert table.heard.did("draw") == 0
        assert table.do("turn_up", position="dealer", count=2) == "done"
        assert table.heard.looks("dealer")[-1].face_up == ["Td", "7d"]
        assert table.heard.did("draw") == 1
        assert len(table.heard.looks("shoe_mouth")[-1].face_up) == 1
        # A burn takes the card that lies there.
        assert table.do("burn", count=1) == "done"
        assert table.heard.looks("burn")[-1].count == 2


def test_a_hand_that_must_draw_is_not_overdrawn(tmp_path: Path) -> None:
    with bench(tmp_path, "sd-3-dealer", {"name": "dealer_overdraws", "target": "dealer"}) as table:
        for position, face in (("seat/1", "up"), ("seat/3", "up"), ("dealer", "up")) * 2:
            table.deal(position, face)
        assert table.heard.looks("dealer")[-1].face_up == ["Th", "4h"]
        assert table.heard.did("draw") == 0


def test_a_card_is_drawn_and_exposed_after_the_answer_that_is_named(tmp_path: Path) -> None:
    fault: dict[str, object] = {"name": "card_drawn_and_exposed", "target": "dealer", "at": {"choice": 2}}
    with bench(tmp_path, "sd-plain", fault) as table:
        offer = {"position": "seat/1", "question": "second_card", "choices": ["take", "dead"]}
        assert table.do("open_round") == "done"
        assert table.do("offer_choice", **offer) == "done"
        assert table.heard.did("draw") == 0
        assert table.do("offer_choice", **offer) == "done"
        assert table.heard.did("draw") == 1
        assert len(table.heard.looks("shoe_mouth")[-1].face_up) == 1


def test_a_shoe_that_ran_out_is_filled_with_the_discards_alone(tmp_path: Path) -> None:
    few: dict[str, object] = {"name": "few_cards_left", "target": "pack", "params": {"count": 3}}
    with bench(tmp_path, "sd-6", few) as table:
        assert table.heard.looks("discard_rack")[-1].stacked
        table.deal("seat/1")
        table.deal("dealer")
        assert table.do("dispense", device="shoe", unit="card") == "failed"
        assert table.heard.looks("shoe_mouth")[-1].count == 0
        assert table.do("reshuffle", scope="discards", method="device") == "done"
        assert table.heard.looks("discard_rack")[-1].count == 0
        assert table.do("cut") == "done"
        assert table.do("load_device", device="shoe") == "done"
        table.deal("seat/1")
        assert [table.heard.looks(place)[-1].count for place in ("seat/1", "dealer")] == [2, 1]
        assert table.heard.looks("seat/1")[-1].face_up[0] == "5c"
