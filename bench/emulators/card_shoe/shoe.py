"""The emulated shoe: hands pull the cards, a reader in the throat sees each, and the firmware follows the game.

The shoe has no drive. It holds the cards, reads what is pulled through its throat, and cannot keep a hand from pulling:
a card drawn while it is locked or in error is told as one outside the game. How long things take, when the result is
told and where the cutting card lies are engineering judgement.
"""

import hashlib
from collections.abc import Callable, Generator, Iterable

import simpy

from bench.clock import schedule_on
from bench.emulators.baccarat import next_side, winner
from bench.emulators.card_shoe.line import ShoeLine
from bench.emulators.defects import DEFECTS
from bench.emulators.injector import Injector
from bench.emulators.lines import Line, LineEdge, Probe
from bench.emulators.world import MOUTH, Cards
from bench.faults.catalogue import catalogue
from bench.protocol.angel_eye import telegrams as t
from bench.protocol.angel_eye.messages import ERRORS, RANKS, SUITS, Card, Error, Hand, Message, Outside, Result, Told
from evidence.errors import UsageError

KIND = "card_shoe"
"""What its defects are listed under."""
POLL_S = 0.05
"""How often the throat sensor is read."""
TRANSIT_S = 0.15
START_S = 0.5
CUT_AT = 14
"""Cards behind the cutting card."""
CANNOT_READ, OVERDRAW, BUTTON_MISUSE, CARD_CODE, DRAW_TIMEOUT = 1, 2, 3, 6, 7
REVERSE_RUN = {"exit": 4, "midway": 5}
LONGEST_DRAW_S = 3.0
"""How long a card may stand in the throat (engineering judgement)."""
SWING_S, PUSH_S = 0.005, 0.2
"""How long a card has left the throat when it is pushed back, and how long it is in it again."""
PRESS_S = 0.1
SUFFERS = ("card_stuck_on_exit", "code_not_read", "card_of_another_set", "card_pushed_back", "button_misused")
"""The faults of devices that can befall a shoe without a drive."""


class EmulatedCardShoe:
    """A card-reading shoe in a world. All time is that of `env`. UsageError for a defect that it does not have."""

    role = "shoe"

    def __init__(
        self,
        env: simpy.Environment,
        world: Cards,
        name: str = "shoe",
        *,
        defects: Iterable[str] = (),
        poll_s: float = POLL_S,
    ) -> None:
        self.env = env
        self._poll_s = poll_s
        self.world = world
        self.name = name
        self.defects = frozenset(defects)
        known = {defect.name for defect in DEFECTS if KIND in defect.devices}
        for defect in sorted(self.defects - known):
            raise UsageError(f"card shoe: there is no defect {defect!r}; there are {', '.join(sorted(known))}.")
        self.probe = Probe(env, ("exit",))
        self.faults = Injector(env, "shoe")
        self.current_a = 0.05
        self._exit = Line(self.probe, env, "exit")
        self._reader = Line(self.probe, env, "reader")
        self._button = Line(self.probe, env, "button")
        self._line: ShoeLine | None = None
        self._pulled, self._opened = world.pulled(name), world.opened(name)
        self._started = False
        self._locked = True
        self._error = 0
        self._cut = False
        self._read = 0
        self._player: list[str] = []
        self._banker: list[str] = []
        self._burns = 0
        env.process(self._watch())

    def connect(self, send: Callable[[bytes], None], *, with_stx: bool = True) -> ShoeLine:
        """Put the shoe on a line: `send` takes its bytes, `.feed()` of the result the host's."""
        self._line = ShoeLine(send, self.obey, schedule_on(self.env), with_stx=with_stx)
        self._line.numbers_copies = "numbers_each_copy" in self.defects
        return self._line

    # --- what a bench can do to it besides talking ---

    def arm(self, name: str, **settings: object) -> None:
        """Arm a fault of the catalogue, and clip the probe on what shows it. UsageError for one it cannot have."""
        if name not in SUFFERS:
            raise UsageError(f"card shoe: it has no drive, and no fault {name!r}; it can have {', '.join(SUFFERS)}.")
        self.faults.arm(name, settings)
        self.clip(name)

    def clip(self, name: str, **settings: object) -> None:
        """Clip the probe on the lines that would show a fault of the catalogue."""
        self.probe.clip_on(catalogue()[name].proof.lines)

    def disarm(self) -> None:
        self.faults.disarm()

    def image(self) -> str:
        """SHA-256 of the program memory, which stands for the image that a real one would have."""
        return hashlib.sha256(b"cardcert card shoe firmware 1.0.0").hexdigest()

    def tap(self) -> list[LineEdge]:
        """Edges at the throat since the last call, oldest first."""
        return self.probe.drain()

    # --- the throat ---

    def _watch(self) -> Generator[simpy.Event, object, None]:
        while True:
            yield self.env.timeout(self._poll_s)
            if self._opened != (opened := self.world.opened(self.name)):
                self._opened = opened
                self._emptied()
            if not self._started and self.world.count(f"{self.name}/tray"):
                yield from self._start()
            pulled = self.world.pulled(self.name)
            while self._pulled < pulled:
                self._pulled += 1
                yield from self._pass()

    def _start(self) -> Generator[simpy.Event, object, None]:
        """The lid has been closed over a full magazine and the start button pressed."""
        self.world.move(f"{self.name}/tray", f"{self.name}/inside")
        self.say(Told("standby"))
        yield self.env.timeout(START_S)
        self._started, self._locked, self._cut = True, True, False
        self._read = 0
        self.faults.begin_cycle()
        self._forget_game()
        self.say(Told("start"))

    def _emptied(self) -> None:
        """Somebody has opened the shoe and taken the cards out: a game under way is forced to quit."""
        if self._player:
            self.say(Result("void"))
        self._forget_game()
        if self._started:
            self._started = False
            self.say(Told("standby"))

    def _pass(self) -> Generator[simpy.Event, object, None]:
        """One card is pulled through the throat, if there is one."""
        label = self.world.label(f"{self.name}/inside", 0)
        if not self.world.move(f"{self.name}/inside", MOUTH, 1, take="bottom"):
            return
        card = self._read + 1
        unread = self.faults.take("code_not_read", card)
        foreign = self.faults.take("card_of_another_set", card)
        held = self.faults.take("card_stuck_on_exit", card)
        self._exit.set(1)
        self._reader.set(int(not (unread or foreign)))
        held_s = held.seconds("hold_s") or LONGEST_DRAW_S + 1.0 if held else TRANSIT_S
        yield self.env.timeout(max(TRANSIT_S, held_s))
        self._exit.set(0)
        self._reader.set(0)
        if held_s > LONGEST_DRAW_S:
            self._fail(DRAW_TIMEOUT)
        if self.world.count(f"{self.name}/inside") <= CUT_AT and not self._cut:
            self._cut = True
            self.say(Told("cut_card"))
        if unread:
            self._read += 1
            self._fail(CANNOT_READ)
            self.say(Card("error", 0, ""))
        else:
            self._tell("" if foreign else label)
        yield from self._meddle(card)

    def _meddle(self, card: int) -> Generator[simpy.Event, object, None]:
        """What somebody does at the shoe after a card has come."""
        if pushed := self.faults.take("card_pushed_back", card):
            yield self.env.timeout(SWING_S)
            self._exit.set(1)
            yield self.env.timeout(PUSH_S)
            self._exit.set(0)
            self._fail(REVERSE_RUN[pushed.word("depth")])
        if self.faults.take("button_misused", card):
            self._button.set(1)
            yield self.env.timeout(PRESS_S)
            self._button.set(0)
            self._fail(BUTTON_MISUSE)

    # --- the game ---

    def _tell(self, label: str) -> None:
        self._read += 1
        if label[:1] not in RANKS[1:] or label[1:] not in SUITS.values() or not label[1:]:
            self._fail(CARD_CODE)
            self.say(Card("error", 0, ""))
            return
        if "misreads_a_card" in self.defects and self._read == 3:
            label = label[0] + ("c" if label[1] != "c" else "d")
        side = next_side(self._player, self._banker)
        if self._error:
            self._outside("error", label)
        elif self._locked and "deals_while_locked" in self.defects:
            self._beyond(label)
        elif self._locked:
            self._outside("locked", label)
        elif side:
            self._in_game(side, label)
        else:
            self._fail(OVERDRAW)
            if "deals_on_after_error" in self.defects:
                self._beyond(label)
            else:
                self._outside("error", label)

    def _in_game(self, side: str, label: str) -> None:
        hand = self._player if side == "player" else self._banker
        hand.append(label)
        to: Hand = "player" if side == "player" else "banker"
        self.say(Card(to, len(hand), label))

    def _beyond(self, label: str) -> None:
        """Tell of a card as one of the player's, though the game has no place for it."""
        self.say(Card("player", len(self._player) + 1, label))

    def _outside(self, state: Outside, label: str) -> None:
        self.say(Card(state, 0, label))

    def _fail(self, code: int) -> None:
        self._error = code
        self.say(Error(code))
        if "cancels_errors_itself" in self.defects:
            self._error = 0
            self.say(Error(code, mode=False, cancelled=True))

    def _forget_game(self) -> None:
        self._player.clear()
        self._banker.clear()

    # --- orders ---

    def obey(self, order: t.Order) -> int:
        """Carry out an order; the code of the refusal, 0 when it is taken on."""
        match order:
            case t.Order("LK", "01" | "02"):
                if self._error and order.data == "01":
                    return t.BUSY
                self._locked = order.data == "02"
                self.say(Told("locked" if self._locked else "unlocked"))
            case t.Order("EC"):
                if not self._error or order.data != f"{self._error:02d}":
                    return t.OTHER
                self._error = 0
                self.say(Error(int(order.data), mode=False, cancelled=True))
            case t.Order("GP", "00"):
                self._confirm()
            case t.Order("LK" | "GP"):
                return t.BAD_TYPE
            case _:
                return t.BAD_COMMAND
        return 0

    def _confirm(self) -> None:
        """The host asks for the end of the game: the result, or an error where cards are missing."""
        if not self._player or next_side(self._player, self._banker):
            self._fail(BUTTON_MISUSE)
            return
        won = winner(self._player, self._banker)
        if "wrong_result" in self.defects:
            won = "banker" if won == "player" else "player"
        pairs = [hand[0][0] == hand[1][0] for hand in (self._player, self._banker)]
        self.say(Result(won, *pairs))  # type: ignore[arg-type]
        self._forget_game()

    # --- for tests of a host ---

    def say(self, message: Message) -> None:
        """Tell the host, if one is there."""
        if self._line is not None:
            self._line.say(message)

    def fail(self, code: int) -> None:
        """Let one of the shoe's own errors happen."""
        if code not in ERRORS:
            raise UsageError(f"card shoe: there is no error {code}; there are {', '.join(map(str, ERRORS))}.")
        self._fail(code)
