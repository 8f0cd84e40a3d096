"""Reading a journal back, and finding the first place where it does not hold together."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import msgspec

from evidence.chain import EMPTY, MAX_LINE, PREFIX, RECORD_AT, Head, LayoutError, link, take_apart
from evidence.errors import CardcertError, EvidenceDamaged, UsageError
from evidence.events import Record
from evidence.files import sha256_file, storage_error

MAX_DAMAGES = 100
"""How many damages `verify_journal` lists before it stops."""

_ATTACHMENT = re.compile(r"([0-9a-f]{64})\.[a-z0-9]{1,8}")


@dataclass(frozen=True, slots=True)
class Damage:
    """One place where evidence does not hold together."""

    file: str
    line: int
    """Line of the journal from 1; 0 when the damage is not in a line."""
    offset: int
    """Byte offset in the file of the first byte that is wrong, or of the part that does not fit its hash."""
    problem: str

    def __str__(self) -> str:
        place = f"line {self.line}, byte {self.offset}: " if self.line else ""
        return f"{self.file}: {place}{self.problem}"


class _LayoutDamage(Damage):
    """A line that is not laid out as one: at the end of a journal, the trace of a crash."""


class Tail(NamedTuple):
    """The end of the intact part of a journal: its head, its length in bytes, the run's clock and the wall clock."""

    head: Head
    end: int
    mono_ns: int
    utc: str = ""


class _Line(NamedTuple):
    number: int
    offset: int
    digest: str
    record: bytes


def journal_file(folder: Path) -> Path:
    """Where a run folder keeps its records."""
    return folder / "journal" / "events.jsonl"


def attachments_folder(folder: Path) -> Path:
    """Where a run folder keeps its attachments."""
    return folder / "journal" / "attachments"


def read_journal(folder: Path) -> Iterator[Record]:
    """All records in order, each checked before it is given out. EvidenceDamaged at the first place that is wrong."""
    return (record for record, _ in read_with_bytes(folder))


def read_with_bytes(folder: Path) -> Iterator[tuple[Record, bytes]]:
    """Likewise, each record with the JSON that stands for it in the journal."""
    decoder = msgspec.json.Decoder(Record)
    path = journal_file(folder)
    for seq, found in enumerate(_scan(path)):
        if isinstance(found, Damage):
            raise EvidenceDamaged(f"{found}. Fetch the run folder again from where it was kept.")
        record = _decode(decoder, path, found, seq)
        if isinstance(record, Damage):
            raise EvidenceDamaged(f"{record}. Fetch the run folder again from where it was kept.")
        yield record, found.record


def verify_journal(
    folder: Path,
    expected_head: Head | tuple[int, str] | None = None,
    keep: Callable[[Record, bytes], object] | None = None,
) -> list[Damage]:
    """Everything that is wrong with a journal and its attachments, at most 100 places; empty when all holds.

    `expected_head` is where the journal ended when it was sealed: without it a cut-off end cannot be seen. `keep` is
    given every record that could be read, with its JSON: all of the journal in order, where nothing is wrong with it.
    UsageError when there is no journal to read.
    """
    path = journal_file(folder)
    decoder = msgspec.json.Decoder(Record)
    damages: list[Damage] = []
    wanted: dict[str, int] = {}
    head, seq, last = EMPTY, 0, 0
    for found in _scan(path):
        if len(damages) >= MAX_DAMAGES:
            return damages
        if isinstance(found, Damage):
            damages.append(found)
            seq = -1  # unknown until the next readable record says
            continue
        last = found.number
        record = _decode(decoder, path, found, seq)
        if isinstance(record, Damage):
            damages.append(record)
            seq = -1
            continue
        seq, head = record.seq + 1, Head(record.seq, found.digest)
        if keep is not None:
            keep(record, found.record)
        if frame := getattr(record.event, "frame", ""):
            wanted.setdefault(frame, found.number)
    if expected_head is not None and tuple(expected_head) != head and not damages:
        damages.append(_wrong_end(path, last, Head(*expected_head), head))
    return damages + _check_attachments(folder, wanted)[: MAX_DAMAGES - len(damages)]


def comparable(record: Record, clock: Literal["virtual", "wall"] = "virtual") -> dict[str, object]:
    """A record without its wall-clock stamps, so that two runs of the same plan, rig and seed compare equal.

    Under a wall clock the run's own times are wall-clock stamps too.
    """
    plain: dict[str, object] = msgspec.to_builtins(record)
    del plain["utc"]
    if clock == "wall":
        del plain["mono_ns"]
        event = plain["event"]
        if isinstance(event, dict):
            event.pop("at_ns", None)
    return plain


def journal_head(folder: Path) -> Head:
    """Where a finished journal ends, for sealing it. EvidenceDamaged when it does not hold together up to its end."""
    path = journal_file(folder)
    tail = find_tail(path)
    if tail.end != path.stat().st_size:
        raise EvidenceDamaged(f"{path}: torn at byte {tail.end}. Resume the run once so that its journal is repaired.")
    return tail.head


def find_tail(path: Path) -> Tail:
    """Where to go on writing. EvidenceDamaged when something other than a torn last line is wrong.

    A last line is torn when it has no newline or is not laid out as a line; a whole line with a wrong hash was altered.
    """
    head_hash, end, last = EMPTY.hash, 0, None
    torn: Damage | None = None
    for found in _scan(path):
        if torn or (isinstance(found, Damage) and not isinstance(found, _LayoutDamage)):
            raise EvidenceDamaged(f"{torn or found}. Damaged evidence is not added to; start a new run.")
        if isinstance(found, Damage):
            torn = found
            continue
        head_hash, last = found.digest, found
        end = found.offset + RECORD_AT + len(found.record) + 2
    if torn and path.stat().st_size - end > MAX_LINE:
        raise EvidenceDamaged(f"{torn}. This is more than a crash can leave behind; start a new run.")
    if last is None:
        return Tail(EMPTY, end, 0)
    record = _decode(msgspec.json.Decoder(Record), path, last, last.number - 1)
    if isinstance(record, Damage):
        raise EvidenceDamaged(f"{record}. Damaged evidence is not added to; start a new run.")
    return Tail(Head(record.seq, head_hash), end, record.mono_ns, record.utc)


def _scan(path: Path) -> Iterator[_Line | Damage]:
    """Lines whose layout and hash hold, and damages where they do not.

    After a damage the chain is taken up again where it can be: a changed record leaves its stored hash to go on from, a
    changed hash leaves the one that was computed.
    """
    file_name, number, offset = str(path), 0, 0
    before: tuple[str, ...] = (EMPTY.hash,)
    with _open(path) as file:
        rest = b""
        while line := rest or file.readline(MAX_LINE + 1):
            rest = b""
            number += 1
            try:
                digest, record = take_apart(line)
            except LayoutError as error:
                too_long = len(line) > MAX_LINE
                expected = f"a line of at most {MAX_LINE} bytes" if too_long else error.expected
                yield _LayoutDamage(file_name, number, offset + error.at, f"expected {expected}")
                offset += len(line)
                while too_long and line[-1:] not in (b"\n", b""):
                    line = file.readline(MAX_LINE)
                    offset += len(line)
                before = ()
                continue
            computed = [link(previous, record) for previous in before]
            if digest in computed or not before:
                yield _Line(number, offset, digest, record)
                before = (digest,)
            elif (joined := line.find(PREFIX, RECORD_AT)) > 0 and digest in [
                link(previous, line[RECORD_AT : joined - 2]) for previous in before
            ]:
                # The newline itself was altered: two lines read as one.
                yield _LayoutDamage(file_name, number, offset + joined - 1, "expected a newline at the end of the line")
                before, rest, line = (digest,), line[joined:], line[:joined]
            else:
                problem = f"hash {digest[:12]}… does not fit: the record, its hash or the line before was altered"
                expected = f"expected {computed[0][:12]}… for these {len(record)} bytes after the line before"
                yield Damage(file_name, number, offset + RECORD_AT, f"{problem}; {expected}")
                before = (digest, *computed)
            offset += len(line)


def _open(path: Path) -> BinaryIO:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise UsageError(f"{path}: no journal here. Name the folder of a run.") from None
    except OSError as error:
        raise storage_error("reading the journal", path, error) from error


def _decode(decoder: "msgspec.json.Decoder[Record]", path: Path, line: _Line, seq: int) -> Record | Damage:
    """The record of a line, whose number must be `seq` (-1: any)."""
    at = line.offset + RECORD_AT
    try:
        record = decoder.decode(line.record)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return Damage(str(path), line.number, at, f"the record is none of the known vocabulary: {error}")
    if seq not in (-1, record.seq):
        return Damage(str(path), line.number, at, f"expected record number {seq}, found {record.seq}")
    return record


def _wrong_end(path: Path, last: int, expected: Head, head: Head) -> Damage:
    size = path.stat().st_size
    if head.seq < expected.seq:
        problem = f"the end is missing: {expected.seq - head.seq} records after number {head.seq}"
    elif head.seq > expected.seq:
        problem = (
            f"{head.seq - expected.seq} records were added after number {expected.seq}, where the journal was sealed"
        )
    else:
        problem = f"the last record's hash is {head.hash[:12]}…, but the journal was sealed with {expected.hash[:12]}…"
    return Damage(str(path), last, size, problem)


def _check_attachments(folder: Path, wanted: dict[str, int]) -> list[Damage]:
    """Altered attachments, and those which a record names (`wanted`: digest to line) but which are not there."""
    damages = []
    kept = attachments_folder(folder)
    present: set[str] = set()
    for path in sorted(kept.iterdir()) if kept.is_dir() else ():
        name = _ATTACHMENT.fullmatch(path.name)
        if not name:
            continue
        present.add(name[1])
        try:
            digest = sha256_file(path)
        except CardcertError as error:
            damages.append(Damage(str(path), 0, 0, str(error)))
            continue
        if digest != name[1]:
            damages.append(Damage(str(path), 0, 0, f"altered: its content has SHA-256 {digest}"))
    for digest, number in wanted.items():
        if digest not in present:
            problem = f"attachment {digest} named in line {number} is missing"
            damages.append(Damage(str(journal_file(folder)), number, 0, problem))
    return damages
