"""A proxy on a line, as a process of its own: bytes go through it between two ends, and faults befall them on the way.

It stands between a device and the bench or between table software and the bench: on a pty, a TCP port or a serial port
at the bench's end, and whatever a link can open at the far end. What it did to which frame is fetched over its control.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
import simpy

from bench.clock import NS_PER_S, run_real_time, schedule_on
from bench.emulators.process import open_port, say_ready, stopping
from bench.emulators.rpc import Client, Mailbox, RpcServer
from bench.links import PtyPort, StreamLink, TcpPort, open_link
from bench.links.faulty import MAX_DEEDS, FaultyLine
from bench.links.faulty_path import FaultyPath
from bench.links.framings import find_framing
from bench.links.line_faults import Deed, LineFault
from bench.links.missed_tries import Way
from bench.links.ports import ignore
from evidence.errors import RigFault, UsageError

MOST_UNSENT = 256 * 1024
"""Bytes that may wait for one end before no more are read at the other."""
MAX_SCALE = 1000.0
DEEDS_IN_ANSWER = 500
"""Deeds told at once: with the longest frames that they show, half of what an answer may hold."""


class LinkEnd:
    """One end of the proxy that is a link: a serial port, or the far side. A port for `run_real_time`."""

    def __init__(self, link: StreamLink) -> None:
        self.feed: Callable[[bytes], None] = ignore
        self.gone = ""
        self._link = link

    def write(self, data: bytes) -> None:
        if not self.gone:
            self._try(lambda: self._link.write(data))

    def pump(self) -> None:
        if not self.gone:
            self._try(lambda: self.feed(data) if (data := self._link.read()) else None)

    def flush(self) -> None:
        self._link.stream.flush()
        self.gone = self.gone or self._link.stream.gone

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
        except RigFault as error:
            self.gone = str(error)

    def fileno(self) -> int:
        return -1 if self.gone else self._link.fileno()

    @property
    def unsent(self) -> int:
        return len(self._link.stream.outbox)

    def close(self) -> None:
        self.gone = self.gone or "closed here"
        self._link.close()


class Proxy:
    """Joins the bench's end with the far one, which is opened anew for each client where the bench's end is TCP.

    A port for `run_real_time`; `parts` are its two others. RigFault when an end that is not made anew goes away.
    """

    def __init__(self, near: PtyPort | TcpPort | LinkEnd, to: Callable[[], StreamLink], path_of: "PathMaker") -> None:
        self._near = near
        self._to = to
        self._far: LinkEnd | None = None
        self._path = path_of(self._deliver)
        near.feed = lambda data: self._path.carry("tx", data)
        if isinstance(near, TcpPort):
            near.on_connect, near.on_leave = self._connect, self._leave
        else:
            self._connect()

    @property
    def line(self) -> FaultyLine:
        return self._path.line

    def pump(self) -> None:
        """Carry what has come to either end. An end from which nothing more is read for now still takes what waits."""
        far = self._far
        self._near.flush() if self.near_waits else self._near.pump()
        if far is not None and far is self._far:
            far.flush() if self.far_waits else far.pump()
        if isinstance(self._near, TcpPort):
            if self._path.hangs_up or (self._far is not None and self._far.gone):
                self._near.hang_up()
        else:
            gone = next((end.gone for end in (self._near, self._far) if isinstance(end, LinkEnd) and end.gone), "")
            if gone:
                raise RigFault(gone)

    @property
    def near_waits(self) -> bool:
        """True while nothing more is read from the bench's end, because the far one takes too little."""
        return self._far is not None and self._far.unsent > MOST_UNSENT

    @property
    def far_waits(self) -> bool:
        """True while nothing more is read from the far end, because the bench's takes too little."""
        return self._near.unsent > MOST_UNSENT

    @property
    def reads(self) -> bool:
        return not self.far_waits

    def fileno(self) -> int:
        """The far end's descriptor; the bench's end is a port of its own."""
        idle = self.far_waits and not self.unsent
        return -1 if self._far is None or idle else self._far.fileno()

    @property
    def unsent(self) -> int:
        return 0 if self._far is None else self._far.unsent

    def close(self) -> None:
        self._leave()
        self._near.close()

    def _deliver(self, way: Way, data: bytes) -> None:
        if way == "rx":
            self._near.write(data)
        elif self._far is not None:
            self._far.write(data)

    def _connect(self) -> None:
        self.line.renew()
        try:
            self._far = LinkEnd(self._to())
        except RigFault:
            if not isinstance(self._near, TcpPort):
                raise
            # A client that finds nobody behind the proxy is hung up on, as it would be without it.
            self._near.hang_up()
            return
        self._far.feed = lambda data: self._path.carry("rx", data)

    def _leave(self) -> None:
        if self._far is not None:
            self._far.close()
            self._far = None


PathMaker = Callable[[Callable[[Way, bytes], None]], FaultyPath]


class _Watched:
    """The bench's end as `run_real_time` watches it; the proxy itself pumps it."""

    def __init__(self, near: PtyPort | TcpPort | LinkEnd, proxy: Proxy) -> None:
        self._near, self._proxy = near, proxy

    def pump(self) -> None:
        """Nothing: the proxy pumps both ends in turn."""

    @property
    def reads(self) -> bool:
        return not self._proxy.near_waits

    def fileno(self) -> int:
        return -1 if self._proxy.near_waits and not self.unsent else self._near.fileno()

    @property
    def unsent(self) -> int:
        return self._near.unsent


class Deeds(msgspec.Struct, frozen=True):
    """Answer to `line.deeds`: what was done, and the proxy's time at which it was fetched."""

    now_ns: int
    deeds: Annotated[list[Deed], msgspec.Meta(max_length=DEEDS_IN_ANSWER)]
    more: bool = False
    """There are more than one answer holds; they are fetched by asking again."""


class RemoteLine:
    """Control of a proxy in another process. Moments of deeds are told on the bench's clock, `now_ns`.

    How the two clocks stand to each other is learnt from the calls, on the side on which no deed seems to come after
    what it did: the proxy's time in an answer is none before the call was made.
    """

    def __init__(self, url: str, now_ns: Callable[[], int] | None = None) -> None:
        self._client = Client(url)
        self._now_ns = now_ns
        self._offset_ns: int | None = None

    def arm(self, fault: LineFault) -> None:
        self._client.call("line.arm", {"fault": msgspec.to_builtins(fault)})

    def disarm(self) -> None:
        self._client.call("line.disarm")

    def restore(self) -> None:
        self._client.call("line.restore")

    def take_deeds(self) -> list[Deed]:
        """What was done since the last call, as much as a proxy keeps at most; the rest comes with the next call."""
        deeds: list[Deed] = []
        for _ in range(MAX_DEEDS // DEEDS_IN_ANSWER):
            asked_ns = self._now_ns() if self._now_ns else 0
            answer = self._client.call("line.deeds")
            try:
                told = msgspec.convert(answer, Deeds)
            except msgspec.ValidationError as error:
                raise RigFault(f"{self._client.url}: not the deeds of a proxy ({error}).") from None
            offset_ns = self._learnt(asked_ns - told.now_ns) if self._now_ns else 0
            deeds += [msgspec.structs.replace(deed, at_ns=deed.at_ns + offset_ns) for deed in told.deeds]
            if not told.more:
                break
        return deeds

    def _learnt(self, least_ns: int) -> int:
        """How far the bench's clock is ahead of the proxy's: so far at least, and no less than was learnt before."""
        self._offset_ns = least_ns if self._offset_ns is None else max(self._offset_ns, least_ns)
        return self._offset_ns


def line_methods(line: FaultyLine, now_ns: Callable[[], int], mailbox: Mailbox) -> dict[str, Callable[..., object]]:
    """What a bench can call on a proxy's control port; `mailbox` must be pumped by the proxy's thread."""

    def arm(fault: LineFault) -> object:
        return mailbox.call(lambda: line.arm(fault))

    def disarm() -> object:
        return mailbox.call(line.disarm)

    def restore() -> object:
        return mailbox.call(line.restore)

    def deeds() -> object:
        def take() -> Deeds:
            taken = line.take_deeds(DEEDS_IN_ANSWER)
            return Deeds(now_ns=now_ns(), deeds=taken, more=len(taken) == DEEDS_IN_ANSWER)

        return mailbox.call(take)

    return {"line.arm": arm, "line.disarm": disarm, "line.restore": restore, "line.deeds": deeds}


def serve_proxy(
    to: str,
    *,
    port: str = "pty",
    host: str = "127.0.0.1",
    link: Path | None = None,
    framing: str = "reference",
    control_port: int = 0,
    scale: float = 1.0,
    seed: int = 1,
    stop_with_stdin: bool = False,
) -> None:
    """Carry bytes between `port` (`pty`, `tcp:PORT` or a serial port) and the far side at `to` until told to stop.

    `to` is a link's URL; `ws://host:port` stands for the TCP port of table software. UsageError for an option that does
    not fit, RigFault when an end goes away that does not come back by itself.
    """
    if not 0 < scale <= MAX_SCALE:
        raise UsageError(f"scale is {scale:g}; expected more than 0 and at most {MAX_SCALE:g} run seconds a second.")
    url = f"socket://{to.removeprefix('ws://').rstrip('/')}" if to.startswith("ws://") else to
    env = simpy.Environment()

    def now_ns() -> int:
        return round(env.now * NS_PER_S)

    line = FaultyLine(seed, find_framing(framing))
    with contextlib.ExitStack() as stack:
        near: PtyPort | TcpPort | LinkEnd
        near = LinkEnd(open_link(port)) if port.startswith("/") else open_port(port, host, link)
        stack.callback(near.close)
        proxy = Proxy(near, lambda: open_link(url), lambda deliver: FaultyPath(line, now_ns, schedule_on(env), deliver))
        stack.callback(proxy.close)
        mailbox = Mailbox()
        stack.callback(mailbox.close)
        control = RpcServer(line_methods(line, now_ns, mailbox), control_port, host)
        stack.callback(control.close)
        address = near.path if isinstance(near, PtyPort) else near.url if isinstance(near, TcpPort) else port
        ready = {"emulator": "proxy", "port": address, "link": str(link or ""), "to": to, "control": control.url}
        if to.startswith("ws://") and isinstance(near, TcpPort):
            ready["url"] = address.replace("socket://", "ws://")
        with stopping(stop_with_stdin) as stopped:
            say_ready(ready)
            run_real_time(env, [proxy, _Watched(near, proxy), mailbox], stopped, scale)
