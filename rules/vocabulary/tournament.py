"""Facts: a tournament dealt card by card, its misdeals and their replay."""

from rules.vocabulary.kinds import FLAG, NUMBER, TEXT, FactKind, text

FACTS: dict[str, FactKind] = {
    "substantial_action": FactKind(
        "There was substantial action in this deal, counted by what players did in turn; `how` says by which measure.",
        {"acts": NUMBER, "how": text("with_chips", "acts_alone")},
    ),
    "dealing_error": FactKind(
        "Something went wrong in dealing. `nth` is the card of the deal, `of_hand` that of the hand, `total` how many "
        "such cards there are so far (in the hand, for a wrong count); `substantial`: after substantial action, "
        "`action`: by which measure; `acted`: the player of the hand had acted; `house_rule` is the operator's word "
        "for a draw game.",
        {
            "error": text(
                "boxed", "stuck", "first_card", "ineligible", "skipped", "wrong_count", "exposed", "out_of_order"
            ),
            "position": TEXT,
            "nth": NUMBER,
            "of_hand": NUMBER,
            "total": NUMBER,
            "relation": text("", "fewer", "more"),
            "found": text("dealing", "later"),
            "on_button": FLAG,
            "acted": FLAG,
            "substantial": FLAG,
            "action": text("", "with_chips", "acts_alone"),
            "draw_game": FLAG,
            "house_rule": TEXT,
        },
    ),
    "exposed_card_replaced": FactKind(
        "A hand of which the dealer had exposed a card holds the right number of cards again, all face down.",
        {"position": TEXT},
    ),
    "hand_completed": FactKind("A hand that was short holds the right number of cards.", {"position": TEXT}),
    "button_dealt_in_a_row": FactKind(
        "All hands are right, and the button got its cards one after the other at the end.", {"position": TEXT}
    ),
    "hand_replayed": FactKind(
        "The initial deal of a misdealt hand was made again. `newcomers` and `left_out` count who was ordered cards "
        "beside the first deal, `waiting` and `level_due` say whether somebody came to a seat, or the next level was "
        "called, meanwhile.",
        {
            "button_same": FLAG,
            "newcomers": NUMBER,
            "left_out": NUMBER,
            "blinds_same": FLAG,
            "waiting": FLAG,
            "level_due": FLAG,
        },
    ),
    "replayed_player": FactKind(
        "In the replay of a hand: a player who was away from the seat in the first deal, or who serves a penalty. "
        "`seated`: the player was at the seat when the replay had been dealt.",
        {"position": TEXT, "why": text("absent", "penalty"), "dealt": FLAG, "seated": FLAG},
    ),
    "penalty_hand_over": FactKind(
        "A hand is over in which a player served a penalty; `counted` hands of it were counted, `deals` were made.",
        {"position": TEXT, "counted": NUMBER, "deals": NUMBER},
    ),
    "nonstandard_card": FactKind(
        "The camera read a card that the game is not played with.",
        {
            "label": TEXT,
            "kind": text("joker", "low_card"),
            "where": text("hand", "board", "deck", "burn", "other"),
            "position": TEXT,
            "substantial": FLAG,
        },
    ),
    "deck_fouled": FactKind(
        "The pack is not as it should be: a face was read on two cards, a card is missing, or backs differ. `local` "
        "says whether the operator's rules name the condition (empty: they were not given). `next_hand` says whether "
        "the hand after the one that is over had begun, or the floor had called the time for disputes over.",
        {
            "condition": text("duplicate", "missing_card", "other_back"),
            "local": text("", "yes", "no"),
            "during": text("hand", "after_hand", "no_hand"),
            "next_hand": text("not_begun", "begun", "time_over"),
            "substantial": FLAG,
        },
    ),
}
