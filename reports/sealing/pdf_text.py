"""Reads the words and attachments of a PDF, to compare what it shows with the data that it was made from."""

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pypdf

_INVISIBLE = re.compile("[\\s\u200b\u00ad]+")
_LIMIT_PAGES = 5000
_NEAR = 600
"""Characters after a clause's name within which its verdict is looked for."""


def first_difference(pdf: bytes, expected: bytes) -> str:
    """Where a PDF differs from the one that its data comes to, in words: page and text where they differ."""
    try:
        found, wanted = _pages(pdf), _pages(expected)
    except Exception as error:  # noqa: BLE001 - a hostile file may trip its reader anywhere; it then differs
        return f"cannot be read ({type(error).__name__}: {error})"
    if len(found) != len(wanted):
        return f"has {len(found)} pages, its data comes to {len(wanted)}"
    for number, (one, other) in enumerate(zip(found, wanted, strict=True), 1):
        if one != other:
            at = next(
                (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            return (
                f"page {number} says …{one[max(0, at - 20) : at + 40]}…, its data …{other[max(0, at - 20) : at + 40]}…"
            )
    at = next((i for i, (a, b) in enumerate(zip(pdf, expected, strict=False)) if a != b), min(len(pdf), len(expected)))
    return f"is not what its data comes to, from byte {at} on: its words are, but not its looks"


def first_unprinted(pdf: bytes, content: Any, words: Mapping[str, str]) -> str:
    """The first statement of certificate data that stands nowhere in a PDF; empty when all do.

    For each clause its name must stand somewhere, and soon after it its verdict, as it is or in the `words` printed.
    """
    try:
        text = "".join(_pages(pdf))
        for where, value in _facts(content):
            if _bare(value) not in text:
                return f"{where} {value[:200]!r}"
        for clause in content["clauses"]:
            verdict = str(clause["verdict"])
            printed = {_bare(one) for one in (verdict, verdict.replace("_", " "), words.get(verdict, verdict))}
            after = [text[at.end() : at.end() + _NEAR] for at in re.finditer(re.escape(_bare(clause["id"])), text)]
            if not any(one in rest for one in printed for rest in after):
                return f"clause {clause['id']!r} with verdict {verdict!r}"
    except Exception as error:  # noqa: BLE001 - as above
        return f"it cannot be read ({type(error).__name__}: {error})"
    return ""


def attached(pdf: bytes, name: str) -> bytes | None:
    """The attachment of a PDF by its name, or None when there is none."""
    try:
        found = pypdf.PdfReader(io.BytesIO(pdf)).attachments.get(name)
    except Exception:  # noqa: BLE001 - as above: what cannot be read is no attachment of ours
        return b""
    return found[0] if found else None


def _pages(pdf: bytes) -> list[str]:
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    if len(reader.pages) > _LIMIT_PAGES:
        raise ValueError(f"{len(reader.pages)} pages")
    return [_bare(page.extract_text()) for page in reader.pages]


def _bare(text: str) -> str:
    """Text without blanks and invisible marks: where a line breaks is a matter of looks."""
    return _INVISIBLE.sub("", text)


def _facts(content: Any) -> Iterator[tuple[str, str]]:
    """What a certificate cannot do without: its reference, and what was tested, by its digest."""
    yield "reference", str(content["reference"])
    for device in content["devices"]:
        yield from (
            (f"device {name}", device[name]) for name in ("serial", "firmware", "firmware_sha256") if device[name]
        )
