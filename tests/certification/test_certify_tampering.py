"""A run folder that somebody altered, and whose manifest was written anew over it, is found out all the same."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardcert.__main__ import main
from reports.manifest import write_manifest
from tests.certification.conftest import Finished, cardcert, certify


@pytest.fixture(scope="module")
def sound_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return certify(tmp_path_factory.mktemp("sound") / "run", ["pr-unapproved"])


def altered(run: Finished, tmp_path: Path, name: str, change: Callable[[Any], None]) -> Path:
    """A copy of the run with one JSON file changed and everything sealed again."""
    folder = tmp_path / "run"
    shutil.copytree(run.folder, folder)
    content = json.loads((folder / name).read_text())
    change(content)
    (folder / name).write_text(json.dumps(content))
    write_manifest(folder)
    return folder


def drop_scenarios(plan: Any) -> None:
    plan["scenarios"] = []


def drop_covers(plan: Any) -> None:
    plan["scenarios"][0]["covers"] = []


def name_another_device(run: Any) -> None:
    run["devices"][1]["serial"] = "ANOTHER"


def name_another_seed(run: Any) -> None:
    run["seed"] = 77


def name_another_laboratory(run: Any) -> None:
    run["laboratory"] = {"name": "Another"}


def say_it_was_not_run(run: Any) -> None:
    run["scenarios"][0]["status"] = "not run"


@pytest.mark.parametrize(
    ("name", "change", "finding"),
    [
        ("plan.json", drop_scenarios, "plan.json: has no scenario 'pr-unapproved'"),
        ("plan.json", drop_covers, "plan.json: scenario 'pr-unapproved' is not as record"),
        ("run.json", name_another_device, "run.json: devices is not what"),
        ("run.json", name_another_seed, "the run began as ('default', 'emulated', 1,"),
        ("run.json", name_another_laboratory, "run.json: laboratory is not what"),
        ("run.json", say_it_was_not_run, "run.json: scenarios is not what"),
    ],
)
def test_what_the_journal_does_not_bear_out_is_named(
    sound_run: Finished,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    change: Callable[[Any], None],
    finding: str,
) -> None:
    assert main(["verify", str(altered(sound_run, tmp_path, name, change))]) == 1
    assert finding in capsys.readouterr().out


def test_the_sound_run_holds_together(sound_run: Finished) -> None:
    assert cardcert("verify", str(sound_run.folder)).status == 0


def test_a_rig_file_that_is_not_the_one_used_is_named(
    sound_run: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(sound_run.folder, folder)
    with (folder / "rig.toml").open("a") as rig:
        rig.write("\n# another\n")
    write_manifest(folder)
    assert main(["verify", str(folder)]) == 1
    assert "run.json: rig is not what" in capsys.readouterr().out


def test_a_journal_without_its_end_is_named(
    sound_run: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cut off at a line's end, with `run.json` altered to fit."""
    folder = tmp_path / "run"
    shutil.copytree(sound_run.folder, folder)
    journal = folder / "journal" / "events.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    run = json.loads((folder / "run.json").read_text())
    run["journal"] = {"records": len(lines) - 1, "head": json.loads(lines[-2])["hash"]}
    (folder / "run.json").write_text(json.dumps(run))
    write_manifest(folder)
    assert main(["verify", str(folder)]) == 1
    assert "the run has no end" in capsys.readouterr().out


def test_no_report_is_made_of_verdicts_that_nothing_bears_out(sound_run: Finished, tmp_path: Path) -> None:
    def pass_all(verdicts: Any) -> None:
        for verdict in verdicts:
            verdict["verdict"] = "PASS"

    folder = altered(sound_run, tmp_path, "verdicts.json", pass_all)
    (folder / "certificate.pdf").unlink()
    reported = cardcert("report", str(folder))
    assert reported.status == 3
    assert "verdicts.json: the verdicts do not follow from the journal" in reported.err
    assert not (folder / "certificate.pdf").exists()
    assert cardcert("judge", str(folder), "--write").status == 3
    assert cardcert("report", str(folder)).status == 3
    assert cardcert("verify", str(folder)).status == 0


@pytest.mark.parametrize(
    "content", ["", "{}", "null", "3", "\x00", "[" * 100_000], ids=["empty", "object", "null", "number", "nul", "deep"]
)
@pytest.mark.parametrize("name", ["run.json", "plan.json", "verdicts.json"])
def test_a_file_that_is_none_of_ours_is_refused_in_one_line(
    sound_run: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(sound_run.folder, folder)
    (folder / name).write_text(content)
    write_manifest(folder)
    assert main(["judge", str(folder)]) == 2
    told = capsys.readouterr()
    assert str(folder / name) in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)


@pytest.mark.parametrize("command", ["judge", "report", "verify"])
def test_what_is_no_run_folder_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path, tmp_path / "nowhere", tmp_path / "file"):
        assert main([command, str(folder)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
