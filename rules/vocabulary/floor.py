"""Facts: what people of the house decide."""

from rules.vocabulary.kinds import TEXT, FactKind

FACTS: dict[str, FactKind] = {
    "floor_ruled": FactKind(
        "A floor person decided what the rules leave to the house.",
        {"question": TEXT, "ruling": TEXT, "by": TEXT, "position": TEXT},
    ),
}
