"""What all games of the reference table software share: requests, shuffling, voiding, and devices that fail."""

from collections.abc import Callable, Generator
from typing import Literal

from bench.emulators.table_software.desk import Desk, Procedure
from bench.emulators.table_software.facts import Facts, Told
from bench.emulators.table_software.games.steps import EndsEarly, Step, Steps
from evidence.events import DeviceCycle, DeviceFault, Directive, TableDone, TableRequested

Symptom = Literal["jam", "stop", "incomplete"]
Consequence = Callable[[str], list[Directive]]
"""Orders directives for the cause that it is given."""

MOST_SHUFFLES = 3
"""Shuffles of one pack, failed ones included, before the table waits for somebody to help."""
MOST_TRIES = 3
"""Cards asked from a shoe that gives none, by software whose defect is to go on."""
MOST_LOOKS = 3
"""Looks at one thing that the camera cannot make out, before the table waits for somebody to help."""


class Game(Steps):
    """One table session. Reacts to messages; what it orders goes out through its desk."""

    def __init__(self, facts: Facts, desk: Desk, defects: frozenset[str]) -> None:
        super().__init__(facts, desk, defects)
        self.by_hand = False
        """True once the devices have left the table for dealing and shuffling by hand."""
        self.removed_late: dict[str, list[str]] = {"shuffle": [], "dispense": []}
        """Devices that a defect leaves standing until the first act by hand of this kind."""
        self._answered: dict[str, Symptom] = {}
        """Directives of a device that failed, and how: each failure is answered once."""
        self._cause_of: dict[str, str] = {}
        self._shuffle_failed_for_good = False
        self._voided = False
        """True once a round has been voided, until the next one is opened."""

    # --- to be filled in by each game ---

    def opening(self) -> Procedure:
        """A round until the cards are to be shuffled."""
        raise NotImplementedError

    def after_shuffle(self) -> Procedure:
        """The round from the cut on. Leaves by `EndsEarly` when it cannot be played to its end."""
        raise NotImplementedError

    def objection(self) -> str:
        """Why no round may be opened at this table, empty when one may."""
        return ""

    def noticed(self, told: Told) -> None:
        """An event that may be an irregularity has been taken to the facts."""

    # --- messages ---

    def react(self, told: Told) -> None:
        """React to one message, after the facts have taken it."""
        match told.event:
            case TableRequested() as asked:
                self._requested(asked)
            case TableDone() as done:
                self.desk.done(done)
            case DeviceFault(device=device, symptom=("jam" | "stop" | "incomplete") as symptom):
                self._device_failed(device, symptom, told.id)
            case DeviceCycle(device=device, phase="aborted"):
                if self.desk.under_way is not None:
                    self._cause_of.setdefault(self.desk.under_way.id, told.id)
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
                goes_on = self.state == "held"
                self.state = "method"
                self.desk.start(self._change_method(asked.request, goes_on=goes_on))

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
                resumed = self._voided and self.has("void_round_resumed")
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
        if self.state == "idle" or (self.state == "held" and self._shuffle_failed_for_good):
            return ""
        return "the method does not change during a round"

    # --- the round ---

    def _round(self) -> Procedure:
        self.state = "round"
        self._voided = False
        self._answered.clear()
        self._cause_of.clear()
        try:
            yield from self.opening()
            if (yield from self.shuffle()):
                yield from self.after_shuffle()
        except EndsEarly as end:
            yield from end.procedure

    def _rest_by_hand(self) -> Procedure:
        try:
            yield from self._shuffle_by_hand()
            yield from self.after_shuffle()
        except EndsEarly as end:
            yield from end.procedure

    # --- shuffling ---

    def shuffle(self) -> Generator[list[Directive], list[TableDone], bool]:
        """Shuffle the pack; False when it was not to be done and the table is held."""
        shuffler = "" if self.by_hand else self.facts.device("shuffler")
        if not shuffler:
            yield from self._shuffle_by_hand()
            return True
        done = yield from self.do("shuffle", method="device", device=shuffler)
        return (yield from self.shuffled(done))

    def _shuffle_by_hand(self) -> Procedure:
        yield from self.do("shuffle", method="hand")
        yield from self._remove_late("shuffle")

    def _remove_late(self, act: str) -> Procedure:
        while self.removed_late[act]:
            yield from self.remove(self.removed_late[act].pop(0))

    def shuffled(self, done: TableDone) -> Generator[list[Directive], list[TableDone], bool]:
        """See a shuffle through: one that failed is ordered again, a limited number of times."""
        for _ in range(MOST_SHUFFLES):
            symptom = self._answered.get(done.directive)
            if symptom is None and (done.outcome != "done" or done.directive in self._cause_of):
                symptom = "incomplete"
            if symptom is None:
                return True
            if self.has(f"no_reshuffle_after_{symptom}"):
                yield from self.do("remove_cards", device=self.facts.device("shuffler"))
                return True
            done = yield from self.do_all(self.reshuffle(cause=self._cause_of.get(done.directive, "")))
        self._shuffle_failed_for_good = True
        yield from self.hold("the shuffler does not complete a shuffle")
        return False

    def reshuffle(self, cause: str = "", scope: str = "all_cards") -> Directive:
        """The order to shuffle again, by the shuffler as long as one stands here."""
        method = "device" if not self.by_hand and self.facts.device("shuffler") else "hand"
        return self.order("reshuffle", cause=cause, scope=scope, method=method)

    # --- a round that ends before its time ---

    def void(self, *also: Consequence, cause: str = "", reason: str = "", reshuffle: bool = True) -> Procedure:
        """Void the round, return the wagers, order what else is given, reshuffle all cards."""
        self.state = "ending"
        directives = [
            self.order("void_round", cause=cause, reason=reason),
            *self.refund(cause),
            *[directive for orders in also for directive in orders(cause)],
            *([self.reshuffle(cause)] if reshuffle else []),
        ]
        yield from self.clear_up(directives)

    def refund(self, cause: str) -> list[Directive]:
        """Return all wagers of the round."""
        times = 2 if self.has("refund_twice") else 1
        return [self.order("return_wagers", cause=cause, scope="round", wager="all") for _ in range(times)]

    def clear_up(self, directives: list[Directive]) -> Procedure:
        """Issue the consequences at once, see the reshuffle among them through, and close the round's books."""
        self.state = "ending"
        self._voided = True
        done = yield from self.do_all(*directives)
        undone = [other for other in self.outcomes if other.outcome != "done" and other.verb != "reshuffle"]
        if undone:
            yield from self.hold(f"{undone[0].verb} was not done: {undone[0].detail[:200]}")
            return
        if done.verb == "reshuffle" and not (yield from self.shuffled(done)):
            return
        self.over()

    def over(self) -> None:
        """The round is behind us."""
        self.state = "idle"
        self.facts.new_round()

    # --- devices that fail ---

    def _device_failed(self, device: str, symptom: Symptom, cause: str) -> None:
        role = self.facts.session.devices.get(device)
        now = self.desk.under_way
        if role == "shuffler" and now is not None and now.verb in {"shuffle", "reshuffle"}:
            self._shuffler_failed(now, symptom, cause)
        elif role == "shoe" and self.state == "round":
            self.shoe_failed(symptom, cause)

    def _shuffler_failed(self, now: Directive, symptom: Symptom, cause: str) -> None:
        if now.id not in self._answered:
            self._answered[now.id] = symptom
            self._cause_of[now.id] = cause

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
            raise EndsEarly(self.void_after_shoe("incomplete", self._cause_of.get(done.directive, "")))

    def dispense(self, unit: Literal["card", "group"]) -> Step:
        """One unit to the mouth of the shoe, or a card from the pack in hand. A shoe that fails ends the round."""
        for _ in range(MOST_TRIES):
            if self.by_hand:
                done = yield from self.do("dispense", method="hand", unit="card")
                yield from self._remove_late("dispense")
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
            raise EndsEarly(self.void_after_shoe("incomplete", self._cause_of.get(done.directive, "")))

    def plays_on(self, symptom: Symptom) -> bool:
        """True in software whose defect is to play on after the shoe failed like this."""
        return False

    def announce_no_more_bets(self) -> Procedure:
        """Wagers are closed."""
        self.facts.bets_closed = True
        yield from self.do("announce", phrase="no_more_bets")

    # --- another method ---

    def _change_method(self, request: str, *, goes_on: bool) -> Procedure:
        for device in self.facts.standing:
            if self.keeps(device, request):
                continue
            yield from self.remove(device)
            if device not in self.facts.absent:
                yield from self.hold(f"{device} still stands on the table")
                return
        self.by_hand = True
        yield [self.order("proceed", request=request)]
        if goes_on:
            self.state = "round"
            self._shuffle_failed_for_good = False
            yield from self._rest_by_hand()
        elif request == "deal_by_hand" and not self.objection():
            yield from self._round()
        else:
            yield from self._shuffle_by_hand()
            self.state = "idle"

    def keeps(self, device: str, request: str) -> bool:
        """True in software whose defect is to leave this device standing before it goes on by hand."""
        return False

    def remove(self, device: str) -> Step:
        """Take a device off the table; the look afterwards tells whether it is gone."""
        done = yield from self.do("remove_device", device=device)
        if done.outcome == "done" and device not in self.facts.absent:
            done = yield from self.do("remove_device", device=device)
        return done
