"""Prints `certificate.pdf` and writes `certificate.json` of a run folder."""

import hashlib
import re
import shutil
import tempfile
import warnings
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
import typst

from evidence.errors import RigFault
from evidence.files import write_atomic
from reports.certificate.assets import lay_assets
from reports.certificate.data import certificate_data
from reports.certificate.stream_ends import clear_stream_ends
from reports.glyphs import FONTS
from reports.printable import printable_tree
from reports.run_view import RunView
from reports.signed_by import UNSIGNED, SignedBy
from reports.text import json_bytes
from reports.wordbook import LANGUAGES, wordbook

PDF_NAME = "certificate.pdf"
JSON_NAME = "certificate.json"
STANDARDS: list[Literal["a-3a", "ua-1"]] = ["a-3a", "ua-1"]
"""What the PDF claims: an archive copy (ISO 19005-3, level A) that assistive software can read (ISO 14289-1)."""

_NO_FONT = "could not be displayed with font"
_TEMPLATES = Path(__file__).parent / "typst"


def build_certificate(
    run_folder: Path, lang: str = "en", run: RunView | None = None, signed_by: SignedBy = UNSIGNED
) -> Path:
    """Write `certificate.pdf` and `certificate.json` into a run folder and return the path of the PDF.

    The same run folder gives the same bytes: the date is that of the run. `signed_by` is who will sign the PDF once it
    stands. Raises UsageError for a language there is none of, RigFault when the document cannot be set.
    """
    content, pdf = render_certificate(run or RunView.load(run_folder), lang, signed_by)
    folder = Path(run_folder)
    write_atomic(folder / JSON_NAME, content)
    write_atomic(folder / PDF_NAME, pdf)
    return folder / PDF_NAME


def render_certificate(run: RunView, lang: str, signed_by: SignedBy = UNSIGNED) -> tuple[bytes, bytes]:
    """The bytes of `certificate.json` and of the unsigned `certificate.pdf` that a run folder comes to."""
    words = load_words(lang)
    data = certificate_data(run, lang, signed_by)
    content = json_bytes(data)
    with tempfile.TemporaryDirectory(prefix="cardcert-certificate-") as scratch:
        work = Path(scratch)
        for template in _TEMPLATES.glob("*.typ"):
            shutil.copyfile(template, work / template.name)
        assets = lay_assets(run, data["nonconformities"], lang, work)
        assets["certificate_sha256"] = hashlib.sha256(content).hexdigest()
        (work / JSON_NAME).write_bytes(content)
        (work / "words.json").write_bytes(msgspec.json.encode(words))
        (work / "assets.json").write_bytes(msgspec.json.encode(printable_tree(assets)))
        date = _date(str(data["run"]["finished_utc"] or data["run"]["started_utc"]))
        for plain in (False, True):
            (work / "data.json").write_bytes(msgspec.json.encode(printable_tree(data, plain=plain)))
            try:
                return content, _set(work, date)
            except _Unsettable:
                if plain:
                    raise
    raise AssertionError("unreachable")


class _Unsettable(RigFault):
    """Typst could not set a text in the fonts that there are."""


def languages() -> tuple[str, ...]:
    """The languages a certificate can be printed in."""
    return LANGUAGES


def load_words(lang: str) -> dict[str, str]:
    """The printed words of one language. Raises UsageError when there is none."""
    return dict(wordbook(lang).section("certificate"))


def _set(work: Path, date: datetime) -> bytes:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FONTS)])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", typst.TypstWarning)
            pdf = typst.compile(
                str(work / "main.typ"),
                root=str(work),
                font_paths=fonts,
                ignore_system_fonts=True,
                format="pdf",
                pdf_standards=[*STANDARDS],
                timestamp=date,
            )
    except (typst.TypstError, typst.TypstWarning) as error:
        kind = _Unsettable if _NO_FONT in error.message else RigFault
        raise kind(f"{PDF_NAME}: Typst could not set it: {error.message}. Please report this run folder.") from error
    except BaseException as error:
        # Typst's own code can abort; that arrives as an exception outside the usual tree.
        if type(error).__name__ != "PanicException":
            raise
        raise _Unsettable(f"{PDF_NAME}: Typst gave up on a text of this run. Please report this run folder.") from error
    return clear_stream_ends(pdf)


def _date(stamp: str) -> datetime:
    """The run's time to the second; the beginning of the epoch when the run folder states none."""
    if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", stamp):
        return datetime.fromisoformat(stamp).replace(microsecond=0)
    return datetime.fromtimestamp(0, UTC)
