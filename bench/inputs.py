"""Operator inputs: what a casino has submitted or had approved, given as words or as files beside a plan or a rig file.

[inputs]
location = "table 1"
house_way = { file = "inputs/house-way.toml" }
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import msgspec

from evidence.errors import UsageError
from evidence.events import OperatorInput
from evidence.files import open_ordinary

MAX_BYTES = 16 * 1024
"""The most that one input may hold, in UTF-8."""
MAX_INPUTS = 20
MAX_TOGETHER = 40 * 1024
"""The most that all inputs of a table may hold: they go to table software in one message."""


class InputFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An input that stands in a file, named from the folder of the file that names it."""

    file: str


Given = str | InputFile
"""An input as a plan or a rig file gives it."""


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """An input with its content, and the file that it came from; empty when the words stood in the plan or rig file."""

    name: str
    text: str
    file: str = ""

    def event(self) -> OperatorInput:
        """What the journal keeps of it beside its content: where it came from, and its digest."""
        content = self.text.encode()
        return OperatorInput(
            name=self.name, file=self.file, size_bytes=len(content), sha256=hashlib.sha256(content).hexdigest()
        )


def read_inputs(given: Mapping[str, Given], named_in: Path) -> dict[str, Input]:
    """The inputs that the plan or rig file `named_in` gives, with their content.

    Raises UsageError for a file that is missing, too large, no text, or outside the folder.
    """
    if len(given) > MAX_INPUTS:
        raise UsageError(f"{named_in}: {len(given)} inputs; expected at most {MAX_INPUTS}. Remove some.")
    return {name: _read(name, one, named_in) for name, one in given.items()}


def merged(*given: Mapping[str, Input]) -> dict[str, Input]:
    """The inputs of a table: those of the plan, the rig, the scenario; of one name the last counts.

    Raises UsageError when they are too much.
    """
    found = {name: one for inputs in given for name, one in inputs.items()}
    together = sum(len(one.text.encode()) for one in found.values())
    if together > MAX_TOGETHER:
        raise UsageError(f"inputs: {together} bytes in all; expected at most {MAX_TOGETHER}. Shorten them.")
    return found


def _read(name: str, given: Given, named_in: Path) -> Input:
    where = f"{named_in}: input {name!r}"
    if not name.replace("_", "").isalnum() or len(name) > 40:
        raise UsageError(f"{where}: a name is 1 to 40 letters, digits or '_'.")
    if isinstance(given, str):
        return Input(name=name, text=_bounded(where, given.encode()))
    path = PurePosixPath(given.file)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise UsageError(f"{where}: {given.file!r} must be a file in the folder of that file, or in a folder below it.")
    try:
        with open_ordinary(named_in.parent / path) as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{where}: cannot read {given.file}: {error.strerror}. Put the file there.") from None
    return Input(name=name, text=_bounded(f"{where}: {given.file}", content), file=given.file)


def _bounded(where: str, content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise UsageError(f"{where}: over {MAX_BYTES} bytes. Shorten it.")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{where}: not a text in UTF-8. Save it as one.") from None
