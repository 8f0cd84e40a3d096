"""The Allure page as a reader meets it: opened from a file in a browser that cannot reach any network."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reports.allure_html import build_allure
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
    assert_quiet(page)


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
