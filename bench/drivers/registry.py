"""Finding a driver by its name, among ours and those that others have installed."""

from importlib.metadata import entry_points
from typing import cast

from bench.drivers.angel_eye import AngelEyeDriver
from bench.drivers.base import DriverFactory
from bench.drivers.reference import ReferenceDriver
from evidence.errors import UsageError

GROUP = "cardcert.drivers"
"""Entry-point group: a name for a class or function that is called as a `DriverFactory`."""

_BUILT_IN: dict[str, DriverFactory] = {"reference": ReferenceDriver, "angel-eye": AngelEyeDriver}


def driver_names() -> list[str]:
    """Every driver that can be named in a rig file."""
    return sorted({*_BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def load_driver(name: str) -> DriverFactory:
    """The driver of this name. Ours need no installed metadata, and nobody else's can take their names.

    UsageError when there is none, when two packages claim the name, or when it cannot be loaded.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    found = list(entry_points(group=GROUP, name=name))
    if not found:
        raise UsageError(
            f"no driver {name!r}; known are {', '.join(driver_names())}. Install its package or correct it."
        )
    if len(found) > 1:
        claims = ", ".join(sorted(point.value for point in found))
        raise UsageError(f"driver {name!r} is claimed more than once: {claims}. Uninstall all but one.")
    try:
        factory = found[0].load()
    except Exception as error:  # whatever a foreign package does wrong at import
        raise UsageError(
            f"driver {name!r} ({found[0].value}) cannot be loaded: {error!r}. Mend its package."
        ) from error
    if not callable(factory):
        raise UsageError(f"driver {name!r} ({found[0].value}) cannot be called. Mend its package.")
    return cast(DriverFactory, factory)
