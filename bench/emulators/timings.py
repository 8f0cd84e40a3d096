"""How long the mechanics of the emulated devices take and how long their firmware waits.

The carousel shuffler follows the published firmware of an open shuffler (LeShuffler: 54 slots, 8 sensors, an exit
latch); figures of that firmware are marked [L]. The dealing shoe uses the same sensors and rollers. What no source
states is engineering judgement, marked [j]. Nothing here was measured on hardware.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SensorTimings:
    """Debounce of the sensor lines, in seconds [L]."""

    debounce_s: float = 0.015
    entry_debounce_s: float = 0.030
    mouth_debounce_s: float = 0.020


@dataclass(frozen=True, slots=True)
class ShufflerTimings:
    """A carousel shuffler: tray, entry, 54 slots, exit. A pack takes some 35 s; machines in use take 22 to 60 s."""

    sensors: SensorTimings = SensorTimings()
    slots: int = 54
    """[L]"""
    transit_min_s: float = 0.080
    transit_max_s: float = 0.090
    """A card passing a sensor, 80 to 90 ms [L]."""
    pick_s: float = 0.060
    """From the tray roller's start until the card reaches the entry sensors [j]."""
    card_wait_s: float = 0.4
    boosted_wait_s: float = 1.0
    """Waiting for a card at entry; then once more with more motor; then it is stuck in the tray [L]."""
    clear_wait_s: float = 1.0
    recheck_s: float = 1.0
    """Waiting for the entry to clear, then one re-check [L; its length j]; then it is stuck on entry."""
    latch_s: float = 0.025
    """The exit latch's solenoid at 80 % drive [L]."""
    fall_s: float = 0.050
    """From the open latch until the card reaches the exit sensor [j]."""
    eject_wait_s: float = 0.2
    vibrate_s: float = 0.3
    settle_s: float = 0.05
    """Waiting for a card at the exit, vibrating, waiting again; then the slot is empty [L]."""
    exit_clear_s: float = 0.3
    exit_vibrate_s: float = 1.0
    """Waiting for the exit to clear, then vibrating at most this long; then it is stuck on exit [L]."""
    homing_leg_s: float = 3.0
    """Longest homing leg, also the limit of any carousel move [L]."""
    homing_rpm: float = 60.0
    """[j]"""
    carousel_rpm: float = 90.0
    """Fastest turn of the carousel; it goes from 6 to 90 rpm [L]."""
    start_stop_s: float = 0.060
    """What starting and stopping adds to a carousel move [j]."""
    double_factor: float = 1.3
    """How much longer two cards that pass as one hold a sensor; 1.05 to 1.9 is seen [j]."""
    flap_s: float = 1.0
    """The flap that hands the pack out [L]."""


@dataclass(frozen=True, slots=True)
class ShoeTimings:
    """A dealing shoe: a stack over a feed roller, a throat with an entry and an exit sensor, a mouth."""

    sensors: SensorTimings = SensorTimings()
    transit_min_s: float = 0.080
    transit_max_s: float = 0.090
    """As in the shuffler [L]."""
    pick_s: float = 0.060
    """From the feed roller's start until the card reaches the entry sensor [j]."""
    throat_s: float = 0.040
    """From the entry sensor to the exit sensor [j]. With `pick_s` it makes the gap between two cards 0.1 s, the
    shortest deal gap [L]."""
    double_factor: float = 1.3
    """How much longer two cards that pass as one hold a sensor; 1.05 to 1.9 is seen [j]."""
    card_wait_s: float = 0.4
    boosted_wait_s: float = 1.0
    clear_wait_s: float = 1.0
    recheck_s: float = 1.0
    """As in the shuffler's entry [L]."""
    exit_clear_s: float = 0.3
    exit_vibrate_s: float = 1.0
    """As in the shuffler's exit [L]."""
    platform_s: float = 1.5
    """The platform lifts the stack against the roller and gauges its height [j]."""
    unload_s: float = 1.5
    """The platform lowers the stack into the tray again [j]."""
