"""How an event stands in a drawing: in which lane, and under which short label."""

from evidence import events as e
from evidence.events import Record

_KINDS = ("bench", "device", "instrument", "camera", "software")
_PEOPLE = ("dealer", "player", "operator", "floor")


def lane_of(record: Record) -> str:
    """The lane of who told it: bench, device, instrument, camera, software or people."""
    kind = record.source.partition(":")[0]
    return "people" if kind in _PEOPLE else kind if kind in _KINDS else "bench"


def label_of(event: e.AnyEvent) -> str:
    """A word or two beside its mark, in the words of the protocol, the same in every language. May be empty."""
    match event:
        case e.Directive(verb=word) | e.DeviceFault(symptom=word) | e.LinkFault(kind=word):
            return word
        case e.TableRequested(request=word) | e.PlayerDid(act=word) | e.DealerDid(act=word):
            return word
        case e.FaultArmed(fault=word) | e.FaultProven(fault=word) | e.FaultUnproven(fault=word):
            return word
        case e.DeviceCycle():
            return f"{event.kind} {event.phase}"
        case e.DeviceDispensed():
            return f"{event.unit} {event.index}: {event.count}"
        case e.CardsSeen():
            return f"{event.place}: {'?' if event.count is None else event.count}"
        case e.DiceSeen():
            return f"{'?' if event.total is None else event.total}"
        case e.TableDone():
            return f"{event.verb} {event.outcome}"
        case e.LineSeen():
            return f"{event.line} {event.level}"
    return ""
