"""Events: what people of the house decide."""

from evidence.events.base import Event


class FloorRuled(Event, frozen=True, tag="floor.ruled"):
    """A floor person decided what the rules leave to the house. Told to the table software."""

    question: str
    """What was to be decided, in the word of the directive `call_floor`, such as `unlisted_dealing_error`."""
    ruling: str
    """What was decided, in one word where there is one, such as `misdeal` or `play_on`."""
    by: str
    """Who decided: a name or a function."""
    position: str = ""
    """The hand it is about; empty when it is about the whole table."""
