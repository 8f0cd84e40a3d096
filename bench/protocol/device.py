"""The device's end of the reference protocol, for emulated devices and as a model for makers."""

from collections.abc import Callable

from bench.clock import Schedule
from bench.protocol.messages import EventMessage, Reply, Request


class DeviceEndpoint:
    """Answers the host's requests and sends events until they are acknowledged.

    `send` puts bytes on the line, `handle` answers a request at once (what comes of a command is told by `notify`),
    `schedule` runs the retransmission timer, `boot` is a number that differs after every start of the device.
    """

    def __init__(
        self,
        send: Callable[[bytes], None],
        handle: Callable[[Request], Reply],
        schedule: Schedule,
        *,
        boot: int = 1,
    ) -> None:
        raise NotImplementedError

    def feed(self, data: bytes) -> None:
        """Take bytes as they arrive, in pieces of any size."""
        raise NotImplementedError

    def notify(self, event: EventMessage) -> None:
        """Queue an event for the host. Sent at once when a session is open and nothing is waiting before it."""
        raise NotImplementedError

    def reset(self, boot: int) -> None:
        """The device has lost power and started again: session and waiting events are gone."""
        raise NotImplementedError
