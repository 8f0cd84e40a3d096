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
