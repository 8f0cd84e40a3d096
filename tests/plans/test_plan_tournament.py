"""News, blinds and rulings in plans: what is taken, and how a wrong entry is told."""

from pathlib import Path

import pytest

from bench.news import News
from bench.plan import load_plan
from evidence.errors import UsageError

HEAD = """
name = "p"
title = "P"
pack = "TDA-35"
[table]
game = "tournament_holdem"
cards_in_deck = 52
seated = ["seat/1", "seat/2", "seat/3"]
button = "seat/2"
"""
SCENARIO = """
[[scenario]]
id = "s"
title = "S"
covers = []
"""


def plan(folder: Path, scenario: str = "", table: str = "blinds = [100, 200]") -> Path:
    path = folder / "p.toml"
    path.write_text(f"{HEAD}{table}\n{SCENARIO}{scenario}", encoding="utf-8")
    return path


def test_a_tournament_has_blinds_and_no_wagers(tmp_path: Path) -> None:
    (scenario,) = load_plan(plan(tmp_path)).scenarios
    assert (scenario.table.blinds, scenario.wagers) == ([100, 200], [])


def test_a_scenario_may_play_another_game_with_other_inputs(tmp_path: Path) -> None:
    body = 'game = "tournament_draw"\ncards_in_deck = 36\nbutton = "seat/1"\ninputs = { rule = "replace" }'
    (scenario,) = load_plan(
        plan(tmp_path, body, 'blinds = [1, 2]\ninputs = { rule = "misdeal", other = "x" }')
    ).scenarios
    table = scenario.table
    assert (table.game, table.cards_in_deck, table.button) == ("tournament_draw", 36, "seat/1")
    assert {name: given.text for name, given in scenario.inputs.items()} == {"rule": "misdeal", "other": "x"}
    assert {name: given.text for name, given in scenario.own_inputs.items()} == {"rule": "replace"}


def test_news_are_taken_as_written(tmp_path: Path) -> None:
    body = (
        'news = [{ seat = "seat/4", state = "present", after = "misdeal" }, { blinds = [200, 400] }, { push = true }]'
    )
    (scenario,) = load_plan(plan(tmp_path, body)).scenarios
    assert scenario.news == [
        News(after="misdeal", seat="seat/4", state="present"),
        News(blinds=[200, 400]),
        News(push=True),
    ]


@pytest.mark.parametrize(
    ("news", "why"),
    [
        ("{ }", "exactly one of"),
        ('{ after = "misdeal" }', "exactly one of"),
        ('{ seat = "seat/4" }', "exactly one of"),
        ('{ state = "absent" }', "exactly one of"),
        ('{ push = true, exposes = "seat/1" }', "exactly one of"),
        ('{ seat = "seat/9", state = "absent" }', "'seat/9' is not a position"),
        ('{ exposes = "rack" }', "'rack' is not a position"),
        ("{ blinds = [400, 200] }", "small and the big blind"),
        ("{ blinds = [100] }", "small and the big blind"),
        ("{ push = true, nth = 0 }", "nth is 0"),
        ('{ seat = "seat/1", state = "asleep" }', "asleep"),
        ('{ seats = "seat/1" }', "seats"),
    ],
)
def test_news_that_make_no_sense_are_refused_with_their_place(tmp_path: Path, news: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as refused:
        load_plan(plan(tmp_path, f"news = [{{ push = true }}, {news}]"))
    assert str(tmp_path / "p.toml") in str(refused.value)


def test_too_many_news_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="51 news; expected at most 50"):
        load_plan(plan(tmp_path, f"news = [{', '.join(['{ push = true }'] * 51)}]"))


@pytest.mark.parametrize("blinds", ["[200, 100]", "[0, 0]", "[100]", "[100, 200, 300]"])
def test_blinds_of_a_table_are_a_small_and_a_big_one(tmp_path: Path, blinds: str) -> None:
    with pytest.raises(UsageError, match="small and the big blind"):
        load_plan(plan(tmp_path, table=f"blinds = {blinds}"))
