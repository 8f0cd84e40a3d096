"""The emulated dealing shoe: dispenses groups of cards (seven unless set otherwise) and single cards."""

import hashlib
from collections.abc import Collection, Generator, Iterable
from dataclasses import replace

import simpy

from bench.emulators.device import PROBED, EmulatedDevice
from bench.emulators.firmware import Firmware, Trouble, Work
from bench.emulators.shoe_mechanics import ShoeMechanics
from bench.emulators.timings import ShoeTimings
from bench.emulators.world import Cards
from bench.protocol.messages import Command, Cycle, Dispensed, Fault, Identity, Unit

GROUP_SIZE = 7
LARGEST_GROUP = 30
IDENTITY = Identity(
    role="shoe",
    maker="cardcert",
    model="Group Shoe 7",
    serial="EMU-D-0001",
    firmware="1.0.0",
    firmware_sha256=hashlib.sha256(b"cardcert Group Shoe 7 firmware 1.0.0").hexdigest(),
    group_size=GROUP_SIZE,
)
"""What the emulated shoe says of itself; its digest stands for the image that a real one would have."""


class ShoeFirmware(Firmware):
    """Drives the mechanics by their lines; counts at the exit sensor and from the height gauge."""

    def __init__(self, env: simpy.Environment, mechanics: ShoeMechanics, identity: Identity) -> None:
        super().__init__(env, mechanics.rail, identity)
        self._m = mechanics
        self._t = mechanics.timings
        self._loaded = 0
        self._units = 0
        self._ready_unit: Dispensed | None = None
        """A group that lies at the mouth although nobody has asked for it yet."""
        self.stopped_state = "ready"
        self.dispenses_on_load = False
        self.remainder_error = 0
        self.group_size = identity.group_size
        self.group_count_error = 0
        self.uneven: dict[int, int] = {}
        """Cards more or fewer in a group, by its number since the shoe was loaded; the count claims nothing of them."""
        m = mechanics
        self.reverse = m.reverse
        m.exit.rose = self._exit_covered
        self.drives(m.feed, m.exit_roller, m.vibrator, m.platform)

    def cards_inside(self) -> int:
        return self._loaded - self.dispensed + (self.remainder_error if self._loaded else 0)

    def count(self) -> int:
        return self._loaded

    def opened(self) -> None:
        super().opened()
        if self.state != "fault":
            self.state = "idle"
        self._forget_pack()

    def start(self, command: Command) -> str:
        match command.name:
            case "load":
                if self._m.platform_up.level:
                    return "NOT_READY"
                if not self._m.tray.level:
                    return "TRAY_EMPTY"
                self.run("loading", self._load(command.arg("expected")), "load")
            case "unload":
                if not self._m.platform_up.level:
                    return "NOT_READY"
                self.run("unloading", self._unload(), "unload")
            case "deal_group":
                return self._start_dealing("group", command.arg("size") or self.group_size)
            case "deal_card":
                return self._start_dealing("card", 1)
            case _:
                return "NOT_SUPPORTED"
        return ""

    def _start_dealing(self, unit: Unit, cards: int) -> str:
        if not self._m.platform_up.level:
            return "NOT_READY"
        if cards > LARGEST_GROUP:
            return "BAD_ARGUMENT"
        self.run("dealing", self._dispense(unit, cards), None)
        return ""

    def _exit_covered(self) -> None:
        """A card before the exit sensor although the shoe is not at work: somebody has laid hands on one."""
        if self._job is None and self.state != "fault":
            self.notify(Fault.of("CARD_OUT_OF_TURN", recovered=True))

    def boot(self, code: str) -> None:
        super().boot(code)
        self._forget_pack()

    def _forget_pack(self) -> None:
        self._loaded = self.dispensed = self._units = 0
        self._ready_unit = None

    # --- loading and unloading ---

    def _load(self, expected: int) -> Work:
        self._forget_pack()
        self.notify(Cycle("load", "started"))
        yield from self._drive_platform(up=1)
        self._loaded = self._m.gauge() if self.claims is None else self.claims
        if expected and self._loaded != expected:
            raise Trouble("COUNT_MISMATCH")
        self.cycles += 1
        self.state = "ready"
        self.notify(self.status())
        if self.dispenses_on_load:
            self._ready_unit = yield from self._deal("group", self.group_size)
        self.notify(Cycle("load", "completed", self._loaded))

    def _unload(self) -> Work:
        self.notify(Cycle("unload", "started"))
        left = self.cards_inside()
        yield from self._drive_platform(up=0)
        self._forget_pack()
        self.state = "idle"
        self.notify(self.status())
        self.notify(Cycle("unload", "completed", max(0, left)))

    def _drive_platform(self, up: int) -> Work:
        self._m.platform.start()
        if not (yield from self.wait(self._m.platform_up, up, 2 * self._t.platform_s)):
            # Once more from below, and then it is out of position for good.
            self._m.platform.stop()
            self._m.platform.start()
            if not (yield from self.wait(self._m.platform_up, up, 2 * self._t.platform_s)):
                code = "ALIGNMENT" if self._m.platform.turning else "CYCLE_TIMEOUT"
                yield from self.give_up(code, self._m.platform)
            self.recovered("ALIGNMENT")
        self._m.platform.stop()

    # --- dealing ---

    def _dispense(self, unit: Unit, cards: int) -> Work:
        if self._ready_unit and unit == self._ready_unit.unit:
            dispensed, self._ready_unit = self._ready_unit, None
            yield self.env.timeout(self._t.pick_s)
        else:
            dispensed = yield from self._deal(unit, cards)
        self.state = "ready"
        if unit == "group":
            self.notify(self.status())
        self.notify(dispensed)

    def _deal(self, unit: Unit, cards: int) -> Generator[simpy.Event, object, Dispensed]:
        """Feed until the exit sensor has seen so many cards."""
        m, t = self._m, self._t
        self._units += 1
        hidden = (self.uneven.get(self._units, 0), self.group_count_error) if unit == "group" else (0, 0)
        cards += hidden[0]
        m.begin_unit(cards)
        m.exit_roller.start()
        m.feed.start()
        count = 0
        while count < cards:
            if not (yield from self.wait(m.exit, 1, t.card_wait_s)):
                yield from self._no_card()
                continue
            if not m.reader.level:
                raise Trouble("CARD_UNREADABLE")
            count += 1
            self.dispensed += 1
            if count == cards or self.stop_ordered:
                m.feed.stop()
            yield from self._clear_exit()
            if count < cards:
                self.between_cards()
        m.exit_roller.stop()
        return Dispensed(unit, self._units, count - hidden[0] + hidden[1])

    def _clear_exit(self) -> Work:
        m, t = self._m, self._t
        if not (yield from self.wait(m.exit, 0, t.exit_clear_s)):
            m.vibrator.start()
            while not (yield from self.wait(m.exit, 0, t.exit_vibrate_s)):
                yield from self.stuck("CARD_STUCK_ON_EXIT", m.exit_roller)
            m.vibrator.stop()
            self.recovered("CARD_STUCK_ON_EXIT")

    def _no_card(self) -> Work:
        """No card came to the exit in time."""
        m, t = self._m, self._t
        if m.entry.seen:
            if not (yield from self.wait(m.entry, 0, t.clear_wait_s - t.card_wait_s)):
                while not (yield from self.wait(m.entry, 0, t.recheck_s)):
                    yield from self.stuck("CARD_STUCK_ON_ENTRY", m.feed, m.exit_roller)
                self.recovered("CARD_STUCK_ON_ENTRY")
            return
        if not m.tray.seen:
            raise Trouble("NOT_ENOUGH_CARDS")
        m.feed.start(boosted=True)
        while not (yield from self.wait(m.entry, 1, t.boosted_wait_s)):
            yield from self.stuck("CARD_STUCK_IN_TRAY", m.feed)


class EmulatedShoe(EmulatedDevice):
    """A dealing shoe in a world: `tap`, `arm` and `connect` as every emulated device."""

    role = "shoe"

    def __init__(
        self,
        env: simpy.Environment,
        world: Cards,
        name: str = "shoe",
        *,
        seed: int | str = 0,
        defects: Iterable[str] = (),
        timings: ShoeTimings | None = None,
        probed: Collection[str] = PROBED,
    ) -> None:
        super().__init__(env, world, name, probed, defects)
        self._mechanics = ShoeMechanics(env, world, name, self.probe, self.faults, timings or ShoeTimings(), seed)
        says_six = bool(self.defects & {"six_card_groups", "six_card_setting"})
        identity = replace(IDENTITY, group_size=6) if says_six else IDENTITY
        self._firmware = ShoeFirmware(env, self._mechanics, identity)
        if "six_card_groups" not in self.defects:
            self._firmware.group_size = GROUP_SIZE
        self._firmware.group_count_error = -int("false_group_count" in self.defects)
        self._firmware.uneven = {2: 1, 3: -1} if "uneven_groups" in self.defects else {}
        self._mechanics.swallows = "swallows_a_card" in self.defects
        self._firmware.dispenses_on_load = "auto_dispense_on_load" in self.defects
        self._firmware.remainder_error = int("false_remainder_count" in self.defects)
        self.wire()

    @property
    def mechanics(self) -> ShoeMechanics:
        return self._mechanics

    @property
    def firmware(self) -> ShoeFirmware:
        return self._firmware
