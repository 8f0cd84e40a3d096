"""N.J.A.C. 13:69F-33.12 (c) to (h), mistakes of people: who obeys, and who breaks that clause alone."""

from collections.abc import Callable

import pytest

from rules.verdicts import Outcome
from tests.rules.storytelling import failed, told
from tests.rules.stud_script import PACK, Stud

# --- (c) drawn in error ----------------------------------------------------------------------------------------------


def drawn(*, up: bool = False) -> Stud:
    s = Stud()
    s.opening()
    s.card("seat/1")
    s.draw(up=up)
    return s


def rest_of_hole(s: Stud) -> None:
    for position in ("dealer", "seat/1", "seat/3", "dealer"):
        s.card(position)
    s.betting()
    s.rest()


def test_c_card_is_used_as_next() -> None:
    s = drawn()
    s.just("use_as_next_card")
    s.deliver("seat/3")
    rest_of_hole(s)
    verdicts = told(s)
    assert verdicts["c"].verdict is Outcome.PASS
    assert failed(verdicts) == set()


def test_c_discarding_it_breaks_it() -> None:
    s = drawn()
    s.collect("shoe_mouth")
    s.card("seat/3")
    rest_of_hole(s)
    assert failed(told(s)) == {"c"}


def test_c_stopping_the_round_for_it_breaks_it() -> None:
    s = drawn()
    s.just("use_as_next_card")
    s.deliver("seat/3")
    s.just("void_round")
    s.just("close_round")
    assert failed(told(s)) == {"c"}


def test_c_does_not_speak_of_an_exposed_card() -> None:
    s = drawn(up=True)
    s.collect("shoe_mouth", verb="retire_card")
    s.card("seat/3")
    rest_of_hole(s)
    verdicts = told(s)
    assert verdicts["c"].verdict is Outcome.NOT_TRIGGERED
    assert verdicts["b.1"].verdict is Outcome.PASS


# --- (d) wrong number of cards ---------------------------------------------------------------------------------------


def wrong_count(relation: str, *, void: str = "seat/3", round_void: bool = False) -> Stud:
    s = Stud()
    s.opening()
    s.hole(**({"seat3_2": {"extra": 1}} if relation == "more" else {}))
    if relation == "fewer":
        order = s.order("betting_round")
        s.bet(["seat/1", "seat/3"])
        s.held["seat/3"] -= 1
        s.look("seat/3")
        s.done(order, "betting_round")
    if void:
        s.just("void_hand", position=void)
        s.live.remove(void)
    if round_void:
        s.just("void_round")
        s.just("close_round")
        return s
    if relation == "more":
        s.betting()
    s.rest()
    return s


@pytest.mark.parametrize(("relation", "alternative"), [("more", "too_many"), ("fewer", "too_few")])
def test_d_only_that_hand_is_void(relation: str, alternative: str) -> None:
    verdicts = told(wrong_count(relation))
    assert verdicts["d"].verdict is Outcome.PASS
    assert verdicts["d"].alternatives == [alternative]
    assert failed(verdicts) == set()


@pytest.mark.parametrize("relation", ["more", "fewer"])
@pytest.mark.parametrize("how", [{"void": ""}, {"void": "seat/1"}, {"round_void": True}])
def test_d_any_other_outcome_breaks_it(relation: str, how: dict[str, object]) -> None:
    assert failed(told(wrong_count(relation, **how))) == {"d"}  # type: ignore[arg-type]


# --- (e) burn forgotten ----------------------------------------------------------------------------------------------


def forgotten_burn() -> Stud:
    s = Stud()
    s.opening()
    s.hole()
    s.betting()
    s.burn(comes=0)
    return s


def test_e_street_goes_on_and_two_are_burned_later() -> None:
    s = forgotten_burn()
    s.street(burns=0)
    s.street(burns=2)
    s.street()
    s.finish()
    verdicts = told(s)
    assert verdicts["e.1"].verdict is Outcome.PASS
    assert verdicts["e.2"].verdict is Outcome.PASS
    assert failed(verdicts) == set()


def test_e_two_burns_of_one_card_each_are_two() -> None:
    s = forgotten_burn()
    s.street(burns=0)
    s.burn()
    s.burn()
    s.street(burns=0)
    s.street()
    s.finish()
    assert told(s)["e.2"].verdict is Outcome.PASS


@pytest.mark.parametrize("burns", [0, 1, 3])
def test_e2_any_other_number_breaks_it(burns: int) -> None:
    s = forgotten_burn()
    s.street(burns=0)
    s.street(burns=burns)
    s.street()
    s.finish()
    assert failed(told(s)) == {"e.2"}


def test_e1_burning_late_breaks_it() -> None:
    s = forgotten_burn()
    s.card("seat/1", "up")
    s.burn()
    s.card("seat/3", "up")
    s.card("dealer", "up")
    s.betting()
    s.street(burns=2)
    s.street()
    s.finish()
    assert failed(told(s)) == {"e.1"}


def test_e1_voiding_the_round_breaks_it() -> None:
    s = forgotten_burn()
    s.just("void_round")
    s.just("close_round")
    assert failed(told(s)) == {"e.1"}


def test_e2_has_no_effect_on_the_last_street() -> None:
    s = Stud()
    s.opening()
    s.hole()
    s.betting()
    s.street()
    s.street()
    s.burn(comes=0)
    s.street(burns=0)
    s.finish()
    verdicts = told(s)
    assert verdicts["e.1"].verdict is Outcome.PASS
    assert verdicts["e.2"].verdict is Outcome.NOT_TRIGGERED


# --- (f) hand passed over --------------------------------------------------------------------------------------------


def passed_over(
    position: str = "seat/3", *, misdeal: bool = True, void: str = "all", reshuffle: str = "all_cards"
) -> Stud:
    s = Stud()
    s.opening()
    neighbour = {"seat/3": "dealer", "dealer": "seat/1"}[position]
    s.card("seat/1")
    if position == "seat/3":
        s.card("seat/3", lands=neighbour)
    else:
        s.card("seat/3")
        s.card("dealer", lands=neighbour)
    if misdeal:
        s.just("misdeal")
    if void:
        s.just("void_wagers", scope="round", wager=void)
    if reshuffle:
        s.reshuffle(reshuffle)
    s.just("close_round")
    s.opening("seat/3", shuffled=True)
    return s


@pytest.mark.parametrize("position", ["seat/3", "dealer"])
def test_f_passed_over_hand_is_a_misdeal(position: str) -> None:
    verdicts = told(passed_over(position))
    assert {verdicts[one].verdict for one in ("f.1", "f.2", "f.3")} == {Outcome.PASS}
    assert verdicts["f.1"].alternatives == ["dealer" if position == "dealer" else "player"]
    assert verdicts["d"].verdict in (Outcome.NOT_TRIGGERED, Outcome.NOT_APPLICABLE)
    assert failed(verdicts) == set()


@pytest.mark.parametrize(
    ("how", "broken"),
    [
        ({"misdeal": False}, "f.1"),
        ({"void": ""}, "f.2"),
        ({"void": "main"}, "f.2"),
        ({"reshuffle": ""}, "f.3"),
        ({"reshuffle": "device_cards"}, "f.3"),
    ],
)
def test_f_each_part_left_out_breaks_its_clause(how: dict[str, str], broken: str) -> None:
    assert failed(told(passed_over(**how))) == {broken}  # type: ignore[arg-type]


def test_f1_dealing_the_card_late_breaks_it() -> None:
    s = Stud()
    s.opening()
    s.card("seat/1")
    s.card("seat/3", lands="dealer")
    s.card("seat/3")
    s.just("misdeal")
    s.just("void_wagers", scope="round", wager="all")
    s.reshuffle()
    assert failed(told(s)) == {"f.1"}


def test_f_a_hand_that_the_software_itself_leaves_out_is_passed_over() -> None:
    s = Stud()
    s.opening()
    for position in ("seat/1", "seat/3", "dealer", "seat/1", "dealer"):
        s.card(position)
    s.betting()
    s.rest()
    verdicts = told(s)
    assert failed(verdicts) == {"f.1", "f.2", "f.3"}
    assert "the hand at seat 3 was ordered 1 card where others were ordered 2" in verdicts["f.1"].reason.lower()


def test_f2_bonus_may_survive_if_the_policy_says_so() -> None:
    s = passed_over(void="main")
    s.end()
    assert s.verdicts(bonus_on_misdeal="kept")[f"{PACK}.f.2"].verdict is Outcome.PASS


def test_f_becomes_d_if_the_policy_says_so() -> None:
    s = passed_over()
    s.end()
    verdicts = s.verdicts(short_hand_in_deal="void_hand")
    assert verdicts[f"{PACK}.f.1"].verdict is Outcome.NOT_TRIGGERED
    assert verdicts[f"{PACK}.d"].verdict is Outcome.FAIL


# --- (g) button ------------------------------------------------------------------------------------------------------


def missed_button(logical: str, *, void: bool = False, again: bool = False) -> Stud:
    s = Stud()
    s.ask("next_round")
    s.just("open_round")
    s.button(logical, seen="dealer")
    s.shuffle()
    s.cut()
    s.load_shoe()
    s.hole()
    if again:
        s.button(logical)
    if void:
        s.just("void_round")
        s.just("close_round")
    else:
        s.betting()
        s.rest()
    return s


@pytest.mark.parametrize(("logical", "following", "clause"), [("seat/1", "seat/3", "g.2"), ("seat/3", "dealer", "g.3")])
def test_g_button_goes_on_from_where_it_should_have_been(logical: str, following: str, clause: str) -> None:
    s = missed_button(logical)
    s.opening(following)
    s.card("seat/1")
    verdicts = told(s)
    assert verdicts["g.1"].verdict is Outcome.PASS
    assert verdicts[clause].verdict is Outcome.PASS
    assert verdicts["g.2" if clause == "g.3" else "g.3"].verdict is Outcome.NOT_TRIGGERED


@pytest.mark.parametrize(("logical", "clause"), [("seat/1", "g.2"), ("seat/3", "g.3")])
@pytest.mark.parametrize("move", [True, False])
def test_g_button_elsewhere_or_not_moved_breaks_it(logical: str, clause: str, move: bool) -> None:
    s = missed_button(logical)
    s.opening("seat/1", move=move)
    s.card("seat/1")
    assert failed(told(s)) == {clause}


def test_g2_counts_from_the_button_itself_if_the_policy_says_so() -> None:
    s = missed_button("seat/1")
    s.opening("seat/1")
    s.card("seat/1")
    s.end()
    assert s.verdicts(next_from="physical")[f"{PACK}.g.2"].verdict is Outcome.PASS


@pytest.mark.parametrize("how", [{"void": True}, {"again": True}])
def test_g1_stopping_for_it_breaks_it(how: dict[str, bool]) -> None:
    assert failed(told(missed_button("seat/1", **how))) == {"g.1"}


# --- (h) exposed by the player ---------------------------------------------------------------------------------------


def exposed(reaction: Callable[[Stud], object]) -> Stud:
    s = Stud()
    s.opening()
    s.hole()
    s.expose("seat/3")
    reaction(s)
    return s


def test_h_hand_stays_active() -> None:
    s = exposed(lambda s: s.just("hand_active", position="seat/3"))
    s.rest()
    verdicts = told(s)
    assert verdicts["h"].verdict is Outcome.PASS
    assert verdicts["a.1"].verdict is Outcome.NOT_TRIGGERED  # the dealer turned nothing up
    assert failed(verdicts) == set()


@pytest.mark.parametrize("verb", ["dead_hand", "void_hand"])
def test_h_killing_the_hand_breaks_it(verb: str) -> None:
    s = exposed(lambda s: s.just(verb, position="seat/3"))
    s.rest()
    assert failed(told(s)) == {"h"}


def test_h_voiding_the_round_breaks_it() -> None:
    s = exposed(lambda s: s.just("void_round"))
    s.just("close_round")
    assert failed(told(s)) == {"h"}


def test_h_leaving_the_hand_unsettled_breaks_it() -> None:
    s = exposed(lambda s: s.just("hand_active", position="seat/3"))
    s.just("settle", wager="main", position="seat/1")
    s.just("close_round")
    assert failed(told(s)) == {"h"}


def test_h_showing_when_it_is_time_triggers_nothing() -> None:
    s = Stud()
    s.opening()
    s.hole()
    s.betting()
    s.rest()
    assert told(s)["h"].verdict is Outcome.NOT_TRIGGERED
