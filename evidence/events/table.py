"""Events: the table as it is set."""

from typing import Literal

from evidence.events.base import Event


class SessionOpened(Event, frozen=True, tag="session.opened"):
    """The table as it is set before the first round. Told to the table software."""

    game: str
    cards_in_deck: int
    positions: list[str]
    """Every position that receives cards, in dealing order: clockwise from the dealer's left, the dealer last."""
    seated: list[str]
    """The positions where somebody plays."""
    devices: dict[str, str]
    """Device name to role (`shuffler` or `shoe`)."""
    bank: str = ""
    """Position of the player who banks the rounds; empty where the house does."""
    additional_wager_offered: bool = False
    inputs: dict[str, str] = {}
    """Operator inputs by name, with their content: the house way, an approved procedure, payout odds."""


class WagerPlaced(Event, frozen=True, tag="wager.placed"):
    position: str
    wager: Literal["main", "additional", "jacks_plus"]
    amount_cents: int


class ApprovalRecord(Event, frozen=True, tag="approval.record"):
    """The authority's prior approval, as the operator's file states it."""

    device: str
    maker: str
    model: str
    firmware_sha256: str
    location: str
    procedure: str
