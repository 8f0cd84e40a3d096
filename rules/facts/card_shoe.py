"""Facts about shoes that read the cards drawn from them: what they tell, beside what the camera sees."""

from collections import Counter
from dataclasses import dataclass, field

from evidence.events import (
    CardsSeen,
    DeviceAnswered,
    DeviceCard,
    DeviceFault,
    DeviceNotice,
    DeviceResult,
    TableDone,
)
from rules.table import Draft, Moment, Table
from rules.vocabulary import Value

IN_GAME = ("player", "banker", "burn", "first", "burn_count")
CANCELS = ("cancel_error", "clear_fault")
POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0, **{str(number): number for number in range(2, 10)}}


@dataclass
class Shoe:
    """One shoe, as it was told to stand and as it told."""

    locked: bool = False
    failing: bool = False
    cancelled: bool = False
    """Its error was ordered to be cancelled."""
    repeats: bool = False
    """It has announced that it sends again."""
    hands: dict[str, list[str]] = field(default_factory=dict)


class CardShoeTracker:
    """Follows every shoe that tells of cards."""

    watches = (DeviceCard, DeviceResult, DeviceNotice, DeviceFault, DeviceAnswered, CardsSeen, TableDone)
    states = (
        "card_told",
        "told_hand_seen",
        "shoe_error",
        "shoe_error_cancelled",
        "cut_card_drawn",
        "shoe_started",
        "result_told",
    )

    def __init__(self) -> None:
        self._shoes: dict[str, Shoe] = {}
        self._faces: dict[str, tuple[tuple[str | None, ...], int]] = {}
        """Faces that the camera read at each position in this round, with the record."""

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        match moment.event:
            case DeviceCard() as card:
                return [self._card(card)]
            case DeviceResult() as result:
                return [self._result(result, table)]
            case DeviceNotice() as notice:
                return self._notice(notice)
            case DeviceFault(device=device, code=code, recovered=False) if device in self._shoes:
                shoe = self._shoes[device]
                shoe.failing, shoe.cancelled = True, False
                return [Draft(name="shoe_error", attributes={"device": device, "code": code})]
            case DeviceAnswered(accepted=True) as answered:
                self._answered(answered)
            case CardsSeen(place=place) as seen if place in table.positions:
                return self._look(seen, moment.seq, table)
            case TableDone() if moment.done is not None and moment.done[1].verb == "open_round":
                self._new_round()
            case _:
                pass
        return []

    def _shoe(self, device: str) -> Shoe:
        return self._shoes.setdefault(device, Shoe())

    def _answered(self, answered: DeviceAnswered) -> None:
        if answered.command in ("lock", "unlock"):
            self._shoe(answered.device).locked = answered.command == "lock"
        elif answered.command in CANCELS and answered.device in self._shoes:
            self._shoes[answered.device].cancelled = True

    def _new_round(self) -> None:
        self._faces.clear()
        for shoe in self._shoes.values():
            shoe.hands.clear()

    def _card(self, card: DeviceCard) -> Draft:
        shoe = self._shoe(card.device)
        in_game = card.hand in IN_GAME
        if card.hand in ("player", "banker") and not card.again:
            shoe.hands.setdefault(card.hand, []).append(card.label)
        facts: dict[str, Value] = {
            "device": card.device,
            "hand": card.hand if in_game else "",
            "state": "game" if in_game else card.hand,
            "locked": shoe.locked,
            "failing": shoe.failing,
            "again": card.again and not shoe.repeats,
        }
        return Draft(name="card_told", attributes=facts)

    def _notice(self, notice: DeviceNotice) -> list[Draft]:
        shoe, device = self._shoe(notice.device), notice.device
        match notice.notice:
            case "error_cancelled":
                ordered, shoe.failing, shoe.cancelled = shoe.cancelled, False, False
                return [Draft(name="shoe_error_cancelled", attributes={"device": device, "ordered": ordered})]
            case "cut_card":
                return [Draft(name="cut_card_drawn", attributes={"device": device})]
            case "start":
                shoe.repeats = False
                return [Draft(name="shoe_started", attributes={"device": device})]
            case "retransmission":
                shoe.repeats = True
            case _:
                pass
        return []

    def _look(self, seen: CardsSeen, seq: int, table: Table) -> list[Draft]:
        if seen.count is None and not seen.face_up:
            return []
        self._faces[seen.place] = tuple(seen.face_up), seq
        drafts = []
        for device, shoe in self._shoes.items():
            for hand, place in self._places(table):
                told = shoe.hands.get(hand, [])
                if place == seen.place and told and len(told) == seen.count:
                    facts: dict[str, Value] = {"device": device, "hand": hand, "same": _same(told, seen.face_up)}
                    drafts.append(Draft(name="told_hand_seen", attributes=facts))
        return drafts

    def _result(self, result: DeviceResult, table: Table) -> Draft:
        shoe = self._shoe(result.device)
        shoe.repeats = False
        facts: dict[str, Value] = {
            "device": result.device,
            "winner": result.winner,
            "standing": result.standing,
            "right": None if result.winner == "void" else self._right(result.winner, table),
        }
        evidence = tuple(seq for _, seq in self._faces.values())
        return Draft(name="result_told", attributes=facts, evidence=evidence)

    def _right(self, winner: str, table: Table) -> bool | None:
        totals = [_total(self._faces.get(place, ((), -1))[0]) for _, place in self._places(table)]
        if len(totals) < 2 or totals[0] is None or totals[1] is None:
            return None
        mine, theirs = totals[0], totals[1]
        return winner == ("tie" if mine == theirs else "player" if mine > theirs else "banker")

    @staticmethod
    def _places(table: Table) -> list[tuple[str, str]]:
        """The player's hand lies at the first position of the table, the banker's at the last."""
        return [("player", table.positions[0]), ("banker", table.positions[-1])] if len(table.positions) > 1 else []


def _same(told: list[str], seen: list[str | None]) -> bool | None:
    """Whether these are the same faces; None where one could not be read."""
    if any(face is None for face in seen) or len(seen) != len(told) or not all(told):
        return None
    return Counter(told) == Counter(seen)


def _total(faces: tuple[str | None, ...]) -> int | None:
    """The points of a hand as baccarat counts them; None where a face is unknown, or where no hand can be so small."""
    points = [POINTS.get(face[0]) if face else None for face in faces]
    known = [point for point in points if point is not None]
    return sum(known) % 10 if len(known) == len(faces) >= 2 else None
