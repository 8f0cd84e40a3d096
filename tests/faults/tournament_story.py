"""Tells an initial deal of single cards, two to each of three hands, which the players then turn up."""

from bench.protocol.messages import Cycle
from evidence.events import DealerDid, Directive
from tests.faults.fault_story import Story

SEATS = ["seat/1", "seat/2", "seat/3"]
STRANGE = {
    "nonstandard_card": (3, "Jk", ""),
    "duplicate_card": (2, "Kd", ""),
    "other_back_card": (3, "", "blue"),
}
"""Faults of the pack: which card to be dealt is exchanged, for which face and back."""


def initial_deal(story: Story) -> Story:
    """The deal goes wrong at seat 3, which is dealt last, where the story has a slip for it."""
    story.directed("open_round", lambda _: "")
    story.shuffle()
    story.directed("load_device", lambda _: _load(story), device="shoe")
    for card in (1, 2):
        for place in SEATS:
            if story.world.count("shoe_mouth") == 0:
                story.dispense("card")
            _deliver(story, place, card)
    for place in SEATS:
        story.hands.turn_up(place)
        story.look(place)
    return story


def _load(story: Story) -> str:
    story.hands.load("shoe")
    story.hands.arrange_in_device("shoe", {1: "Kd"})
    for name, (card, label, back) in STRANGE.items():
        if name in story.slips:
            story.hands.exchange_in_device("shoe", card, label, back)
    trouble = story.operate("shoe", "load", lambda event: isinstance(event, Cycle) and event.phase == "completed")
    story.look("shoe_mouth")
    return trouble


def _deliver(story: Story, place: str, card: int) -> None:
    slips = story.slips
    passed = place == "seat/3" and (
        (card == 2 and "seat_passed_over" in slips) or (card == 1 and "button_dealt_last" in slips)
    )
    transposed = "cards_transposed" in slips and card == 2 and place != "seat/1"

    def act(order: Directive) -> str:
        if passed:
            story.look(place)
            story.look("shoe_mouth")
            return ""
        to = {"seat/2": "seat/3", "seat/3": "seat/2"}[place] if transposed else place
        story.hands.deliver(to, "down")
        if "button_dealt_last" in slips and place == "seat/3":
            story.operate("shoe", "deal_card", lambda event: type(event).__name__ == "Dispensed")
            story.hands.deliver(to, "down")
        story.write(DealerDid(act="deliver", directive=order.id, position=place))
        for seen in SEATS if transposed else [place]:
            story.look(seen)
        return ""

    story.directed("deliver", act, position=place, face="down")
