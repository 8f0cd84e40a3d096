"""Blackjack, paragraphs 1 to 4: cards face up in the shoe, cards drawn in error, and a dealer who draws too far."""

import pytest

from rules.inputs import problem
from rules.verdicts import Outcome
from tests.rules.blackjack_script import HANDS, RULE, Blackjack
from tests.rules.storytelling import failed, told, triggered

SOFT = {**HANDS, "dealer": ["Ah", "6h"]}


def test_a_right_round_triggers_nothing() -> None:
    s = Blackjack()
    s.opening()
    s.rest()
    assert triggered(told(s)) == set()


# --- 1: a card face up in the shoe ---


def reversed_card() -> Blackjack:
    s = Blackjack(["1"])
    s.begin_round()
    s.turn()
    s.dispense(up=True)
    return s


def test_1_the_card_goes_to_the_rack_and_the_deal_goes_on() -> None:
    s = reversed_card()
    s.collect("shoe_mouth", verb="retire_card")
    s.turn()
    s.rest()
    verdicts = told(s)
    assert failed(verdicts) == set()
    assert verdicts["1"].verdict is Outcome.PASS


def test_1_the_card_may_not_be_dealt_nor_the_round_be_void() -> None:
    dealt = reversed_card()
    dealt.turn()
    dealt.rest()
    assert told(dealt)["1"].failed == ["card_retired"]
    void = reversed_card()
    void.collect("shoe_mouth", verb="retire_card")
    void.just("void_round")
    assert told(void)["1"].failed == ["deal_goes_on"]


# --- 2: drawn in error, not exposed ---


def stray(*, up: bool = False, hands: dict[str, list[str]] = HANDS, blind: bool = False) -> Blackjack:
    """Player 1 stands, and the dealer draws unasked."""
    s = Blackjack(["3.a" if up else "2"], hands=hands)
    s.opening()
    s.blind |= {"shoe_mouth"} if blind else set()
    order = s.order("offer_choice", position="seat/1", question="draw", choices=["stand"])
    s.draw(up=up)
    s.done(order, "offer_choice")
    return s


def test_2_the_card_is_the_next_one() -> None:
    s = stray()
    s.next_card()
    s.offer("seat/3", "draw", "hit")
    s.card("seat/3")
    s.rest()
    verdicts = told(s)
    assert verdicts["2"].verdict is Outcome.PASS
    assert failed(verdicts) == set()


def test_2_the_card_may_not_be_racked_nor_the_round_be_void() -> None:
    racked = stray()
    racked.collect("shoe_mouth", verb="retire_card")
    racked.rest()
    assert told(racked)["2"].failed == ["used_as_next"]
    void = stray()
    void.next_card()
    void.card("seat/3")
    void.just("void_round")
    assert told(void)["2"].failed == ["round_goes_on"]


def test_2_a_card_whose_face_nobody_could_see_leaves_no_verdict() -> None:
    s = stray(blind=True)
    s.next_card()
    s.rest()
    verdicts = told(s)
    assert {verdicts[clause].verdict for clause in ("2", "3.a")} == {Outcome.INCONCLUSIVE}


# --- 3: drawn in error and exposed ---


def test_3_a_player_may_take_the_exposed_card() -> None:
    s = stray(up=True)
    s.next_card()
    s.offer("seat/3", "exposed_card", "take")
    s.card("seat/3")
    s.rest()
    verdicts = told(s)
    assert verdicts["3.a"].verdict is Outcome.PASS
    assert failed(verdicts) == set()


def test_3_nobody_is_given_the_exposed_card_unasked() -> None:
    s = stray(up=True)
    s.next_card()
    s.card("seat/3")
    s.rest()
    assert told(s)["3.a"].failed == ["only_if_accepted"]


def test_3_a_yes_to_another_question_accepts_nothing() -> None:
    s = stray(up=True)
    s.next_card()
    s.offer("seat/3", "second_card", "take")
    s.card("seat/3")
    s.rest()
    assert told(s)["3.a"].failed == ["only_if_accepted"]


def test_3_the_exposed_card_goes_where_the_policy_says() -> None:
    s = stray(up=True)
    s.collect("shoe_mouth", verb="retire_card")
    s.rest()
    s.end()
    assert s.verdicts()["SD-BJ-28.3.a"].failed == ["next_or_retired"]
    assert s.verdicts(exposed_card_use="not_used")["SD-BJ-28.3.a"].verdict is Outcome.PASS


def test_3_a_card_exposed_in_the_opening_is_judged_only_by_policy() -> None:
    s = Blackjack()
    s.begin_round()
    s.turn()
    s.draw(up=True)
    s.collect("shoe_mouth", verb="retire_card")
    s.turn()
    s.rest()
    s.end()
    assert s.verdicts()["SD-BJ-28.3.a"].verdict is Outcome.NOT_TRIGGERED
    assert s.verdicts(exposed_in_opening="same_rule")["SD-BJ-28.3.a"].failed == ["next_or_retired"]


def refused(*, then: str) -> Blackjack:
    s = stray(up=True)
    s.next_card()
    s.offer("seat/3", "exposed_card", "decline")
    if then == "drew on":
        s.burn()
        s.offer("seat/3", "draw", "hit")
        s.card("seat/3")
    s.turn_up()
    if then == "burned":
        s.burn()
    elif then == "racked":
        s.collect("shoe_mouth", verb="retire_card")
    s.finish()
    return s


def test_3_who_refuses_the_card_draws_no_other_and_it_is_burned() -> None:
    right = told(refused(then="burned"))
    assert failed(right) == set()
    assert {right[clause].verdict for clause in ("3.a", "3.b", "3.c")} == {Outcome.PASS}
    assert failed(told(refused(then="drew on"))) == {"3.b"}
    assert failed(told(refused(then="racked"))) == {"3.a", "3.c"}
    assert failed(told(refused(then="left"))) == {"3.a", "3.c"}


def test_3_a_dealer_who_can_use_the_card_uses_it() -> None:
    s = stray(up=True, hands={**HANDS, "dealer": ["Th", "4h"]})
    s.next_card()
    s.offer("seat/3", "exposed_card", "decline")
    s.turn_up()
    s.card("dealer", "5s")
    s.finish()
    verdicts = told(s)
    assert verdicts["3.a"].verdict is Outcome.PASS
    assert verdicts["3.c"].verdict is Outcome.NOT_TRIGGERED
    assert failed(verdicts) == set()


# --- 4: the dealer draws on a hand to stand on ---


def overdrawn(hands: dict[str, list[str]] = HANDS, **session: object) -> Blackjack:
    s = Blackjack(["4"], hands=hands, **session)
    s.opening()
    s.stand()
    s.turn_up(then_draws=True)
    return s


def test_4_the_card_is_burned_and_counts_for_nothing() -> None:
    s = overdrawn()
    s.burn()
    s.finish()
    verdicts = told(s)
    assert verdicts["4"].verdict is Outcome.PASS
    assert triggered(verdicts) == {"4"}


def test_4_the_card_may_not_join_the_hand_nor_be_left() -> None:
    kept = overdrawn()
    kept.card("dealer")
    kept.finish()
    assert told(kept)["4"].failed == ["burned", "not_in_hand"]
    left = overdrawn()
    left.finish()
    assert told(left)["4"].failed == ["burned"]


def test_4_the_rack_will_do_only_by_policy() -> None:
    s = overdrawn()
    s.collect("shoe_mouth", verb="retire_card")
    s.finish()
    s.end()
    assert s.verdicts()["SD-BJ-28.4"].failed == ["burned"]
    assert s.verdicts(overdrawn_card="burned_or_racked")["SD-BJ-28.4"].verdict is Outcome.PASS


def test_4_on_a_soft_17_the_house_rule_decides() -> None:
    stands = overdrawn(SOFT)
    stands.burn()
    stands.finish()
    assert told(stands)["4"].verdict is Outcome.PASS
    draws = overdrawn(SOFT, inputs={"dealer_drawing_rule": "hit_soft_17"})
    draws.burn()
    draws.finish()
    assert told(draws)["4"].verdict is Outcome.NOT_TRIGGERED


@pytest.mark.parametrize("hands", [HANDS, SOFT])
def test_4_without_the_house_rule_there_is_no_pass(hands: dict[str, list[str]]) -> None:
    s = overdrawn(hands, inputs={})
    s.burn()
    s.finish()
    wanted = Outcome.NEEDS_OPERATOR_INPUT if hands is HANDS else Outcome.INCONCLUSIVE
    assert told(s)["4"].verdict is wanted


def test_4_a_hand_that_could_not_be_read_leaves_no_verdict() -> None:
    s = overdrawn({**HANDS, "dealer": ["Th", "??"]})
    s.burn()
    s.finish()
    assert told(s)["4"].verdict is Outcome.INCONCLUSIVE


def test_the_house_rule_of_the_tests_is_one_that_the_judge_knows() -> None:
    assert problem("dealer_drawing_rule", RULE["dealer_drawing_rule"]) == ""
    assert "expected one of stand_on_all_17, hit_soft_17" in problem("dealer_drawing_rule", "always")
