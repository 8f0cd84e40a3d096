"""The published schemas are those of the code, and every certificate keeps to its own."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from reports.certificate.build import build_certificate
from reports.certificate.data import certificate_data
from reports.certificate.document import Certificate, certificate_schema
from reports.run_view import RunView
from tests.reports.certificate_schema import SCHEMAS, schemas, text_of
from tests.reports.report_runs import RunSketch, jam_scenario, small_run

MATRIX: list[dict[str, Any]] = [
    {"clause": "PR-PGP-SHOE.A.1", "requirement": "void", "compliant": "PASS",
     "defects": [{"name": "late", "verdict": "FAIL", "also_failed": ["PR-PGP-SHOE.B"]}]},
]  # fmt: skip
KNOWN = '[[known]]\nclause = "PR-PGP-SHOE.A.1"\nuntil = 2026-12-31\nwhy = "so"\n'
LAB = """
[replaces]
number = "1"
what_changed = "x"
[[opinion]]
text = "o"
[[authorised_by]]
name = "n"
[[uncertainty]]
quantity = "q"
value = "v"
"""


@pytest.mark.parametrize("name", ["certificate", "laboratory", "known-nonconformities"])
def test_the_schema_in_the_handbook_is_that_of_the_code(name: str) -> None:
    kept = (SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    assert kept == text_of(schemas()[name]), "run python -m tests.reports.certificate_schema"
    jsonschema.Draft202012Validator.check_schema(json.loads(kept))


def runs(folder: Path) -> list[Path]:
    """A plain run, one with everything, and one of which nothing is left but the folder and its journal."""
    plain = small_run(folder / "plain")
    sketch = RunSketch(folder / "full")
    sketch.judge("PR-PGP-SHOE.A.1", "FAIL", "So.", jam_scenario(sketch, "s", "A jam"), requirements={"void": "FAIL"})
    full = sketch.finish(MATRIX, vision={"error_bound": 0.001, "pictures": 3000})
    (full / "known-nonconformities.toml").write_text(KNOWN)
    (full / "laboratory.toml").write_text(LAB)
    bare = small_run(folder / "bare")
    (bare / "run.json").write_text("{}")
    (bare / "verdicts.json").unlink()
    return [plain, full, bare]


def test_every_certificate_keeps_to_the_schema_and_states_nothing_beside_it(tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(certificate_schema())
    for folder in runs(tmp_path):
        build_certificate(folder)
        stored = json.loads((folder / "certificate.json").read_text(encoding="utf-8"))
        assert [error.message for error in validator.iter_errors(stored)] == []
        assert msgspec.to_builtins(msgspec.convert(stored, Certificate)) == stored


def test_a_certificate_of_another_shape_does_not_fit(tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(certificate_schema())
    data = certificate_data(RunView.load(small_run(tmp_path / "run")), "en")
    assert not list(validator.iter_errors(data))
    wrong: dict[str, Any]
    for wrong in ({"schema": 1}, {"result": {}}, {"nonconformities": [{"clause": "x"}]}, {"lang": "fr"}):
        assert list(validator.iter_errors(data | wrong))
