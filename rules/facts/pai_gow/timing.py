"""Facts about how long devices take, where the operator says how long they may."""

from evidence.events import DeviceCommanded, DeviceCycle, DeviceDispensed, TableDone
from rules.inputs import seconds_of
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

LIMITS = {"shuffle": "longest_shuffle_s", "deal_group": "longest_dispense_s", "deal_card": "longest_dispense_s"}
NS_PER_S = 1_000_000_000


class TimingTracker:
    """Times each piece of work from its command to its end, on the clock of the run."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[int, int, str]] = {}
        """By device: record and moment of the command, and the input that limits the work."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case DeviceCommanded(device=device, command=command) if command in LIMITS and table.role(device):
                self._begun[device] = (moment.seq, moment.mono_ns, LIMITS[command])
            case DeviceCycle(device=device, phase="completed" | "aborted") | DeviceDispensed(device=device):
                return self._ended(device, moment, table)
            case TableDone(outcome="failed"):
                return [draft for device in list(self._begun) for draft in self._ended(device, moment, table)]
            case _:
                pass
        return []

    def _ended(self, device: str, moment: Moment, table: Table) -> list[Draft]:
        if device not in self._begun:
            return []
        seq, began_ns, name = self._begun.pop(device)
        limit_s = seconds_of(table.inputs, name)
        took_ns = moment.mono_ns - began_ns
        facts: dict[str, Value] = {
            "device": device,
            "role": table.role(device),
            "seconds": round(took_ns / NS_PER_S),
            "over": limit_s is not None and took_ns > limit_s * NS_PER_S,
            "limit": "missing" if limit_s is None else "given",
        }
        return [Draft(name="work_timed", at=seq, attributes=facts, evidence=(moment.seq,))]
