"""Blackjack, paragraphs 5 to 9: hands passed over, and a shoe that runs out in the middle of a round."""

import pytest

from rules.verdicts import Outcome
from tests.rules.blackjack_script import SEATED, Blackjack
from tests.rules.storytelling import failed, told, triggered

PASS, FAIL, DOUBT, IDLE = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_TRIGGERED


def forgetting(*left: tuple[str, int], covers: str = "", seated: list[str] = SEATED) -> Blackjack:
    """The opening deal, in which the dealer forgets these cards."""
    s = Blackjack([covers] if covers else [], seated=seated)
    s.left = set(left)
    s.opening()
    return s


# --- 5: the dealer's own hand ---


@pytest.mark.parametrize("nth", [1, 2])
def test_5_the_dealer_is_served_last_and_before_anybody_draws(nth: int) -> None:
    s = forgetting(("dealer", nth))
    s.card("dealer")
    s.rest()
    verdicts = told(s)
    assert failed(verdicts) == set()
    assert verdicts["5.b"].verdict is PASS
    assert verdicts["5.b"].alternatives == [{1: "first", 2: "second"}[nth]]
    assert verdicts["5.a"].verdict is (PASS if nth == 1 else IDLE)


def test_5_the_dealer_may_not_be_served_before_the_players() -> None:
    s = Blackjack()
    s.left = {("dealer", 1)}
    s.begin_round()
    s.turn()
    s.card("dealer")
    s.turn()
    s.rest()
    verdicts = told(s)
    assert failed(verdicts) == {"5.a"}
    assert verdicts["5.b"].verdict is PASS


@pytest.mark.parametrize("late", [False, True])
def test_5_the_dealer_may_not_be_left_short_while_players_draw(late: bool) -> None:
    s = forgetting(("dealer", 2))
    s.stand()
    if late:
        s.card("dealer")
    s.turn_up()
    s.finish()
    assert failed(told(s)) == {"5.b"}


def test_5_a_hand_that_could_not_be_counted_leaves_no_verdict() -> None:
    s = Blackjack()
    s.blind = {"dealer"}
    s.opening()
    s.rest()
    verdicts = told(s)
    assert {verdicts[clause].verdict for clause in ("5.a", "5.b")} == {DOUBT}
    assert failed(verdicts) == set()


# --- 6: a shoe that runs out ---


def short() -> Blackjack:
    s = Blackjack(["6.a"])
    s.opening()
    s.offer("seat/1", "draw", "hit")
    s.dispense(comes=False)
    return s


def refilled(*, cut: bool = True, burn: bool = True, left: bool = False) -> Blackjack:
    s = short()
    s.discards(left=left)
    if cut:
        s.cut()
    s.load_shoe()
    if burn:
        s.burn()
    s.card("seat/1")
    return s


def test_6_the_discards_are_shuffled_cut_and_the_round_completed() -> None:
    s = refilled()
    s.rest()
    verdicts = told(s)
    assert {verdicts[clause].verdict for clause in ("6.a", "6.b", "6.c")} == {PASS}
    assert triggered(verdicts) == {"6.a", "6.b", "6.c"}


@pytest.mark.parametrize(
    ("how", "broken"),
    [({"cut": False}, "6.a"), ({"burn": False}, "6.b"), ({"left": True}, "6.a")],
)
def test_6_no_step_may_be_left_out(how: dict[str, bool], broken: str) -> None:
    s = refilled(**how)
    s.rest()
    assert failed(told(s)) == {broken}


def test_6_without_a_cut_it_is_right_only_by_policy() -> None:
    s = refilled(cut=False)
    s.rest()
    s.end()
    assert s.verdicts(discards_cut="shuffle_suffices")["SD-BJ-28.6.a"].verdict is PASS


def test_6_the_round_may_be_neither_void_nor_unsettled() -> None:
    unsettled = refilled()
    unsettled.stand()
    unsettled.turn_up()
    unsettled.finish(settle=False)
    assert told(unsettled)["6.c"].failed == ["settled"]
    void = refilled()
    void.just("void_round")
    void.rest()
    assert told(void)["6.c"].failed == ["not_void"]


def test_6_the_hands_stay_where_they_lie() -> None:
    s = refilled()
    s.stand()
    s.turn_up()
    s.reshuffle()
    s.finish()
    assert told(s)["6.a"].failed == ["hands_untouched"]


def test_6_all_cards_may_be_shuffled_once_the_wagers_are_settled() -> None:
    s = refilled()
    s.rest()
    s.reshuffle()
    assert failed(told(s)) == set()


def test_6_a_shoe_that_jams_has_not_run_out() -> None:
    s = Blackjack(["11:jam"])
    s.opening()
    s.fault("shoe", "jam")
    s.just("void_round")
    verdicts = told(s)
    assert {verdicts[clause].verdict for clause in ("6.a", "6.b", "6.c")} == {IDLE}


# --- 7: a player without a card ---


def nothing(*, left_out: bool = False, hand: str = "dead", returned: bool = True) -> Blackjack:
    """A round in which player 1 gets no card, and the next one."""
    s = forgetting(("seat/1", 1), ("seat/1", 2))
    if hand == "dead":
        s.dead("seat/1", returned=returned)
    elif hand == "filled":
        s.left = set()
        s.card("seat/1")
        s.card("seat/1")
    s.stand("seat/3")
    s.turn_up()
    s.finish()
    s.left = set()
    if left_out:
        s.order_of_dealing = ["seat/3", "dealer"]
    s.opening()
    s.stand("seat/3")
    s.turn_up()
    s.finish()
    return s


def test_7_the_hand_is_dead_and_its_player_dealt_in_again() -> None:
    verdicts = told(nothing())
    assert triggered(verdicts) == {"7.a", "7.b"}
    assert failed(verdicts) == set()


def test_7_the_hand_may_not_be_filled_nor_played() -> None:
    assert told(nothing(hand="filled"))["7.a"].failed == ["hand_dead", "wager_returned"]
    assert told(nothing(hand="ignored"))["7.a"].failed == ["hand_dead", "wager_returned"]


def test_7_the_wager_goes_back_unless_the_policy_lets_it_stay() -> None:
    s = nothing(returned=False)
    s.end()
    assert s.verdicts()["SD-BJ-28.7.a"].failed == ["wager_returned"]
    assert s.verdicts(wager_without_cards="stays")["SD-BJ-28.7.a"].verdict is PASS


def test_7_the_wager_goes_back_once() -> None:
    s = forgetting(("seat/1", 1), ("seat/1", 2))
    s.dead("seat/1")
    s.just("return_wagers", position="seat/1", scope="hand", wager="main")
    s.stand("seat/3")
    s.turn_up()
    s.finish()
    assert told(s)["7.a"].failed == ["wager_returned"]


def test_7_the_player_may_not_be_left_out_again() -> None:
    assert told(nothing(left_out=True))["7.b"].verdict is FAIL


# --- 8: a player with one card ---


@pytest.mark.parametrize("nth", [1, 2])
def test_8_the_second_card_follows_when_all_others_have_theirs(nth: int) -> None:
    s = forgetting(("seat/1", nth))
    s.offer("seat/1", "second_card", "take")
    s.card("seat/1")
    s.rest()
    verdicts = told(s)
    assert {verdicts[clause].verdict for clause in ("8.a", "8.b")} == {PASS}
    assert triggered(verdicts) == {"8.a", "8.b"}


def test_8_a_hand_that_is_given_up_is_dead_and_its_wager_returned() -> None:
    s = forgetting(("seat/1", 1))
    s.offer("seat/1", "second_card", "dead")
    s.dead("seat/1")
    s.stand("seat/3")
    s.turn_up()
    s.finish()
    verdicts = told(s)
    assert triggered(verdicts) == {"8.a", "8.c"}
    assert failed(verdicts) == set()


def test_8_the_player_is_asked_before_anything_else() -> None:
    dead = forgetting(("seat/1", 1))
    dead.dead("seat/1")
    dead.rest()
    assert failed(told(dead)) == {"8.a"}
    drawing = forgetting(("seat/1", 1))
    drawing.stand("seat/3")
    drawing.offer("seat/1", "second_card", "take")
    drawing.card("seat/1")
    drawing.stand("seat/1")
    drawing.turn_up()
    drawing.finish()
    assert failed(told(drawing)) == {"8.a"}


def test_8_what_the_player_chose_is_done() -> None:
    short_hand = forgetting(("seat/1", 1))
    short_hand.offer("seat/1", "second_card", "take")
    short_hand.rest()
    assert failed(told(short_hand)) == {"8.b"}
    kept = forgetting(("seat/1", 1))
    kept.offer("seat/1", "second_card", "dead")
    kept.dead("seat/1", returned=False)
    kept.rest()
    kept.end()
    assert kept.verdicts()["SD-BJ-28.8.c"].failed == ["wager_returned"]
    assert kept.verdicts(one_card_given_up="dead")["SD-BJ-28.8.c"].verdict is PASS


# --- 9: a card that was asked for and did not come ---


def missed() -> Blackjack:
    s = Blackjack(["9.a"])
    s.opening()
    s.left = {("seat/1", 3)}
    s.offer("seat/1", "draw", "hit")
    s.card("seat/1")
    return s


def test_9_the_card_comes_after_the_others_and_before_the_dealer() -> None:
    s = missed()
    s.stand("seat/3")
    s.offer("seat/1", "late_card", "take")
    s.card("seat/1")
    s.turn_up()
    s.finish()
    verdicts = told(s)
    assert triggered(verdicts) == {"9.a", "9.b"}
    assert failed(verdicts) == set()


def test_9_the_card_may_not_come_before_the_others_had_their_turn() -> None:
    s = missed()
    s.offer("seat/1", "late_card", "take")
    s.card("seat/1")
    s.stand("seat/3")
    s.turn_up()
    s.finish()
    verdicts = told(s)
    assert verdicts["9.b"].failed == ["in_turn"]
    assert failed(verdicts) == {"9.b"}


def test_9_the_card_may_not_come_when_the_dealer_is_shown() -> None:
    s = missed()
    s.stand("seat/3")
    s.offer("seat/1", "late_card", "take")
    s.turn_up()
    s.card("seat/1")
    s.finish()
    assert told(s)["9.b"].failed == ["given", "in_turn"]


def test_9_the_player_is_asked() -> None:
    given = missed()
    given.stand("seat/3")
    given.card("seat/1")
    given.turn_up()
    given.finish()
    assert failed(told(given)) == {"9.a"}
    ignored = missed()
    ignored.stand("seat/3")
    ignored.turn_up()
    ignored.finish()
    assert failed(told(ignored)) == {"9.a"}


@pytest.mark.parametrize(
    ("dead", "returned", "broken"),
    [(True, True, []), (True, False, ["wager_returned"]), (False, False, ["hand_dead", "wager_returned"])],
)
def test_9_a_hand_that_is_given_up_is_dead_and_its_wager_returned(
    dead: bool, returned: bool, broken: list[str]
) -> None:
    s = missed()
    s.stand("seat/3")
    s.offer("seat/1", "late_card", "dead")
    if dead:
        s.dead("seat/1", returned=returned)
    s.turn_up()
    s.finish()
    assert told(s)["9.c"].failed == broken
