"""Facts: irregularities of cards and people."""

from rules.vocabulary.kinds import FLAG, NUMBER, TEXT, WHO, FactKind, text

FACTS: dict[str, FactKind] = {
    "face_up_in_source": FactKind(
        "A card was found face up in the shoe or the deck. `nth` counts those found in this round in the same phase, "
        "`earlier` those found while dealing before this, `drawn` is true when nobody had ordered the card.",
        {
            "nth": NUMBER,
            "phase": text("dealing", "all_dealt"),
            "several": FLAG,
            "earlier": NUMBER,
            "drawn": FLAG,
            "place": TEXT,
        },
    ),
    "hole_cards_face_up": FactKind(
        "Hole cards of a hand lie face up after dealing.",
        {
            "position": TEXT,
            "who": WHO,
            "count": NUMBER,
            "which": text("first", "second", "both"),
            "bonus_placed": FLAG,
            "bonus_wins": FLAG,
        },
    ),
    "card_drawn_in_error": FactKind(
        "A card was drawn without an order.", {"exposed": FLAG, "phase": text("dealing", "all_dealt")}
    ),
    "hand_counted": FactKind(
        "The camera counted a hand and it is not as it should be, or could not be counted; or it was ordered fewer "
        "cards than others. `count` is what it has, `due` what it should have.",
        {
            "position": TEXT,
            "who": WHO,
            "relation": text("same", "fewer", "more"),
            "found": text("dealing", "later"),
            "due": NUMBER,
            "count": NUMBER,
            "by": text("camera", "orders"),
        },
    ),
    "burn_missed": FactKind("A burn was due, and no card went to the burn place.", {"seen": FLAG}),
    "burned": FactKind("Cards were burned; `count` is what the camera saw come.", {"count": NUMBER, "ordered": NUMBER}),
    "button_not_moved": FactKind(
        "The button was to be moved; `moved` is what the camera saw.", {"ordered": TEXT, "moved": FLAG}
    ),
    "button_due": FactKind(
        "The next round begins after one in which the button was not moved.",
        {"next_logical": TEXT, "next_physical": TEXT, "farthest_logical": FLAG, "farthest_physical": FLAG},
    ),
    "button_moved": FactKind(
        "The button was moved by order; `arrived` is what the camera saw.",
        {
            "position": TEXT,
            "arrived": FLAG,
        },
    ),
    "card_exposed_by_player": FactKind(
        "A player showed a down card of the own hand; `early` is true before the hands are to be shown.",
        {"position": TEXT, "seen": FLAG, "early": FLAG},
    ),
}
