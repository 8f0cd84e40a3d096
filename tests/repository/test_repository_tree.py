"""What holds for every file of the tree."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ["cardcert", "test_plans", "fixtures", "reports", "bench", "rules", "vision", "evidence"]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LONGEST_FILE_LINES = 400
# In pieces, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:" + "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me"]) + r")/\w")
REGISTRIES = re.compile(
    "|".join(["pypi" + r"\.org", "python" + r"hosted\.org", "npm" + r"js\.(?:org|com)", "deb" + r"\.debian"])
)


def tracked(*patterns: str) -> list[Path]:
    """Files under version control. A file removed from the tree but not yet from the index is left out."""
    done = subprocess.run(["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, check=True)
    return [path for name in done.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def texts() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        content = path.read_bytes()
        if b"\0" not in content[:8000]:
            yield path, content.decode("utf-8")


def test_no_file_names_a_machine_or_a_package_registry() -> None:
    for path, text in texts():
        for pattern in (MACHINE_PATHS, REGISTRIES):
            if found := pattern.search(text):
                line = text.count("\n", 0, found.start()) + 1
                pytest.fail(f"{path.relative_to(ROOT)}:{line}: {found.group()!r}")


def test_no_python_file_grows_past_two_ideas() -> None:
    sizes = {path.relative_to(ROOT): path.read_bytes().count(b"\n") for path in tracked("*.py")}
    assert len(sizes) > len(ROOMS)
    assert {path: lines for path, lines in sizes.items() if lines > LONGEST_FILE_LINES} == {}


def sleeps(source: str) -> list[int]:
    """Lines that take `sleep` from the module `time`, under whatever name."""
    tree = ast.parse(source)
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "time"
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            found += [node.lineno for alias in node.names if alias.name in {"sleep", "*"}]
        elif isinstance(node, ast.Attribute) and node.attr == "sleep" and isinstance(node.value, ast.Name):
            found += [node.lineno] if node.value.id in modules else []
    return found


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import time\ntime.sleep(1)", [2]),
        ("import time as t\nt.sleep(1)", [2]),
        ("from time import monotonic, sleep", [1]),
        ("import time\nclock.sleep(1)\ntime.monotonic()", []),
    ],
)
def test_a_sleep_is_found_under_any_name(source: str, lines: list[int]) -> None:
    assert sleeps(source) == lines


def test_only_the_clock_waits() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): lines for path in tracked("*.py") if (lines := sleeps(path.read_text()))
    }
    assert set(found) <= {"bench/clock.py"}, found


def test_every_room_is_built_typed_and_layered() -> None:
    tool = PYPROJECT["tool"]
    assert tool["hatch"]["build"]["targets"]["wheel"]["packages"] == ROOMS
    assert tool["importlinter"]["root_packages"] == ROOMS
    assert set(ROOMS) <= set(tool["mypy"]["files"])
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == set(ROOMS)


def test_changelog_tells_of_this_version() -> None:
    headings = re.findall(r"^## \[?([^\]\s]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert PYPROJECT["project"]["version"] in headings


def test_decisions_are_numbered_in_a_row() -> None:
    records = sorted(path.name for path in tracked("docs/decisions/[0-9]*.md"))
    assert [name[:5] for name in records] == [f"{number:04}-" for number in range(1, len(records) + 1)]


LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)")


def test_links_between_pages_lead_somewhere() -> None:
    pages = tracked("*.md")
    assert pages
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []
