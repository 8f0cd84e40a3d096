"""Pai Gow Poker dealt from an automatic shoe in seven stacks of seven, 53 cards, under Puerto Rico's procedure.

The starting position is counted from the dice total: the dealer is 1, the position at the dealer's left 2, and on
clockwise. What camera and dealer report decides; what a device counts is a claim and decides nothing.
"""

from collections.abc import Generator

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.base import MOST_LOOKS, Game
from bench.emulators.table_software.games.steps import EndsEarly
from evidence.events import DeviceIdentity, Directive, TableDone

STACKS = 7
CARDS_IN_STACK = 7
REMAINDER = 4
DICE = 3
MOST_ROLLS = 5


class PaiGowPoker(Game):
    """One session of Pai Gow Poker."""

    def objection(self) -> str:
        """The shoe must stand here and be approved beforehand, as it is."""
        session = self.facts.session
        if len(session.positions) != STACKS or session.positions[-1] != "dealer":
            return f"this game has {STACKS} positions, the dealer last"
        shoe = self.facts.device("shoe")
        if not shoe:
            return "no dealing shoe stands on the table"
        return self.objection_to_device(shoe)

    def objection_to_device(self, device: str) -> str:
        known = super().objection_to_device(device)
        if known or self.facts.session.devices[device] != "shoe":
            return known
        identity = self.facts.identities.get(device)
        if identity is None:
            return f"{device} has not said what it is"
        if not self._approved(identity) and not self.has("use_unapproved_device"):
            return f"{device} is not approved: {identity.maker} {identity.model} {identity.firmware_sha256[:12]}"[:200]
        return ""

    def objection_to_hand(self) -> str:
        return "this table is dealt from its shoe only"

    def _approved(self, identity: DeviceIdentity) -> bool:
        return any(
            (approval.maker, approval.model, approval.firmware_sha256)
            == (identity.maker, identity.model, identity.firmware_sha256)
            for approval in self.facts.approvals
        )

    # --- until the stacks are dealt ---

    def opening(self) -> Procedure:
        yield from self.do("open_round")

    def after_shuffle(self) -> Procedure:
        if self.has("load_before_cut"):
            yield from self.load_shoe()
            yield from self.do("cut")
        else:
            self.need((yield from self.do("cut")))
            yield from self.load_shoe()
        start = ""
        if self.has("start_before_announcement"):
            start = yield from self._starting_position()
            yield from self.do("set_start", position=start)
        if not (self.has("no_more_bets_omitted") or self.has("no_more_bets_late")):
            yield from self.announce_no_more_bets()
        if not start:
            start = yield from self._starting_position()
            if not self.has("start_after_first_delivery"):
                yield from self.do("set_start", position=start)
        additional = self.facts.session.additional_wager_offered
        if additional and not (self.has("additional_wager_late") or self.has("additional_wager_unsettled")):
            yield from self.do("settle", wager="additional")
        yield from self._deal(self._order_from(start), start)
        yield from self._count_remainder()

    def _starting_position(self) -> Generator[list[Directive], list[TableDone], str]:
        positions = self.facts.session.positions
        if self.has("start_without_dice"):
            return positions[0]
        for _ in range(MOST_ROLLS):
            self.need((yield from self.do("roll_dice")))
            dice = self.facts.dice
            if dice is not None and (dice.flat, dice.leaning, dice.outside) != (DICE, 0, 0):
                yield from self.do("announce", phrase="no_roll")
            elif dice is not None and dice.total is not None and DICE <= dice.total <= 6 * DICE:
                counted = (positions[-1], *positions[:-1])
                return counted[(dice.total - 1) % len(counted)]
            else:
                yield from self.do("hold", reason="the dice could not be read; they are shaken again")
        raise EndsEarly(self.hold(f"no roll that counts in {MOST_ROLLS}"))

    def _order_from(self, start: str) -> list[str]:
        positions = self.facts.session.positions
        first = positions.index(start)
        clockwise = [*positions[first:], *positions[:first]]
        if self.has("first_stack_elsewhere"):
            return [*clockwise[1:], clockwise[0]]
        if self.has("delivery_reversed"):
            return [clockwise[0], *reversed(clockwise[1:])]
        return clockwise

    def _deal(self, order: list[str], start: str) -> Procedure:
        face = "up" if self.has("deliver_face_up") else "down"
        for index, position in enumerate(order):
            yield from self.dispense(unit="group")
            if index == 0 and self.has("no_more_bets_late"):
                yield from self.announce_no_more_bets()
            if self.has("skip_empty_positions") and self._empty(position):
                yield from self.do("collect", place="shoe_mouth", to="discard_rack", face="down")
                continue
            self.need((yield from self.do("deliver", position=position, face=face)))
            if index == 0 and self.has("start_after_first_delivery"):
                yield from self.do("set_start", position=start)
            if index == 0 and self.has("additional_wager_late") and self.facts.session.additional_wager_offered:
                yield from self.do("settle", wager="additional")

    def _empty(self, position: str) -> bool:
        """A position of a player without a wager."""
        return position != "dealer" and not self.facts.wagered(position)

    # --- the cards that remain ---

    def _count_remainder(self) -> Procedure:
        shoe = self.facts.device("shoe")
        if self.has("remainder_left_in_shoe"):
            yield from self._play(remainder_on_layout=False)
            return
        claimed = self.facts.claimed_inside.get(shoe, REMAINDER)
        self.need((yield from self.do("remove_remainder", device=shoe)))
        if self.has("remainder_not_counted"):
            remain = REMAINDER
        else:
            remain = yield from self._spread()
        if self.has("trust_device_count"):
            remain = claimed
        if remain == REMAINDER:
            yield from self._play()
        else:
            yield from self._not_four(remain)

    def _spread(self) -> Generator[list[Directive], list[TableDone], int]:
        for _ in range(MOST_LOOKS):
            self.need((yield from self.do("spread", place="layout_centre")))
            look = self.facts.seen("layout_centre")
            if look is not None and look.count is not None:
                return look.count
            yield from self.do("hold", reason="the remaining cards could not be counted; they are spread again")
        raise EndsEarly(self.hold("the remaining cards could not be counted"))

    def _not_four(self, remain: int) -> Procedure:
        cause = self.facts.seen_by("layout_centre")
        reason = f"{remain} cards remain"
        misdealt = True if self.has("stacks_not_checked") else (yield from self._any_stack_wrong())
        if self.has("misdeal_played_on" if misdealt else "short_deck_played_on"):
            yield from self._play()
        elif self.has("misdeal_removes_deck") if misdealt else not self.has("short_deck_reshuffled"):
            yield from self.void(self._fresh_deck, cause=cause, reason=reason, reshuffle=False)
        else:
            again = not (misdealt and self.has("misdeal_not_reshuffled"))
            yield from self.void(cause=cause, reason=reason, reshuffle=again)

    def _fresh_deck(self, cause: str) -> list[Directive]:
        return [self.order("remove_deck", cause=cause), self.order("place_deck", cause=cause)]

    def _any_stack_wrong(self) -> Generator[list[Directive], list[TableDone], bool]:
        for _ in range(MOST_LOOKS):
            self.need((yield from self.do("check_stacks")))
            looks = [self.facts.seen(position) for position in self.facts.session.positions]
            counts = [look.count if look is not None else None for look in looks]
            if any(count not in {None, CARDS_IN_STACK} for count in counts):
                return True
            if None not in counts:
                return False
            yield from self.do("hold", reason="a stack could not be counted; the stacks are spread again")
        raise EndsEarly(self.hold("a stack could not be counted"))

    # --- play ---

    def _play(self, *, remainder_on_layout: bool = True) -> Procedure:
        if remainder_on_layout and not self.has("remainder_not_racked"):
            face = "up" if self.has("remainder_exposed") else "down"
            self.need((yield from self.do("collect", place="layout_centre", to="discard_rack", face=face)))
        for position in self._stacks_to_collect():
            face = "up" if self.has("empty_stack_exposed") else "down"
            self.need((yield from self.do("collect", position=position, to="discard_rack", face=face)))
        yield from self.do("players_act")
        yield from self.do("show_hands")
        yield from self.do("settle", wager="main" if self.has("additional_wager_unsettled") else "all")
        if self.has("remainder_not_racked"):
            for position in self.facts.session.positions:
                yield from self.do("collect", position=position, to="discard_rack", face="down")
        else:
            yield from self.do("collect", place="all", to="discard_rack", face="down")
        yield from self.do("close_round")
        self.over()

    def _stacks_to_collect(self) -> list[str]:
        positions = self.facts.session.positions
        empty = [position for position in positions if self._empty(position)]
        if self.has("empty_stack_left"):
            return []
        if self.has("wagered_stack_collected"):
            return [*empty, *[position for position in positions if self.facts.wagered(position)][:1]]
        return empty
