"""Facts about games dealt card by card: deliveries, hole cards turned up, hands of the wrong size, exposed cards."""

import msgspec

from evidence.events import Directive, PlayerDid, TableDone
from rules.pack import Game
from rules.table import DEALER, Draft, Look, Moment, Table
from rules.vocabulary import Value

HIGH = ("J", "Q", "K", "A")
CLEARING = ("collect", "retire_card", "reshuffle", "remove_cards", "remove_deck", "remove_remainder", "spread")


class Hand(msgspec.Struct):
    """One hand in one round."""

    ordered: int = 0
    """Cards ordered to it, less those seen taken away."""
    offset: int = 0
    """How many more or fewer were last seen than ordered, or lay there before the round; stated once."""
    faces: int | None = 0
    """Faces visible at the latest look."""
    faces_before: int = 0
    """Faces visible before the round, of cards that were left lying."""
    first_up: bool | None = False
    player_exposed: bool = False


class HandTracker:
    """Follows the hands of a round."""

    watches = (Directive, PlayerDid, TableDone)
    states = ("card_delivered", "hole_cards_face_up", "hand_counted", "card_exposed_by_player")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._hands: dict[str, Hand] = {}
        self._showing = False
        self._out: set[str] = set()
        """Hands that are dealt no more cards: dead, void, folded or taken away; and those already told to be short."""
        self._exposed: dict[str, int] = {}
        """Positions where a player has just shown a card, with the record."""

    @staticmethod
    def plays(game: Game) -> bool:
        """Whether this game has what is followed here."""
        return game.stack_size == 0

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        event = moment.event
        match event:
            case Directive(verb="void_hand" | "dead_hand", position=position):
                self._out.add(position)
            case Directive(verb="betting_round" | "show_hands"):
                self._showing = self._showing or event.verb == "show_hands"
                return self._left_out(table)
            case PlayerDid(act="fold"):
                self._out.add(event.position)
            case PlayerDid(act="expose"):
                self._exposed[event.position] = moment.seq
                self._hand(event.position).player_exposed = True
            case TableDone() if moment.done is not None:
                return self._done(moment.done[1], event.outcome, moment, table)
            case _:
                pass
        return []

    def _hand(self, position: str) -> Hand:
        return self._hands.setdefault(position, Hand())

    def _done(self, directive: Directive, outcome: str, moment: Moment, table: Table) -> list[Draft]:
        if directive.verb == "open_round" and outcome == "done":
            left = {place: hand.ordered + hand.offset for place, hand in self._hands.items()}
            shown = {place: hand.faces for place, hand in self._hands.items()}
            self._hands = {
                place: Hand(offset=count, faces=shown[place], faces_before=shown[place] or 0)
                for place, count in left.items()
                if count > 0
            }
            self._showing = False
            self._out.clear()
            return []
        if directive.verb == "shuffle" and outcome == "done":
            # The pack was put together for it; what lay there before the round lies there no longer.
            self._hands = {place: hand for place, hand in self._hands.items() if hand.ordered}
            return []
        if directive.verb in CLEARING:
            self._cleared(directive, table)
            return []
        drafts = [self._exposure(position, at, table) for position, at in self._exposed.items()]
        self._exposed.clear()
        target = ""
        if directive.verb == "deliver" and outcome == "done":
            target = directive.position
            drafts += self._delivery(directive, moment, table)
        return drafts + self._counts(target, table)

    def _cleared(self, directive: Directive, table: Table) -> None:
        """Hands whose place is seen empty are gone; so are those that went with all others, unless seen to lie."""
        everything = (directive.position or directive.place) == "all" or directive.scope == "all_cards"
        for place in list(self._hands):
            look = table.look(place)
            if (everything and look is None) or (look and look.present is False):
                del self._hands[place]
                self._out.add(place)

    def _left_out(self, table: Table) -> list[Draft]:
        """Hands in play that were ordered fewer cards than others when a street is over: the software left them out."""
        live = [place for place in (*table.seated, DEALER) if place not in self._out]
        dealt = {place: self._hand(place).ordered for place in live}
        most = max(dealt.values(), default=0)
        drafts: list[Draft] = []
        for place in [place for place in live if dealt[place] < most]:
            self._out.add(place)
            facts: dict[str, Value] = {
                "position": place,
                "who": "dealer" if place == DEALER else "player",
                "relation": "fewer",
                "found": "dealing",
                "due": most,
                "count": dealt[place],
                "by": "orders",
            }
            drafts.append(Draft(name="hand_counted", attributes=facts))
        return drafts

    def _exposure(self, position: str, at: int, table: Table) -> Draft:
        look = table.look(position)
        seen = None if look is None or look.face_up is None else look.face_up > 0
        facts: dict[str, Value] = {"position": position, "seen": seen, "early": not self._showing}
        evidence = (look.seq,) if look else ()
        return Draft(name="card_exposed_by_player", at=at, attributes=facts, evidence=evidence)

    def _delivery(self, directive: Directive, moment: Moment, table: Table) -> list[Draft]:
        position = directive.position
        hand = self._hand(position)
        hand.ordered += 1
        look = table.look(position)
        faces = look.face_up if look else None
        face = None
        if faces is not None and hand.faces is not None:
            face = "up" if faces > hand.faces else "down"
        ordered = directive.face or "down"
        facts: dict[str, Value] = {
            "position": position,
            "who": table.who(position) or None,
            "nth": hand.ordered,
            "ordered": ordered,
            "face": face,
        }
        at = table.began if table.began >= 0 else moment.seq
        evidence = (look.seq,) if look else ()
        drafts = [Draft(name="card_delivered", at=at, attributes=facts, evidence=(*evidence, moment.seq))]
        if hand.ordered <= self._game.hole_cards and ordered == "down" and not hand.player_exposed:
            drafts += self._hole_cards(position, hand, look, moment, table)
        hand.faces = faces if faces is not None else hand.faces
        return drafts

    def _hole_cards(self, position: str, hand: Hand, look: Look | None, moment: Moment, table: Table) -> list[Draft]:
        faces = look.face_up - hand.faces_before if look and look.face_up is not None else None
        if hand.ordered == 1:
            hand.first_up = None if faces is None else faces > 0
        if faces == 0 and hand.first_up is False:
            return []
        which: str | None = None
        if faces is not None:
            first = hand.first_up
            which = "both" if faces > 1 else None if first is None else "first" if first else "second"
        facts: dict[str, Value] = {
            "position": position,
            "who": table.who(position) or None,
            "count": faces,
            "which": which,
            "bonus_placed": (position, "jacks_plus") in table.wagers,
            "bonus_wins": self._bonus_wins(position, look, table),
        }
        at = look.seq if look else moment.seq
        key = f"hole cards {table.round} {position}"
        return [Draft(name="hole_cards_face_up", at=at, attributes=facts, evidence=(at,), key=key)]

    @staticmethod
    def _bonus_wins(position: str, look: Look | None, table: Table) -> bool | None:
        """Whether the exposed cards alone win a jacks plus wager: a pair of jacks or better."""
        if (position, "jacks_plus") not in table.wagers:
            return False
        if look is None or look.face_up is None or None in look.labels:
            return None
        ranks = [label[0] for label in look.labels if label]
        return any(ranks.count(rank) > 1 for rank in HIGH)

    def _counts(self, target: str, table: Table) -> list[Draft]:
        """Hands seen in this act that do not hold what was ordered, each difference stated once."""
        drafts: list[Draft] = []
        skipped = False
        places = [look.place for look in table.recent if look.place in table.positions]
        for place in sorted(set(places), key=lambda one: one != target):
            look = table.look(place)
            hand = self._hand(place)
            if look is None or (look.count is None and look.present is not None and place != target):
                continue
            hand.faces = look.face_up if look.face_up is not None else hand.faces
            relation = _relation(look.count, hand)
            if relation == "same":
                continue
            if relation == "fewer" and place == target:
                skipped = True
            if look.count is not None:
                hand.offset = look.count - hand.ordered
            if relation == "more" and place != target and skipped:
                continue
            found = "dealing" if place == target else "later"
            facts: dict[str, Value] = {
                "position": place,
                "who": "dealer" if place == DEALER else "player",
                "relation": relation,
                "found": found,
                "due": hand.ordered,
                "count": look.count,
                "by": "camera",
            }
            drafts.append(Draft(name="hand_counted", at=look.seq, attributes=facts, evidence=(look.seq,)))
        return drafts


def _relation(count: int | None, hand: Hand) -> str | None:
    if count is None:
        return None
    expected = hand.ordered + hand.offset
    return "same" if count == expected else "fewer" if count < expected else "more"
