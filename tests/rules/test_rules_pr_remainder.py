"""Pai Gow Poker from an automatic shoe, (E) and (F): who obeys, and who breaks that clause alone."""

from collections.abc import Sequence

import pytest

from rules.verdicts import Outcome
from tests.rules.pai_gow_script import PACK, PaiGow, only, with_remainder, wrong_pack, wrong_stack
from tests.rules.storytelling import failed, told

# --- E: the remainder ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [{"spread": False}, {"remove": False, "spread": False}])
def test_e0_remainder_not_spread_breaks_it(how: dict[str, bool]) -> None:
    s = with_remainder(**how)
    s.unwagered()
    s.finish()
    assert failed(told(s)) == {"E.0"}


def test_e0_spreading_after_the_players_have_acted_breaks_it() -> None:
    s = PaiGow()
    s.opening()
    s.deal()
    s.just("players_act")
    s.remainder()
    s.collect("layout_centre")
    s.unwagered()
    s.finish()
    assert "E.0" in failed(told(s))


def test_e1a_racking_them_face_up_breaks_it() -> None:
    s = with_remainder()
    s.collect("layout_centre", face="up")
    s.unwagered()
    s.finish()
    assert failed(told(s)) == {"E.1.a"}


def test_a_rack_that_was_told_in_part_leaves_open_how_its_cards_lie() -> None:
    s = with_remainder()
    s.in_part.add("discard_rack")
    s.collect("layout_centre")
    s.unwagered()
    s.finish()
    verdicts = told(s)
    assert {verdicts[one].verdict for one in ("E.1.a", "F")} == {Outcome.INCONCLUSIVE}


@pytest.mark.parametrize("stay", [True, False])
def test_e1b_remainder_left_on_the_layout_breaks_it(stay: bool) -> None:
    s = with_remainder()
    if stay:
        s.collect("layout_centre", stay=True)
    s.unwagered()
    s.just("players_act")
    s.just("settle", wager="main")
    s.just("close_round")
    assert failed(told(s)) == {"E.1.b"}


@pytest.mark.parametrize(("size", "alternative"), [(6, "more"), (8, "fewer")])
def test_e2a_stack_of_the_wrong_size_means_void_and_reshuffle(size: int, alternative: str) -> None:
    s = wrong_stack(size)
    s.just("void_round")
    s.reshuffle()
    s.just("close_round")
    verdicts = told(s)
    assert verdicts["E.2.0"].verdict is verdicts["E.2.a"].verdict is Outcome.PASS
    assert verdicts["E.2.0"].alternatives == verdicts["E.2.a"].alternatives == [alternative]
    assert {verdicts[one].verdict for one in ("E.1.a", "E.1.b", "E.2.b", "F")} == {Outcome.NOT_TRIGGERED}
    assert failed(verdicts) == set()


@pytest.mark.parametrize(("cards", "alternative"), [(52, "fewer"), (54, "more")])
def test_e2b_right_stacks_of_a_wrong_pack_mean_void_and_another_pack(cards: int, alternative: str) -> None:
    s = wrong_pack(cards)
    s.just("void_round")
    s.remove_deck()
    s.just("place_deck")
    s.just("close_round")
    verdicts = told(s)
    assert verdicts["E.2.0"].verdict is verdicts["E.2.b"].verdict is Outcome.PASS
    assert verdicts["E.2.b"].alternatives == [alternative]
    assert verdicts["E.2.a"].verdict is Outcome.NOT_TRIGGERED
    assert failed(verdicts) == set()


@pytest.mark.parametrize("size", [6, 8])
def test_e20_stacks_not_checked_break_it(size: int) -> None:
    s = PaiGow()
    s.armed("wrong_group_size", "shoe")
    s.opening()
    s.deal(sizes={3: size})
    s.proven("wrong_group_size", "shoe", "wrong_group_size", [s.records[-1].seq])
    s.remainder()
    s.just("void_round")
    s.reshuffle()
    assert failed(told(s)) == {"E.2.0"}


@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.parametrize(
    "steps",
    [("reshuffle",), ("void",), ("void", "part"), ("reshuffle", "void"), ("void", "remove"), ("play",),
     ("void", "reshuffle", "remove")],
)  # fmt: skip
def test_e2a_anything_else_breaks_it(size: int, steps: Sequence[str]) -> None:
    assert failed(told(only(wrong_stack(size), *steps))) == {"E.2.a"}


@pytest.mark.parametrize("cards", [52, 54])
@pytest.mark.parametrize("steps", [("remove",), ("void",), ("void", "reshuffle"), ("remove", "void"), ("play",)])
def test_e2b_anything_else_breaks_it(cards: int, steps: Sequence[str]) -> None:
    assert failed(told(only(wrong_pack(cards), *steps))) == {"E.2.b"}


def test_e2_wrong_stack_and_wrong_pack_follow_the_policy() -> None:
    s = wrong_stack(6, deck=52)  # the remainder is four: compensating faults do not trigger this paragraph
    assert told(only(s, "void"))["E.2.0"].verdict is Outcome.NOT_TRIGGERED
    s = only(wrong_stack(6, deck=54), "void", "remove")
    s.end()
    strict = s.verdicts()
    assert strict[f"{PACK}.E.2.b"].verdict is Outcome.PASS
    assert strict[f"{PACK}.E.2.a"].verdict is Outcome.NOT_TRIGGERED
    other = s.verdicts(wrong_stack_and_wrong_deck="reshuffle")
    assert other[f"{PACK}.E.2.a"].verdict is Outcome.FAIL
    assert other[f"{PACK}.E.2.b"].verdict is Outcome.NOT_TRIGGERED


def test_e2_right_stacks_of_a_right_pack_follow_the_policy() -> None:
    """Only seven stacks are on the table, all right, and yet the remainder is wrong: a card lies somewhere else."""
    s = PaiGow()
    s.opening()
    s.deal()
    s.left = 3
    s.remainder()
    s.check_stacks()
    only(s, "void")
    s.end()
    assert s.verdicts()[f"{PACK}.E.2.b"].verdict is Outcome.FAIL


# --- F: positions without a wager ------------------------------------------------------------------------------------


def test_f_a_stack_left_lying_breaks_it() -> None:
    s = with_remainder()
    s.collect("layout_centre")
    s.unwagered(but=["seat/5"])
    s.finish()
    assert failed(told(s)) == {"F"}


def test_f_a_stack_shown_breaks_it() -> None:
    s = with_remainder()
    s.collect("layout_centre")
    s.unwagered(face="up")
    s.finish()
    assert failed(told(s)) == {"F"}


def test_f_taking_a_stack_with_a_wager_breaks_it() -> None:
    s = with_remainder()
    s.collect("layout_centre")
    s.unwagered()
    s.collect("seat/1")
    s.finish()
    assert failed(told(s)) == {"F"}


def test_f_late_is_too_late_unless_the_policy_gives_the_round() -> None:
    s = with_remainder()
    s.collect("layout_centre")
    s.just("players_act")
    s.unwagered()
    s.finish()
    s.end()
    assert s.verdicts()[f"{PACK}.F"].verdict is Outcome.FAIL
    assert s.verdicts(unwagered_deadline="before_round_ends")[f"{PACK}.F"].verdict is Outcome.PASS


def test_f_an_order_is_not_enough_if_the_camera_sees_the_stack_lie_still() -> None:
    s = with_remainder()
    s.collect("layout_centre")
    s.unwagered(but=["seat/5"])
    s.collect("seat/5", stay=True)
    s.finish()
    verdicts = told(s)
    assert failed(verdicts) == {"F"}
