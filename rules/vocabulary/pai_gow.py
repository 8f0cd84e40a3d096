"""Facts: Pai Gow Poker, its dice, its stacks, and seven cards set into two hands."""

from rules.vocabulary.kinds import FLAG, NUMBER, ROLE, TEXT, FactKind, text

HAND = text("player", "dealer", "bank", "nobody")
"""Whose a hand is: `nobody` has no wager at that position."""

FACTS: dict[str, FactKind] = {
    "dice_spoiled": FactKind(
        "Dice lean, or lie outside the shaker. `stage`: all dice had been uncovered, or some still lay under the "
        "cover; `certain`: the camera was sure of what it saw.",
        {"how": text("leaning", "outside"), "stage": text("uncovered", "shaking"), "count": NUMBER, "certain": FLAG},
    ),
    "first_delivery": FactKind(
        "The first card or stack of the round was dealt, and the camera saw where. `total_right`: the dealer called "
        "what the pips show and the start was set by it; `place_right`: it lies where the pips point.",
        {"unit": text("card", "stack"), "position": TEXT, "total_right": FLAG, "place_right": FLAG},
    ),
    "card_exposed": FactKind(
        "A face of a hand became visible before hands are shown. `stage`: while stacks were dealt by hand, while they "
        "came from the shoe, or after the deal; `origin`: it had lain face up in the shoe, or somebody turned it up.",
        {
            "position": TEXT,
            "who": HAND,
            "by": text("dealer", "player", "unknown"),
            "stage": text("by_hand", "stacks", "dealt"),
            "origin": text("shoe", "slip"),
            "seen": FLAG,
        },
    ),
    "option_chosen": FactKind(
        "A player chose whether to play or to void an exposed hand; `looked`: the player had looked at the cards.",
        {"position": TEXT, "choice": text("play", "void"), "looked": FLAG},
    ),
    "hand_voided": FactKind(
        "The table software voided one hand, or called it dead. `choice` is what its player had chosen by then.",
        {"position": TEXT, "who": HAND, "choice": text("play", "void", "none")},
    ),
    "face_up_found": FactKind(
        "Cards were found face up in the shoe: at its mouth, or among those that remained. `nth` counts those of the "
        "round, `nth_load` those since the shoe was loaded, `found` those found now; `approved` is the procedure that "
        "the operator gave.",
        {
            "nth": NUMBER,
            "nth_load": NUMBER,
            "found": NUMBER,
            "place": text("shoe_mouth", "layout_centre"),
            "approved": text("replace", "void", "missing"),
        },
    ),
    "face_up_taken": FactKind(
        "Cards were taken from the mouth of the shoe. `clear`: no face is left there; `racked`: they lie in the "
        "discard rack.",
        {"clear": FLAG, "racked": FLAG},
    ),
    "stack_completed": FactKind(
        "A single card joined the stack at the mouth of the shoe; `whole`: the camera counted as many as a stack has.",
        {"count": NUMBER, "whole": FLAG},
    ),
    "drawn_early": FactKind(
        "A card was drawn without an order. `nth` counts those drawn since the last stack was delivered.",
        {"nth": NUMBER, "exposed": FLAG},
    ),
    "drawn_used": FactKind("Cards drawn without an order went to a hand with the next stack.", {"position": TEXT}),
    "drawn_wasted": FactKind(
        "Cards drawn without an order went from the mouth of the shoe, but to no hand; `left` is what the camera saw.",
        {"verb": TEXT, "left": FLAG},
    ),
    "stack_dealt": FactKind(
        "A hand got its stack; `count` is what the camera counted before or afterwards.",
        {"position": TEXT, "who": HAND, "count": NUMBER, "relation": text("same", "fewer", "more")},
    ),
    "hand_mended": FactKind(
        "By order cards were added to a hand that had its own, or went from one to another.", {"position": TEXT}
    ),
    "dealt_wrong_by_hand": FactKind(
        "The seven stacks were not dealt by hand as they are to be: a card went out of turn, a stack got more or "
        "fewer cards than its own, or play went on before every stack had seven.",
        {"how": text("order", "count", "unfinished"), "position": TEXT},
    ),
    "hands_set": FactKind(
        "Seven cards were set into two hands. `agrees`: as the submitted house way says; `foul`: the hand of two "
        "beats the hand of five; `way`: whether the operator gave a house way, unknown for one that cannot be used.",
        {
            "position": TEXT,
            "who": HAND,
            "nth": NUMBER,
            "agrees": FLAG,
            "foul": FLAG,
            "way": text("given", "missing"),
        },
    ),
    "work_timed": FactKind(
        "A device ended a shuffle, or let a unit come out. `over`: it took longer than the operator says it may; "
        "`limit`: whether the operator gave that time.",
        {"device": TEXT, "role": ROLE, "seconds": NUMBER, "over": FLAG, "limit": text("given", "missing")},
    ),
}
