"""The history of a device's runs: kept as Allure 3 keeps it, shown on the page, the same however often."""

import base64
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from evidence.errors import UsageError
from reports.allure_history import RUNS_MAX, earlier, merge_history, read_history, run_uuid, write_history
from reports.allure_html import build_allure
from reports.build import build_reports
from reports.page_slim import slim
from reports.papers.laying import Papers, hand_back, lay_papers
from reports.run_view import RunView
from reports.trend import trend_svg
from tests.reports.report_runs import RunSketch, jam_scenario, small_run

CLAUSE = "PR-PGP-SHOE.A.1"


def firmware_run(folder: Path, firmware: str, verdict: str, day: int) -> Path:
    sketch = RunSketch(folder)
    sketch.judge(CLAUSE, verdict, "So it was.", jam_scenario(sketch, "jam", f"A jam under {firmware}"))
    device = {"device": "shoe", "maker": "M", "model": "S", "firmware": firmware, "firmware_sha256": "ab" * 32}
    return sketch.finish(devices=[device], finished_utc=f"2026-03-{day:02}T10:00:00Z", overall="INCONCLUSIVE")


def report(folder: Path, shared: Path) -> str:
    papers = Papers(history=shared)
    lay_papers(papers, folder)
    page = build_allure(folder).read_text(encoding="utf-8")
    hand_back(papers, folder)
    return page


@pytest.fixture(scope="module")
def told_before(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The history after one run."""
    folder = tmp_path_factory.mktemp("before")
    report(firmware_run(folder / "a", "1.0", "FAIL", 4), folder / "history.jsonl")
    return (folder / "history.jsonl").read_bytes()


@pytest.fixture
def shared(told_before: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "history.jsonl"
    path.write_bytes(told_before)
    return path


def stored(page: str, name: str) -> Any:
    found = re.search(rf'\bd\("{re.escape(name)}","([^"]*)"\)', page)
    assert found
    return json.loads(base64.b64decode(found[1]))


def test_a_shared_file_gathers_runs_and_each_page_shows_those_before(tmp_path: Path, shared: Path) -> None:
    page = report(firmware_run(tmp_path / "b", "1.1", "PASS", 5), shared)
    assert [point["name"] for point in read_history(shared)] == ["M S 1.0", "M S 1.1"]
    results = re.findall(r'd\("(data/test-results/[^"]+)"', page)
    history = [item["status"] for name in results for item in stored(page, name)["history"]]
    assert history == ["failed"]


def test_reporting_again_replaces_the_line_of_the_run_and_gives_the_same_page(tmp_path: Path, shared: Path) -> None:
    folder = firmware_run(tmp_path / "b", "1.1", "PASS", 5)
    first, lines = report(folder, shared), shared.read_bytes()
    assert report(folder, shared) == first
    assert shared.read_bytes() == lines
    assert build_allure(folder).read_text(encoding="utf-8") == first, "made from the folder alone"


def test_a_run_without_a_history_has_none(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    page = build_allure(folder).read_text(encoding="utf-8")
    assert not (folder / "history.jsonl").exists()
    assert "statusDynamics" not in page.rpartition("window.allureReportOptions")[2].partition("\n")[0]


def test_the_history_is_bounded_and_leaves_out_the_run_itself(tmp_path: Path) -> None:
    run = RunView.load(small_run(tmp_path / "run"))
    points = [{"uuid": str(n), "timestamp": n, "testResults": {}} for n in range(3 * RUNS_MAX)]
    kept = earlier([*points, {"uuid": run_uuid(run), "timestamp": 1, "testResults": {}}], run)
    assert [point["uuid"] for point in kept] == [str(n) for n in range(2 * RUNS_MAX, 3 * RUNS_MAX)]


@pytest.mark.parametrize("text", ["{torn", "[]\n", '{"uuid": 1, "timestamp": 2}\n', '{"uuid": "a"}\n', "\x00"])
def test_what_is_no_history_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "history.jsonl").write_text(text)
    with pytest.raises(UsageError, match=r"history\.jsonl: not a history file of Allure 3"):
        read_history(tmp_path / "history.jsonl")


def test_a_run_that_made_no_page_adds_nothing(tmp_path: Path) -> None:
    shared = tmp_path / "history.jsonl"
    merge_history(shared, small_run(tmp_path / "run"))
    assert not shared.exists()


def test_the_trend_names_each_firmware_under_its_bar(tmp_path: Path) -> None:
    points = [
        {"name": f"M S 1.{n}", "timestamp": 1772618400000 + n, "testResults": {"a": {"status": status}}}
        for n, status in enumerate(["failed", "passed"])
    ]
    drawing = ET.fromstring(trend_svg(points))
    texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text and text.startswith("M S")] == ["M S 1.0", "M S 1.1"]
    colours = [rect.get("fill") for rect in drawing.iter("{http://www.w3.org/2000/svg}rect")][1:]
    assert colours == ["#b3202a", "#2a7148"]


def test_a_hostile_history_is_drawn_as_text() -> None:
    hostile = {"name": "</text><script>alert(1)</script>\u202e", "timestamp": 10**30, "testResults": {"a": 3}}
    drawing = ET.fromstring(trend_svg([hostile, {"name": None, "testResults": []}]))
    assert not list(drawing.iter("{http://www.w3.org/2000/svg}script"))


def test_known_non_conformities_stay_failed_and_stand_in_a_category_of_their_own(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "known-nonconformities.toml").write_text(
        f'[[known]]\nclause = "{CLAUSE}"\nuntil = 2026-12-31\nwhy = "<b>so</b>"\n'
    )
    page = build_allure(folder).read_text(encoding="utf-8")
    results = [stored(page, name) for name in re.findall(r'd\("(data/test-results/[^"]+)"', page)]
    (failed,) = [result for result in results if result["status"] == "failed"]
    assert [category["name"] for category in failed["categories"]] == ["Non-conformity, known"]
    assert {"name": "tag", "value": "known until 2026-12-31"} in failed["labels"]
    assert "&lt;b&gt;so&lt;/b&gt;" in failed["descriptionHtml"]


def test_the_page_speaks_the_language_asked_for(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    assert build_reports(folder, "it").troubles == ()
    page = (folder / "allure-report.html").read_text(encoding="utf-8")
    names = [stored(page, name)["steps"][0]["name"] for name in re.findall(r'd\("(data/test-results/[^"]+)"', page)]
    assert all(name.startswith("Iniettare: ") for name in names)
    assert '"reportLanguage":"it"' in page


def test_what_stands_twice_in_a_page_is_kept_once_and_in_order() -> None:
    long, other = base64.b64encode(b"x" * 600).decode(), base64.b64encode(b"y" * 600).decode()
    page = f'[d("a","{long}"),d("b","{other}"),d("c","{long}"),d("e","YQ=="),d("f","YQ==")]'
    assert slim(page) == (
        f'[d("a","{long}"),d("b","{other}"),d("c",window.allureReportData["a"]),d("e","YQ=="),d("f","YQ==")]'
    )


def test_a_history_is_written_whole_and_reads_back(tmp_path: Path) -> None:
    points = [{"uuid": "b", "timestamp": 2}, {"uuid": "a", "timestamp": 1}]
    write_history(tmp_path / "h", points)
    assert [point["uuid"] for point in read_history(tmp_path / "h")] == ["a", "b"]
