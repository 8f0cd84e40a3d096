"""The laboratory's file: what a report must say (ISO/IEC 17025:2017, 7.8) that no bench can know.

Who tested for whom, what arrived when and in which condition, the surroundings, what was done otherwise than the method
says, opinions, and who answers for the report. Every entry may be left out; the report then shows it as missing.
"""

import datetime
from pathlib import Path
from typing import Annotated

import msgspec

from evidence.tomlfile import load_toml

FILE_NAME = "laboratory.toml"
"""Its name in a run folder."""

SOFTWARE = "software"
"""The item that is the table software; the others are called as the rig calls its devices."""

Line = Annotated[str, msgspec.Meta(max_length=300)]
Note = Annotated[str, msgspec.Meta(max_length=4000)]
_MOST = 100


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Laboratory(_Strict, frozen=True):
    """Who tested. `location` is where, if not at the address."""

    name: Line = ""
    address: Note = ""
    contact: Note = ""
    accreditation: Line = ""
    location: Note = ""


class Customer(_Strict, frozen=True):
    """For whom. `reference` is the customer's order or application."""

    name: Line = ""
    address: Note = ""
    contact: Note = ""
    reference: Line = ""


class Item(_Strict, frozen=True):
    """One item as it came to the laboratory; what it says of itself stands in the journal."""

    device: Line
    """The device's name in the rig file, or `software`."""
    description: Note = ""
    condition: Note = ""
    received: datetime.date | None = None
    inventory_number: Line = ""
    remarks: Note = ""


class Sampling(_Strict, frozen=True):
    """How the items were chosen, where they stand for more than themselves."""

    plan: Note = ""
    date: datetime.date | None = None


class Condition(_Strict, frozen=True):
    """One condition of the surroundings during the test, with its unit in the value: `22.4 °C`."""

    quantity: Line
    value: Line
    uncertainty: Line = ""


class Uncertainty(_Strict, frozen=True):
    """The laboratory's own statement of the uncertainty of a measured quantity."""

    quantity: Line
    value: Line
    """With its unit: `0.8 ms`."""
    coverage: Line = ""
    """Coverage factor or probability: `k = 2, 95 %`."""
    source: Note = ""


class Departure(_Strict, frozen=True):
    """Something added to the method, left out of it, or done otherwise, and why."""

    what: Note
    why: Note = ""
    agreed_by: Line = ""


class External(_Strict, frozen=True):
    """A result that another provider contributed."""

    provider: Line
    result: Note


class Opinion(_Strict, frozen=True):
    """An opinion or interpretation: no result. `basis` says on what it rests."""

    text: Note
    by: Line = ""
    basis: Note = ""


class Authorisation(_Strict, frozen=True):
    """A person who answers for the report."""

    name: Line
    function: Line = ""


class Amendment(_Strict, frozen=True):
    """The earlier report that this one replaces."""

    number: Line
    what_changed: Note


class OfficialText(_Strict, frozen=True):
    """Where the official text of a pack, or of one clause of it, can be read. A link; nothing is fetched."""

    pack: Line
    url: Annotated[str, msgspec.Meta(max_length=500, pattern=r"^https?://[^\s\x00-\x1f<>\"]+$")]
    clause: Line = ""


class LabFile(_Strict, frozen=True):
    """A laboratory's file as written."""

    report_number: Line = ""
    """Unique within the laboratory."""
    issued: datetime.date | None = None
    laboratory: Laboratory = Laboratory()
    customer: Customer = Customer()
    item: Annotated[list[Item], msgspec.Meta(max_length=_MOST)] = []
    sampling: Sampling = Sampling()
    condition: Annotated[list[Condition], msgspec.Meta(max_length=_MOST)] = []
    uncertainty: Annotated[list[Uncertainty], msgspec.Meta(max_length=_MOST)] = []
    decision_rule: Note = ""
    """What was agreed with the customer beyond cardcert's own rule."""
    departure: Annotated[list[Departure], msgspec.Meta(max_length=_MOST)] = []
    external: Annotated[list[External], msgspec.Meta(max_length=_MOST)] = []
    from_customer: Annotated[list[Note], msgspec.Meta(max_length=_MOST)] = []
    """What the customer supplied and the laboratory did not check."""
    opinion: Annotated[list[Opinion], msgspec.Meta(max_length=_MOST)] = []
    authorised_by: Annotated[list[Authorisation], msgspec.Meta(max_length=_MOST)] = []
    replaces: Amendment | None = None
    official_text: Annotated[list[OfficialText], msgspec.Meta(max_length=1000)] = []
    remarks: Note = ""


def load_lab_file(path: Path) -> LabFile:
    """Read and check a laboratory's file. Raises UsageError with file, line and remedy."""
    return load_toml(path, LabFile, "laboratory file")
