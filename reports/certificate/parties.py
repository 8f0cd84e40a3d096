"""Who tested what for whom, as the laboratory's file and the run state it; what neither states is empty."""

import datetime
from collections.abc import Mapping
from typing import Any

import msgspec

from reports.papers.laboratory import SOFTWARE, Item, LabFile
from reports.run_view import RunView
from reports.shape import mapping, mappings

DEVICE = ("device", "role", "maker", "model", "serial", "firmware", "firmware_sha256")
PROGRAM = ("maker", "product", "version", "sha256")
_LABORATORY = ("name", "address", "contact", "accreditation", "location")
_ARRIVAL = ("description", "condition", "received", "inventory_number", "remarks")


def reference_of(run: RunView) -> str:
    """A name for this run that follows from its evidence: the beginning of the journal's head."""
    head = str(mapping(run.run.get("journal")).get("head") or "")
    return f"CC-{head[:12].upper()}" if head else "CC-UNKNOWN"


def report_of(run: RunView) -> dict[str, Any]:
    """The report's own data. Without a number of the laboratory's the evidence gives it one."""
    lab = run.lab or LabFile()
    return {
        "number": lab.report_number or reference_of(run),
        "numbered_by_laboratory": bool(lab.report_number),
        "issued": day(lab.issued),
        "replaces": None if lab.replaces is None else msgspec.to_builtins(lab.replaces),
        "authorised_by": msgspec.to_builtins(lab.authorised_by),
        "decision_rule": lab.decision_rule,
        "remarks": lab.remarks,
    }


def laboratory_of(run: RunView) -> dict[str, Any]:
    """The laboratory: its file goes before what the rig file says of it; anything else there is kept in `other`."""
    rig = {str(name): str(value) for name, value in mapping(run.run.get("laboratory")).items()}
    lab = (run.lab or LabFile()).laboratory
    told = {name: str(getattr(lab, name)) or rig.get(name, "") for name in _LABORATORY}
    return told | {"other": [{"name": name, "value": value} for name, value in rig.items() if name not in _LABORATORY]}


def customer_of(run: RunView) -> dict[str, Any]:
    """The customer."""
    told: dict[str, Any] = msgspec.to_builtins((run.lab or LabFile()).customer)
    return told


def devices_of(run: RunView) -> list[dict[str, Any]]:
    """Every device that took part, as it identified itself, with what the laboratory says of how it came."""
    return [
        texts(device, DEVICE) | _arrival(run, str(device.get("device"))) for device in mappings(run.run.get("devices"))
    ]


def software_of(run: RunView) -> dict[str, Any]:
    """The table software, likewise."""
    return texts(mapping(run.run.get("software")), PROGRAM) | _arrival(run, SOFTWARE)


def circumstances_of(run: RunView) -> dict[str, Any]:
    """What else the laboratory states: surroundings, sampling, uncertainty, other providers, the customer's part."""
    lab = run.lab or LabFile()
    return {
        "conditions": msgspec.to_builtins(lab.condition),
        "sampling": {"plan": lab.sampling.plan, "date": day(lab.sampling.date)},
        "uncertainty": msgspec.to_builtins(lab.uncertainty),
        "external": msgspec.to_builtins(lab.external),
        "from_customer": list(lab.from_customer),
        "opinions": msgspec.to_builtins(lab.opinion),
    }


def _arrival(run: RunView, device: str) -> dict[str, str]:
    lab = run.lab or LabFile()
    item = next((item for item in lab.item if item.device == device), Item(device))
    return {name: day(item.received) if name == "received" else str(getattr(item, name)) for name in _ARRIVAL}


def day(date: datetime.date | None) -> str:
    """A date as ISO 8601; empty when there is none."""
    return "" if date is None else date.isoformat()


def texts(source: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """The named entries as texts; empty where there is none."""
    return {name: "" if source.get(name) is None else str(source[name]) for name in names}


def entries(source: object) -> list[dict[str, str]]:
    """A mapping as a list of `name` and `value`, in its order."""
    return [{"name": str(name), "value": str(value)} for name, value in mapping(source).items()]
