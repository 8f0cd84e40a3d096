"""A round without any irregularity, of both games, over a real WebSocket."""

from evidence.events import DiceSeen
from tests.software import pai_gow_table
from tests.software.scripted_table import table

WAGERS = [("seat/1", "main"), ("seat/4", "main")]


def test_pai_gow_poker_deals_seven_stacks_from_the_start_that_the_dice_name() -> None:
    # Total 9 with seven positions: dealer 1, seat/1 2, ... seat/6 7, dealer 8, seat/1 9.
    with pai_gow_table.table(dice=[DiceSeen(flat=3, leaning=0, outside=0, total=9)]) as bench:
        said = bench.open(wagers=WAGERS).ask("next_round")
    order = ["seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer"]
    stacks = [line for position in order for line in ("dispense group", f"deliver {position} down")]
    assert said == [
        "open_round",
        "shuffle shuffler device",
        "cut",
        "load_device",
        "announce no_more_bets",
        "roll_dice 3",
        "set_start seat/1",
        *stacks,
        "remove_remainder",
        "spread layout_centre",
        "collect layout_centre discard_rack down",
        "collect seat/2 discard_rack down",
        "collect seat/3 discard_rack down",
        "collect seat/5 discard_rack down",
        "collect seat/6 discard_rack down",
        "players_act",
        "turn_up dealer",
        "set_hands dealer layout_centre ['Ts', 'Js']",
        "show_hands",
        "settle all",
        "collect all discard_rack down",
        "close_round",
    ]


def test_winners_pot_deals_two_down_and_three_up_around_the_button() -> None:
    with table("winners_pot") as bench:
        bench.button = "seat/1"
        said = bench.open(seated=["seat/1", "seat/3", "seat/5"], told=()).ask("next_round")
    # The first button goes to seat/1, so seat/3 gets the first card; the dealer is last.
    order = ["seat/3", "seat/5", "seat/1", "dealer"]

    def turn(face: str) -> list[str]:
        return [line for position in order for line in ("dispense card", f"deliver {position} {face}")]

    street = ["burn 1", *turn("up"), "betting_round"]
    assert said == [
        "open_round",
        "move_button seat/1",
        "shuffle shuffler device",
        "cut",
        "load_device",
        "announce no_more_bets",
        *turn("down"),
        *turn("down"),
        "betting_round",
        *street,
        *street,
        *street,
        "show_hands",
        "settle main",
        "collect all discard_rack down",
        "close_round",
    ]
