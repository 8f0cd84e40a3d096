"""Strict access to a parsed TOML file: each complaint names file, key, what was expected and what was seen."""

import tomllib
from collections.abc import Callable
from typing import Any, TypeVar

from evidence.errors import UsageError

_Value = TypeVar("_Value")


def parse_strict(text: str, where: str) -> "StrictTable":
    """The top table of a TOML document; `where` names it in complaints. Raises `UsageError` for what is no TOML."""
    try:
        return StrictTable(tomllib.loads(text), where, "")
    except RecursionError:
        raise UsageError(f"{where}: not valid TOML: brackets within brackets without end; close them") from None
    except ValueError as error:  # also a number of more digits than Python reads
        raise UsageError(f"{where}: not valid TOML: {error}; mend it there") from error


class StrictTable:
    """One TOML table with its path, so that every complaint says where it is; remembers which keys were read."""

    def __init__(self, data: Any, where: str, path: str) -> None:
        if not isinstance(data, dict):
            raise UsageError(f"{where}: {path or 'file'}: expected a table, got {type(data).__name__}")
        self._data, self._where, self._path = data, where, path
        self._read: set[str] = set()

    def _get(self, key: str, expected: str, accepts: Callable[[Any], bool]) -> Any:
        self._read.add(key)
        if key not in self._data:
            raise UsageError(f"{self._where}: {self._name(key)}: missing; expected {expected}")
        value = self._data[key]
        if not accepts(value):
            raise UsageError(f"{self._where}: {self._name(key)}: expected {expected}, got {_shown(value)!r}")
        return value

    def _name(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def table(self, key: str) -> "StrictTable":
        return StrictTable(self._get(key, "a table", lambda v: isinstance(v, dict)), self._where, self._name(key))

    def tables(self, key: str, count: int) -> list["StrictTable"]:
        rows = self._get(key, f"{count} tables", lambda v: isinstance(v, list) and len(v) == count)
        return [StrictTable(row, self._where, f"{self._name(key)}[{at}]") for at, row in enumerate(rows)]

    def keys_of(self, key: str, expected: tuple[str, ...]) -> tuple[str, ...]:
        """The expected keys, after checking that the sub-table `key` has exactly those."""
        found = set(self.table(key)._data)
        if found != set(expected):
            odd = sorted(found ^ set(expected))
            raise UsageError(f"{self._where}: {self._name(key)}: expected {', '.join(expected)}; differs in {odd}")
        return expected

    def text(self, key: str) -> str:
        return str(self._get(key, "text of 1 to 80 characters", lambda v: isinstance(v, str) and 0 < len(v) <= 80))

    def number(self, key: str, above: float | None = None) -> float:
        expected = "a number" if above is None else f"a number above {above}"
        return float(self._get(key, expected, lambda v: _is_number(v) and (above is None or v > above)))

    def whole(self, key: str, low: int, high: int) -> int:
        expected = f"a whole number {low} to {high}"
        return int(self._get(key, expected, lambda v: type(v) is int and low <= v <= high))

    def pair(self, key: str, above: float | None = None) -> tuple[float, float]:
        expected = "two numbers" if above is None else f"two numbers above {above}"
        x, y = self._get(key, expected, lambda v: _is_pair(v) and (above is None or min(v) > above))
        return float(x), float(y)

    def numbers(self, key: str, count: int) -> tuple[float, ...]:
        expected = f"{count} numbers"
        row = self._get(
            key, expected, lambda v: isinstance(v, list) and len(v) == count and all(_is_number(n) for n in v)
        )
        return tuple(float(value) for value in row)

    def whole_pair(self, key: str) -> tuple[int, int]:
        width, height = self._get(key, "two whole numbers", lambda v: _is_pair(v) and all(type(n) is int for n in v))
        return width, height

    def corners(self, key: str) -> tuple[tuple[float, float], ...]:
        expected = "four [x, y] points"
        points = self._get(key, expected, lambda v: isinstance(v, list) and len(v) == 4 and all(map(_is_pair, v)))
        return tuple((float(x), float(y)) for x, y in points)

    def refuse_unknown(self) -> None:
        unknown = sorted(set(self._data) - self._read)
        if unknown:
            raise UsageError(f"{self._where}: {self._name(unknown[0])}: unknown key; expected {sorted(self._read)}")

    def finished(self, value: _Value) -> _Value:
        """`value`, once it is sure that every key of this table was read."""
        self.refuse_unknown()
        return value


def _shown(value: Any) -> str:
    try:
        return str(value)[:80]
    except ValueError:  # a whole number of more digits than Python writes
        return "a number too long to show"


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e6


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
