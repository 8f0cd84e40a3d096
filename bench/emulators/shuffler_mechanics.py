"""The mechanics of the emulated carousel shuffler: tray roller, entry, carousel of slots, exit latch.

Cards lie in the world at `name/tray`, `name/entry`, `name/slot/N`, `name/chute` and `name/exit`. The firmware drives
the motors and reads the lines; all else happens here, by the timings and by the faults.
"""

from collections.abc import Callable
from typing import Any

import simpy

from bench.emulators.drives import Motor
from bench.emulators.injector import Due, Injector
from bench.emulators.lines import Line, Probe, after
from bench.emulators.mechanics import Mechanics
from bench.emulators.shuffler_strikes import STRIKES
from bench.emulators.strikes import Occasion
from bench.emulators.timings import ShufflerTimings
from bench.emulators.world import Cards

LEAST_FORCE = 0.65
"""Drive that the latch's solenoid needs to open, as a share of the full one; from the firmware of an open shuffler."""


class ShufflerMechanics(Mechanics):
    """Tray sensor, three entry sensors in a row, slot and homing sensors of the carousel, exit sensor."""

    def __init__(
        self,
        env: simpy.Environment,
        world: Cards,
        name: str,
        probe: Probe,
        faults: Injector,
        timings: ShufflerTimings,
        seed: int | str,
    ) -> None:
        super().__init__(env, world, name, probe, faults, timings.sensors, seed)
        self.timings = timings
        self.entry_row = tuple(Line(probe, env, f"entry_{n}", timings.sensors.entry_debounce_s) for n in (1, 2, 3))
        self.slot = Line(probe, env, "slot", level=1)
        self.homing = Line(probe, env, "homing")
        self.flap_out = Line(probe, env, "flap_out")
        self.latch_open = Line(probe, env, "latch_open")
        """A laboratory's contact at the latch's armature."""
        self.face = Line(probe, env, "face")
        """The reflex sensor at the entry sees a face where a back should be."""
        self.output = Line(probe, env, "output")
        """Cards lie at the exit."""
        self.force = 1.0
        """What the latch's solenoid has of its full drive."""
        self.slips = 0
        """Moves still to come after which the carousel stands beside its slot."""
        self.tucked = False
        """The next card goes in one place beside its own."""
        self.kept_back = 0
        """Cards that a person puts into the tray once the shuffler believes it empty."""
        self.target = 0
        """The slot that the carousel is turning to."""
        self.flipped = False
        self.doubled = False
        self.stuck_order: Callable[[], None] = lambda: None
        """Called when a fault says that the random generator gives the same numbers again and again."""
        self.came_out: Callable[[str], None] | None = None
        """Called with the label of each card that lies at the exit now."""
        self.pick = self.motor("pick")
        self.entry_roller = self.motor("entry_roller")
        self.carousel = self.motor("carousel")
        self.latch = self.motor("latch")
        self.flap = self.motor("flap")
        self.pick.started = self._pick
        self.latch.started = self._open_latch
        self.flap.started = self._swing_flap
        self.position = 0
        """The slot in front of entry and exit."""
        self.picked = 0
        self.ejected = 0
        self._on_the_way = False
        self._bounces = 0
        """Cards still to come that the exit sensor sees twice."""
        self.sense()

    def begin_cycle(self) -> None:
        """A cycle begins: the mechanics count its cards."""
        self.picked = self.ejected = self._bounces = 0
        self.flap_out.set(0)
        self.leaks = False
        self.faults.begin_cycle()
        self.strike("start")

    @property
    def main_drive(self) -> Motor:
        return self.carousel

    @property
    def brakes(self) -> dict[str, Motor]:
        return {**super().brakes, "flap_stop": self.flap}

    def line(self, name: str) -> Line:
        return self.entry_row[0] if name == "entry" else super().line(name)

    def own_strikes(self, occasion: Occasion) -> dict[str, Callable[[Any, Due], None]]:
        return STRIKES[occasion]

    # --- carousel ---

    def turn_to(self, slot: int) -> None:
        """The carousel's driver is ordered to bring `slot` to the entry. The slot sensor shows when it is there."""
        distance = abs(slot - self.position)
        distance = min(distance, self.timings.slots - distance)
        self._move(slot, distance / self.timings.slots * 60 / self.timings.carousel_rpm, bool(distance))

    def home(self) -> None:
        """The carousel's driver is ordered to seek its home sensor."""
        self.homing.set(0)
        distance = self.timings.slots - self.position
        self._move(0, distance / self.timings.slots * 60 / self.timings.homing_rpm, moves=True)

    def _move(self, slot: int, turning_s: float, moves: bool) -> None:
        if moves:
            self.slot.set(0)
        self.carousel.start()
        card = self.picked + 1 if self.ejected == 0 else 0
        self.target = slot
        self.strike("in", card)
        if self.faults.take("motor_stall", card):
            self.carousel.block()
        if self.faults.take("stop_mid_cycle", card):
            self.rail.switch(False)
        if self.faults.take("cycle_not_completed", card):
            self.rail.open_lid()
        after(self.env, turning_s + self.timings.start_stop_s if moves else 0.0, lambda: self._arrive(slot))

    def _arrive(self, slot: int) -> None:
        if not self.carousel.turning:
            self.slot.set(0)
            return
        if self.slips:
            # The belt has slipped: the carousel stands between two slots until it has found its home again.
            self.slips -= 1
            self.off_index.set(1)
            return
        self.off_index.set(0)
        self.position = slot
        self.slot.set(1)
        self.homing.set(int(slot == 0))

    # --- from the tray into a slot ---

    def _pick(self) -> None:
        if self._on_the_way or self.obstacle or not self.world.count(self.place("tray")):
            return
        card = self.picked + 1
        stuck = self.faults.take("card_stuck_in_tray", card)
        if stuck:
            self.obstacle.hold(self.env, stuck.seconds("hold_s"), self._let_pick)
            return
        self._start_pick()

    def _let_pick(self) -> None:
        if self.pick.turning:
            self._start_pick()

    def _start_pick(self) -> None:
        self._on_the_way = True
        after(self.env, self.timings.pick_s, self._enter)

    def _enter(self) -> None:
        self._on_the_way = False
        if not self.pick.turning:
            return
        self.picked += 1
        card = self.picked
        reversed_cards = self.faults.take("card_face_up", card)
        for index in range(reversed_cards.whole("count") if reversed_cards else 0):
            self.world.turn(self.place("tray"), index, True)
        cards, self.doubled = 2 if self.doubled else 1, False
        if self.flipped:
            self.world.turn(self.place("tray"), 0, True)
            self.face.set(1)
        self.world.move(self.place("tray"), self.place("entry"), cards, take="bottom")
        self.tray.set(int(self.world.count(self.place("tray")) > 0))
        self._cover_entry(1)
        timings = self.timings
        limits = (timings.clear_wait_s, timings.clear_wait_s + timings.recheck_s)
        if not self.jam("card_stuck_on_entry", "entry", card, limits, self._leave_entry):
            transit_s = self.transit_s(timings.transit_min_s, timings.transit_max_s)
            transit_s *= timings.double_factor if cards > 1 else 1.0
            self.tear(self.entry, transit_s)
            after(self.env, transit_s, self._leave_entry)

    def _leave_entry(self) -> None:
        if self.entry_roller.turning:
            self.world.move(self.place("entry"), self.place(f"slot/{self.position}"), take="bottom")
            self._cover_entry(0)
            if not self.flipped:
                self.face.set(0)

    def _cover_entry(self, level: int) -> None:
        self.entry.set(level)
        for line in self.entry_row:
            line.set(level)

    # --- from a slot to the exit ---

    def _open_latch(self) -> None:
        self.strike("out", self.ejected + 1)
        if self.force < LEAST_FORCE:
            return
        after(self.env, self.timings.latch_s, self._open_armature)
        after(self.env, self.timings.latch_s + self.timings.fall_s, self._drop)

    def _open_armature(self) -> None:
        self.latch_open.set(int(self.latch.turning))

    def _drop(self) -> None:
        if not self.latch.turning or not self.world.move(self.place(f"slot/{self.position}"), self.place("chute")):
            return
        after(self.env, self.timings.latch_s, lambda: self.latch_open.set(0))
        self.ejected += 1
        self.exit.set(1)
        timings = self.timings
        limits = (timings.exit_clear_s, timings.exit_clear_s + timings.exit_vibrate_s)
        if self.jam("card_stuck_on_exit", "exit", self.ejected, limits, self._leave_exit):
            return
        transit_s = self.transit_s(timings.transit_min_s, timings.transit_max_s)
        false_count = self.faults.take("false_count", self.ejected)
        self._bounces += false_count.whole("delta") if false_count else 0
        if self._bounces:
            # The sensor lets go for twice the debounce time, so that a counter takes one card for two.
            self._bounces -= 1
            bounce_s = 2 * timings.sensors.debounce_s
            after(self.env, bounce_s, lambda: self.exit.set(0))
            after(self.env, 2 * bounce_s, lambda: self.exit.set(1))
            transit_s = max(transit_s, 3 * bounce_s)
        after(self.env, transit_s, self._leave_exit)

    def _leave_exit(self) -> None:
        self.exit.set(0)
        self.leak()
        if self.tucked:
            # It slips under the card before it: one place beside the one that was drawn for it.
            self.world.move(self.place("exit"), self.place("pocket"), 1)
            self.world.move(self.place("chute"), self.place("exit"))
            self.world.move(self.place("pocket"), self.place("exit"))
            self.tucked = False
            self.off_index.set(0)
        self.world.move(self.place("chute"), self.place("exit"))
        self.output.set(1)
        if self.came_out is not None:
            self.came_out(self.world.label(self.place("exit"), -1))

    def _swing_flap(self) -> None:
        after(self.env, self.timings.flap_s, lambda: self.flap_out.set(1) if self.flap.turning else None)

    # --- a person opens it ---

    def emptied(self) -> None:
        self.carousel.block(False)
        self.flap.block(False)
        for line in (*self.entry_row, self.homing, self.slot):
            line.hold(None)
        self.force, self.slips = 1.0, 0
        self.flipped = False
        for line in (self.off_index, self.face, self.latch_open):
            line.set(0)
        self.exit.set(int(self.world.count(self.place("chute")) > 0))
        self._cover_entry(int(self.world.count(self.place("entry")) > 0))

    def sense(self) -> None:
        self.tray.set(int(self.world.count(self.place("tray")) > 0))
        self.output.set(int(self.world.count(self.place("exit")) > 0))
