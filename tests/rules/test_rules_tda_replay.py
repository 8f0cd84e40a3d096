"""The exact replay after a misdeal (TDA rule 35, C): button, players, blinds, absent players and penalties."""

from collections.abc import Sequence

import pytest

from rules.verdicts import Outcome
from tests.rules.tournament_script import FOLDS, THREE, Tournament, outcome, played, verdict

PASS, FAIL = Outcome.PASS, Outcome.FAIL


def misdealt(*, away: Sequence[str] = (), penalty: Sequence[str] = ()) -> Tournament:
    """The first card is exposed, and a misdeal is called."""
    s = Tournament(away=away, penalty=penalty)
    s.card("seat/1", up=True)
    s.misdeal()
    return s


def test_the_same_hand_is_dealt_again() -> None:
    story = misdealt()
    story.again()
    story.deal()
    assert outcome(played(story), "C.1") is PASS


def test_a_misdealt_hand_that_is_given_up_is_not_dealt_again() -> None:
    story = misdealt()
    story.just("close_round")
    story.just("open_round")
    assert verdict(story, "C.1").failed == ["dealt_again"]


def test_the_button_stays_where_it_is() -> None:
    story = misdealt()
    story.again(button="seat/1")
    story.deal()
    assert "button_stays" in verdict(played(story), "C.1").failed


def test_where_nobody_looked_for_the_button_it_is_in_doubt() -> None:
    story = misdealt()
    story.just("redeal")
    story.labels.clear()
    story.reshuffle()
    story.blinds()
    story.deal()
    assert outcome(played(story), "C.1") is Outcome.INCONCLUSIVE


def test_the_blinds_stay_what_they_are_though_the_next_level_is_called() -> None:
    story = misdealt()
    story.again(blinds=(200, 400))
    story.deal()
    assert verdict(played(story), "C.1").failed == ["same_limits"]


def test_nobody_new_is_dealt_in() -> None:
    story = misdealt()
    story.sits("seat/5", "present")
    story.again()
    story.players = ["seat/5", *THREE]
    story.deal()
    assert "nobody_new" in verdict(played(story), "C.1").failed


def test_a_player_who_came_to_the_table_may_be_dealt_in_from_the_next_hand_on() -> None:
    story = misdealt()
    story.sits("seat/5", "present")
    story.again()
    story.deal()
    played(story)
    story.just("open_round")
    story.button("seat/5")
    story.players = [*THREE, "seat/5"]
    story.held.clear()
    story.up.clear()
    story.labels.clear()
    story.shuffle(device="shuffler")
    story.blinds()
    story.deal()
    played(story)
    assert outcome(story, "C.1") is PASS
    assert outcome(story, "A.3") is Outcome.NOT_TRIGGERED


def test_nobody_is_left_out() -> None:
    story = misdealt()
    story.again()
    story.deal(leave_out=["seat/2"])
    assert verdict(played(story), "C.1").failed == ["nobody_left_out"]


def test_who_gets_no_card_in_the_replay_by_the_dealers_error_is_not_left_out() -> None:
    """The software ordered it; that it went elsewhere is the next misdeal, and no matter of this clause."""
    for to in ("", "seat/3", "seat/5"):
        story = misdealt(penalty=["seat/2"])
        story.again()
        for place in story.players * story.each:
            story.card(place, to=to if place == "seat/2" else None)
        story.misdeal()
        story.again()
        story.deal()
        assert outcome(played(story), "C.1") is PASS
        assert "dealt_in" not in verdict(story, "C.3").failed


def test_a_second_misdeal_of_the_same_hand_is_replayed_like_the_first() -> None:
    story = misdealt()
    story.again()
    story.card("seat/1", up=True)
    story.misdeal()
    story.again()
    story.deal()
    assert outcome(played(story), "C.1") is PASS
    assert outcome(story, "A.7a") is PASS
    changed = misdealt()
    changed.again()
    changed.card("seat/1", up=True)
    changed.misdeal()
    changed.again(blinds=(200, 400))
    changed.deal()
    assert verdict(played(changed), "C.1").failed == ["same_limits"]


# --- players who were away ---


def with_absent(*, back: bool, dealt: bool = True, killed: bool = False) -> Tournament:
    """Seat 2 was away in the first deal."""
    story = misdealt(away=["seat/2"])
    story.again()
    if back:
        story.sits("seat/2", "present")
    story.deal(leave_out=[] if dealt else ["seat/2"])
    if killed:
        story.just("dead_hand", position="seat/2")
    return played(story)


@pytest.mark.parametrize("back", [True, False])
def test_a_player_who_was_away_is_dealt_in_again(back: bool) -> None:
    assert "dealt_in" in verdict(with_absent(back=back, dealt=False, killed=not back), "C.2").failed


def test_who_is_back_may_play_and_who_is_not_may_not() -> None:
    assert outcome(with_absent(back=True), "C.2") is PASS
    assert verdict(with_absent(back=True, killed=True), "C.2").failed == ["hand_lives"]
    assert outcome(with_absent(back=False, killed=True), "C.2") is PASS
    assert verdict(with_absent(back=False), "C.2").failed == ["hand_killed"]


def test_by_the_older_editions_the_hand_is_killed_whoever_is_back() -> None:
    older = {"absent_in_replay": "killed"}
    assert outcome(with_absent(back=True, killed=True), "C.2", **older) is PASS
    assert verdict(with_absent(back=True), "C.2", **older).failed == ["hand_killed"]


def test_a_hand_that_is_killed_after_somebody_has_acted_is_killed_too_late() -> None:
    story = misdealt(away=["seat/2"])
    story.again()
    story.deal()
    story.betting(FOLDS[0])
    story.just("dead_hand", position="seat/2")
    story.over("seat/1")
    assert verdict(story, "C.2").failed == ["hand_killed"]


def test_who_went_away_only_for_the_replay_is_no_matter_of_this_clause() -> None:
    story = misdealt()
    story.sits("seat/2", "absent")
    story.again()
    story.deal()
    assert outcome(played(story), "C.2") is Outcome.NOT_TRIGGERED


# --- penalties ---


def with_penalty(*, dealt: bool = True, killed: bool = True, counted: Sequence[int] = (1,)) -> Tournament:
    """Seat 2 serves a penalty."""
    story = misdealt(penalty=["seat/2"])
    story.again()
    story.deal(leave_out=[] if dealt else ["seat/2"])
    if killed:
        story.just("dead_hand", position="seat/2")
    story.betting(*FOLDS)
    story.just("award_pot", position="seat/1", amount_cents=300)
    for hands in counted:
        story.just("count_penalty", position="seat/2", count=hands)
    story.just("close_round")
    return story


def test_a_player_on_penalty_is_dealt_in_and_the_hand_is_killed() -> None:
    assert outcome(with_penalty(), "C.3") is PASS
    assert verdict(with_penalty(dealt=False), "C.3").failed == ["dealt_in"]
    assert verdict(with_penalty(killed=False), "C.3").failed == ["hand_killed"]


@pytest.mark.parametrize(("counted", "result"), [([1], PASS), ([2], FAIL), ([1, 1], FAIL), ([], FAIL), ([0], PASS)])
def test_the_hand_and_its_replay_count_as_one_for_a_penalty(counted: list[int], result: Outcome) -> None:
    """An order to count without a number counts one hand."""
    assert outcome(with_penalty(counted=counted), "C.4") is result


def test_a_hand_without_a_misdeal_is_no_matter_of_the_replay() -> None:
    story = Tournament(penalty=["seat/2"], away=["seat/3"])
    story.deal()
    for clause in ("C.1", "C.2", "C.3", "C.4"):
        assert outcome(story, clause) is Outcome.NOT_TRIGGERED


def test_every_replay_is_compared_with_the_first_deal() -> None:
    story = misdealt()
    story.again(blinds=(200, 400))
    story.card("seat/1", up=True)
    story.misdeal()
    story.again(blinds=(200, 400))
    story.deal()
    assert verdict(played(story), "C.1").failed == ["same_limits"]


def test_who_came_and_what_was_called_in_an_earlier_hand_is_no_temptation_any_more() -> None:
    story = Tournament()
    story.deal()
    story.sits("seat/5", "present")
    played(story)
    story.just("open_round")
    story.button("seat/1")
    story.held.clear()
    story.shuffle(device="shuffler")
    story.players = ["seat/2", "seat/3", "seat/5", "seat/1"]
    story.blinds()
    story.card("seat/2", up=True)
    story.misdeal()
    story.again(button="seat/1")
    story.deal()
    story.betting(("seat/5", "fold", 0))
    found = verdict(story, "C.1")
    assert (found.verdict, found.alternatives) == (PASS, [])
    waits = misdealt()
    waits.sits("seat/5", "present")
    waits.again()
    waits.deal()
    assert verdict(played(waits), "C.1").alternatives == ["newcomer_waits"]
