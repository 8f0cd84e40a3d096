"""Facts about the identity of the pack: by the faces of a check, by cards at the table, and by backs."""

from collections import Counter

from evidence.events import CardsSeen, DealerDid, Directive, TableDone
from rules.pack import Game
from rules.table import CENTRE, MOUTH, Draft, Moment, Table
from rules.vocabulary import Value

RANKS, SUITS, JOKER = "23456789TJQKA", "cdhs", "Jk"
FROM_MOUTH = ("deliver", "burn", "drop_card")
"""Acts that take what lies at the mouth of the shoe."""


class IdentityTracker:
    """Knows which faces were read where, which back the pack has, and what a check of the pack has shown so far."""

    watches = (DealerDid, CardsSeen, Directive, TableDone)
    states = ("pack_identified", "deck_replaced")

    def __init__(self, game: Game) -> None:
        labels = {rank + suit for suit in SUITS for rank in RANKS}
        known = {52: labels, 53: labels | {JOKER}}
        self._labels = known.get(game.cards_in_deck)
        """The faces of the game's pack; None for one that is made up in another way."""
        self._lying: dict[str, tuple[str, ...]] = {}
        self._told: set[str] = set()
        """Cards of which it has been told that they give the pack away."""
        self._back = ""
        self._back_seq = -1
        self._backs_at: dict[str, Counter[str]] = {}
        """Backs last seen at each place, of the pack in play."""
        self._removed_back = ""
        self._awarded = False
        self._checked: Counter[str] | None = None
        """Labels read in the check under way; None outside of one."""
        self._doubt = False
        self._foreign = 0
        self._looks: list[int] = []
        self._part_size = 0
        self._ended = False
        """Whether the last part of the check was seen not to be full, so that nothing was left."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        match moment.event:
            case DealerDid() as did:
                self._acted(did)
            case CardsSeen() as seen:
                return self._looked(seen, moment.seq, table)
            case Directive(verb="award_pot" | "settle"):
                self._awarded = True
            case TableDone(outcome=outcome) if moment.done is not None:
                return self._done(moment.done[1], outcome, moment, table)
            case _:
                pass
        return []

    def _acted(self, did: DealerDid) -> None:
        """Cards that are taken away lie there no more, whether or not somebody looks."""
        if did.act == "lay_out":
            if self._checked is None:
                self._checked, self._doubt, self._foreign, self._looks = Counter(), False, 0, []
            self._part_size = did.count
        elif did.act in FROM_MOUTH:
            self._lying.pop(MOUTH, None)
        elif did.act in ("gather", "remove_deck") or did.place == "all":
            self._lying.clear()
        elif did.act in ("collect", "move_card"):
            self._lying.pop(did.position if did.act == "collect" and did.position else did.place, None)

    # --- looks ---

    def _looked(self, seen: CardsSeen, seq: int, table: Table) -> list[Draft]:
        drafts = self._backs(seen, seq, table)
        if self._checked is not None and seen.place == CENTRE:
            self._part(seen, seq)
            return drafts
        lie_there = [label for label in (*seen.face_up, *seen.named) if label]
        if seen.in_part or (seen.count is None and not seen.stacked):
            # Of what was seen there before nothing says that it went.
            self._lying[seen.place] = tuple((Counter(self._lying.get(seen.place, ())) | Counter(lie_there)).elements())
        else:
            self._lying[seen.place] = tuple(lie_there)
        if self._labels is None:
            return drafts
        lying = Counter(label for labels in self._lying.values() for label in labels)
        strange = {label for label in self._lying.get(seen.place, ()) if lying[label] > 1 or label not in self._labels}
        if strange - self._told:
            self._told |= strange
            drafts.append(self._wrong_at_table(len(strange), 0, seq, table))
        return drafts

    def _backs(self, seen: CardsSeen, seq: int, table: Table) -> list[Draft]:
        """A card whose back is not the pack's is foreign, wherever it shows."""
        named = [back for back in seen.backs if back]
        current = table.current
        if current is not None and current.verb in ("place_deck", "remove_deck"):
            return []
        if named:
            self._backs_at[seen.place] = Counter(named)
        if named and not self._back:
            self._back, self._back_seq = named[0], seq
        foreign = sum(back != self._back for back in named)
        if not foreign or "back" in self._told:
            return []
        self._told.add("back")
        if self._checked is not None:
            self._foreign = max(self._foreign, foreign)
            return []
        return [self._wrong_at_table(foreign, foreign, seq, table)]

    def _prevailing(self) -> str:
        """The back of most cards seen of a pack that has two; empty where neither prevails."""
        most = sum(self._backs_at.values(), Counter[str]()).most_common(2)
        return most[0][0] if len(most) == 1 or (most and most[0][1] > most[1][1]) else ""

    def _wrong_at_table(self, extra: int, foreign: int, seq: int, table: Table) -> Draft:
        """Cards that cannot all be of one pack. Whether one is missing for them only a check can tell."""
        facts: dict[str, Value] = {
            "wrong": True,
            "found": None,
            "missing": None,
            "extra": extra,
            "foreign": foreign,
            "by": "table",
            "stage": self._stage(table),
        }
        return Draft(name="pack_identified", at=seq, attributes=facts, evidence=(seq,))

    def _stage(self, table: Table) -> str:
        return "between" if not table.in_round else "awarded" if self._awarded else "round"

    # --- the check of the whole pack ---

    def _part(self, seen: CardsSeen, seq: int) -> None:
        if self._checked is None:
            return
        self._looks.append(seq)
        read = [label for label in seen.face_up if label]
        self._checked.update(read)
        self._ended = seen.count is not None and seen.count < self._part_size
        if seen.count is None or seen.count != len(read):
            self._doubt = True

    def _done(self, directive: Directive, outcome: str, moment: Moment, table: Table) -> list[Draft]:
        drafts: list[Draft] = []
        if directive.verb == "check_deck":
            if self._checked is not None or outcome == "done":
                drafts.append(self._checked_whole(moment, table))
            self._checked = None
        elif directive.verb == "open_round" and outcome == "done":
            self._awarded = False
            self._lying.clear()
        elif directive.verb == "remove_deck" and outcome == "done":
            shown = next((one for one in table.recent if one.place == CENTRE and one.backs), None)
            # Of a pack of two backs any card may lie on top.
            mixed = "back" in self._told
            back = self._prevailing() if mixed else (shown.backs[0] if shown else None) or self._back
            self._removed_back, self._back = back or self._removed_back, ""
            self._back_seq = shown.seq if shown else self._back_seq
        elif directive.verb == "place_deck" and outcome == "done":
            drafts.append(self._replaced(moment, table))
        return drafts

    def _checked_whole(self, moment: Moment, table: Table) -> Draft:
        read = self._checked or Counter()
        known = self._labels or set()
        extra = sum(count - 1 for label, count in read.items() if label in known and count > 1)
        extra += sum(count for label, count in read.items() if label not in known)
        missing = len(known - set(read))
        unsure = self._doubt or self._labels is None or not read or not self._ended
        found: str | None = "swapped" if missing and extra else "missing" if missing else "extra" if extra else "whole"
        found = None if unsure else "extra" if found == "whole" and self._foreign else found
        wrong: bool | None = None if unsure and not (extra and self._labels) else found != "whole"
        facts: dict[str, Value] = {
            "wrong": wrong,
            "found": found,
            "missing": None if unsure else missing,
            "extra": None if unsure else extra,
            "foreign": self._foreign,
            "by": "check",
            "stage": self._stage(table),
        }
        at = self._looks[0] if self._looks else moment.seq
        return Draft(name="pack_identified", at=at, attributes=facts, evidence=tuple(self._looks))

    def _replaced(self, moment: Moment, table: Table) -> Draft:
        """By the back of the pack that lies there for all to see. Without a look at both nobody knows."""
        look = next((one for one in table.recent if one.place == CENTRE and one.backs), None)
        back, before = look.backs[0] if look else None, self._removed_back or self._back
        another = None if not back or not before else back != before
        self._back, self._removed_back, self._told = back or "", "", set()
        self._backs_at.clear()
        evidence = tuple(seq for seq in (self._back_seq, look.seq if look else -1) if seq >= 0)
        self._back_seq = look.seq if look else -1
        at = table.began if table.began >= 0 else moment.seq
        return Draft(name="deck_replaced", at=at, attributes={"another": another}, evidence=(*evidence, moment.seq))
