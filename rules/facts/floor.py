"""Facts about what people of the house decide."""

from evidence.events import FloorRuled
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value
from rules.wording import clip


class FloorTracker:
    """States each ruling of the floor."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        if not isinstance(event, FloorRuled):
            return []
        about = f" for {clip(event.position)}" if event.position else ""
        asked, ruled = (clip(text.replace("_", " ")) for text in (event.question, event.ruling))
        says = f"{clip(event.by)} ruled on {asked!r}{about}: {ruled!r}"
        facts: dict[str, Value] = {
            "question": event.question,
            "ruling": event.ruling,
            "by": event.by,
            "position": event.position,
        }
        return [Draft(name="floor_ruled", says=says, attributes=facts)]
