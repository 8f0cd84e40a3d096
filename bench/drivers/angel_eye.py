"""Driver for the ANGEL EYE II-EX dealing shoe (docs/protocol-angel-eye.md). Cards are drawn from it by hand."""

import re
from collections import deque

from bench.clock import Clock, Deadline
from bench.drivers.base import Claim, Emit, Options, Role, number_option, refuse_unknown, whole_number_option
from bench.drivers.line import Line
from bench.links import Link
from bench.protocol.angel_eye import messages as m
from bench.protocol.angel_eye import telegrams as t
from bench.protocol.angel_eye.copies import Copies
from bench.protocol.angel_eye.rounds import Booked, Rounds
from evidence.errors import RigFault, UsageError
from evidence.events import (
    DeviceAnswered,
    DeviceCard,
    DeviceCommanded,
    DeviceFault,
    DeviceIdentity,
    DeviceNotice,
    DeviceResult,
    DeviceStatus,
)

BY_HAND = ("load", "unload", "deal_card")
"""Orders that the shoe does not take: hands do it, and the shoe tells of it."""
ORDERS = {"unlock": t.Order("LK", "01"), "lock": t.Order("LK", "02"), "confirm_game": t.Order("GP", "00")}
COMMANDS = (*BY_HAND, *ORDERS, "cancel_error", "clear_fault")
DAMAGED = (0x01, t.BAD_BCC, t.NO_ETX, t.BAD_LENGTH)
"""Refusals that say that an order came damaged."""
AGAIN = (*DAMAGED, t.BUSY, 0x22)
"""Refusals after which the same order may yet be taken."""
ASKS_WITH = "ST00"
"""No order of this shoe: it refuses it, does nothing, and has shown that it is there."""
ORDER = re.compile(r"[A-Z0-9]{4}")
MAX_CLAIMS = 1024
"""Claims kept until they are taken; what a shoe says beyond that is not acknowledged."""
SYMPTOMS = {"OVERDRAW": "count", "DRAW_TIMEOUT": "incomplete"}


class AngelEyeDriver:
    """Options: `answer_timeout_s` (0.5) and `tries` (3) of an order; `quiet_s` (1.0), how long answers that are still
    owed are waited for; `bcc_with_stx` (1), whether the check of an order takes in its first byte; `copies` (1), how
    many of the three copies of a telegram must agree before it counts; `asks_with` (ST00), the order by which the shoe
    is asked whether it is there.
    """

    hand_drawn = True

    def __init__(self, name: str, role: Role, link: Link, clock: Clock, emit: Emit, options: Options) -> None:
        refuse_unknown(name, options, {"answer_timeout_s", "tries", "quiet_s", "bcc_with_stx", "copies", "asks_with"})
        if role != "shoe":
            raise UsageError(f'device {name}: this driver is for dealing shoes. Set role = "shoe".')
        self.name = name
        self.role: Role = role
        self._line = Line(name, link, clock, emit)
        self._clock = clock
        self._emit = emit
        self._answer_timeout_s = number_option(name, options, "answer_timeout_s", 0.5, 0.001, 60)
        self._quiet_s = number_option(name, options, "quiet_s", 1.0, 0.001, 60)
        self._tries = whole_number_option(name, options, "tries", 3, 1, 20)
        self._with_stx = whole_number_option(name, options, "bcc_with_stx", 1, 0, 1) == 1
        self._copies = Copies(whole_number_option(name, options, "copies", 1, 1, 3))
        asks_with = options.get("asks_with", ASKS_WITH)
        if not isinstance(asks_with, str) or not ORDER.fullmatch(asks_with):
            raise UsageError(
                f"device {name}: option asks_with is {asks_with!r}; expected an order of four capitals or digits, such "
                f"as {ASKS_WITH}"
            )
        self._asks_with = t.Order(asks_with[:2], asks_with[2:])
        self._decoder = t.ShoeDecoder()
        self._rounds = Rounds()
        self._claims: deque[Claim] = deque()
        self._reply: t.Reply | None = None
        self._owed = 0
        """Answers that may still come to orders that were sent."""
        self._error: m.Error | None = None
        self._started = False

    def identify(self) -> DeviceIdentity:
        """The shoe cannot be asked who it is, only whether it is there; what is known of its role only is stated."""
        self._give(self._asks_with, refused_too=True)
        return DeviceIdentity(
            device=self.name, role=self.role, maker="", model="", serial="", firmware="", firmware_sha256=""
        )

    def status(self) -> DeviceStatus:
        """How the shoe stood when it last spoke, once it has shown that it still is there.

        It cannot be asked how it stands, and counts no cards. But it answers any order, if only by refusing it: where
        no answer comes the line is dead, or the shoe is, and what it said before vouches for nothing. RigFault then.
        """
        self._give(self._asks_with, refused_too=True)
        code = self._error.name if self._error else ""
        return DeviceStatus(
            device=self.name, state="fault" if code else "ready" if self._started else "idle", code=code
        )

    def command(self, name: str, **args: int) -> DeviceAnswered:
        if name not in COMMANDS:
            raise UsageError(f"{self.name}: no command {name!r}; this device knows {', '.join(COMMANDS)}")
        unknown = sorted(set(args) - ({"code"} if name == "cancel_error" else {"expected"}))
        if unknown:
            raise UsageError(f"{self.name}: {name} does not take {', '.join(unknown)}")
        self._emit(DeviceCommanded(device=self.name, command=name, args=args))
        refused = "" if name in BY_HAND else self._give(self._order(name, args.get("code", 0)))
        answered = DeviceAnswered(device=self.name, command=name, accepted=not refused, code=refused)
        self._emit(answered)
        return answered

    def next_claim(self, deadline: Deadline) -> Claim | None:
        while not self._claims and self._receive(deadline):
            pass
        return self._claims.popleft() if self._claims else None

    def fileno(self) -> int:
        return self._line.fileno()

    def ready(self) -> bool:
        return bool(self._claims) or self._line.ready()

    def close(self) -> None:
        self._line.close()

    # --- orders ---

    def _order(self, name: str, code: int) -> t.Order:
        if name in ORDERS:
            return ORDERS[name]
        code = code or (self._error.code if self._error else 0)
        if not 0 <= code <= 99:
            raise UsageError(f"{self.name}: {name}: code is {code}; expected 1 to 99")
        return t.Order("EC", f"{code:02d}")

    def _give(self, order: t.Order, *, refused_too: bool = False) -> str:
        """Give one order until it is answered; "" when it is taken on, else why not. RigFault without an answer.

        With `refused_too` a refusal is as good an answer: the shoe is asked whether it is there.
        """
        self._await_owed()
        data = t.encode_order(order, with_stx=self._with_stx)
        said = f"{order.kind}{order.data}"
        for again in range(self._tries):
            self._reply = None
            self._line.write(data)
            self._owed += 1
            deadline = self._clock.deadline(self._answer_timeout_s)
            while self._reply is None and self._receive(deadline):
                pass
            reply = self._reply
            if reply is None:
                more = "; asked again" if again + 1 < self._tries else "; given up"
                self._line.fault("timeout", f"no answer to {said} within {self._answer_timeout_s} s{more}", data)
            elif reply.code is None or refused_too:
                return ""
            else:
                damaged = data if reply.code in DAMAGED else b""
                self._line.fault("nak", f"{said}: {t.NAK_CODES[reply.code]}", damaged)
                if reply.code not in AGAIN or again + 1 == self._tries:
                    return f"NAK_{reply.code:02X}"
        raise RigFault(
            f"{self.name}: ordered {said} {self._tries} times, no answer within {self._answer_timeout_s} s each. "
            "Check that the shoe is on, its cable, 4800 baud 8N1, and bcc_with_stx."
        )

    def _await_owed(self) -> None:
        """An answer bears no number: those still owed to earlier orders are let in before the next order is given."""
        deadline = self._clock.deadline(self._quiet_s)
        while self._owed and self._receive(deadline):
            pass
        self._owed = 0

    # --- what comes in ---

    def _receive(self, deadline: Deadline) -> bool:
        """Take in the next thing that arrives; False when the deadline has passed, however busy the line is."""
        troubles: list[tuple[str, str]] = []
        for chunk in self._line.read(deadline):
            answers = bytearray()
            for item in self._decoder.feed(chunk):
                answers += self._take(item, troubles)
            self._line.faults(troubles)  # type: ignore[arg-type]
            troubles.clear()
            self._line.write(bytes(answers))
        return not deadline.passed(self._clock.now_ns())

    def _take(self, item: t.Telegram | t.Reply | t.Damage, troubles: list[tuple[str, str]]) -> bytes:
        """Take in one thing; returns what is to be answered."""
        match item:
            case t.Damage(kind, size, nak):
                troubles.append((kind, f"{size} bytes thrown away"))
                return t.encode_reply(t.Reply(nak)) if nak else b""
            case t.Reply():
                if not self._owed:
                    troubles.append(("sequence", "an answer although nothing was asked; dropped"))
                else:
                    self._owed -= 1
                    self._reply = item
                return b""
            case t.Telegram():
                return self._telegram(item, troubles)

    def _telegram(self, telegram: t.Telegram, troubles: list[tuple[str, str]]) -> bytes:
        judged = self._copies.judge(telegram)
        if self._copies.dropped is not None:
            troubles.append(("lost", f"telegram {self._copies.dropped.seq:#04x} came too few times; dropped"))
        if judged == "conflict":
            troubles.append(("sequence", f"telegram {telegram.seq:#04x} once more, with other data; dropped"))
            return t.encode_reply(t.Reply(t.OTHER))
        if judged == "repetition":
            return t.encode_reply(t.Reply())
        try:
            message = m.unpack(telegram.data)
        except m.MalformedData as error:
            troubles.append(("garbage", str(error)))
            return t.encode_reply(t.Reply(t.BAD_TYPE))
        if len(self._claims) >= MAX_CLAIMS:
            troubles.append(("overflow", f"more than {MAX_CLAIMS} claims not taken; one not accepted"))
            self._copies.forget(telegram)  # its next copy may find room
            return t.encode_reply(t.Reply(t.BUSY))
        self._claims.extend(self._claim(booked) for booked in self._rounds.take(message))
        return t.encode_reply(t.Reply())

    def _claim(self, booked: Booked) -> Claim:
        match booked.message:
            case m.Card(hand, index, label):
                return DeviceCard(
                    device=self.name, hand=hand, index=index, label=label, shoe=booked.shoe, round=booked.round,
                    again=booked.again,
                )  # fmt: skip
            case m.Result(winner, player_pair, banker_pair):
                return DeviceResult(
                    device=self.name, winner=winner, player_pair=player_pair, banker_pair=banker_pair,
                    shoe=booked.shoe, round=booked.round, standing=booked.standing or "final",
                )  # fmt: skip
            case m.Error() as error if error.cancelled:
                self._error = None
                return DeviceNotice(device=self.name, notice="error_cancelled", detail=error.name)
            case m.Error() as error:
                self._error = error if error.mode else self._error
                return DeviceFault(
                    device=self.name,
                    code=error.name,
                    symptom=SYMPTOMS.get(error.name, "other"),  # type: ignore[arg-type]
                    recovered=not error.mode,
                )
            case m.Told(notice, detail):
                self._started = self._started or notice == "start"
                return DeviceNotice(device=self.name, notice=notice, detail=detail)
