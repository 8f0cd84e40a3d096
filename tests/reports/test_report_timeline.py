"""The drawing of a scenario: evidence stands out, and no text of a device becomes markup."""

import itertools
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence import events as e
from evidence.events import Record
from reports.run_view import RunView
from reports.timeline import MAX_MARKS, timeline_svg
from reports.transcript import MAX_LINES, transcript_excerpt
from tests.reports.report_runs import small_run

SVG = "{http://www.w3.org/2000/svg}"


def record(seq: int, event: e.AnyEvent, source: str = "device:shoe") -> Record:
    return Record(
        seq=seq, mono_ns=seq * 10_000_000, utc="2026-03-04T10:00:00.000000Z", source=source, scenario="s", event=event
    )


def status(state: str = "idle") -> e.DeviceStatus:
    return e.DeviceStatus(device="shoe", state=state)  # type: ignore[arg-type]


def titles(svg: bytes) -> list[str]:
    return [title.text or "" for title in ET.fromstring(svg).iter(f"{SVG}title")]


def test_each_event_stands_in_the_lane_of_who_told_it(tmp_path: Path) -> None:
    run = RunView.load(small_run(tmp_path / "run"))
    svg = timeline_svg(run.records.of_scenario("shoe-jam-voids"), {4, 7})
    drawing = ET.fromstring(svg)
    lanes = [text.text for text in drawing.iter(f"{SVG}text") if text.get("text-anchor") == "end"]
    assert [lane for lane in lanes if lane != "whole scenario"] == [
        "bench", "device", "instruments", "camera", "table software", "dealer, players",
    ]  # fmt: skip
    (look,) = [mark for mark in drawing.iter(f"{SVG}circle") if (mark[0].text or "").startswith("#7 camera:top")]
    camera = next(text for text in drawing.iter(f"{SVG}text") if text.text == "camera")
    assert float(look.attrib["cy"]) == pytest.approx(float(camera.attrib["y"]) - 4)


def test_evidence_carries_its_number_and_later_events_stand_further_right(tmp_path: Path) -> None:
    run = RunView.load(small_run(tmp_path / "run"))
    drawing = ET.fromstring(timeline_svg(run.records.of_scenario("shoe-jam-voids"), {7, 8}))
    numbers = {
        text.text: float(text.attrib["x"]) for text in drawing.iter(f"{SVG}text") if (text.text or "").startswith("#")
    }
    assert set(numbers) == {"#7 shoe_mouth: 4", "#8 void_round"}
    assert numbers["#7 shoe_mouth: 4"] < numbers["#8 void_round"]


def test_the_part_around_the_evidence_is_enlarged_below_the_whole_scenario() -> None:
    records = [record(seq, status()) for seq in range(200)]
    drawing = ET.fromstring(timeline_svg(records, {100, 104}))
    texts = [text.text for text in drawing.iter(f"{SVG}text")]
    assert "whole scenario" in texts
    axis = [float(text[:-2]) for text in texts if text and text.endswith(" s")]
    assert 0.9 < min(axis) <= 1.0
    assert 1.04 <= max(axis) < 1.1


def test_evidence_all_over_a_scenario_is_drawn_once_and_whole() -> None:
    records = [record(seq, status()) for seq in range(200)]
    assert b"whole scenario" not in timeline_svg(records, {0, 199})


@given(st.sets(st.integers(0, 199), max_size=60))
def test_no_label_lies_on_another_of_its_row(evidence: set[int]) -> None:
    drawing = ET.fromstring(timeline_svg([record(seq, status()) for seq in range(200)], evidence))
    rows: dict[str, list[tuple[float, float]]] = {}
    for text in drawing.iter(f"{SVG}text"):
        if (text.text or "").startswith("#"):
            half = len(text.text or "") * 5.5 / 2
            middle = float(text.attrib["x"])
            rows.setdefault(text.attrib["y"], []).append((middle - half, middle + half))
    for spans in rows.values():
        spans.sort()
        assert all(left[1] <= right[0] for left, right in itertools.pairwise(spans))


@pytest.mark.parametrize(("lang", "lane"), [("es", "programa de mesa"), ("it", "software da tavolo")])
def test_the_drawing_speaks_other_languages(lang: str, lane: str) -> None:
    assert lane in timeline_svg([record(0, status())], {0}, lang).decode()


def test_link_bytes_are_left_to_the_transcript(tmp_path: Path) -> None:
    run = RunView.load(small_run(tmp_path / "run"))
    assert not [title for title in titles(timeline_svg(run.records.of_scenario("shoe-jam-voids"), {})) if "tx" in title]


def test_a_hostile_device_name_is_text() -> None:
    event = e.DeviceFault(device="</title><script>alert(1)</script>\u202e", code="&", symptom="jam")
    (title,) = titles(timeline_svg([record(0, event)], {0}))
    assert "</title><script>alert(1)</script><U+202E> claims a fault: jam, code &" in title


def test_a_crowded_scenario_keeps_its_evidence() -> None:
    records = [record(seq, status()) for seq in range(5000)]
    svg = timeline_svg(records, {4321})
    assert b"#4321" in svg
    assert 1 < svg.count(b"v12") <= MAX_MARKS
    assert len(svg) < 20_000


def test_a_scenario_without_records_says_so() -> None:
    assert b"the journal holds no event of this scenario" in timeline_svg([], {1})
    assert "no record of this scenario" in transcript_excerpt([], {1})


def test_the_excerpt_keeps_the_evidence_and_says_what_it_leaves_out() -> None:
    records = [record(seq, status()) for seq in range(1000)]
    lines = transcript_excerpt(records, {500}, around=2).splitlines()
    assert [line.split()[0 if not line.startswith(">") else 1] for line in lines[1:-1]] == [
        "498",
        "499",
        "500",
        "501",
        "502",
    ]
    assert lines[0].strip() == "… 498 records …"
    assert lines[-1].strip() == "… 497 records …"


def test_an_excerpt_around_very_much_evidence_is_bounded() -> None:
    records = [record(seq, status()) for seq in range(1000)]
    told = [
        line for line in transcript_excerpt(records, set(range(1000))).splitlines() if not line.strip().startswith("…")
    ]
    assert len(told) == MAX_LINES
