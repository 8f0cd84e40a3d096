"""Facts: money that players put in, and what of it comes back or goes to a winner."""

from rules.vocabulary.kinds import FLAG, NUMBER, TEXT, FactKind, text

FACTS: dict[str, FactKind] = {
    "money_put_in": FactKind(
        "A player put money into the pot, or placed a wager. `initial`: before the deal.",
        {"position": TEXT, "amount_cents": NUMBER, "total_cents": NUMBER, "initial": FLAG},
    ),
    "money_paid": FactKind(
        "Money was given back to a player, or the pot to its winner, by order. All that was returned to this player in "
        "the round is just what the player had put in (`in_full`), or just the initial bet (`initial`). `over`: more "
        "was returned than put in, or awarded than lay in the pot. `contributed`: the player had put something in.",
        {
            "position": TEXT,
            "kind": text("return", "award"),
            "amount_cents": NUMBER,
            "in_full": FLAG,
            "initial": FLAG,
            "over": FLAG,
            "contributed": FLAG,
        },
    ),
    "money_all_returned": FactKind(
        "Every player who had put money in during the round has just that back, and nobody else has any of it.",
        {"players": NUMBER, "amount_cents": NUMBER},
    ),
}
