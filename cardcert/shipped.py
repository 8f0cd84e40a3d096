"""Plans and rigs that ship with cardcert, found by name, beside files given by path."""

from pathlib import Path

import fixtures
import test_plans
from evidence.errors import UsageError

PLANS = Path(test_plans.__file__).parent / "plans"
RIGS = Path(fixtures.__file__).parent / "rigs"


def find_plan(name: str) -> Path:
    """A plan file by path, or a shipped plan by name."""
    return _find(name, PLANS, "plan")


def find_rig(name: str) -> Path:
    """A rig file by path, or a shipped rig by name."""
    return _find(name, RIGS, "rig")


def names(folder: Path) -> list[str]:
    """Names of the shipped files in a folder."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def _find(name: str, folder: Path, what: str) -> Path:
    given = Path(name)
    if given.suffix == ".toml" or given.parent != Path("."):
        if given.is_file():
            return given
        raise UsageError(f"{name}: there is no such {what} file.")
    if name in names(folder):
        return folder / f"{name}.toml"
    raise UsageError(f"there is no {what} {name!r}. Shipped: {', '.join(names(folder))}; or name a .toml file.")
