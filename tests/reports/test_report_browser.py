"""The Allure page as a reader meets it: opened from a file in a browser that cannot reach any network."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence import events as e
from reports.allure_html import build_allure
from reports.papers.laying import Papers, hand_back, lay_papers
from tests.reports.chromium_page import Page, open_page
from tests.reports.report_runs import RunSketch, jam_scenario, small_run

pytestmark = pytest.mark.browser

SEES_IMAGE = """[...document.images].some(i => i.complete && i.naturalWidth === 640 && i.naturalHeight === 360)"""
SEES_DRAWING = """[...document.images].some(i => i.complete && i.naturalWidth === 960)"""

DESCRIPTION = (
    "document.querySelector('iframe')?.contentDocument?.querySelector('table')?.innerText.includes('Scenario')"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_allure(small_run(tmp_path_factory.mktemp("browser") / "run"))


@pytest.fixture
def page(report: Path, tmp_path: Path) -> Iterator[Page]:
    with open_page(report.as_uri(), tmp_path / "profile") as page:
        page.wait_for_text("Puerto Rico Gaming Commission")
        yield page


def assert_quiet(page: Page) -> None:
    """Nothing was asked of anybody, and the page's policy stopped nothing that it needs."""
    assert [address for address in page.asked if not address.startswith(("file:", "data:", "blob:"))] == []
    assert page.complaints == []


def test_the_tree_shows_authority_pack_clause_and_scenario(page: Page) -> None:
    lines = page.text().splitlines()
    order = ["Puerto Rico Gaming Commission", "PR-PGP-SHOE", "PR-PGP-SHOE.A.1"]
    places = [next(n for n, line in enumerate(lines) if line.startswith(text)) for text in order]
    assert places == sorted(places)
    assert any("Shoe jams in group 3 and dealing goes on" in line for line in lines)
    assert_quiet(page)


def test_a_failed_clause_opens_and_shows_why_with_its_picture(page: Page) -> None:
    page.click_text("Shoe jams in group 3 and dealing goes on")
    page.wait_for_text("FAIL: After the jam the next delivery was ordered; the round was never void.")
    page.wait_for_text("Inject: card_stuck_on_exit on shoe, proven")
    page.wait_for(DESCRIPTION)
    page.click_text("Observe:")
    page.click_text("#18 camera sees at shoe_mouth: 4 cards")
    page.wait_for(SEES_IMAGE)
    page.click_text("Timeline of the scenario")
    page.wait_for(SEES_DRAWING)
    page.click_text("Transcript around the evidence")
    page.wait_for_text("tx 7e0412000103a5c17e")
    page.click_text("Text of the clause")
    page.wait_for_text("[es]")
    assert_quiet(page)


SEES_ANIMATION = """[...document.images].some(i => i.complete && i.naturalWidth === 240 && i.naturalHeight === 180)"""


@pytest.fixture(scope="module")
def second_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the newer of two firmwares, in which a known non-conformity failed again; the older one passed."""
    folder, shared = tmp_path_factory.mktemp("second"), tmp_path_factory.mktemp("shared") / "history.jsonl"
    for firmware, verdict in (("1.0", "PASS"), ("1.1", "FAIL")):
        sketch = RunSketch(folder / firmware)
        seen = jam_scenario(sketch, "jam", "A jam seen twice")
        look = e.CardsSeen(place="seat/1", count=2, frame=sketch.frame())
        seen.append(sketch.add("camera:top", look))
        sketch.judge("PR-PGP-SHOE.A.1", verdict, "So it was.", seen)
        device = {"device": "shoe", "maker": "M", "model": "S", "firmware": firmware}
        run = sketch.finish(devices=[device], overall="INCONCLUSIVE", finished_utc=f"2026-03-0{firmware[-1]}T10:00:00Z")
        known = '[[known]]\nclause = "PR-PGP-SHOE.A.1"\nuntil = 2026-12-31\nwhy = "being mended"\n'
        (run / "known-nonconformities.toml").write_text(known)
        lab = '[[official_text]]\npack = "PR-PGP-SHOE"\nurl = "https://authority.example/text"\n'
        (run / "laboratory.toml").write_text(lab)
        papers = Papers(history=shared)
        lay_papers(papers, run)
        page = build_allure(run)
        hand_back(papers, run)
    return page


def test_animation_history_trend_and_known_non_conformities_are_seen(second_run: Path, tmp_path: Path) -> None:
    with open_page(second_run.as_uri(), tmp_path / "profile") as page:
        page.click_text("A jam seen twice")
        page.wait_for_text("Verdict: FAIL")
        page.wait_for_text("Non-conformity, known")
        page.click_text("Animation of the scenario")
        page.wait_for(SEES_ANIMATION)
        page.wait_for("document.querySelector('a[href=\"https://authority.example/text\"]') !== null")
        page.click_text("History")
        page.wait_for_text("3/1/2026")
        assert_quiet(page)
    with open_page(second_run.as_uri(), tmp_path / "other") as page:
        page.wait_for_text("Global Attachments")
        page.click_text("Global Attachments")
        page.click_text("Trend by firmware.svg")
        page.wait_for(SEES_DRAWING)
        assert_quiet(page)


def test_a_picture_that_two_cases_share_is_seen_in_both(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    seen = jam_scenario(sketch, "jam", "A jam")
    sketch.judge("PR-PGP-SHOE.A.1", "FAIL", "The first.", seen)
    sketch.judge("PR-PGP-SHOE.B", "FAIL", "The second.", seen)
    report = build_allure(sketch.finish())
    for number, title in enumerate(("PR-PGP-SHOE.A.1: A jam", "PR-PGP-SHOE.B: A jam")):
        with open_page(report.as_uri(), tmp_path / f"profile-{number}") as page:
            page.click_text(title)
            page.wait_for_text("Verdict: FAIL")
            page.click_text("Observe:")
            page.click_text("#7 camera sees at shoe_mouth: 4 cards")
            page.wait_for(SEES_IMAGE)


def test_search_finds_a_scenario_and_leaves_the_others_out(page: Page) -> None:
    page.type_into("input", "dealing goes on")
    page.wait_for("!document.body.innerText.includes('Shoe should jam')")
    assert "Shoe jams in group 3 and dealing goes on" in page.text()
    assert_quiet(page)


def test_hostile_names_run_nothing_and_load_nothing(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    seen = jam_scenario(sketch, "s", '<img src=https://example.net/x onerror="window.owned=1">\u202etxet')
    sketch.judge("PR-PGP-SHOE.A.1", "FAIL", "</script><script>window.owned=1</script><svg onload=window.owned=1>", seen)
    device = {"device": "shoe", "maker": "<iframe src=https://example.net>", "firmware": "javascript:window.owned=1"}
    plan = {"name": "</title><script>window.owned=1</script>", "sha256": "11" * 32}
    report = build_allure(sketch.finish(devices=[device], plan=plan))
    with open_page(report.as_uri(), tmp_path / "profile") as page:
        page.wait_for_text("Puerto Rico Gaming Commission")
        page.click_text("<U+202E>txet")
        page.wait_for_text("Verdict: FAIL")
        page.wait_for(DESCRIPTION)
        assert page.run("window.owned === undefined")
        assert "<U+202E>txet" in page.text()
        assert_quiet(page)


def test_the_policy_stops_a_script_that_was_smuggled_in(report: Path, tmp_path: Path) -> None:
    """The policy itself, not only the escaping: the same page with a script put into it by hand."""
    smuggled = tmp_path / "smuggled.html"
    page_text = report.read_text(encoding="utf-8")
    smuggled.write_text(page_text.replace("<body>", "<body><script>window.owned=1</script>", 1), encoding="utf-8")
    with open_page(smuggled.as_uri(), tmp_path / "profile") as page:
        page.wait_for_text("Puerto Rico Gaming Commission")
        assert page.run("window.owned === undefined")
        assert any("Content Security Policy" in complaint for complaint in page.complaints)
