"""Read a TOML file into a typed struct, with errors that name file, line and remedy."""

import codecs
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from evidence.errors import UsageError
from evidence.tomllines import nearest_line

MAX_BYTES = 4 * 1024 * 1024

T = TypeVar("T")

_STEP = re.compile(r"\.([\w-]+)|\[(\d+)\]")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_MOST_PARTS = 50
_DEEP_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.){0,200}+"|'[^'\n]{0,200}+')[ \t]{0,50}+\.[ \t]{0,50}+){50}"""
)
"""The time that `tomllib` takes for a dotted key grows with the square of its parts."""


class BadFile(UsageError):
    """A file cannot be read: where, what is wrong, and how to mend it, also one by one."""

    def __init__(self, path: Path, line: int | None, problem: str, remedy: str) -> None:
        self.line = line
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{path}:{line}: {problem}. {remedy}" if line else f"{path}: {problem}. {remedy}")


def load_toml(path: Path, shape: type[T], what: str) -> T:
    """Read `path` as `shape` (a msgspec struct). `what` names the kind of file in messages, such as "rig file".

    Raises UsageError: file missing, too large, not TOML, unknown key, missing key or wrong type.
    """
    text = read_text(path, what)
    data = parse_toml(path, text, what)
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `")
        where = where.rstrip("`")
        unknown = re.search(r"unknown field `(\w+)`", message)
        line = find_line(text, f"{where}.{unknown.group(1)}" if unknown else where)
        place = f"{path}:{line}" if line else str(path)
        raise UsageError(
            f"{place}: {what}: {message} (at {where or 'the top'}). Correct or remove this entry."
        ) from None


def parse_toml(path: Path, text: str, what: str) -> dict[str, Any]:
    """What a TOML text says. Raises BadFile with the line when it is not TOML, or nested without end."""
    deep = _DEEP_KEY.search(text)
    if deep is not None:
        problem = f"not a valid TOML {what}: a key of over {_MOST_PARTS} parts"
        raise BadFile(path, text.count("\n", 0, deep.start()) + 1, problem, "Shorten it.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at.group(1)) if at else text.count("\n") + 1
        raise BadFile(path, line, f"not a valid TOML {what}: {error}", "Mend the line named and try again.") from None
    except ValueError as error:  # a whole number of more digits than Python reads
        raise BadFile(path, None, f"not a valid TOML {what}: {error}", "Write a shorter number.") from None
    except RecursionError:
        problem = f"not a valid TOML {what}: brackets within brackets without end"
        raise BadFile(path, None, problem, "Close them.") from None


def read_text(path: Path, what: str) -> str:
    """The file's text. Raises BadFile when it cannot be had or is larger than 4 MiB."""
    if path.exists() and not path.is_file():
        raise BadFile(path, None, f"cannot read this {what}: it is no plain file", "Lay a file in its place.")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        problem = f"cannot read this {what}: {error.strerror}"
        raise BadFile(path, None, problem, "Check the name and its rights.") from None
    if len(data) > MAX_BYTES:
        raise BadFile(path, None, f"a {what} of over {MAX_BYTES} bytes is refused", "Split it, or make it shorter.")
    if data.startswith(codecs.BOM_UTF8):
        problem = f"this {what} begins with a byte order mark"
        raise BadFile(path, 1, problem, "Save it as UTF-8 without a byte order mark.")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile(path, line, f"this {what} is not UTF-8 (byte {error.start})", "Save it as UTF-8.") from None


def find_line(text: str, where: str) -> int | None:
    """Line (from 1) of the entry that a path such as `$.scenario[3].rounds` points to, or of what stands around it."""
    return nearest_line(text, [name or int(index) for name, index in _STEP.findall(where)])
