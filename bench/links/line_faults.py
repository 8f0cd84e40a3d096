"""Faults of a line, as they are armed, and what the line tells of having done them."""

from typing import Annotated, Literal

import msgspec

from bench.links.missed_tries import Way

Kind = Literal[
    "drop", "delay", "duplicate", "reorder", "truncate", "flip", "checksum", "break", "half_open", "cut_off", "hang_up",
]  # fmt: skip

Whole = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=3600)]


class LineFault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fault of a line: `kind` befalls `count` frames (0: all) going `way`, from the `first` after arming on."""

    kind: Kind
    way: Way = "rx"
    """For `cut_off` and `hang_up` the way whose frames are counted; both ways are dead afterwards."""
    first: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    count: Whole = 1
    seconds: Seconds = 0.0
    """`delay`: how late; `half_open`, `cut_off`, `hang_up`: how long the line is dead, 0 until it is restored."""
    copies: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """`duplicate`: how often the frame comes once more."""
    later: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """`reorder`: how many frames overtake it."""
    bits: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    """`flip`: how many bits are turned round."""
    keep: Whole = 0
    """`truncate`, `break`: bytes that still come; 0: some of them."""


class Deed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was done to one frame. `after` is what comes out in its place, now or later; bytes in hexadecimal."""

    at_ns: int
    kind: Kind
    way: Way
    frame: int
    """Number of the frame on its way, from 1, counted while anything was armed."""
    before: str
    after: str
    detail: str = ""
