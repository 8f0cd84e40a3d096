"""The files of a pack's folder: which there are, and what they hold before anything of it is understood."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from evidence.tomlfile import BadFile, parse_toml, read_text
from rules.mistakes import WHAT, Mistake, Notebook, Source

MAIN = "pack.toml"
MOST_FILES = 100


class PackFile(NamedTuple):
    """One file of a pack."""

    path: Path
    text: str


class PackData(NamedTuple):
    """One file of a pack, as TOML understands it."""

    source: Source
    data: dict[str, Any]
    main: bool


def read_folder(folder: Path, notebook: Notebook, *, links: bool = False) -> list[PackFile]:
    """`pack.toml` and every other `.toml` beside it, in order of their names; what cannot be read is noted.

    Symbolic links among them are followed only with `links`: a pack from elsewhere could name any file of this machine.
    """
    if not folder.is_dir():
        what = "this is a file" if folder.exists() else "there is no such folder"
        _note(notebook, folder, what, f"Name the folder that holds the pack's {MAIN}.")
        return []
    found: list[PackFile] = []
    for path in _paths(folder, notebook, links=links):
        with _noted(path, notebook):
            found.append(PackFile(path, read_text(path, WHAT)))
    return found


def parse_files(files: Iterable[PackFile], notebook: Notebook) -> list[PackData]:
    """What files say; one that is not TOML is noted and left out."""
    found: list[PackData] = []
    for path, text in files:
        with _noted(path, notebook):
            data = parse_toml(path, text, WHAT)
            found.append(PackData(Source(path, text, notebook), data, path.name == MAIN))
    return found


@contextmanager
def _noted(path: Path, notebook: Notebook) -> Iterator[None]:
    try:
        yield
    except BadFile as error:
        notebook.note(Mistake(file=str(path), line=error.line, where="", problem=error.problem, remedy=error.remedy))


def _paths(folder: Path, notebook: Notebook, *, links: bool) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir(), key=lambda path: (path.name != MAIN, path.name))
    except OSError as error:
        _note(notebook, folder, f"cannot look into this folder: {error.strerror}", "Check its rights.")
        return
    if not entries or entries[0].name != MAIN:
        _note(notebook, folder / MAIN, f"a pack has a {MAIN}, and there is none", "Write one, with the pack's head.")
        return
    if len(entries) > MOST_FILES:
        _note(notebook, folder, f"over {MOST_FILES} files", "A pack is a folder of its own, with nothing else in it.")
        return
    for path in entries:
        if path.suffix == ".toml" and path.is_symlink() and not links:
            _note(notebook, path, "a symbolic link is not followed", "Copy the file itself into the folder.")
        elif path.suffix == ".toml":
            yield path
        elif path.suffix.lower() == ".toml":
            _note(notebook, path, f"the ending {path.suffix!r} is not read", "End the name in .toml.")
        elif path.is_dir() and any(path.glob("*.toml")):
            _note(notebook, path, "files in a folder within are not read", f"Lay them beside {MAIN}.")


def _note(notebook: Notebook, path: Path, problem: str, remedy: str) -> None:
    notebook.note(Mistake(file=str(path), line=None, where="", problem=problem, remedy=remedy))
