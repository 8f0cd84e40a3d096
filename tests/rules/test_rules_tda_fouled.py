"""Fouled decks (TDA rule 35, E): duplicates, the house's own conditions, bets that go back once, and disputes."""

from collections.abc import Callable, Sequence

import pytest

from evidence.events import CardsSeen, DealerDid, DeviceCommanded, DeviceCycle, FloorRuled
from rules.inputs import problem
from rules.verdicts import Outcome
from tests.rules.tournament_script import FOLDS, Tournament, outcome, played, verdict

PASS, FAIL, NOTHING = Outcome.PASS, Outcome.FAIL, Outcome.NOT_TRIGGERED
BLINDS = [("seat/1", 100), ("seat/2", 200)]
CALLED = [("seat/1", 100), ("seat/2", 200), ("seat/3", 200)]


def shown_twice(*, called: bool = False, inputs: dict[str, str] | None = None) -> Tournament:
    """Seats 1 and 2 show the king of diamonds; before that seat 3 may have called and seat 1 folded."""
    story = Tournament(inputs=inputs)
    story.deal()
    if called:
        story.betting(("seat/3", "call", 200), ("seat/1", "fold", 0))
    story.shows("seat/1", "Kd", "4c")
    story.shows("seat/2", "5c", "Kd")
    return story


def stopped(story: Tournament, bets: Sequence[tuple[str, int]], *, said: bool = True, void: bool = True) -> Tournament:
    if said:
        story.announce("fouled_deck")
    if void:
        story.just("void_round")
    story.refund(cents=bets)
    story.other_deck()
    story.just("close_round")
    return story


@pytest.mark.parametrize(("called", "bets"), [(False, BLINDS), (True, CALLED)])
def test_a_card_that_is_there_twice_fouls_the_deck_with_or_without_action(
    called: bool, bets: list[tuple[str, int]]
) -> None:
    story = stopped(shown_twice(called=called), bets)
    assert outcome(story, "E.1") is PASS
    found = verdict(story, "E.3")
    assert (found.verdict, found.alternatives) == (PASS, ["after_action" if called else "before_action"])


def test_it_is_declared_and_the_hand_is_stopped() -> None:
    assert outcome(stopped(shown_twice(), BLINDS, said=False), "E.1") is FAIL
    assert verdict(stopped(shown_twice(), BLINDS, void=False), "E.3").failed == ["play_stops"]
    assert verdict(played(shown_twice()), "E.3").verdict is FAIL


GOES_ON: list[Callable[[Tournament], object]] = [
    lambda story: story.does("seat/3", "check"),
    lambda story: story.just("dispense", device="shoe", unit="card"),
    lambda story: story.board("9h"),
]


@pytest.mark.parametrize("go_on", GOES_ON)
def test_nothing_is_dealt_or_played_after_it(go_on: Callable[[Tournament], object]) -> None:
    story = shown_twice(called=True)
    go_on(story)
    assert verdict(stopped(story, CALLED), "E.3").failed == ["play_stops"]


@pytest.mark.parametrize(
    ("bets", "broken"),
    [
        (BLINDS[:1], ["bets_returned"]),
        ([], ["bets_returned"]),
        ([("seat/1", 100), ("seat/2", 100)], ["bets_returned"]),
        ([*BLINDS, *BLINDS], ["nothing_twice"]),
        ([("seat/1", 100), ("seat/2", 300)], ["bets_returned", "nothing_twice"]),
        ([*BLINDS, ("seat/3", 100)], ["nothing_twice"]),
    ],
)
def test_every_player_gets_back_just_what_was_put_in(bets: list[tuple[str, int]], broken: list[str]) -> None:
    assert verdict(stopped(shown_twice(), bets), "E.3").failed == broken


def test_nobody_wins_the_pot_of_such_a_hand() -> None:
    story = shown_twice()
    story.announce("fouled_deck")
    story.just("void_round")
    story.refund()
    story.other_deck()
    story.over()
    assert verdict(story, "E.3").failed == ["nothing_twice"]


def test_another_deck_comes_unless_the_text_is_taken_by_the_letter() -> None:
    story = shown_twice()
    story.announce("fouled_deck")
    story.just("void_round")
    story.refund()
    story.just("close_round")
    story.just("open_round")
    assert verdict(story, "E.3").failed == ["deck_replaced"]
    assert outcome(story, "E.3", deck_replacement="not_asked") is PASS


def test_a_fouled_deck_goes_before_a_misdeal() -> None:
    """Both cards were turned up by the dealer, which alone would be a misdeal."""
    story = Tournament()
    story.deal()
    story.held["seat/1"] = 1
    betting = story.order("betting_round")
    story.look("seat/1")
    story.shows("seat/2", "Kd", "4c")
    story.shows("seat/3", "Kd", "5c")
    story.done(betting, "betting_round")
    stopped(story, BLINDS)
    assert outcome(story, "E.3") is PASS
    assert outcome(story, "A.5") is Outcome.NOT_APPLICABLE


def test_one_card_seen_at_two_places_one_after_the_other_is_one_card() -> None:
    story = Tournament()
    story.deal()
    story.board("Kd")
    story.scrap_of_board()
    story.shows("seat/2", "Kd", "4c")
    assert outcome(played(story), "E.1") is NOTHING


def test_a_deck_fouled_in_the_replay_returns_what_was_put_in_since_the_misdeal() -> None:
    story = Tournament()
    story.card("seat/1", up=True)
    story.misdeal()
    story.again()
    story.deal()
    story.shows("seat/1", "Kd", "4c")
    story.shows("seat/2", "5c", "Kd")
    assert outcome(stopped(story, BLINDS), "E.3") is PASS
    kept = Tournament()
    kept.card("seat/1", up=True)
    kept.misdeal()
    kept.again()
    kept.deal()
    kept.shows("seat/1", "Kd", "4c")
    kept.shows("seat/2", "5c", "Kd")
    assert verdict(stopped(kept, []), "E.3").failed == ["bets_returned"]


# --- the house's own conditions ---


def other_back(rules: str | None) -> Tournament:
    story = Tournament(inputs={} if rules is None else {"fouled_deck_conditions": rules})
    story.card("seat/1")
    for place, back in (("seat/1", "red"), ("seat/2", "blue")):
        story.put(CardsSeen(place=place, count=1, face_down=1, backs=[back]))
    return story


def test_another_back_fouls_the_deck_where_the_house_says_so() -> None:
    named = stopped(other_back("missing_card other_back"), BLINDS)
    assert (outcome(named, "E.2"), outcome(named, "E.3")) == (PASS, PASS)
    silent = other_back("other_back")
    assert (outcome(played(silent), "E.2"), outcome(silent, "E.3")) == (FAIL, FAIL)
    unnamed = played(other_back("missing_card"))
    assert (outcome(unnamed, "E.2"), outcome(unnamed, "E.3")) == (NOTHING, NOTHING)


def test_without_the_houses_rules_there_is_no_verdict_on_another_back() -> None:
    found = verdict(played(other_back(None)), "E.2")
    assert found.verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "fouled_deck_conditions" in found.reason


def checked(*parts: int | None, said: bool) -> Tournament:
    """After a hand the deck is laid out in parts of twelve."""
    story = Tournament(inputs={"fouled_deck_conditions": "missing_card"})
    story.deal()
    played(story)
    order = story.order("check_deck")
    story.put(DealerDid(act="gather", place="all_cards"))
    for part in parts:
        story.put(DealerDid(act="lay_out", directive=order, place="layout_centre", count=12))
        story.put(CardsSeen(place="layout_centre", count=part))
    story.done(order, "check_deck")
    if said:
        story.announce("fouled_deck")
    story.rules("fouled_deck_dispute", "result_stands")
    return story


def test_a_missing_card_fouls_the_deck_where_the_house_says_so() -> None:
    assert outcome(checked(12, 12, 12, 12, 3, said=True), "E.2") is PASS
    short = checked(12, 12, 12, 12, 3, said=False)
    short.just("open_round")
    assert outcome(short, "E.2") is FAIL
    assert outcome(checked(12, 12, 12, 12, 4, said=False), "E.2") is NOTHING
    assert outcome(checked(12, 12, None, 12, 3, said=False), "E.2") is NOTHING


# --- found when the hand is over ---


def found_after(sign: Callable[[Tournament], object] | None = None) -> Tournament:
    """The hand is over; perhaps a sign that the next one has begun; then the king of diamonds is seen twice."""
    story = Tournament()
    story.deal()
    played(story)
    if sign is not None:
        sign(story)
    story.shows("seat/1", "Kd", "4c")
    story.shows("seat/2", "5c", "Kd")
    return story


SIGNS: dict[str, Callable[[Tournament], object]] = {
    "first riffle": lambda story: story.put(DealerDid(act="shuffle_by_hand")),
    "button of the shuffler": lambda story: story.put(DeviceCommanded(device="shuffler", command="shuffle")),
    "shuffler that has started": lambda story: story.put(
        DeviceCycle(device="shuffler", kind="shuffle", phase="started")
    ),
    "push of the dealer": lambda story: story.put(DealerDid(act="push")),
    "time called over": lambda story: story.put(FloorRuled(question="dispute_time", ruling="over", by="floor")),
}


@pytest.mark.parametrize("sign", SIGNS.values(), ids=list(SIGNS))
def test_once_the_next_hand_has_begun_the_result_stands(sign: Callable[[Tournament], object]) -> None:
    assert outcome(found_after(sign), "E.4") is PASS
    returned = found_after(sign)
    returned.refund(cents=BLINDS)
    assert verdict(returned, "E.4").failed == ["result_stands"]
    disputed = found_after(sign)
    disputed.rules("fouled_deck_dispute", "result_stands")
    assert verdict(disputed, "E.4").failed == ["result_stands"]


def test_opening_a_round_or_moving_the_button_does_not_begin_a_hand() -> None:
    def opens(story: Tournament) -> None:
        story.just("open_round")
        story.button("seat/1")

    story = found_after(opens)
    story.rules("fouled_deck_dispute", "result_stands")
    assert outcome(story, "E.4") is PASS


def test_until_then_the_dispute_is_for_the_floor() -> None:
    silent = found_after()
    silent.just("open_round")
    assert verdict(silent, "E.4").failed == ["floor_asked"]
    unanswered = found_after()
    unanswered.just("call_floor", outcome="failed", question="fouled_deck_dispute")
    assert outcome(unanswered, "E.4") is Outcome.NEEDS_OPERATOR_INPUT
    decided = found_after()
    decided.refund(cents=BLINDS)
    assert verdict(decided, "E.4").failed == ["floor_asked"]


def ruled(ruling: str, *, times: int) -> Tournament:
    story = found_after()
    story.rules("fouled_deck_dispute", ruling)
    story.refund(cents=BLINDS, times=times)
    story.just("open_round")
    return story


def test_what_the_floor_rules_on_a_dispute_is_done_once() -> None:
    assert outcome(ruled("result_stands", times=0), "E.4") is PASS
    assert verdict(ruled("result_stands", times=1), "E.4").failed == ["ruled_to_stand"]
    assert outcome(ruled("return_bets", times=1), "E.4") is PASS
    assert verdict(ruled("return_bets", times=0), "E.4").failed == ["ruled_to_return"]
    assert verdict(ruled("return_bets", times=2), "E.4").failed == ["ruled_to_return"]


def test_by_the_other_reading_a_begun_hand_does_not_end_the_dispute() -> None:
    begun = found_after(SIGNS["push of the dealer"])
    assert verdict(begun, "E.4", dispute_ends="substantial_action").failed == ["floor_asked"]
    asked = found_after(SIGNS["push of the dealer"])
    asked.rules("fouled_deck_dispute", "result_stands")
    assert outcome(asked, "E.4", dispute_ends="substantial_action") is PASS
    over = found_after(SIGNS["time called over"])
    assert outcome(over, "E.4", dispute_ends="substantial_action") is PASS


def test_what_is_found_in_the_next_hand_stops_that_hand_and_not_the_one_before() -> None:
    story = Tournament()
    story.deal()
    played(story)
    story.just("open_round")
    story.button("seat/1")
    story.held.clear()
    story.put(DealerDid(act="gather", place="all_cards"))
    story.shuffle(device="shuffler")
    story.players = ["seat/2", "seat/3", "seat/1"]
    story.blinds()
    story.deal()
    story.shows("seat/1", "Kd", "4c")
    story.shows("seat/2", "5c", "Kd")
    stopped(story, [("seat/2", 100), ("seat/3", 200)])
    assert outcome(story, "E.3") is PASS
    assert outcome(story, "E.4") is NOTHING


def test_before_any_hand_was_played_there_is_nothing_to_dispute_or_return() -> None:
    story = Tournament()
    story.shows("seat/1", "Kd", "4c")
    story.shows("seat/2", "5c", "Kd")
    assert (outcome(story, "E.3"), outcome(story, "E.4")) == (NOTHING, NOTHING)


def test_folds_are_acts_too() -> None:
    """The stories above go on with folds; this shows that they would be seen as play after a fouled deck."""
    story = shown_twice()
    for place, act, cents in FOLDS:
        story.does(place, act, cents)
    assert "play_stops" in verdict(stopped(story, BLINDS), "E.3").failed


@pytest.mark.parametrize("text", ["", "soaked", "none other_back", ","])
def test_conditions_that_nobody_knows_are_refused_and_judge_nothing(text: str) -> None:
    assert problem("fouled_deck_conditions", text) != ""
    unknown = Outcome.INCONCLUSIVE if text else Outcome.NEEDS_OPERATOR_INPUT
    assert outcome(played(other_back(text)), "E.2") is unknown


@pytest.mark.parametrize("text", ["none", "other_back", " missing_card, other_back "])
def test_conditions_may_stand_in_any_form(text: str) -> None:
    assert problem("fouled_deck_conditions", text) == ""
    assert (outcome(played(other_back(text)), "E.2") is FAIL) is ("other_back" in text)


def test_a_card_that_was_collected_is_not_seen_where_it_lay() -> None:
    story = Tournament()
    story.deal()
    story.shows("seat/1", "Kd", "4c")
    story.put(DealerDid(act="collect", position="seat/1", place="seat/1"))
    story.shows("seat/2", "5c", "Kd")
    assert outcome(played(story), "E.1") is NOTHING
