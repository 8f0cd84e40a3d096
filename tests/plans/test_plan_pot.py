"""Plans of games with a pot: antes instead of wagers, who sits out, and what players are told to do."""

from pathlib import Path

import pytest

from bench.plan import Scenario, load_plan
from bench.plan_entries import Move
from evidence.errors import UsageError

PLAN = """
name = "one"
title = "One scenario"
pack = "PR-POKER-IRR"

[table]
game = "seven_card_stud"
cards_in_deck = 52
seated = ["seat/1", "seat/2"]
ante_cents = 500
bet_cents = 1000

[[scenario]]
id = "a"
title = "A"
covers = []
"""


def scenario(folder: Path, more: str = "", plan: str = PLAN) -> Scenario:
    path = folder / "plan.toml"
    path.write_text(plan + more)
    return load_plan(path).scenarios[0]


def test_with_an_ante_no_wager_stands_by_itself(tmp_path: Path) -> None:
    assert scenario(tmp_path).wagers == []
    house = scenario(tmp_path, plan=PLAN.replace("ante_cents = 500\n", ""))
    assert [wager.position for wager in house.wagers] == ["seat/1", "seat/2"]


def test_players_sit_out_and_act_as_they_are_told(tmp_path: Path) -> None:
    more = 'sits_out = ["seat/2"]\nplay = [{ position = "seat/1", act = "raise", amount_cents = 3000 }]\n'
    told = scenario(tmp_path, more)
    assert told.sits_out == ["seat/2"]
    assert told.play == [Move("seat/1", "raise", 1, 3000)]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('sits_out = ["seat/3"]', "'seat/3' sits out or plays, and nobody is seated there"),
        ('play = [{ position = "seat/6", act = "fold" }]', "'seat/6' sits out or plays"),
        ('play = [{ position = "seat/1", act = "cheat" }]', "Invalid enum value 'cheat'"),
        ('play = [{ position = "seat/1", act = "bet", amount_cents = -1 }]', "an amount is from 0 to"),
        ('play = [{ position = "seat/1", act = "bet", amount_cents = 1000000000 }]', "an amount is from 0 to"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, more: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        scenario(tmp_path, more)
