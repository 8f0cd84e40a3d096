"""Random sessions of a compliant table, of a number that CI has time for: `benchmarks/no_false_alarms.py` plays many.

Always the same ones, so that a failure here is a failure everywhere.
"""

import tomllib
from pathlib import Path

import pytest

from bench.plan import Defect
from benchmarks import random_sessions
from benchmarks.random_sessions import SHRINKING, Finding, Search, touched
from fixtures.defect_reach import ANYWHERE
from fixtures.random_tables import Kitchen
from rules.loader import load_packs
from rules.verdicts import Outcome
from tests.certification.conftest import certify

PACKS = ("NJ-69F-33.12", "PR-PGP-SHOE", "PR-POKER-IRR", "SD-BJ-28", "TDA-35")
"""Packs of which a longer search has left nothing open that is known."""
SESSIONS = 10
"""A session takes about a second of one core."""


def told(finding: Finding | None) -> str:
    return "" if finding is None else "\n".join([*finding.alarms, finding.command, finding.script])


def test_no_false_alarms_on_a_compliant_table() -> None:
    search = Search(PACKS)
    assert not told(search.look(sessions=SESSIONS))
    # Sessions of which nothing could be said would prove nothing.
    assert search.tally["sessions"] >= SESSIONS // 2
    assert search.tally[Outcome.PASS.value] > 0


def test_no_false_alarms_beyond_a_defect() -> None:
    search = Search(PACKS, defective=True)
    assert not told(search.look(sessions=SESSIONS))


def test_no_false_alarms_what_defects_touch_is_of_this_world() -> None:
    clauses = {clause.id for pack in load_packs(None) for clause in pack.clauses}
    assert ANYWHERE.keys() <= touched().keys()
    assert {name for names in ANYWHERE.values() for name in names} <= clauses


def test_no_false_alarms_a_failure_is_found_made_small_and_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With a defect that nobody has declared, the search finds it, within its budget, and `certify` shows it too."""
    monkeypatch.setattr(random_sessions, "touched", lambda: {"software:remainder_exposed": frozenset[str]()})
    defect = Defect(name="remainder_exposed", on="software", fails="PR-PGP-SHOE.A.1")
    search = Search(["PR-PGP-SHOE"])
    search.defective = True
    kitchen = random_sessions.kitchen_of()["PR-PGP-SHOE"]
    only = Kitchen(kitchen.bases, kitchen.faults, kitchen.asks, (defect,))
    monkeypatch.setattr(random_sessions, "kitchen_of", lambda: {"PR-PGP-SHOE": only})
    finding = search.look(sessions=20)
    assert finding is not None
    assert any("PR-PGP-SHOE.E.1.a" in alarm for alarm in finding.alarms)
    assert search.tally["sessions"] <= 20 + SHRINKING
    assert len(tomllib.loads(finding.script)["scenario"]) == 1
    path = tmp_path / "found.toml"
    path.write_text(finding.script, "utf-8")
    run = certify(tmp_path / "run", [], str(path), *finding.command.split())
    assert run.status == 1
    assert ("random", "PR-PGP-SHOE.E.1.a") in run.verdicts()
    assert run.verdicts()["random", "PR-PGP-SHOE.E.1.a"] == "FAIL"
