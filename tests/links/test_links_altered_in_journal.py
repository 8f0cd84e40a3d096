"""What a bad line did to a frame is on record beside what the bench heard of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from bench.links.faulty import FaultyLine
from bench.links.line_faults import LineFault
from bench.live_rig import Rig
from bench.plan import Scenario, load_plan, only
from bench.rig import load_rig
from bench.session import run_scenario
from bench.setup import Defects
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import LinkAltered, LinkBytes, LinkFault, ScenarioFinished
from evidence.notes import Notes, Recorder


class Armed(FaultyLine):
    """Goes bad once the scenario has begun."""

    def restore(self) -> None:
        super().restore()
        self.arm(LineFault(kind="checksum", way="rx", first=4))
        self.arm(LineFault(kind="cut_off", way="rx", first=9))


class OverABadLine(Workshop):
    @contextmanager
    def open(self, scenario: Scenario, journal: Recorder, defects: Defects) -> Iterator[Rig]:
        with super().open(scenario, journal, defects) as rig:
            line = rig.lines["shoe"]
            assert isinstance(line, FaultyLine)
            line.__class__ = Armed
            yield rig


def test_each_frame_that_was_altered_is_on_record_with_what_came_of_it() -> None:
    plan = only(load_plan(find_plan("nj-69f-33.12")), ["nj-j2-stop"])
    workshop = OverABadLine(load_rig(find_rig("emulated")), 1, evidence=False)
    notes = Notes(workshop.now_ns)
    assert run_scenario(workshop, plan.scenarios[0], notes, {}) == "rig_fault"
    altered = [record for record in notes.records if isinstance(record.event, LinkAltered)]
    assert {record.source for record in altered} == {"instrument:line"}
    kinds = [record.event.kind for record in altered if isinstance(record.event, LinkAltered)]
    assert kinds[0] == "checksum"
    assert set(kinds[1:]) == {"cut_off"}
    heard = "".join(
        record.event.data
        for record in notes.records
        if isinstance(record.event, LinkBytes) and record.event.link == "shoe" and record.event.direction == "rx"
    )
    spoilt = altered[0].event
    assert isinstance(spoilt, LinkAltered)
    assert spoilt.after in heard
    assert spoilt.before != spoilt.after
    faults = [record.event.kind for record in notes.records if isinstance(record.event, LinkFault)]
    assert faults.count("crc") == 1
    assert isinstance(notes.records[-1].event, ScenarioFinished)
    assert "shoe: asked" in notes.records[-1].event.detail
