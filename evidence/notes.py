"""Records that are judged and then forgotten: runs that show what the bench can catch leave no evidence."""

import hashlib
from collections.abc import Callable
from typing import Protocol

import msgspec

from evidence.errors import UsageError
from evidence.events import AnyEvent, Record
from evidence.walltime import WallTime


class Recorder(Protocol):
    """What a running scenario writes to: a `Journal`, or `Notes`."""

    def append(self, event: AnyEvent, *, source: str, scenario: str = "") -> Record:
        """Write one event. UsageError when it could not be read back."""

    def attach(self, data: bytes, suffix: str) -> str:
        """Keep data and return its SHA-256."""

    def sync(self) -> None:
        """What was written so far is to last."""


class Notes:
    """A recorder in memory. `records` are as a journal would give them back; what was attached is not kept.

    `now_ns` tells the run's clock. Not for several threads at once.
    """

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._wall = WallTime()
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Record)
        self.records: list[Record] = []

    def append(self, event: AnyEvent, *, source: str, scenario: str = "") -> Record:
        """Note one event. UsageError for one that could not be read back."""
        utc, _ = self._wall.now()
        record = Record(
            seq=len(self.records), mono_ns=self._now_ns(), utc=utc, source=source, scenario=scenario, event=event
        )
        try:
            self.records.append(self._decoder.decode(self._encoder.encode(record)))
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise UsageError(f"{type(event).__name__} from {source!r} cannot be noted: {error}.") from error
        return record

    def attach(self, data: bytes, suffix: str) -> str:
        """The SHA-256 of the data, which is not kept."""
        return hashlib.sha256(data).hexdigest()

    def sync(self) -> None:
        """Nothing lasts."""
