"""Writes the schemas of `certificate.json` and of the papers: python -m tests.reports.certificate_schema."""

from pathlib import Path
from typing import Any

import msgspec

from reports.certificate.document import certificate_schema
from reports.papers.known import KnownFile
from reports.papers.laboratory import LabFile

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """The schemas by the names of their files."""
    return {
        "certificate": certificate_schema(),
        "laboratory": {"$schema": DRAFT, "title": "laboratory.toml", **msgspec.json.schema(LabFile)},
        "known-nonconformities": {
            "$schema": DRAFT, "title": "known-nonconformities.toml", **msgspec.json.schema(KnownFile),
        },
    }  # fmt: skip


def text_of(schema: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(schema), indent=1).decode() + "\n"


if __name__ == "__main__":
    for name, schema in schemas().items():
        (SCHEMAS / f"{name}.schema.json").write_text(text_of(schema), encoding="utf-8")
