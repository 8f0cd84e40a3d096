"""Writes journals of a tournament table by hand: seats 1 to 3 with the button at seat 3, so that seat 1 is dealt first.

Cards that lie face up are written down by their labels. What a test says was dealt where, the camera sees.
"""

from collections.abc import Sequence
from typing import Any

from evidence.events import (
    ButtonSeen,
    CardsSeen,
    FloorRuled,
    LevelAnnounced,
    PlayerAct,
    PlayerDid,
    SeatState,
    SeatStatus,
)
from rules.judge import judge
from rules.verdicts import Outcome, Verdict
from tests.rules.table_script import PACKS, Script

THREE = ("seat/1", "seat/2", "seat/3")
Act = tuple[str, PlayerAct, int]
"""Who does what, and the cents that go into the pot with it."""


class Tournament(Script):
    """One tournament hand under way, up to the moment when the first card is to be dealt."""

    def __init__(
        self,
        players: Sequence[str] = THREE,
        *,
        button: str | None = "last",
        game: str = "tournament_holdem",
        cards: int = 52,
        each: int = 2,
        inputs: dict[str, str] | None = None,
        away: Sequence[str] = (),
        penalty: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.players = list(players)
        self.each = each
        self.at_mouth = 0
        self._faces = iter(["4c", "5c", "6c", "7c", "8c", "9c", "Tc"])
        self.begin("s", "TDA-35")
        self.session(players, game=game, cards=cards, inputs=inputs)
        self.put(LevelAnnounced(small_blind_cents=100, big_blind_cents=200))
        for place in away:
            self.sits(place, "absent")
        for place in penalty:
            self.sits(place, "penalty")
        self.just("open_round")
        self.button(self.players[-1], seen=self.players[-1] if button == "last" else button)
        self.shuffle(device="shuffler")
        self.blinds()

    # --- people ---

    def sits(self, place: str, state: SeatState) -> None:
        self.put(SeatStatus(position=place, state=state))

    def blinds(self, small: int = 100, big: int = 200) -> None:
        for place, cents in zip(self.players, (small, big), strict=False):
            order = self.order("post_blind", position=place, amount_cents=cents)
            self.does(place, "post", cents)
            self.done(order, "post_blind")

    def does(self, place: str, act: PlayerAct, cents: int = 0) -> int:
        return self.put(PlayerDid(act=act, position=place, amount_cents=cents))

    def rules(self, question: str, ruling: str, position: str = "") -> None:
        order = self.order("call_floor", question=question, position=position)
        self.put(FloorRuled(question=question, ruling=ruling, by="floor", position=position))
        self.done(order, "call_floor")

    # --- cards ---

    def dispense(self, came: int = 1, *, up: int = 0) -> int:
        """A card comes to the mouth; several, or face up, where something is wrong."""
        order = self.order("dispense", device="shoe", unit="card")
        self.at_mouth += came
        seq = self._mouth(up)
        self.done(order, "dispense")
        return seq

    def _mouth(self, up: int = 0) -> int:
        down = self.at_mouth - up
        faces: list[str | None] = ["3c"] * up
        backs: list[str | None] = ["red"] * down
        seen = CardsSeen(place="shoe_mouth", count=self.at_mouth, face_up=faces, face_down=down, backs=backs)
        return self.put(seen)

    def card(self, place: str, *, to: str | None = None, up: bool = False, came: int = 1, blind: bool = False) -> int:
        """A card is dispensed and ordered to a place; where it in truth went, and how it lies, is what is seen."""
        if not self.at_mouth:
            self.dispense()
        order = self.order("deliver", position=place, face="down")
        went = place if to is None else to
        if went:
            self.held[went] = self.held.get(went, 0) + came
            if up:
                self.up[went] = self.up.get(went, 0) + 1
                self.labels.setdefault(went, []).append(next(self._faces))
            self.at_mouth = 0
            self.act("deliver", order, position=place)
        if blind:
            self.blind.add(place)
        seq = self.look(place)
        if went not in ("", place):
            seq = self.look(went)
        if not went:
            self._mouth()
        self.done(order, "deliver")
        self.blind.discard(place)
        return seq

    def deal(self, *, turned: Sequence[int] = (), leave_out: Sequence[str] = ()) -> int:
        """The whole initial deal; cards by number that the dealer turns up, and players who are left out."""
        seq = 0
        for number, place in enumerate(self.players * self.each, start=1):
            if place not in leave_out:
                seq = self.card(place, up=number in turned)
        return seq

    def shows(self, place: str, *labels: str) -> int:
        """A player turns up the own cards."""
        self.does(place, "expose")
        self.up[place], self.labels[place] = len(labels), list(labels)
        return self.look(place)

    def board(self, label: str) -> int:
        self.dispense()
        order = self.order("lay_board")
        self.labels.setdefault("layout_centre", []).append(label)
        self.held["layout_centre"] = self.up["layout_centre"] = len(self.labels["layout_centre"])
        self.at_mouth = 0
        self.act("lay_board", order, place="layout_centre")
        seq = self.look("layout_centre")
        self.done(order, "lay_board")
        return seq

    def scrap_of_board(self) -> None:
        order = self.order("retire_card", place="layout_centre", count=1)
        self.labels["layout_centre"].pop()
        self.held["layout_centre"] = self.up["layout_centre"] = len(self.labels["layout_centre"])
        self.act("collect", order, place="layout_centre")
        self.look("layout_centre")
        self.done(order, "retire_card")

    def scrap_of_mouth(self) -> None:
        order = self.order("retire_card", place="shoe_mouth")
        self.at_mouth = 0
        self.act("collect", order, place="shoe_mouth")
        self._mouth()
        self.done(order, "retire_card")

    def replaced(self, place: str) -> None:
        """The exposed card of a hand is taken away, and the next one comes."""
        order = self.order("take_exposed", position=place, to="burn")
        self.held[place] -= self.up.get(place, 0)
        self.up[place] = 0
        self.labels.pop(place, None)
        self.act("take_exposed", order, position=place, place=place)
        self.look(place)
        self.done(order, "take_exposed")
        self.card(place)

    # --- what the software orders ---

    def betting(self, *acts: Act) -> None:
        """A betting round with these acts of players."""
        order = self.order("betting_round")
        for place, act, cents in acts:
            self.does(place, act, cents)
        self.done(order, "betting_round")

    def misdeal(self) -> None:
        self.just("misdeal")
        self.announce("misdeal")
        self.refund()

    def refund(self, *, times: int = 1, cents: Sequence[tuple[str, int]] = (("seat/1", 100), ("seat/2", 200))) -> None:
        for place, amount in cents:
            for _ in range(times):
                self.just("return_wagers", scope="round", wager="all", position=place, amount_cents=amount)

    def again(self, *, button: str = "seat/3", blinds: tuple[int, int] = (100, 200)) -> None:
        """The misdealt hand is to be dealt again: cards gathered, shuffled, blinds posted."""
        order = self.order("redeal")
        self.put(ButtonSeen(position=button))
        self.done(order, "redeal")
        self.labels.clear()
        self.at_mouth = 0
        self.reshuffle()
        self.blinds(*blinds)

    def other_deck(self) -> None:
        self.just("remove_deck")
        order = self.order("place_deck")
        for place in list(self.held):
            self.held[place] = self.up[place] = 0
        self.act("place_deck", order, place="layout_centre")
        self.put(CardsSeen(place="layout_centre", count=None, stacked=True, face_down=1, backs=["blue"]))
        self.done(order, "place_deck")

    def over(self, winner: str = "seat/2", cents: int = 300) -> None:
        """The pot goes to its winner and the round ends."""
        self.just("award_pot", position=winner, amount_cents=cents)
        self.just("close_round")


FOLDS: list[Act] = [("seat/3", "fold", 0), ("seat/1", "fold", 0)]


def played(story: Tournament, *acts: Act) -> Tournament:
    """The story goes on with betting until one player is left, and the round ends."""
    story.betting(*(acts or FOLDS))
    story.over()
    return story


def replayed(story: Tournament, **how: Any) -> Tournament:
    """The story goes on with a misdeal and its exact replay."""
    story.misdeal()
    story.again(**how)
    story.deal()
    return played(story)


def judged(story: Tournament, **policies: str) -> dict[str, Verdict]:
    """The verdicts on all clauses of the pack, by what stands behind its name; the story is ended when judged first."""
    if story.scenario:
        story.end()
    found = judge(story.records, [PACKS["TDA-35"]], policies)
    return {one.clause.removeprefix("TDA-35."): one for one in found}


def outcome(story: Tournament, clause: str, **policies: str) -> Outcome:
    """What comes of one clause of the pack."""
    return verdict(story, clause, **policies).verdict


def verdict(story: Tournament, clause: str, **policies: str) -> Verdict:
    """The verdict on one clause of the pack."""
    return judged(story, **policies)[clause]
