"""Exceptions to misdeals (TDA rule 35): the button, what the list does not name, and single exposed cards."""

from rules.verdicts import Outcome
from tests.rules.tournament_script import THREE, Act, Tournament, outcome, played, replayed, verdict

PASS, FAIL, NOTHING = Outcome.PASS, Outcome.FAIL, Outcome.NOT_TRIGGERED

# --- the button: rule 37, and B ---


def button_short() -> Tournament:
    s = Tournament()
    for place in (*THREE, "seat/1", "seat/2"):
        s.card(place)
    s.card("seat/3", to="")
    return s


def test_a_button_that_is_short_gets_its_card() -> None:
    story = button_short()
    story.card("seat/3")
    assert outcome(played(story), "A.5") is PASS
    assert verdict(played(button_short()), "A.5").failed == ["button_completed"]
    assert verdict(replayed(button_short()), "A.5").failed == ["button_no_misdeal"]


def test_a_button_with_too_many_cards_is_a_misdeal_like_any_hand() -> None:
    story = Tournament()
    for place in (*THREE, "seat/1", "seat/2"):
        story.card(place)
    story.card("seat/3", came=2)
    assert outcome(replayed(story), "A.5") is PASS
    kept = Tournament()
    for place in (*THREE, "seat/1", "seat/2"):
        kept.card(place)
    kept.card("seat/3", came=2)
    assert verdict(played(kept), "A.5").failed == ["misdeal_called"]


def late_short(place: str, *acts: Act) -> Tournament:
    """After these acts a hand of five is found to hold one card."""
    story = Tournament([*THREE, "seat/4", "seat/5"])
    story.deal()
    order = story.order("betting_round")
    for seat, act, cents in acts:
        story.does(seat, act, cents)
    story.held[place] = 1
    story.look(place)
    story.done(order, "betting_round")
    return story


CALLS: tuple[Act, ...] = (("seat/3", "call", 200), ("seat/4", "call", 200))


def test_the_button_gets_its_card_also_after_substantial_action_unless_it_has_acted() -> None:
    story = late_short("seat/5", *CALLS)
    story.card("seat/5")
    played(story, ("seat/5", "fold", 0))
    assert outcome(story, "A.5") is PASS
    assert outcome(story, "D.1") is PASS
    left = played(late_short("seat/5", *CALLS), ("seat/5", "fold", 0))
    assert verdict(left, "A.5").failed == ["button_completed"]
    assert outcome(left, "A.5", button_after_action="not_asked") is PASS


def test_a_button_that_acted_with_too_few_cards_is_dead() -> None:
    acts: tuple[Act, ...] = (*CALLS, ("seat/5", "call", 200))
    story = late_short("seat/5", *acts)
    story.just("dead_hand", position="seat/5")
    assert outcome(played(story, ("seat/1", "fold", 0)), "A.5") is PASS
    alive = played(late_short("seat/5", *acts), ("seat/1", "fold", 0))
    assert verdict(alive, "A.5").failed == ["acted_button_dead"]


def in_a_row() -> Tournament:
    """The button is passed over in the first lap and gets two cards at the end."""
    s = Tournament()
    s.card("seat/1")
    s.card("seat/2")
    s.card("seat/3", to="")
    s.card("seat/1")
    s.card("seat/2")
    s.card("seat/3", came=2)
    return s


def test_two_cards_in_a_row_on_the_button_are_no_misdeal() -> None:
    assert outcome(played(in_a_row()), "B") is PASS
    assert outcome(replayed(in_a_row()), "B") is FAIL
    story = in_a_row()
    story.just("void_round")
    assert outcome(story, "B") is FAIL


def test_two_cards_in_a_row_elsewhere_are_a_matter_for_the_floor() -> None:
    story = Tournament()
    for place in ("seat/1", "seat/2", "seat/2", "seat/3", "seat/1", "seat/3"):
        story.card(place)
    played(story)
    assert outcome(story, "B") is NOTHING
    assert outcome(story, "A.0") is FAIL


# --- the open list ---


def transposed() -> Tournament:
    s = Tournament()
    s.card("seat/1")
    s.card("seat/2", to="seat/3")
    s.card("seat/3", to="seat/2")
    for place in THREE:
        s.card(place)
    return s


UNLISTED = "unlisted_dealing_error"


def test_the_floor_says_whether_an_unlisted_error_is_a_misdeal() -> None:
    called = transposed()
    called.rules(UNLISTED, "misdeal")
    assert outcome(replayed(called), "A.0") is PASS
    going_on = transposed()
    going_on.rules(UNLISTED, "play_on")
    assert outcome(played(going_on), "A.0") is PASS


def test_what_the_floor_rules_is_done() -> None:
    called = transposed()
    called.rules(UNLISTED, "play_on")
    assert verdict(replayed(called), "A.0").failed == ["ruled_play_on_followed"]
    passed_over = transposed()
    passed_over.rules(UNLISTED, "misdeal")
    assert verdict(played(passed_over), "A.0").failed == ["ruled_misdeal_called"]


def test_nobody_but_the_floor_decides_and_without_its_ruling_there_is_no_verdict() -> None:
    assert verdict(played(transposed()), "A.0").failed == ["floor_asked"]
    assert verdict(replayed(transposed()), "A.0").failed == ["floor_asked"]
    unanswered = transposed()
    unanswered.just("call_floor", outcome="failed", question=UNLISTED)
    found = verdict(unanswered, "A.0")
    assert found.verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "“unlisted dealing error”" in found.reason


def test_where_only_the_list_counts_no_other_error_is_a_misdeal() -> None:
    assert outcome(played(transposed()), "A.0", unlisted_errors="list_only") is PASS
    assert outcome(replayed(transposed()), "A.0", unlisted_errors="list_only") is FAIL


# --- exposed cards ---


def one_exposed() -> Tournament:
    s = Tournament()
    s.deal(turned=[4])
    return s


def test_one_other_exposed_card_is_replaced_and_is_no_misdeal() -> None:
    story = one_exposed()
    story.replaced("seat/1")
    assert outcome(played(story), "A.7b") is PASS
    assert outcome(story, "A.7a") is NOTHING
    kept = played(one_exposed())
    assert verdict(kept, "A.7b").failed == ["single_replaced"]
    assert outcome(kept, "A.7b", other_exposed_card="not_asked") is PASS
    assert verdict(replayed(one_exposed()), "A.7b").failed == ["single_no_misdeal"]


def test_by_the_other_reading_the_first_two_cards_are_those_of_each_hand() -> None:
    kept = played(one_exposed())
    assert outcome(kept, "A.7a", first_two_cards="of_each_hand") is FAIL
    assert outcome(replayed(one_exposed()), "A.7a", first_two_cards="of_each_hand") is PASS


def draw_game(rule: str | None) -> Tournament:
    inputs = {} if rule is None else {"draw_exposed_card": rule}
    s = Tournament(THREE[:2], game="tournament_draw", each=5, inputs=inputs)
    s.deal(turned=[1])
    return s


def test_in_a_draw_game_the_house_says_what_becomes_of_an_exposed_card() -> None:
    for rule in ("misdeal", "replace"):
        replaced = draw_game(rule)
        replaced.replaced("seat/1")
        played(replaced, ("seat/1", "fold", 0))
        called = draw_game(rule)
        called.misdeal()
        assert outcome(replaced, "A.7c") is (PASS if rule == "replace" else FAIL)
        assert outcome(called, "A.7c") is (PASS if rule == "misdeal" else FAIL)
        assert outcome(replaced, "A.7a") is NOTHING


def test_without_the_houses_rule_there_is_no_verdict_on_a_draw_game() -> None:
    found = verdict(played(draw_game(None), ("seat/1", "fold", 0)), "A.7c")
    assert found.verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "draw_exposed_card" in found.reason


def test_a_rule_of_the_house_that_nobody_knows_decides_nothing() -> None:
    assert outcome(played(draw_game("must_take"), ("seat/1", "fold", 0)), "A.7c") is Outcome.INCONCLUSIVE
