"""A connection whose two ends live in this process, so that the virtual clock can wait until its bytes have arrived.

The kernel hands bytes over when it pleases. Counting them at both ends, and moving time only when the counts agree,
makes a run over real ptys and sockets repeat exactly.
"""

import select

from bench.clock import await_fd
from bench.links.link import StreamLink
from bench.links.ports import EmulatorPort
from evidence.errors import RigFault

PATIENCE_S = 5.0
"""Real time that bytes may take from one end to the other within one machine before the rig counts as broken."""


class Wire:
    """Ties the host's link to the emulator's port. Make it when both are open and nothing is on the way."""

    def __init__(self, link: StreamLink, port: EmulatorPort) -> None:
        self._link = link
        self._port = port
        port.fill()  # a TCP port takes the host's connection here
        self._to_port = link.tx_bytes - port.rx_bytes
        self._to_link = port.tx_bytes - link.rx_bytes
        self._said = (-1, -1)
        """What both ends had sent when last all of it had come to the other."""
        link.wired = True
        port.before_hang_up = self._bring_last

    def settle(self) -> bool:
        """Bring every byte to the other end and hand it over. RigFault when bytes do not arrive within 5 s."""
        link, port, stream = self._link, self._port, self._link.stream
        # Asked after every event of the emulated world, and mostly nothing has been said since.
        if stream.tx_bytes == self._said[0] and port.tx_bytes == self._said[1] and not port.hung_up:
            return False
        if stream.fd < 0:
            return False
        if port.hung_up:
            return self._notice_end()
        to_port = link.tx_bytes - port.rx_bytes - self._to_port
        to_link = port.tx_bytes - link.rx_bytes - self._to_link
        if to_port > 0:
            self._await_port(port.rx_bytes + to_port)
            port.deliver()
        elif to_link > 0:
            self._await_link(link.rx_bytes + to_link)
        if to_port <= 0 and to_link <= 0:
            self._said = (stream.tx_bytes, port.tx_bytes)
        return to_port > 0 or to_link > 0

    def _await_port(self, target: int) -> None:
        while self._port.rx_bytes < target:
            self._link.stream.flush()
            if not self._port.fill() and not await_fd(self._port.fileno(), select.POLLIN, PATIENCE_S):
                raise self._lost(target - self._port.rx_bytes, "to the emulated device")

    def _await_link(self, target: int) -> None:
        stream = self._link.stream
        while stream.rx_bytes < target and not stream.gone:
            self._port.fill()  # also sends what the port could not send before
            if not stream.fill() and not stream.gone and not await_fd(stream.fd, select.POLLIN, PATIENCE_S):
                raise self._lost(target - stream.rx_bytes, "from the emulated device")

    def _bring_last(self) -> None:
        """The emulated device is about to hang up: what it said before that is not lost by chance."""
        to_link = self._port.tx_bytes - self._link.rx_bytes - self._to_link
        if to_link > 0 and self._link.stream.fd >= 0:
            self._await_link(self._link.rx_bytes + to_link)

    def _notice_end(self) -> bool:
        """The device has hung up: let the link see it now, and not whenever the kernel gets round to it."""
        stream = self._link.stream
        if stream.gone:
            return False
        while not stream.gone:
            if not stream.fill() and not stream.gone and not await_fd(stream.fd, select.POLLIN, PATIENCE_S):
                raise self._lost(0, "from the emulated device, which hung up")
        return True

    def _lost(self, missing: int, where: str) -> RigFault:
        return RigFault(f"{self._link.url}: {missing} bytes did not arrive {where} within {PATIENCE_S:.0f} s")
