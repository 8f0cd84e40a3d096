"""Facts about hand methods of shuffling and dealing, and the devices that stand on the table meanwhile."""

from typing import Literal

from evidence.events import DealerDid, DeviceSeen, SessionOpened, TableDone, TableRequested
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

Stage = Literal["requested", "allowed", "ordered", "done"]

FUNCTIONS = {
    "shuffle_by_hand": "shuffling",
    "deal_by_hand": "dealing",
}
SHUFFLES = ("shuffle", "reshuffle")


class MethodTracker:
    """Knows which devices stand on the table, and states every step towards a method by hand for each of them."""

    watches = (SessionOpened, DeviceSeen, DealerDid, TableRequested, TableDone)
    states = ("method_used",)

    def __init__(self) -> None:
        self._present: dict[str, bool | None] = {}
        self._seen_at: dict[str, int] = {}

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case SessionOpened():
                self._present = dict.fromkeys(event.devices, True)
            case DeviceSeen() if event.device in self._present:
                if event.present is not None or self._present[event.device] is not True:
                    self._present[event.device] = event.present
                self._seen_at[event.device] = moment.seq
            case DealerDid(act="remove_device", device=device) if device in self._present:
                self._present[device] = None
            case DealerDid(act="place_device", device=device) if device in self._present:
                self._present[device] = True
            case DealerDid() if event.act in FUNCTIONS:
                return self._state(FUNCTIONS[event.act], "done", table)
            case TableRequested() if event.request in FUNCTIONS:
                return self._state(FUNCTIONS[event.request], "requested", table)
            case TableDone() if moment.done is not None:
                directive = moment.done[1]
                if directive.method == "hand":
                    function = "shuffling" if directive.verb in SHUFFLES else "dealing"
                    return self._state(function, "ordered", table)
                if directive.verb == "proceed" and directive.request in FUNCTIONS:
                    return self._state(FUNCTIONS[directive.request], "allowed", table)
            case _:
                pass
        return []

    def _state(self, function: str, stage: Stage, table: Table) -> list[Draft]:
        drafts: list[Draft] = []
        for device, present in self._present.items():
            facts: dict[str, Value] = {
                "device": device,
                "role": table.role(device),
                "function": function,
                "stage": stage,
                "on_table": present,
            }
            seen = (self._seen_at[device],) if device in self._seen_at else ()
            drafts.append(Draft(name="method_used", attributes=facts, evidence=seen))
        return drafts
