"""Blackjack under the rules of its table, and each defect beside the rule."""

import pytest

from bench.emulators.table_software.games.blackjack.hand import is_soft, must_draw, points_of
from tests.software.blackjack_table import (
    BEFORE,
    DEALT,
    END,
    FIRST,
    SECOND,
    SHOE,
    TURN_UP,
    VOID,
    ask,
    card,
    play,
    stand,
)

PLAIN = [*BEFORE, *FIRST, *SECOND, *stand("seat/1", "seat/3"), TURN_UP, *END]
NEXT, RETIRED, BURNED = "use_as_next_card shoe_mouth", "retire_card shoe_mouth discard_rack", "burn 1"


def until_shown(said: list[str]) -> list[str]:
    """The round until the dealer's hand is turned up; what the dealer then draws depends on the cards."""
    return said[: said.index(TURN_UP) + 1]


def broken(defect: str, **how: object) -> list[str]:
    """What the software orders with a defect; without it, it must order something else."""
    said = play(defect, **how)  # type: ignore[arg-type]
    assert said != play(**how)  # type: ignore[arg-type]
    return said


def test_a_plain_round() -> None:
    assert play() == PLAIN


def test_players_draw_until_they_stand_or_have_21_and_the_dealer_to_17() -> None:
    dealt = ["2h", "5c", "6d", "Th", "6c", "5d", "4h", "Ts", "9s", "2d", "Kh"]
    answers = {("seat/1", "draw"): ["hit"], ("seat/3", "draw"): ["hit", "hit"]}
    # Seat 1 draws to 21 and is asked no more; seat 3 draws to 20 and then to 22; the dealer draws from 14.
    assert play(dealt=dealt, answers=answers) == [
        *BEFORE, *FIRST, *SECOND, *stand("seat/1"), *card("seat/1"),
        *stand("seat/3"), *card("seat/3"), *stand("seat/3"), *card("seat/3"), TURN_UP, *card("dealer"), *END,
    ]  # fmt: skip


@pytest.mark.parametrize(("rule", "draws"), [("", False), ("stand_on_all_17", False), ("hit_soft_17", True)])
def test_the_house_says_what_the_dealer_does_with_a_soft_17(rule: str, draws: bool) -> None:
    dealt = ["2h", "Tc", "5d", "Ah", "8c", "7d", "6h", "Ts"]
    drawn = card("dealer") if draws else []
    assert play(dealt=dealt, rule=rule) == [*PLAIN[: PLAIN.index(TURN_UP) + 1], *drawn, *END]


def test_the_next_round_comes_out_of_the_same_shoe() -> None:
    again = ["open_round", "announce no_more_bets"]
    assert play(rounds=2)[len(PLAIN) :][: len(again)] == again


# --- cards out of the shoe ---


def test_1_a_card_face_up_is_not_used() -> None:
    at = PLAIN.index("deliver seat/1 up")
    up = {"reversed_card": 2, "dealt": [DEALT[0], "Ks", *DEALT[1:]]}
    assert play(**up) == [*PLAIN[:at], RETIRED, "continue_round", *PLAIN[at - 1 :]]  # type: ignore[arg-type]
    assert until_shown(broken("reversed_card_played", **up)) == until_shown(PLAIN)
    assert broken("reversed_card_voids_round", **up) == [*PLAIN[:at], *VOID]


def test_2_a_card_drawn_in_error_is_the_next_one() -> None:
    hits = {("seat/3", "draw"): ["hit"]}
    opening = [*BEFORE, *FIRST, *SECOND, *stand("seat/1")]
    rest = [*stand("seat/3"), "deliver seat/3 up", *stand("seat/3"), TURN_UP, *END]
    assert play(draws_after={1: False}, answers=hits) == [*opening, NEXT, *rest]
    racked = [*stand("seat/3"), *card("seat/3"), *stand("seat/3"), TURN_UP, *END]
    assert broken("stray_card_racked", draws_after={1: False}, answers=hits) == [*opening, RETIRED, *racked]
    assert broken("stray_card_voids_round", draws_after={1: False}, answers=hits) == [*opening, *VOID]


def test_2_a_card_that_no_hand_needs_is_burned() -> None:
    assert play(draws_after={1: False}) == [
        *BEFORE, *FIRST, *SECOND, *stand("seat/1"), NEXT, *stand("seat/3"), TURN_UP, BURNED, *END,
    ]  # fmt: skip


OFFER = ask("seat/3", "exposed_card", "take", "decline")
EXPOSED = [*BEFORE, *FIRST, *SECOND, *stand("seat/1"), NEXT]


def test_3_an_exposed_card_is_offered() -> None:
    taken = ["deliver seat/3 up", *stand("seat/3"), TURN_UP, *END]
    assert play(draws_after={1: True}) == [*EXPOSED, OFFER, *taken]
    assert broken("shown_card_forced", draws_after={1: True}) == [*EXPOSED, *taken]
    racked = [*EXPOSED[:-1], RETIRED, *stand("seat/3"), TURN_UP, *END]
    assert broken("shown_card_racked", draws_after={1: True}) == racked


def test_3_who_refuses_it_draws_no_more_and_it_is_burned() -> None:
    answers = {("seat/3", "exposed_card"): ["decline"], ("seat/3", "draw"): ["hit"]}
    assert play(draws_after={1: True}, answers=answers) == [*EXPOSED, OFFER, TURN_UP, BURNED, *END]
    drawn = [BURNED, *stand("seat/3"), *card("seat/3"), *stand("seat/3"), TURN_UP, *END]
    assert broken("refuser_draws_on", draws_after={1: True}, answers=answers) == [*EXPOSED, OFFER, *drawn]
    racked = [*EXPOSED, OFFER, TURN_UP, RETIRED, *END]
    assert broken("refused_card_racked", draws_after={1: True}, answers=answers) == racked


def test_3_the_dealer_draws_the_card_that_players_refused() -> None:
    dealt = ["2h", "Tc", "5d", "Th", "8c", "7d", "4h", "5s"]
    answers = {("seat/3", "exposed_card"): ["decline"]}
    assert play(dealt=dealt, draws_after={1: True}, answers=answers) == [
        *EXPOSED, OFFER, TURN_UP, "deliver dealer up", *END,
    ]  # fmt: skip


def test_4_a_card_too_many_is_burned() -> None:
    shown = PLAIN[: PLAIN.index(TURN_UP) + 1]
    assert play(overdraws=True) == [*shown, BURNED, *END]
    assert broken("overdrawn_card_racked", overdraws=True) == [*shown, RETIRED, *END]
    assert broken("overdrawn_card_kept", overdraws=True) == [*shown, "deliver dealer up", *END]


# --- hands passed over ---

PLAY = [*stand("seat/1", "seat/3"), TURN_UP, *END]
ONE, LATE = (ask("seat/1", question, "take", "dead") for question in ("second_card", "late_card"))
DEAD = ["dead_hand seat/1", "return_wagers seat/1 hand all"]
APART = ["settle seat/3 main", *END[1:]]


def test_5_the_dealer_s_own_card_comes_last() -> None:
    # The card that was to be the dealer's goes to seat 1, so that every later one goes a hand further.
    second = ["deliver seat/1 up", *card("seat/3"), *card("dealer")]
    shown = [*stand("seat/1", "seat/3"), TURN_UP]
    forgotten = {"left": [("dealer", 1)], "dealt": ["2h", "5c", "5d", "6h", "8c", "7d", "9h"]}
    assert until_shown(play(**forgotten)) == [  # type: ignore[arg-type]
        *BEFORE, *FIRST, *second, *card("dealer", "down"), *shown,
    ]  # fmt: skip
    assert until_shown(broken("dealer_served_at_once", **forgotten)) == [
        *BEFORE, *FIRST, "deliver dealer up", *SECOND, *shown,
    ]  # fmt: skip
    assert until_shown(broken("dealer_left_short", **forgotten)) == [*BEFORE, *FIRST, *second, *shown]


def test_6_a_shoe_that_runs_out_is_filled_with_the_discards() -> None:
    how = {
        "in_shoe": 7,
        "answers": {("seat/1", "draw"): ["hit"]},
        "dealt": ["2h", "Tc", "5d", "Th", "3c", "7d", "9h", "4s", "2s"],
    }
    opening = [*BEFORE, *FIRST, *SECOND, *stand("seat/1"), "dispense card"]
    again = "reshuffle device discards"
    rest = [*card("seat/1"), *stand("seat/1", "seat/3"), TURN_UP, *END]
    assert play(**how) == [*opening, again, *SHOE, *rest]  # type: ignore[arg-type]
    assert broken("short_shoe_not_cut", **how) == [*opening, again, *SHOE[1:], *rest]
    assert broken("short_shoe_not_burned", **how) == [*opening, again, *SHOE[:2], *rest]
    assert broken("short_shoe_voids_round", **how) == [*opening, *VOID]
    assert broken("short_shoe_unsettled", **how) == [*opening, again, *SHOE, *rest[:-3], *END[1:]]
    gathered = [*opening, again, *SHOE, *rest[:-3], "reshuffle device all_cards", *END]
    assert broken("short_shoe_gathers_hands", **how) == gathered


NONE = {"left": [("seat/1", 1), ("seat/1", 2)], "dealt": ["2h", "5d", "Th", "7d", "9h"]}


def test_7_a_hand_without_cards_is_dead_and_its_player_dealt_in_again() -> None:
    rest = [*stand("seat/3"), TURN_UP, *APART]
    # The forgotten card goes to the next hand without another being drawn.
    said = play(**NONE)  # type: ignore[arg-type]
    opening = [*BEFORE, *FIRST[:2], "deliver seat/3 up", *card("dealer"), *SECOND[:2], "deliver seat/3 up", *SECOND[4:]]
    assert said[: len(opening) + 2] == [*opening, *DEAD]
    assert said[-len(rest) :] == rest
    assert broken("no_cards_wager_kept", **NONE) == [*opening, DEAD[0], *rest]
    filled = broken("no_cards_hand_filled", **NONE)
    assert filled[: len(opening) + 4] == [*opening, *card("seat/1"), *card("seat/1")]


def test_7_the_next_round_is_dealt_to_all() -> None:
    once = {"left": [("seat/1", 1), ("seat/1", 2)], "rounds": 2}
    again = play(**once)  # type: ignore[arg-type]
    at = again.index("open_round", 1)
    assert "deliver seat/1 up" in again[at:]
    left_out = broken("no_cards_left_out_again", **once)
    assert "deliver seat/1 up" not in left_out[left_out.index("open_round", 1) :]


def test_8_the_second_card_is_the_player_s_choice() -> None:
    left = {"left": [("seat/1", 2)]}
    opening = [*BEFORE, *FIRST, *SECOND[:2], "deliver seat/3 up", *SECOND[4:]]
    assert play(**left)[: len(opening) + 3] == [*opening, ONE, *card("seat/1")]  # type: ignore[arg-type]
    assert broken("one_card_not_completed", **left)[: len(opening) + 2] == [*opening, ONE, *stand("seat/1")]
    assert broken("one_card_not_offered", **left)[: len(opening) + 2] == [*opening, *DEAD]
    declined = {**left, "answers": {("seat/1", "second_card"): ["dead"]}}
    rest = [*stand("seat/3"), TURN_UP, *APART]
    assert play(**declined) == [*opening, ONE, *DEAD, *rest]  # type: ignore[arg-type]
    assert broken("one_card_wager_kept", **declined) == [*opening, ONE, DEAD[0], *rest]
    assert broken("one_card_played_on", **declined) == [*opening, ONE, *PLAY]


def test_9_a_missed_card_is_offered_after_the_others_had_their_turn() -> None:
    left = {"left": [("seat/1", 3)], "answers": {("seat/1", "draw"): ["hit"]}}
    missed = [*BEFORE, *FIRST, *SECOND, *stand("seat/1"), *card("seat/1")]
    assert play(**left) == [*missed, *stand("seat/3"), LATE, "deliver seat/1 up", TURN_UP, *END]  # type: ignore[arg-type]
    unasked = broken("late_card_not_offered", **left)
    assert unasked == [*missed, *stand("seat/3"), *DEAD, TURN_UP, BURNED, *APART]
    assert broken("late_card_not_given", **left) == [*missed, *stand("seat/3"), LATE, TURN_UP, BURNED, *END]
    at_once = broken("late_card_at_once", **left)
    assert at_once == [*missed, "deliver seat/1 up", *stand("seat/3"), TURN_UP, *END]


def test_9_a_player_may_give_up_the_hand() -> None:
    answers = {("seat/1", "draw"): ["hit"], ("seat/1", "late_card"): ["dead"]}
    left = {"left": [("seat/1", 3)], "answers": answers}
    missed = [*BEFORE, *FIRST, *SECOND, *stand("seat/1"), *card("seat/1"), *stand("seat/3"), LATE]
    assert play(**left) == [*missed, *DEAD, TURN_UP, BURNED, *APART]  # type: ignore[arg-type]
    assert broken("late_card_wager_kept", **left) == [*missed, DEAD[0], TURN_UP, BURNED, *APART]
    assert broken("late_card_played_on", **left) == [*missed, TURN_UP, BURNED, *END]


# --- totals ---


@pytest.mark.parametrize(
    ("faces", "points", "soft"),
    [
        (["Ac", "Kd"], 21, True),
        (["Ac", "Ad"], 12, True),
        (["Ac", "Ad", "9h"], 21, True),
        (["Ac", "6d", "Th"], 17, False),
        (["Ac", "6d"], 17, True),
        (["Tc", "Jd", "2h"], 22, False),
        (["Tc", None], None, False),
        (["Tc", "Jk"], None, False),
    ],
)
def test_totals(faces: list[str | None], points: int | None, soft: bool) -> None:
    assert (points_of(faces), is_soft(faces)) == (points, soft)


def test_an_unread_hand_says_nothing_of_what_the_dealer_does() -> None:
    assert must_draw(["Tc", None], "hit_soft_17") is None
