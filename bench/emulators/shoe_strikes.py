"""What faults do to the parts that only the dealing shoe has."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from bench.emulators.injector import Due
from bench.emulators.lines import after
from bench.emulators.strikes import Occasion
from bench.emulators.world import MOUTH

if TYPE_CHECKING:
    from bench.emulators.shoe_mechanics import ShoeMechanics

REST_S = 0.3
"""How long after the shoe has been loaded a person lays hands on a card."""
SWING_S = 0.005
"""How long a card has left the exit when it is pushed back."""
PULL_S = 0.085
"""How long a card covers the exit that is pulled out by hand."""
PUSH_S = {"exit": 0.12, "midway": 0.25}
"""How long a card covers the exit that is pushed back into it, so far and out again."""


def _code_not_read(m: "ShoeMechanics", due: Due) -> None:
    m.unread = True


def _out_of_position(m: "ShoeMechanics", due: Due) -> None:
    m.slips = due.whole("moves")


def _card_pushed_back(m: "ShoeMechanics", due: Due) -> None:
    """The card at the mouth is pushed back before the exit sensor, and comes out again."""
    after(m.env, SWING_S, lambda: m.exit.set(1))
    after(m.env, SWING_S + PUSH_S[due.word("depth")], lambda: m.exit.set(0))


def _card_pulled_while_locked(m: "ShoeMechanics", due: Due) -> None:
    """A person pulls the next card out although the shoe gives none."""

    def pulled() -> None:
        m.exit.set(0)
        m.fed += m.world.move(m.place("inside"), MOUTH, 1, take="bottom")
        m.mouth.set(1)

    after(m.env, REST_S, lambda: m.exit.set(1))
    after(m.env, REST_S + PULL_S, pulled)


STRIKES: dict[Occasion, dict[str, Callable[["ShoeMechanics", Due], None]]] = {
    "start": {"platform_out_of_position": _out_of_position},
    "in": {"code_not_read": _code_not_read, "card_of_another_set": _code_not_read},
    "out": {"card_pushed_back": _card_pushed_back},
    "rest": {"card_pulled_while_locked": _card_pulled_while_locked},
}
"""Faults of the shoe alone, by the occasion at which they strike."""
