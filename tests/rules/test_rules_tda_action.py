"""Substantial action (TDA rules 35 D and 36), and cards of another game found before and after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.events import PlayerDid
from rules.facts.tournament.action import Action
from rules.pack import Game
from rules.verdicts import Outcome
from tests.rules.tournament_script import THREE, Act, Tournament, outcome, played, verdict

PASS, FAIL, NOTHING = Outcome.PASS, Outcome.FAIL, Outcome.NOT_TRIGGERED
GAME = Game(name="g", cards_in_deck=52, substantial_acts=3, substantial_acts_with_chips=2)
FIVE = (*THREE, "seat/4", "seat/5")


def after(*acts: tuple[str, str], order: tuple[str, ...] = FIVE) -> Action:
    """The action after blinds of the first two and these acts."""
    action = Action(GAME)
    action.new_deal(order)
    for place in order[:2]:
        action.note(PlayerDid(act="post", position=place, amount_cents=100))
    action.street()
    for place, act in acts:
        action.note(PlayerDid(act=act, position=place))  # type: ignore[arg-type]
    return action


@pytest.mark.parametrize(
    ("acts", "substantial"),
    [
        ([], False),
        ([("seat/3", "call")], False),
        ([("seat/3", "fold"), ("seat/4", "fold")], False),
        ([("seat/3", "fold"), ("seat/4", "call")], True),
        ([("seat/3", "raise"), ("seat/4", "fold")], True),
        ([("seat/3", "fold"), ("seat/4", "fold"), ("seat/5", "fold")], True),
        ([("seat/3", "call"), ("seat/5", "call")], False),
        ([("seat/4", "call"), ("seat/5", "call")], False),
        ([("seat/4", "call"), ("seat/3", "call"), ("seat/4", "call")], True),
        ([("seat/3", "call"), ("seat/3", "call")], False),
        ([("seat/3", "call"), ("seat/4", "expose"), ("seat/4", "look")], False),
        ([("seat/3", "call"), ("seat/9", "call")], False),
    ],
)
def test_two_acts_in_turn_with_chips_or_three_make_it_substantial(
    acts: list[tuple[str, str]], substantial: bool
) -> None:
    """Seats 1 and 2 have posted the blinds, so seat 3 acts first; what is done out of turn counts nothing."""
    assert after(*acts).substantial is substantial


def test_blinds_are_no_acts() -> None:
    action = Action(GAME)
    action.new_deal(FIVE)
    for place in FIVE:
        action.note(PlayerDid(act="post", position=place, amount_cents=100))
    assert (action.count, action.substantial) == (0, False)


def test_dead_hands_are_passed_over() -> None:
    action = after()
    action.dead("seat/3")
    action.note(PlayerDid(act="call", position="seat/4"))
    action.note(PlayerDid(act="call", position="seat/5"))
    assert action.substantial


def test_on_a_later_street_the_first_live_hand_to_the_left_of_the_button_begins() -> None:
    action = after(("seat/3", "fold"))
    action.street()
    action.note(PlayerDid(act="check", position="seat/3"))
    assert action.count == 1
    action.note(PlayerDid(act="check", position="seat/1"))
    assert action.count == 2


def test_a_new_deal_forgets_what_was_done() -> None:
    action = after(("seat/3", "call"), ("seat/4", "call"))
    assert (action.substantial, action.how) == (True, "with_chips")
    action.new_deal(FIVE)
    assert (action.substantial, action.how, action.acted) == (False, "", set())


@given(st.lists(st.tuples(st.sampled_from(FIVE), st.sampled_from(["check", "bet", "call", "raise", "fold"]))))
def test_substantial_action_stays_and_needs_two_acts(acts: list[tuple[str, str]]) -> None:
    action = after()
    before = False
    for number, (place, act) in enumerate(acts, start=1):
        told = action.note(PlayerDid(act=act, position=place))  # type: ignore[arg-type]
        assert told is (action.substantial and not before)
        assert action.substantial or not before
        assert not action.substantial or number >= 2
        assert action.count <= number
        before = action.substantial


# --- D.1: no misdeal any more ---


def found_short(*acts: Act, players: tuple[str, ...] = THREE) -> Tournament:
    """Seat 2 is found to hold one card after these acts."""
    story = Tournament(players)
    story.deal()
    order = story.order("betting_round")
    for place, act, cents in acts:
        story.does(place, act, cents)
    story.held["seat/2"] = 1
    story.look("seat/2")
    story.done(order, "betting_round")
    return story


CALLS: tuple[Act, ...] = (("seat/3", "call", 200), ("seat/1", "call", 100))
THREE_FOLDS: tuple[Act, ...] = (("seat/3", "fold", 0), ("seat/4", "fold", 0), ("seat/5", "fold", 0))


@pytest.mark.parametrize(
    ("acts", "players", "alternative"),
    [(CALLS, THREE, "with_chips"), (THREE_FOLDS, FIVE, "acts_alone")],
)
def test_after_substantial_action_the_hand_goes_on(
    acts: tuple[Act, ...], players: tuple[str, ...], alternative: str
) -> None:
    found = verdict(played(found_short(*acts, players=players), ("seat/2", "check", 0)), "D.1")
    assert (found.verdict, found.alternatives) == (PASS, [alternative])
    called = found_short(*acts, players=players)
    called.just("misdeal")
    assert "no_misdeal" in verdict(called, "D.1").failed
    voided = found_short(*acts, players=players)
    voided.just("void_round")
    voided.refund()
    assert verdict(voided, "D.1").failed == ["hand_proceeds"]


def test_before_it_the_same_error_is_a_misdeal() -> None:
    story = played(found_short(("seat/3", "call", 200)), ("seat/1", "fold", 0))
    assert outcome(story, "D.1") is NOTHING
    assert verdict(story, "A.5").failed == ["misdeal_called"]


def test_a_fouled_deck_stops_the_hand_also_after_such_an_error() -> None:
    story = found_short(*CALLS)
    story.shows("seat/1", "Kd", "4c")
    story.shows("seat/3", "Kd", "5c")
    story.announce("fouled_deck")
    story.just("void_round")
    story.refund(cents=[("seat/1", 200), ("seat/2", 200), ("seat/3", 200)])
    story.other_deck()
    story.just("close_round")
    assert outcome(story, "D.1") is not FAIL
    assert outcome(story, "E.3") is PASS


# --- D.2: scrap ---


def to_the_flop(*labels: str) -> Tournament:
    story = Tournament()
    story.deal()
    story.betting(*CALLS, ("seat/2", "check", 0))
    story.just("burn", count=1)
    for label in labels:
        story.board(label)
    return story


def test_a_strange_card_on_the_board_is_scrap_after_substantial_action() -> None:
    story = to_the_flop("7c", "Jk")
    story.scrap_of_board()
    story.board("9h")
    story.board("2s")
    assert outcome(played(story, ("seat/1", "check", 0)), "D.2") is PASS
    assert outcome(story, "A.6") is NOTHING


def test_scrap_that_stays_or_is_not_replaced_breaks_the_clause() -> None:
    kept = to_the_flop("7c", "9h", "Jk")
    assert verdict(played(kept, ("seat/1", "check", 0)), "D.2").failed == ["scrap_removed"]
    short = to_the_flop("7c", "9h", "Jk")
    short.scrap_of_board()
    assert verdict(played(short, ("seat/1", "check", 0)), "D.2").failed == ["next_card_laid"]
    called = to_the_flop("7c", "9h", "Jk")
    called.just("misdeal")
    assert "no_misdeal" in verdict(called, "D.2").failed


def scrap_in_hand() -> Tournament:
    story = Tournament()
    story.deal()
    story.betting(*CALLS)
    story.shows("seat/2", "Jk", "4c")
    return story


def test_scrap_in_a_hand_is_for_the_floor() -> None:
    story = scrap_in_hand()
    story.rules("scrap_in_hand", "dead_hand", "seat/2")
    story.just("dead_hand", position="seat/2")
    assert outcome(played(story, ("seat/1", "check", 0)), "D.2") is PASS
    alive = scrap_in_hand()
    alive.rules("scrap_in_hand", "dead_hand", "seat/2")
    assert verdict(played(alive, ("seat/1", "check", 0)), "D.2").failed == ["ruling_followed"]
    going_on = scrap_in_hand()
    going_on.rules("scrap_in_hand", "play_on", "seat/2")
    assert outcome(played(going_on, ("seat/1", "check", 0)), "D.2") is PASS


def test_software_does_not_decide_on_scrap_in_a_hand_by_itself() -> None:
    silent = played(scrap_in_hand(), ("seat/1", "check", 0))
    assert verdict(silent, "D.2").failed == ["floor_asked"]
    decided = scrap_in_hand()
    decided.just("dead_hand", position="seat/2")
    assert verdict(decided, "D.2").failed == ["floor_asked"]
    unanswered = scrap_in_hand()
    unanswered.just("call_floor", outcome="failed", question="scrap_in_hand", position="seat/2")
    assert outcome(unanswered, "D.2") is Outcome.NEEDS_OPERATOR_INPUT


def test_where_such_a_hand_is_dead_by_rule_the_floor_is_not_needed() -> None:
    rule = {"scrap_in_hand": "dead_hand"}
    decided = scrap_in_hand()
    decided.just("dead_hand", position="seat/2")
    assert outcome(played(decided, ("seat/1", "check", 0)), "D.2", **rule) is PASS
    assert verdict(played(scrap_in_hand(), ("seat/1", "check", 0)), "D.2", **rule).failed == ["scrap_kills_hand"]
