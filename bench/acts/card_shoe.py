"""Orders that a device takes at the table: a shoe is locked and unlocked, its error cancelled, its game confirmed."""

from bench.acts.dealing import Dealing
from bench.acts.table import DONE, Act, Outcome
from bench.operate import settle
from evidence.events import Directive

COMMANDS = ("lock", "unlock", "confirm_game", "cancel_error")
"""What table software may have a device told; whatever else moves cards is a directive of its own."""


class CardShoe(Dealing):
    """What table software has a device told in so many words."""

    def _verbs(self) -> dict[str, Act]:
        return {**super()._verbs(), "command_device": self._command_device}

    def _command_device(self, directive: Directive) -> Outcome:
        driver, command = self._rig.devices[directive.device], directive.phrase
        if command not in COMMANDS:
            return "impossible", f"no device is told {command[:40]!r}; there are {', '.join(COMMANDS)}"
        if not driver.hand_drawn:
            return "impossible", f"{directive.device} takes no such order"
        answer = driver.command(command)
        settle(self._rig, self._teller, directive.device)
        if not answer.accepted:
            return "failed", f"{directive.device} refused {command}: {answer.code}"
        if command == "lock" and self._slips.take("card_drawn_in_error", round=self._round):
            self._draw_unasked()
        return DONE
