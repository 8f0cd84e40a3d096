"""One error tree. A non-conformity is a verdict, never an exception.

Every message says where, what was expected, what was seen and how to mend it.
"""


class CardcertError(Exception):
    """Base of every error raised on purpose. `exit_status` is what the command line returns for it."""

    exit_status = 3

    @property
    def lines(self) -> list[str]:
        """The message; several where several things are wrong."""
        return [str(self)]


class UsageError(CardcertError):
    """The caller or a file it wrote is wrong: bad plan, pack, rig file, image, bundle or option."""

    exit_status = 2


class RigFault(CardcertError):
    """The far side failed: a port, a device that never answers, table software that hung up, a blind camera."""

    exit_status = 3


class EvidenceDamaged(CardcertError):
    """Stored evidence does not hold together. The message names the first place that does not."""

    exit_status = 3
