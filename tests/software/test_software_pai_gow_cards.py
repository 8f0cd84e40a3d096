"""Cards that come wrong from the shoe: face up, drawn in error, or too few or too many in a stack; and each defect."""

from collections.abc import Callable

import pytest

from evidence.events import CardsSeen, DealerDid, Directive
from tests.software.pai_gow_table import PaiGowTable, table
from tests.software.scripted_table import ScriptedTable, Slip

WAGERS = [("seat/1", "main"), ("seat/4", "main")]
VOIDED = ["void_round", "return_wagers round all", "reshuffle device all_cards"]


def dealt(*defects: str, setup: Callable[[PaiGowTable], object], inputs: dict[str, str] | None = None) -> list[str]:
    """From the first stack on."""
    with table(*defects) as bench:
        setup(bench)
        said = bench.open(wagers=WAGERS, inputs=inputs or {}).ask("next_round")
    return said[said.index("dispense group") :]


def face_up(*numbers: int) -> Callable[[PaiGowTable], object]:
    return lambda bench: bench.face_up_at(*numbers)


# --- face up in the shoe ---

RACKED = ["dispense group", "retire_card shoe_mouth discard_rack ['4c']"]


def test_one_card_face_up_goes_to_the_rack_and_the_next_one_takes_its_place() -> None:
    said = dealt(setup=face_up(3))
    assert said[:4] == [*RACKED, "dispense card", "deliver seat/1 down"]
    assert said[-1] == "close_round"


def test_one_card_face_up_ends_the_round_where_the_procedure_says_so() -> None:
    assert dealt(setup=face_up(3), inputs={"face_up_procedure": "void"}) == [*RACKED, *VOIDED]


@pytest.mark.parametrize("second", [4, 9, 45, 51])
def test_a_second_card_face_up_in_the_round_voids_all_hands(second: int) -> None:
    """In the same stack, in a later one, in the last one, among those that remain."""
    assert dealt(setup=face_up(3, second))[-3:] == VOIDED


def test_one_card_face_up_among_those_that_remain_goes_to_the_rack_with_them() -> None:
    said = dealt(setup=face_up(51))
    assert "collect layout_centre discard_rack down" in said
    assert said[-1] == "close_round"


def test_each_defect_of_a_card_face_up() -> None:
    assert dealt("face_up_card_used", setup=face_up(3))[1] == "deliver seat/1 down"
    elsewhere = dealt("face_up_card_not_racked", setup=face_up(3))
    assert elsewhere[1] == "retire_card shoe_mouth burn ['4c']"
    assert dealt("face_up_card_not_replaced", setup=face_up(3))[:3] == [*RACKED, "deliver seat/1 down"]
    assert dealt("face_up_card_voids_round", setup=face_up(3)) == [*RACKED, *VOIDED]
    assert dealt("face_up_counted_per_stack", setup=face_up(3, 9))[-1] == "close_round"
    assert dealt("faces_played_on", setup=face_up(3, 9))[-1] == "close_round"
    assert dealt("faces_hand_only", setup=face_up(3, 4))[1:3] == [
        "retire_card shoe_mouth discard_rack ['4c', '5c']", "deliver seat/1 down",
    ]  # fmt: skip


# --- drawn in error ---


def draws(up: bool = False) -> Callable[[PaiGowTable], object]:
    def drawn(bench: ScriptedTable, directive: Directive) -> None:
        """With the first stack delivered the dealer draws a card."""
        bench.carry_out(directive)
        bench.piles["shoe_mouth"].append(bench.piles["shoe"].pop(0))
        bench.piles["shoe_mouth"][-1].up = up
        bench.tell(DealerDid(act="draw"))
        bench.look("shoe_mouth")

    def setup(bench: PaiGowTable) -> None:
        bench.slip("deliver", 1, drawn)

    return setup


def test_a_card_drawn_in_error_is_the_next_one() -> None:
    said = dealt(setup=draws())
    assert said[2:10] == ["use_as_next_card shoe_mouth", *["dispense card"] * 6, "deliver seat/2 down"]
    assert said[-1] == "close_round"


def test_a_card_drawn_in_error_that_shows_its_face_counts_as_one_that_lay_face_up() -> None:
    assert dealt(setup=draws(up=True))[2] == "retire_card shoe_mouth ['9c']"


def test_each_defect_of_a_card_drawn_in_error() -> None:
    assert dealt("drawn_card_voids_round", setup=draws())[2:] == VOIDED
    assert dealt("drawn_card_discarded", setup=draws())[2] == "retire_card shoe_mouth discard_rack"
    assert dealt("drawn_card_burned", setup=draws())[2] == "retire_card shoe_mouth burn"


# --- a wrong number of cards ---


def sized(**sizes: int) -> Callable[[PaiGowTable], object]:
    return lambda bench: bench.sized(**sizes)


def test_stacks_of_eight_and_of_six_void_the_round_though_four_cards_remain() -> None:
    said = dealt(setup=sized(g2=8, g4=6))
    assert said[said.index("spread layout_centre") + 1 :] == ["collect layout_centre discard_rack down", *VOIDED]


def test_the_look_that_showed_the_wrong_number_is_the_cause() -> None:
    with table() as bench:
        bench.sized(g2=8, g4=6).open(wagers=WAGERS).ask("next_round")
        assert bench.cause("void_round") == CardsSeen(place="shoe_mouth", count=8, face_down=8)


def unseen(times: int) -> Callable[[PaiGowTable], object]:
    """The camera abstains at the second stack, and as many times when the stacks are spread."""

    def at_mouth(bench: ScriptedTable, _: Directive) -> None:
        bench.dispense(7)
        bench.look("shoe_mouth", abstain=True)

    def at_table(bench: ScriptedTable, _: Directive) -> None:
        bench.look("seat/2", abstain=True)

    def setup(bench: PaiGowTable) -> None:
        bench.slip("dispense", 2, at_mouth)
        for nth in range(1, times + 1):
            bench.slip("check_stacks", nth, at_table)

    return setup


def test_a_stack_that_the_camera_could_not_count_is_spread_and_never_guessed() -> None:
    said = dealt(setup=unseen(0))
    assert said.count("check_stacks") == 1
    assert said[-1] == "close_round"
    assert dealt(setup=unseen(1)).count("check_stacks") == 2
    assert dealt(setup=unseen(9))[-1] == "hold"


def test_each_defect_of_a_wrong_number_of_cards() -> None:
    evens = sized(g2=8, g4=6)
    assert dealt("count_played_on", setup=evens)[-1] == "close_round"
    assert dealt("group_count_trusted", setup=claiming_seven)[-1] == "close_round"
    hand_only = dealt("count_hand_only", setup=evens)
    assert [line for line in hand_only if line.startswith("void_")] == ["void_hand seat/2", "void_hand seat/4"]
    assert "collect seat/2 seat/4 1" in dealt("count_mended", setup=evens)


def claiming_seven(bench: PaiGowTable) -> None:
    """Stacks of eight and of six that the shoe calls sevens."""

    def lying(size: int) -> Slip:
        def slip(bench: ScriptedTable, _: Directive) -> None:
            pile = bench.piles["shoe"]
            bench.piles["shoe_mouth"], bench.piles["shoe"] = pile[:size], pile[size:]
            bench.look("shoe_mouth")

        return slip

    bench.slip("dispense", 2, lying(8)).slip("dispense", 4, lying(6))


def test_a_shoe_that_calls_wrong_stacks_sevens_is_not_believed() -> None:
    assert dealt(setup=claiming_seven)[-3:] == VOIDED
