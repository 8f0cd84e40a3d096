"""A test that stops running proves nothing: --forbid-skips finds it, also when several processes share the tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_runs import group_of

ROOT = Path(__file__).parents[2]
GOOD = "def test_good():\n    pass\n"
SKIPS = "import pytest\ndef test_skips():\n    pytest.skip('no')\n"
WHOLE = "import pytest\npytest.skip('no', allow_module_level=True)\n"


@pytest.mark.parametrize("spread", [[], ["-n", "2"]], ids=["alone", "shared"])
@pytest.mark.parametrize(("other", "found"), [(GOOD, ""), (SKIPS, "test_b.py::test_skips"), (WHOLE, "test_b.py")])
def test_a_skip_fails_the_run(tmp_path: Path, spread: list[str], other: str, found: str) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_a.py").write_text(GOOD)
    (tmp_path / "test_b.py").write_text(other)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--forbid-skips", *spread, "."]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, capture_output=True, text=True
    )
    assert done.returncode == (1 if found else 0), done.stdout
    assert (f"FORBIDDEN SKIP {found}" in done.stdout) is bool(found)


def test_tests_that_share_a_run_go_to_one_worker() -> None:
    """The README's first command is the run of the whole plan that other tests look at."""
    whole = {group_of(f"tests/certification/test_certify_default_plan.py::{name}") for name in ("a", "b[c::d]")}
    assert whole == {group_of("tests/docs/test_docs_commands.py::test_page_runs_as_written[README]")}
    assert group_of("tests/verifying/test_a.py::a") == group_of("tests/schemas/test_b.py::b")
    pages = [f"tests/docs/test_docs_commands.py::test_page_runs_as_written[{page}]" for page in ("handbook", "reports")]
    assert len({group_of(page) for page in pages}) == 2
    assert group_of("tests/rules/test_a.py::a[x::y]") == group_of("tests/rules/test_a.py::b") == "tests/rules/test_a.py"
