"""The history log of a Deck Mate 1, as its service menu prints it: one line for each thing that it has recorded.

    Jam Recovery: Time:21:04:33,Date:11-30-26,P:118,G:40,Cyc:1057

Nothing is guessed: a line that is not of this form is an error, with what to do about it.
"""

import datetime
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evidence.errors import UsageError
from evidence.files import open_ordinary

MAX_BYTES = 4 * 1024 * 1024
MAX_LINE = 200
MAX_ENTRIES = 50_000

Kind = Literal["powered_up", "auto_setup", "extra_card", "missing_card", "jam_recovery", "door_opened"]
KINDS: dict[str, Kind] = {
    "powered up": "powered_up",
    "auto setup": "auto_setup",
    "auto setups": "auto_setup",
    "extra card": "extra_card",
    "missing card": "missing_card",
    "jam recovery": "jam_recovery",
    "door opened": "door_opened",
}
_LINE = re.compile(
    r"(?P<event>[A-Za-z][A-Za-z ]{0,39}):\s?Time:(?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2}),"
    r"Date:(?P<date>[0-9]{2}-[0-9]{2}-[0-9]{2}),P:(?P<platform>-?[0-9]{1,6}),G:(?P<gripper>-?[0-9]{1,6}),"
    r"Cyc:(?P<cycle>[0-9]{1,9})"
)
FORM = "<Event>: Time:HH:MM:SS,Date:MM-DD-YY,P:<number>,G:<number>,Cyc:<number>"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that the device recorded. `at` is what its own clock said, as if that told universal time."""

    line: int
    kind: Kind
    at: datetime.datetime
    platform: int
    gripper: int
    cycle: int


def read_log(path: Path) -> list[Entry]:
    """The entries of a log, in the order in which they stand. UsageError with file, line and remedy.

    Empty lines are passed over, and lines that begin with `#`, which an operator may have put there.
    """
    try:
        with open_ordinary(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}).") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path}: over {MAX_BYTES} bytes; a history log has a few thousand lines. Give only the log.")
    entries: list[Entry] = []
    for number, raw in enumerate(data.split(b"\n"), 1):
        text = raw.rstrip(b"\r").decode("ascii", "backslashreplace")
        if not text.strip() or text.startswith("#"):
            continue
        entries.append(_entry(text, f"{path}, line {number}", number))
        if len(entries) > MAX_ENTRIES:
            raise UsageError(f"{path}, line {number}: over {MAX_ENTRIES} entries. Give a part of the log.")
    if not entries:
        raise UsageError(f"{path}: holds no entry. Ask the device for its history from its service menu once more.")
    return entries


def _entry(text: str, where: str, number: int) -> Entry:
    if len(text) > MAX_LINE:
        raise UsageError(f"{where}: {len(text)} characters; an entry has at most {MAX_LINE}. Is a line end missing?")
    found = _LINE.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{where}: {text[:80]!r} is no entry; expected {FORM}. Take a banner out, or put # before the line."
        )
    kind = KINDS.get(" ".join(found["event"].lower().split()))
    if kind is None:
        known = ", ".join(KINDS)
        raise UsageError(f"{where}: event {found['event']!r} is not known; known are {known}. Put # before the line.")
    try:
        at = datetime.datetime.strptime(f"{found['date']} {found['time']} +0000", "%m-%d-%y %H:%M:%S %z")
    except ValueError:
        raise UsageError(
            f"{where}: {found['date']} {found['time']} is no time; expected MM-DD-YY and HH:MM:SS."
        ) from None
    return Entry(number, kind, at, int(found["platform"]), int(found["gripper"]), int(found["cycle"]))
