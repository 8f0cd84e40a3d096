"""How the software sets seven cards, and that it and the judge understand the house way alike, each in its own code."""

import random

import pytest

from bench.emulators.table_software.games.pai_gow.house_way import HouseWay, is_foul
from rules import poker_hands
from rules.house_way import parse_house_way
from tests.software.pai_gow_table import HOUSE_WAY
from tests.software.scripted_table import PACK_53

SOFTWARE = HouseWay(HOUSE_WAY)
JUDGE = parse_house_way(HOUSE_WAY)


@pytest.mark.parametrize(
    ("seven", "two"),
    [
        ("Ac Kd Jh 9s 7c 5d 2h", "Kd Jh"),
        ("Ac Ad Jh 9s 7c 5d 2h", "Jh 9s"),
        ("Ac Ad Kh Ks 7c 5d 2h", "Kh Ks"),
        ("Ac Ad Ah Ks 7c 5d 2h", "Ah Ks"),
        ("9c 9d 9h 9s 2c 2d 3h", "2c 2d"),
        ("Ac Ad Ah As Jk 3d 2h", "Ac Ad"),
    ],
)
def test_seven_cards_are_set_as_the_shipped_way_says(seven: str, two: str) -> None:
    low = SOFTWARE.low(seven.split())
    assert {card[0] for card in low} == {card[0] for card in two.split()}
    assert not is_foul([card for card in seven.split() if card not in low], low)


def test_software_and_judge_set_alike() -> None:
    chance = random.Random(7)
    for _ in range(3000):
        seven = chance.sample(PACK_53, 7)
        low = SOFTWARE.low(seven)
        assert JUDGE.agrees([card for card in seven if card not in low], low), seven


def test_software_and_judge_call_the_same_hands_foul() -> None:
    chance = random.Random(8)
    for _ in range(3000):
        seven = chance.sample(PACK_53, 7)
        assert is_foul(seven[:5], seven[5:]) == poker_hands.is_foul(seven[:5], seven[5:]), seven


def test_seven_cards_that_were_not_all_read_are_not_set() -> None:
    assert SOFTWARE.low(["Ac", "Kd", "Jh", "9s", "7c", "5d"]) == []
