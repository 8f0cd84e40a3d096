"""The attestation: an in-toto statement about what was tested, which says PASSED only of what conforms."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from reports.run_view import RunView
from reports.sealing.attestation import statement
from reports.sealing.identity import Identity
from reports.sealing.seal import read_seal, seal
from rules.pack import pack_digest
from tests.reports.report_runs import RunSketch, jam_scenario, small_run
from tests.rules.small_pack import small_pack


def told(folder: Path) -> Any:
    return json.loads(statement(RunView.load(folder), "00" * 32))


def passing_run(folder: Path, **more: Any) -> Path:
    run = RunSketch(folder)
    seen = jam_scenario(run, "shoe-jam-voids", "Shoe jams and the round is void")
    run.judge("X.A.1", "PASS", "The round was void.", seen)
    return run.finish(**more)


def test_it_is_a_test_result_about_the_firmware_and_the_manifest(tmp_path: Path) -> None:
    content = told(small_run(tmp_path / "run"))
    assert content["_type"] == "https://in-toto.io/Statement/v1"
    assert content["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    subjects = {subject["name"]: subject["digest"] for subject in content["subject"]}
    assert subjects == {
        "firmware of Example Makers S-7 0042 2.4.1": {"sha256": "ab" * 32},
        "table software Example Tables Croupier 9.1": {"sha256": "ef" * 32},
        "manifest.json": {"sha256": "00" * 32},
    }


def test_clauses_stand_where_their_verdicts_put_them(tmp_path: Path) -> None:
    predicate = told(small_run(tmp_path / "run"))["predicate"]
    assert predicate["result"] == "FAILED"
    assert "PR-PGP-SHOE.A.1" in predicate["failedTests"]
    assert "PR-PGP-SHOE.B" in predicate["warnedTests"]
    names = predicate["passedTests"] + predicate["warnedTests"] + predicate["failedTests"]
    assert len(names) == len(set(names))
    assert [entry["name"] for entry in predicate["configuration"]] == [
        "plan foundation",
        "rig emulated",
        "clause pack PR-PGP-SHOE 1.0",
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"overall": "CONFORMS"},  # stated, but the packs judged with are not at hand to follow it
        {"overall": "INCONCLUSIVE"},
        {"overall": "CONFORMS", "defects": ["software:no_more_bets_late"]},
        {},
    ],
)
def test_nothing_passes_that_was_not_shown(tmp_path: Path, more: dict[str, Any]) -> None:
    assert told(passing_run(tmp_path / "run", **more))["predicate"]["result"] == "FAILED"


def test_a_device_without_a_digest_is_no_subject(tmp_path: Path) -> None:
    folder = passing_run(tmp_path / "run", devices=[{"device": "shoe", "firmware_sha256": "none"}], software={})
    assert [subject["name"] for subject in told(folder)["subject"]] == ["manifest.json"]


def test_the_sealed_statement_is_about_the_manifest_beside_it(signed_run: Path, identity: Identity) -> None:
    sealed, findings = read_seal(signed_run)
    assert findings == []
    assert sealed is not None
    manifest = hashlib.sha256((signed_run / "manifest.json").read_bytes()).hexdigest()
    assert {"name": "manifest.json", "digest": {"sha256": manifest}} in json.loads(sealed.statement)["subject"]
    before = (signed_run / "attestation.dsse.json").read_bytes()
    seal(signed_run)
    assert not (signed_run / "attestation.dsse.json").exists(), "a seal without a key leaves no signature behind"
    assert before


@pytest.mark.parametrize(("verdict", "result"), [("PASS", "PASSED"), ("INCONCLUSIVE", "FAILED"), ("FAIL", "FAILED")])
def test_a_run_that_conforms_by_the_packs_it_keeps_passes(tmp_path: Path, verdict: str, result: str) -> None:
    run = RunSketch(tmp_path / "run")
    pack = small_pack(run.folder / "packs" / "T", 'trigger = { fact = "announced" }\nabsence = { fact = "announced" }')
    seen = jam_scenario(run, "s", "The only scenario")
    run.scenarios[-1] |= {"pack": "T", "covers": ["T.1"], "also": []}
    run.judge("T.1", verdict, "Something was so, or was not.", seen)
    told_pack = {"id": "T", "version": "1", "sha256": pack_digest(pack), "authority": "Nobody", "citation": "None"}
    overall = {"PASS": "CONFORMS", "FAIL": "NON_CONFORMITY"}.get(verdict, "INCONCLUSIVE")
    content = told(run.finish(packs=[told_pack], policies={}, overall=overall))
    assert content["predicate"]["result"] == result
    assert content["predicate"]["passedTests"] == (["T.1"] if verdict == "PASS" else [])
