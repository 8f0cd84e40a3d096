"""Same plan, rig and seed: the same journal, apart from wall-clock stamps, also in another process."""

import os
from pathlib import Path

from bench.plan import load_plan, only
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import Record, RunStarted
from evidence.journal import comparable, read_journal
from evidence.notes import Notes
from tests.certification.conftest import WITHOUT_PAGE
from tests.shared_runs import finished

SCENARIOS = ("nj-j1-exit", "nj-k-deal", "pr-e2a-double")


def played(*scenarios: str, seed: int) -> list[Record]:
    """The records of these scenarios played in this process; one of the run stands before them, as in a journal."""
    workshop = Workshop(load_rig(find_rig("emulated")), seed)
    notes = Notes(workshop.now_ns)
    notes.append(RunStarted(plan="p", rig="r", seed=seed, clock="virtual"), source="bench:run")
    for scenario in only(load_plan(find_plan("default")), scenarios).scenarios:
        assert run_scenario(workshop, scenario, notes, {}) == "completed"
    return notes.records


def story(records: list[Record]) -> list[dict[str, object]]:
    return [comparable(record) for record in records if record.scenario]


def test_the_same_seed_gives_the_same_journal_and_another_seed_another(tmp_path: Path) -> None:
    chosen = [f"--scenario={name}" for name in SCENARIOS]
    words = ("cardcert", "certify", "--out", str(tmp_path / "run"), "--seed", "7", *chosen)
    finished(*words, folder=tmp_path / "run", environment={**os.environ, **WITHOUT_PAGE})
    journaled = story(list(read_journal(tmp_path / "run")))
    assert len(journaled) > 2000
    assert journaled == story(played(*SCENARIOS, seed=7))
    assert journaled != story(played(*SCENARIOS, seed=8))


def test_a_scenario_does_not_depend_on_what_ran_before_it() -> None:
    def of_scenario(records: list[Record]) -> list[object]:
        return [record.event for record in records if record.scenario == "pr-e2a-double"
                and record.source.startswith(("camera:", "dealer:", "device:shoe"))
                and not hasattr(record.event, "data")]  # fmt: skip

    alone = of_scenario(played("pr-e2a-double", seed=7))
    after = of_scenario(played("nj-k-deal", "pr-e2a-double", seed=7))
    assert len(alone) > 50
    assert alone == after
