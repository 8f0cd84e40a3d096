"""Facts about putting devices to use: what they are, and whether the authority approved them."""

from evidence.events import (
    ApprovalRecord,
    DealerDid,
    DeviceCommanded,
    DeviceIdentity,
    DeviceSeen,
    Directive,
    TableRequested,
)
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value
from rules.wording import clip

WORK = ("load", "shuffle", "deal_group", "deal_card")
"""Commands by which a device handles cards."""


class UseTracker:
    """Knows identities and approvals, and states the first use of each device."""

    def __init__(self) -> None:
        self._identities: dict[str, tuple[int, DeviceIdentity]] = {}
        self._approvals: dict[str, tuple[int, ApprovalRecord]] = {}
        self._used: set[str] = set()
        self._offered: set[str] = set()

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DeviceIdentity():
                self._identities[event.device] = (moment.seq, event)
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
        approved, why, evidence = self._approved(device, table)
        says = f"the {role} {clip(device)!r} was put to use; {why}"
        facts: dict[str, Value] = {"device": device, "role": role, "approved": approved}
        drafts = [Draft(name="device_in_use", says=says, attributes=facts, evidence=evidence)]
        known = self._identities.get(device)
        size = known[1].group_size if known else None
        says = f"the {role} {clip(device)!r} states that it is set to groups of {size if known else 'unknown size'}"
        facts = {"device": device, "role": role, "group_size": size}
        stated = (known[0],) if known else ()
        drafts.append(Draft(name="device_configured", says=says, attributes=facts, evidence=stated))
        return drafts

    def _approved(self, device: str, table: Table) -> tuple[bool | None, str, tuple[int, ...]]:
        """Whether the approval record names this very device, firmware, location and procedure."""
        if device not in self._approvals:
            return False, "there is no approval record for it", ()
        seq, approval = self._approvals[device]
        if device not in self._identities:
            return None, "its identity is not known", (seq,)
        stated, identity = self._identities[device]
        for name in ("maker", "model", "firmware_sha256"):
            if getattr(identity, name) != getattr(approval, name):
                return False, f"its {name} is not the one approved", (seq, stated)
        for name in ("location", "procedure"):
            if not getattr(approval, name).strip():
                return False, f"its approval states no {name}", (seq, stated)
        here = table.inputs.get("location", "")
        if here and here != approval.location:
            return False, "it is approved for another location", (seq, stated)
        return True, "it is approved as it stands", (seq, stated)

    def _request(self, event: TableRequested, table: Table) -> Draft:
        approved = self._approved(event.device, table)[0] if event.device else None
        device = f" {clip(event.device)}" if event.device else ""
        tried = "tried the forbidden step" if event.probe else "asked"
        facts: dict[str, Value] = {
            "request": event.request,
            "device": event.device,
            "role": table.role(event.device),
            "probe": event.probe,
            "approved": approved,
        }
        says = f"the dealer {tried}: {event.request.replace('_', ' ')}{device}"
        return Draft(name="request", says=says, attributes=facts)

    def _asked(self, table: Table) -> list[Draft]:
        drafts: list[Draft] = []
        for device, role in table.roles.items():
            if device in self._offered or role not in ("shuffler", "shoe"):
                continue
            self._offered.add(device)
            approved, why, evidence = self._approved(device, table)
            says = f"play was asked for with the {role} {clip(device)!r} at the table; {why}"
            facts: dict[str, Value] = {"device": device, "role": role, "approved": approved}
            drafts.append(Draft(name="play_asked", says=says, attributes=facts, evidence=evidence))
        return drafts

    def _seen(self, event: DeviceSeen, table: Table) -> list[Draft]:
        role = table.role(event.device)
        if not role:
            return []
        seen = {True: "on the table", False: "off the table", None: "neither on nor off the table"}[event.present]
        facts: dict[str, Value] = {"device": event.device, "role": role, "present": event.present}
        says = f"the camera saw the {role} {clip(event.device)!r} {seen}"
        return [Draft(name="device_seen", says=says, attributes=facts)]
