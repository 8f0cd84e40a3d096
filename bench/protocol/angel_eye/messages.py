"""What the ANGEL EYE II-EX shoe says: type and data of a telegram as words, and back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from evidence.errors import RigFault

K = TypeVar("K")

Hand = Literal["player", "banker", "burn", "first", "burn_count"]
Outside = Literal["locked", "error", "setting"]
Notice = Literal["start", "standby", "cut_card", "locked", "unlocked", "preset", "retransmission"]
Winner = Literal["player", "tie", "banker", "void"]

HANDS: dict[int, Hand] = {0b000: "player", 0b001: "banker", 0b010: "burn", 0b100: "first", 0b101: "burn_count"}
OUTSIDE: dict[int, Outside] = {0b000: "locked", 0b001: "error", 0b010: "setting"}
WINNERS: dict[int, Winner] = {0b001: "player", 0b010: "tie", 0b100: "banker", 0b111: "void"}
SUITS = {0: "", 1: "d", 2: "c", 3: "s", 4: "h"}
RANKS = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
ERRORS = {
    1: "CANNOT_READ",
    2: "OVERDRAW",
    3: "BUTTON_MISUSE",
    4: "REVERSE_RUN_AT_EXIT",
    5: "REVERSE_RUN_MIDWAY",
    6: "CARD_CODE",
    7: "DRAW_TIMEOUT",
}
MOST_INDEX = 10
LOCKS: dict[bytes, Notice] = {b"01": "unlocked", b"02": "locked"}
_PLAIN: dict[str, Notice] = {
    "S": "start",
    "P": "standby",
    "C": "cut_card",
    "M": "preset",
    "R": "retransmission",
}


class MalformedData(RigFault):
    """A telegram whose check holds and whose data this protocol does not have."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card passed the reader. `label` is empty where the shoe could not read it; without a suit it is the rank."""

    hand: Hand | Outside
    index: int
    label: str

    @property
    def in_game(self) -> bool:
        """False for a card that came out while the shoe was locked, in error or being set."""
        return self.hand in get_args(Hand)


@dataclass(frozen=True, slots=True)
class Result:
    """The shoe says how the game ended."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False


@dataclass(frozen=True, slots=True)
class Error:
    """Something went wrong, or has been cancelled. `mode`: the shoe stands in error."""

    code: int
    mode: bool = True
    cancelled: bool = False

    @property
    def name(self) -> str:
        """The error's name, `ERROR_nn` for a number that is not public."""
        return ERRORS.get(self.code, f"ERROR_{self.code:02d}")


@dataclass(frozen=True, slots=True)
class Told:
    """Whatever else the shoe says. `detail` are the data bytes whose meaning is not public, in hexadecimal."""

    notice: Notice
    detail: str = ""


Message = Card | Result | Error | Told


def unpack(data: bytes) -> Message:
    """What the type and data of a telegram mean. MalformedData when they mean nothing."""
    kind, rest = chr(data[0]), data[1:]
    if kind in "Dd":
        return _card(kind == "D", rest)
    if kind == "G":
        return _result(rest)
    if kind in "Ee":
        return _error(rest, cancelled=kind == "e")
    if kind == "L":
        if rest not in LOCKS:
            raise MalformedData(f"lock status {rest.hex(' ') or 'missing'}: expected 01 or 02")
        return Told(LOCKS[rest])
    if kind in _PLAIN:
        return Told(_PLAIN[kind], rest.hex())
    raise MalformedData(f"type {data[0]:#04x}: this shoe has none such")


def pack(message: Message) -> bytes:
    """Type and data of a telegram. ValueError when a value does not fit its field."""
    match message:
        case Card(hand, index, label):
            kinds = HANDS if message.in_game else OUTSIDE
            if not 0 <= index <= MOST_INDEX:
                raise ValueError(f"index {index}; expected 0 to {MOST_INDEX}")
            first = 0x80 | _key(kinds, hand) << 4 | index
            suit = label[1:]
            return bytes([ord("D" if message.in_game else "d"), first, 0x80 | _key(SUITS, suit) << 4 | _rank(label)])
        case Result(winner, player_pair, banker_pair):
            return bytes([ord("G"), 0x80 | _key(WINNERS, winner) << 4 | player_pair | banker_pair << 1])
        case Error(code, mode, cancelled):
            if not 1 <= code <= 0x3F:
                raise ValueError(f"error {code}; expected 1 to 63")
            return bytes([ord("e" if cancelled else "E"), (0x40 if mode else 0) | code])
        case Told(notice, detail):
            if notice in LOCKS.values():
                return b"L" + _key(LOCKS, notice)
            return _key(_PLAIN, notice).encode() + bytes.fromhex(detail)


def _card(in_game: bool, rest: bytes) -> Card:
    if len(rest) != 2 or not all(byte & 0x80 for byte in rest):
        raise MalformedData(f"card {rest.hex(' ')}: expected two bytes from 80 on")
    to, index, suit, rank = rest[0] >> 4 & 7, rest[0] & 15, rest[1] >> 4 & 7, rest[1] & 15
    kinds: dict[int, Hand] | dict[int, Outside] = HANDS if in_game else OUTSIDE
    if to not in kinds or index > MOST_INDEX or suit not in SUITS or rank >= len(RANKS) or (suit and not rank):
        raise MalformedData(f"card {rest.hex(' ')}: no such hand, index or card")
    return Card(kinds[to], index, RANKS[rank] + SUITS[suit])


def _result(rest: bytes) -> Result:
    if len(rest) != 1 or not rest[0] & 0x80 or rest[0] & 0x0C or rest[0] >> 4 & 7 not in WINNERS:
        raise MalformedData(f"result {rest.hex(' ')}: expected player, tie, banker or forced quit, and pairs")
    return Result(WINNERS[rest[0] >> 4 & 7], bool(rest[0] & 1), bool(rest[0] & 2))


def _error(rest: bytes, *, cancelled: bool) -> Error:
    if len(rest) != 1 or not rest[0] & 0x3F:
        raise MalformedData(f"error {rest.hex(' ')}: expected a number from 1 on")
    return Error(rest[0] & 0x3F, bool(rest[0] & 0x40), cancelled)


def _rank(label: str) -> int:
    rank = label[:1]
    if rank not in RANKS:
        raise ValueError(f"card {label!r}: expected a rank and a suit such as 8s, or nothing")
    return RANKS.index(rank)


def _key(table: Mapping[K, object], value: object) -> K:
    for key, entry in table.items():
        if entry == value:
            return key
    raise ValueError(f"{value!r}: expected one of {', '.join(map(str, table.values()))}")
