"""The last card, cards that fall, hands passed over and cards too many: (H), (I) and (J), to both sides."""

from typing import Any

import pytest

from rules.verdicts import Outcome
from tests.rules.poker_script import Poker, broken
from tests.rules.storytelling import told, triggered

FOUR = ("seat/1", "seat/2", "seat/3", "seat/4")


def rest_up(story: Poker) -> Poker:
    story.turn("up")
    return story.finish()


# --- (H): the last card ---


def last_cards(seat1: str = "down", seat3: str = "up") -> Poker:
    """The last card of seat 2 lands face up; the others come as told, where it matters after that one."""
    story = Poker().opening().dealt(6)
    story.card("seat/1", seat1)
    story.card("seat/2", "down", up=True)
    story.card("seat/3", seat3)
    return story.finish()


def test_after_an_exposed_last_card_the_others_come_face_up() -> None:
    assert told(last_cards())["H"].verdict is Outcome.PASS
    assert broken(told(last_cards(seat3="down"))) == {"H/all_face_up"}
    assert told(Poker().opening().dealt(7).finish())["H"].verdict is Outcome.NOT_TRIGGERED


def test_last_cards_dealt_before_it_stay_as_they_lie_unless_the_switch_says_so() -> None:
    assert broken(told(last_cards(), last_cards_already_dealt="turned_up")) == {"H/all_face_up"}
    story = Poker().opening().dealt(6)
    story.card("seat/1")
    story.card("seat/2", "down", up=True)
    story.card("seat/3", "up")
    order = story.order("turn_up", position="seat/1", count=7)
    story.up["seat/1"] += 1
    story.act("turn_up", order, position="seat/1")
    story.look("seat/1")
    story.done(order, "turn_up")
    assert told(story.finish(), last_cards_already_dealt="turned_up")["H"].verdict is Outcome.PASS


def test_where_the_camera_could_not_see_the_last_card_there_is_no_verdict() -> None:
    story = Poker().opening().dealt(6)
    story.blind.add("seat/2")
    story.card("seat/1")
    story.card("seat/2")
    assert told(story.finish())["H"].verdict is Outcome.INCONCLUSIVE


# --- (I): a card that falls ---


def fallen(face: str = "down") -> Poker:
    story = Poker().opening().dealt(1)
    story.card("seat/1")
    story.drop("seat/2", face)
    return story


@pytest.mark.parametrize(("face", "way"), [("down", "face_down"), ("up", "face_up")])
def test_a_fallen_card_goes_to_the_player_it_was_meant_for(face: str, way: str) -> None:
    story = fallen(face)
    story.recover("seat/2", face=face)
    story.card("seat/3")
    story.turn("up", seat2={"face": "down" if face == "up" else "up"})
    verdicts = told(story.finish())
    assert verdicts["I"].verdict is Outcome.PASS
    assert verdicts["I"].alternatives == [way]
    assert triggered(verdicts) == ({"I", "G.1"} if face == "up" else {"I"})


def test_a_fallen_card_is_neither_replaced_nor_given_to_another_nor_left_lying() -> None:
    replaced = fallen()
    replaced.card("seat/2")
    replaced.card("seat/3")
    assert broken(told(rest_up(replaced))) == {"I/to_its_player"}
    elsewhere = fallen()
    elsewhere.recover("seat/1")
    assert "I/to_its_player" in broken(told(rest_up(elsewhere)))
    lost = fallen()
    lost.recover("seat/2", arrives=False)
    assert "I/to_its_player" in broken(told(rest_up(lost)))
    voided = fallen()
    voided.recover("seat/2")
    voided.just("void_round")
    assert broken(told(voided)) == {"I/nothing_void"}


def test_a_face_shown_on_the_floor_counts_unless_the_switch_says_not() -> None:
    def given_back_down(third: str) -> Poker:
        story = fallen("up")
        story.recover("seat/2", face="down")
        story.card("seat/3")
        story.turn("up", seat2={"face": third})
        return story.finish()

    assert broken(told(given_back_down("up"))) == {"G.1/third_ordered_down"}
    assert broken(told(given_back_down("down"))) == set()
    lenient = told(given_back_down("up"), exposed_on_floor="does_not_count")
    assert lenient["G.1"].verdict is Outcome.NOT_TRIGGERED


# --- (J): hands passed over, and cards too many ---


def passed_over(*served: str, seated: tuple[str, ...] = FOUR) -> Poker:
    """The second card of seat 1 goes to the first of `served`, and the dealer deals on to the others."""
    story = Poker(seated=seated).opening().dealt(1)
    story.card("seat/1", lands=served)
    return story


def turns_over(story: Poker, winner: str = "seat/3") -> Poker:
    story.turn("up")
    return story.finish(winner)


def test_a_mistake_noticed_in_time_is_put_right_at_once() -> None:
    story = passed_over("seat/2")
    story.move_card("seat/2", "seat/1")
    for seat in FOUR[1:]:
        story.card(seat)
    verdicts = told(turns_over(story))
    assert verdicts["J.1"].verdict is Outcome.PASS
    assert verdicts["J.1"].alternatives == ["passed_over"]
    assert verdicts["J.2"].verdict is Outcome.NOT_TRIGGERED
    left = passed_over("seat/2")
    for seat in (*FOUR[2:], "seat/1"):
        left.card(seat)
    assert broken(told(turns_over(left))) == {"J.1/put_right"}
    allowed = passed_over("seat/2")
    for seat in (*FOUR[2:], "seat/1"):
        allowed.card(seat)
    assert broken(told(turns_over(allowed), correction_in_time="allowed")) == set()


def test_a_card_too_many_is_taken_back_in_time() -> None:
    def story(*, mended: bool) -> Poker:
        poker = Poker().opening().dealt(1)
        poker.card("seat/1", cards=2)
        if mended:
            poker.move_card("seat/1", "shoe_mouth")
            poker.deliver("seat/2")
        else:
            poker.card("seat/2")
        poker.card("seat/3")
        return turns_over(poker)

    right = told(story(mended=True))
    assert right["J.1"].verdict is Outcome.PASS
    assert right["J.1"].alternatives == ["too_many"]
    assert broken(told(story(mended=False))) == {"J.1/put_right"}


def test_a_mistake_noticed_in_time_voids_nothing() -> None:
    story = passed_over("seat/2")
    story.move_card("seat/2", "seat/1")
    story.just("misdeal")
    assert broken(told(story)) == {"J.1/round_goes_on"}


def late(*then: str, wrong: str = "") -> Poker:
    story = passed_over("seat/2", "seat/3")
    for seat in then:
        story.card(seat)
    if wrong:
        story.just(wrong)
        return story
    return turns_over(story, "seat/3")


def test_a_mistake_noticed_when_two_have_been_served_stands_and_the_hand_is_served_last() -> None:
    verdicts = told(late("seat/4", "seat/1"))
    assert (verdicts["J.1"].verdict, verdicts["J.2"].verdict) == (Outcome.NOT_TRIGGERED, Outcome.PASS)
    assert broken(told(late("seat/1", "seat/4"))) == {"J.2/served_last"}
    assert broken(told(late("seat/4"))) == {"J.2/served_last"}
    assert broken(told(late("seat/4", "seat/1", wrong="void_round"))) == {"J.2/round_goes_on"}


def test_which_players_make_a_mistake_stand_is_a_switch() -> None:
    def third_passed_over() -> Poker:
        story = Poker(seated=FOUR).opening().dealt(1)
        story.card("seat/1")
        story.card("seat/2")
        story.card("seat/3", lands=["seat/4"])
        story.card("seat/3")
        return turns_over(story, "seat/3")

    after = told(third_passed_over())
    assert (after["J.1"].verdict, after["J.2"].verdict) == (Outcome.PASS, Outcome.NOT_TRIGGERED)
    in_turn = told(third_passed_over(), players_counted="in_the_turn")
    assert (in_turn["J.1"].verdict, in_turn["J.2"].verdict) == (Outcome.NOT_TRIGGERED, Outcome.PASS)


def test_another_mistake_noticed_late_is_judged_only_where_the_switch_says_so() -> None:
    def story(**verb: Any) -> Poker:
        poker = Poker(seated=FOUR).opening().dealt(1)
        poker.dispense()
        order = poker.order("deliver", position="seat/1", face="down")
        for seat, cards in (("seat/1", 2), ("seat/2", 1), ("seat/3", 1)):
            poker.held[seat] += cards
        poker.act("deliver", order, position="seat/1")
        for seat in FOUR[:3]:
            poker.look(seat)
        poker.done(order, "deliver")
        poker.just("misdeal")
        return poker

    assert told(story())["J.2"].verdict is Outcome.NOT_TRIGGERED
    assert broken(told(story(), other_late_mistakes="round_goes_on")) == {"J.2/round_goes_on"}
