"""Read a TOML file into a typed struct, with errors that name file, line and remedy."""

import re
import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from evidence.errors import UsageError

MAX_BYTES = 4 * 1024 * 1024

T = TypeVar("T")


def load_toml(path: Path, shape: type[T], what: str) -> T:
    """Read `path` as `shape` (a msgspec struct). `what` names the kind of file in messages, such as "rig file".

    Raises UsageError: file missing, too large, not TOML, unknown key, missing key or wrong type.
    """
    text = read_text(path, what)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not a valid TOML {what}: {error}. Mend the line named and try again.") from None
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


def read_text(path: Path, what: str) -> str:
    """The file's text; UsageError when it cannot be had or is larger than 4 MiB."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot read this {what}: {error.strerror}. Check the name and its rights.") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path}: a {what} of over {MAX_BYTES} bytes is refused.")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: this {what} is not UTF-8 (byte {error.start}). Save it as UTF-8.") from None


def find_line(text: str, where: str) -> int | None:
    """Line (from 1) of the entry that a path such as `$.scenario[3].rounds` points to, or None if it is not clear.

    Follows tables and arrays of tables as they are usually written; the nearest entry found on the way is named.
    """
    lines = text.splitlines()
    found: int | None = None
    start = 0
    prefix: list[str] = []
    for name, index in re.findall(r"\.([\w-]+)(?:\[(\d+)\])?", where):
        prefix.append(name)
        dotted = re.escape(".".join(prefix))
        heading = re.compile(rf"^\s*\[\[?\s*{dotted}\s*\]\]?")
        key = re.compile(rf"^\s*\"?{re.escape(name)}\"?\s*=")
        hits = [n for n in range(start, len(lines)) if heading.match(lines[n])]
        nth = int(index) if index else 0
        if nth < len(hits):
            start = hits[nth]
            found = start + 1
            continue
        for n in range(start, len(lines)):
            if n > start and lines[n].lstrip().startswith("["):
                break
            if key.match(lines[n]):
                found, start = n + 1, n
                break
    return found
