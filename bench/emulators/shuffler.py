"""The emulated carousel shuffler: 54 slots, one pack at a time.

Each card goes from the tray into a free slot drawn at random; then the slots are emptied in turn. That makes every
order of the pack equally likely.
"""

import hashlib
import random
from collections.abc import Collection, Iterable

import simpy

from bench.emulators.device import PROBED, EmulatedDevice
from bench.emulators.firmware import Firmware, Stopped, Trouble, Work
from bench.emulators.leaks import Leaks
from bench.emulators.shuffler_mechanics import ShufflerMechanics
from bench.emulators.shuffler_strikes import cards_put_back
from bench.emulators.timings import ShufflerTimings
from bench.emulators.world import Cards
from bench.protocol.messages import Command, Cycle, CycleKind, Identity

IDENTITY = Identity(
    role="shuffler",
    maker="cardcert",
    model="Carousel 54",
    serial="EMU-S-0001",
    firmware="1.0.0",
    firmware_sha256=hashlib.sha256(b"cardcert Carousel 54 firmware 1.0.0").hexdigest(),
)
"""What the emulated shuffler says of itself; its digest stands for the image that a real one would have."""


class ShufflerFirmware(Firmware):
    """Drives the mechanics by their lines; keeps a map of the slots that it has filled."""

    def __init__(
        self, env: simpy.Environment, mechanics: ShufflerMechanics, identity: Identity, seed: int | str
    ) -> None:
        super().__init__(env, mechanics.rail, identity)
        self._m = mechanics
        self._t = mechanics.timings
        self._rng = random.Random(f"{seed}:{mechanics.name}:shuffle")
        self._filled: set[int] = set()
        self._spoilt = False
        """A cycle broke off: what is inside is no pack that may be dealt."""
        self._pulses_before: int | None = None
        """What the counter at the exit showed when the first card was about to be given out."""
        self._loaded = 0
        self.keeps_order = False
        self.leaks: Leaks | None = None
        self.calls_broken_complete = False
        m = mechanics
        m.stuck_order = self._keep_order_once
        self._same_order = False
        self.reverse = m.reverse
        self.drives(m.pick, m.entry_roller, m.carousel, m.latch, m.vibrator, m.flap)

    def cards_inside(self) -> int:
        return len(self._filled)

    def boot(self, code: str) -> None:
        """What was inside is unknown after a start: it must come out before anything else."""
        super().boot(code)
        self._spoilt = True

    def _keep_order_once(self) -> None:
        self._same_order = True

    def count(self) -> int:
        """Cards given out by the pulses at the exit; until the first of them, cards taken in."""
        if self.claims is not None:
            return self.claims
        given_out = 0 if self._pulses_before is None else self._m.exit.pulses - self._pulses_before
        return given_out or self._loaded

    def opened(self) -> None:
        super().opened()
        self._filled.clear()
        self._spoilt = False

    def start(self, command: Command) -> str:
        match command.name:
            case "shuffle" | "load":
                if self._spoilt:
                    return "NOT_READY"
                if not self._m.tray.level and not (self._filled and command.name == "shuffle"):
                    return "TRAY_EMPTY"
                self.run(
                    "shuffling" if command.name == "shuffle" else "loading",
                    self._cycle(command.name, command.arg("expected")),
                    command.name,
                )
            case "unload":
                if not self._filled:
                    return "SHUFFLER_EMPTY"
                self.run("unloading", self._cycle("unload", 0), "unload")
            case _:
                return "NOT_SUPPORTED"
        return ""

    def _cycle(self, kind: CycleKind, expected: int) -> Work:
        self._pulses_before = None
        self._loaded = 0
        self._same_order = False
        self._m.begin_cycle()
        self.notify(Cycle(kind, "started"))
        try:
            if self._m.exit.level or self._m.entry.level:
                raise Trouble("SENSOR_FAILED")  # nothing has moved yet, so nothing can lie there
            yield from self._home()
            if kind != "unload":
                yield from self._take_in()
            if kind != "load":
                yield from self._give_out()
                if expected and self.count() != expected:
                    raise Trouble("COUNT_MISMATCH")
                if self._m.tray.level and kind == "shuffle":
                    raise Trouble("CARDS_LEFT_IN_TRAY")
        except Trouble:
            self._spoilt = True
            if not (self.calls_broken_complete and kind == "shuffle"):
                raise
        except Stopped:
            self._spoilt = True
            raise
        finally:
            self._m.faults.end_cycle()
        self.cycles += kind == "shuffle"
        self.state = "ready" if kind != "unload" else "idle"
        self.notify(self.status())
        self.notify(Cycle(kind, "completed", self.count()))

    def _home(self) -> Work:
        self._m.home()
        if not (yield from self.wait(self._m.homing, 1, self._t.homing_leg_s)):
            yield from self.give_up("HOMING", self._m.carousel)
        self._m.carousel.stop()

    def _turn(self, slot: int) -> Work:
        self._m.turn_to(slot)
        if not (yield from self.wait(self._m.slot, 1, self._t.homing_leg_s)):
            if not self._m.carousel.turning or self.lid_was_opened:
                yield from self.give_up("CAROUSEL_MOVE", self._m.carousel)
            # It turns and finds no slot: once more from its home position, and then it is out of alignment.
            yield from self._home()
            self._m.turn_to(slot)
            if not (yield from self.wait(self._m.slot, 1, self._t.homing_leg_s)):
                yield from self.give_up("ALIGNMENT", self._m.carousel)
            self.recovered("ALIGNMENT")
        self._m.carousel.stop()

    def _take_in(self) -> Work:
        if self.leaks is not None:
            self.leaks.ahead(self._slots_to_come())
        self._m.entry_roller.start()
        while self._m.tray.seen:
            self.between_cards()
            free = [slot for slot in range(self._t.slots) if slot not in self._filled]
            if not free:
                raise Trouble("SHUFFLER_FULL")
            slot = free[0] if self.keeps_order or self._same_order else self._rng.choice(free)
            yield from self._turn(slot)
            yield from self._load_card()
            self._filled.add(slot)
            self._loaded += 1
        self._m.entry_roller.stop()

    def _slots_to_come(self) -> list[int]:
        """The slots that will be drawn for the cards in the tray: what whoever knows the generator's state can tell."""
        foreseen, filled = random.Random(), set(self._filled)
        foreseen.setstate(self._rng.getstate())
        slots: list[int] = []
        for _ in range(min(self._m.world.count(self._m.place("tray")), self._t.slots - len(filled))):
            free = [slot for slot in range(self._t.slots) if slot not in filled]
            slots.append(free[0] if self.keeps_order or self._same_order else foreseen.choice(free))
            filled.add(slots[-1])
        return slots

    def _load_card(self) -> Work:
        m, t = self._m, self._t
        m.pick.start()
        if not (yield from self.wait(m.entry, 1, t.card_wait_s)):
            m.pick.start(boosted=True)
            while not (yield from self.wait(m.entry, 1, t.boosted_wait_s)):
                yield from self.stuck("CARD_STUCK_IN_TRAY", m.pick)
        if not all(line.seen for line in m.entry_row):
            raise Trouble("WRONG_INSERTION")
        if m.face.level:
            raise Trouble("CARD_FACE_UP")
        m.pick.stop()
        if not (yield from self.wait(m.entry, 0, t.clear_wait_s)):
            while not (yield from self.wait(m.entry, 0, t.recheck_s)):
                yield from self.stuck("CARD_STUCK_ON_ENTRY", m.entry_roller)
            self.recovered("CARD_STUCK_ON_ENTRY")

    def _give_out(self) -> Work:
        self._pulses_before = self._m.exit.pulses
        cards_put_back(self._m)
        taken_before = self._m.output.pulses
        for slot in sorted(self._filled):
            self.between_cards()
            if self._m.output.pulses != taken_before:
                raise Trouble("PICK_UP_CARDS")  # somebody has taken what lay at the exit
            yield from self._turn(slot)
            yield from self._eject()
            self._filled.discard(slot)
        self._m.flap.start()
        if not (yield from self.wait(self._m.flap_out, 1, 2 * self._t.flap_s)):
            if self._m.flap.stalled:
                raise Trouble("CARD_STUCK_INSIDE")
            yield from self.give_up("CYCLE_TIMEOUT", self._m.flap)
        self._m.flap.stop()
        if self.leaks is not None:
            exit_, world = self._m.place("exit"), self._m.world
            self.leaks.pack([world.label(exit_, index) for index in range(world.count(exit_))])

    def _eject(self) -> Work:
        m, t = self._m, self._t
        m.latch.start()
        if not (yield from self.wait(m.exit, 1, t.eject_wait_s)):
            m.vibrator.start()
            shaken = yield from self.wait(m.exit, 1, t.vibrate_s)
            m.vibrator.stop()
            if not shaken and not (yield from self.wait(m.exit, 1, t.settle_s)):
                yield from self.give_up("SLOT_IS_EMPTY", m.latch)
        m.latch.stop()
        if not (yield from self.wait(m.exit, 0, t.exit_clear_s)):
            m.vibrator.start()
            while not (yield from self.wait(m.exit, 0, t.exit_vibrate_s)):
                yield from self.stuck("CARD_STUCK_ON_EXIT", m.vibrator)
            m.vibrator.stop()
            self.recovered("CARD_STUCK_ON_EXIT")


class EmulatedShuffler(EmulatedDevice):
    """A shuffler in a world: `tap`, `arm` and `connect` as every emulated device."""

    role = "shuffler"

    def __init__(
        self,
        env: simpy.Environment,
        world: Cards,
        name: str = "shuffler",
        *,
        seed: int | str = 0,
        defects: Iterable[str] = (),
        timings: ShufflerTimings | None = None,
        probed: Collection[str] = PROBED,
    ) -> None:
        super().__init__(env, world, name, probed, defects)
        self._mechanics = ShufflerMechanics(
            env, world, name, self.probe, self.faults, timings or ShufflerTimings(), seed
        )
        self._firmware = ShufflerFirmware(env, self._mechanics, IDENTITY, seed)
        self._firmware.keeps_order = "order_kept" in self.defects
        self._firmware.calls_broken_complete = "broken_shuffle_called_complete" in self.defects
        leaking = {defect for defect in self.defects if defect.startswith("leaks_")}
        if leaking:
            leaks = self._firmware.leaks = Leaks(leaking, self.connectors, self._say_unasked)
            self._mechanics.came_out = leaks.card
        self.wire()

    def _say_unasked(self, data: bytes) -> None:
        if not self.dark:
            self.send(data)

    @property
    def mechanics(self) -> ShufflerMechanics:
        return self._mechanics

    @property
    def firmware(self) -> ShufflerFirmware:
        return self._firmware
