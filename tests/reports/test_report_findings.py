"""A non-conformity has a page with all that shows it; the laboratory's words stand where ISO/IEC 17025 wants them."""

import json
import re
from pathlib import Path
from typing import Any

import pypdf
import pytest
from pypdf.generic import StreamObject

from reports.certificate.build import build_certificate
from tests.reports.report_runs import RunSketch, jam_scenario, small_run

CLAUSE = "PR-PGP-SHOE.A.1"
KNOWN = '[[known]]\nclause = "PR-PGP-SHOE.A.1"\nuntil = {until}\nwhy = "mended in 2.5"\nreference = "EX-7"\n'


def text_of(path: Path) -> str:
    joined = " ".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    return re.sub(r"\s+", " ", joined.replace("\u200b", ""))


def data_of(folder: Path) -> Any:
    return json.loads((folder / "certificate.json").read_text(encoding="utf-8"))


def page_of(folder: Path, words: str) -> str:
    pages = [page.extract_text().replace("\u200b", "") for page in pypdf.PdfReader(folder / "certificate.pdf").pages]
    (found,) = [page for page in pages if words in page]
    return re.sub(r"\s+", " ", found)


def test_a_failure_has_a_page_of_its_own_with_sentence_drawing_picture_and_excerpt(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    build_certificate(folder)
    page = page_of(folder, "Excerpt of the record")
    assert page.index("NC-1 · PR-PGP-SHOE.A.1") < page.index("After the jam the next delivery was ordered")
    assert all(lane in page for lane in ("bench", "device", "camera", "table software", "dealer, players"))
    assert "#18 shoe_mouth: 4" in page
    assert "#18 camera sees at shoe_mouth: 4 cards" in page
    assert "shoe tx 7e0412000103a5c17e" in page


def test_the_page_carries_the_annotated_picture(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    pdf = pypdf.PdfReader(build_certificate(folder))
    streams = [thing for number in range(1, len(pdf.xref[0])) if (thing := pdf.get_object(number)) is not None]
    pictures = [one._data for one in streams if isinstance(one, StreamObject) and one.get("/Filter") == "/DCTDecode"]
    (sha256,) = [picture["sha256"] for finding in data_of(folder)["nonconformities"] for picture in finding["pictures"]]
    assert (folder / "journal" / "attachments" / f"{sha256}.annotated.jpg").read_bytes() in pictures


def test_a_picture_that_is_gone_is_told_as_missing_on_the_page(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    for picture in (folder / "journal" / "attachments").iterdir():
        picture.unlink()
    build_certificate(folder)
    assert "Picture missing" in page_of(folder, "Excerpt of the record")


def test_passes_have_no_page(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    sketch.judge(CLAUSE, "PASS", "All well.", jam_scenario(sketch, "s", "A jam"))
    text = text_of(build_certificate(sketch.finish(overall="CONFORMS")))
    assert "Excerpt of the record" not in text
    assert "No clause was shown to be broken" in text


@pytest.mark.parametrize(
    ("until", "state", "printed"),
    [
        ("2026-03-04", "known", "Known until 2026-03-04; a non-conformity all the same."),
        ("2026-03-03", "expired", "Was known until 2026-03-03: that day has passed."),
    ],
)
def test_a_known_non_conformity_is_marked_and_stays_one(tmp_path: Path, until: str, state: str, printed: str) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "known-nonconformities.toml").write_text(KNOWN.format(until=until))
    text = text_of(build_certificate(folder))
    assert printed in text
    assert "EX-7" in text
    data = data_of(folder)
    assert data["result"]["overall"] == "NON_CONFORMITY"
    assert [finding["known"]["state"] for finding in data["nonconformities"]] == [state]


def test_what_the_laboratory_says_is_printed(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "laboratory.toml").write_text(
        """
        report_number = "EX-42"
        issued = 2026-03-06
        from_customer = ["The approval record."]
        decision_rule = "As agreed on 1 March."
        [laboratory]
        name = "Example Laboratory"
        address = "1 Street"
        [customer]
        name = "Example Customer"
        [[item]]
        device = "shoe"
        received = 2026-03-01
        condition = "Seal broken"
        [[condition]]
        quantity = "Temperature"
        value = "22.4 °C"
        [[departure]]
        what = "Cover removed."
        [[opinion]]
        text = "A wider exit would help."
        by = "A. Tester"
        [[authorised_by]]
        name = "B. Head"
        function = "Head of laboratory"
        [replaces]
        number = "EX-41"
        what_changed = "Serial number."
        """
    )
    text = text_of(build_certificate(folder))
    for stated in (
        "Report EX-42", "Example Laboratory", "1 Street", "Example Customer", "2026-03-06", "2026-03-01", "Seal broken",
        "22.4 °C", "Cover removed.", "A wider exit would help.", "What stands here is opinion", "B. Head, Head of",
        "EX-41: Serial number.", "As agreed on 1 March.", "The approval record.",
    ):  # fmt: skip
        assert stated in text, stated


def test_what_nobody_states_is_shown_as_missing_and_the_evidence_gives_the_number(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    text = text_of(build_certificate(folder))
    assert re.search(r"Issued on MISSING", text)
    assert re.search(r"Authorised by MISSING", text)
    assert re.search(r"Customer MISSING", text)
    data = data_of(folder)
    assert data["report"]["number"] == data["reference"]
    assert not data["report"]["numbered_by_laboratory"]


def test_a_run_that_was_taken_up_again_says_so(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    for _ in range(2):
        sketch.begin()
        sketch.judge(CLAUSE, "PASS", "All well.", jam_scenario(sketch, "s", "A jam"))
    sketch.verdicts, sketch.scenarios = sketch.verdicts[:1], sketch.scenarios[:1]
    folder = sketch.finish()
    text = text_of(build_certificate(folder))
    assert "The run was broken off and taken up again (1 times)" in text
    assert "Scenario s was begun 2 times" in text


def test_the_data_are_embedded_as_they_stand_beside_the_certificate(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    pdf = pypdf.PdfReader(build_certificate(folder))
    assert pdf.attachments["certificate.json"] == [(folder / "certificate.json").read_bytes()]


def test_each_cell_of_the_matrix_is_a_clause_with_its_verdict(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    build_certificate(folder)
    (row,) = data_of(folder)["matrix"]
    assert row["pack"] == "PR-PGP-SHOE"
    by_short = {clause["short"]: clause["verdict"] for clause in row["clauses"]}
    assert by_short["A.1"] == "FAIL"
    assert by_short["B"] == "NEEDS_OPERATOR_INPUT"
    assert sum(row["verdicts"].values()) == len(row["clauses"])
