"""What faults do to the parts that every device has: wires, supply, driver chips, cards on their way.

A strike happens at one occasion: a cycle starts, a card goes in, a card goes out, or the device has come to rest. The
mechanics ask at each of them; what the firmware makes of it follows from its sensors.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from bench.emulators.injector import Due
from bench.emulators.lines import Line, after

if TYPE_CHECKING:
    from bench.emulators.mechanics import Mechanics

Occasion = Literal["start", "in", "out", "rest"]

NOMINAL_V = 24.0
UNDERVOLTAGE_V = 20.0
LOCKOUT_V = 18.0
"""The rail as it should be; below the second the motors fail, below the third the electronics start anew (engineering
judgement)."""
HANG_S = 5.0
"""A watchdog's patience, as in the published firmware of an open shuffler."""
BOOT_S = 0.5
TRIP_S = 0.2
"""How long a driver chip bears too much current before it switches itself off (engineering judgement)."""
PRESS_S = 0.1
BOOTS = 3
"""How often a device starts while its supply creeps up."""


def _sensor_stuck(m: "Mechanics", due: Due) -> None:
    line = m.line(due.word("line"))
    line.hold(due.whole("level"))
    _for(m, due.seconds("hold_s"), lambda: line.hold(None))


def _sensor_noise(m: "Mechanics", due: Due) -> None:
    """Pulses against what the sensor says, shorter than any debounce time, one every 40 ms."""
    line, pulse_s = m.line(due.word("line")), due.seconds("pulse_s")
    for n in range(max(1, round(due.seconds("hold_s") / 0.04))):
        after(m.env, 0.04 * n, lambda: line.hold(1 - line.level))
        after(m.env, 0.04 * n + pulse_s, lambda: line.hold(None))


def _motor_overcurrent(m: "Mechanics", due: Due) -> None:
    m.main_drive.block()

    def trip() -> None:
        m.main_drive.block(False)
        m.main_drive.trip()

    after(m.env, TRIP_S, trip)


def _cover_opened(m: "Mechanics", due: Due) -> None:
    m.rail.open_lid()
    _for(m, due.seconds("hold_s"), lambda: m.rail.open_lid(False))


def _power_cut(m: "Mechanics", due: Due) -> None:
    _dark(m, due.seconds("hold_s"), m.supply, 0)


def _brown_out(m: "Mechanics", due: Due) -> None:
    """Motors and electronics get less than they need; below the lockout the electronics start anew."""
    volts, hold_s = due.seconds("volts"), due.seconds("hold_s")
    if volts >= UNDERVOLTAGE_V:
        return  # too little to be felt, and to be shown

    def sag() -> None:
        if volts < LOCKOUT_V:
            _dark(m, hold_s, m.undervoltage, 1)
            return
        m.undervoltage.set(1)
        m.sag(True)
        after(m.env, hold_s, lambda: m.undervoltage.set(0))
        after(m.env, hold_s, lambda: m.sag(False))

    # On its way down the voltage passes the comparator's threshold after this share of the ramp.
    after(m.env, due.seconds("ramp_s") * (NOMINAL_V - UNDERVOLTAGE_V) / (NOMINAL_V - volts), sag)


def _slow_power_up(m: "Mechanics", due: Due) -> None:
    """The supply comes back slowly: the electronics start, fall over, and start again."""
    ramp_s = due.seconds("ramp_s")
    _dark(m, ramp_s, m.undervoltage, 1)
    for n in range(BOOTS):
        after(m.env, ramp_s * (n + 0.5) / BOOTS, lambda: m.reset.set(1))
        after(m.env, ramp_s * (n + 0.5) / BOOTS + PRESS_S / 2, lambda: m.reset.set(0))


def _over_voltage(m: "Mechanics", due: Due) -> None:
    """The supply's protection trips and stays tripped until somebody resets it."""
    m.protection.set(1)
    m.sag(True)
    m.went_dark(0.0, "")


def _watchdog_reset(m: "Mechanics", due: Due) -> None:
    m.went_dark(HANG_S + BOOT_S, "MEMORY_ERROR")
    after(m.env, HANG_S, lambda: m.reset.set(1))
    after(m.env, HANG_S + PRESS_S / 2, lambda: m.reset.set(0))


def _order_leaked(m: "Mechanics", due: Due) -> None:
    m.leaks = True


def _count_spoofed(m: "Mechanics", due: Due) -> None:
    m.spoofed(due.whole("cards"))


def _history_lost(m: "Mechanics", due: Due) -> None:
    m.forgot_history()


def _button_misused(m: "Mechanics", due: Due) -> None:
    _press(m, m.button)


def _stop_pressed(m: "Mechanics", due: Due) -> None:
    _press(m, m.stop_button)


def _cards_sticky(m: "Mechanics", due: Due) -> None:
    m.sticky, m.drag = due.whole("cards"), due.seconds("drag")


def _card_bent(m: "Mechanics", due: Due) -> None:
    """The higher the crimp, the longer the card takes to pass."""
    m.sticky, m.drag = 1, 1.0 + due.whole("height_mm")


def _card_torn(m: "Mechanics", due: Due) -> None:
    m.torn = True


STRIKES: dict[Occasion, dict[str, Callable[["Mechanics", Due], None]]] = {
    "start": {
        "order_leaked": _order_leaked,
        "count_spoofed": _count_spoofed,
        "sensor_stuck": _sensor_stuck,
        "history_lost": _history_lost,
    },
    "in": {
        "sensor_stuck": _sensor_stuck,
        "sensor_noise": _sensor_noise,
        "motor_overcurrent": _motor_overcurrent,
        "cover_opened": _cover_opened,
        "power_cut": _power_cut,
        "brown_out": _brown_out,
        "slow_power_up": _slow_power_up,
        "over_voltage": _over_voltage,
        "watchdog_reset": _watchdog_reset,
        "button_misused": _button_misused,
        "stop_pressed": _stop_pressed,
        "cards_sticky": _cards_sticky,
        "card_bent": _card_bent,
        "card_torn": _card_torn,
        "history_lost": _history_lost,
    },
    "out": {},
    "rest": {},
}
"""Faults that any device can have, by the occasion at which they strike; a device adds its own."""


def _for(m: "Mechanics", hold_s: float, over: Callable[[], None]) -> None:
    if hold_s > 0:
        after(m.env, hold_s, over)


def _press(m: "Mechanics", button: Line) -> None:
    button.set(1)
    after(m.env, PRESS_S, lambda: button.set(0))


def _dark(m: "Mechanics", dark_s: float, line: Line, level: int) -> None:
    """The whole device is without power for a while, and starts anew afterwards."""
    line.set(level)
    m.sag(True)
    m.went_dark(dark_s + BOOT_S, "POWER_LOST")
    after(m.env, dark_s, lambda: line.set(1 - level))
    after(m.env, dark_s, lambda: m.sag(False))
