"""Cards for somebody who is not in the round, cards face up in the deck, exposed ones: (B), (D), (G), to both sides."""

import pytest

from evidence.events import PlayerDid
from rules.verdicts import Outcome
from tests.rules.poker_script import ANTE, BET, SEATED, Poker, broken
from tests.rules.storytelling import told, triggered

FOUR = ("seat/1", "seat/2", "seat/3", "seat/4")

# --- (B): cards for somebody who is not in the round ---


def dealt_to(place: str, *, seated: tuple[str, ...], antes: tuple[str, ...]) -> Poker:
    """One card for each player, and one for somebody who is not in the round."""
    story = Poker(seated=seated).opening(antes=antes)
    story.live = list(antes)
    story.turn()
    story.card(antes[-1], lands=[antes[-1], place])
    return story


def rest(story: Poker, winner: str = "seat/3") -> Poker:
    story.turn("down", skip=[winner])
    story.turn("up")
    return story.finish(winner)


WAYS: dict[str, dict[str, tuple[str, ...]]] = {
    "empty_seat": {"seated": SEATED, "antes": SEATED},
    "not_in_pot": {"seated": FOUR, "antes": SEATED},
}


@pytest.mark.parametrize("why", WAYS)
def test_cards_for_somebody_not_in_the_round_go_and_the_round_goes_on(why: str) -> None:
    story = dealt_to("seat/4", **WAYS[why])
    story.collect("seat/4")
    verdicts = told(rest(story))
    assert (verdicts["B.1"].verdict, verdicts["B.2"].verdict) == (Outcome.PASS, Outcome.PASS)
    assert verdicts["B.1"].alternatives == [why]
    assert broken(told(rest(dealt_to("seat/4", **WAYS[why])))) == {"B.1/cards_discarded"}


def test_a_folded_hand_is_not_in_the_round_either() -> None:
    for collects in (True, False):
        story = Poker().opening().dealt()
        story.betting(folds=["seat/2"])
        story.collect("seat/2")
        story.card("seat/1", "up", lands=["seat/1", "seat/2"])
        if collects:
            story.collect("seat/2")
        story.card("seat/3", "up")
        verdicts = told(story.finish())
        assert verdicts["B.1"].alternatives == ["hand_over"]
        assert broken(verdicts) == (set() if collects else {"B.1/cards_discarded"})


def test_only_those_cards_go_and_to_nobody_else() -> None:
    kills = dealt_to("seat/4", **WAYS["empty_seat"])
    kills.collect("seat/4")
    kills.kill("seat/1")
    assert broken(told(rest(kills))) == {"B.1/no_other_hand_touched"}
    passes_on = dealt_to("seat/4", **WAYS["empty_seat"])
    passes_on.move_card("seat/4", "seat/1")
    assert broken(told(rest(passes_on))) == {"B.1/cards_discarded", "B.1/nobody_gets_them"}
    voids = dealt_to("seat/4", **WAYS["empty_seat"])
    voids.collect("seat/4")
    voids.just("void_round")
    assert broken(told(voids)) == {"B.2/round_goes_on"}


def test_cards_may_go_after_the_betting_where_the_switch_says_so() -> None:
    def late() -> Poker:
        story = dealt_to("seat/4", **WAYS["empty_seat"])
        story.turn("down", skip=["seat/3"])
        story.turn("up")
        story.betting(folds=["seat/1", "seat/2"])
        story.collect("seat/4")
        story.award("seat/3")
        return story

    assert broken(told(late())) == {"B.1/cards_discarded"}
    assert broken(told(late(), ineligible_discard_deadline="before_round_ends")) == set()


# --- (D): cards face up in the deck ---


def boxed(*, gone: bool = True) -> Poker:
    story = Poker().opening().dealt(1)
    story.dispense(up=True)
    if gone:
        story.collect("shoe_mouth", verb="retire_card")
    return story


def test_one_card_face_up_goes_to_the_discards_unused() -> None:
    right = told(boxed().dealt(2).finish())
    assert (right["D.1"].verdict, right["D.2"].verdict) == (Outcome.PASS, Outcome.NOT_TRIGGERED)
    used = boxed(gone=False)
    used.deliver("seat/1")
    assert broken(told(used.finish())) == {"D.1/to_the_discards"}
    voids = boxed()
    voids.just("void_round")
    assert broken(told(voids)) == {"D.1/round_goes_on"}


def two_boxed(*, reshuffle: str = "all_cards", pays: bool = True) -> Poker:
    story = boxed()
    story.dispense(up=True)
    story.just("void_round")
    for seat in SEATED if pays else ():
        story.pay_back(seat, ANTE)
    if reshuffle:
        story.reshuffle(reshuffle)
    return story


def test_with_a_second_one_all_cards_go_back_and_so_do_the_bets() -> None:
    verdicts = told(two_boxed())
    assert verdicts["D.2"].verdict is Outcome.PASS
    assert broken(told(two_boxed(reshuffle=""))) == {"D.2/all_reshuffled"}
    assert broken(told(two_boxed(reshuffle="device_cards"))) == {"D.2/all_reshuffled"}
    assert broken(told(two_boxed(pays=False))) == {"D.2/bets_back"}
    assert broken(told(two_boxed(pays=False), bets_when_cards_return="not_judged")) == set()


# --- (G): two down cards and the third ---


def exposed(*nth: int) -> Poker:
    """Those of the first two cards of seat 2 land face up."""
    story = Poker().opening()
    for turn in (1, 2):
        story.turn(seat2={"up": True} if turn in nth else {})
    return story


@pytest.mark.parametrize(("nth", "which"), [(1, "first"), (2, "second")])
def test_after_one_exposed_down_card_the_third_comes_down(nth: int, which: str) -> None:
    right = exposed(nth)
    right.turn("up", seat2={"face": "down"})
    verdicts = told(right.finish())
    assert verdicts["G.1"].verdict is Outcome.PASS
    assert verdicts["G.1"].alternatives == [which]
    assert triggered(verdicts) == {"G.1"}


def test_a_third_card_face_up_after_it_breaks_the_rule_and_makes_two_of_three() -> None:
    wrong = exposed(1)
    wrong.turn("up")
    assert broken(told(wrong.finish())) == {"G.1/third_ordered_down", "G.2/hand_dead", "G.2/initial_bet_back"}
    lenient = exposed(1)
    lenient.turn("up")
    assert broken(told(lenient.finish(), two_of_three="down_cards_only")) == {"G.1/third_ordered_down"}


def test_a_hand_with_one_exposed_down_card_lives() -> None:
    killed = exposed(1)
    killed.kill("seat/2")
    killed.turn("up")
    assert broken(told(killed.finish())) == {"G.1/third_ordered_down", "G.1/hand_lives"}


def test_a_player_who_shows_a_card_has_not_been_dealt_it_face_up() -> None:
    story = Poker().opening().dealt(1)
    story.put(PlayerDid(act="expose", position="seat/2"))
    story.up["seat/2"] = 1
    assert triggered(told(story.dealt(1).finish())) == set()


def two_up(story: Poker, *, dead: bool = True, pays: tuple[tuple[str, int], ...] = (("seat/2", ANTE),)) -> Poker:
    if dead:
        story.kill("seat/2")
    for seat, cents in pays:
        story.pay_back(seat, cents)
    return story


def test_two_exposed_down_cards_make_the_hand_dead_and_the_initial_bet_goes_back() -> None:
    right = told(rest_up(two_up(exposed(1, 2))))
    assert right["G.2"].verdict is Outcome.PASS
    assert right["G.2"].alternatives == ["both_down_cards"]
    assert right["G.1"].verdict is Outcome.NOT_APPLICABLE
    assert broken(told(rest_up(two_up(exposed(1, 2), dead=False)))) == {"G.2/hand_dead"}
    assert broken(told(rest_up(two_up(exposed(1, 2), pays=())))) == {"G.2/initial_bet_back"}
    twice = two_up(exposed(1, 2), pays=(("seat/2", ANTE), ("seat/2", ANTE)))
    assert broken(told(rest_up(twice))) == {"G.2/nothing_over"}
    elsewhere = two_up(exposed(1, 2), pays=(("seat/1", ANTE),))
    assert broken(told(rest_up(elsewhere))) == {"G.2/initial_bet_back", "G.2/nothing_over"}
    voided = two_up(exposed(1, 2))
    voided.just("void_round")
    assert broken(told(voided)) == {"G.2/round_goes_on"}


def rest_up(story: Poker) -> Poker:
    story.turn("up")
    return story.finish()


def test_one_exposed_down_card_and_the_third_count_for_two_of_three() -> None:
    story = exposed(1)
    story.turn("up", skip=["seat/3"], seat2={"face": "down", "up": True})
    two_up(story)
    story.card("seat/3", "up")
    verdicts = told(story.finish())
    assert verdicts["G.2"].verdict is Outcome.PASS
    assert verdicts["G.2"].alternatives == ["one_and_the_third"]


def test_the_whole_stake_goes_back_where_the_switch_says_so() -> None:
    def story(cents: int) -> Poker:
        poker = exposed(1)
        poker.betting()
        poker.turn("down", skip=["seat/1", "seat/3"], seat2={"up": True})
        return rest_up(two_up(poker, pays=(("seat/2", cents),)))

    for cents, switch, failing in (
        (ANTE, "initial_bet", set()),
        (ANTE + BET, "initial_bet", {"G.2/initial_bet_back"}),
        (ANTE + BET, "whole_stake", set()),
        (ANTE, "whole_stake", {"G.2/initial_bet_back"}),
    ):
        assert broken(told(story(cents), bet_of_dead_hand=switch)) & {"G.2/initial_bet_back"} == failing


def test_nothing_is_due_to_a_hand_whose_player_has_put_nothing_in() -> None:
    story = Poker().opening(antes=())
    for _ in (1, 2):
        story.turn(seat2={"up": True})
    verdicts = told(rest_up(two_up(story, pays=())))
    assert broken(verdicts) == set()
    assert verdicts["G.2"].requirements["initial_bet_back"] is Outcome.NOT_TRIGGERED
