"""Misdeals of tournament poker (TDA rule 35, A and B): each error called, and each passed over."""

from collections.abc import Callable

import pytest

from rules.verdicts import Outcome
from tests.rules.tournament_script import THREE, Tournament, judged, outcome, played, replayed, verdict

PASS, FAIL, NOTHING = Outcome.PASS, Outcome.FAIL, Outcome.NOT_TRIGGERED


def wrong_first_card() -> Tournament:
    s = Tournament()
    s.card("seat/1", to="seat/2")
    s.card("seat/2", to="seat/1")
    for place in ("seat/3", *THREE):
        s.card(place)
    return s


def empty_seat_dealt() -> Tournament:
    s = Tournament()
    s.deal()
    s.card("seat/3", to="seat/5")
    return s


def dealt_out() -> Tournament:
    s = Tournament()
    for place in ("seat/1", "seat/3") * 2:
        s.card(place)
    s.card("seat/2", to="")
    s.card("seat/2", to="")
    return s


def too_many() -> Tournament:
    s = Tournament()
    s.deal()
    s.card("seat/2")
    s.order("betting_round")
    return s


def a_card_too_many() -> Tournament:
    s = Tournament()
    for place in (*THREE, "seat/1"):
        s.card(place)
    s.card("seat/2", came=2)
    s.card("seat/3")
    return s


def a_card_too_few() -> Tournament:
    s = Tournament()
    for place in (*THREE, "seat/1"):
        s.card(place)
    s.card("seat/2", to="")
    s.card("seat/3")
    return s


def two_boxed() -> Tournament:
    s = Tournament()
    s.card("seat/1")
    s.dispense(up=1)
    s.scrap_of_mouth()
    s.card("seat/2")
    s.dispense(up=1)
    return s


def two_stuck() -> Tournament:
    s = Tournament()
    s.card("seat/1")
    s.dispense(came=2)
    return s


def first_exposed() -> Tournament:
    s = Tournament()
    s.card("seat/1", up=True)
    return s


def second_exposed() -> Tournament:
    s = Tournament()
    s.card("seat/1")
    s.card("seat/2", up=True)
    return s


def two_others_exposed() -> Tournament:
    s = Tournament()
    s.deal(turned=[3, 5])
    return s


def joker_shown() -> Tournament:
    s = Tournament()
    s.deal()
    s.shows("seat/3", "Jk", "7c")
    return s


ERRORS: list[tuple[str, Callable[[], Tournament]]] = [
    ("A.1", two_boxed),
    ("A.1", two_stuck),
    ("A.2", wrong_first_card),
    ("A.3", empty_seat_dealt),
    ("A.4", dealt_out),
    ("A.5", a_card_too_many),
    ("A.5", a_card_too_few),
    ("A.6", joker_shown),
    ("A.7a", first_exposed),
    ("A.7a", second_exposed),
    ("A.7b", two_others_exposed),
]


@pytest.mark.parametrize(("clause", "error"), ERRORS)
def test_an_error_of_the_list_is_a_misdeal_and_the_hand_is_replayed(
    clause: str, error: Callable[[], Tournament]
) -> None:
    story = replayed(error())
    found = judged(story)
    assert found[clause].verdict is PASS
    assert found["C.1"].verdict is PASS
    assert [name for name, one in found.items() if one.verdict is FAIL] == []


@pytest.mark.parametrize(("clause", "error"), ERRORS)
def test_playing_on_after_it_breaks_the_clause(clause: str, error: Callable[[], Tournament]) -> None:
    found = verdict(played(error()), clause)
    assert found.verdict is FAIL
    assert "misdeal_called" in found.failed


@pytest.mark.parametrize(("clause", "error"), ERRORS)
def test_a_misdeal_that_is_called_when_a_player_has_acted_comes_too_late(
    clause: str, error: Callable[[], Tournament]
) -> None:
    story = error()
    story.betting(("seat/3", "call", 200))
    assert outcome(replayed(story), clause) is FAIL


@pytest.mark.parametrize(("clause", "error"), ERRORS)
def test_a_misdeal_is_too_late_once_betting_has_been_ordered(clause: str, error: Callable[[], Tournament]) -> None:
    story = error()
    betting = story.order("betting_round")
    story.misdeal()
    story.done(betting, "betting_round")
    story.again()
    story.deal()
    assert outcome(played(story), clause) is FAIL


def test_a_plain_hand_triggers_nothing() -> None:
    story = Tournament()
    story.deal()
    assert {one.verdict for one in judged(played(story)).values()} == {NOTHING}


# --- boxed and stuck cards: two readings of one word ---


def test_each_reading_of_attached_cards_knows_its_own_case() -> None:
    for case, reading, other in ((two_boxed, "boxed", "stuck"), (two_stuck, "stuck", "boxed")):
        story = played(case())
        assert outcome(story, "A.1", attached_cards="both") is FAIL
        assert outcome(story, "A.1", attached_cards=reading) is FAIL
        assert outcome(story, "A.1", attached_cards=other) is not FAIL


def single_boxed() -> Tournament:
    s = Tournament()
    s.card("seat/1")
    s.dispense(up=1)
    return s


def rest(story: Tournament) -> Tournament:
    """The rest of the deal after the first card of seat 1."""
    for place in ("seat/2", "seat/3", *THREE):
        story.card(place)
    return story


def test_a_single_boxed_card_is_scrap_and_no_misdeal() -> None:
    story = single_boxed()
    story.scrap_of_mouth()
    assert outcome(played(rest(story)), "A.1") is PASS
    dealt = verdict(played(rest(single_boxed())), "A.1")
    assert dealt.failed == ["single_is_scrap"]
    called = single_boxed()
    assert verdict(replayed(called), "A.1").failed == ["single_no_misdeal"]


def test_where_a_boxed_card_may_be_dealt_it_is_still_no_misdeal() -> None:
    assert outcome(played(rest(single_boxed())), "A.1", single_boxed_card="dealt") is PASS
    assert outcome(replayed(single_boxed()), "A.1", single_boxed_card="dealt") is FAIL


# --- what the camera could not see ---


def test_a_deal_that_the_camera_could_not_follow_is_in_doubt() -> None:
    story = Tournament()
    story.card("seat/1", blind=True)
    for place in ("seat/2", "seat/3", *THREE):
        story.card(place)
    found = judged(played(story))
    assert {found[f"A.{case}"].verdict for case in ("0", "1", "2", "3", "4", "5", "7a", "7b")} == {Outcome.INCONCLUSIVE}
    assert found["D.2"].verdict is NOTHING


def test_where_nobody_saw_the_button_nobody_knows_who_was_due_the_first_card() -> None:
    story = Tournament(button=None)
    story.deal()
    assert outcome(played(story), "A.2") is Outcome.INCONCLUSIVE


def test_a_joker_among_cards_of_a_game_that_has_one_is_no_strange_card() -> None:
    story = Tournament(cards=53)
    story.deal()
    story.shows("seat/3", "Jk", "7c")
    assert outcome(played(story), "A.6") is NOTHING


@pytest.mark.parametrize(("label", "result"), [("4h", FAIL), ("6h", NOTHING)])
def test_low_cards_are_strange_to_a_short_deck(label: str, result: Outcome) -> None:
    story = Tournament(cards=36, game="tournament_short_deck")
    story.deal()
    story.shows("seat/3", label, "9c")
    assert outcome(played(story), "A.6") is result


# --- a deal that is given up or begun anew ---


def test_a_deal_that_is_given_up_for_one_error_shows_no_other() -> None:
    """The hands are unequal then, which is no wonder."""
    story = Tournament()
    story.card("seat/1", to="seat/2")
    found = judged(replayed(story))
    assert found["A.2"].verdict is PASS
    assert {found[clause].verdict for clause in ("A.0", "A.4", "A.5")} == {NOTHING}


def test_a_misdeal_called_when_a_hand_is_passed_over_is_called_for_that() -> None:
    story = Tournament()
    story.card("seat/1")
    story.card("seat/2", to="")
    assert outcome(replayed(story), "A.4") is PASS


def test_dealing_again_without_calling_a_misdeal_is_another_deal() -> None:
    story = Tournament()
    for number, place in enumerate((*THREE, "seat/1"), start=1):
        story.card(place, up=number in (3, 4))
    story.again()
    story.deal()
    assert verdict(played(story), "A.7b").failed == ["misdeal_called", "single_replaced"]


def test_an_order_to_move_the_button_during_the_deal_begins_no_other_deal() -> None:
    story = Tournament()
    story.card("seat/1")
    story.card("seat/2")
    story.button("seat/3")
    for place in ("seat/3", *THREE):
        story.card(place)
    assert {one.verdict for one in judged(played(story)).values()} == {NOTHING}
