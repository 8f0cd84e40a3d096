"""Rewrites the schema of fault scripts in docs/schemas from the code: python -m tests.faults.script_schema"""

import json
from pathlib import Path

from bench.faults.script import script_schema

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "fault-script.schema.json"


def schema_text() -> str:
    return json.dumps(script_schema(), indent=2) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
