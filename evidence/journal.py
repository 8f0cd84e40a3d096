"""The journal: an append-only log of events in a run folder, each record hashed over the one before.

`journal/events.jsonl` holds the records, `journal/attachments/<sha256>.<suffix>` what is too large for a line. What
`append` returned for survives the death of the process; what was there at `sync` survives the loss of power.
"""

import fcntl
import hashlib
import os
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import msgspec

from evidence.chain import EMPTY, MAX_LINE, Head, lay_out, link
from evidence.errors import UsageError
from evidence.events import AnyEvent, ClockStepped, JournalRepaired, Record
from evidence.files import storage_error, sync_file, sync_folder, write_all, write_atomic
from evidence.reading import (
    Damage,
    attachments_folder,
    comparable,
    find_tail,
    journal_file,
    journal_head,
    read_journal,
    verify_journal,
)
from evidence.walltime import WallTime

__all__ = ["Damage", "Head", "Journal", "comparable", "journal_head", "read_journal", "verify_journal"]

_SUFFIX = re.compile(r"[a-z0-9]{1,8}")
_NAMED = re.compile(r"[0-9a-f]{64}\.[a-z0-9]{1,8}")


class Journal:
    """The one writer of a run's journal. Made by `create` or `open`; safe to call from several threads."""

    def __init__(
        self,
        folder: Path,
        fd: int,
        head: Head,
        now_ns: Callable[[], int],
        last_mono_ns: int,
        durable: bool = True,
        last_utc: str = "",
    ) -> None:
        self.folder = folder
        self._attachments = attachments_folder(folder)
        # Disks take milliseconds to store a picture for good; that goes on beside the run, and `sync` waits for it.
        self._syncer = ThreadPoolExecutor(1, "journal-sync") if durable else None
        self._syncing: list[Future[None]] = []
        self.last_mono_ns = last_mono_ns
        """The run's clock at the last record: where a resumed run's clock goes on."""
        self._fd = fd
        self._head = head
        self._now_ns = now_ns
        self._size = os.fstat(fd).st_size
        self._pending: tuple[Head, int] | None = None
        self._lock = threading.RLock()
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Record)
        self._wall = WallTime(last_utc)
        self._stored = {name[:64] for name in os.listdir(attachments_folder(folder)) if _NAMED.fullmatch(name)}

    @classmethod
    def create(cls, folder: Path, now_ns: Callable[[], int], *, durable: bool = True) -> "Journal":
        """Begin a journal in a run folder, which is made if need be. UsageError when there is one already.

        `now_ns` tells the run's clock for each record's `mono_ns`. Not `durable`, `sync` does nothing: for a journal
        that nobody needs after a loss of power.
        """
        path = journal_file(folder)
        try:
            attachments_folder(folder).mkdir(parents=True, exist_ok=True)
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            raise UsageError(
                f"{path}: this folder already holds a journal. Resume that run or choose another folder."
            ) from None
        except OSError as error:
            raise storage_error("starting a journal", path, error) from error
        _lock_file(fd, path)
        return cls(folder, fd, EMPTY, now_ns, 0, durable)

    @classmethod
    def open(cls, folder: Path, now_ns: Callable[[], int]) -> "Journal":
        """Go on with a journal, also after a crash: a torn last line is cut off and `journal.repaired` appended.

        UsageError when there is none or somebody else is writing it, EvidenceDamaged when anything but the last line
        is broken: damaged evidence is not added to.
        """
        path = journal_file(folder)
        try:
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        except FileNotFoundError:
            raise UsageError(f"{path}: no journal here. Name the folder of a run that was started before.") from None
        except OSError as error:
            raise storage_error("opening the journal", path, error) from error
        _lock_file(fd, path)
        try:
            attachments_folder(folder).mkdir(exist_ok=True)
            tail = find_tail(path)
            torn = os.pread(fd, MAX_LINE + 1, tail.end)
            if torn:
                os.ftruncate(fd, tail.end)
            journal = cls(folder, fd, tail.head, now_ns, tail.mono_ns, last_utc=tail.utc)
        except OSError as error:
            os.close(fd)
            raise storage_error("repairing the journal", path, error) from error
        except BaseException:
            os.close(fd)
            raise
        if torn:
            repaired = JournalRepaired(bytes_cut=len(torn), sha256=hashlib.sha256(torn).hexdigest())
            journal.append(repaired, source="bench:journal")
        return journal

    @property
    def head(self) -> Head:
        """Sequence number and hash of the last record."""
        return self._head

    def append(self, event: AnyEvent, *, source: str, scenario: str = "") -> Record:
        """Write one event. When this returns, the record is in the file; when it raises, nothing of it is.

        UsageError for an event that could not be read back or does not fit a line, RigFault when the disk is full.
        """
        with self._lock:
            self._settle_interrupted()
            utc, step_s = self._wall.now()
            if step_s:
                self._append(ClockStepped(by_s=step_s), "bench:journal", "", utc)
            return self._append(event, source, scenario, utc)

    def _append(self, event: AnyEvent, source: str, scenario: str, utc: str) -> Record:
        record = Record(
            seq=self._head.seq + 1, mono_ns=self._now_ns(), utc=utc, source=source, scenario=scenario, event=event
        )
        data = self._encode(record)
        head = Head(record.seq, link(self._head.hash, data))
        line = lay_out(head.hash, data)
        if len(line) > MAX_LINE:
            raise UsageError(
                f"{type(event).__name__} from {source} takes {len(line)} bytes, a journal line at most {MAX_LINE}. "
                "Store large data as an attachment."
            )
        self._write(line, head)
        self.last_mono_ns = record.mono_ns
        return record

    def attach(self, data: bytes, suffix: str) -> str:
        """Store data beside the journal and return its SHA-256. The same content is stored once.

        `suffix` says what it is, such as `png`: 1 to 8 of a-z and 0-9.
        """
        if not _SUFFIX.fullmatch(suffix):
            raise UsageError(f"attachment suffix {suffix!r}: expected 1 to 8 of a-z and 0-9, without a dot")
        digest = hashlib.sha256(data).hexdigest()
        with self._lock:
            self._check_open()
            if digest not in self._stored:
                path = self._attachments / f"{digest}.{suffix}"
                write_atomic(path, data, durable=False)
                self._stored.add(digest)
                if self._syncer is not None:
                    self._syncing.append(self._syncer.submit(sync_file, path))
        return digest

    def sync(self) -> None:
        """Make everything written so far survive a loss of power."""
        with self._lock:
            self._settle_interrupted()
            if self._syncer is None:
                return
            try:
                # Attachments first, so that no record that survives names a picture that did not.
                while self._syncing:
                    self._syncing.pop().result()
                sync_folder(self._attachments)
                os.fsync(self._fd)
                sync_folder(journal_file(self.folder).parent)
            except OSError as error:
                raise storage_error("syncing the journal", journal_file(self.folder), error) from error

    def close(self) -> None:
        """Sync and release the folder. May be called twice."""
        with self._lock:
            if self._fd >= 0:
                try:
                    self.sync()
                finally:
                    os.close(self._fd)
                    self._fd = -1
                    if self._syncer is not None:
                        self._syncer.shutdown()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._fd < 0:
            raise UsageError(f"{journal_file(self.folder)}: the journal has been closed; open it again to write to it")

    def _encode(self, record: Record) -> bytes:
        """The record's bytes, after making sure that a reader will understand them (no NaN, no wrong type)."""
        try:
            data = self._encoder.encode(record)
            self._decoder.decode(data)
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
            kind = type(record.event).__name__
            raise UsageError(
                f"{kind} from {record.source!r} cannot be journalled: {error}. Correct its fields."
            ) from error
        return data

    def _write(self, line: bytes, head: Head) -> None:
        end = self._size + len(line)
        self._pending = (head, end)
        try:
            write_all(self._fd, line)
        except OSError as error:
            os.ftruncate(self._fd, self._size)
            self._pending = None
            raise storage_error("the next journal record", journal_file(self.folder), error) from error
        self._head, self._size = head, end
        self._pending = None

    def _settle_interrupted(self) -> None:
        """Find out how far an append got that a signal broke off (Ctrl-C), so that the next one joins on rightly."""
        self._check_open()
        if self._pending is None:
            return
        head, end = self._pending
        if os.fstat(self._fd).st_size == end:
            self._head, self._size = head, end
        else:
            os.ftruncate(self._fd, self._size)
        self._pending = None


def _lock_file(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(fd)
        if isinstance(error, BlockingIOError):
            raise UsageError(
                f"{path}: another run is writing this journal. Wait for it to end or choose another folder."
            ) from None
        raise storage_error("locking the journal", path, error) from error
