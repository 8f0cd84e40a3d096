"""What faults do to the parts that only the carousel shuffler has."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from bench.emulators.injector import Due
from bench.emulators.strikes import Occasion

if TYPE_CHECKING:
    from bench.emulators.shuffler_mechanics import ShufflerMechanics


def _deck_askew(m: "ShufflerMechanics", due: Due) -> None:
    """The pack lies turned in the tray: its cards pass beside the outermost entry sensor."""
    m.entry_row[2].hold(0)


def _homing_failed(m: "ShufflerMechanics", due: Due) -> None:
    m.homing.hold(0)


def _slot_misaligned(m: "ShufflerMechanics", due: Due) -> None:
    m.slot.hold(0)


def _out_of_position(m: "ShufflerMechanics", due: Due) -> None:
    m.slips = due.whole("moves")


def _double_feed(m: "ShufflerMechanics", due: Due) -> None:
    m.doubled = True


def _card_flipped(m: "ShufflerMechanics", due: Due) -> None:
    m.flipped = True


def _shuffle_repeats(m: "ShufflerMechanics", due: Due) -> None:
    m.stuck_order()


def _cards_left_in_tray(m: "ShufflerMechanics", due: Due) -> None:
    """A person keeps cards back, and puts them into the tray once the shuffler has taken in the others."""
    m.kept_back += m.world.move(m.place("tray"), m.place("aside"), due.whole("count"))


def cards_put_back(m: "ShufflerMechanics") -> None:
    """What was kept back goes into the tray."""
    if m.kept_back:
        m.kept_back = 0
        m.world.move(m.place("aside"), m.place("tray"))
        m.tray.set(1)


def _slot_emptied(m: "ShufflerMechanics", due: Due) -> None:
    m.world.move(m.place(f"slot/{m.position}"), m.place("aside"))


def _solenoid_weak(m: "ShufflerMechanics", due: Due) -> None:
    m.force = due.whole("percent") / 100


def _output_taken_early(m: "ShufflerMechanics", due: Due) -> None:
    """Somebody lifts what lies at the exit although cards are still to come."""
    m.world.move(m.place("exit"), m.place("aside"))
    m.output.set(0)


def _misplaced(m: "ShufflerMechanics", due: Due) -> None:
    m.tucked = True
    m.off_index.set(1)


def _door_obstructed(m: "ShufflerMechanics", due: Due) -> None:
    m.flap.block()


STRIKES: dict[Occasion, dict[str, Callable[["ShufflerMechanics", Due], None]]] = {
    "start": {"homing_failed": _homing_failed, "shuffle_repeats": _shuffle_repeats},
    "in": {
        "deck_askew": _deck_askew,
        "slot_misaligned": _slot_misaligned,
        "platform_out_of_position": _out_of_position,
        "double_feed_in_shuffle": _double_feed,
        "card_flipped_in_shuffle": _card_flipped,
        "cards_left_in_tray": _cards_left_in_tray,
    },
    "out": {
        "slot_emptied": _slot_emptied,
        "solenoid_weak": _solenoid_weak,
        "output_taken_early": _output_taken_early,
        "gripper_offset": _misplaced,
        "door_obstructed": _door_obstructed,
    },
    "rest": {},
}
"""Faults of the shuffler alone, by the occasion at which they strike."""
