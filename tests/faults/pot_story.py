"""A round with a pot as a journal would hold it: a cut in sight, players who fold, the pack checked and replaced."""

from bench.acts.identity import PART
from evidence.events import DealerDid, Directive, PlayerDid
from tests.faults.fault_story import POSITIONS, Story

SEATS = ["seat/1", "seat/2", "seat/3"]


class _Acts:
    """What is done for each directive, with the slips of the story."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.slips = story.slips

    def shuffle(self) -> None:
        if "shuffle_omitted" in self.slips:
            self.story.directed("shuffle", lambda _: "", device="shuffler", method="device")
        else:
            self.story.shuffle()

    def cut(self, order: Directive) -> str:
        story = self.story
        if "cut_omitted" not in self.slips:
            story.hands.move("hand", "layout_centre")
            story.hands.move("layout_centre", "burn", 20)
        story.look("layout_centre")
        story.look("burn")
        story.hands.gather()
        story.write(DealerDid(act="cut", directive=order.id, place="layout_centre"))
        return ""

    def deliver(self, order: Directive) -> str:
        story, position = self.story, order.position
        slips = self.slips if position == "seat/2" else frozenset()
        if "card_off_table" in slips:
            story.hands.move("shoe_mouth", "floor", 1)
            story.write(DealerDid(act="drop_card", directive=order.id, position=position, place="floor"))
            story.look(position)
            story.look("shoe_mouth")
            return ""
        story.hands.deliver(position, "down")
        story.write(DealerDid(act="deliver", directive=order.id, position=position))
        story.look(position)
        if "ineligible_dealt" in slips:
            story.hands.move("hand", "seat/5", 1)
            story.hands.move("shoe/inside", "seat/5", 1)
            story.write(DealerDid(act="deliver", position="seat/5"))
            story.look("seat/5")
        return ""

    def bet(self, _: Directive) -> str:
        story = self.story
        story.write(PlayerDid(act="fold", position="seat/1"))
        if "hand_fouled" in self.slips:
            story.hands.move("seat/1", "seat/2")
            story.hands.spread("seat/2")
            story.look("seat/1")
            story.look("seat/2")
        if "hand_collected" in self.slips:
            story.hands.move("seat/2", "discard_rack")
            story.write(DealerDid(act="collect", position="seat/2", place="seat/2"))
            story.look("seat/2")
        return ""

    def check(self, order: Directive) -> str:
        story = self.story
        story.hands.gather()
        story.write(DealerDid(act="gather", directive=order.id, place="all_cards"))
        for _ in range(7):
            story.hands.move("hand", "layout_centre", PART, "up")
            story.hands.spread("layout_centre")
            story.write(DealerDid(act="lay_out", directive=order.id, place="layout_centre", count=PART))
            story.look("layout_centre")
            story.hands.move("layout_centre", "discard_rack", None, "down")
        story.hands.gather()
        return ""

    def remove(self, order: Directive) -> str:
        if "deck_reused" in self.slips:
            self.story.hands.gather()
        else:
            self.story.hands.remove_pack()
        self.story.write(DealerDid(act="remove_deck", directive=order.id))
        return ""

    def place(self, order: Directive) -> str:
        story = self.story
        if "deck_reused" not in self.slips:
            story.hands.place_pack(story.pack, back="blue")
        story.hands.move("hand", "layout_centre")
        story.hands.square("layout_centre")
        story.write(DealerDid(act="place_deck", directive=order.id, place="layout_centre"))
        story.look("layout_centre")
        return ""


def round_with_pot(story: Story) -> Story:
    """Two cards to each of three players, one of whom folds; then the pack is checked, taken away and replaced."""
    acts = _Acts(story)
    story.directed("open_round", lambda _: "")
    acts.shuffle()
    story.directed("cut", acts.cut, place="layout_centre")
    if not story.load():
        return story
    for _ in range(2):
        for seat in SEATS:
            story.dispense("card")
            story.directed("deliver", acts.deliver, position=seat, face="down")
    story.directed("betting_round", acts.bet)
    story.directed("check_deck", acts.check)
    story.directed("remove_deck", acts.remove)
    story.directed("place_deck", acts.place)
    for place in POSITIONS:
        story.look(place)
    return story
