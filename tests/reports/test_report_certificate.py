"""The certificate states what the run folder holds, in print and for machines, and is the same each time."""

import json
import re
from pathlib import Path
from typing import Any

import pypdf
import pytest

from evidence import events as e
from evidence.errors import UsageError
from reports.certificate.build import build_certificate
from tests.reports.report_runs import RunSketch, jam_scenario, small_run

SENSITIVITY: list[dict[str, Any]] = [
    {"clause": "PR-PGP-SHOE.A.1", "requirement": "void", "compliant": "PASS",
     "defects": [{"name": "software.void_not_ordered", "verdict": "FAIL", "also_failed": ["PR-PGP-SHOE.B"]},
                 {"name": "shoe.lying", "verdict": "PASS", "also_failed": []},
                 {"name": "software.too_much", "verdict": "FAIL", "also_failed": ["PR-PGP-SHOE.F"],
                  "undeclared": ["PR-PGP-SHOE.F/wagered_stays"]}]},
    {"clause": "PR-PGP-SHOE.C", "requirement": "", "compliant": "NOT_TRIGGERED", "defects": []},
]  # fmt: skip


def text_of(path: Path) -> str:
    """All text of a PDF with breaks and spaces evened out."""
    joined = " ".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    return re.sub(r"\s+", " ", joined.replace("\u200b", ""))


def data_of(folder: Path) -> Any:
    return json.loads((folder / "certificate.json").read_text(encoding="utf-8"))


def test_the_first_page_states_the_result_and_that_nothing_is_signed(tmp_path: Path) -> None:
    pdf = pypdf.PdfReader(build_certificate(small_run(tmp_path / "run")))
    first = re.sub(r"\s+", " ", pdf.pages[0].extract_text())
    assert "Does not conform" in first
    assert "NOT SIGNED" in first
    assert first.index("Does not conform") < first.index("Laboratory") < first.index("Contents")


def test_every_page_is_numbered_and_says_that_nothing_is_signed_and_the_last_ends_the_certificate(
    tmp_path: Path,
) -> None:
    pages = [page.extract_text() for page in pypdf.PdfReader(build_certificate(small_run(tmp_path / "run"))).pages]
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page
        assert "NOT SIGNED" in page
    assert "End of certificate" in pages[-1]


def test_identities_and_digests_are_printed_in_full(tmp_path: Path) -> None:
    text = text_of(build_certificate(small_run(tmp_path / "run")))
    for stated in (
        "Example Makers",
        "S-7",
        "0042",
        "2.4.1",
        "Example Tables",
        "Croupier",
        "9.1",
        "foundation",
        "emulated",
    ):
        assert stated in text
    for digest in ("ab" * 32, "cd" * 32, "ef" * 32, "11" * 32, "22" * 32):
        assert digest in text.replace(" ", "")


def test_faults_are_listed_with_their_proof(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    text = text_of(build_certificate(folder))
    assert "exit sensor held for 1.2 s (records #5)" in text
    assert "NOT PROVEN: no sensor saw it" in text
    faults = data_of(folder)["faults"]
    assert [fault["proven"] for fault in faults] == [True, True, False]


def test_the_same_fault_armed_twice_needs_two_proofs(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    sketch.scenario = "s"
    for card in (1, 2, 3):
        sketch.add("bench:faults", e.FaultArmed(fault="card_face_up", target="pack", params={"card": card}))
    proof = e.FaultProven(
        fault="card_face_up", target="pack", symptom="card_face_up", by=[0], means="the camera saw it"
    )
    for _ in range(2):
        sketch.add("bench:faults", proof)
    folder = sketch.finish()
    build_certificate(folder)
    faults = data_of(folder)["faults"]
    assert [(fault["params"]["card"], fault["proven"]) for fault in faults] == [(1, True), (2, True), (3, False)]


def test_the_sensitivity_matrix_says_what_was_caught_and_what_was_not(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    sketch.judge("PR-PGP-SHOE.A.1", "PASS", "All well.")
    folder = sketch.finish(SENSITIVITY)
    text = text_of(build_certificate(folder))
    assert "software.void_not_ordered" in text.replace(" ", "")
    assert "NOT CAUGHT" in text
    assert "no defect declared" in text
    assert [row["caught"] for row in data_of(folder)["sensitivity"]] == [True, False, False, False]


def test_a_missing_matrix_is_told(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    assert "No sensitivity matrix stands in the run folder" in text_of(build_certificate(folder))
    assert data_of(folder)["sensitivity"] is None


def test_missing_parts_and_facts_are_shown_as_missing(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "run.json").write_text("{}")
    (folder / "verdicts.json").unlink()
    text = text_of(build_certificate(folder))
    assert "No overall result" in text
    assert "Missing from the run folder" in text
    assert "verdicts.json" in text
    assert "MISSING" in text
    assert "Conforms" not in text


@pytest.mark.parametrize("overall", ["conforms", "PASS", "", None, "CONFORMS "])
def test_an_overall_result_that_is_none_of_ours_is_no_result(tmp_path: Path, overall: str | None) -> None:
    sketch = RunSketch(tmp_path / "run")
    folder = sketch.finish(overall=overall)
    build_certificate(folder)
    assert data_of(folder)["result"]["overall"] == "MISSING_RESULT"


def test_the_same_run_folder_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    first = build_certificate(folder).read_bytes(), (folder / "certificate.json").read_bytes()
    second = build_certificate(folder).read_bytes(), (folder / "certificate.json").read_bytes()
    assert first == second


def test_it_is_dated_by_the_run_and_claims_pdf_a_and_ua(tmp_path: Path) -> None:
    pdf = pypdf.PdfReader(build_certificate(small_run(tmp_path / "run")))
    assert pdf.metadata is not None
    assert str(pdf.metadata.creation_date) == "2026-03-04 10:00:21+00:00"
    assert pdf.xmp_metadata is not None
    claims = pdf.xmp_metadata.stream.get_data().decode()
    assert "<pdfaid:part>3</pdfaid:part>" in claims
    assert "<pdfaid:conformance>A</pdfaid:conformance>" in claims
    assert "<pdfuaid:part>1</pdfuaid:part>" in claims


def test_it_carries_every_font_it_uses(tmp_path: Path) -> None:
    pdf = pypdf.PdfReader(build_certificate(small_run(tmp_path / "run")))
    embedded, unembedded = set(), set()
    for page in pdf.pages:
        some, others = page._get_fonts()
        embedded |= some
        unembedded |= others
    assert embedded
    assert unembedded <= embedded


def test_hostile_texts_are_printed_as_text(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    seen = jam_scenario(sketch, "s", "#panic() $x$ *bold* \\ ] [ `raw` \u202eevil")
    reason = '#read("/etc/passwd") a\u0301\u0335\u0336 牌 \ud83c\udccf'.encode("utf-16", "surrogatepass").decode(
        "utf-16"
    )
    sketch.judge("PR-PGP-SHOE.A.1", "FAIL", reason + "{clauses}" + "W" * 500, seen)
    text = text_of(build_certificate(sketch.finish()))
    assert "#panic() $x$ *bold* \\ ] [ `raw` <U+202E>evil" in text
    assert '#read("/etc/passwd")' in text
    assert "牌 <U+1F0CF>" in text


def test_a_long_run_prints_on_many_pages(tmp_path: Path) -> None:
    sketch = RunSketch(tmp_path / "run")
    jam_scenario(sketch, "s", "A jam")
    for number in range(200):
        sketch.judge(f"PR-PGP-SHOE.{number}", "FAIL", "It was not so. " * 10)
    assert len(pypdf.PdfReader(build_certificate(sketch.finish())).pages) > 10


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("es", ("No conforme", "SIN FIRMA", "Fin del certificado", "la cámara ve en shoe_mouth")),
        ("it", ("Non conforme", "SENZA FIRMA", "Fine del certificato", "la telecamera vede in shoe_mouth")),
    ],
)
def test_the_certificate_speaks_other_languages(tmp_path: Path, lang: str, words: tuple[str, ...]) -> None:
    text = text_of(build_certificate(small_run(tmp_path / "run"), lang))
    for said in words:
        assert said in text
    assert "Does not conform" not in text
    assert "camera sees" not in text


def test_a_language_there_is_none_of_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="language 'fr': expected one of en, es, it"):
        build_certificate(small_run(tmp_path / "run"), "fr")
