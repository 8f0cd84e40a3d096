"""Devices that fail, or that leave the table: where software with a defect departs from the rule."""

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts
from bench.emulators.table_software.games.clearing import Symptom
from bench.emulators.table_software.games.pai_gow.table import PaiGowTable

RESUMED: dict[Symptom, str] = {
    "jam": "shoe_jam_resumed",
    "stop": "shoe_stop_resumed",
    "incomplete": "shoe_no_deal_resumed",
}


class Devices(PaiGowTable):
    """The shoe that fails during a round, and the change to dealing or shuffling by hand."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self._resuming = False
        self._granted: list[str] = []
        """Devices that a defect leaves standing until the other method has been granted."""

    def opening(self) -> Procedure:
        self._resuming = False
        return super().opening()

    def plays_on(self, symptom: Symptom) -> bool:
        self._resuming = self._resuming or self.has(RESUMED[symptom])
        return self._resuming

    def void_after_shoe(self, symptom: Symptom, cause: str = "") -> Procedure:
        refund = self.refund(cause)
        if self.has("additional_returned"):
            refund.append(self.order("return_wagers", cause=cause, scope="round", wager="additional"))
        void = self.order("void_round", cause=cause, reason=f"dealing shoe: {symptom}")
        return self.clear_up([void, *refund, *self.empty_shoe(cause), self.reshuffle(cause)])

    def keeps(self, device: str, request: str) -> bool:
        role = self.facts.session.devices[device]
        if self.has(f"{role}_granted_before_removal"):
            self._granted.append(device)
            return True
        if self.has(f"{role}_removed_too_late"):
            self.removed_late["shuffle"].append(device)
            return True
        return self.has(f"{role}_kept_for_hand_{'deal' if request == 'deal_by_hand' else 'shuffle'}")

    def shuffle_by_hand(self) -> Procedure:
        while self._granted:
            yield from self.remove(self._granted.pop(0))
        yield from super().shuffle_by_hand()
