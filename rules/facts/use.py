"""Facts about putting devices to use: what they are, and whether the authority approved them."""

from evidence.events import (
    ApprovalRecord,
    DealerDid,
    DeviceChecked,
    DeviceCommanded,
    DeviceIdentity,
    DeviceSeen,
    Directive,
    TableRequested,
)
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

WORK = ("load", "shuffle", "deal_group", "deal_card")
"""Commands by which a device handles cards."""


class UseTracker:
    """Knows identities and approvals, and states the first use of each device."""

    watches = (
        DeviceIdentity, DeviceChecked, ApprovalRecord, DealerDid, Directive, DeviceCommanded, DeviceSeen,
        TableRequested,
    )  # fmt: skip
    states = ("device_in_use", "device_configured", "device_seen", "request", "play_asked")

    def __init__(self) -> None:
        self._identities: dict[str, tuple[int, DeviceIdentity]] = {}
        self._approvals: dict[str, tuple[int, ApprovalRecord]] = {}
        self._refuted: dict[str, int] = {}
        """Devices that did not answer as one with the firmware handed in does, with the record."""
        self._used: set[str] = set()
        self._offered: set[str] = set()

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DeviceIdentity():
                self._identities[event.device] = (moment.seq, event)
            case DeviceChecked(matches=False):
                self._refuted.setdefault(event.device, moment.seq)
            case ApprovalRecord():
                self._approvals[event.device] = (moment.seq, event)
            case DealerDid(act="load", device=device) | Directive(verb="load_device", device=device):
                return self._use(device, table)
            case DeviceCommanded(command=command, device=device) if command in WORK:
                return self._use(device, table)
            case DeviceSeen():
                return self._seen(event, table)
            case TableRequested():
                return [self._request(event, table), *self._asked(table)]
            case _:
                pass
        return []

    def _use(self, device: str, table: Table) -> list[Draft]:
        role = table.role(device)
        if device in self._used or not role:
            return []
        self._used.add(device)
        approved, approval, evidence = self._approved(device, table)
        facts: dict[str, Value] = {"device": device, "role": role, "approved": approved, "approval": approval}
        drafts = [Draft(name="device_in_use", attributes=facts, evidence=evidence)]
        known = self._identities.get(device)
        facts = {"device": device, "role": role, "group_size": known[1].group_size if known else None}
        stated = (known[0],) if known else ()
        drafts.append(Draft(name="device_configured", attributes=facts, evidence=stated))
        return drafts

    def _approved(self, device: str, table: Table) -> tuple[bool | None, str, tuple[int, ...]]:
        """Whether the approval record names this very device, firmware, location and procedure, and what is wrong."""
        if device not in self._approvals:
            return False, "no_record", ()
        seq, approval = self._approvals[device]
        if device not in self._identities:
            return None, "no_identity", (seq,)
        stated, identity = self._identities[device]
        for name, approved in (("maker", "maker"), ("model", "model"), ("firmware", "firmware_sha256")):
            if getattr(identity, approved) != getattr(approval, approved):
                return False, name, (seq, stated)
        if device in self._refuted:
            return False, "firmware", (seq, self._refuted[device])
        for name in ("location", "procedure"):
            if not getattr(approval, name).strip():
                return False, f"no_{name}", (seq, stated)
        here = table.inputs.get("location", "")
        if here and here != approval.location:
            return False, "elsewhere", (seq, stated)
        return True, "approved", (seq, stated)

    def _request(self, event: TableRequested, table: Table) -> Draft:
        approved = self._approved(event.device, table)[0] if event.device else None
        facts: dict[str, Value] = {
            "request": event.request,
            "device": event.device,
            "role": table.role(event.device),
            "probe": event.probe,
            "approved": approved,
        }
        return Draft(name="request", attributes=facts)

    def _asked(self, table: Table) -> list[Draft]:
        drafts: list[Draft] = []
        for device, role in table.roles.items():
            if device in self._offered or role not in ("shuffler", "shoe"):
                continue
            self._offered.add(device)
            approved, approval, evidence = self._approved(device, table)
            facts: dict[str, Value] = {"device": device, "role": role, "approved": approved, "approval": approval}
            drafts.append(Draft(name="play_asked", attributes=facts, evidence=evidence))
        return drafts

    def _seen(self, event: DeviceSeen, table: Table) -> list[Draft]:
        role = table.role(event.device)
        if not role:
            return []
        facts: dict[str, Value] = {"device": event.device, "role": role, "present": event.present}
        return [Draft(name="device_seen", attributes=facts)]
