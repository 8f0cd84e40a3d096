"""Tells a round of blackjack for one player; what goes wrong in it happens where the story has a slip for it."""

from bench.protocol.messages import Cycle, Dispensed
from evidence.events import DealerDid, Directive
from tests.faults.fault_story import Story

MOUTH = "shoe_mouth"
DEALT = {1: "Tc", 2: "Td", 3: "8c", 4: "7d"}
"""18 for the player and 17 for the dealer."""


def blackjack_round(story: Story) -> Story:
    """Two cards to each hand, the dealer's second one face down until it is turned up, and a further one at the end."""
    story.directed("open_round", lambda _: "")
    story.shuffle()
    story.directed("load_device", lambda _: _load(story), device="shoe")
    for nth in (1, 2):
        for place in ("seat/1", "dealer"):
            if story.world.count(MOUTH) == 0:
                story.dispense("card")
            _deliver(story, place, nth)
    if "card_drawn_and_exposed" in story.slips:
        _draw(story)
    story.directed("turn_up", lambda _: _turn_up(story), position="dealer", count=2)
    if story.world.count(MOUTH) == 0:
        story.dispense("card")
    return story


def _load(story: Story) -> str:
    story.hands.load("shoe")
    story.hands.arrange_in_device("shoe", DEALT)
    if "few_cards_left" in story.slips:
        story.hands.move("shoe/tray", "discard_rack", story.pack - len(DEALT), "down")
    story.look("discard_rack")
    trouble = story.operate("shoe", "load", lambda event: isinstance(event, Cycle) and event.phase == "completed")
    story.look(MOUTH)
    return trouble


def _deliver(story: Story, place: str, nth: int) -> None:
    face = "down" if (place, nth) == ("dealer", 2) else "up"

    def act(order: Directive) -> str:
        if "card_left_at_mouth" in story.slips and (place, nth) == ("seat/1", 2):
            story.look(place)
            story.look(MOUTH)
            return ""
        story.hands.deliver(place, face)  # type: ignore[arg-type]
        story.write(DealerDid(act="deliver", directive=order.id, position=place))
        story.look(place)
        return ""

    story.directed("deliver", act, position=place, face=face)


def _turn_up(story: Story) -> str:
    story.hands.turn_up("dealer", [1])
    story.look("dealer")
    if "dealer_overdraws" in story.slips:
        _draw(story)
    return ""


def _draw(story: Story) -> None:
    story.operate("shoe", "deal_card", lambda event: isinstance(event, Dispensed))
    story.hands.turn_up(MOUTH, [0])
    story.write(DealerDid(act="draw", device="shoe", count=1))
    story.look(MOUTH)
