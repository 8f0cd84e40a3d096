"""The mechanics of the emulated dealing shoe: tray, platform, feed roller, throat, exit roller, mouth.

Cards lie in the world at `name/tray`, `name/inside`, `name/entry`, `name/chute` and `shoe_mouth`. As long as the feed
roller turns, one card after the other goes out; the firmware counts them at the exit sensor.
"""

from collections.abc import Callable
from typing import Any

import simpy

from bench.emulators.drives import Motor
from bench.emulators.injector import Due, Injector
from bench.emulators.lines import Line, Probe, after
from bench.emulators.mechanics import Mechanics
from bench.emulators.shoe_strikes import STRIKES
from bench.emulators.strikes import Occasion
from bench.emulators.timings import ShoeTimings
from bench.emulators.world import AWAY, MOUTH, Cards


class ShoeMechanics(Mechanics):
    """Tray sensor (cards in tray or stack), entry and exit sensor of the throat, mouth sensor, height gauge."""

    def __init__(
        self,
        env: simpy.Environment,
        world: Cards,
        name: str,
        probe: Probe,
        faults: Injector,
        timings: ShoeTimings,
        seed: int | str,
    ) -> None:
        super().__init__(env, world, name, probe, faults, timings.sensors, seed)
        self.timings = timings
        self.mouth = Line(probe, env, "mouth", timings.sensors.mouth_debounce_s)
        self.platform_up = Line(probe, env, "platform_up")
        self.reader = Line(probe, env, "reader")
        """The reader at the exit sees the hidden code of the card before it."""
        self.unread = False
        """The next card shows the reader no code."""
        self.slips = 0
        """Lifts of the platform still to come that end below their place."""
        self.feed = self.motor("feed")
        self.exit_roller = self.motor("exit_roller")
        self.platform = self.motor("platform")
        self.feed.started = self._feed
        self.platform.started = self._move_platform
        self.gauge_offset = 0
        self.fed = 0
        """Cards fed since loading."""
        self.swallows = False
        """A defect: a card is lost in the housing with each loading."""
        self._lifting = False
        self._feeding = False
        self._split: set[int] = set()
        self._missed: set[int] = set()
        self.sense()

    @property
    def main_drive(self) -> Motor:
        return self.feed

    def own_strikes(self, occasion: Occasion) -> dict[str, Callable[[Any, Due], None]]:
        return STRIKES[occasion]

    # --- platform ---

    def _move_platform(self) -> None:
        up = self.platform_up.level
        if not (up or self._lifting):
            self._lifting = True
            self.leaks = False
            self.faults.begin_cycle()
            self.strike("start")
        after(self.env, self.timings.unload_s if up else self.timings.platform_s, self._platform_there)

    def _platform_there(self) -> None:
        if not self.platform.turning:
            return
        if self.platform_up.level:
            self.world.move(self.place("inside"), self.place("tray"))
            self.platform_up.set(0)
            self.faults.end_cycle()
            return
        self.off_index.set(int(self.slips > 0))
        if self.slips:
            self.slips -= 1
            return
        self.world.move(self.place("tray"), self.place("inside"))
        if self.swallows:
            self.world.move(self.place("inside"), AWAY, 1)
        self._lifting = False
        self.fed = 0
        false_count = self.faults.take("false_count")
        self.gauge_offset = false_count.whole("delta") if false_count else 0
        self.platform_up.set(1)
        self.strike("rest")

    def gauge(self) -> int:
        """The height of the stack in cards, as the gauge on the platform reads it."""
        return self.world.count(self.place("inside")) + self.gauge_offset

    # --- from the stack to the mouth ---

    def begin_unit(self, cards: int) -> None:
        """A unit of so many cards is about to be dispensed."""
        self.faults.begin_unit(self.fed)
        wrong = self.faults.take("wrong_group_size") if cards > 1 else None
        more = wrong.whole("size") - cards if wrong else 0
        # A card seen twice makes the firmware stop a card too early; one that is missed makes it stop a card too late.
        # Two missed in a row would look like an empty shoe, so they are every other card.
        self._split = set(range(self.fed + 1, self.fed + 1 - more))
        self._missed = set(range(self.fed + 2, self.fed + 2 + 2 * more, 2))

    def _feed(self) -> None:
        if self._feeding or self.obstacle or not self.feed.turning or not self.world.count(self.place("inside")):
            return
        card = self.fed + 1
        self.strike("in", card)
        if not self.feed.turning:
            return
        if self.faults.take("motor_stall", card):
            self.feed.block()
            return
        if self.faults.take("stop_mid_cycle", card):
            self.rail.switch(False)
            return
        if self.faults.take("cycle_not_completed", card):
            self.rail.open_lid()
            return
        stuck = self.faults.take("card_stuck_in_tray", card)
        if stuck:
            self.obstacle.hold(self.env, stuck.seconds("hold_s"), self._feed)
            return
        self._feeding = True
        after(self.env, self.timings.pick_s, self._enter)

    def _enter(self) -> None:
        if not self.feed.turning:
            self._feeding = False
            return
        card = self.fed + 1
        reversed_cards = self.faults.take("card_face_up", card)
        for index in range(reversed_cards.whole("count") if reversed_cards else 0):
            self.world.turn(self.place("inside"), index, True)
        double = self.faults.take("double_feed", card) is not None
        self.fed += self.world.move(self.place("inside"), self.place("entry"), 2 if double else 1, take="bottom")
        self.entry.set(1)
        self.sense()
        timings = self.timings
        transit_s = self.transit_s(timings.transit_min_s, timings.transit_max_s)
        transit_s *= timings.double_factor if double else 1.0

        def go_on() -> None:
            after(self.env, timings.throat_s, lambda: self._reach_exit(card, transit_s))

        limits = (timings.clear_wait_s, timings.clear_wait_s + timings.recheck_s)
        if not self.jam("card_stuck_on_entry", "entry", card, limits, go_on):
            go_on()

    def _reach_exit(self, card: int, transit_s: float) -> None:
        if not self.exit_roller.turning:
            return
        self.world.move(self.place("entry"), self.place("chute"))
        if card not in self._missed:
            self._cover_exit(1)
        if card in self._split:
            bounce_s = 2 * self.timings.sensors.debounce_s
            after(self.env, bounce_s, lambda: self._cover_exit(0))
            after(self.env, 2 * bounce_s, lambda: self._cover_exit(1))
            transit_s = max(transit_s, 3 * bounce_s)
        self.tear(self.exit, transit_s)
        after(self.env, max(0.0, transit_s - self.timings.throat_s), lambda: self.entry.set(0))
        timings = self.timings
        limits = (timings.exit_clear_s, timings.exit_clear_s + timings.exit_vibrate_s)
        if not self.jam("card_stuck_on_exit", "exit", card, limits, self._come_out):
            after(self.env, transit_s, self._come_out)

    def _come_out(self) -> None:
        if not self.exit_roller.turning:
            return
        self._cover_exit(0)
        self.unread = False
        self.world.move(self.place("chute"), MOUTH)
        self.leak()
        self.mouth.set(1)
        self._feeding = False
        if self.feed.driven:
            self._feed()
        else:
            self.strike("out", self.fed)

    def _cover_exit(self, level: int) -> None:
        """A card reaches or leaves the exit, where the reader sees its code."""
        self.exit.set(level)
        self.reader.set(int(level and not self.unread))

    # --- a person opens it ---

    def emptied(self) -> None:
        self.feed.block(False)
        self._feeding = self._lifting = False
        self.unread, self.slips = False, 0
        self.off_index.set(0)
        self.reader.set(0)
        self.platform_up.set(0)
        self.entry.set(0)
        self.exit.set(0)
        self.faults.end_cycle()

    def sense(self) -> None:
        self.tray.set(int(self.world.count(self.place("inside")) > 0 or self.world.count(self.place("tray")) > 0))
        self.mouth.set(int(self.world.count(MOUTH) > 0))
