"""What a bad line does to what is sent over it: frames lost, late, doubled, cut short, altered; a line that is dead.

`FaultyLine` is a pure, seeded transformer: the same faults, bytes and moments give the same bytes out, and it keeps no
clock and moves no bytes by itself. It remembers what it has done, before and after, so that the bench can record it.
`faulty_path.FaultyPath` lets it work on a real or virtual clock.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from bench.clock import NS_PER_S
from bench.links.framings import Chunks, Framing
from bench.links.line_faults import Deed, Kind, LineFault
from bench.links.missed_tries import MissedTries, Way
from evidence.errors import UsageError

MAX_ARMED = 100
MAX_DEEDS = 10_000
MAX_SHOWN = 4096
"""Bytes of a frame that a deed shows."""
PATIENCE_S = 0.25
"""How long the end of a frame is waited for while a fault is armed."""
OVERTAKEN_S = 1.0
"""How long a frame is held for others to overtake it; nobody may come."""


@dataclass(slots=True)
class _Armed:
    fault: LineFault
    base: int
    """Frames that had passed when it was armed."""


@dataclass(slots=True)
class _Side:
    """One way of the line."""

    framing: Framing
    passed: int = 0
    """Bytes of a frame's beginning that were let through before anything was armed."""
    frames: int = 0
    waiting: deque[tuple[int, bytes]] = field(default_factory=deque)
    """Frames that are late, with their moments in order; those behind them wait too."""
    overtaken: list[tuple[int, int, bytes]] = field(default_factory=list)
    """Frames that others overtake: frames that must pass until then, the own one among them; when at the latest."""
    tail_due_ns: int = -1
    dead: Kind | None = None
    dead_until_ns: int = -1
    """-1: until restored."""
    died_of: Kind = "cut_off"


class FaultyLine:
    """Both ways of one line. `framing` makes what finds its frames. Moments are nanoseconds of the caller's clock."""

    def __init__(self, seed: int | str = 0, framing: Callable[[], Framing] = Chunks) -> None:
        self._rng = Random(f"line:{seed}")
        self._framing = framing
        self._sides: dict[Way, _Side] = {"tx": _Side(framing()), "rx": _Side(framing())}
        self._armed: list[_Armed] = []
        self._missed = MissedTries()
        self._deeds: deque[Deed] = deque(maxlen=MAX_DEEDS)

    # --- what the bench does ---

    def arm(self, fault: LineFault) -> None:
        """Arm one fault. UsageError when there are too many, or when this line's frames cannot have it."""
        if len(self._armed) >= MAX_ARMED:
            raise UsageError(f"line: {MAX_ARMED} faults are armed already; disarm them first.")
        if fault.kind == "checksum" and not self._sides[fault.way].framing.spoils:
            raise UsageError("line: its frames have no checksum that could be wrong; use flip.")
        if fault.kind == "delay" and not fault.seconds:
            raise UsageError("line: a delay needs seconds.")
        side = self._sides[fault.way]
        # A frame whose beginning has gone through already cannot be befallen any more.
        self._armed.append(_Armed(fault, side.frames + bool(side.passed)))

    def disarm(self) -> None:
        """Forget every fault that has not happened yet. A dead line stays dead until it is restored."""
        self._armed.clear()
        self._missed = MissedTries()

    def restore(self) -> None:
        """Let a dead line live again, both ways."""
        for side in self._sides.values():
            side.dead = None
        self._missed = MissedTries()

    def renew(self) -> None:
        """A new connection begins: what was on the way is gone, faults stay armed."""
        for way, side in self._sides.items():
            self._sides[way] = _Side(
                self._framing(),
                frames=side.frames,
                dead=side.dead,
                dead_until_ns=side.dead_until_ns,
                died_of=side.died_of,
            )

    def take_deeds(self, most: int = MAX_DEEDS) -> list[Deed]:
        """What was done since the last call, in order; at most so many, the others with the next call."""
        return [self._deeds.popleft() for _ in range(min(most, len(self._deeds)))]

    # --- what the line does ---

    def carry(self, way: Way, data: bytes, now_ns: int) -> bytes:
        """Put bytes on the line; what comes out at its other end now."""
        side = self._sides[way]
        troubled = self._armed or self._missed or side.dead or side.waiting or side.overtaken or side.tail_due_ns >= 0
        if not troubled:
            side.framing.skip(data)
            side.passed = len(side.framing.held)
            return data
        out = bytearray()
        for piece in side.framing.feed(data):
            if side.passed:
                out += self._finish(way, piece[side.passed :], now_ns)
            else:
                out += self._treat(way, piece, now_ns)
        held = side.framing.held
        if self._is_dead(side, now_ns) or (self._is_armed(way) and not side.passed):
            if held and side.tail_due_ns < 0:
                side.tail_due_ns = now_ns + round(PATIENCE_S * NS_PER_S)
        else:
            out += self._let_out(side, bytes(held[side.passed :]), now_ns)
            side.passed = len(held)
            side.tail_due_ns = -1
        return bytes(out)

    def hangs_up(self, now_ns: int) -> bool:
        """Whether the connection is to be closed at both ends; whoever carries the bytes sees to it."""
        return any(self._is_dead(side, now_ns) and side.dead == "hang_up" for side in self._sides.values())

    def due_ns(self) -> int | None:
        """The next moment at which `release` gives something; None when nothing is held."""
        moments = [
            moment
            for side in self._sides.values()
            for moment in (
                *([side.waiting[0][0]] if side.waiting else []),
                *(due for _, due, _ in side.overtaken),
                *([side.tail_due_ns] if side.tail_due_ns >= 0 else []),
            )
        ]
        return min(moments, default=None)

    def release(self, now_ns: int) -> list[tuple[Way, bytes]]:
        """What has been held long enough, and comes out now."""
        out: list[tuple[Way, bytes]] = []
        for way, side in self._sides.items():
            parts = bytearray()
            while side.waiting and side.waiting[0][0] <= now_ns:
                parts += side.waiting.popleft()[1]
            if 0 <= side.tail_due_ns <= now_ns:
                piece = side.framing.flush()
                if side.passed:
                    parts += self._finish(way, piece[side.passed :], now_ns)
                else:
                    parts += self._treat(way, piece, now_ns)
            for late in [entry for entry in side.overtaken if entry[1] <= now_ns]:
                side.overtaken.remove(late)
                parts += self._let_out(side, late[2], now_ns)
            if parts:
                out.append((way, bytes(parts)))
        return out

    def _is_armed(self, way: Way) -> bool:
        return any(armed.fault.way == way for armed in self._armed)

    def _is_dead(self, side: _Side, now_ns: int) -> bool:
        if side.dead and 0 <= side.dead_until_ns <= now_ns:
            side.dead = None
        return side.dead is not None

    def _finish(self, way: Way, rest: bytes, now_ns: int) -> bytes:
        """The rest of a frame whose beginning was let through before anything was armed."""
        side = self._sides[way]
        side.passed = 0
        side.frames += 1
        side.tail_due_ns = -1
        if not self._is_dead(side, now_ns):
            return self._let_out(side, rest, now_ns)
        self._note(way, side.dead or "cut_off", rest, b"", now_ns, "the line is dead")
        return b""

    def _treat(self, way: Way, frame: bytes, now_ns: int) -> bytes:
        """What comes out now for one frame."""
        side = self._sides[way]
        side.frames += 1
        side.tail_due_ns = -1
        if self._is_dead(side, now_ns):
            self._lose(way, frame, now_ns)
            self._note(way, side.dead or "cut_off", frame, b"", now_ns, "the line is dead")
            return b""
        if self._missed and self._missed.lose(way, side.framing.question(frame)):
            self._note(way, side.died_of, frame, b"", now_ns, "the line was dead when this would have been tried again")
            return b""
        armed = self._due(way, side.frames)
        out = self._let_out(side, frame, now_ns) if armed is None else self._befall(armed.fault, way, frame, now_ns)
        return out + self._let_overtaken(side, now_ns)

    def _lose(self, way: Way, frame: bytes, now_ns: int) -> None:
        """A whole frame finds the line dead for a time: the tries that fit into that time are lost, each of them."""
        side = self._sides[way]
        if side.dead_until_ns >= 0 and (question := side.framing.question(frame)) is not None:
            at = way if self._sides["tx"].dead is None else "tx"
            self._missed.lost(at, question, side.dead_until_ns - now_ns)

    def _due(self, way: Way, number: int) -> _Armed | None:
        """The first armed fault that befalls this frame. One that is over is forgotten."""
        for armed in list(self._armed):
            fault, at = armed.fault, number - armed.base
            if fault.way != way or at < fault.first:
                continue
            if fault.count and at >= fault.first + fault.count - 1:
                self._armed.remove(armed)
            return armed
        return None

    def _befall(self, fault: LineFault, way: Way, frame: bytes, now_ns: int) -> bytes:
        side, rng, detail = self._sides[way], self._rng, ""
        after = frame
        match fault.kind:
            case "drop":
                after = b""
            case "duplicate":
                after = frame * (1 + fault.copies)
            case "truncate":
                after = frame[: self._kept(fault, frame)]
            case "flip":
                altered = bytearray(frame)
                for bit in rng.sample(range(8 * len(frame)), min(fault.bits, 8 * len(frame))):
                    altered[bit // 8] ^= 1 << bit % 8
                after = bytes(altered)
            case "checksum":
                after = side.framing.spoil(frame, rng)
            case "break":
                # A receiver reads the long low level as one zero byte.
                after = frame[: self._kept(fault, frame)] + b"\0"
            case "delay":
                due_ns = now_ns + round(fault.seconds * NS_PER_S)
                side.waiting.append((max(due_ns, side.waiting[-1][0] if side.waiting else 0), frame))
                self._note(way, "delay", frame, frame, now_ns, f"comes {fault.seconds:g} s late")
                return b""
            case "reorder":
                side.overtaken.append((fault.later, now_ns + round(OVERTAKEN_S * NS_PER_S), frame))
                self._note(way, "reorder", frame, frame, now_ns, f"comes after {fault.later} later frames")
                return b""
            case "half_open" | "cut_off" | "hang_up" as kind:
                after = b""
                until_ns = now_ns + round(fault.seconds * NS_PER_S) if fault.seconds else -1
                detail = f"the line is dead for {fault.seconds:g} s" if fault.seconds else "the line is dead"
                for dying in [side] if kind == "half_open" else self._sides.values():
                    dying.dead, dying.died_of, dying.dead_until_ns = kind, kind, until_ns
                    dying.waiting.clear()
                    dying.overtaken.clear()
                self._lose(way, frame, now_ns)
        self._note(way, fault.kind, frame, after, now_ns, detail)
        return self._let_out(side, after, now_ns)

    def _kept(self, fault: LineFault, frame: bytes) -> int:
        return min(fault.keep, len(frame)) if fault.keep else self._rng.randrange(len(frame))

    def _let_out(self, side: _Side, data: bytes, now_ns: int) -> bytes:
        """The bytes, or nothing when they stand behind late ones."""
        if side.waiting and data:
            side.waiting.append((side.waiting[-1][0], data))
            return b""
        return data

    def _let_overtaken(self, side: _Side, now_ns: int) -> bytes:
        """One more frame has passed: those that it was the last to overtake."""
        if not side.overtaken:
            return b""
        ready = bytearray()
        left_over: list[tuple[int, int, bytes]] = []
        for left, due_ns, frame in side.overtaken:
            if left < 1:
                ready += self._let_out(side, frame, now_ns)
            else:
                left_over.append((left - 1, due_ns, frame))
        side.overtaken = left_over
        return bytes(ready)

    def _note(self, way: Way, kind: Kind, before: bytes, after: bytes, now_ns: int, detail: str = "") -> None:
        self._deeds.append(
            Deed(
                at_ns=now_ns,
                kind=kind,
                way=way,
                frame=self._sides[way].frames,
                before=before[:MAX_SHOWN].hex(),
                after=after[:MAX_SHOWN].hex(),
                detail=detail,
            )
        )
