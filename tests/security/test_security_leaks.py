"""The order of a pack is found in what a line carried, in every form that a device may give it, and in nothing else."""

import random
import struct

import pytest

from rules.leaks import Parts, Search, moved, number_of

LABELS = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
RNG = random.Random(7)


def shuffled(seed: int) -> list[str]:
    return random.Random(seed).sample(LABELS, len(LABELS))


def laid(labels: list[str], turned: bool = False) -> Parts:
    """As a camera reads them: twelve to a row, and the rows perhaps from right to left."""
    numbers = [number for label in labels if (number := number_of(label)) is not None]
    rows = [numbers[at : at + 12] for at in range(0, len(numbers), 12)]
    return tuple(tuple(row[::-1] if turned else row) for row in rows)


BEFORE, AFTER, LATER = shuffled(1), shuffled(2), shuffled(3)
NOISE = random.Random(4).randbytes(300)


def indices(labels: list[str], ranks: str, suits: str) -> list[int]:
    return [suits.index(label[1]) * 13 + ranks.index(label[0]) for label in labels]


def in_frames(numbers: list[int]) -> bytes:
    """Each number in a frame of its own that bears a running number and a sum, as on a real line."""
    return b"".join(bytes([0x7E, n & 255, 5, number, (n + number) & 255]) for n, number in enumerate(numbers))


INDEX = indices(AFTER, "A23456789TJQK", "hscd")
NIBBLES = ["shdc".index(label[1]) << 4 | "A23456789TJQK".index(label[0]) + 1 for label in AFTER]
WORD_OF = {"T": "10", "c": "♣", "d": "♦", "h": "♥", "s": "♠"}
FORMS: dict[str, bytes] = {
    "labels": "".join(AFTER).encode(),
    "labels apart": " ".join(AFTER).encode(),
    "suit first": ",".join(label[1].upper() + label[0] for label in AFTER).encode(),
    "signs": " ".join("".join(WORD_OF.get(one, one) for one in label) for label in AFTER).encode(),
    "indices": bytes(INDEX),
    "indices from 40": bytes(index + 40 for index in INDEX),
    "half bytes": bytes(NIBBLES),
    "words": struct.pack(">52H", *INDEX),
    "long words": struct.pack("<52I", *INDEX),
    "decimal": ";".join(map(str, INDEX)).encode(),
    "hexadecimal": bytes(NIBBLES).hex(" ").encode(),
    "letters": bytes(index + (65 if index < 26 else 71) for index in INDEX),
    "frames": in_frames(INDEX),
    "from the bottom": bytes(INDEX[::-1]),
    "the top thirteen": bytes(INDEX[:13]),
    "escaped": b"".join(bytes([0x10, one ^ 0x20]) if one in (2, 3, 16, 17, 19) else bytes([one]) for one in INDEX),
    "six bits": sum(index << 6 * at for at, index in enumerate(INDEX[::-1])).to_bytes(39, "big"),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_order_is_found_in_its_usual_codes(form: str) -> None:
    # Six bits a card begin where a byte begins; the others may stand anywhere.
    said = NOISE[:99] + FORMS[form] + NOISE[99:]
    turned = len(form) % 2 == 1
    assert Search().telling(laid(BEFORE, turned), laid(AFTER, turned), [said]) == "codes"
    assert Search().telling(laid(BEFORE), laid(LATER), [said]) is None, "another order was taken for it"


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_is_found_as_places_in_the_pack(turned: bool) -> None:
    went = [AFTER.index(card) for card in BEFORE]
    slots = sorted(random.Random(5).sample(range(54), 52))
    said = ",".join(f"{slots[place]:02d}" for place in went).encode()
    came = bytes(BEFORE.index(card) + 1 for card in AFTER)
    for carried in (said, came, in_frames(list(came))):
        assert Search().telling(laid(BEFORE, turned), laid(AFTER, turned), [NOISE, carried, NOISE]) == "places"
        assert Search().telling(laid(BEFORE, turned), laid(LATER, turned), [NOISE, carried, NOISE]) is None


def test_a_code_that_nobody_knows_shows_itself_by_being_the_same_twice() -> None:
    code = dict(zip(LABELS, RNG.sample(range(256), 52), strict=True))
    first, then = (in_frames([code[card] for card in order]) for order in (AFTER, LATER))
    assert Search().telling(laid(BEFORE), laid(AFTER), [first]) is None
    assert Search().same_code(laid(AFTER), laid(LATER), [NOISE, first], [then, NOISE])
    other = dict(zip(LABELS, RNG.sample(range(256), 52), strict=True))
    changed = in_frames([other[card] for card in LATER])
    assert not Search().same_code(laid(AFTER), laid(LATER), [first], [changed])


@pytest.mark.parametrize(
    "said",
    [bytes(range(256)) * 4, b"0,1,2,3,4,5,6,7,8,9,10,11,12,13," * 9, NOISE, b"", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 3],
)
def test_counting_and_noise_are_no_order(said: bytes) -> None:
    search = Search()
    assert search.telling(laid(BEFORE), laid(AFTER), [said]) is None
    assert not search.same_code(laid(AFTER), laid(LATER), [said], [said])
    assert not search.given_up


def test_of_a_pack_in_its_maker_s_order_counting_is_no_leak() -> None:
    assert Search().telling(laid(LABELS), laid(LABELS), [bytes(range(256))]) is None
    assert not moved(laid(LABELS), laid(LABELS[::-1]))
    assert moved(laid(BEFORE), laid(AFTER))


def test_a_search_that_is_given_up_says_so() -> None:
    search = Search(most=10)
    many = b"".join(bytes(RNG.sample(range(256), 256)) for _ in range(3))
    assert search.telling(laid(BEFORE), laid(AFTER), [many]) is None
    assert search.given_up


def test_an_order_after_much_that_could_be_one_is_found() -> None:
    said = bytes(RNG.sample(range(256), 60)) * 250
    code = dict(zip(LABELS, RNG.sample(range(256), 52), strict=True))
    first, then = (bytes(code[card] for card in order) for order in (AFTER, LATER))
    carried = [said[: -len(first)], first], [said[: -len(then)], then]
    assert Search().same_code(laid(AFTER), laid(LATER), *carried)
    assert not Search().same_code(laid(AFTER), laid(BEFORE), *carried)


def test_what_is_looked_up_of_the_later_shuffle_is_bounded_as_well() -> None:
    """It could be as much as anything else, and each part of it takes time and room."""
    search = Search(most=10)
    many = b"".join(bytes(RNG.sample(range(256), 256)) for _ in range(3))
    assert not search.same_code(laid(BEFORE), laid(AFTER), [many[:52]], [many])
    assert search.given_up
