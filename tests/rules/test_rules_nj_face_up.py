"""N.J.A.C. 13:69F-33.12 (a) and (b), cards that lie face up: who obeys, and who breaks that clause alone."""

import pytest

from rules.verdicts import Outcome
from tests.rules.storytelling import failed, told
from tests.rules.stud_script import PACK, Stud

# --- (a) hole cards turned up ----------------------------------------------------------------------------------------


def one_up(position: str, nth: int, third: str = "down") -> Stud:
    s = Stud()
    s.opening()
    s.hole(**{f"{position.replace('/', '')}_{nth}": {"up": True}})
    s.betting()
    s.street(**{position.replace("/", ""): third})  # type: ignore[arg-type]
    s.street()
    s.street()
    s.finish()
    return s


def test_a1_third_card_face_up_breaks_it() -> None:
    verdicts = told(one_up("seat/3", 1, third="up"))
    assert failed(verdicts) == {"a.1"}
    assert "third card of that hand is dealt face down" in verdicts["a.1"].reason


@pytest.mark.parametrize(
    ("position", "nth", "alternative"),
    [
        ("seat/3", 1, "player_first"),
        ("seat/3", 2, "player_second"),
        ("dealer", 1, "dealer_first"),
        ("dealer", 2, "dealer_second"),
    ],
)
def test_a1_third_card_face_down_meets_it(position: str, nth: int, alternative: str) -> None:
    verdicts = told(one_up(position, nth))
    assert verdicts["a.1"].verdict is Outcome.PASS
    assert verdicts["a.1"].alternatives == [alternative]
    assert verdicts["a.2"].verdict is Outcome.NOT_TRIGGERED
    assert failed(verdicts) == set()


def test_a1_killing_the_hand_breaks_it() -> None:
    s = Stud()
    s.opening()
    s.hole(seat3_1={"up": True})
    s.just("dead_hand", position="seat/3")
    s.live.remove("seat/3")
    s.betting()
    s.rest()
    assert failed(told(s)) == {"a.1"}


def both_up(
    position: str = "seat/3", *, announce: bool = True, void: bool = True, collect: bool = True, dead: bool = True
) -> Stud:
    s = Stud()
    s.opening()
    key = position.replace("/", "")
    s.hole(**{f"{key}_1": {"up": True}, f"{key}_2": {"up": True}})
    if dead:
        s.just("dead_hand", position=position)
    if announce:
        s.announce("dead")
    if void:
        if position == "dealer":
            s.just("void_wagers", scope="round", wager="main")
        else:
            s.just("void_wagers", scope="hand", position=position, wager="main")
    if collect:
        s.collect(position)
        s.live.remove(position)
    return s


@pytest.mark.parametrize("position", ["seat/3", "dealer"])
def test_a2_dead_hand_is_called_voided_and_collected(position: str) -> None:
    s = both_up(position)
    s.betting()
    s.rest()
    verdicts = told(s)
    assert verdicts["a.2"].verdict is Outcome.PASS
    assert verdicts["a.2"].alternatives == ["dealer" if position == "dealer" else "player"]
    assert verdicts["a.1"].verdict is Outcome.NOT_TRIGGERED  # both cards up is not one card up
    assert failed(verdicts) == set()


@pytest.mark.parametrize("omitted", ["announce", "void", "collect", "dead"])
@pytest.mark.parametrize("position", ["seat/3", "dealer"])
def test_a2_each_step_omitted_breaks_it(omitted: str, position: str) -> None:
    s = both_up(position, **{omitted: False})
    s.betting()
    s.rest()
    assert failed(told(s)) == {"a.2"}


def test_a2_steps_in_the_wrong_order_break_it() -> None:
    s = both_up(announce=False, void=False, collect=False)
    s.collect("seat/3")
    s.just("void_wagers", scope="hand", position="seat/3", wager="main")
    s.announce("dead")
    s.live.remove("seat/3")
    s.betting()
    s.rest()
    assert failed(told(s)) == {"a.2"}


def test_a2_voiding_another_hand_breaks_it() -> None:
    s = both_up()
    s.just("void_wagers", scope="hand", position="seat/1", wager="main")
    s.betting()
    s.rest()
    assert failed(told(s)) == {"a.2"}


def test_a2_only_what_is_booked_under_the_dealer_may_be_void_if_the_policy_says_so() -> None:
    s = both_up("dealer", void=False, collect=False)
    s.just("void_wagers", scope="hand", position="dealer", wager="main")
    s.collect("dealer")
    s.live.remove("dealer")
    s.betting()
    s.rest()
    s.end()
    clause = f"{PACK}.a.2"
    assert s.verdicts()[clause].verdict is Outcome.FAIL
    relaxed = s.verdicts(dealer_dead_hand="dealer_position")[clause]
    assert relaxed.verdict is Outcome.PASS
    assert relaxed.policies == {"dealer_dead_hand": "dealer_position"}


def bonus(labels: list[str], *, settle: bool = True, wager: str = "main", inputs: dict[str, str] | None = None) -> Stud:
    s = Stud(inputs=inputs)
    s.wager("seat/3", "jacks_plus")
    s.labels["seat/3"] = labels
    s.opening()
    s.hole(seat3_1={"up": True}, seat3_2={"up": True})
    s.just("dead_hand", position="seat/3")
    s.announce("dead")
    if settle:
        s.just("settle", wager="jacks_plus", position="seat/3")
    s.just("void_wagers", scope="hand", position="seat/3", wager=wager)
    s.collect("seat/3")
    s.live.remove("seat/3")
    s.betting()
    s.street()
    s.street()
    s.street()
    order = s.order("show_hands")
    s.done(order, "show_hands")
    s.just("settle", wager="main")
    s.collect_all()
    s.just("close_round")
    return s


def test_a3_winning_bonus_is_settled() -> None:
    verdicts = told(bonus(["Jc", "Jh"]))
    assert verdicts["a.3"].verdict is Outcome.PASS
    assert verdicts["a.2"].verdict is Outcome.PASS


def test_a3_winning_bonus_voided_breaks_it() -> None:
    assert failed(told(bonus(["Jc", "Jh"], settle=False, wager="all"))) == {"a.3"}


def test_a3_winning_bonus_forgotten_breaks_it() -> None:
    assert failed(told(bonus(["Jc", "Jh"], settle=False))) == {"a.3"}


@pytest.mark.parametrize("labels", [["2c", "9h"], ["Tc", "Th"], ["Jc", "Qh"]])
def test_a3_is_not_triggered_by_a_losing_bonus(labels: list[str]) -> None:
    verdicts = told(bonus(labels, settle=False, wager="all"))
    assert verdicts["a.3"].verdict is Outcome.NOT_TRIGGERED
    assert failed(verdicts) == set()


@pytest.mark.parametrize(("settle", "outcome"), [(True, Outcome.PASS), (False, Outcome.FAIL)])
def test_a3_is_judged_when_the_odds_are_given(settle: bool, outcome: Outcome) -> None:
    s = bonus(["Jc", "Jh"], settle=settle, inputs={"jacks_plus_odds": "odds.toml"})
    s.end()
    assert s.verdicts(bonus_odds="operator_odds")[f"{PACK}.a.3"].verdict is outcome


def test_a3_needs_the_odds_if_the_policy_asks_for_them() -> None:
    s = bonus(["Jc", "Jh"])
    s.end()
    verdict = s.verdicts(bonus_odds="operator_odds")[f"{PACK}.a.3"]
    assert verdict.verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "jacks_plus_odds" in verdict.reason


# --- (b) cards face up in the shoe -----------------------------------------------------------------------------------


def face_up_card(s: Stud, *, retire: bool = True) -> None:
    """A card of the shoe comes out face up instead of the one for seat 3."""
    s.dispense(up=True)
    if retire:
        s.collect("shoe_mouth", verb="retire_card")
        s.dispense()
    s.deliver("seat/3", up=not retire)


def test_b1_card_goes_unused_to_the_rack() -> None:
    s = Stud()
    s.opening()
    s.card("seat/1")
    face_up_card(s)
    for position in ("dealer", "seat/1", "seat/3", "dealer"):
        s.card(position)
    s.betting()
    s.rest()
    verdicts = told(s)
    assert verdicts["b.1"].verdict is Outcome.PASS
    assert verdicts["b.2"].verdict is Outcome.NOT_TRIGGERED
    assert failed(verdicts) == set()


def test_b1_using_the_card_breaks_it() -> None:
    s = Stud()
    s.opening()
    s.card("seat/1", up=False)
    s.dispense(up=True)
    s.deliver("seat/3", up=False)
    for position in ("dealer", "seat/1", "seat/3", "dealer"):
        s.card(position)
    s.betting()
    s.rest()
    assert failed(told(s)) == {"b.1"}


def test_b1_voiding_the_round_breaks_it() -> None:
    s = Stud()
    s.opening()
    s.card("seat/1")
    s.dispense(up=True)
    s.collect("shoe_mouth", verb="retire_card")
    s.just("void_round")
    s.just("close_round")
    assert failed(told(s)) == {"b.1"}


def two_face_up(*, void: bool = True, reshuffle: bool = True, first: bool = True) -> Stud:
    s = Stud()
    s.opening()
    s.card("seat/1")
    if first:
        s.dispense(up=True)
        s.collect("shoe_mouth", verb="retire_card")
    s.dispense(up=True)
    if void:
        s.just("void_round")
    if reshuffle:
        s.reshuffle()
    s.just("close_round")
    return s


def test_b2_second_card_voids_the_round_and_overrides_b1() -> None:
    verdicts = told(two_face_up())
    assert verdicts["b.2"].verdict is Outcome.PASS
    assert verdicts["b.1"].verdict is Outcome.PASS  # the first was retired; playing on is no longer asked for
    assert failed(verdicts) == set()


@pytest.mark.parametrize("omitted", ["void", "reshuffle"])
def test_b2_each_step_omitted_breaks_it(omitted: str) -> None:
    assert failed(told(two_face_up(**{omitted: False}))) == {"b.2"}


def test_b2_dealing_on_breaks_it() -> None:
    s = two_face_up(void=False, reshuffle=False)
    s.collect("shoe_mouth", verb="retire_card")
    s.card("seat/3")
    assert failed(told(s)) == {"b.2"}


def test_b2_counts_in_each_round_anew() -> None:
    s = Stud()
    for shuffled in (False, True):
        s.opening(shuffled=shuffled, button="seat/1" if not shuffled else "seat/3")
        s.dispense(up=True)
        s.collect("shoe_mouth", verb="retire_card")
        s.hole()
        s.betting()
        s.rest()
        if not shuffled:
            s.shuffle()
    verdicts = told(s)
    assert verdicts["b.1"].verdict is Outcome.PASS
    assert verdicts["b.2"].verdict is Outcome.NOT_TRIGGERED


def late_face_up(cards: int, *, void: bool = False) -> Stud:
    s = Stud()
    s.opening()
    s.hole()
    s.betting()
    for _ in range(3):
        s.street()
    for _ in range(cards):
        s.draw(up=True)
    s.collect("shoe_mouth")
    if void:
        s.just("void_round")
        s.just("close_round")
    else:
        s.finish()
    return s


@pytest.mark.parametrize(("cards", "alternatives"), [(1, ["one"]), (2, ["one", "more"])])
def test_b3_card_found_after_the_deal_changes_nothing(cards: int, alternatives: list[str]) -> None:
    verdicts = told(late_face_up(cards))
    assert verdicts["b.3"].verdict is Outcome.PASS
    assert verdicts["b.3"].alternatives == alternatives
    assert {verdicts[one].verdict for one in ("b.1", "b.2")} == {Outcome.NOT_TRIGGERED}
    assert failed(verdicts) == set()


@pytest.mark.parametrize("cards", [1, 2])
def test_b3_voiding_breaks_it(cards: int) -> None:
    assert failed(told(late_face_up(cards, void=True))) == {"b.3"}
