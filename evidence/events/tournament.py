"""Events: what changes at a tournament table besides cards and chips."""

from typing import Literal

from evidence.events.base import Event

SeatState = Literal["present", "absent", "penalty", "empty"]


class SeatStatus(Event, frozen=True, tag="seat.status"):
    """Who sits where, as the people of the house see it. Told to the table software.

    `present`: a player is at the seat, also one who has just come; `absent`: its player is away from the seat;
    `penalty`: its player serves a penalty; `empty`: nobody holds the seat.
    """

    position: str
    state: SeatState


class LevelAnnounced(Event, frozen=True, tag="level.announced"):
    """The tournament's clock calls a level of blinds; it counts from the next hand on. Told to the table software."""

    small_blind_cents: int
    big_blind_cents: int
