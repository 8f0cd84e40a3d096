"""What all games of the reference table software share: requests, the shoe, and the change to another method."""

from abc import ABC, abstractmethod
from typing import Literal

from bench.emulators.table_software.desk import Procedure
from bench.emulators.table_software.facts import Told
from bench.emulators.table_software.games.clearing import Clearing, Symptom
from bench.emulators.table_software.games.steps import EndsEarly, Step
from evidence.events import DeviceCycle, DeviceFault, Directive, TableDone, TableRequested

MOST_TRIES = 3
"""Cards asked from a shoe that gives none, by software whose defect is to go on."""
MOST_LOOKS = 3
"""Looks at one thing that the camera cannot make out, before the table waits for somebody to help."""


class Game(Clearing, ABC):
    """One table session. Reacts to messages; what it orders goes out through its desk."""

    # --- to be filled in by each game ---

    @abstractmethod
    def opening(self) -> Procedure:
        """A round until the cards are to be shuffled."""

    @abstractmethod
    def after_shuffle(self) -> Procedure:
        """The round from the cut on. Leaves by `EndsEarly` when it cannot be played to its end."""

    def objection(self) -> str:
        """Why no round may be opened at this table, empty when one may."""
        return ""

    def noticed(self, told: Told) -> None:
        """An event that may be an irregularity has been taken to the facts."""

    def asked_for_check(self, asked: TableRequested) -> None:
        """Somebody wants the pack checked; a game that has no procedure for it refuses."""
        self.desk.say(self.order("refuse", request=asked.request, reason="this game has no check of the pack"))

    # --- messages ---

    def react(self, told: Told) -> None:
        """React to one message, after the facts have taken it."""
        match told.event:
            case TableRequested(request="check_deck") as asked:
                self.asked_for_check(asked)
            case TableRequested() as asked:
                self._requested(asked)
            case TableDone() as done:
                self.desk.done(done)
            case DeviceFault(device=device, symptom=("jam" | "stop" | "incomplete") as symptom):
                self._device_failed(device, symptom, told.id)
            case DeviceCycle(device=device, phase="aborted"):
                if self.desk.under_way is not None:
                    self.cause_of.setdefault(self.desk.under_way.id, told.id)
            case _ if self.state == "round":
                self.noticed(told)
            case _:
                pass

    def _requested(self, asked: TableRequested) -> None:
        reason = self._reason_to_refuse(asked)
        if reason:
            self.desk.say(self.order("refuse", request=asked.request, device=asked.device[:40], reason=reason))
            return
        match asked.request:
            case "next_round":
                self.state = "round"
                self.desk.start(self._round())
            case "resume" | "use_device":
                self.desk.say(self.order("proceed", request=asked.request, device=asked.device[:40]))
            case "deal_by_hand" | "shuffle_by_hand":
                held, self.state = self.state == "held", "method"
                self.desk.start(self._change_method(asked.request, held=held))

    def _reason_to_refuse(self, asked: TableRequested) -> str:
        match asked.request:
            case "next_round":
                if self.state == "idle":
                    return self.objection()
                return {
                    "round": "the round is not over",
                    "ending": "the cards of the void round are not yet gathered and shuffled again",
                    "method": "the devices are still being taken off the table",
                }.get(self.state, "an irregularity is not settled")
            case "resume":
                resumed = self.voided and self.has("void_round_resumed")
                return "" if self.state == "round" or resumed else "there is no round that may go on"
            case "use_device":
                return self.objection_to_device(asked.device)
            case _:
                return self.objection_to_hand()

    def objection_to_device(self, device: str) -> str:
        """Why a device may not be put to use, empty when it may."""
        return "" if device in self.facts.session.devices else f"there is no device {device[:40]!r} at this table"

    def objection_to_hand(self) -> str:
        """Why the method may not change to dealing and shuffling by hand now, empty when it may."""
        if self.state == "idle" or (self.state == "held" and self.shuffle_failed):
            return ""
        return "the method does not change during a round"

    # --- the round ---

    def _round(self) -> Procedure:
        self.state = "round"
        self.voided = False
        self.answered.clear()
        self.cause_of.clear()
        try:
            yield from self.opening()
            if (yield from self.shuffle()):
                yield from self.after_shuffle()
        except EndsEarly as end:
            yield from end.procedure

    def _rest_by_hand(self) -> Procedure:
        try:
            yield from self.shuffle_by_hand()
            yield from self.after_shuffle()
        except EndsEarly as end:
            yield from end.procedure

    # --- devices that fail ---

    def _device_failed(self, device: str, symptom: Symptom, cause: str) -> None:
        role = self.facts.session.devices.get(device)
        now = self.desk.under_way
        if role == "shuffler" and now is not None and now.verb in {"shuffle", "reshuffle"}:
            self._shuffler_failed(now, symptom, cause)
        elif role == "shoe" and self.state == "round":
            self.shoe_failed(symptom, cause)

    def _shuffler_failed(self, now: Directive, symptom: Symptom, cause: str) -> None:
        if now.id not in self.answered:
            self.answered[now.id] = symptom
            self.cause_of[now.id] = cause

    def shoe_failed(self, symptom: Symptom, cause: str) -> None:
        """The shoe says that it failed, during a round."""
        if not self.plays_on(symptom):
            self.desk.start(self.void_after_shoe(symptom, cause))

    def void_after_shoe(self, symptom: Symptom, cause: str = "") -> Procedure:
        """Void the round, empty the shoe, and shuffle its cards again with those already dealt."""
        return self.void(self.empty_shoe, cause=cause, reason=f"dealing shoe: {symptom}")

    def empty_shoe(self, cause: str) -> list[Directive]:
        """The order to take the cards out of the shoe, where one stands here."""
        shoe = self.facts.device("shoe")
        return [self.order("remove_cards", cause=cause, device=shoe)] if shoe else []

    def load_shoe(self) -> Procedure:
        """Put the pack into the shoe; a shoe that does not take it has failed during the round."""
        done = yield from self.do("load_device", device=self.facts.device("shoe"))
        if done.outcome != "done":
            raise EndsEarly(self.void_after_shoe("incomplete", self.cause_of.get(done.directive, "")))

    def dispense(self, unit: Literal["card", "group"]) -> Step:
        """One unit to the mouth of the shoe, or a card from the pack in hand. A shoe that fails ends the round."""
        for _ in range(MOST_TRIES):
            if self.by_hand:
                done = yield from self.do("dispense", method="hand", unit="card")
                yield from self.remove_late("dispense")
            else:
                done = yield from self.do("dispense", device=self.facts.device("shoe"), unit=unit)
            look = self.facts.seen("shoe_mouth")
            if done.outcome == "done" and (look is None or look.count != 0):
                return done
            self.shoe_gave_nothing(done)
        raise EndsEarly(self.hold("the dealing shoe gives no card"))

    def shoe_gave_nothing(self, done: TableDone) -> None:
        """A card was ordered and none came. Raises EndsEarly: the round is void."""
        if not self.plays_on("incomplete"):
            raise EndsEarly(self.void_after_shoe("incomplete", self.cause_of.get(done.directive, "")))

    def plays_on(self, symptom: Symptom) -> bool:
        """True in software whose defect is to play on after the shoe failed like this."""
        return False

    def announce_no_more_bets(self) -> Procedure:
        """Wagers are closed."""
        self.facts.bets_closed = True
        yield from self.do("announce", phrase="no_more_bets")

    # --- another method ---

    def _change_method(self, request: str, *, held: bool) -> Procedure:
        for device in self.facts.standing:
            if self.keeps(device, request):
                continue
            if device in self.facts.holding:
                yield from self.do("remove_cards", device=device)
            yield from self.remove(device)
            if device not in self.facts.absent:
                yield from self.hold(f"{device} still stands on the table")
                return
        self.by_hand = True
        yield [self.order("proceed", request=request)]
        if held and not self.voided:
            self.state = "round"
            self.shuffle_failed = False
            yield from self._rest_by_hand()
        elif request == "deal_by_hand" and not held and not self.objection():
            yield from self._round()
        else:
            yield from self.shuffle_by_hand()
            if held:
                self.over()
            self.state = "idle"

    def keeps(self, device: str, request: str) -> bool:
        """True in software whose defect is to leave this device standing before it goes on by hand."""
        return False
