"""`cardcert judge`: the same verdicts from the same evidence, and what changes with other packs or languages."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from reports.manifest import write_manifest
from rules.loader import PACKS
from tests.certification.conftest import Finished, cardcert, certify

PACK = "NJ-69F-33.12"
CLAUSE = f"{PACK}.d"
WANTED = '{ fact = "carried_out", verb = "void_hand", position = "$position", outcome = "done" }'


@pytest.fixture(scope="module")
def spanish_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("again") / "run"
    return certify(folder, ["nj-d-too-many"], "--lang", "es")


@pytest.fixture
def run_copy(spanish_run: Finished, tmp_path: Path) -> Path:
    return Path(shutil.copytree(spanish_run.folder, tmp_path / "run"))


@pytest.fixture
def other_pack(tmp_path: Path) -> Path:
    """The pack with one requirement changed: the hand has to be called dead instead of void."""
    folder = Path(shutil.copytree(PACKS / PACK, tmp_path / "other" / PACK))
    path = folder / "clauses_c_h.toml"
    text = path.read_text(encoding="utf-8")
    assert WANTED in text
    path.write_text(text.replace(WANTED, WANTED.replace("void_hand", "dead_hand"), 1), encoding="utf-8")
    return folder


def verdict(folder: Path, clause: str = CLAUSE) -> dict[str, Any]:
    rows: list[dict[str, Any]] = json.loads((folder / "verdicts.json").read_text())
    return next(row for row in rows if row["clause"] == clause)


def test_the_reasons_are_in_the_language_of_the_run_and_in_all_others(spanish_run: Finished) -> None:
    found = verdict(spanish_run.folder)
    assert found["verdict"] == "PASS"
    assert found["reason"] == found["reasons"]["es"]
    assert "la norma exige que" in found["reasons"]["es"]
    assert "la norma esige che" in found["reasons"]["it"]
    assert spanish_run.json("run.json")["language"] == "es"


def test_the_same_evidence_gives_the_same_verdicts(run_copy: Path) -> None:
    before = (run_copy / "verdicts.json").read_bytes()
    told = cardcert("judge", str(run_copy))
    assert "27 verdicts, 0 changed; INCONCLUSIVE" in told.out
    assert told.status == 3
    assert cardcert("judge", str(run_copy), "--write").status == 3
    assert (run_copy / "verdicts.json").read_bytes() == before


def test_another_language_changes_no_verdict_and_is_kept_when_written(run_copy: Path) -> None:
    told = cardcert("judge", str(run_copy), "--lang", "it", "--write")
    assert "0 changed" in told.out
    found = verdict(run_copy)
    assert found["reason"] == found["reasons"]["it"]
    assert cardcert("verify", str(run_copy)).status == 0


def test_an_edited_pack_shows_what_it_changes_and_leaves_the_run_as_it_is(run_copy: Path, other_pack: Path) -> None:
    before = {path: path.read_bytes() for path in run_copy.rglob("*") if path.is_file()}
    told = cardcert("judge", str(run_copy), "--pack", str(other_pack), "--lang", "en")
    assert told.status == 1
    assert "27 verdicts, 1 changed; INCONCLUSIVE -> NON_CONFORMITY" in told.out
    assert "nj-d-too-many NJ-69F-33.12.d: PASS -> FAIL: [hand_void PASS -> FAIL] The hand at seat 3" in told.out
    assert before == {path: path.read_bytes() for path in run_copy.rglob("*") if path.is_file()}


def test_changes_can_be_read_by_programs(run_copy: Path, other_pack: Path) -> None:
    told = json.loads(cardcert("judge", str(run_copy), "--pack", str(other_pack), "--json").out)
    assert (told["was"], told["overall"], told["judged"]) == ("INCONCLUSIVE", "NON_CONFORMITY", 27)
    [change] = told["changes"]
    assert (change["scenario"], change["pack"], change["clause"]) == ("nj-d-too-many", PACK, CLAUSE)
    assert (change["was"], change["is"]) == ("PASS", "FAIL")
    assert change["requirements"] == {"hand_void": ["PASS", "FAIL"]}
    assert change["reason"] != change["reason_before"]


def test_packs_that_were_written_are_those_that_reports_and_verify_use(run_copy: Path, other_pack: Path) -> None:
    assert cardcert("judge", str(run_copy), "--pack", str(other_pack), "--write").status == 1
    kept = run_copy / "packs" / PACK
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == {
        path.name: path.read_bytes() for path in other_pack.iterdir()
    }
    assert verdict(run_copy)["verdict"] == "FAIL"
    assert "certificate.json" in cardcert("verify", str(run_copy)).out  # which tells of the verdicts before
    assert cardcert("report", str(run_copy)).status == 1
    assert cardcert("verify", str(run_copy)).status == 0
    assert "0 changed; NON_CONFORMITY" in cardcert("judge", str(run_copy)).out
    back = cardcert("judge", str(run_copy), "--installed")
    assert back.status == 3
    assert "1 changed; NON_CONFORMITY -> INCONCLUSIVE" in back.out


def test_the_end_of_the_run_stays_what_it_was(run_copy: Path) -> None:
    before = json.loads((run_copy / "run.json").read_text())
    cardcert("judge", str(run_copy), "--write")
    after = json.loads((run_copy / "run.json").read_text())
    assert after["finished_utc"] == before["finished_utc"]
    assert after["judged_utc"] >= before["judged_utc"]


def test_a_pack_that_was_altered_in_the_run_folder_is_found(run_copy: Path) -> None:
    path = run_copy / "packs" / PACK / "clauses_c_h.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(WANTED, WANTED.replace("void_hand", "dead_hand"), 1))
    verified = cardcert("verify", str(run_copy))
    assert verified.status == 1
    assert "clauses_c_h.toml" in verified.out
    write_manifest(run_copy)
    assert f"packs/{PACK}: this is not the version of the pack" in cardcert("verify", str(run_copy)).out


def test_a_pack_by_which_the_run_was_not_judged_is_refused(run_copy: Path) -> None:
    told = cardcert("judge", str(run_copy), "--pack", str(PACKS / "PR-PGP-SHOE"))
    assert told.status == 2
    assert "this is pack 'PR-PGP-SHOE', and the run was judged with: NJ-69F-33.12" in told.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(("--policy", "mood=grim"), "unknown policy 'mood'"), (("--lang", "de"), "invalid choice: 'de'")],
)
def test_what_cannot_be_asked_for_is_refused(run_copy: Path, arguments: tuple[str, ...], expected: str) -> None:
    told = cardcert("judge", str(run_copy), *arguments)
    assert told.status == 2
    assert expected in told.err
