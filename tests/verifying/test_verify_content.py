"""A folder altered and made anew as a whole, be it signed by its own laboratory, has to follow from its evidence."""

import importlib.metadata
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fixtures import verification
from fixtures.camera_accuracy import kept_accuracy
from reports.certificate import build_certificate
from reports.sealing.identity import Identity
from reports.sealing.seal import seal
from tests.verifying.test_verify_trust import told

Change = Callable[[Any], None]


def edit(path: Path, change: Change) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def pass_all(verdicts: Any) -> None:
    for verdict in verdicts:
        verdict["verdict"] = "PASS"


def drop_one(verdicts: Any) -> None:
    verdicts.pop()


def conform(run: Any) -> None:
    run["overall"] = "CONFORMS"


def call_it_uninterrupted(run: Any) -> None:
    run["interruptions"] = [{"record": 5, "scenario": "x"}]


def name_another_pack(run: Any) -> None:
    run["packs"][0]["sha256"] = "00" * 32


def name_one_pack_more(run: Any) -> None:
    run["packs"].append(run["packs"][0] | {"id": "NONE-SUCH"})


def switch_a_defect_on(run: Any) -> None:
    run["defects"] = ["software:no_void"]


def say_more(run: Any) -> None:
    run["camera"] = {"approved_by": "everybody"}


def only_lay_out_otherwise(_: Any) -> None:
    pass


def measure_better(accuracy: Any) -> None:
    accuracy["seeds"]["tables"] = 4000


def spoil(accuracy: Any) -> None:
    accuracy["cards"] = "many"


def ask_otherwise(plan: Any) -> None:
    plan["scenarios"][0]["rounds"] = 7


@pytest.mark.parametrize(
    ("name", "change", "first"),
    [
        ("verdicts.json", only_lay_out_otherwise, "verdicts.json: was altered: it is not laid out as it was written"),
        ("run.json", name_one_pack_more, "run.json: packs is not what the packs kept in the folder say"),
        ("run.json", switch_a_defect_on, "run.json: defects: ['software:no_void'], but by record 0 the run began with"),
        ("run.json", say_more, "run.json: camera is not expected here"),
        ("camera-accuracy.json", measure_better, "run.json: vision is not what camera-accuracy.json says"),
        ("camera-accuracy.json", spoil, "camera-accuracy.json: not a measured accuracy of the camera"),
        ("plan.json", ask_otherwise, "plan.json: is not the file that the run began with, by record 0"),
        ("verdicts.json", pass_all, "verdicts.json: scenario 'pr-proper', clause "),
        ("verdicts.json", drop_one, "verdicts.json: the verdicts do not follow from the journal: there are "),
        ("run.json", conform, "run.json: states CONFORMS, but INCONCLUSIVE follows"),
        ("run.json", call_it_uninterrupted, "run.json: interruptions is not what"),
        ("run.json", name_another_pack, "packs/PR-PGP-SHOE: this is not the version of the pack"),
    ],
)
def test_what_does_not_follow_from_the_evidence_is_named_first(
    whole: Path, signer: Identity, name: str, change: Change, first: str
) -> None:
    edit(whole / name, change)
    seal(whole, None)
    (whole / "certificate.pdf").unlink()
    (whole / "certificate.json").unlink()
    seal(whole, signer)
    result = told(whole)
    assert result["status"] == 1
    assert result["first"].startswith(first)


def test_a_camera_accuracy_exchanged_with_all_that_quotes_it_is_not_that_of_the_run(whole: Path) -> None:
    edit(whole / "camera-accuracy.json", measure_better)
    told_of = kept_accuracy(whole)
    edit(whole / "run.json", lambda run: run.update(vision=told_of))
    unsign(whole)
    result = told(whole)
    assert result["status"] == 1
    assert result["first"].startswith("camera-accuracy.json: is not the file that the run began with, by record 0")


def test_what_dies_while_it_judges_again_is_no_proof(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "judge_run", lambda *_: os._exit(0))
    result = told(whole)
    assert result["status"] == 1
    assert result["first"].startswith("the verdicts could not be judged again: a worker process failed")


def test_verdicts_are_named_before_the_certificate_whichever_is_found_first(whole: Path) -> None:
    edit(whole / "verdicts.json", drop_one)
    edit(whole / "certificate.json", claim_more)
    seal(whole)
    assert told(whole)["first"].startswith("verdicts.json: the verdicts do not follow from the journal: there are ")


def test_a_junit_file_that_fails_nobody_is_found(whole: Path) -> None:
    junit = whole / "junit.xml"
    content = junit.read_text()
    assert "<skipped" in content
    junit.write_text(content.replace("<skipped", "<passed"))
    unsign(whole)
    assert told(whole)["first"] == "junit.xml: is not what the run comes to: it was altered"


def test_a_pack_that_asks_less_is_not_that_of_the_run(whole: Path) -> None:
    path = whole / "packs" / "PR-PGP-SHOE" / "clauses_a_d.toml"
    path.write_text(path.read_text().replace("shoe", "shoe ", 1))
    seal(whole)
    result = told(whole)
    assert result["status"] == 1
    assert result["first"].startswith(("packs/", "certificate.pdf: says that it is signed"))


def claim_another_serial(content: Any) -> None:
    content["devices"][0]["serial"] = "ANOTHER"


def claim_a_result(content: Any) -> None:
    content["result"]["overall"] = "CONFORMS"


def claim_more(content: Any) -> None:
    content["endorsed_by"] = "everybody"


@pytest.mark.parametrize("change", [claim_another_serial, claim_a_result, claim_more])
def test_a_certificate_that_says_otherwise_than_the_run_is_found(whole: Path, change: Change) -> None:
    unsign(whole)
    edit(whole / "certificate.json", change)
    seal(whole)
    result = told(whole)
    assert result["status"] == 1
    assert result["first"].startswith("certificate.json: ")


def unsign(folder: Path) -> None:
    build_certificate(folder)
    seal(folder)


def test_a_pdf_that_shows_something_else_is_found_with_its_page(whole: Path, tmp_path: Path) -> None:
    """The PDF of a run altered to conform, put in the place of the right one."""
    unsign(whole)
    other = Path(shutil.copytree(whole, tmp_path / "other"))
    edit(other / "run.json", conform)
    edit(other / "verdicts.json", pass_all)
    build_certificate(other)
    shutil.copy(other / "certificate.pdf", whole / "certificate.pdf")
    seal(whole)
    result = told(whole)
    assert result["status"] == 1
    assert result["first"].startswith(("certificate.pdf: page 1 says", "certificate.pdf: has "))


def test_a_pdf_with_other_looks_but_the_same_words_is_found(whole: Path) -> None:
    unsign(whole)
    pdf = whole / "certificate.pdf"
    content = pdf.read_bytes()
    assert b"/MarkInfo" in content
    pdf.write_bytes(content.replace(b"/MarkInfo", b"/MarkInf0"))
    seal(whole)
    result = told(whole)
    assert result["status"] == 1
    assert "its words are, but not its looks" in result["first"]


def made_by_another_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version
    with monkeypatch.context() as patch:
        patch.setattr(importlib.metadata, "version", lambda name: "0.0.1" if name == "typst" else real(name))
        build_certificate(folder)


def test_a_certificate_of_another_version_is_compared_by_its_words(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_by_another_version(whole, monkeypatch)
    seal(whole)
    result = told(whole)
    assert (result["status"], result["first"]) == (0, None)
    assert any("made with another version of cardcert" in note for note in result["notes"])


def test_another_version_is_no_way_to_show_another_result(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_by_another_version(whole, monkeypatch)
    other = Path(shutil.copytree(whole, tmp_path / "other"))
    edit(other / "verdicts.json", pass_all)
    made_by_another_version(other, monkeypatch)
    shutil.copy(other / "certificate.pdf", whole / "certificate.pdf")
    seal(whole)
    assert told(whole)["first"] == "certificate.pdf: the result embedded in it is not certificate.json"
    shutil.copy(other / "certificate.json", whole / "certificate.json")
    seal(whole)
    assert told(whole)["first"].startswith("certificate.json: ")


def test_the_language_of_the_certificate_makes_no_difference(whole: Path) -> None:
    build_certificate(whole, "es")
    seal(whole)
    assert told(whole)["status"] == 0
