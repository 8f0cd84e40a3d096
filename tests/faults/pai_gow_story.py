"""A round of Pai Gow Poker as a journal would hold it: dice, seven stacks, a choice, and hands that are set."""

from evidence.events import DealerDid, DiceSeen, Directive, PlayerDid
from tests.faults.fault_story import POSITIONS, Story

START = "seat/1"


class _Acts:
    """What is done for each directive, with the slips of the story."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.slips = story.slips

    def roll(self, order: Directive) -> str:
        story = self.story
        leaning, outside = (int(f"dice_{how}" in self.slips) for how in ("leaning", "outside"))
        flat = 3 - leaning - outside
        story.write(DealerDid(act="shake_dice", directive=order.id, count=3))
        story.write(DiceSeen(flat=flat, leaning=leaning, outside=outside, total=9 if flat == 3 else None))
        if flat == 3:
            called = 10 if "dice_totalled_wrongly" in self.slips else 9
            story.write(DealerDid(act="call_total", directive=order.id, count=called))
        return ""

    def deliver(self, order: Directive) -> str:
        story, position = self.story, order.position
        first = position == START
        to = "seat/2" if first and "delivered_elsewhere" in self.slips else position
        turned = [0] if first and "card_exposed_in_dealing" in self.slips else []
        story.hands.deliver(to, "down", turned)
        story.write(DealerDid(act="deliver", directive=order.id, position=position))
        for place in [position] if to == position else POSITIONS:
            story.look(place)
        return ""

    def act(self, _: Directive) -> str:
        story = self.story
        if "card_exposed_before_showdown" in self.slips:
            story.hands.turn_up("dealer", [0])
            story.write(DealerDid(act="turn_up", position="dealer", count=1))
            story.look("dealer")
            story.hands.turn_up("seat/2", [0])
            story.write(PlayerDid(act="expose", position="seat/2"))
            story.look("seat/2")
        return ""

    def choose(self, order: Directive) -> str:
        story, position = self.story, order.position
        if "player_looks_early" in self.slips:
            story.hands.move(position, "away")
            story.write(PlayerDid(act="look", position=position))
            story.look(position)
            story.hands.move("away", position, 7)
        story.write(PlayerDid(act="choose", position=position, choice="play"))
        return ""

    def set_hands(self, order: Directive) -> str:
        story, position = self.story, order.position
        seven = [card.label for card in story.world.cards(position)]
        low = seven[2:4] if "hands_set_wrongly" in self.slips else order.cards
        story.hands.turn_up(position)
        story.hands.pick_out(position, low, order.place, "up")
        story.hands.spread(position)
        story.hands.spread(order.place)
        story.write(DealerDid(act="set_hands", directive=order.id, position=position, place=order.place))
        story.look(position)
        story.look(order.place)
        return ""


def seven_hands(story: Story) -> Story:
    acts = _Acts(story)
    story.directed("open_round", lambda _: "")
    if not (story.shuffle() and story.load()):
        return story
    story.directed("roll_dice", acts.roll)
    for position in POSITIONS:
        if not story.dispense("group"):
            return story
        story.directed("deliver", acts.deliver, position=position, face="down")
    story.directed("offer_choice", acts.choose, position="seat/3", question="void_hand", choices=["play", "void"])
    story.directed("players_act", acts.act)
    for position, place in (("seat/1", "burn"), ("dealer", "layout_centre")):
        seven = [card.label for card in story.world.cards(position)]
        story.directed("set_hands", acts.set_hands, position=position, place=place, cards=seven[:2])
    return story
