"""Events: what people do at the table."""

from typing import Literal

from evidence.events.base import Event

DealerAct = Literal[
    "announce", "load", "unload", "shuffle_by_hand", "cut", "deliver", "draw", "deal_by_hand", "burn", "shake_dice",
    "move_button", "spread", "collect", "remove_device", "place_device", "remove_deck", "place_deck", "gather",
    "lay_out", "move_card", "drop_card", "recover_card", "turn_up", "push", "lay_board", "take_exposed",
    "call_total", "set_hands",
]  # fmt: skip


class DealerDid(Event, frozen=True, tag="dealer.did"):
    """A dealer's act as told by the one who did it; what came of it is for the camera to say."""

    act: DealerAct
    directive: str = ""
    """Id of the directive being carried out; empty when the dealer acted unasked."""
    position: str = ""
    place: str = ""
    device: str = ""
    phrase: str = ""
    count: int = 0
    face: Literal["", "down", "up"] = ""
    """How a card lies that the camera cannot see, such as one on the floor."""


PlayerAct = Literal["ante", "post", "bet", "call", "raise", "check", "fold", "protect", "expose", "look", "choose"]


class PlayerDid(Event, frozen=True, tag="player.did"):
    act: PlayerAct
    position: str
    amount_cents: int = 0
    """What the player puts into the pot with this act."""
    choice: str = ""
    """The answer to what the player was offered, with `choose`."""


class OperatorAnswered(Event, frozen=True, tag="operator.answered"):
    """Somebody at the table was told what to do, and answered."""

    order: str
    answer: Literal["done", "cannot", "none"]
    """Done; it cannot be done; or nobody answered in time."""
    operator: str = ""
    """Who answered, as the rig file names the person."""
    note: str = ""
    """Why it cannot be done, in the person's own words."""
    waited_s: float = 0.0


class TableRequested(Event, frozen=True, tag="table.requested"):
    """The dealer asks the table software for something. A probe asks for what must be refused."""

    request: Literal["next_round", "resume", "deal_by_hand", "shuffle_by_hand", "use_device", "check_deck"]
    device: str = ""
    probe: bool = False


class TableDone(Event, frozen=True, tag="table.done"):
    """A directive has been carried out, or could not be."""

    directive: str
    verb: str
    outcome: Literal["done", "failed", "impossible"]
    detail: str = ""
