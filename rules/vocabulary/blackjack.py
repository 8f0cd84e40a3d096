"""Facts: games in which hands are drawn up to a total against the dealer."""

from rules.vocabulary.kinds import FLAG, NUMBER, TEXT, WHO, FactKind, text

FACTS: dict[str, FactKind] = {
    "passed_over": FactKind(
        "A card was ordered to a hand; `missed` says whether the camera saw that none came. `nth` counts the cards "
        "ordered to it, `waiting` says whether the card still lay at the mouth of the shoe.",
        {
            "position": TEXT,
            "who": WHO,
            "nth": NUMBER,
            "phase": text("opening", "players", "dealer"),
            "missed": FLAG,
            "waiting": FLAG,
        },
    ),
    "card_to_hand": FactKind(
        "A card went to a hand by order; `came` says whether the camera saw it come, `cards` how many lie there.",
        {"position": TEXT, "who": WHO, "cards": NUMBER, "came": FLAG},
    ),
    "opening_hand": FactKind(
        "Two cards had been ordered to every hand; `cards` is how many of them the camera saw at this one.",
        {"position": TEXT, "who": WHO, "cards": NUMBER},
    ),
    "hand_filled": FactKind(
        "A hand that was passed over in the opening deal holds its two cards; `others_served` says whether all other "
        "players' hands in play held theirs by then.",
        {"position": TEXT, "who": WHO, "others_served": FLAG},
    ),
    "players_served": FactKind("Every player's hand in play has had its turn for two cards, passed over or not.", {}),
    "next_deal": FactKind(
        "The next round was dealt to a player who had got no card; `served` says whether the camera saw cards there.",
        {"position": TEXT, "served": FLAG},
    ),
    "option_taken": FactKind(
        "A player answered an offer of the table software.", {"position": TEXT, "question": TEXT, "choice": TEXT}
    ),
    "late_card": FactKind(
        "A hand that was passed over while players drew got a card. `others_done` says whether all players after it "
        "had answered, `hole_shown` whether the dealer's hand had been turned up.",
        {"position": TEXT, "others_done": FLAG, "hole_shown": FLAG},
    ),
    "stray_draw": FactKind(
        "The dealer drew a card that nobody had ordered. `stands` says whether the dealer's hand, all of it face up, "
        "was one to stand on by the house's rule.",
        {"exposed": FLAG, "phase": text("opening", "players", "dealer"), "stands": FLAG},
    ),
    "exposed_card_given": FactKind(
        "A card that was exposed in error went to a hand; `accepted` says whether its player had taken it.",
        {"position": TEXT, "who": WHO, "accepted": FLAG, "phase": text("opening", "players", "dealer")},
    ),
    "exposed_card_left": FactKind(
        "A card that was exposed in error still lay at the mouth of the shoe when the dealer's hand was one to stand "
        "on.",
        {"stands": FLAG},
    ),
}
