"""Facts: a game dealt card by card to players who bet into a pot."""

from rules.vocabulary.kinds import FLAG, NUMBER, TEXT, FactKind, text

FACTS: dict[str, FactKind] = {
    "preparation_failed": FactKind(
        "A shuffle or a cut was due and did not come about, whatever was said of it; `failed` is unknown where the "
        "camera could not tell. `both` is true when the pack was neither shuffled nor cut.",
        {"what": text("shuffle", "cut"), "failed": FLAG, "both": FLAG},
    ),
    "card_arrived": FactKind(
        "The camera saw a card come to a position. `nth` counts the cards there, `ordered` is the face that was "
        "ordered, `asked` is true when a card was ordered to this position.",
        {
            "position": TEXT,
            "nth": NUMBER,
            "face": text("down", "up"),
            "ordered": text("", "down", "up"),
            "asked": FLAG,
        },
    ),
    "dealt_to_ineligible": FactKind(
        "A card came to a position that is not in the round: nobody sits there, the player put nothing into the pot, "
        "or the hand was folded or dead.",
        {"position": TEXT, "why": text("empty_seat", "not_in_pot", "hand_over"), "cards": NUMBER},
    ),
    "early_cards_up": FactKind(
        "Down cards of a hand lie face up after dealing. `holes` counts them, `count` all that lie face up among the "
        "first three cards, `third` says how the third one lies. `staked`: the player has put money in.",
        {
            "position": TEXT,
            "holes": NUMBER,
            "which": text("first", "second", "both"),
            "third": text("undealt", "down", "up"),
            "count": NUMBER,
            "staked": FLAG,
        },
    ),
    "last_card_exposed": FactKind(
        "The last card of a hand was to come face down and lies face up. `still_due` counts the hands that have not "
        "got theirs yet.",
        {"position": TEXT, "still_due": NUMBER},
    ),
    "last_cards_dealt": FactKind(
        "All last cards are dealt, one of which came face up by accident. `rest_up`: those dealt after it lie face up; "
        "`all_up`: all of them do.",
        {"rest_up": FLAG, "all_up": FLAG},
    ),
    "card_fell": FactKind(
        "A card fell off the table on its way to a hand; `exposed` is what the dealer told of its face.",
        {"position": TEXT, "nth": NUMBER, "exposed": FLAG},
    ),
    "card_recovered": FactKind(
        "The card that had fallen was brought back; `arrived` is what the camera saw at the position.",
        {"position": TEXT, "arrived": FLAG},
    ),
    "deal_error": FactKind(
        "A hand was passed over, or got a card too many. `due` counts the cards it should hold. `served_after` counts "
        "the players who got a card after that until it was noticed, `served_in_turn` all who got one in this turn.",
        {
            "position": TEXT,
            "kind": text("skipped", "too_many"),
            "due": NUMBER,
            "served_after": NUMBER,
            "served_in_turn": NUMBER,
        },
    ),
    "hand_made_right": FactKind(
        "A hand that was passed over or had a card too many holds the right number of cards. `after_last` is true when "
        "every other hand in the round had its card of that turn before.",
        {"position": TEXT, "kind": text("skipped", "too_many"), "after_last": FLAG},
    ),
    "hand_left_short": FactKind(
        "Players were to bet or to show their hands, and a hand in the round held fewer cards than others.",
        {"position": TEXT, "held": NUMBER, "others": NUMBER},
    ),
    "hand_lost": FactKind(
        "A live hand was taken away, or other cards got among it. `capped` is true when its player was seen to protect "
        "it in this round.",
        {"position": TEXT, "how": text("collected", "fouled"), "capped": FLAG},
    ),
    "lost_hand_ruled": FactKind(
        "The floor ruled on a hand that was taken away or fouled: whether it had been protected, and whether its "
        "player contributed to the error.",
        {"position": TEXT, "how": text("collected", "fouled"), "protected": FLAG, "contributed": FLAG},
    ),
    "lost_hand_question": FactKind(
        "A question about a hand that was taken away or fouled, answered by the floor, or open when its round ended "
        "(`said` empty). `asked`: the table software called the floor for it, or the floor ruled anyway.",
        {
            "position": TEXT,
            "how": text("collected", "fouled"),
            "question": text("hand_protected", "player_contributed"),
            "asked": FLAG,
            "said": text("", "protected", "unprotected", "victim", "contributor"),
        },
    ),
}
