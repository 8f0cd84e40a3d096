"""What the bench does with directives that table software should not have given, and with devices that fail."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bench.acts.acts import Acts
from bench.faults.script import FaultSpec, parse_fault
from bench.live_rig import Rig
from bench.plan import load_plan, only
from bench.rig import load_rig
from bench.slips import Slips
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import AnyEvent, CardsSeen, DealerDid, Directive, Record
from evidence.journal import Journal


@dataclass
class Heard:
    """Keeps what acts report."""

    journal: Journal
    events: list[AnyEvent] = field(default_factory=list)

    def publish(self, event: AnyEvent, source: str) -> Record:
        self.events.append(event)
        return self.journal.append(event, source=source)

    def tap(self) -> None:
        pass


@dataclass
class Bench:
    """The emulated rig with a pack in hand, and its acts."""

    rig: Rig
    acts: Acts
    heard: Heard


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    scenario = only(load_plan(find_plan("nj-69f-33.12")), ["nj-h"]).scenarios[0]
    workshop = Workshop(load_rig(find_rig("emulated")), seed=1)
    with (
        Journal.create(tmp_path, workshop.now_ns, durable=False) as journal,
        workshop.open(scenario, journal, {}) as rig,
    ):
        heard = Heard(journal)
        rig.hands.place_pack(scenario.table.cards_in_deck)
        yield Bench(rig, Acts(rig, scenario, Slips([]), heard), heard)


@pytest.mark.parametrize(
    ("order", "why"),
    [
        (Directive(id="d1", verb="load_device"), "load_device names no device"),
        (Directive(id="d1", verb="remove_cards"), "remove_cards names no device"),
        (Directive(id="d1", verb="remove_device", device="oven"), "there is no device 'oven'"),
        (Directive(id="d1", verb="deliver"), "deliver names no position"),
        (Directive(id="d1", verb="deliver", position="all"), "there is no position 'all'"),
        (Directive(id="d1", verb="move_button", position="discard_rack"), "there is no position 'discard_rack'"),
        (Directive(id="d1", verb="spread", place="all"), "there is no place 'all'"),
        (Directive(id="d1", verb="collect", place="../seat/1"), "there is no place '../seat/1'"),
    ],
    ids=lambda value: value.verb if isinstance(value, Directive) else "",
)
def test_a_directive_that_makes_no_sense_is_impossible_and_moves_nothing(
    bench: Bench, order: Directive, why: str
) -> None:
    outcome, detail = bench.acts.carry_out(order)
    assert outcome == "impossible"
    assert why in detail
    assert bench.heard.events == []


def test_all_places_can_be_collected_at_once(bench: Bench) -> None:
    assert bench.acts.carry_out(Directive(id="d1", verb="collect", place="all", to="discard_rack")) == ("done", "")


def test_nothing_is_said_to_be_burned_when_the_shoe_jams_before_the_card_comes(bench: Bench) -> None:
    stuck: FaultSpec = parse_fault({"name": "card_stuck_on_exit", "target": "shoe", "at": {"card": 1}}, "here")
    bench.rig.arm(stuck)
    assert bench.acts.carry_out(Directive(id="d1", verb="load_device", device="shoe"))[0] == "done"
    outcome, detail = bench.acts.carry_out(Directive(id="d2", verb="burn", count=1))
    assert outcome == "failed"
    assert "CARD_STUCK_ON_EXIT" in detail
    acts = [event.act for event in bench.heard.events if isinstance(event, DealerDid)]
    assert acts == ["load"]
    looks = {event.place: event.count for event in bench.heard.events if isinstance(event, CardsSeen)}
    assert looks == {"shoe_mouth": 0, "burn": 0}
