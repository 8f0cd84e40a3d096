"""Collects what is wrong with a pack, so that its author learns of it at once, each with file, line and remedy."""

import difflib
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec

from evidence.errors import UsageError
from evidence.tomlfile import find_line

T = TypeVar("T")
U = TypeVar("U")

WHAT = "clause pack"
MOST = 50
"""Mistakes that are told; whoever made more mends these first."""
LONGEST = 60
"""Characters of a word of the file that a message repeats."""
MOST_KNOWN = 80
"""Words that a message lists."""


class Mistake(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong: where it stands, what was expected and seen, and how to mend it."""

    file: str
    line: int | None
    """From 1; None when it is the file as a whole."""
    where: str
    """The entry, such as `clause[2].requirement[0].trigger`, items counted from 0; empty for the file as a whole."""
    problem: str
    remedy: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        entry = f", {self.where}" if self.where else ""
        return f"{place}: {WHAT}{entry}: {self.problem}. {self.remedy}"


class PackMistakes(UsageError):
    """What is wrong with a pack, in the order of its files; one line each."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(map(str, self.mistakes)))

    @property
    def lines(self) -> list[str]:
        """One message for each mistake."""
        return [str(one) for one in self.mistakes]


class _LeftOut(Exception):
    """An entry is wrong; that has been noted, and the entry is left out."""


class Notebook:
    """The mistakes found so far in the files of one pack."""

    def __init__(self) -> None:
        self._mistakes: dict[Mistake, None] = {}

    def __bool__(self) -> bool:
        """Whether anything has been noted."""
        return bool(self._mistakes)

    def note(self, mistake: Mistake) -> None:
        """Take down a mistake; the same one twice counts once."""
        self._mistakes[mistake] = None

    @contextmanager
    def entry(self) -> Iterator[None]:
        """Go on after this block although something in it was refused; what it was to make is then not there."""
        with suppress(_LeftOut):
            yield

    def gather(self, makers: Iterable[Callable[[], T]]) -> list[T]:
        """What all of them make. Each is tried; if one was refused, this is refused as a whole."""
        made: list[T] = []
        tried = 0
        for make in makers:
            tried += 1
            with self.entry():
                made.append(make())
        if len(made) < tried:
            raise _LeftOut
        return made

    def gather_both(
        self, makers: Iterable[Callable[[], T]], others: Iterable[Callable[[], U]]
    ) -> tuple[list[T], list[U]]:
        """What two lists of makers make; all of both are tried."""
        made: list[list[T]] = []
        with self.entry():
            made.append(self.gather(makers))
        others_made = self.gather(others)
        if not made:
            raise _LeftOut
        return made[0], others_made

    def check(self) -> None:
        """Raises PackMistakes when anything has been noted."""
        if self._mistakes:
            files = list(dict.fromkeys(one.file for one in self._mistakes))
            ordered = sorted(self._mistakes, key=lambda one: (files.index(one.file), one.line or 0))
            raise PackMistakes(ordered[:MOST])


class Source:
    """One file of a pack, to say where something is wrong."""

    def __init__(self, path: Path, text: str, notebook: Notebook) -> None:
        self.path = path
        self.notebook = notebook
        self._text = text

    def place(self, where: str) -> str:
        """File and line of an entry."""
        line = find_line(self._text, f"$.{where}")
        return f"{self.path.name}:{line}" if line else self.path.name

    def note(self, where: str, problem: str, remedy: str) -> None:
        """Something is wrong with an entry, and the rest of it can be looked at all the same."""
        line = find_line(self._text, f"$.{where}") if where else None
        self.notebook.note(Mistake(file=str(self.path), line=line, where=where, problem=problem, remedy=remedy))

    def refuse(self, where: str, problem: str, remedy: str) -> NoReturn:
        """Something is wrong with an entry, which is left out for it."""
        self.note(where, problem, remedy)
        raise _LeftOut


def shown(word: object) -> str:
    """A word of the file as a message repeats it."""
    text = repr(word)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def choice(lead: str, names: Iterable[str], wanted: object = "") -> str:
    """A remedy that lists what there is, and first what was probably meant: `Did you mean 'jam'? Use: jam, stop.`"""
    known = sorted(names) if isinstance(names, Set) else list(dict.fromkeys(names))
    close = nearest(known, wanted)
    listed = ", ".join(name or '""' for name in known[:MOST_KNOWN]) or "none"
    more = ", …" if len(known) > MOST_KNOWN else ""
    return f"{f'Did you mean {close!r}? ' if close else ''}{lead}: {listed}{more}."


def nearest(known: Iterable[str], wanted: object) -> str:
    """The known word that was probably meant; empty when none is near."""
    if not isinstance(wanted, str) or not wanted or len(wanted) > LONGEST:
        return ""
    plain = {_plain(name): name for name in known if name}
    if _plain(wanted) in plain:
        return plain[_plain(wanted)]
    close = difflib.get_close_matches(_plain(wanted), plain, 1, 0.6)
    return plain[close[0]] if close else ""


def _plain(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")
