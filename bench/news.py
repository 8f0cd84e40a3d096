"""News at a tournament table: what a plan lets happen beside cards and chips, and after which directive."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from evidence.errors import UsageError
from evidence.events.tournament import SeatState

MOST_NEWS = 50


class News(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One piece of news, when the `nth` directive of the verb `after` has been carried out; without it at the opening.

    Exactly one of `seat` (with `state`), `blinds`, `exposes` and `push` says what happens.
    """

    after: str = ""
    nth: int = 1
    seat: str = ""
    state: SeatState | Literal[""] = ""
    """Who is at the seat from now on."""
    blinds: list[int] = []
    """Small and big blind in cents, as the clock calls them; they count from the next hand on."""
    exposes: str = ""
    """The seat whose player turns up the own cards."""
    push: bool = False
    """Another dealer takes over."""

    def check(self, where: str, positions: Sequence[str]) -> None:
        """Raises UsageError for news that say nothing, too much, or speak of a place that is not there."""
        said = [bool(self.seat), bool(self.blinds), bool(self.exposes), self.push]
        if sum(said) != 1 or bool(self.seat) != bool(self.state):
            raise UsageError(f"{where}: give exactly one of seat with state, blinds, exposes and push.")
        for place in (self.seat, self.exposes):
            if place and place not in positions:
                raise UsageError(f"{where}: {place!r} is not a position. Use one of {', '.join(positions)}.")
        check_blinds(self.blinds, where)
        if self.nth < 1:
            raise UsageError(f"{where}: nth is {self.nth}; expected 1 for the first such directive, 2 for the second.")


def check_blinds(blinds: Sequence[int], where: str) -> None:
    """Raises UsageError unless there are none, or a small and a big blind in cents."""
    if blinds and (len(blinds) != 2 or not 0 < blinds[0] <= blinds[1] <= 100_000_000):
        raise UsageError(f"{where}: blinds are {list(blinds)}; expected the small and the big blind in cents.")
