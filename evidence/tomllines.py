"""Where each entry of a TOML document stands, so that a message can name the line of what is wrong.

`tomllib` tells what a document says but not where. This scanner walks a document that `tomllib` has accepted, and notes
the line of every key, table and list item.
"""

import contextlib
import functools
import re
from collections.abc import Sequence

Path = tuple[str | int, ...]
"""Names of tables and keys, and numbers of list items from 0: `("clause", 1, "meaning", "en")`."""

DEEPEST = 100
"""Levels of brackets that are followed."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)+")
_PLAIN = re.compile(r"[^,\]}#\n]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)


@functools.lru_cache(maxsize=16)
def entry_lines(text: str) -> dict[Path, int]:
    """The line (from 1) of every entry. Of a text that is not TOML, the entries before the first mistake."""
    scanner = _Scanner(text)
    with contextlib.suppress(_Lost):
        scanner.document()
    return scanner.lines


def nearest_line(text: str, path: Sequence[str | int]) -> int | None:
    """The line of an entry, or of the innermost entry around it that is written; None when nothing of it is."""
    lines = entry_lines(text)
    for length in range(len(path), 0, -1):
        line = lines.get(tuple(path[:length]))
        if line is not None:
            return line
    return None


class _Lost(Exception):
    """The text is not what a TOML document looks like, or nested deeper than is followed."""


class _Scanner:
    """One walk over a document."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._text = text
        self._at = 0
        self._line = 1
        self._counts: dict[Path, int] = {}
        """Number of the latest item of each list of tables."""

    def document(self) -> None:
        """Walk all of it. Raises _Lost."""
        table: Path = ()
        while self._blank():
            if self._sees("["):
                table = self._header()
            else:
                self._pair(table, 0)

    def _header(self) -> Path:
        line, listed = self._line, self._sees("[[")
        self._take("[[" if listed else "[")
        path: Path = ()
        names = self._names()
        for n, name in enumerate(names):
            path += (name,)
            self.lines.setdefault(path, line)
            if listed and n == len(names) - 1:
                self._counts[path] = self._counts.get(path, -1) + 1
            if path in self._counts:
                path += (self._counts[path],)
                self.lines.setdefault(path, line)
        self._take("]]" if listed else "]")
        return path

    def _pair(self, table: Path, depth: int) -> None:
        line = self._line
        for name in self._names():
            table += (name,)
            self.lines.setdefault(table, line)
        self._take("=")
        self._value(table, depth)

    def _names(self) -> list[str]:
        names: list[str] = []
        while True:
            self._blank()
            quoted = self._match(_STRING)
            names.append(quoted[1:-1] if quoted else self._match(_BARE) or self._lost())
            self._blank()
            if not self._sees("."):
                return names
            self._take(".")

    def _value(self, path: Path, depth: int) -> None:
        if depth > DEEPEST:
            self._lost()
        self._blank()
        if self._match(_STRING) is not None:
            return
        if self._sees("["):
            self._take("[")
            n = 0
            while self._inside("]"):
                self.lines[(*path, n)] = self._line
                self._value((*path, n), depth + 1)
                n += 1
        elif self._sees("{"):
            self._take("{")
            while self._inside("}"):
                self._pair(path, depth + 1)
        elif not self._match(_PLAIN):
            self._lost()

    def _inside(self, end: str) -> bool:
        """Whether another item comes before the bracket that ends the list or table; takes commas and the end."""
        self._blank()
        if self._sees(","):
            self._take(",")
            self._blank()
        if self._sees(end):
            self._take(end)
            return False
        return True

    def _blank(self) -> bool:
        """Pass over spaces, line ends and remarks; False at the end of the text."""
        self._match(_BLANK)
        return self._at < len(self._text)

    def _sees(self, sign: str) -> bool:
        return self._text.startswith(sign, self._at)

    def _take(self, sign: str) -> None:
        if not self._sees(sign):
            self._lost()
        self._at += len(sign)

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self._text, self._at)
        if found is None or not found.group():
            return None
        self._at = found.end()
        self._line += found.group().count("\n")
        return found.group()

    @staticmethod
    def _lost() -> str:
        raise _Lost
