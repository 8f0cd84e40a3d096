"""Facts: which cards a pack is made of, and which pack it is."""

from rules.vocabulary.kinds import FLAG, NUMBER, FactKind, text

FACTS: dict[str, FactKind] = {
    "pack_identified": FactKind(
        "The camera read faces, by which the pack is known to be whole, or not: in a check of it, or by cards that lay "
        "at the table. `stage`: between rounds, in a round, or after its pot had been awarded. `extra` counts cards "
        "that are there twice or are none of the game's, `foreign` those with another back than the pack.",
        {
            "wrong": FLAG,
            "found": text("whole", "missing", "extra", "swapped"),
            "missing": NUMBER,
            "extra": NUMBER,
            "foreign": NUMBER,
            "by": text("check", "table"),
            "stage": text("between", "round", "awarded"),
        },
    ),
    "deck_replaced": FactKind(
        "A pack came in place of the one that was taken away; `another` is what the camera saw of their backs.",
        {"another": FLAG},
    ),
}
