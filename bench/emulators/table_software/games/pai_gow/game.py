"""Pai Gow Poker with 53 cards in seven stacks of seven, from an automatic shoe or from the hand, in Puerto Rico.

What camera and dealer report decides; what a device counts is a claim and decides nothing. Where the rules leave room:
the house's approved procedure says what follows a card found face up in a stack; a hand of the bank is set again when
the hand of two beats the hand of five; a first stack at the wrong position is treated alike whatever led to it.
"""

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.games.pai_gow.by_hand import ByHand
from bench.emulators.table_software.games.pai_gow.devices import Devices
from bench.emulators.table_software.games.pai_gow.remainder import Remainder
from bench.emulators.table_software.games.pai_gow.setting import Setting
from bench.emulators.table_software.games.pai_gow.table import DEALER, STACKS
from evidence.events import DeviceIdentity


class PaiGowPoker(Remainder, ByHand, Setting, Devices):
    """One session of Pai Gow Poker."""

    def objection(self) -> str:
        """Dealt from a shoe, that shoe must stand here and be approved beforehand, as it is."""
        positions = self.positions
        if len(positions) != STACKS or positions[-1] != DEALER:
            return f"this game has {STACKS} positions, the dealer last"
        if self.by_hand:
            return ""
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

    def _approved(self, identity: DeviceIdentity) -> bool:
        return any(
            (approval.maker, approval.model, approval.firmware_sha256)
            == (identity.maker, identity.model, identity.firmware_sha256)
            for approval in self.facts.approvals
        )

    # --- a round ---

    def after_shuffle(self) -> Procedure:
        if self.by_hand:
            yield from self._round_by_hand()
            return
        if self.has("load_before_cut"):
            yield from self.load_shoe()
            yield from self.do("cut")
        else:
            self.need((yield from self.do("cut")))
            yield from self.load_shoe()
        start = ""
        if self.has("start_before_announcement"):
            start = yield from self.starting_position()
            yield from self.do("set_start", position=start)
        if not (self.has("no_more_bets_omitted") or self.has("no_more_bets_late")):
            yield from self.announce_no_more_bets()
        if not start:
            start = yield from self.starting_position()
            if not self.has("start_after_first_delivery"):
                yield from self.do("set_start", position=start)
        additional = self.facts.session.additional_wager_offered
        if additional and not (self.has("additional_wager_late") or self.has("additional_wager_unsettled")):
            yield from self.do("settle", wager="additional")
        yield from self.deal_stacks(self.order_from(start), start)
        yield from self.check_deal()
        yield from self._play()

    def _round_by_hand(self) -> Procedure:
        self.need((yield from self.do("cut")))
        yield from self.announce_no_more_bets()
        start = yield from self.starting_position()
        yield from self.do("set_start", position=start)
        yield from self.deal_from_hand(self.order_from(start))
        yield from self.collect_empty()
        yield from self._play()

    # --- play ---

    def _play(self) -> Procedure:
        yield from self.do("players_act")
        yield from self.options_owed()
        yield from self.exposed_while_acting()
        # Where the remaining cards lie, there is no room to set hands.
        if not self.has("remainder_not_racked"):
            yield from self.set_hands()
        yield from self.do("show_hands")
        yield from self._settle()
        if self.has("remainder_not_racked"):
            for position in self.positions:
                yield from self.do("collect", position=position, to="discard_rack", face="down")
        else:
            yield from self.do("collect", place="all", to="discard_rack", face="down")
        yield from self.do("close_round")
        self.over()

    def _settle(self) -> Procedure:
        wager = "main" if self.has("additional_wager_unsettled") else "all"
        if not self.deal.out:
            yield from self.do("settle", wager=wager)
            return
        for position in self.positions:
            if self.facts.wagered(position) and position not in self.deal.out:
                yield from self.do("settle", wager=wager, position=position)
