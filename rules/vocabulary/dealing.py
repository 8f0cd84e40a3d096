"""Facts: the pack of cards, and how it is dealt."""

from rules.vocabulary.kinds import FLAG, NUMBER, ROLE, TEXT, WHO, FactKind, text

FACTS: dict[str, FactKind] = {
    "shuffled": FactKind("The pack was shuffled to the end.", {"method": text("device", "hand"), "reshuffle": FLAG}),
    "cut": FactKind("The pack was cut."),
    "loaded": FactKind("The dealer put the pack into a device.", {"device": TEXT, "role": ROLE}),
    "reshuffled": FactKind(
        "An ordered reshuffle was carried out. `cleared` says whether every place that held cards was seen empty.",
        {"scope": text("", "hand", "round", "device_cards", "all_cards", "discards"), "cleared": FLAG},
    ),
    "start_position_set": FactKind("The starting position was fixed.", {"position": TEXT}),
    "dice_seen": FactKind("The dice were uncovered.", {"valid": FLAG, "total": NUMBER}),
    "card_dispensed": FactKind(
        "A single card came out.", {"number": NUMBER, "method": text("device", "hand"), "in_round": FLAG}
    ),
    "stack_dispensed": FactKind(
        "A stack came out of the shoe. `index` counts in the round, `count` is what the shoe claims.",
        {"index": NUMBER, "count": NUMBER, "right": FLAG, "asked": FLAG},
    ),
    "stack_delivered": FactKind(
        "A stack was delivered; `arrived` is what the camera saw, `face_up` how many faces it saw.",
        {
            "index": NUMBER,
            "position": TEXT,
            "who": WHO,
            "at_start": FLAG,
            "in_order": FLAG,
            "arrived": FLAG,
            "face_up": NUMBER,
            "wagered": FLAG,
        },
    ),
    "all_stacks_delivered": FactKind("As many stacks as the game has were delivered in the round.", {"count": NUMBER}),
    "stack_counted": FactKind(
        "The camera looked at a stack whose cards lie apart: at the mouth of the shoe, or spread at a position.",
        {"place": TEXT, "count": NUMBER, "right": FLAG, "counted": FLAG},
    ),
    "remainder_removed": FactKind("The dealer took the remaining cards out of the shoe.", {"device": TEXT}),
    "remainder_counted": FactKind(
        "The remaining cards were spread and the camera counted them. `complete`: every position had been given a "
        "stack; `agrees`: the count fits the stacks that came out, if each had its right size.",
        {
            "count": NUMBER,
            "relation": text("same", "fewer", "more"),
            "face_up": NUMBER,
            "complete": FLAG,
            "agrees": FLAG,
        },
    ),
    "unwagered_stack": FactKind(
        "The remainder was right, and a stack lies where there is no wager.", {"position": TEXT}
    ),
    "stacks_checked": FactKind(
        "Every stack was spread and counted. `relation` is that of the remainder before.",
        {
            "any_wrong": FLAG,
            "total": NUMBER,
            "total_right": FLAG,
            "relation": text("same", "fewer", "more"),
        },
    ),
    "moved_to_rack": FactKind(
        "Cards went to the discard rack. `gone`, `arrived` and `face_up` are what the camera saw.",
        {
            "place": TEXT,
            "wagered": FLAG,
            "remainder": FLAG,
            "gone": FLAG,
            "arrived": FLAG,
            "face_up": NUMBER,
        },
    ),
    "card_delivered": FactKind(
        "A single card was delivered; `nth` counts this hand's cards, `face` is the face the camera saw.",
        {"position": TEXT, "who": WHO, "nth": NUMBER, "ordered": text("down", "up"), "face": text("down", "up")},
    ),
    "card_after_missed_burn": FactKind(
        "The next card came after a burn that may be `missed` and a betting round; `burned` counts those seen between.",
        {"missed": FLAG, "burned": NUMBER, "betting_round": FLAG},
    ),
}
