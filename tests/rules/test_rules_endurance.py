"""What judging does when something is wrong with itself, with the length of a run, or with the device on the rig."""

from pathlib import Path

import msgspec
import pytest

from evidence.events import CameraHealth, DeviceIdentity, JournalRepaired, Record
from rules.judge import judge
from rules.monitor import ClauseMonitor
from rules.verdicts import Outcome
from rules.vocabulary import Fact
from tests.rules.small_pack import small_pack, verdict_of
from tests.rules.stud_script import PACK, exposed_hole_card
from tests.rules.table_script import PACKS, Script

A1, B1, I1 = f"{PACK}.a.1", f"{PACK}.b.1", f"{PACK}.i.1"

# --- errors ----------------------------------------------------------------------------------------------------------


def test_an_exception_in_judging_is_never_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    follow = ClauseMonitor.feed

    def breaks(self: ClauseMonitor, fact: Fact) -> list[str]:
        if self.clause.id == A1 and fact.name == "carried_out":
            raise ValueError("something nobody thought of")
        return follow(self, fact)

    monkeypatch.setattr(ClauseMonitor, "feed", breaks)
    s = exposed_hole_card()
    s.end()
    verdicts = s.verdicts()
    assert verdicts[A1].verdict is Outcome.INCONCLUSIVE
    assert "something nobody thought of" in verdicts[A1].reason
    assert verdicts[B1].verdict is Outcome.NOT_TRIGGERED


def test_events_that_state_no_fact_change_nothing() -> None:
    s = exposed_hole_card()
    s.put(CameraHealth(state="blurred"))
    s.put(JournalRepaired(bytes_cut=1, sha256="ab"), scenario="")
    s.end()
    assert s.verdicts()[A1].verdict is Outcome.PASS


def test_a_long_scenario_is_judged_in_bounded_memory(tmp_path: Path) -> None:
    """Ten thousand triggers leave one obligation behind, not ten thousand."""
    pack = small_pack(
        tmp_path / "T",
        'trigger = { fact = "announced", phrase = "t" }\nscope = "scenario"\n'
        'response = [{ fact = "announced", phrase = "a" }]',
    )
    s = Script()
    s.begin("s", "T")
    for _ in range(3000):
        s.announce("t")
        s.announce("a")
    s.end()
    verdict = verdict_of(pack, s)
    assert verdict.verdict is Outcome.PASS
    assert "3000 times" in verdict.reason
    assert len(verdict.evidence) == 2


def test_a_trigger_whose_sequel_has_been_forgotten_has_no_verdict(tmp_path: Path) -> None:
    pack = small_pack(
        tmp_path / "T",
        'trigger = { fact = "device_irregularity", symptom = "jam" }\nscope = "scenario"\n'
        'response = [{ fact = "announced", phrase = "a" }]',
    )
    s = Script()
    s.begin("s", "T")
    s.session(["seat/1"])
    s.command("shoe", "load")
    edge = s.line("shoe/exit")
    for _ in range(6000):
        s.announce("a")
    s.proven("card_stuck_on_exit", "shoe", "jam", [edge])
    s.end()
    assert verdict_of(pack, s).verdict is Outcome.INCONCLUSIVE


def with_identity(records: list[Record], scenario: str, **changes: object) -> list[Record]:
    """The records with the shuffler's identity in one scenario changed."""
    return [
        msgspec.structs.replace(record, event=msgspec.structs.replace(record.event, **changes))
        if isinstance(record.event, DeviceIdentity) and record.event.role == "shuffler" and record.scenario == scenario
        else record
        for record in records
    ]


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("maker", "N", "maker"),
        ("model", "Y", "model"),
        ("serial", "2", "serial number"),
        ("firmware", "1.1", "firmware"),
        ("firmware_sha256", "0" * 64, "firmware digest"),
    ],
)
def test_a_device_that_becomes_another_one_shows_nothing_more(part: str, value: str, told: str) -> None:
    first, second = exposed_hole_card(scenario="one"), exposed_hole_card("up", scenario="two")
    first.end()
    second.end()
    records = [*first.records, *second.records]
    numbered = [msgspec.structs.replace(record, seq=n) for n, record in enumerate(records)]
    packs = list(PACKS.values())
    same = {(v.scenario, v.clause): v for v in judge(numbered, packs)}
    assert same["one", A1].verdict is Outcome.PASS
    assert same["two", A1].verdict is Outcome.FAIL
    assert same["two", B1].verdict is Outcome.NOT_TRIGGERED
    other = {(v.scenario, v.clause): v for v in judge(with_identity(numbered, "two", **{part: value}), packs)}
    assert other["one", A1].verdict is Outcome.PASS
    assert other["two", A1].verdict is Outcome.FAIL, "what was shown to be broken stays broken"
    assert other["two", B1].verdict is Outcome.INCONCLUSIVE
    assert f"its {told} was" in other["two", B1].reason


def test_a_device_may_be_set_otherwise_for_another_game() -> None:
    first, second = exposed_hole_card(scenario="one"), exposed_hole_card(scenario="two")
    first.end()
    second.end()
    records = [*first.records, *second.records]
    numbered = [msgspec.structs.replace(record, seq=n) for n, record in enumerate(records)]
    found = judge(with_identity(numbered, "two", group_size=7), list(PACKS.values()))
    assert {v.verdict for v in found if v.clause == A1} == {Outcome.PASS}
