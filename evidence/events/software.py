"""Events: what the table software says."""

from typing import Literal

from evidence.events.base import CardLabel, Event

Verb = Literal[
    # procedure
    "open_round", "close_round", "announce", "shuffle", "cut", "load_device", "roll_dice", "set_start", "settle",
    "dispense", "deliver", "burn", "betting_round", "show_hands", "players_act", "move_button", "remove_remainder",
    "spread", "check_stacks", "collect", "retire_card", "use_as_next_card",
    # a device that takes orders at the table
    "command_device",
    # money in a pot
    "post_antes", "award_pot",
    # seven cards in two hands
    "deal", "set_hands",
    # irregularities
    "void_round", "void_hand", "dead_hand", "hand_active", "misdeal", "void_wagers", "return_wagers", "continue_round",
    "reshuffle", "remove_cards", "remove_device", "remove_deck", "place_deck",
    "check_deck", "move_card", "recover_card", "turn_up",
    # a tournament
    "post_blind", "lay_board", "take_exposed", "redeal", "count_penalty",
    # what the house or a player has to decide
    "call_floor", "offer_choice",
    # answers to a request
    "refuse", "proceed", "hold",
]  # fmt: skip


class Directive(Event, frozen=True, tag="software.directive"):
    """An order of the table software. Fields that a verb does not use stay at their defaults."""

    id: str
    """Unique within the connection; chosen by the table software."""
    verb: Verb
    cause: str = ""
    """Id of the message that caused it: `e` and its journal sequence number, for example `e117`."""
    position: str = ""
    place: str = ""
    to: str = ""
    device: str = ""
    method: Literal["", "device", "hand"] = ""
    unit: Literal["", "card", "group"] = ""
    face: Literal["", "down", "up"] = ""
    count: int = 0
    scope: Literal["", "hand", "round", "device_cards", "all_cards", "discards"] = ""
    wager: Literal["", "main", "additional", "jacks_plus", "all"] = ""
    amount_cents: int = 0
    """Money that is returned or paid; 0 where the verb speaks of whole wagers."""
    cards: list[CardLabel] = []
    """Cards that the order names by what their faces show."""
    phrase: str = ""
    request: str = ""
    question: str = ""
    """What the floor is to decide, with `call_floor`, or a player, with `offer_choice`."""
    choices: list[str] = []
    """The answers that a player can give, with `offer_choice`; the first is what a player answers as a rule."""
    reason: str = ""


class SoftwareAcknowledged(Event, frozen=True, tag="software.acknowledged"):
    """Table software has reacted to a message; `directives` counts what it ordered until then."""

    message: str
    """Id of the message to which the software has finished reacting."""
    directives: int


class SoftwareIdentity(Event, frozen=True, tag="software.identity"):
    maker: str
    product: str
    version: str
    sha256: str
