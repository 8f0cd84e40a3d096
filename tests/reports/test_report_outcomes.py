"""Outcomes of clauses are those that `rules` sums up; a report shows them and never makes them better."""

import io
import json
import os
import pty
from pathlib import Path
from typing import Any, NamedTuple

import pypdf
import pytest

from reports.allure_content import describe_clause
from reports.certificate.build import build_certificate
from reports.console import print_summary
from reports.console_notes import told_of_run, told_of_signature
from reports.outcomes import outcomes_of
from reports.run_view import RunView
from reports.signed_by import SignedBy
from rules.loader import load_packs
from rules.pack import pack_digest
from rules.summary import Summary, summarise
from rules.verdicts import Outcome, Verdict
from tests.reports.report_runs import RunSketch, jam_scenario, small_run

PACK, FURTHER = load_packs(["PR-PGP-SHOE", "PR-PGP-IRR"])
STATED = {"id": PACK.id, "version": PACK.version, "sha256": pack_digest(PACK), "authority": PACK.authority}


def conforming(folder: Path, **more: Any) -> Path:
    """A run in which every clause of the pack passes in all its alternatives, as stored under the real pack."""
    sketch = RunSketch(folder)
    jam_scenario(sketch, "s", "A jam")
    for clause in PACK.clauses:
        sketch.judge(clause.id, "PASS", "As required.", alternatives=[one.id for one in clause.alternatives])
        sketch.verdicts[-1]["policies"] = {}
    return sketch.finish(packs=[STATED], overall="CONFORMS", **more)


def result(folder: Path) -> Any:
    build_certificate(folder)
    return json.loads((folder / "certificate.json").read_text())["result"]


def test_a_conforming_run_states_so(tmp_path: Path) -> None:
    folder = conforming(tmp_path / "run")
    found = result(folder)
    assert (found["overall"], found["followed"]) == ("CONFORMS", "CONFORMS")
    assert found["passed"] == len(PACK.clauses)
    assert all(outcome.verdict == "PASS" for outcome in outcomes_of(RunView.load(folder)).clauses)


def test_a_run_with_defects_switched_on_says_so(tmp_path: Path) -> None:
    folder = conforming(tmp_path / "run", defects=["software:refund_twice", "shoe:six_card_groups"])
    build_certificate(folder)
    stated = json.loads((folder / "certificate.json").read_text())
    assert stated["defects"] == ["software:refund_twice", "shoe:six_card_groups"]
    text = "".join(page.extract_text() for page in pypdf.PdfReader(folder / "certificate.pdf").pages).replace(
        "\u200b", ""
    )
    assert "DEFECTS SWITCHED ON" in text
    assert "shoe:six_card_groups" in text


def test_a_stored_result_that_the_verdicts_do_not_bear_out_is_no_result(tmp_path: Path) -> None:
    folder = conforming(tmp_path / "run")
    verdicts = json.loads((folder / "verdicts.json").read_text())
    verdicts[0]["verdict"] = "FAIL"
    (folder / "verdicts.json").write_text(json.dumps(verdicts))
    found = result(folder)
    assert (found["overall"], found["stored"], found["followed"]) == ("MISSING_RESULT", "CONFORMS", "NON_CONFORMITY")


def test_a_clause_that_nothing_judged_is_listed_and_open(tmp_path: Path) -> None:
    folder = conforming(tmp_path / "run")
    verdicts = json.loads((folder / "verdicts.json").read_text())
    dropped = verdicts.pop()
    (folder / "verdicts.json").write_text(json.dumps(verdicts))
    run = RunView.load(folder)
    (outcome,) = [one for one in outcomes_of(run).clauses if one.clause == dropped["clause"]]
    assert outcome.verdict == "NOT_TRIGGERED"
    assert result(folder)["overall"] == "MISSING_RESULT"
    assert any(dropped["clause"] in point for point in result(folder)["open_points"])


def test_an_alternative_that_was_never_triggered_is_listed(tmp_path: Path) -> None:
    clause = next(clause for clause in PACK.clauses if len(clause.alternatives) > 1)
    first, second = clause.alternatives[0].id, clause.alternatives[1].id
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge(clause.id, "PASS", "As required.", alternatives=[first])
    sketch.verdicts[-1]["policies"] = {}
    run = RunView.load(sketch.finish(packs=[STATED]))
    (outcome,) = [one for one in outcomes_of(run).clauses if one.clause == clause.id]
    told = {one.id: (one.verdict, one.scenarios) for one in outcome.alternatives}
    assert told[first] == ("PASS", ("s",))
    assert told[second] == ("NOT_TRIGGERED", ())


def test_clauses_of_a_pack_that_is_not_installed_keep_their_gravest_verdict(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge("LAB-1.A", "PASS", "")
    sketch.scenario = "t"
    sketch.judge("LAB-1.A", "INCONCLUSIVE", "The camera abstained.")
    run = RunView.load(sketch.finish(packs=[{"id": "LAB-1", "version": "1", "sha256": "00" * 32}]))
    found = outcomes_of(run)
    assert [(one.clause, one.verdict) for one in found.clauses if one.clause == "LAB-1.A"] == [
        ("LAB-1.A", "INCONCLUSIVE")
    ]
    assert found.overall == ""


def test_a_pack_that_only_judged_too_is_named_and_does_not_have_to_be_shown(tmp_path: Path) -> None:
    folder = conforming(tmp_path / "run")
    run = json.loads((folder / "run.json").read_text())
    run["packs"].append({"id": FURTHER.id, "version": FURTHER.version, "sha256": pack_digest(FURTHER)})
    (folder / "run.json").write_text(json.dumps(run))
    assert result(folder)["overall"] == "MISSING_RESULT"
    run["scenarios"][0]["also"] = [FURTHER.id]
    (folder / "run.json").write_text(json.dumps(run))
    found = result(folder)
    assert (found["overall"], found["open"], found["passed"]) == ("CONFORMS", 0, len(PACK.clauses))
    assert (found["further_packs"], found["untouched"]) == ([FURTHER.id], len(FURTHER.clauses))
    pages = pypdf.PdfReader(folder / "certificate.pdf").pages
    text = " ".join("".join(page.extract_text() for page in pages).replace("\u200b", "").split())
    assert f"were judged under {FURTHER.id}" in text
    verdicts = json.loads((folder / "verdicts.json").read_text())
    broken = {**verdicts[0], "pack": FURTHER.id, "clause": FURTHER.clauses[0].id, "verdict": "FAIL", "alternatives": []}
    (folder / "verdicts.json").write_text(json.dumps([*verdicts, broken]))
    found = result(folder)
    assert (found["overall"], found["followed"], found["failed"]) == ("MISSING_RESULT", "NON_CONFORMITY", 1)


def test_an_unknown_word_among_the_verdicts_is_never_summed_up_as_passed(tmp_path: Path) -> None:
    folder = conforming(tmp_path / "run")
    verdicts = json.loads((folder / "verdicts.json").read_text())
    verdicts[0]["verdict"] = "PASSED"
    (folder / "verdicts.json").write_text(json.dumps(verdicts))
    found = {one.clause: one.verdict for one in outcomes_of(RunView.load(folder)).clauses}
    assert found[verdicts[0]["clause"]] == "PASSED"
    assert result(folder)["passed"] == len(PACK.clauses) - 1
    assert result(folder)["overall"] != "CONFORMS"


def test_the_wording_of_the_pack_judged_with_is_shown_and_another_one_marked(tmp_path: Path) -> None:
    exact = describe_clause(RunView.load(conforming(tmp_path / "a")), "s", "PR-PGP-SHOE.A.1")
    other = describe_clause(RunView.load(small_run(tmp_path / "b")), "shoe-jam-voids", "PR-PGP-SHOE.A.1")
    meaning = next(clause for clause in PACK.clauses if clause.id == "PR-PGP-SHOE.A.1").meaning
    assert meaning["es"][:40] in exact.description_html
    assert "not the one that was judged with" not in exact.description_html
    assert "not the one that was judged with" in other.description_html


# --- the terminal ---------------------------------------------------------------------------------------------------


def verdict(clause: str, word: str, reason: str) -> Verdict:
    return Verdict(scenario="s", pack=PACK.id, clause=clause, verdict=Outcome(word), reason=reason)


def summary(reason: str) -> Summary:
    judged = [verdict(clause.id, "PASS", "As required.") for clause in PACK.clauses[1:]]
    return summarise([verdict(PACK.clauses[0].id, "FAIL", reason), *judged], [PACK], ["s"])


def plain(one: Summary, lang: str = "en") -> list[str]:
    stream = io.StringIO()
    print_summary(one, stream, lang)
    return stream.getvalue().splitlines()


def test_clauses_that_do_not_have_to_be_shown_are_told_apart() -> None:
    class Planned(NamedTuple):
        id: str = "s"
        pack: str = PACK.id
        also: tuple[str, ...] = (FURTHER.id,)
        covers: tuple[str, ...] = ()

    judged = [verdict(PACK.clauses[0].id, "PASS", "As required.")]
    last = plain(summarise(judged, [PACK, FURTHER], [Planned()]))[-1]
    shown = f"INCONCLUSIVE: 1 of {len(PACK.clauses)} clauses shown in full"
    assert last == f"{shown}, {len(FURTHER.clauses)} more judged too"


def test_the_summary_speaks_the_language_asked_for_and_keeps_the_words_of_the_files() -> None:
    exempt = [verdict(clause.id, "NOT_APPLICABLE", "No such table.") for clause in PACK.clauses[1:]]
    one = summarise([verdict(PACK.clauses[0].id, "PASS", "As required."), *exempt], [PACK], ["s", "t"])
    lines = plain(one, "es")
    assert "pendiente: El escenario t no tiene veredicto." in lines
    assert lines[-1] == f"INCONCLUSIVE: {len(PACK.clauses)} de {len(PACK.clauses)} cláusulas mostradas por completo"
    signed = SignedBy(kind="laboratory", signer="CN=Lab", time_stamp=True)
    assert told_of_signature(signed, "it") == "firmato da CN=Lab, con marca temporale"
    befell = {"clock_steps": [{"by_s": -7200.0, "record": 9}], "interruptions": [{"record": 4, "scenario": "s"}]}
    cut, clock = told_of_run(befell, "it")
    assert cut == "la prova è stata interrotta prima della registrazione 4: s è stato troncato e rigiocato"
    assert clock.startswith("l'orologio è stato messo indietro di 7200 s prima della registrazione 9")


def test_in_a_pipe_every_clause_is_one_plain_line() -> None:
    lines = plain(summary("The round was never void."))
    clauses = lines[: len(PACK.clauses)]
    assert [line.split()[0] for line in clauses] == [clause.id for clause in PACK.clauses]
    assert clauses[0].split()[1] == "FAIL"
    assert clauses[0].endswith("The round was never void.")
    assert lines[-1].startswith("NON_CONFORMITY: ")
    assert "\x1b" not in "".join(lines)


def test_a_reason_cannot_move_the_cursor_or_start_a_line_of_its_own() -> None:
    lines = plain(summary("\x1b[2J\nCONFORMS: 16 of 16 clauses shown in full"))
    assert "<U+001B>[2J<U+000A>CONFORMS" in lines[0]
    assert not [line for line in lines if line.startswith("CONFORMS")]


def test_on_a_terminal_verdicts_are_coloured_and_markup_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("NO_COLOR", raising=False)
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w", encoding="utf-8") as terminal:
        print_summary(summary("[green]not markup[/green]"), terminal)
        terminal.flush()
        shown = ""
        while "NON_CONFORMITY" not in shown:
            shown += os.read(leader, 65536).decode()
    os.close(leader)
    assert "\x1b[1;31mFAIL" in shown
    assert shown.count("[green]not markup[/green]") == 2  # in the table, and among the open points
