"""Dice and the first stack of Pai Gow Poker, and each defect of theirs against the compliant run."""

import pytest

from evidence.events import CardsSeen, DealerDid, DiceSeen, Directive
from tests.software.pai_gow_table import PaiGowTable, table
from tests.software.scripted_table import ScriptedTable, Slip

LEANING = DiceSeen(flat=2, leaning=1, outside=0, total=None)
FLAT = DiceSeen(flat=3, leaning=0, outside=0, total=9)
VOIDED = ["void_round", "return_wagers round all", "reshuffle device all_cards"]


def rolls(*defects: str, dice: tuple[DiceSeen, ...] = (LEANING, FLAT)) -> list[str]:
    """From the first roll of the dice to the first stack."""
    with table(*defects, dice=dice) as bench:
        said = bench.open().ask("next_round")
    return said[said.index("announce no_more_bets") + 1 : said.index("dispense group")]


def test_a_spoiled_roll_is_announced_as_none_and_shaken_again() -> None:
    assert rolls() == ["roll_dice 3", "announce no_roll", "roll_dice 3", "set_start seat/1"]
    outside = DiceSeen(flat=2, leaning=0, outside=1, total=None)
    assert rolls(dice=(outside, FLAT)) == rolls()


@pytest.mark.parametrize(
    ("defect", "said"),
    [
        ("no_roll_not_announced", ["roll_dice 3", "roll_dice 3", "set_start seat/1"]),
        ("no_roll_announced_late", ["roll_dice 3", "roll_dice 3", "announce no_roll", "set_start seat/1"]),
        ("spoiled_roll_used", ["roll_dice 3", "announce no_roll", "set_start seat/1"]),
        ("shaken_once", ["roll_dice 1", "announce no_roll", "roll_dice 1", "set_start seat/1"]),
        ("second_spoiled_roll_used", rolls()),
    ],
)
def test_each_defect_at_a_spoiled_roll(defect: str, said: list[str]) -> None:
    assert rolls(defect) == said


def test_a_second_spoiled_roll_is_used_by_defective_software_only() -> None:
    spoiled = (LEANING, LEANING, FLAT)
    again = ["roll_dice 3", "announce no_roll"]
    assert rolls(dice=spoiled) == [*again, *again, "roll_dice 3", "set_start seat/1"]
    assert rolls("second_spoiled_roll_used", dice=spoiled) == [*again, *again, "set_start seat/1"]


def test_dice_that_nobody_could_read_are_shaken_again_without_being_called_spoiled() -> None:
    unread = DiceSeen(flat=0, leaning=0, outside=0, total=None)
    assert rolls(dice=(unread, FLAT)) == ["roll_dice 3", "hold", "roll_dice 3", "set_start seat/1"]


def calls(total: int) -> Slip:
    def called(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        bench.tell(DealerDid(act="call_total", count=total, directive=directive.id))

    return called


def misplaced(*defects: str, total: int = 9, to: str = "seat/2") -> tuple[list[str], PaiGowTable]:
    """What is said once the first stack lies at `to` instead of seat 1; the dealer called `total`, the dice show 9."""
    with table(*defects) as bench:
        bench.slip("roll_dice", 1, calls(total))
        said = bench.to(to).open().ask("next_round")
    return said[said.index("dispense group") + 1 :], bench


def test_a_first_stack_at_the_wrong_position_makes_all_hands_dead() -> None:
    said, bench = misplaced()
    assert said == ["deliver seat/1 down", "announce dead", *VOIDED]
    assert bench.cause("void_round") == CardsSeen(place="seat/1", count=0, face_down=0)
    said, bench = misplaced(total=10)
    assert said == ["deliver seat/1 down", "announce dead", *VOIDED]
    assert isinstance(cause := bench.cause("void_round"), DealerDid)
    assert cause.act == "call_total"


def test_a_dealers_wrong_total_that_sent_nothing_astray_changes_nothing() -> None:
    with table() as bench:
        said = bench.slip("roll_dice", 1, calls(10)).open().ask("next_round")
    assert "set_start seat/1" in said
    assert said[-1] == "close_round"


def test_each_defect_at_a_misplaced_first_stack() -> None:
    said, _ = misplaced("dead_not_pronounced")
    assert said == ["deliver seat/1 down", *VOIDED]
    said, _ = misplaced("misplaced_moved")
    assert said[1] == "collect seat/2 seat/1"
    assert "void_round" not in said
    said, _ = misplaced("misplaced_hand_only")
    assert said[1:3] == ["announce dead", "dead_hand seat/2"]
    assert "void_round" not in said
    said, _ = misplaced("misplaced_played_on")
    assert said[1:3] == ["dispense group", "deliver seat/2 down"]


def test_the_total_that_the_dealer_called_is_believed_by_defective_software_only() -> None:
    with table("dealer_total_trusted") as bench:
        said = bench.slip("roll_dice", 1, calls(10)).open().ask("next_round")
    assert "set_start seat/2" in said
