"""The locks pin everything by digest and name no address, so any mirror may serve them."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LOCKS = ["requirements.lock", "requirements-headless.lock", "requirements-node.lock"]
SHA256 = re.compile(r"--hash=sha256:[0-9a-f]{64}(?: \\)?")


def entries(lock: str) -> list[tuple[Requirement, int]]:
    """Each pinned requirement of a lock with how many digests it has."""
    found: list[tuple[Requirement, int]] = []
    for line in (ROOT / lock).read_text(encoding="utf-8").splitlines():
        if line.startswith("    --hash="):
            assert SHA256.fullmatch(line.strip()), line
            pin, digests = found[-1]
            found[-1] = (pin, digests + 1)
        elif not line.lstrip().startswith("#"):
            found.append((Requirement(line.removesuffix("\\").strip()), 0))
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_is_exact_and_has_digests(lock: str) -> None:
    pins = entries(lock)
    assert pins
    for pin, digests in pins:
        assert [part.operator for part in pin.specifier] == ["=="], str(pin)
        assert digests > 0, str(pin)
        assert pin.url is None, str(pin)


@pytest.mark.parametrize("lock", [*LOCKS, "package-lock.json"])
def test_locks_name_no_place_to_download_from(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    if lock == "package-lock.json":
        text = re.sub(r'"funding": (\{[^}]*\}|\[[^\]]*\])', "", text)  # where authors take donations
    assert "://" not in text
    assert not re.search(r"^--?\w", text, re.MULTILINE), "an option of the installer in the lock"


def test_lock_satisfies_every_declared_dependency() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned: dict[str, list[Version]] = {}
    for pin, _ in entries("requirements.lock"):
        (version,) = (Version(part.version) for part in pin.specifier)
        pinned.setdefault(canonicalize_name(pin.name), []).append(version)
    for declared in map(Requirement, project["dependencies"] + project["optional-dependencies"]["dev"]):
        versions = pinned.get(canonicalize_name(declared.name), [])
        assert versions, f"{declared} is not in requirements.lock: run make lock"
        assert all(version in declared.specifier for version in versions), f"{declared}: run make lock"


def test_npm_lock_pins_by_digest_alone() -> None:
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))[
        "packages"
    ]
    root = packages.pop("")
    assert root["dependencies"] == wanted
    assert packages["node_modules/allure"]["version"] == wanted["allure"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert package["integrity"].startswith("sha512-"), name
