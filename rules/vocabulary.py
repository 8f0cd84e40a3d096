"""The facts that a clause pack may speak of, with their attributes.

A fact is what the judge derives from journal records. An attribute that could not be seen (the camera abstained) is
None and makes every condition on it neither true nor false.
"""

from typing import Literal, get_args

import msgspec

from evidence.events import DealerAct, Verb

Value = str | int | bool | None


class Attribute(msgspec.Struct, frozen=True):
    """One attribute of a fact. `values` lists all that a closed text attribute can hold; empty means any text."""

    kind: Literal["text", "number", "flag"]
    values: tuple[str, ...] = ()


class FactKind(msgspec.Struct, frozen=True):
    """One kind of fact: what it states, and with which attributes."""

    states: str
    attributes: dict[str, Attribute] = {}


def _text(*values: str) -> Attribute:
    return Attribute("text", values)


NUMBER = Attribute("number")
FLAG = Attribute("flag")
TEXT = Attribute("text")
ROLE = _text("shuffler", "shoe")
WHO = _text("player", "dealer")
WAGER = _text("", "main", "additional", "jacks_plus", "all")
REQUEST = _text("", "next_round", "resume", "deal_by_hand", "shuffle_by_hand", "use_device")

_ORDER = {
    "verb": _text(*get_args(Verb)),
    "position": TEXT,
    "who": _text("", "player", "dealer"),
    "place": TEXT,
    "to": TEXT,
    "device": TEXT,
    "role": _text("", "shuffler", "shoe"),
    "method": _text("", "device", "hand"),
    "unit": _text("", "card", "group"),
    "face": _text("", "down", "up"),
    "count": NUMBER,
    "scope": _text("", "hand", "round", "device_cards", "all_cards"),
    "wager": WAGER,
    "phrase": TEXT,
    "request": REQUEST,
    "in_round": FLAG,
}

FACTS: dict[str, FactKind] = {
    # --- orders, requests and acts ---
    "directive": FactKind("The table software gave an order.", _ORDER),
    "carried_out": FactKind(
        "An order was carried out, or could not be.", {**_ORDER, "outcome": _text("done", "failed", "impossible")}
    ),
    "request": FactKind(
        "The dealer asked the table software for something; a probe asks for what must be refused.",
        {
            "request": REQUEST,
            "device": TEXT,
            "role": _text("", "shuffler", "shoe"),
            "probe": FLAG,
            "approved": FLAG,
        },
    ),
    "dealer_act": FactKind(
        "The dealer did something.",
        {
            "act": _text(*get_args(DealerAct)),
            "position": TEXT,
            "place": TEXT,
            "device": TEXT,
            "phrase": TEXT,
            "count": NUMBER,
            "asked": FLAG,
        },
    ),
    "player_act": FactKind("A player did something.", {"act": _text("bet", "expose", "fold"), "position": TEXT}),
    "announced": FactKind("The dealer said a phrase aloud.", {"phrase": TEXT}),
    "wager_placed": FactKind(
        "A wager was placed.", {"position": TEXT, "wager": _text("main", "additional", "jacks_plus"), "offered": FLAG}
    ),
    "round_opened": FactKind("A round of play began.", {"number": NUMBER}),
    "round_closed": FactKind("A round of play ended.", {"number": NUMBER, "voided": FLAG}),
    "injected": FactKind(
        "An injected fault is proven to have happened.", {"fault": TEXT, "target": TEXT, "symptom": TEXT}
    ),
    # --- devices ---
    "device_irregularity": FactKind(
        "A device jammed, stopped or failed to complete its work; claimed by itself, proven, or both.",
        {
            "device": TEXT,
            "role": ROLE,
            "symptom": _text("jam", "stop", "incomplete", "count", "empty", "other"),
            "during": _text("shuffle", "round", "idle"),
            "basis": _text("claimed", "proven", "observed"),
            "silent": FLAG,
            "recovered": FLAG,
        },
    ),
    "device_in_use": FactKind(
        "A device was first put to use. `approved` says whether it stands as the approval record states.",
        {"device": TEXT, "role": ROLE, "approved": FLAG},
    ),
    "play_asked": FactKind(
        "Play was asked for the first time, told once for each device that stands ready.",
        {"device": TEXT, "role": ROLE, "approved": FLAG},
    ),
    "device_configured": FactKind(
        "A device put to use stated how many cards it is set to dispense in a group.",
        {"device": TEXT, "role": ROLE, "group_size": NUMBER},
    ),
    "device_seen": FactKind("The camera looked for a device.", {"device": TEXT, "role": ROLE, "present": FLAG}),
    "method_used": FactKind(
        "A hand method of shuffling or dealing was ordered, allowed or done, told once for each device of the table.",
        {
            "device": TEXT,
            "role": ROLE,
            "function": _text("shuffling", "dealing"),
            "stage": _text("requested", "allowed", "ordered", "done"),
            "on_table": FLAG,
        },
    ),
    # --- the pack of cards ---
    "shuffled": FactKind(
        "The pack was shuffled to the end.", {"method": _text("device", "hand"), "reshuffle": FLAG}
    ),
    "cut": FactKind("The pack was cut."),
    "loaded": FactKind("The dealer put the pack into a device.", {"device": TEXT, "role": ROLE}),
    "reshuffled": FactKind(
        "An ordered reshuffle was carried out. `cleared` says whether every place that held cards was seen empty.",
        {"scope": _text("", "hand", "round", "device_cards", "all_cards"), "cleared": FLAG},
    ),
    # --- dealing ---
    "start_position_set": FactKind("The starting position was fixed.", {"position": TEXT}),
    "dice_seen": FactKind("The dice were uncovered.", {"valid": FLAG, "total": NUMBER}),
    "card_dispensed": FactKind(
        "A single card came out.", {"number": NUMBER, "method": _text("device", "hand"), "in_round": FLAG}
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
            "relation": _text("same", "fewer", "more"),
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
            "relation": _text("same", "fewer", "more"),
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
        {"position": TEXT, "who": WHO, "nth": NUMBER, "ordered": _text("down", "up"), "face": _text("down", "up")},
    ),
    "card_after_missed_burn": FactKind(
        "The next card came after a missed burn and a betting round; `burned` counts the cards seen burned between.",
        {"burned": NUMBER, "betting_round": FLAG},
    ),
    # --- irregularities of cards and people ---
    "face_up_in_source": FactKind(
        "A card was found face up in the shoe or the deck. `nth` counts those found in this round in the same phase, "
        "`earlier` those found while dealing before this, `drawn` is true when nobody had ordered the card.",
        {
            "nth": NUMBER,
            "phase": _text("dealing", "all_dealt"),
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
            "which": _text("first", "second", "both"),
            "bonus_wins": FLAG,
        },
    ),
    "card_drawn_in_error": FactKind("A card was drawn without an order.", {"exposed": FLAG}),
    "hand_counted": FactKind(
        "The camera counted a hand and it is not as it should be, or could not be counted.",
        {
            "position": TEXT,
            "who": WHO,
            "relation": _text("same", "fewer", "more"),
            "found": _text("dealing", "later"),
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
    "button_moved": FactKind("The button was moved by order; `arrived` is what the camera saw.", {
        "position": TEXT, "arrived": FLAG,
    }),
    "card_exposed_by_player": FactKind(
        "A player showed a down card of the own hand; `early` is true before the hands are to be shown.",
        {"position": TEXT, "seen": FLAG, "early": FLAG},
    ),
}  # fmt: skip


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened at the table, as the judge understands it from the journal."""

    name: str
    attributes: dict[str, Value]
    at: int
    """Journal sequence number of the earliest evidence: when it happened."""
    seq: int
    """Sequence number of the record that made it known."""
    evidence: tuple[int, ...]
    says: str
    """A plain clause for a sentence, such as `the shoe jammed during a round`."""
    id: int = 0
    revision: int = 0
    """Above 0 when a fact with the same id was known before and is hereby corrected."""
    amendable: bool = False
    """True when later evidence may still correct this fact."""
