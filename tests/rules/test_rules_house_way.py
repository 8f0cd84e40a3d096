"""The house way: what a rule says, which rule decides, and when hands were set as they should be."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardcert.shipped import RIGS
from rules.house_way import HouseWay, parse_house_way
from rules.poker_hands import five_card_key, is_foul, rank_of, two_card_key

SHIPPED = parse_house_way((RIGS / "inputs" / "pai-gow-house-way.toml").read_text())
DECK = [*(rank + suit for rank in "23456789TJQKA" for suit in "cdhs"), "Jk"]
LAST = '[[rule]]\nlow = "second_third"\n'


def way(*rules: str) -> HouseWay:
    return parse_house_way("".join(f"[[rule]]\n{rule}\n" for rule in rules) + LAST)


def low(house: HouseWay, seven: str) -> str:
    """The hand of two, highest card first."""
    return " ".join(sorted(house.set(seven.split())[1], key=rank_of, reverse=True))


@pytest.mark.parametrize(
    ("seven", "two"),
    [
        ("Ac Kd 9h 7s 5c 3d 2h", "Kd 9h"),  # nothing: second and third
        ("8c 8d Ah Qs 9c 5d 2h", "Ah Qs"),  # a pair stays together
        ("5c 5d 3h 3s Qc Jd 9h", "3h 3s"),  # two low pairs are split
        ("5c 5d 3h 3s Kc Jd 9h", "Kc Jd"),  # but not with a king
        ("8c 8d 3h 3s Kc Jd 5h", "3h 3s"),  # middle pairs need an ace
        ("8c 8d 3h 3s Ac Jd 5h", "Ac Jd"),
        ("Kc Kd 3h 3s Ac Jd 5h", "3h 3s"),  # high pairs are always split
        ("8c 8d 7h 7s 6c 6d Ah", "8c 8d"),
        ("9c 9d 9h As 7c 4d 2h", "As 7c"),
        ("Ac Ad Jk Ks 7c 4d 2h", "Ac Ks"),  # of three aces one goes with the highest card
        ("9c 9d 9h 4s 4c Kd 2h", "4s 4c"),
        ("9c 9d 9h 4s 4c 2d 2h", "4s 4c"),
        ("9c 9d 9h 4s 4c 4d 2h", "9c 9d"),
        ("5c 5d 5h 5s Kc Jd 2h", "Kc Jd"),
        ("9c 9d 9h 9s Qc Jd 2h", "9c 9d"),
        ("9c 9d 9h 9s Kc Jd 2h", "Kc Jd"),
        ("Jc Jd Jh Js Ac Kd 2h", "Jc Jd"),
        ("5c 5d 5h 5s 3c 3d 2h", "3c 3d"),
        ("5c 5d 5h 5s 3c 3d 3h", "3c 3d"),
        ("Ac Ad Ah As Jk Kd Kh", "Ac Ad"),
        ("9c Td Jh Qs Kc Ad 2h", "Ad 2h"),  # the straight that leaves the better two
        ("Ac Jc 8c 5c 3c Kd Qh", "Kd Qh"),
        ("Jk Kd Qh Js Tc 4d 4h", "4d 4h"),  # the joker completes a straight
        ("Jk Kd Qd 8d 5d 4c 2h", "4c 2h"),  # and a flush
    ],
)
def test_the_shipped_way_sets_seven_cards_by_the_first_rule_that_fits(seven: str, two: str) -> None:
    assert low(SHIPPED, seven) == two


def test_a_rule_holds_only_within_its_limits() -> None:
    house = way('holding = ["one_pair"]\nrank_from = "8"\nrank_to = "T"\nlow = "top_pair"')
    assert low(house, "8c 8d Ah Qs 9c 5d 2h") == "8c 8d"
    assert low(house, "7c 7d Ah Qs 9c 5d 2h") == "Qs 9c"
    assert low(house, "Jc Jd Ah Qs 9c 5d 2h") == "Qs Jc"


def test_a_rule_that_asks_for_cards_that_are_not_there_does_not_fit() -> None:
    house = way('low = "top_pair"', 'holding = ["three_pairs"]\nlow = "top_singles"')
    assert low(house, "Ac Kd 9h 7s 5c 3d 2h") == "Kd 9h"
    assert low(way('low = "top_singles"'), "8c 8d 7h 7s 6c 6d Ah") == "8c 8d"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "missing required field `rule`"),
        ("rule = []", "the last rule must fit any cards"),
        ('[[rule]]\nlow = "top_pair"', "the last rule must fit any cards"),
        ('[[rule]]\nlow = "second_third"\nrank_to = "K"', "the last rule must fit any cards"),
        ('[[rule]]\nlow = "best_left"\n' + LAST, "must say which hands"),
        ('[[rule]]\nlow = "luck"\n' + LAST, "Invalid enum value 'luck'"),
        ('[[rule]]\nlow = "top_pair"\nholding = ["six"]\n' + LAST, "Invalid enum value 'six'"),
        ('[[rule]]\nlow = "top_pair"\ncolour = "red"\n' + LAST, "unknown field `colour`"),
        ("[[rule", "end of an array"),
        ("a = " + "[" * 5000, ""),
    ],
)
def test_what_is_no_house_way_is_refused_with_what_is_wrong(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        parse_house_way(text)
    assert told in str(raised.value)


@pytest.mark.parametrize("seven", ["Ac Kd 9h 7s 5c 3d", "Ac Kd 9h 7s 5c 3d 2h 2c", "Ac Kd 9h 7s 5c 3d Xx"])
def test_what_are_not_seven_cards_cannot_be_set(seven: str) -> None:
    with pytest.raises(ValueError, match=r"not seven|is no card"):
        SHIPPED.set(seven.split())


def test_cards_of_one_rank_stand_for_each_other() -> None:
    high, two = ["9c", "9d", "Kc", "Jd", "2h"], ["9h", "9s"]
    house = way('holding = ["four_of_a_kind"]\nlow = "pair_of_most"')
    assert house.agrees(high, two)
    assert house.agrees(["9h", "9s", "Kc", "Jd", "2h"], ["9c", "9d"])
    assert not house.agrees(["9c", "9d", "9h", "9s", "2h"], ["Kc", "Jd"])


def test_the_same_two_cards_beside_another_five_are_not_the_same_setting() -> None:
    """Which of two nines goes to the hand of two decides whether the other five are a flush."""
    house = way('made = ["flush"]\nlow = "best_left"')
    seven = ["Ac", "Qc", "9c", "5c", "3c", "9d", "2h"]
    assert low(house, " ".join(seven)) == "9d 2h"
    assert house.agrees(["Ac", "Qc", "9c", "5c", "3c"], ["9d", "2h"])
    assert not house.agrees(["Ac", "Qc", "9d", "5c", "3c"], ["9c", "2h"])


@given(st.permutations(DECK), st.randoms(use_true_random=False))
def test_any_seven_cards_are_set_one_way_whatever_their_order(deck: list[str], rng: random.Random) -> None:
    seven = deck[:7]
    high, two = SHIPPED.set(seven)
    assert sorted([*high, *two]) == sorted(seven)
    assert (len(high), len(two)) == (5, 2)
    rng.shuffle(seven)
    again, other = SHIPPED.set(seven)
    assert (five_card_key(again), two_card_key(other)) == (five_card_key(high), two_card_key(two))
    assert SHIPPED.agrees(high, two)
    assert not is_foul(high, two)


@given(st.permutations(DECK))
def test_hands_set_in_another_way_do_not_agree(deck: list[str]) -> None:
    """Of all 21 settings those agree, and only those, that are worth as much as the right one."""
    seven = deck[:7]
    high, two = SHIPPED.set(seven)
    right = (five_card_key(high), two_card_key(two))
    for chosen in itertools.combinations(seven, 2):
        rest = [label for label in seven if label not in chosen]
        assert SHIPPED.agrees(rest, chosen) == ((five_card_key(rest), two_card_key(chosen)) == right)


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("Ac Kd Qh Js 9c", "2c 2d 3h 4s 5c"),
        ("Ac Ad Kh Qs Jc", "2c 2d 3h 3s 4c"),
        ("Ac Ad Kh Ks Jc", "2c 2d 2h 3s 4c"),
        ("Ac Ad Ah Ks Jc", "6c 2d 3h 4s 5c"),
        ("9c Td Jh Qs Kc", "Ac 2d 3h 4s 5c"),  # ace to five is the second highest straight
        ("Ac 2d 3h 4s 5c", "Tc Jd Qh Ks Ac"),
        ("Tc Jd Qh Ks Ac", "2c 3c 4c 5c 7c"),
        ("Kc Qc Jc 9c 8c", "2c 2d 2h 3s 3c"),
        ("Ac Ad Ah Ks Kc", "2c 2d 2h 2s 3c"),
        ("Ac Ad Ah As Kc", "2c 3c 4c 5c 6c"),
        ("Tc Jc Qc Kc Ac", "Ac Ad Ah As Jk"),
        ("Kc Kd Qh Js 9c", "Jk Ad 3h 4s 7c"),  # the joker is an ace
        ("Kc Kd Kh Js 9c", "Jk 5d 6h 7s 9c"),  # or fills a straight
        ("5c 6d 7h 8s 9c", "Jk 2c 4c 7c 9c"),  # or a flush
    ],
)
def test_hands_of_five_rank_as_the_game_says(lower: str, higher: str) -> None:
    assert five_card_key(lower.split()) < five_card_key(higher.split())


@pytest.mark.parametrize(
    ("high", "two", "foul"),
    [
        ("Qc Jd 9h 7s 5c", "Ac Kd", True),
        ("Ac Jd 9h 7s 5c", "Ad Kd", True),
        ("Ac Kd 9h 7s 5c", "Ad Kh", False),
        ("Ac Kd 9h 7s 5c", "2c 2d", True),
        ("8c 8d 9h 7s 5c", "8h 8s", False),
        ("8c 8d 9h 7s 5c", "9c 9d", True),
        ("8c 8d 7h 7s 5c", "Ac Ad", False),
        ("8c 8d 7h 9s 5c", "Ac Kd", False),
    ],
)
def test_a_hand_is_foul_when_the_two_outrank_the_five(high: str, two: str, foul: bool) -> None:
    assert is_foul(high.split(), two.split()) is foul
