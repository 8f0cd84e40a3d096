"""Rewrites the schemas in docs/schemas from the code: python -m tests.rules.pack_schemas"""

from pathlib import Path

from rules.schema import FILES, schema_text

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"

if __name__ == "__main__":
    for kind in FILES:
        (SCHEMAS / f"{kind}.schema.json").write_text(schema_text(kind), encoding="utf-8")
