"""A driver's line to its device: a link whose every byte and trouble is journalled before anything is made of it."""

from collections.abc import Iterable
from typing import Literal

from bench.clock import Clock, Deadline
from bench.drivers.base import Emit
from bench.links import Link
from evidence.errors import RigFault
from evidence.events import LinkBytes, LinkFault

LinkFaultKind = Literal["timeout", "garbage", "crc", "sequence", "nak", "closed", "overflow", "lost"]

CHUNK = 65_536
"""Bytes in one record of the journal at most."""
MAX_SHOWN = 4096
"""Bytes of a frame without an answer that a record shows."""


class Line:
    """What a driver writes and reads through. `name` is the device's; it stands in the journal for the link's."""

    def __init__(self, name: str, link: Link, clock: Clock, emit: Emit) -> None:
        self.name = name
        self._link = link
        self._clock = clock
        self._emit = emit

    def write(self, data: bytes) -> None:
        """Journal and send. RigFault when the device is gone."""
        if data:
            self._emit(LinkBytes(link=self.name, direction="tx", data=data.hex()))
            try:
                self._link.write(data)
            except RigFault as error:
                self.fault("closed", str(error))
                raise

    def read(self, deadline: Deadline) -> list[bytes]:
        """Wait until something arrives, and read and journal it; nothing when the deadline passes first.

        What has arrived by the deadline is read even if the deadline has passed already. RigFault when the device is
        gone.
        """
        self._clock.wait([self._link], deadline)
        try:
            data = self._link.read()
        except RigFault as error:
            self.fault("closed", str(error))
            raise
        chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
        for chunk in chunks:
            self._emit(LinkBytes(link=self.name, direction="rx", data=chunk.hex()))
        return chunks

    def fault(self, kind: LinkFaultKind, detail: str, sent: bytes = b"") -> None:
        """Journal one trouble; `sent` is what found no answer, or was refused because it came damaged."""
        self._emit(LinkFault(link=self.name, kind=kind, detail=detail, sent=sent[:MAX_SHOWN].hex()))

    def faults(self, troubles: Iterable[tuple[LinkFaultKind, str]], refused: bytes = b"") -> None:
        """Journal the troubles found in a piece of data: one record of each kind, so that noise does not fill it.

        `refused` is what was sent and came to the device damaged, by a refusal among them.
        """
        by_kind: dict[LinkFaultKind, list[str]] = {}
        for kind, detail in troubles:
            by_kind.setdefault(kind, []).append(detail)
        for kind, details in by_kind.items():
            detail = details[0] + (f" (and {len(details) - 1} more)" if len(details) > 1 else "")
            self.fault(kind, detail, refused if kind == "nak" else b"")

    def fileno(self) -> int:
        """Descriptor that becomes readable when the device says something."""
        return self._link.fileno()

    def ready(self) -> bool:
        """True when bytes have been read that nobody has taken yet."""
        return self._link.ready()

    def close(self) -> None:
        """Release the link. May be called twice."""
        self._link.close()
