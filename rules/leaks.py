"""Looks for the order of a pack in what the lines of a device carried: as codes of cards, as places, in a fixed code.

Every reading of a line is a row of numbers: its bytes one after the other, every second, every third and so on, and
numbers, labels and hexadecimal digits written in it. A row tells the order if it holds

- `codes`: the codes of twelve or more cards that lie one after the other, in one of the usual codes of cards;
- `places`: for the whole pack, in its old order or its new one, numbers that rank as the places do that the cards had
  or got;
- `fixed_code`: for two shuffles the whole pack in one and the same code, whatever that is.

Whether rows of a pack were laid from left to right or from right to left, and the pack from its top or from below, is
not known; all are tried. Twelve cards in a row come about by chance once in 10^19 places.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, permutations, product
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rules.line_readings import MOST_BYTES, MOST_STRIDE, RANKS, SUITS, Reading, Row, readings

RUN = 12
FULL_BYTES = 4095
"""Bytes that fit into the buffer of a serial line: where so many are read at once, what came next may be lost."""
MOST_PARTS = 300_000
"""Parts of rows that are compared with whole orders, in one check."""

How = Literal["codes", "places", "fixed_code"]
Parts = tuple[tuple[int, ...], ...]
"""The pack as it was laid out, part by part: for each card its number, 13 times the suit and the rank."""

JOKER = 52


def number_of(label: str) -> int | None:
    """The number of a card; None for what is none."""
    if label == "Jk":
        return JOKER
    if len(label) != 2 or label[0] not in RANKS or label[1] not in SUITS:
        return None
    return SUITS.index(label[1]) * 13 + RANKS.index(label[0])


# --- orders ---


def orders(parts: Parts) -> list[tuple[int, ...]]:
    """The pack in every order in which it can have been meant when it was laid out so."""
    forward = tuple(card for part in parts for card in part)
    turned = tuple(card for part in parts for card in part[::-1])
    return list(dict.fromkeys([forward, turned, forward[::-1], turned[::-1]]))


def _steps(numbers: Sequence[int]) -> bytes:
    """From each number to the next, so that it does not matter from which number one counts."""
    return np.diff(np.array(list(numbers), np.uint8)).tobytes()


@lru_cache(maxsize=1)
def _codes() -> tuple[bytes, ...]:
    """The usual codes of the 52 cards: each suit, rank and order of both; by 13, by 4, in half a byte each, letters."""
    found = []
    upwards = RANKS, "A23456789TJQK"
    for suits, ranks in product(permutations(range(4)), (*upwards, *(one[::-1] for one in upwards))):
        pairs = [(suits[card // 13], ranks.index(RANKS[card % 13])) for card in range(52)]
        by_suit = [suit * 13 + rank for suit, rank in pairs]
        by_rank = [rank * 4 + suit for suit, rank in pairs]
        found += [
            by_suit,
            by_rank,
            [suit << 4 | rank for suit, rank in pairs],
            [rank << 4 | suit for suit, rank in pairs],
        ]
        found += [[number + (65 if number < 26 else 71) for number in code] for code in (by_suit, by_rank)]
    return tuple(dict.fromkeys(map(bytes, found)))


@lru_cache(maxsize=8)
def _ranks(before: Parts, after: Parts) -> frozenset[bytes]:
    """How the places rank: for each card in its old order where it went, and in its new order where it was."""
    found = set()
    for old, new in product(orders(before), orders(after)):
        if sorted(old) == sorted(new) and len(set(old)) == len(old):
            went, came = {card: at for at, card in enumerate(new)}, {card: at for at, card in enumerate(old)}
            found |= {bytes(went[card] for card in old), bytes(came[card] for card in new)}
    return frozenset(filter(_mixed, found))


# --- looking through rows ---

_BASE = 0x9E3779B97F4A7C15
_FACTORS = np.array([pow(_BASE, power + 1, 1 << 64) for power in range(64)], np.uint64)
_SIEVE_BITS = 22
_SIEVE_SHIFT = np.uint64(64 - _SIEVE_BITS)
Hashes = NDArray[np.uint64]


@lru_cache(maxsize=1)
def _powers() -> tuple[Hashes, Hashes]:
    """The powers of the base from the first, and those of its inverse from the zeroth, for the longest row."""
    inverse = np.full(MOST_BYTES + 1, pow(_BASE, -1, 1 << 64), np.uint64)
    inverse[0] = 1
    base = np.full(MOST_BYTES + 1, _BASE, np.uint64)
    return np.multiply.accumulate(base), np.multiply.accumulate(inverse)


def _hashes(row: Row, length: int, stride: int = 1) -> Hashes:
    """A number for every `length` entries of a row, each `stride` after the one before; the same for the same.

    The difference of two sums, so that it costs the same for any length.
    """
    amount = len(row) - (length - 1) * stride
    if amount <= 0:
        return np.zeros(0, np.uint64)
    high = -(-len(row) // stride)
    powers, inverse = _powers()
    sums = np.zeros((high + 1, stride), np.uint64)
    sums[1:].ravel()[: len(row)] = row
    sums[1:] *= powers[:high, None]
    np.cumsum(sums, axis=0, out=sums)
    found = (sums[length:] - sums[:-length]) * inverse[: high - length + 1, None]
    return found.ravel()[:amount]


@lru_cache(maxsize=8)
def _runs(parts: Parts) -> tuple[Hashes, NDArray[np.bool_]]:
    """The steps of every twelve cards in a row of this pack, in every code, as hashes; not where one mostly counts.

    Sorted; and a table of their first bits, by which most of what is no run is told at once.
    """
    found: list[Hashes] = []
    codes = np.array([list(code) for code in _codes()], np.uint8)
    for order in orders(parts):
        known = np.array([card if card < JOKER else 0 for card in order], np.intp)
        steps = np.diff(codes[:, known], axis=1)
        for start in range(len(order) - RUN + 1):
            run = steps[:, start : start + RUN - 1]
            if JOKER not in order[start : start + RUN]:
                telling = run[(run[:, :, None] == run[:, None, :]).sum(axis=2).max(axis=1) <= (RUN - 1) // 2]
                found.append((telling.astype(np.uint64) * _FACTORS[: RUN - 1]).sum(axis=1, dtype=np.uint64))
    hashes = np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64)
    table = np.zeros(1 << _SIEVE_BITS, np.bool_)
    table[hashes >> _SIEVE_SHIFT] = True
    return hashes, table


def _holds_run(reading: Reading, parts: Parts) -> bool:
    """Whether a reading has twelve cards in a row of this pack, in any code."""
    runs, sieve = _runs(parts)
    for stride in range(1, MOST_STRIDE + 1 if reading.strided else 2):
        row = reading.row
        if len(row) <= (RUN - 1) * stride:
            break
        hashes = _hashes(row[stride:] - row[:-stride], RUN - 1, stride)
        likely = hashes[sieve[hashes >> _SIEVE_SHIFT]]
        if len(likely) and (runs[np.searchsorted(runs, likely) % len(runs)] == likely).any():
            return True
    return False


def _ranked(parts: Row) -> list[bytes]:
    """How the numbers of each part rank, where none comes twice."""
    ranks = np.argsort(np.argsort(parts, axis=1), axis=1).astype(np.uint8)
    return [rank.tobytes() for rank in ranks]


def _distinct(row: Row, length: int) -> Row:
    """Every part of a row of this length in which no number comes twice, each once, one below the other."""
    if len(row) < length:
        return np.zeros((0, length), np.uint8)
    by_number = np.argsort(row, kind="stable")
    again = row[by_number[1:]] == row[by_number[:-1]]
    before = np.full(len(row), -1)
    before[by_number[1:][again]] = by_number[:-1][again]
    begins = np.maximum.accumulate(before) + 1
    starts = np.flatnonzero(np.arange(len(row)) - begins + 1 >= length) - length + 1
    if len(starts) > 1:
        _, first = np.unique(_hashes(row, length)[starts], return_index=True)
        starts = starts[np.sort(first)]
    return np.lib.stride_tricks.sliding_window_view(row, length)[starts]


# --- what is found ---


class Search:
    """Looks for orders in lines, up to a number of parts of rows; `given_up` says that there were more of them."""

    def __init__(self, most: int = 0) -> None:
        """`most` parts; 0: as many as usual."""
        self._left = most or MOST_PARTS
        self.given_up = False

    def telling(self, before: Parts, after: Parts, pieces: Sequence[bytes]) -> How | None:
        """How a line tells of the order `after`, to which the pack came from `before`; None where it was not found."""
        ranks, size = _ranks(before, after), sum(map(len, after))
        for reading in readings(pieces):
            if _holds_run(reading, after):
                return "codes"
            if any(rank in ranks for _, row in reading.rows() for rank in _ranked(self._parts(row, size))):
                return "places"
        return None

    def same_code(self, first: Parts, then: Parts, pieces: Sequence[bytes], later: Sequence[bytes]) -> bool:
        """Whether a line told of two orders in one and the same code: in `pieces` of `first`, in `later` of `then`."""
        pairs = list(zip(orders(first), orders(then), strict=False))
        if any(set(one) != set(other) or len(set(one)) < len(one) for one, other in pairs):
            return False
        size = len(pairs[0][0])
        # In one code, what is told of the second order is what was told of the first, with each card where it went.
        moves = [np.array([one.index(card) for card in other]) for one, other in pairs if one != other]
        afterwards: dict[str, list[Row]] = {}
        for name, row in (one for reading in readings(later) for one in reading.rows()):
            afterwards.setdefault(name, []).append(row)
        for reading in readings(pieces):
            for name, rows in groupby(reading.rows(), itemgetter(0)):
                codes = [part for _, row in rows for part in self._parts(row, size)] if name in afterwards else []
                told = {part.tobytes() for row in afterwards[name] for part in self._parts(row, size)} if codes else ()
                if told and any(part[move].tobytes() in told for part in codes for move in moves):
                    return True
        return False

    def _parts(self, row: Row, size: int) -> Row:
        parts = _distinct(row, size)
        self.given_up = self.given_up or len(parts) > self._left
        parts = parts[: self._left]
        self._left -= len(parts)
        return parts


def moved(before: Parts, after: Parts) -> bool:
    """Whether the pack came out mixed: where it did not, nothing tells a leak from counting."""
    kinds = [bytes(order) for order in orders(after)]
    for old, new in product(orders(before), orders(after)):
        went = {card: at for at, card in enumerate(new)}
        kinds.append(bytes(went.get(card, 0) for card in old))
    return all(map(_mixed, kinds))


def _mixed(numbers: bytes) -> bool:
    """Whether it goes on from number to number in many ways, and not mostly in one."""
    steps = _steps(numbers)
    return bool(steps) and max(map(steps.count, set(steps))) <= len(steps) // 2
