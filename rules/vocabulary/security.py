"""Facts: what a laboratory tries at a device to see whether it is shut."""

from rules.vocabulary.kinds import FLAG, NUMBER, TEXT, FactKind, text

FACTS: dict[str, FactKind] = {
    "ports_tried": FactKind(
        "The laboratory tried the ports of a device's address. `undeclared` counts those that are open and not "
        "declared, `ports` names them; `undeclared_at_least` is unknown instead of 0 where `silent` ports answered "
        "nothing at all.",
        {
            "device": TEXT,
            "undeclared": NUMBER,
            "undeclared_at_least": NUMBER,
            "ports": TEXT,
            "silent": NUMBER,
        },
    ),
    "logins_tried": FactKind(
        "The laboratory tried its list of default logins at a service of a device, `tried` of them; `accepted` counts "
        "those that it took, `entries` has their numbers. `unasked`: it lets in whoever connects, without any login.",
        {
            "device": TEXT,
            "service": TEXT,
            "tried": NUMBER,
            "accepted": NUMBER,
            "entries": TEXT,
            "unasked": FLAG,
        },
    ),
    "identity_tried": FactKind(
        "The laboratory asked a device for digests over its memory that nobody could foresee, `questions` of them; "
        "`same` says whether all were those of the image handed in.",
        {"device": TEXT, "questions": NUMBER, "same": FLAG},
    ),
    "order_watched": FactKind(
        "A device shuffled while its lines were tapped, and the camera read the pack before and after. `leaked` says "
        "whether a line carried the order, `how` in which way, `link` which one; `unclear` why that cannot be told.",
        {
            "device": TEXT,
            "shuffle": NUMBER,
            "leaked": FLAG,
            "how": text("codes", "places", "fixed_code", ""),
            "link": TEXT,
            "unclear": text("unread", "unfinished", "unmoved", "unrecorded", "too_much", ""),
        },
    ),
}
