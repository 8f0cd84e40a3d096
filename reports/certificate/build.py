"""Prints `certificate.pdf` and writes `certificate.json` of a run folder."""

import re
import tomllib
import warnings
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import typst

from evidence.errors import RigFault, UsageError
from evidence.files import write_atomic
from reports.certificate.data import certificate_data
from reports.certificate.printable import printable_tree
from reports.glyphs import FONTS
from reports.run_view import RunView
from reports.signed_by import UNSIGNED, SignedBy

PDF_NAME = "certificate.pdf"
JSON_NAME = "certificate.json"
STANDARDS: list[Literal["a-3a", "ua-1"]] = ["a-3a", "ua-1"]
"""What the PDF claims: an archive copy (ISO 19005-3, level A) that assistive software can read (ISO 14289-1)."""

_HERE = Path(__file__).parent


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
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n", _set(data, words)


def languages() -> tuple[str, ...]:
    """The languages a certificate can be printed in."""
    return tuple(_all_words())


def load_words(lang: str) -> dict[str, str]:
    """The printed words of one language. Raises UsageError when there is none."""
    words = _all_words()
    if lang not in words:
        raise UsageError(f"certificate language {lang!r}: expected one of {', '.join(words)}")
    return words[lang]


@cache
def _all_words() -> dict[str, dict[str, str]]:
    return tomllib.loads((_HERE / "words.toml").read_text(encoding="utf-8"))


def _set(data: dict[str, Any], words: dict[str, str]) -> bytes:
    inputs = {"data": _json(printable_tree(data)), "words": _json(words)}
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FONTS)])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", typst.TypstWarning)
            pdf = typst.compile(
                (_HERE / "certificate.typ").read_bytes(),
                font_paths=fonts,
                ignore_system_fonts=True,
                sys_inputs=inputs,
                format="pdf",
                pdf_standards=[*STANDARDS],
                timestamp=_date(str(data["run"]["finished_utc"] or data["run"]["started_utc"])),
            )
    except (typst.TypstError, typst.TypstWarning) as error:
        raise RigFault(
            f"{PDF_NAME}: Typst could not set it: {error.message}. Please report this run folder."
        ) from error
    except BaseException as error:
        # Typst's own code can abort; that arrives as an exception outside the usual tree.
        if type(error).__name__ != "PanicException":
            raise
        raise RigFault(f"{PDF_NAME}: Typst gave up on a text of this run. Please report this run folder.") from error
    return pdf


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _date(stamp: str) -> datetime:
    """The run's time to the second; the beginning of the epoch when the run folder states none."""
    if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", stamp):
        return datetime.fromisoformat(stamp).replace(microsecond=0)
    return datetime.fromtimestamp(0, UTC)
