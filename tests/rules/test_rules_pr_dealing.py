"""Pai Gow Poker from an automatic shoe, (A) to (D): who obeys, and who breaks that clause alone."""

from collections.abc import Sequence

import pytest

from evidence.events import ApprovalRecord
from rules.verdicts import Outcome, Verdict
from tests.rules.pai_gow_script import PACK, SEATED, START, PaiGow, clockwise, only, wrong_stack
from tests.rules.storytelling import failed, told


def test_a_proper_round_passes_every_clause_it_triggers() -> None:
    s = PaiGow(additional="seat/1")
    s.ready()
    s.announce("no_more_bets")
    s.dice()
    s.just("set_start", position=START)
    s.just("settle", wager="additional")
    s.deal()
    s.after()
    verdicts = told(s)
    passed = {clause for clause, verdict in verdicts.items() if verdict.verdict is Outcome.PASS}
    assert passed == {"A.1", "A.2", "B.1", "B.2", "C.1", "C.2", "D.1", "D.2", "D.3", "E.0", "E.1.a", "E.1.b", "F"}
    assert {verdicts[one].verdict for one in ("E.2.0", "E.2.a", "E.2.b")} == {Outcome.NOT_TRIGGERED}
    assert verdicts["A.2"].alternatives == ["approved"]


# --- A: the shoe -----------------------------------------------------------------------------------------------------


def test_a1_a_shoe_set_to_another_size_breaks_it() -> None:
    s = PaiGow(group_size=6)
    s.proper()
    assert failed(told(s)) == {"A.1"}


def test_a1_a_shoe_that_claims_another_size_breaks_it() -> None:
    s = PaiGow()
    s.opening()
    for nth, position in enumerate(clockwise()):
        s.dispense(claims=6 if nth == 2 else 7)
        s.deliver(position)
    s.after()
    assert failed(told(s)) == {"A.1"}


def test_a1_a_shoe_that_claims_seven_while_the_camera_counts_six_breaks_it() -> None:
    s = PaiGow()
    s.opening()
    s.deal(sizes={3: 6, 5: 8})  # the remainder is four all the same
    s.after()
    assert failed(told(s)) == {"A.1"}


def test_a1_stacks_of_the_wrong_size_are_excused_when_they_were_injected() -> None:
    s = wrong_stack(6)
    verdict = told(s)["A.1"]
    assert verdict.verdict is Outcome.NOT_APPLICABLE
    assert "wrong_group_size" in verdict.reason


def test_a1_stacks_of_the_wrong_size_are_not_excused_by_another_injection() -> None:
    s = only(wrong_stack(6, fault="card_stuck_on_exit"), "void", "reshuffle")
    assert failed(told(s)) == {"A.1"}


def test_a1_the_word_of_the_shoe_is_enough_only_if_the_policy_says_so() -> None:
    s = PaiGow()
    s.opening()
    for position in clockwise():
        s.dispense(squared=True)
        s.deliver(position)
    s.after()
    s.end()
    clause = f"{PACK}.A.1"
    assert s.verdicts()[clause].verdict is Outcome.INCONCLUSIVE
    assert s.verdicts(stack_size_evidence="device")[clause].verdict is Outcome.PASS


def test_a2_using_a_shoe_without_approval_breaks_it() -> None:
    s = PaiGow(approved=False)
    s.proper()
    verdicts = told(s)
    assert failed(verdicts) == {"A.2"}
    assert verdicts["A.2"].alternatives == ["unapproved"]


def test_a2_refusing_a_shoe_without_approval_meets_it() -> None:
    s = PaiGow(approved=False)
    s.ask("next_round")
    s.just("refuse", request="next_round")
    verdicts = told(s)
    assert verdicts["A.2"].verdict is Outcome.PASS
    assert verdicts["A.2"].alternatives == ["unapproved"]


def test_a2_a_shoe_with_other_firmware_than_the_approved_breaks_it() -> None:
    s = PaiGow(approved=False)
    s.put(
        ApprovalRecord(
            device="shoe", maker="M", model="X", firmware_sha256="cd" * 32, location="pit 1", procedure="P 7"
        )
    )
    s.proper()
    verdicts = told(s)
    assert failed(verdicts) == {"A.2"}
    assert "firmware is not the one approved" in verdicts["A.2"].reason


# --- B: preparation --------------------------------------------------------------------------------------------------


def prepared(s: PaiGow) -> PaiGow:
    s.announce("no_more_bets")
    s.dice()
    s.just("set_start", position=START)
    s.deal()
    s.after()
    return s


def test_b1_loading_before_the_cut_breaks_it() -> None:
    s = PaiGow()
    s.ready(cut=False)
    s.cut()
    verdicts = told(prepared(s))
    assert failed(verdicts) == {"B.1"}


def test_b1_loading_without_a_shuffle_breaks_it() -> None:
    s = PaiGow()
    s.ready(shuffle=False)
    assert failed(told(prepared(s))) == {"B.1"}


def test_b1_cutting_before_the_shuffle_breaks_it() -> None:
    s = PaiGow()
    s.ready(shuffle=False, cut=False, load=False)
    s.cut()
    s.shuffle()
    s.load_shoe()
    assert failed(told(prepared(s))) == {"B.1"}


def test_b1_a_shuffle_of_the_round_before_does_not_count() -> None:
    s = PaiGow()
    s.proper()
    s.ready(shuffle=False, cut=False)
    prepared(s)
    assert failed(told(s)) == {"B.1"}


def test_b1_the_cut_is_not_looked_for_if_the_policy_says_so() -> None:
    s = PaiGow()
    s.ready(cut=False)
    prepared(s)
    assert told(s, preparation="shuffle_only")["B.1"].verdict is Outcome.PASS


def test_b2_an_announcement_after_the_first_stack_breaks_it() -> None:
    s = PaiGow()
    s.ready()
    s.dispense()
    s.announce("no_more_bets")
    s.dice()
    s.just("set_start", position=START)
    first, *others = clockwise()
    s.deliver(first)
    s.deal(others)
    # The seventh delivery completes the deal all the same.
    s.after()
    assert failed(told(s)) == {"B.2"}


def test_b2_no_announcement_breaks_it() -> None:
    s = PaiGow()
    s.ready()
    s.dice()
    s.just("set_start", position=START)
    s.deal()
    s.after()
    assert failed(told(s)) == {"B.2"}


def test_b2_the_announcement_of_the_round_before_does_not_count() -> None:
    s = PaiGow()
    s.proper()
    s.ready()
    s.dice()
    s.just("set_start", position=START)
    s.deal()
    s.after()
    assert failed(told(s)) == {"B.2"}


def test_b2_a_shoe_that_dispenses_as_soon_as_it_is_loaded_breaks_it_though_it_says_nothing() -> None:
    s = PaiGow()
    s.ready(load=False)
    order = s.order("load_device", device="shoe")
    s.act("load", order, device="shoe")
    s.command("shoe", "load")
    s.held["shoe_mouth"] = 7
    s.look("shoe_mouth", stacked=True)
    s.done(order, "load_device")
    s.announce("no_more_bets")
    verdicts = told(s)
    assert failed(verdicts) == {"B.2"}


# --- C: start and additional wagers ----------------------------------------------------------------------------------


def test_c1_no_dice_breaks_it_unless_the_policy_accepts_any_way() -> None:
    s = PaiGow()
    s.ready()
    s.announce("no_more_bets")
    s.just("set_start", position=START)
    s.deal()
    s.after()
    s.end()
    assert {clause for clause, one in s.verdicts().items() if one.verdict is Outcome.FAIL} == {f"{PACK}.C.1"}
    assert s.verdicts(start_procedure="any")[f"{PACK}.C.1"].verdict is Outcome.PASS


def test_c1_a_leaning_die_is_no_throw() -> None:
    s = PaiGow()
    s.ready()
    s.announce("no_more_bets")
    s.dice(leaning=1, total=None)
    s.just("set_start", position=START)
    s.deal()
    s.after()
    assert failed(told(s)) == {"C.1"}


def test_c1_start_fixed_after_the_first_delivery_breaks_it() -> None:
    s = PaiGow()
    s.ready()
    s.announce("no_more_bets")
    s.dice()
    first, *others = clockwise()
    s.dispense()
    s.deliver(first)
    s.just("set_start", position=START)
    s.deal(others)
    s.after()
    verdicts = told(s)
    assert failed(verdicts) == {"C.1"}
    assert verdicts["D.1"].verdict is Outcome.INCONCLUSIVE  # where the first stack belonged was not known then


def test_c1_start_fixed_before_betting_was_closed_breaks_it() -> None:
    s = PaiGow()
    s.ready()
    s.dice()
    s.just("set_start", position=START)
    s.announce("no_more_bets")
    s.deal()
    s.after()
    assert failed(told(s)) == {"C.1"}


def test_c1_start_between_dispensing_and_delivery_depends_on_the_policy() -> None:
    s = PaiGow()
    s.ready()
    s.announce("no_more_bets")
    s.dispense()
    s.dice()
    s.just("set_start", position=START)
    first, *others = clockwise()
    s.deliver(first)
    s.deal(others)
    s.after()
    s.end()
    assert s.verdicts()[f"{PACK}.C.1"].verdict is Outcome.PASS
    assert s.verdicts(start_deadline="before_dispensing")[f"{PACK}.C.1"].verdict is Outcome.FAIL


@pytest.mark.parametrize("when", ["after dispensing", "after delivery", "never"])
def test_c2_additional_wagers_settled_late_break_it(when: str) -> None:
    s = PaiGow(additional="seat/1")
    s.opening()
    first, *others = clockwise()
    s.dispense()
    if when == "after dispensing":
        s.just("settle", wager="additional")
    s.deliver(first)
    if when == "after delivery":
        s.just("settle", wager="additional")
    s.deal(others)
    s.after()
    s.end()
    assert s.verdicts(additional_deadline="before_dispensing")[f"{PACK}.C.2"].verdict is Outcome.FAIL
    lenient = Outcome.PASS if when == "after dispensing" else Outcome.FAIL
    assert s.verdicts()[f"{PACK}.C.2"].verdict is lenient


def test_c2_one_of_two_additional_wagers_is_not_all() -> None:
    s = PaiGow(additional="seat/1")
    s.wager("seat/2", "additional")
    s.opening()
    s.just("settle", wager="additional", position="seat/1")
    s.deal()
    s.after()
    assert failed(told(s)) == {"C.2"}


# --- D: delivery -----------------------------------------------------------------------------------------------------


def dealt(order: Sequence[str]) -> dict[str, Verdict]:
    s = PaiGow()
    s.opening()
    s.deal(order)
    s.after()
    return told(s)


def test_d1_first_stack_elsewhere_breaks_it() -> None:
    assert failed(dealt(clockwise("seat/5"))) == {"D.1"}


def test_d2_reversed_order_breaks_it() -> None:
    first, *others = clockwise()
    assert failed(dealt([first, *reversed(others)])) == {"D.2"}


def test_d2_positions_without_a_wager_are_positions() -> None:
    s = PaiGow()
    s.opening()
    s.deal([place for place in clockwise() if place in (*SEATED, START, "dealer")])
    s.remainder()
    assert failed(told(s)) == {"D.2"}


def test_d2_the_last_position_left_out_breaks_it() -> None:
    s = PaiGow()
    s.opening()
    s.deal(clockwise()[:-1])
    s.just("players_act")
    s.just("close_round")
    verdicts = told(s)
    assert failed(verdicts) == {"D.2"}
    assert verdicts["E.0"].verdict is Outcome.NOT_TRIGGERED


def test_d3_a_visible_face_breaks_it() -> None:
    s = PaiGow()
    s.opening()
    s.deal(up="seat/2")
    s.after()
    assert failed(told(s)) == {"D.3"}


def test_d3_a_card_reversed_on_purpose_is_excused_unless_the_policy_is_strict() -> None:
    s = PaiGow()
    s.armed("card_face_up", "pack")
    s.opening()
    s.deal(up="seat/2")
    s.proven("card_face_up", "pack", "face_up", [s.records[-1].seq])
    s.after()
    s.end()
    assert s.verdicts()[f"{PACK}.D.3"].verdict is Outcome.PASS  # the six others were shown face down
    assert s.verdicts(face_of_inner_cards="strict")[f"{PACK}.D.3"].verdict is Outcome.FAIL


def test_c2_an_additional_wager_given_back_because_no_stack_comes_breaks_nothing() -> None:
    s = PaiGow(additional="seat/1")
    s.opening()
    s.just("void_round")
    s.just("return_wagers", scope="round", wager="all")
    s.end()
    assert "C.2" not in failed(told(s))
