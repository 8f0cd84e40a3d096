"""What one Allure test tells of a clause: what was injected, seen, demanded and found, and what is missing."""

from pathlib import Path

import pytest

from evidence import events as e
from evidence.errors import EvidenceDamaged, UsageError
from reports.allure_content import ClauseStory, describe_clause, status_of
from reports.run_view import RunView
from reports.unjudged import told_cases
from tests.reports.report_runs import RunSketch, jam_scenario, small_run, write_json

CLAUSE = "PR-PGP-SHOE.A.1"


@pytest.fixture
def run(tmp_path: Path) -> RunView:
    return RunView.load(small_run(tmp_path / "run"))


def step(story: ClauseStory, word: str) -> str:
    """The name, details and attachment names of the step whose name starts with `word`, as text."""
    (found,) = (one for one in story.steps if one.name.startswith(word))
    return "\n".join([f"[{found.status}] {found.name}", *found.detail, *(paper.name for paper in found.attachments)])


def test_the_steps_read_inject_observe_obligation_verdict(run: RunView) -> None:
    story = describe_clause(run, "shoe-jam-ignored", CLAUSE)
    assert [one.name.partition(":")[0] for one in story.steps] == ["Inject", "Observe", "Obligation", "Verdict"]
    assert "[passed] Inject: card_stuck_on_exit on shoe, proven" in step(story, "Inject")
    assert "camera sees at shoe_mouth: 4 cards" in step(story, "Observe")
    assert "table software orders deliver" in step(story, "Obligation")
    assert "FAIL. After the jam the next delivery was ordered" in step(story, "Verdict")
    assert story.status == "failed"
    assert story.severity == "critical"


def test_the_annotated_picture_of_the_evidence_is_attached(run: RunView) -> None:
    story = describe_clause(run, "shoe-jam-voids", CLAUSE)
    (picture,) = story.steps[1].attachments
    assert picture.mime == "image/jpeg"
    seqs = run.rows("shoe-jam-voids", CLAUSE)[0].evidence
    frames = [str(getattr(record.event, "frame", "")) for seq in seqs if (record := run.records.get(seq))]
    (sha256,) = [frame for frame in frames if frame]
    assert picture.data == (run.folder / "journal" / "attachments" / f"{sha256}.annotated.jpg").read_bytes()


def test_the_transcript_shows_link_bytes_and_marks_the_evidence(run: RunView) -> None:
    papers = {paper.name: paper for paper in describe_clause(run, "shoe-jam-voids", CLAUSE).steps[3].attachments}
    lines = papers["Transcript around the evidence"].data.decode().splitlines()
    assert any("tx 7e0412000103a5c17e" in line and not line.startswith(">") for line in lines)
    assert any("shoe claims a fault: jam, code E31" in line and line.startswith(">") for line in lines)


def test_a_fault_that_was_not_proven_breaks_the_inject_step(run: RunView) -> None:
    story = describe_clause(run, "shoe-jam-unproven", CLAUSE)
    assert "[broken] Inject: card_stuck_on_exit on shoe, not proven to have happened" in step(story, "Inject")
    assert story.status == "broken"


def test_pictures_beyond_what_a_page_can_bear_are_counted(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    looks = [
        sketch.add("camera:top", e.CardsSeen(place="burn", count=number, frame=sketch.frame()))
        for number in range(1, 7)
    ]
    looks.append(sketch.add("camera:top", e.CardsSeen(place="dealer", count=0, frame=sketch.frame())))
    sketch.judge(CLAUSE, "PASS", "", looks)
    story = describe_clause(RunView.load(sketch.finish()), "s", CLAUSE)
    assert len(story.steps[1].attachments) == 6
    assert "… 1 more picture in the journal" in step(story, "Observe")


def test_one_proof_does_not_prove_two_faults(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.add("bench:faults", e.FaultArmed(fault="card_stuck_on_exit", target="shoe", params={"group": 5}))
    sketch.judge(CLAUSE, "PASS", "")
    story = describe_clause(RunView.load(sketch.finish()), "s", CLAUSE)
    assert "[broken] Inject: card_stuck_on_exit on shoe, not proven to have happened" in step(story, "Inject")


def test_every_story_of_a_run_has_an_execution_of_its_own(run: RunView) -> None:
    executions = [describe_clause(run, *case).execution for case in run.cases()]
    assert len(set(executions)) == len(executions) == 5


def test_a_record_that_the_verdict_names_but_the_journal_lacks_is_told(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge(CLAUSE, "PASS", "All well.", [4, 9999])
    story = describe_clause(RunView.load(sketch.finish()), "s", CLAUSE)
    assert "[broken] Observe: 2 records of evidence, 1 missing from the journal" in step(story, "Observe")
    assert "#9999: MISSING, the journal holds no such record" in step(story, "Observe")


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda picture: picture.unlink(), "is missing from the journal"),
        (lambda picture: picture.write_bytes(b"\xff\xd8 not the same"), "is damaged"),
    ],
)
def test_a_missing_or_altered_picture_is_told_and_not_shown(run: RunView, damage, told: str) -> None:  # type: ignore[no-untyped-def]
    for picture in (run.folder / "journal" / "attachments").iterdir():
        if "annotated" not in picture.name:
            damage(picture)
    story = describe_clause(run, "shoe-jam-voids", CLAUSE)
    assert story.steps[1].attachments == ()
    assert told in step(story, "Observe")


def test_a_case_without_a_verdict_is_told_as_missing_and_never_passes(run: RunView) -> None:
    story = describe_clause(run, "shoe-jam-voids", "PR-PGP-SHOE.Z")
    assert (story.verdict, story.status) == ("MISSING", "broken")
    assert "No verdict on this clause" in story.reason


@pytest.mark.parametrize("word", ["pass", "PASSED", "OK", "", "PASS "])
def test_a_word_that_is_no_verdict_of_ours_never_shows_as_passed(word: str) -> None:
    assert status_of(word) == "broken"


def test_several_requirements_of_a_clause_show_the_gravest(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge(CLAUSE, "PASS", "The round was void.", requirement="void")
    sketch.judge(CLAUSE, "FAIL", "The cards were not reshuffled.", requirement="reshuffle")
    story = describe_clause(RunView.load(sketch.finish()), "s", CLAUSE)
    assert (story.verdict, story.reason) == ("FAIL", "The cards were not reshuffled.")
    assert "reshuffle: FAIL" in step(story, "Obligation")
    assert "void: PASS" in step(story, "Obligation")


def test_hostile_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    seen = jam_scenario(sketch, "s", "<img src=x onerror=alert(1)>\u202eevil")
    sketch.judge(CLAUSE, "FAIL", "</script><script>alert(1)</script>\x00" + "x" * 10_000, seen)
    device = {"device": "<b>", "maker": "\u202eEvil", "model": "<script>", "firmware": "\x1b[2J"}
    run = RunView.load(sketch.finish(devices=[device]))
    story = describe_clause(run, "s", CLAUSE)
    assert "<script" not in story.description_html
    assert "<U+202E>evil" in story.title
    assert ("firmware", "<U+001B>[2J") in story.labels
    assert len(story.reason) < 4200
    assert all(len(one.name) < 1000 for one in story.steps)


def test_the_wording_of_a_pack_that_is_not_installed_is_told_as_missing(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge("LAB-1.A", "PASS", "All well.")
    story = describe_clause(RunView.load(sketch.finish(packs=[])), "s", "LAB-1.A")
    assert "not at hand" in story.description_html
    assert story.authority == "authority not stated"


def test_only_what_a_scenario_covers_or_what_went_wrong_is_told(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge(CLAUSE, "PASS", "")
    sketch.judge("PR-PGP-SHOE.B", "NOT_TRIGGERED", "")
    sketch.judge("PR-PGP-SHOE.C", "FAIL", "")
    sketch.scenarios.append({"id": "t", "title": "Never run", "covers": ["PR-PGP-SHOE.D:jam"], "status": "not run"})
    jam_scenario(sketch, "plain", "Covers nothing")
    sketch.scenarios[-1]["covers"] = []
    sketch.judge(CLAUSE, "NOT_TRIGGERED", "")
    run = RunView.load(sketch.finish())
    assert told_cases(run) == (("s", CLAUSE), ("s", "PR-PGP-SHOE.C"), ("t", "PR-PGP-SHOE.D"))


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found none of them"):
        RunView.load(tmp_path)
    with pytest.raises(UsageError, match="expected a run folder, found none"):
        RunView.load(tmp_path / "nowhere")


def test_parts_that_are_missing_are_named(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "verdicts.json").unlink()
    assert RunView.load(folder).missing == ("verdicts.json",)


def test_verdicts_that_are_no_verdicts_are_refused(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    write_json(folder / "verdicts.json", [{"clause": "x"}])
    with pytest.raises(UsageError, match=r"verdicts\.json: .*scenario"):
        RunView.load(folder)


def test_nothing_is_told_of_a_damaged_journal(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    journal = folder / "journal" / "events.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"E31", b"E32", 1))
    with pytest.raises(EvidenceDamaged):
        RunView.load(folder)
