"""The initial deal by what the camera saw: where each card went, how it lay, and what each hand holds at the end."""

from collections.abc import Mapping, Sequence

from evidence.events import Directive
from rules.table import MOUTH, Draft, Look, Table
from rules.vocabulary import Value


class Deal:
    """One deal of a hand. Counts that the camera could not tell are None, and what hangs on them is in doubt."""

    def __init__(self, players: Sequence[str], order: Sequence[str], each: int, context: Mapping[str, Value]) -> None:
        self.players = players
        self.order = order
        """The players in the order of dealing, the button last; empty when nobody knows where the button lies."""
        self.each = each
        self.held: dict[str, int | None] = {}
        self.ordered: dict[str, int] = {}
        """How many cards have been ordered to each hand."""
        self.over = False
        """True once play has gone on from the initial deal, or it was given up."""
        self._context = context
        self._faces: dict[str, int] = {}
        self._landed: list[str] = []
        self._unsure = False
        """Whether it is not known where some card went."""
        self._exposed = 0
        self._to_replace: set[str] = set()
        self._short: set[str] = set()
        self._reversed = 0
        self._at_mouth: int | None = 0
        self._faces_at_mouth = 0
        self._counted = False
        self._errors = 0
        """Errors found in this deal; where there are some, it is no wonder that it was given up."""
        self._seen_at = -1

    @property
    def counted(self) -> bool:
        """Whether it has been said what each hand holds."""
        return self._counted

    @property
    def seen_at(self) -> int:
        """Record of the latest look at a hand."""
        return max(0, self._seen_at)

    def error(self, error: str | None, place: str, at: int, **more: Value) -> Draft:
        """An error of dealing as a fact."""
        self._errors += 1
        facts: dict[str, Value] = {
            "error": error,
            "position": place,
            "nth": 0,
            "of_hand": 0,
            "total": 0,
            "relation": "",
            "found": "dealing",
            "on_button": place == self.order[-1] if self.order else None,
            "acted": False,
            "substantial": False,
            "action": "",
            **self._context,
        }
        return Draft(name="dealing_error", at=at, attributes={**facts, **more}, evidence=(at,))

    # --- what comes out ---

    def dispensed(self, table: Table) -> list[Draft]:
        """A card was ordered out of the shoe: it lies at the mouth alone, and face down."""
        look = table.look(MOUTH)
        if look is None:
            return []
        before, self._at_mouth = self._at_mouth, look.count
        drafts: list[Draft] = []
        faces = look.face_up or 0
        if faces > self._faces_at_mouth:
            self._reversed += faces - self._faces_at_mouth
            found = "later" if self.over else "dealing"
            drafts.append(self.error("boxed", "", look.seq, total=self._reversed, found=found))
        self._faces_at_mouth = faces
        came = None if look.count is None or before is None else look.count - before
        if not self.over and (came is None or came > 1):
            drafts.append(self.error("stuck", "", look.seq, total=came))
        return drafts

    def mouth_emptied(self, table: Table) -> None:
        """What lay at the mouth has been moved, unless a look says otherwise."""
        look = table.look(MOUTH)
        self._at_mouth = look.count if look is not None and look.count is not None else 0
        self._faces_at_mouth = look.face_up or 0 if look is not None else 0

    # --- what goes where ---

    def delivered(self, directive: Directive, table: Table) -> list[Draft]:
        """A card was ordered to a hand; the looks tell where cards came."""
        self.mouth_emptied(table)
        place = directive.position
        self.ordered[place] = self.ordered.get(place, 0) + 1
        drafts: list[Draft] = []
        came = False
        for look in _latest(table):
            before, faces = self.held.get(look.place, 0), self._faces.get(look.place, 0)
            self._take(look)
            if look.count is None or before is None:
                if look.place == place and not self.over:
                    drafts += self._unseen(look)
                continue
            arrived = look.count - before
            came = came or arrived > 0
            turned = arrived > 0 and directive.face != "up" and (look.face_up or 0) > faces
            for _ in range(max(0, arrived)):
                drafts += self._arrived(look)
            if turned and not self.over:
                drafts.append(self._turned(look))
        if self.over:
            return drafts + self._put_right(place)
        if self.players and all(self.ordered.get(one, 0) >= self.each for one in self.players):
            drafts += self.count_hands(table)
        return drafts + self._put_right(place)

    def _arrived(self, look: Look) -> list[Draft]:
        self._landed.append(look.place)
        nth = len(self._landed)
        if self.over or not self.players:
            return []
        drafts: list[Draft] = []
        if not self.order:
            drafts += self._unseen(look)
        if look.place not in self.players:
            drafts.append(self.error("ineligible", look.place, look.seq, nth=nth))
        elif nth == 1 and not self._unsure and look.place != self.order[0]:
            drafts.append(self.error("first_card", look.place, look.seq, nth=nth))
        return drafts

    def _unseen(self, look: Look) -> list[Draft]:
        """It is not known where a card went or should have gone: whether the deal is right cannot be told, once."""
        told, self._unsure = self._unsure, True
        if told:
            return []
        nothing: dict[str, Value] = {"nth": None, "of_hand": None, "total": None, "relation": None, "on_button": None}
        return [self.error(None, look.place, look.seq, **nothing)]

    def _turned(self, look: Look) -> Draft:
        """The dealer turned up the card that has just come."""
        nth = None if self._unsure else len(self._landed)
        if nth is None or nth > 2:
            self._exposed += 1
        self._to_replace.add(look.place)
        of_hand = self._landed.count(look.place)
        return self.error("exposed", look.place, look.seq, nth=nth, of_hand=of_hand, total=self._exposed)

    def moved(self, table: Table) -> None:
        """Cards were taken from hands by order."""
        for look in _latest(table):
            self._take(look)

    def _take(self, look: Look) -> None:
        self.held[look.place] = look.count
        self._faces[look.place] = look.face_up or 0
        self._seen_at = max(self._seen_at, look.seq)

    def _put_right(self, place: str) -> list[Draft]:
        """Hands that were wrong and have been put right by this card."""
        drafts: list[Draft] = []
        right = self.held.get(place) == self.each
        for wrong, name in ((self._short, "hand_completed"), (self._to_replace, "exposed_card_replaced")):
            if place in wrong and right and (name == "hand_completed" or not self._faces.get(place)):
                wrong.discard(place)
                drafts.append(Draft(name=name, at=self._seen_at, attributes={"position": place}))
        return drafts

    # --- what each hand holds ---

    def count_hands(self, table: Table, *, cut_short: bool = False) -> list[Draft]:
        """The deal is complete, or given up: each hand holds what it should, or what had been ordered to it."""
        if self._counted or self.over or not self.players or (cut_short and self._errors):
            return []
        self._counted = not cut_short
        at = self.seen_at
        drafts: list[Draft] = []
        for place in self.players:
            due = self.ordered.get(place, 0) if cut_short else self.each
            drafts += self._hand(place, due, at)
        if drafts or cut_short:
            return drafts
        return self._order(at)

    def _hand(self, place: str, due: int, at: int) -> list[Draft]:
        held = self.held.get(place, 0)
        if held == due:
            return []
        if held is None:
            return [self.error("wrong_count", place, at, relation=None)]
        if held == 0:
            return [self.error("skipped", place, at)]
        if held < due:
            self._short.add(place)
        return [self.error("wrong_count", place, at, relation="fewer" if held < due else "more", total=held)]

    def _order(self, at: int) -> list[Draft]:
        """Every hand is right: whether its cards came in turn, the button's perhaps one after the other at the end."""
        came = [place for place in self._landed if place in self.order]
        due = [*self.order] * self.each
        if self._unsure or not self.order or came == due or came[:1] != due[:1]:
            return []
        button = self.order[-1]
        others = [place for place in came if place != button]
        if came[-self.each :] == [button] * self.each and others == [place for place in due if place != button]:
            return [Draft(name="button_dealt_in_a_row", at=at, attributes={"position": button})]
        return [self.error("out_of_order", "", at)]

    def counted_late(self, look: Look, *, acted: bool, action: str) -> list[Draft]:
        """A look at a hand while players act: it holds what it held, or is found to be wrong."""
        before = self.held.get(look.place, 0)
        if look.count == before or look.place not in self.players:
            return []
        self._take(look)
        relation = None if look.count is None or before is None else "fewer" if look.count < before else "more"
        if relation == "fewer":
            self._short.add(look.place)
        more: dict[str, Value] = {
            "relation": relation,
            "total": look.count,
            "found": "later",
            "acted": acted,
            "substantial": bool(action),
            "action": action,
        }
        return [self.error("wrong_count", look.place, look.seq, **more)]


def _latest(table: Table) -> list[Look]:
    """The last look at each position since the last order was carried out, in the order of the looks."""
    looks = {look.place: look for look in table.recent if look.place in table.positions}
    return sorted(looks.values(), key=lambda look: look.seq)
