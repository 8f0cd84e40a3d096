"""Facts: shoes that read the cards drawn from them."""

from rules.vocabulary.kinds import FLAG, TEXT, FactKind, text

FACTS: dict[str, FactKind] = {
    "card_told": FactKind(
        "A shoe told of a card drawn from it. `state` is how the shoe took it: into the game, or as one outside, being "
        "locked, in error or set. `locked` and `failing` say how it stood by what had gone before: an order to lock, "
        "an error not cancelled. `again`: it had told of this card before, and had announced no repetition.",
        {
            "device": TEXT,
            "hand": text("player", "banker", "burn", "first", "burn_count", ""),
            "state": text("game", "locked", "error", "setting"),
            "locked": FLAG,
            "failing": FLAG,
            "again": FLAG,
        },
    ),
    "told_hand_seen": FactKind(
        "The camera looked at a hand of which a shoe has told every card; `same` says whether it read the same faces.",
        {"device": TEXT, "hand": text("player", "banker"), "same": FLAG},
    ),
    "shoe_error": FactKind("A shoe that reads cards told of an error.", {"device": TEXT, "code": TEXT}),
    "shoe_error_cancelled": FactKind(
        "A shoe told that its error is cancelled; `ordered` says whether it had been told to.",
        {"device": TEXT, "ordered": FLAG},
    ),
    "cut_card_drawn": FactKind("A shoe told that its cutting card was drawn.", {"device": TEXT}),
    "shoe_started": FactKind("A shoe told that it starts with fresh cards.", {"device": TEXT}),
    "result_told": FactKind(
        "A shoe told how the game ended. `right` says whether the faces that the camera read make it so.",
        {
            "device": TEXT,
            "winner": text("player", "banker", "tie", "void"),
            "standing": text("final", "held", "quarantined"),
            "right": FLAG,
        },
    ),
}
