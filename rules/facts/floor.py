"""Facts about what people of the house decide."""

from evidence.events import FloorRuled
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value


class FloorTracker:
    """States each ruling of the floor."""

    watches = (FloorRuled,)
    states = ("floor_ruled",)

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        if not isinstance(event, FloorRuled):
            return []
        facts: dict[str, Value] = {
            "question": event.question,
            "ruling": event.ruling,
            "by": event.by,
            "position": event.position,
        }
        return [Draft(name="floor_ruled", attributes=facts)]
