"""The published schemas are those of the code, take what a run leaves behind, and know every field of it."""

import base64
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from reports.bundle import write_bundle
from reports.certificate.document import certificate_schema
from tests.schemas.result_schemas import SCHEMAS, all_schemas, text_of
from tests.verifying.conftest import no_page, signed_whole, signer  # noqa: F401 - fixtures


@pytest.mark.parametrize("name", sorted(all_schemas()))
def test_what_is_published_is_what_the_code_says(name: str) -> None:
    kept = (SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    assert kept == text_of(all_schemas()[name]), "run python -m tests.schemas.result_schemas"


@pytest.fixture(scope="module")
def documents(signed_whole: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:  # noqa: F811
    """One document of each kind, as a run with a matrix leaves it."""
    found: dict[str, Any] = {
        name: json.loads((signed_whole / f"{name}.json").read_text())
        for name in ("run", "verdicts", "manifest", "certificate")
    }
    with zipfile.ZipFile(write_bundle(signed_whole, tmp_path_factory.mktemp("bundle") / "run.zip")) as archive:
        found["bundle"] = json.loads(archive.read("bundle.json"))
    envelope = json.loads((signed_whole / "attestation.dsse.json").read_text())
    found["attestation"] = json.loads(base64.b64decode(envelope["payload"]))
    defect = {
        "name": "no_more_bets_late", "on": "software", "scenario": "pr-proper", "verdict": "FAIL", "also_failed": [],
        "declared": [], "undeclared": [], "policies": {},
    }  # fmt: skip
    row = {"clause": "X.A", "requirement": "r", "compliant": "PASS", "defects": [defect]}
    found["sensitivity"] = [
        {**row, "generic": {"killed": ["a"], "unfit": [], "survived": [], "equivalent": {"b": "c"}}}
    ]
    return found


def schemas() -> dict[str, dict[str, Any]]:
    return {**all_schemas(), "certificate": certificate_schema()}


@pytest.mark.parametrize("name", sorted(schemas()))
def test_what_a_run_leaves_is_as_its_schema_says(documents: dict[str, Any], name: str) -> None:
    validator = jsonschema.Draft202012Validator(schemas()[name])
    validator.check_schema(schemas()[name])
    assert [error.message for error in validator.iter_errors(documents[name])] == []


@pytest.mark.parametrize("name", sorted(schemas()))
def test_no_field_stands_in_a_document_that_its_schema_does_not_know(documents: dict[str, Any], name: str) -> None:
    assert list(unknown(documents[name], schemas()[name], schemas()[name])) == []


@pytest.mark.parametrize("name", sorted(schemas()))
def test_a_document_without_one_of_its_fields_is_refused(documents: dict[str, Any], name: str) -> None:
    document = documents[name]
    part = document[0] if isinstance(document, list) else document
    required = sorted(set(part) & set(top(schemas()[name])["required"]))
    assert required
    for field in required:
        cut = {key: value for key, value in part.items() if key != field}
        wrong = [cut] if isinstance(document, list) else cut
        assert not jsonschema.Draft202012Validator(schemas()[name]).is_valid(wrong), field


def top(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of the document, or of an entry where the document is a list."""
    resolved = resolve(schema, schema)
    return resolve(resolved["items"], schema) if resolved.get("type") == "array" else resolved


def resolve(part: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    target: Any = whole
    for step in part["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return resolve(target, whole)


def unknown(value: Any, part: dict[str, Any], whole: dict[str, Any], where: str = "") -> Iterator[str]:
    """Paths of fields that no schema of their place knows."""
    part = resolve(part, whole)
    choices = [resolve(one, whole) for one in part.get("anyOf", part.get("oneOf", [part]))]
    if isinstance(value, dict):
        known: dict[str, Any] = {}
        for choice in choices:
            known |= choice.get("properties", {})
        rest = next((one["additionalProperties"] for one in choices if "additionalProperties" in one), None)
        for name, one in value.items():
            if name in known:
                yield from unknown(one, known[name], whole, f"{where}.{name}")
            elif isinstance(rest, dict):
                yield from unknown(one, rest, whole, f"{where}.{name}")
            elif rest is not True and (known or rest is False):
                yield f"{where}.{name}"
    if isinstance(value, list):
        for choice in choices:
            if "items" in choice:
                for number, one in enumerate(value):
                    yield from unknown(one, choice["items"], whole, f"{where}[{number}]")
                break
