"""A short dialogue with a service: what is said and heard is bounded, and none of it is kept."""

import re

from bench.clock import Clock
from bench.links.link import Link
from evidence.errors import RigFault

MOST_HEARD = 64 * 1024
"""Bytes that a service may say in one dialogue; what follows is not read."""
QUIET_S = 0.5
"""A service that has said nothing more for so long has come to the end of what it says."""
_TELNET = re.compile(rb"\xff(?:([\xfb-\xfe])(.)|\xfa.{0,200}?\xff\xf0|[\xf0-\xf9])", re.DOTALL)
_REPLY = {0xFB: b"\xff\xfe", 0xFD: b"\xff\xfc"}
"""To `will` the answer is `do not`, to `do` it is `will not`: no option of Telnet is taken on."""


class Dialogue:
    """One connection to a service, with `answer_timeout_s` seconds for each answer."""

    def __init__(self, link: Link, clock: Clock, answer_timeout_s: float) -> None:
        self._link = link
        self._clock = clock
        self._timeout_s = answer_timeout_s
        self._raw = bytearray()
        self.heard = b""
        """What the service has said since something was last said to it, without Telnet's options."""
        self.ended = False
        """True once the service has hung up."""

    def say(self, data: bytes) -> None:
        """Send; what was heard until now is forgotten."""
        self._raw.clear()
        self.heard = b""
        try:
            self._link.write(data)
        except RigFault:
            self.ended = True

    def until(self, *wanted: re.Pattern[bytes], otherwise: re.Pattern[bytes] | None = None) -> re.Pattern[bytes] | None:
        """Listen until what was heard fits one of the patterns, the first that does; None where none does in time.

        What fits may be the middle of something longer: it counts once nothing more follows for a while. `otherwise`
        counts where none of the others has come by the end of the time.
        """
        deadline = self._clock.deadline(self._timeout_s)
        while True:
            found = next((pattern for pattern in wanted if pattern.search(self.heard)), None)
            if self.ended or len(self._raw) > MOST_HEARD or deadline.passed(self._clock.now_ns()):
                return found or self._fitting(otherwise)
            quiet = self._clock.deadline(min(QUIET_S, self._timeout_s)) if found is not None else deadline
            if not self._clock.wait([self._link], quiet):
                return found or self._fitting(otherwise)
            self._receive()

    def close(self) -> None:
        """Hang up. May be called twice."""
        self._link.close()

    def _fitting(self, pattern: re.Pattern[bytes] | None) -> re.Pattern[bytes] | None:
        return pattern if pattern is not None and pattern.search(self.heard) else None

    def _receive(self) -> None:
        try:
            data = self._link.read()
        except RigFault:
            self.ended = True
            return
        self._raw += data[: MOST_HEARD + 1]
        replies = [
            _REPLY[ord(found[1])] + found[2] for found in _TELNET.finditer(data) if found[1] in (b"\xfb", b"\xfd")
        ]
        self.heard = _TELNET.sub(b"", bytes(self._raw)).replace(b"\x00", b"")
        if replies:
            try:
                self._link.write(b"".join(replies[:100]))
            except RigFault:
                self.ended = True
