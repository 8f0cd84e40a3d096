"""The bench passes on what a floor person rules, and invents no ruling."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bench.acts.acts import Acts
from bench.plan import load_plan, only
from bench.plan_entries import Ruling
from bench.rig import load_rig
from bench.slips import Slips
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import AnyEvent, Directive, FloorRuled, Record
from evidence.journal import Journal


class Heard:
    """Keeps what acts report, with who said it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.said: list[tuple[str, AnyEvent]] = []

    def publish(self, event: AnyEvent, source: str) -> Record:
        self.said.append((source, event))
        return self.journal.append(event, source=source)

    def tap(self) -> None:
        pass


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[tuple[Acts, Heard]]:
    scenario = only(load_plan(find_plan("nj-69f-33.12")), ["nj-h"]).scenarios[0]
    rulings = [Ruling("unlisted", "misdeal", "Anna"), Ruling("scrap", "dead", "Ben", position="seat/2")]
    scenario = msgspec.structs.replace(scenario, rulings=rulings)
    workshop = Workshop(load_rig(find_rig("emulated")), seed=1)
    with (
        Journal.create(tmp_path, workshop.now_ns, durable=False) as journal,
        workshop.open(scenario, journal, {}) as rig,
    ):
        heard = Heard(journal)
        yield Acts(rig, scenario, Slips([]), heard), heard


def test_a_ruling_is_given_once_to_the_question_it_answers(floor: tuple[Acts, Heard]) -> None:
    acts, heard = floor
    call = Directive(id="d1", verb="call_floor", question="unlisted", position="seat/1")
    assert acts.carry_out(call) == ("done", "")
    given = FloorRuled(question="unlisted", ruling="misdeal", by="Anna", position="seat/1")
    assert heard.said == [("operator:floor", given)]
    assert acts.carry_out(call) == ("failed", "nobody has ruled on 'unlisted'")
    assert len(heard.said) == 1


def test_a_ruling_about_one_hand_is_not_given_for_another(floor: tuple[Acts, Heard]) -> None:
    acts, heard = floor
    call = Directive(id="d1", verb="call_floor", question="scrap", position="seat/1")
    assert acts.carry_out(call)[0] == "failed"
    assert acts.carry_out(msgspec.structs.replace(call, position="seat/2"))[0] == "done"
    assert [event for _, event in heard.said] == [
        FloorRuled(question="scrap", ruling="dead", by="Ben", position="seat/2")
    ]


def test_the_floor_is_not_called_without_a_question(floor: tuple[Acts, Heard]) -> None:
    acts, _ = floor
    assert acts.carry_out(Directive(id="d1", verb="call_floor")) == ("impossible", "call_floor names no question")
