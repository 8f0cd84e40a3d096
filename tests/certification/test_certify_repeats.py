"""Same plan, rig and seed: the same journal, apart from wall-clock stamps."""

from pathlib import Path

from evidence.journal import comparable, read_journal
from tests.certification.conftest import certify

SCENARIOS = ("nj-j1-exit", "nj-k-deal", "pr-e2a-double")


def journal_of(folder: Path) -> list[object]:
    return [comparable(record) for record in read_journal(folder)]


def test_the_same_seed_gives_the_same_journal_and_another_seed_another(tmp_path: Path) -> None:
    for name, seed in (("first", "7"), ("second", "7"), ("third", "8")):
        certify(tmp_path / name, SCENARIOS, "--seed", seed)
    first = journal_of(tmp_path / "first")
    assert len(first) > 2000
    assert first == journal_of(tmp_path / "second")
    assert first != journal_of(tmp_path / "third")


def test_a_scenario_does_not_depend_on_what_ran_before_it(tmp_path: Path) -> None:
    certify(tmp_path / "alone", ["pr-e2a-double"], "--seed", "7")
    certify(tmp_path / "after", ["nj-k-deal", "pr-e2a-double"], "--seed", "7")

    def of_scenario(folder: Path) -> list[object]:
        return [record.event for record in read_journal(folder) if record.scenario == "pr-e2a-double"
                and record.source.startswith(("camera:", "dealer:", "device:shoe"))
                and not hasattr(record.event, "data")]  # fmt: skip

    alone, after = of_scenario(tmp_path / "alone"), of_scenario(tmp_path / "after")
    assert len(alone) > 50
    assert alone == after
