"""Hands that are taken away or fouled: (E) without protection, (F) with it, and who says which it was."""

import pytest

from evidence.events import FloorRuled, PlayerDid
from rules.verdicts import Outcome
from tests.rules.poker_script import ANTE, BET, Poker, broken
from tests.rules.storytelling import told, triggered

SHARE = ANTE + BET
HOW = {"fouled": ("E.1", "F.2"), "collected": ("E.2", "F.1")}
"""The clauses that speak of a hand lost in this way, without and with protection."""


def lost(how: str, *, protects: bool = False) -> Poker:
    """Seat 1 folds; the hand of seat 2 is taken away, or fouled with the folded cards."""
    story = Poker().opening().dealt()
    order = story.bets(folds=["seat/1"], protects=["seat/2"] if protects else [])
    if how == "fouled":
        story.held["seat/2"] += story.held["seat/1"]
        story.held["seat/1"] = story.up["seat/1"] = 0
        story.look("seat/1")
    else:
        story.act("collect", position="seat/2", place="seat/2")
        story.held["seat/2"] = story.up["seat/2"] = 0
    story.look("seat/2")
    story.over(order)
    return story


def ruled(
    how: str,
    *rulings: str,
    dead: bool = True,
    pays: tuple[tuple[str, int], ...] = (),
    protects: bool = False,
) -> Poker:
    """The floor is asked and rules; the hand is out, and money goes back as told."""
    story = lost(how, protects=protects)
    for question, ruling in zip(("hand_protected", "player_contributed"), rulings, strict=False):
        story.asks_floor(question, "seat/2", ruling)
    if dead:
        story.kill("seat/2")
    for seat, cents in pays:
        story.pay_back(seat, cents)
    story.award("seat/3", 1)
    story.just("close_round")
    return story


@pytest.mark.parametrize("how", HOW)
def test_without_protection_the_hand_is_dead_and_its_money_stays(how: str) -> None:
    unprotected, _ = HOW[how]
    right = told(ruled(how, "unprotected"))
    assert {clause: right[clause].verdict for clause in triggered(right)} == {unprotected: Outcome.PASS}
    refunded = told(ruled(how, "unprotected", pays=(("seat/2", SHARE),)))
    assert broken(refunded) == {f"{unprotected}/no_refund"}
    assert broken(told(ruled(how, "unprotected", dead=False))) == {f"{unprotected}/hand_dead"}


@pytest.mark.parametrize("how", HOW)
def test_the_victim_of_an_error_gets_all_its_money_back_once(how: str) -> None:
    _, protected = HOW[how]
    right = told(ruled(how, "protected", "victim", pays=(("seat/2", SHARE),)))
    assert {clause: right[clause].verdict for clause in triggered(right)} == {protected: Outcome.PASS}
    assert right[protected].alternatives == ["victim"]
    for pays, failing in (
        ((), {"all_refunded"}),
        ((("seat/2", BET),), {"all_refunded"}),
        ((("seat/2", SHARE), ("seat/2", SHARE)), {"nothing_over"}),
        ((("seat/3", SHARE),), {"all_refunded", "nobody_else"}),
        ((("seat/2", SHARE), ("seat/3", SHARE)), {"nobody_else"}),
    ):
        wrong = told(ruled(how, "protected", "victim", pays=pays))
        assert broken(wrong) == {f"{protected}/{name}" for name in failing}


@pytest.mark.parametrize("how", HOW)
def test_nobody_wins_what_has_gone_back(how: str) -> None:
    _, protected = HOW[how]
    for cents, failing in ((2 * ANTE + BET, set()), (3 * ANTE + 2 * BET, {f"{protected}/nothing_over"})):
        story = lost(how)
        story.asks_floor("hand_protected", "seat/2", "protected")
        story.asks_floor("player_contributed", "seat/2", "victim")
        story.kill("seat/2")
        story.pay_back("seat/2", SHARE)
        story.award("seat/3", cents)
        assert broken(told(story)) == failing


@pytest.mark.parametrize("how", HOW)
def test_a_refund_in_two_parts_is_a_refund_and_one_after_the_pot_went_is_too_late(how: str) -> None:
    _, protected = HOW[how]
    parts = ruled(how, "protected", "victim", pays=(("seat/2", BET), ("seat/2", ANTE)))
    assert broken(told(parts)) == set()
    late = ruled(how, "protected", "victim")
    late.pay_back("seat/2", SHARE)
    assert broken(told(late)) == {f"{protected}/all_refunded"}


@pytest.mark.parametrize("how", HOW)
def test_who_contributed_to_the_error_gets_nothing_unless_the_switch_leaves_it_to_the_house(how: str) -> None:
    _, protected = HOW[how]
    right = told(ruled(how, "protected", "contributor"))
    assert (right[protected].verdict, right[protected].alternatives) == (Outcome.PASS, ["contributor"])
    paid = (("seat/2", SHARE),)
    assert broken(told(ruled(how, "protected", "contributor", pays=paid))) == {f"{protected}/contributor_gets_nothing"}
    lenient = told(ruled(how, "protected", "contributor", pays=paid), contributor_refund="not_judged")
    assert broken(lenient) == set()


@pytest.mark.parametrize("how", HOW)
def test_the_floor_decides_and_without_its_word_there_is_no_verdict(how: str) -> None:
    unprotected, protected = HOW[how]
    unanswered = lost(how)
    unanswered.asks_floor("hand_protected", "seat/2")
    unanswered.kill("seat/2")
    verdicts = told(unanswered)
    assert verdicts[unprotected].verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert triggered(verdicts) == {unprotected}
    half = lost(how)
    half.asks_floor("hand_protected", "seat/2", "protected")
    half.asks_floor("player_contributed", "seat/2")
    assert told(half)[protected].verdict is Outcome.NEEDS_OPERATOR_INPUT
    other_words = told(ruled(how, "perhaps"))
    assert other_words[unprotected].verdict is Outcome.INCONCLUSIVE


@pytest.mark.parametrize("how", HOW)
def test_software_that_does_not_ask_the_floor_is_shown_not_to(how: str) -> None:
    unprotected, protected = HOW[how]
    assert broken(told(ruled(how))) == {f"{unprotected}/floor_asked"}
    assert broken(told(ruled(how, "protected"))) == {f"{protected}/floor_asked"}
    unasked = lost(how)
    unasked.put(FloorRuled(question="hand_protected", ruling="unprotected", by="Anna", position="seat/2"))
    unasked.kill("seat/2")
    assert broken(told(unasked)) == set()


@pytest.mark.parametrize("how", HOW)
def test_a_cap_on_the_cards_decides_where_the_switch_says_so(how: str) -> None:
    unprotected, protected = HOW[how]
    seen = {"protection_decided_by": "cap_on_hand"}
    capped = told(ruled(how, pays=(("seat/2", SHARE),), protects=True), **seen)
    assert {clause: capped[clause].verdict for clause in triggered(capped)} == {protected: Outcome.PASS}
    bare = told(ruled(how), **seen)
    assert {clause: bare[clause].verdict for clause in triggered(bare)} == {unprotected: Outcome.PASS}
    assert broken(told(ruled(how, protects=True), **seen)) == {f"{protected}/all_refunded"}
    assert broken(told(ruled(how, pays=(("seat/2", SHARE),)), **seen)) == {f"{unprotected}/no_refund"}


def test_a_fouled_hand_without_protection_is_refunded_where_the_switch_reads_the_text_so() -> None:
    def story(contributed: str, *pays: tuple[str, int]) -> Poker:
        return ruled("fouled", "unprotected", contributed, pays=pays)

    wide = {"fouled_without_protection": "refund"}
    verdicts = told(story("victim", ("seat/2", SHARE)), **wide)
    assert verdicts["F.2"].verdict is Outcome.PASS
    assert "F.2/all_refunded" in broken(told(story("victim"), **wide))
    assert broken(told(story("contributor", ("seat/2", SHARE)), **wide)) == {"E.1/no_refund"}
    assert broken(told(ruled("collected", "unprotected", "victim", pays=(("seat/2", SHARE),)), **wide)) == {
        "E.2/no_refund"
    }


def test_a_folded_hand_that_goes_and_cards_that_were_collected_by_order_are_not_lost() -> None:
    story = Poker().opening().dealt()
    order = story.bets(folds=["seat/1"])
    story.held["seat/1"] = story.up["seat/1"] = 0
    story.look("seat/1")
    story.over(order)
    story.collect("seat/2")
    assert triggered(told(story)) == set()


def test_a_protection_of_an_earlier_round_protects_nothing() -> None:
    story = Poker().opening().dealt()
    story.betting(folds=["seat/1", "seat/2"], protects=["seat/2"])
    story.award("seat/3", 1)
    story.collect_all()
    story.opening().dealt()
    order = story.bets()
    story.held["seat/2"] = story.up["seat/2"] = 0
    story.look("seat/2")
    story.over(order)
    story.kill("seat/2")
    verdicts = told(story, protection_decided_by="cap_on_hand")
    assert triggered(verdicts) == {"E.2"}


def test_players_who_go_on_betting_do_not_change_what_the_victim_gets() -> None:
    story = lost("collected")
    story.asks_floor("hand_protected", "seat/2", "protected")
    story.asks_floor("player_contributed", "seat/2", "victim")
    story.kill("seat/2")
    story.put(PlayerDid(act="bet", position="seat/3", amount_cents=BET))
    story.pay_back("seat/2", SHARE)
    story.award("seat/3", 1)
    assert broken(told(story)) == set()
