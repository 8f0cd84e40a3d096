"""Random sessions of a compliant table, of a number that CI has time for: `benchmarks/no_false_alarms.py` plays many.

Always the same ones, so that a failure here is a failure everywhere.
"""

import json
import shlex
import tomllib
from functools import cache
from pathlib import Path

from bench.plan import load_plan
from bench.rig import load_rig
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from fixtures.defect_reach import ANYWHERE, reach
from fixtures.random_sessions import SHRINKING, Finding, Search
from fixtures.random_tables import kitchens
from rules.loader import load_packs
from rules.verdicts import Outcome
from tests.certification.conftest import certify
from tests.shared_runs import finished, plain_environment

PACKS = ("NJ-69F-33.12", "PR-PGP-IRR", "PR-PGP-SHOE", "PR-POKER-IRR", "SD-BJ-28", "TDA-35")
"""Packs of which a longer search has left nothing open that is known."""
SESSIONS = 6
"""A session takes about a second of one core."""


@cache
def touched() -> dict[str, frozenset[str]]:
    return reach(load_plan(find_plan("default")).scenarios)


@cache
def workshop() -> Workshop:
    return Workshop(load_rig(find_rig("emulated")), seed=1, evidence=False)


def searched(*, defective: bool = False) -> Search:
    made = kitchens(find_plan("default"))
    return Search({pack: made[pack] for pack in PACKS}, load_packs(None), workshop(), touched() if defective else None)


def told(finding: Finding | None) -> str:
    return "" if finding is None else "\n".join([*finding.alarms.values(), *finding.command(1), finding.script])


def test_no_false_alarms_on_a_compliant_table() -> None:
    search = searched()
    assert not told(search.look(sessions=SESSIONS))
    # Sessions of which nothing could be said would prove nothing.
    assert search.tally["sessions"] >= SESSIONS // 2
    assert search.tally[Outcome.PASS.value] > 0


def test_no_false_alarms_beyond_a_defect() -> None:
    assert not told(searched(defective=True).look(sessions=SESSIONS))


def test_no_false_alarms_what_defects_touch_is_of_this_world() -> None:
    clauses = {clause.id for pack in load_packs(None) for clause in pack.clauses}
    assert ANYWHERE.keys() <= touched().keys()
    assert {name for names in ANYWHERE.values() for name in names} <= clauses


def test_explore_finds_a_failure_makes_it_small_and_certify_replays_it(tmp_path: Path) -> None:
    """With a defect that breaks a clause only where cards remain, which not every session comes to."""
    words = ["cardcert", "explore", "pr-pgp-shoe", "--pack", "PR-PGP-SHOE", "--sessions", "10", "--json"]
    words += ["--defect", "software:remainder_exposed", "--out", "explored"]
    done = finished(*words, folder=tmp_path / "explored", cwd=tmp_path, environment=plain_environment(tmp_path))
    assert done.status == 1, done.err
    explored = json.loads(done.out)
    assert explored == json.loads((tmp_path / "explored" / "explored.json").read_bytes())
    assert 0 < explored["sessions"] <= 10 + SHRINKING
    found = next(one for one in explored["findings"] if "PR-PGP-SHOE.E.1.a" in one["alarms"])
    script = tmp_path / "explored" / found["script"]
    scenarios = tomllib.loads(script.read_text("utf-8"))["scenario"]
    assert len(scenarios) == 1
    # Whatever went wrong beside the defect was no part of it, and is left out.
    assert not scenarios[0].get("fault")
    assert found["command"][:3] == ["cardcert", "certify", f"explored/{found['script']}"]
    run = certify(tmp_path / "run", [], str(script), *found["command"][3:])
    assert run.status == 1, shlex.join(found["command"])
    assert run.verdicts()["random", "PR-PGP-SHOE.E.1.a"] == "FAIL"
