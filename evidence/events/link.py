"""Events: the links."""

from typing import Literal

from evidence.events.base import Event


class LinkBytes(Event, frozen=True, tag="link.bytes"):
    link: str
    direction: Literal["tx", "rx"]
    data: str
    """Raw bytes in hexadecimal, recorded before anything is decoded."""


class LinkFault(Event, frozen=True, tag="link.fault"):
    """Trouble on a link. `garbage` is what follows no protocol, `sequence` what came out of turn.

    `lost` is what the other end is known to have said and that never came.
    """

    link: str
    kind: Literal["timeout", "garbage", "crc", "sequence", "nak", "closed", "overflow", "lost"]
    detail: str = ""
    sent: str = ""
    """The frame that found no answer (`timeout`), or was refused because it came damaged (`nak`), in hexadecimal; of
    a long frame the first bytes."""


class LinkAltered(Event, frozen=True, tag="link.altered"):
    """Something between both ends of a link did this to one frame: what came to it, and what it let out instead."""

    link: str
    kind: Literal[
        "drop", "delay", "duplicate", "reorder", "truncate", "flip", "checksum", "break", "half_open", "cut_off",
        "hang_up",
    ]  # fmt: skip
    direction: Literal["tx", "rx"]
    before: str
    """Bytes in hexadecimal, of a long frame the first."""
    after: str
    at_ns: int
    """When it happened, on the clock of the run."""
    detail: str = ""
