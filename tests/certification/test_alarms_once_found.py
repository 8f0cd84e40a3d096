"""Sessions of a compliant table in which a clause once failed. Each file says in its first line what they are about."""

from pathlib import Path

import pytest

from bench.plan import load_plan
from bench.rig import load_rig
from bench.workshop import Workshop
from cardcert.shipped import find_rig
from fixtures.random_tables import play
from rules.loader import load_packs
from rules.verdicts import Outcome

SCRIPTS = sorted((Path(__file__).parent / "alarms").glob("*.toml"))
RIG_SEED = 11
"""They were found with this seed; with another one other cards are dealt."""


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(load_rig(find_rig("emulated")), seed=RIG_SEED, evidence=False)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_alarms_once_found_are_no_more(script: Path, workshop: Workshop) -> None:
    plan = load_plan(script)
    records, verdicts = play(workshop, plan, load_packs(plan.packs))
    assert any(one.verdict is not Outcome.NOT_TRIGGERED for one in verdicts)
    assert not [f"{one.clause}: {one.reason}" for one in verdicts if one.verdict is Outcome.FAIL]
    assert records
