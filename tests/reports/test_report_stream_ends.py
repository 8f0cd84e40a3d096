"""A stream of the PDF whose last byte is a carriage return is still as long as it says."""

from pathlib import Path

import page
import pypdf
import pytest
import typst

from reports.certificate.stream_ends import clear_stream_ends

ATTACHED = b"attached\r"
SOURCE = """
#set document(title: "Two attachments")
#title()
#let content = read("attached", encoding: none)
#for name in ("one", "two") {
  pdf.attach(name, content, relationship: "data", mime-type: "text/plain", description: name)
}
"""


@pytest.fixture(scope="module")
def unclear(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A document with two such streams, which a validator takes for a byte shorter than they say."""
    work: Path = tmp_path_factory.mktemp("typst")
    (work / "attached").write_bytes(ATTACHED)
    (work / "main.typ").write_text(SOURCE)
    pdf = typst.compile(str(work / "main.typ"), root=str(work), format="pdf", pdf_standards=["a-3a", "ua-1"])
    assert isinstance(pdf, bytes)
    return pdf


def failures(pdf: bytes) -> set[str]:
    report = page.validate_pdf_bytes(pdf, profile=page.ValidationProfile.PDF_A_3A)
    return {failure.rule_id for failure in report.failures}


def test_every_stream_is_as_long_as_it_says(unclear: bytes) -> None:
    assert failures(unclear) == {"PDFA3A-STREAM-LENGTH-001"}
    assert failures(clear_stream_ends(unclear)) == set()


def test_what_is_in_the_document_stays(unclear: bytes, tmp_path: Path) -> None:
    (tmp_path / "clear.pdf").write_bytes(clear_stream_ends(unclear))
    with pypdf.PdfReader(tmp_path / "clear.pdf", strict=True) as reader:
        assert {name: content for name, (content,) in reader.attachments.items()} == {"one": ATTACHED, "two": ATTACHED}
        assert len(reader.pages) == 1
