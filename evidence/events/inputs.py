"""Events: what the operator gives for judging and playing."""

from evidence.events.base import Event


class OperatorInput(Event, frozen=True, tag="operator.input"):
    """An input that the operator gave. Its content stands in `session.opened` under the same name."""

    name: str
    file: str
    """The file that it came from, as the plan or rig file names it; empty when its words stood there."""
    size_bytes: int
    sha256: str
    """Digest of the content as UTF-8."""
