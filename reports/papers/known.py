"""Non-conformities that are known, until a date. Known or not, a failure stays a failure; it is only marked."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from evidence.tomlfile import load_toml
from reports.papers.laboratory import Line, Note

FILE_NAME = "known-nonconformities.toml"
"""Its name in a run folder."""


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One non-conformity that somebody knows of. What is left out may be anything."""

    clause: Line
    until: datetime.date
    """The last day on which it counts as known."""
    why: Note
    scenario: Line = ""
    requirement: Line = ""
    firmware_sha256: Line = ""
    """Only where a device with this firmware took part."""
    reference: Line = ""
    """Where it is being worked on: a number of the maker's or the laboratory's."""
    agreed_by: Line = ""


class KnownFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of known non-conformities as written."""

    known: Annotated[list[Known], msgspec.Meta(max_length=1000)] = []


@dataclass(frozen=True)
class Failure:
    """What a known non-conformity is held against: one failed clause in one scenario, with what was broken of it."""

    clause: str
    scenario: str
    requirements: tuple[str, ...]
    firmware_sha256: tuple[str, ...]


@dataclass(frozen=True)
class Mark:
    """How a failure is marked: `known`, or `expired` where the day is past. Nothing else follows from it."""

    state: Literal["known", "expired"]
    entry: Known


def load_known(path: Path) -> tuple[Known, ...]:
    """Read and check a file of known non-conformities. Raises UsageError with file, line and remedy."""
    return tuple(load_toml(path, KnownFile, "file of known non-conformities").known)


def mark_of(failure: Failure, known: Sequence[Known], day: datetime.date) -> Mark | None:
    """The mark of a failure seen on a day; None when nobody knows of it. One that still counts goes before the rest."""
    fitting = [entry for entry in known if _fits(entry, failure)]
    live = [entry for entry in fitting if day <= entry.until]
    if live:
        return Mark("known", live[0])
    return Mark("expired", max(fitting, key=lambda entry: entry.until)) if fitting else None


def _fits(entry: Known, failure: Failure) -> bool:
    return (
        entry.clause == failure.clause
        and entry.scenario in ("", failure.scenario)
        and (not entry.requirement or entry.requirement in failure.requirements)
        and (not entry.firmware_sha256 or entry.firmware_sha256 in failure.firmware_sha256)
    )
