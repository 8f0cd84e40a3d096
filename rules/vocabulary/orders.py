"""Facts: orders, requests and what people do."""

from typing import get_args

from evidence.events import DealerAct, PlayerAct, Verb
from rules.vocabulary.kinds import FLAG, NUMBER, TEXT, FactKind, text

WAGER = text("", "main", "additional", "jacks_plus", "all")
REQUEST = text("", "next_round", "resume", "deal_by_hand", "shuffle_by_hand", "use_device")

_ORDER = {
    "verb": text(*get_args(Verb)),
    "position": TEXT,
    "who": text("", "player", "dealer"),
    "place": TEXT,
    "to": TEXT,
    "device": TEXT,
    "role": text("", "shuffler", "shoe"),
    "method": text("", "device", "hand"),
    "unit": text("", "card", "group"),
    "face": text("", "down", "up"),
    "count": NUMBER,
    "scope": text("", "hand", "round", "device_cards", "all_cards", "discards"),
    "wager": WAGER,
    "phrase": TEXT,
    "request": REQUEST,
    "question": TEXT,
    "in_round": FLAG,
}

FACTS: dict[str, FactKind] = {
    "directive": FactKind("The table software gave an order.", _ORDER),
    "carried_out": FactKind(
        "An order was carried out, or could not be.", {**_ORDER, "outcome": text("done", "failed", "impossible")}
    ),
    "request": FactKind(
        "The dealer asked the table software for something; a probe asks for what must be refused.",
        {
            "request": REQUEST,
            "device": TEXT,
            "role": text("", "shuffler", "shoe"),
            "probe": FLAG,
            "approved": FLAG,
        },
    ),
    "dealer_act": FactKind(
        "The dealer did something.",
        {
            "act": text(*get_args(DealerAct)),
            "position": TEXT,
            "place": TEXT,
            "device": TEXT,
            "phrase": TEXT,
            "count": NUMBER,
            "asked": FLAG,
        },
    ),
    "player_act": FactKind(
        "A player did something.",
        {"act": text(*get_args(PlayerAct)), "position": TEXT, "amount_cents": NUMBER, "choice": TEXT},
    ),
    "announced": FactKind("The dealer said a phrase aloud.", {"phrase": TEXT}),
    "wager_placed": FactKind(
        "A wager was placed.", {"position": TEXT, "wager": text("main", "additional", "jacks_plus"), "offered": FLAG}
    ),
    "round_opened": FactKind("A round of play began.", {"number": NUMBER}),
    "round_closed": FactKind("A round of play ended.", {"number": NUMBER, "voided": FLAG}),
    "injected": FactKind(
        "An injected fault is proven to have happened.", {"fault": TEXT, "target": TEXT, "symptom": TEXT}
    ),
}
