"""Rewrites the schemas of a run folder's files in docs/schemas from the code: python -m tests.schemas.result_schemas"""

from pathlib import Path
from typing import Any

import msgspec

from fixtures.run_json import SCHEMA as RUN_SCHEMA
from fixtures.run_shape import RunFile
from fixtures.sensitivity import Row
from reports.bundle.about import SCHEMA as BUNDLE_SCHEMA
from reports.bundle.about import About
from reports.manifest import SCHEMA as MANIFEST_SCHEMA
from reports.manifest import Manifest
from reports.sealing.attestation import PREDICATE_TYPE, STATEMENT_TYPE
from rules.verdicts import Verdict

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
FILES: dict[str, tuple[Any, str, int]] = {
    "run": (RunFile, "run.json", RUN_SCHEMA),
    "verdicts": (list[Verdict], "verdicts.json", RUN_SCHEMA),
    "sensitivity": (list[Row], "sensitivity.json", RUN_SCHEMA),
    "manifest": (Manifest, "manifest.json", MANIFEST_SCHEMA),
    "bundle": (About, "bundle.json, the first entry of a bundle", BUNDLE_SCHEMA),
}
"""Shape, file and version by the name of the schema."""


def schema(name: str) -> dict[str, Any]:
    """The schema of one kind of file. Whoever reads one passes over fields that the schema does not know."""
    shape, title, version = FILES[name]
    made = _open(msgspec.json.schema(shape))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cardcert: {title}",
        "$comment": f"version {version}",
    }
    return {**head, **made}


def attestation_schema() -> dict[str, Any]:
    """The schema of the statement in `attestation.dsse.json`: what is ours of an in-toto test result."""
    text = {"type": "string"}
    digest = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    resource = {
        "type": "object",
        "properties": {"name": text, "digest": {"type": "object", "properties": {"sha256": digest}}},
        "required": ["name", "digest"],
    }
    clauses = {"type": "array", "items": text, "description": "Clause ids, sorted."}
    predicate = {
        "type": "object",
        "properties": {
            "result": {"enum": ["PASSED", "FAILED"], "description": "PASSED only where the run conforms."},
            "configuration": {"type": "array", "items": resource, "description": "Plan, rig and clause packs."},
            "passedTests": clauses,
            "warnedTests": {**clauses, "description": "Clauses that were not shown in full."},
            "failedTests": clauses,
        },
        "required": ["result", "configuration", "passedTests", "warnedTests", "failedTests"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cardcert: the statement in attestation.dsse.json",
        "$comment": "version 1",
        "type": "object",
        "properties": {
            "_type": {"const": STATEMENT_TYPE},
            "predicateType": {"const": PREDICATE_TYPE},
            "subject": {"type": "array", "items": resource, "minItems": 1},
            "predicate": predicate,
        },
        "required": ["_type", "predicateType", "subject", "predicate"],
    }


def all_schemas() -> dict[str, dict[str, Any]]:
    """Every schema by its name."""
    return {**{name: schema(name) for name in FILES}, "attestation": attestation_schema()}


def text_of(content: dict[str, Any]) -> str:
    """A schema as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(content), indent=1).decode() + "\n"


def _open(value: Any) -> Any:
    """Without `additionalProperties: false`, by which our own reader refuses what it does not know."""
    if isinstance(value, dict):
        return {
            name: _open(one) for name, one in value.items() if not (name == "additionalProperties" and one is False)
        }
    return [_open(one) for one in value] if isinstance(value, list) else value


if __name__ == "__main__":
    for name, content in all_schemas().items():
        (SCHEMAS / f"{name}.schema.json").write_text(text_of(content), encoding="utf-8")
