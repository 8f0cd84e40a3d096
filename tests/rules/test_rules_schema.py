"""The schemas for editors are made from the code, and take what the loader takes."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import msgspec
import pytest

from evidence.tomlfile import parse_toml, read_text
from rules.loader import PACKS
from rules.packfile import Head, Part, RawRequirement
from rules.schema import FILES, pack_schema, schema_text
from rules.vocabulary import FACTS
from tests.rules.pack_mistakes import FILES as SOUND
from tests.rules.pack_schemas import SCHEMAS

ROOT = Path(__file__).parents[2]

SHIPPED = sorted(PACKS.glob("*/*.toml"))


def validator(path: Path) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(pack_schema("pack" if path.name == "pack.toml" else "clauses"))


@pytest.mark.parametrize("kind", FILES)
def test_the_schema_in_the_handbook_is_that_of_the_code(kind: str) -> None:
    kept = (SCHEMAS / f"{kind}.schema.json").read_text(encoding="utf-8")
    assert kept == schema_text(kind), "run python -m tests.rules.pack_schemas"
    jsonschema.Draft7Validator.check_schema(json.loads(kept))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_shipped_file_fits_its_schema(path: Path) -> None:
    errors = [error.message for error in validator(path).iter_errors(parse_toml(path, read_text(path, "pack"), "pack"))]
    assert errors == []


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_file_fits_its_schema(name: str) -> None:
    assert list(validator(Path(name)).iter_errors(parse_toml(Path(name), SOUND[name], "pack"))) == []


def test_every_entry_of_the_structs_and_every_fact_stands_in_the_schema() -> None:
    for kind, struct in (("pack", Head), ("clauses", Part)):
        schema = pack_schema(kind)
        assert set(schema["properties"]) == set(struct.__struct_fields__)
        requirement = schema["definitions"]["RawRequirement"]["properties"]
        assert set(requirement) == {field.encode_name for field in msgspec.structs.fields(RawRequirement)}
        for name, fact in FACTS.items():
            assert set(schema["definitions"][f"fact_{name}"]["properties"]) == {"fact", "when", *fact.attributes}


def test_no_table_of_a_pack_is_left_open() -> None:
    """Whatever stands for any table in the structs stands in the schema for a pattern or for conditions."""
    for kind in FILES:
        assert '{"type":"object"}' not in json.dumps(pack_schema(kind), separators=(",", ":"))


@pytest.mark.parametrize("kind", FILES)
def test_the_command_prints_the_schema(kind: str) -> None:
    command = [sys.executable, "-m", "cardcert", "rules", "schema", kind]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == schema_text(kind)
