"""A run may be killed at any moment. Going on with it loses no record, repeats only what was cut, and says so."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import sigkill
from benchmarks.sigkill import Kill, Tally, check, events, killed_and_resumed, lines, verdicts
from cardcert.__main__ import main
from tests.certification.conftest import Finished, certify

SCENARIOS = ("pr-unapproved", "nj-h")
SMALL = ("pr-unapproved",)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    sigkill.undisturbed(folder, SCENARIOS)
    return Finished(3, "", "", folder)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run of one scenario, which stands for any where it does not matter how much there is."""
    return certify(tmp_path_factory.mktemp("small") / "run", SMALL, "--no-sensitivity")


def go_on(folder: Path, scenarios: tuple[str, ...] = SMALL) -> Finished:
    return certify(folder, scenarios, "--resume", "--no-sensitivity")


def test_kills_lose_nothing(undisturbed: Finished, tmp_path: Path) -> None:
    """`python -m benchmarks.sigkill` does this 200 times, at random moments."""
    tally, folder = Tally(), tmp_path / "run"
    killed_and_resumed(folder, SCENARIOS, [Kill("on the rig", 0.1), Kill("reporting", 0.0)], tally)
    check(folder, undisturbed.verdicts(), tally)
    assert tally.wrong == []
    assert tally.kills == 2


def nothing(folder: Path) -> None:
    """Killed before the folder was made."""
    shutil.rmtree(folder)


def empty(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def only_packs(folder: Path) -> None:
    keep(folder, {"packs"})


def all_but_run_json(folder: Path) -> None:
    keep(folder, {"packs", "plan.json", "rig.toml", "allure-results"})
    (folder / ".run.json.4711-0.tmp").write_text('{"half"')


def a_journal_without_a_line(folder: Path) -> None:
    all_but_run_json(folder)
    (folder / "journal" / "attachments").mkdir(parents=True)
    (folder / "journal" / "events.jsonl").touch()


def keep(folder: Path, names: set[str]) -> None:
    for path in folder.iterdir():
        if path.name not in names:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


NOTHING_RECORDED = (nothing, empty, only_packs, all_but_run_json, a_journal_without_a_line)


@pytest.mark.parametrize(
    ("left", "options"),
    [*((left, ("--resume",)) for left in NOTHING_RECORDED), (all_but_run_json, ()), (a_journal_without_a_line, ())],
)
def test_killed_before_its_first_record_a_run_is_begun_anew(
    small: Finished, tmp_path: Path, left: Callable[[Path], None], options: tuple[str, ...]
) -> None:
    folder = Path(shutil.copytree(small.folder, tmp_path / "run"))
    left(folder)
    run = certify(folder, SMALL, "--no-sensitivity", *options)
    assert run.verdicts() == small.verdicts()
    assert not list(folder.rglob("*.tmp"))
    assert main(["verify", str(folder)]) == 0


def run_json_alone(folder: Path) -> None:
    shutil.rmtree(folder / "journal")


def no_line_yet(folder: Path) -> None:
    (folder / "journal" / "events.jsonl").write_bytes(b"")


def torn(folder: Path) -> None:
    journal = folder / "journal" / "events.jsonl"
    content = journal.read_bytes()
    journal.write_bytes(content[: len(content) // 2])


def not_judged(folder: Path) -> None:
    for name in ("verdicts.json", "certificate.pdf", "certificate.json", "junit.xml", "manifest.json"):
        (folder / name).unlink()


def not_sealed(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / ".manifest.json.4711-3.tmp").write_bytes(b"half")


@pytest.mark.parametrize("left", [run_json_alone, no_line_yet, torn, not_judged, not_sealed])
def test_killed_later_a_run_is_gone_on_with(small: Finished, tmp_path: Path, left: Callable[[Path], None]) -> None:
    folder = Path(shutil.copytree(small.folder, tmp_path / "run"))
    left(folder)
    before = lines(folder)
    run = go_on(folder)
    assert lines(folder)[: len(before)] == before
    assert run.verdicts() == small.verdicts()
    assert not list(folder.rglob("*.tmp"))
    assert main(["verify", str(folder)]) == 0


def test_the_report_tells_what_was_cut_and_played_again(undisturbed: Finished, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(undisturbed.folder, tmp_path / "run"))
    journal = folder / "journal" / "events.jsonl"
    content = journal.read_bytes()
    started = content.index(b'"scenario":"nj-h"')
    end = content.index(b"\n", started + 30_000)
    journal.write_bytes(content[: end - 20])
    run = go_on(folder, SCENARIOS)
    told = run.json("run.json")
    assert [one["scenario"] for one in told["interruptions"]] == ["nj-h"]
    assert {one["id"]: one["attempts"] for one in told["scenarios"]} == {"pr-unapproved": 1, "nj-h": 2}
    assert told["repairs"][0]["bytes_cut"] > 0
    assert "the run was interrupted before record" in run.out
    assert "nj-h was cut off and played again" in run.out
    assert [one["event"].get("attempt", 1) for one in events(folder, "scenario.started")] == [1, 2, 1]  # type: ignore[attr-defined]
    assert told["started_utc"] == undisturbed.json("run.json")["started_utc"]
    assert run.verdicts() == verdicts(undisturbed.folder)


def test_a_folder_that_is_no_run_is_neither_begun_nor_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "letter.txt").write_text("dear")
    for options in ((), ("--resume",)):
        refused = certify(tmp_path / "run", SCENARIOS, *options)
        assert refused.status == 2
        assert refused.err.count("\n") == 1
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["letter.txt"]


def test_a_run_is_not_gone_on_with_under_another_pack(small: Finished, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(small.folder, tmp_path / "run"))
    run = json.loads((folder / "run.json").read_text())
    run["packs"][0]["sha256"] = "00" * 32
    (folder / "run.json").write_text(json.dumps(run))
    refused = go_on(folder)
    assert refused.status == 2
    assert "was begun with packs" in refused.err
