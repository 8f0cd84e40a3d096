"""The page that the real Allure makes of a run folder: complete, sealed, and without a word of this machine."""

import base64
import json
import os
import re
import socket
from pathlib import Path
from typing import Any

import pytest

from evidence.errors import RigFault, UsageError
from reports.allure_html import EXECUTABLE_VARIABLE, build_allure, find_allure
from reports.allure_results import write_results
from reports.run_view import RunView
from tests.reports.report_runs import RunSketch, jam_scenario, small_run, write_json


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return build_allure(small_run(tmp_path_factory.mktemp("allure") / "run")).read_text(encoding="utf-8")


def stored(page: str) -> dict[str, Any]:
    """The data that the page holds, by its name within the page."""
    files = dict(re.findall(r'\bd\("((?:data|widgets)/[^"]+)","([^"]*)"\)', page))
    return {name: base64.b64decode(data) for name, data in files.items()}


def results(page: str) -> list[dict[str, Any]]:
    return [json.loads(data) for name, data in stored(page).items() if name.startswith("data/test-results/")]


def test_it_is_one_page_with_a_policy_and_no_analytics(page: str) -> None:
    assert "Content-Security-Policy" in page
    assert not re.search(r"googletagmanager|google-analytics|gtag\(", page)


def test_no_address_stands_in_it_but_names_of_formats(page: str) -> None:
    addresses = set(re.findall(r"(?:https?|wss?|ftp)://[\w.-]+", page))
    assert addresses <= {"http://www.w3.org", "https://localhost"}  # name spaces; a base for relative addresses


def test_every_case_of_the_run_stands_in_it_with_its_verdict(page: str) -> None:
    found = {(label(r, "scenario"), label(r, "clause")): (label(r, "verdict"), r["status"]) for r in results(page)}
    assert found == {
        ("shoe-jam-voids", "PR-PGP-SHOE.A.1"): ("PASS", "passed"),
        ("shoe-jam-ignored", "PR-PGP-SHOE.A.1"): ("FAIL", "failed"),
        ("shoe-jam-unproven", "PR-PGP-SHOE.A.1"): ("INCONCLUSIVE", "broken"),
        ("shoe-jam-unproven", "PR-PGP-SHOE.B"): ("NEEDS_OPERATOR_INPUT", "broken"),
    }


def label(result: dict[str, Any], name: str) -> str:
    return str(next(item["value"] for item in result["labels"] if item["name"] == name))


def test_the_tree_goes_from_authority_to_pack_to_clause(page: str) -> None:
    tree = json.loads(stored(page)["widgets/tree.json"])
    groups = tree["groupsById"]
    (authority,) = (groups[group] for group in tree["root"]["groups"])
    (pack,) = (groups[group] for group in authority["groups"])
    clauses = [groups[group]["name"] for group in pack["groups"]]
    assert authority["name"] == "Puerto Rico Gaming Commission"
    assert pack["name"] == "PR-PGP-SHOE"
    assert [clause.split()[0] for clause in clauses] == ["PR-PGP-SHOE.A.1", "PR-PGP-SHOE.B"]


def test_troubles_are_sorted_into_our_categories(page: str) -> None:
    found = {label(r, "verdict"): [category["name"] for category in r["categories"]] for r in results(page)}
    assert found == {
        "PASS": [],
        "FAIL": ["Non-conformity"],
        "INCONCLUSIVE": ["Inconclusive"],
        "NEEDS_OPERATOR_INPUT": ["Operator input missing"],
    }


def test_nothing_of_this_machine_stands_in_it(page: str) -> None:
    texts = [data for name, data in stored(page).items() if name.endswith((".json", ".txt", ".svg"))]
    whole = b"\n".join([page.encode(), *texts])
    assert os.getcwd().encode() not in whole
    host = socket.gethostname()
    assert not any(label["name"] in {"host", "thread"} for result in results(page) for label in result["labels"]), host


def test_what_broke_in_the_test_run_is_taken_over_but_stale_cases_are_not(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    stale = {"name": "scenario", "value": "shoe-jam-ignored"}, {"name": "clause", "value": "PR-PGP-SHOE.A.1"}
    write_json(
        folder / "allure-results" / "1-result.json",
        {"uuid": "1", "name": "stale", "status": "passed", "labels": [*stale, {"name": "verdict", "value": "PASS"}]},
    )
    write_json(
        folder / "allure-results" / "2-result.json",
        {"uuid": "2", "name": "rig.test", "status": "broken", "labels": [{"name": "host", "value": "bench-7"}],
         "attachments": [{"name": "log", "type": "text/plain", "source": "../2-attachment.txt"}]},
    )  # fmt: skip
    (folder / "allure-results" / "2-attachment.txt").write_text("port closed")
    (folder / "allure-results" / "3-result.json").write_text("{torn")
    write_json(folder / "allure-results" / "4-result.json", {"uuid": "4", "name": "played", "status": "passed"})
    into = tmp_path / "into"
    assert write_results(RunView.load(folder), into) == 5
    written = [json.loads(path.read_text()) for path in into.glob("*-result.json")]
    assert "stale" not in [result["name"] for result in written]
    (taken,) = [result for result in written if result["name"] == "rig.test"]
    assert [label["name"] for label in taken["labels"]] == ["epic", "feature"]
    assert (into / "2-attachment.txt").read_text() == "port closed"
    assert not (tmp_path / "2-attachment.txt").exists()


def test_results_of_the_same_folder_are_the_same_bytes(tmp_path: Path) -> None:
    run = RunView.load(small_run(tmp_path / "run"))
    for name in ("a", "b"):
        write_results(run, tmp_path / name)
    first, second = ({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("a", "b"))
    assert first == second


def test_the_same_run_folder_gives_the_same_page(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    first = build_allure(folder).read_bytes()
    assert build_allure(folder).read_bytes() == first


def test_hostile_texts_arrive_as_text(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    seen = jam_scenario(sketch, "s", "</script><script>alert(1)</script>")
    sketch.judge("PR-PGP-SHOE.A.1", "FAIL", "<img src=https://example.net/x.gif>\u202e", seen)
    plan = {"name": "</script><script src=https://example.net/x.js></script>", "sha256": "11" * 32}
    page = build_allure(sketch.finish(plan=plan)).read_text(encoding="utf-8")
    outside = re.sub(r"(?s)<script>.*?</script>", "", page)
    assert "example.net" not in outside.replace("&lt;", "<").replace("<title>", "").split("</title>")[1]
    policy = re.search(r"script-src ([^\"]*)", page)
    assert policy
    assert len(re.findall(r"<script>", page)) == len(policy[1].split())


def test_a_named_executable_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{EXECUTABLE_VARIABLE}=.*expected the executable of Allure 3"):
        find_allure({EXECUTABLE_VARIABLE: str(tmp_path)})


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_an_allure_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = script(tmp_path / "allure", "echo 'out of \033[31mmemory' >&2; exit 7")
    monkeypatch.setenv(EXECUTABLE_VARIABLE, str(failing))
    with pytest.raises(RigFault, match=r"exit status 7, expected 0; it said: out of <U\+001B>\[31mmemory"):
        build_allure(small_run(tmp_path / "run"))


def test_an_allure_that_makes_no_page_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXECUTABLE_VARIABLE, str(script(tmp_path / "allure", "exit 0")))
    with pytest.raises(RigFault, match="expected it to write one page"):
        build_allure(small_run(tmp_path / "run"))
    assert not (tmp_path / "run" / "allure-report.html").exists()
