"""What the seven card stud game keeps books of: the pot, the cards at each position, and what it was told meanwhile."""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts, Told
from bench.emulators.table_software.games.base import Game
from bench.emulators.table_software.games.stud.deal import CARDS, DOWN_CARDS, FIRST_BETTING, Deal, Lost
from bench.emulators.table_software.games.stud.pot import Pot
from evidence.events import CardsSeen, DealerDid, DeviceCycle, Directive, FloorRuled, PlayerDid

MOUTH, RACK, CENTRE = "shoe_mouth", "discard_rack", "layout_centre"


class StudBooks(Game):
    """Takes in what is told, whatever state the table is in, and orders money out of the pot."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.deal = Deal()
        self.pot = Pot()
        self.back = ""
        """The back of the pack in play, as the camera saw it first."""
        self.placed_back = ""
        """The back of the pack that was placed last."""
        self._faces: dict[str, list[str]] = {}
        """Faces at the players' positions, as last seen."""

    def react(self, told: Told) -> None:
        self._take(told)
        super().react(told)

    # --- who is in the round ---

    @property
    def players(self) -> list[str]:
        """Players who have put something into this pot, in dealing order."""
        positions = self.facts.session.positions
        return [place for place in positions if place in self.pot.put_in and place != "dealer"]

    @property
    def live(self) -> list[str]:
        """Those whose hands are in play."""
        return [place for place in self.players if place not in self.deal.out]

    def face_due(self, position: str) -> str:
        """How the card of this turn is to come to a hand."""
        nth = self.deal.nth
        if nth <= DOWN_CARDS:
            return "down"
        if nth == CARDS:
            return "up" if self.deal.last_up else "down"
        if nth == FIRST_BETTING and self.deal.holes_up.get(position) == 1:
            return "up" if self.has("third_up_after_exposed_card") else "down"
        return "up"

    # --- what is told ---

    def _take(self, told: Told) -> None:
        match told.event:
            case PlayerDid() as did:
                self._player(did)
            case CardsSeen() as look:
                self._seen(look, told.id)
            case DeviceCycle(kind="shuffle", phase="completed", count=count):
                self.deal.shuffled, self.deal.claimed = True, count
            case DealerDid(act="shuffle_by_hand"):
                self.deal.shuffled, self.deal.claimed = True, None
            case DealerDid(act="drop_card", face=face):
                self.deal.dropped = face or "down"
            case FloorRuled() as ruled if ruled.position in self.deal.lost:
                self.deal.lost[ruled.position].said[ruled.question] = ruled.ruling
            case _:
                pass

    def _player(self, did: PlayerDid) -> None:
        if did.position not in self.facts.session.positions:
            return
        self.pot.put(did.position, did.amount_cents, initial=did.act == "ante")
        if did.act == "fold":
            self.deal.out.add(did.position)
        elif did.act == "protect":
            self.deal.protected.add(did.position)

    def _seen(self, look: CardsSeen, cause: str) -> None:
        now = self.desk.under_way
        verb = now.verb if now is not None else ""
        if look.place == CENTRE and verb == "check_deck":
            self.deal.checked.append(look)
        elif verb == "place_deck":
            self.placed_back = self.placed_back or next((back for back in look.backs if back), "")
        elif verb == "remove_deck":
            self.back = next((back for back in look.backs if back), self.back)
        else:
            self._at_table(look, cause)
        if self.deal.phase == "betting" and look.place in self.live:
            self._lost(look, cause)

    def _at_table(self, look: CardsSeen, cause: str) -> None:
        """Cards that cannot be of one pack: two of one face, or one with another back than the rest."""
        named = [back for back in look.backs if back]
        self.back = self.back or next(iter(named), "")
        if look.place in self.facts.session.positions:
            self._faces[look.place] = [label for label in look.face_up if label]
        if self.state != "round" or self.desk.under_way is None:
            return
        lying = [label for labels in self._faces.values() for label in labels]
        twice = any(lying.count(label) > 1 for label in lying) and not self.has("count_believed")
        if (twice or any(back != self.back for back in named)) and self.deal.phase != "over":
            self.desk.start(self.wrong_pack(cause))

    def _lost(self, look: CardsSeen, cause: str) -> None:
        """A live hand that is gone, or holds more cards than it was dealt, while nobody deals."""
        position, due = look.place, self.deal.tally.get(look.place, 0)
        if position in self.deal.lost or look.count is None or look.count == due:
            return
        self.deal.lost[position] = Lost(position, "collected" if look.count < due else "fouled", cause)

    def new_books(self) -> None:
        """A round begins."""
        self.deal = Deal()
        self.pot = Pot()
        self._faces.clear()

    # --- money ---

    def give_back(self, position: str, cents: int, cause: str = "") -> list[Directive]:
        """The order to return so much of the pot to a player."""
        if cents <= 0:
            return []
        self.pot.give_back(position, cents)
        return [
            self.order("return_wagers", cause=cause, scope="hand", position=position, wager="all", amount_cents=cents)
        ]

    def refund(self, cause: str) -> list[Directive]:
        """The whole pot back to those who put it in, each what is the player's own."""
        shares = {place: self.pot.owed(place) for place in self.pot.players}
        if self.has("pot_kept"):
            return []
        if self.has("folded_share_kept"):
            shares = {place: cents for place, cents in shares.items() if place not in self.deal.out}
        if self.has("pot_returned_short"):
            shares = {place: self.pot.last.get(place, 0) for place in shares}
        if self.has("pot_shares_swapped"):
            shares = dict(zip(shares, [*list(shares.values())[1:], *list(shares.values())[:1]], strict=True))
        orders = [order for place, cents in shares.items() for order in self.give_back(place, cents, cause)]
        if self.has("pot_returned_twice"):
            orders += [order for place, cents in shares.items() for order in self.give_back(place, cents, cause)]
        return orders

    def wrong_pack(self, cause: str) -> Procedure:
        """The pack is not the game's: filled in by the part that handles irregularities."""
        raise NotImplementedError
