"""The pack of poker irregularities of Puerto Rico and its switches; its rules (A) and (C), to both sides."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from evidence.errors import UsageError
from rules.loader import load_pack, load_packs
from rules.verdicts import Outcome
from tests.rules.poker_script import ANTE, BET, SEATED, WHOLE, Poker, broken
from tests.rules.small_pack import CLAUSE, write_pack
from tests.rules.storytelling import told, triggered

(PACK,) = load_packs(["PR-POKER-IRR"])
CLAUSES = ["A", "B.1", "B.2", "C.1", "C.2", "C.3", "D.1", "D.2", "E.1", "E.2", "F.1", "F.2", "G.1", "G.2", "H", "I"]
CLAUSES += ["J.1", "J.2"]


def test_every_sub_clause_is_there_in_three_languages() -> None:
    assert [clause.id for clause in PACK.clauses] == [f"PR-POKER-IRR.{name}" for name in CLAUSES]
    assert (PACK.languages, PACK.text_language) == (("en", "es", "it"), "es")
    assert (PACK.game.name, PACK.game.cards_in_deck) == ("seven_card_stud", 52)
    assert (PACK.game.hole_cards, PACK.game.hand_size) == (2, 7)


def test_every_open_question_is_a_switch_with_a_default() -> None:
    assert {policy.id: policy.default for policy in PACK.policies} == {
        "preparation_failure": "either",
        "interrupted_shuffle": "not_completed",
        "cut_after_reshuffle": "required",
        "bets_after_failed_preparation": "not_judged",
        "ineligible_discard_deadline": "before_betting",
        "found_after_award": "result_stands",
        "dead_aloud": "said_aloud",
        "replaced_pack": "another_back",
        "bets_when_cards_return": "returned",
        "protection_decided_by": "floor",
        "fouled_without_protection": "no_redress",
        "contributor_refund": "no_refund",
        "exposed_on_floor": "counts_as_exposed",
        "two_of_three": "any_face_up",
        "bet_of_dead_hand": "initial_bet",
        "last_cards_already_dealt": "stay",
        "players_counted": "after_the_error",
        "correction_in_time": "due",
        "other_late_mistakes": "not_judged",
    }


def test_a_right_round_triggers_nothing() -> None:
    assert triggered(told(Poker().opening().dealt().finish())) == set()


# --- (A): shuffled and cut ---


def mended(story: Poker, *, cut: bool = True) -> Poker:
    """All cards shuffled again, and cut; then a right round."""
    story.reshuffle()
    if cut:
        story.cut_in_sight()
    story.load_shoe()
    return story.dealt().finish()


@pytest.mark.parametrize(("shuffled", "failing"), [(False, "not_shuffled"), (True, "not_cut")])
def test_a_pack_not_shuffled_or_not_cut_is_shuffled_again_and_cut_before_the_deal(shuffled: bool, failing: str) -> None:
    right = told(mended(Poker().opening(load=False, shuffled=shuffled, cut=not shuffled)))
    assert right["A"].verdict is Outcome.PASS
    assert right["A"].alternatives == [failing]
    played_on = told(Poker().opening(shuffled=shuffled, cut=not shuffled).dealt().finish())
    assert broken(played_on) == {"A/all_reshuffled", "A/cut_again"}
    assert broken(told(mended(Poker().opening(load=False, shuffled=shuffled, cut=not shuffled), cut=False))) == {
        "A/cut_again"
    }


def test_only_a_cut_again_is_no_reshuffle() -> None:
    story = Poker().opening(cut=False, load=False)
    story.cut_in_sight()
    story.load_shoe()
    assert broken(told(story.dealt().finish())) == {"A/all_reshuffled", "A/cut_again"}


def test_the_dealer_s_word_for_a_cut_counts_nothing_against_the_camera_and_its_doubt_leaves_no_verdict() -> None:
    assert broken(told(Poker().opening(cut=False).dealt().finish()))
    assert told(Poker().opening(cut=None).dealt().finish())["A"].verdict is Outcome.INCONCLUSIVE


def test_a_shuffler_that_does_not_complete_its_cycle_has_failed_to_shuffle() -> None:
    def stopped(*, again: bool) -> Poker:
        story = Poker()
        story.ask("next_round")
        story.just("open_round")
        story.antes(SEATED)
        order = story.order("shuffle", method="device", device="shuffler")
        story.act("load", order, device="shuffler")
        story.cycle("shuffler", "shuffle", "started")
        story.fault("shuffler", "stop")
        story.cycle("shuffler", "shuffle", "aborted")
        story.done(order, "shuffle", "failed")
        if again:
            story.reshuffle()
        story.cut_in_sight()
        story.load_shoe()
        return story.dealt().finish()

    right = told(stopped(again=True))
    assert right["A"].verdict is Outcome.PASS
    assert "shuffler_failed" in right["A"].alternatives
    assert "A/all_reshuffled" in broken(told(stopped(again=False)))


def test_the_switches_of_a_change_what_is_asked_for() -> None:
    uncut = Poker().opening(cut=False).dealt().finish
    assert told(uncut(), preparation_failure="both")["A"].verdict is Outcome.NOT_TRIGGERED
    neither = told(Poker().opening(shuffled=False, cut=False).dealt().finish(), preparation_failure="both")
    assert "A/all_reshuffled" in broken(neither)
    lazy = mended(Poker().opening(cut=False, load=False), cut=False)
    assert told(lazy, cut_after_reshuffle="not_required")["A"].verdict is Outcome.PASS
    kept = told(mended(Poker().opening(cut=False, load=False)), bets_after_failed_preparation="returned")
    assert broken(kept) == {"A/bets_back"}
    given_back = Poker().opening(cut=False, load=False)
    for seat in SEATED:
        given_back.pay_back(seat, ANTE)
    assert broken(told(mended(given_back), bets_after_failed_preparation="returned")) == set()


def test_a_jam_that_was_cleared_counts_only_where_the_switch_says_so() -> None:
    def jammed() -> Poker:
        story = Poker()
        story.ask("next_round")
        story.just("open_round")
        story.antes(SEATED)
        order = story.order("shuffle", method="device", device="shuffler")
        story.act("load", order, device="shuffler")
        story.cycle("shuffler", "shuffle", "started")
        story.fault("shuffler", "jam", recovered=True)
        story.cycle("shuffler", "shuffle", "completed")
        story.done(order, "shuffle")
        story.cut_in_sight()
        story.load_shoe()
        return story.dealt().finish()

    assert told(jammed())["A"].verdict is Outcome.NOT_TRIGGERED
    assert "A/all_reshuffled" in broken(told(jammed(), interrupted_shuffle="any_interruption"))


# --- (C): a pack that is not whole ---

SHARES = tuple((seat, ANTE + BET) for seat in SEATED)
MISSING, EXTRA = WHOLE[1:], [*WHOLE, "Kd"]
SWAPPED = ["Kd", *WHOLE[1:]]


def dead_round(
    cards: Sequence[str | None] = MISSING,
    *,
    said: bool = True,
    void: bool = True,
    pot: tuple[tuple[str, int], ...] = SHARES,
    back: str | None = "blue",
    resumes: bool = False,
    blind: bool = False,
) -> Poker:
    """A betting round, a check of the pack that finds `cards`, and what software makes of it.

    `back` is what the camera sees on the pack that comes; empty when none comes.
    """
    story = Poker().opening().dealt()
    story.betting()
    story.check_deck(cards, blind=blind)
    if said:
        story.announce("dead")
    if void:
        story.just("void_round")
    for seat, cents in pot:
        story.pay_back(seat, cents)
    if back != "":
        story.replace_deck(back)
    story.ask("resume", probe=True)
    story.just("proceed" if resumes else "refuse", request="resume")
    return story


@pytest.mark.parametrize(
    ("cards", "found"), [(MISSING, "missing"), (EXTRA, "extra"), (SWAPPED, "swapped")], ids=["51", "53", "52"]
)
def test_a_pack_that_is_not_whole_ends_the_round_whatever_it_counts(cards: list[str | None], found: str) -> None:
    verdicts = told(dead_round(cards))
    assert {verdicts[clause].verdict for clause in ("C.1", "C.2", "C.3")} == {Outcome.PASS}
    assert verdicts["C.1"].alternatives == [found]


def test_a_whole_pack_ends_nothing_and_a_pack_that_could_not_be_read_leaves_no_verdict() -> None:
    whole = Poker().opening().dealt()
    whole.check_deck(WHOLE)
    assert told(whole)["C.1"].verdict is Outcome.NOT_TRIGGERED
    for cards, blind in ((WHOLE, True), ([None, *WHOLE[1:]], False)):
        story = Poker().opening().dealt()
        story.check_deck(cards, blind=blind)
        verdicts = told(story)
        assert {verdicts[clause].verdict for clause in ("C.1", "C.2", "C.3")} == {Outcome.INCONCLUSIVE}


def test_a_check_that_ends_with_a_full_part_has_not_seen_the_end_of_the_pack() -> None:
    story = Poker().opening().dealt()
    order = story.order("check_deck")
    story.act("gather", order, place="all_cards")
    story.act("lay_out", order, place="layout_centre", count=12)
    story.labels["layout_centre"] = WHOLE[:12]
    story.held["layout_centre"] = story.up["layout_centre"] = 12
    story.look("layout_centre")
    story.done(order, "check_deck")
    assert told(story)["C.1"].verdict is Outcome.INCONCLUSIVE


def test_what_a_dead_round_asks_for() -> None:
    assert broken(told(dead_round(said=False))) == {"C.1/said_dead"}
    assert broken(told(dead_round(void=False))) == {"C.1/round_dead"}
    assert broken(told(dead_round(resumes=True))) == {"C.1/stays_dead"}
    assert broken(told(dead_round(said=False), dead_aloud="recorded")) == set()
    played_on = dead_round()
    played_on.live = list(SEATED)
    assert "C.1/stays_dead" in broken(told(played_on.dealt(1)))


@pytest.mark.parametrize(
    ("pot", "failing"),
    [
        ((), {"C.2/pot_returned"}),
        (SHARES[:2], {"C.2/pot_returned"}),
        (tuple((seat, BET) for seat in SEATED), {"C.2/pot_returned"}),
        ((*SHARES, SHARES[0]), {"C.2/nothing_over"}),
        (((SEATED[0], ANTE), (SEATED[1], 2 * BET), SHARES[2]), {"C.2/pot_returned", "C.2/nothing_over"}),
        ((*SHARES, ("seat/4", ANTE)), {"C.2/nothing_over"}),
    ],
    ids=["kept", "one_short", "only_the_bets", "one_twice", "shares_moved", "a_stranger"],
)
def test_each_player_gets_just_the_own_money_back_once(pot: tuple[tuple[str, int], ...], failing: set[str]) -> None:
    assert broken(told(dead_round(pot=pot))) == failing


def test_a_return_of_all_wagers_at_once_is_a_return_to_everybody() -> None:
    for times, failing in ((1, set()), (2, {"C.2/nothing_over"})):
        story = dead_round(pot=())
        for _ in range(times):
            story.just("return_wagers", scope="round", wager="all")
        assert broken(told(story)) == failing


def test_the_pot_of_a_dead_round_goes_to_no_winner_and_back_before_the_next_round() -> None:
    awarded = dead_round(pot=())
    awarded.award("seat/1", 4500)
    assert broken(told(awarded)) == {"C.2/pot_returned", "C.2/pot_not_awarded"}
    late = dead_round(pot=())
    late.just("open_round")
    for seat, cents in SHARES:
        late.pay_back(seat, cents)
    assert broken(told(late)) == {"C.2/pot_returned"}


def test_players_who_had_folded_get_their_money_back_too() -> None:
    def story(*receivers: tuple[str, int]) -> Poker:
        poker = Poker().opening().dealt()
        poker.betting(folds=["seat/2"])
        poker.check_deck(MISSING)
        poker.announce("dead")
        poker.just("void_round")
        for seat, cents in receivers:
            poker.pay_back(seat, cents)
        poker.replace_deck()
        poker.ask("resume", probe=True)
        poker.just("refuse", request="resume")
        return poker

    live = (("seat/1", ANTE + BET), ("seat/3", ANTE + BET))
    assert broken(told(story(*live))) == {"C.2/pot_returned"}
    assert broken(told(story(*live, ("seat/2", ANTE)))) == set()


def test_the_pack_that_comes_has_another_back_as_the_camera_sees_it() -> None:
    assert broken(told(dead_round(back=""))) == {"C.3/deck_replaced"}
    assert broken(told(dead_round(back="red"))) == {"C.3/deck_replaced"}
    assert told(dead_round(back=None))["C.3"].verdict is Outcome.INCONCLUSIVE
    assert broken(told(dead_round(back="red"), replaced_pack="any_pack")) == set()
    late = dead_round(back="")
    late.just("open_round")
    late.replace_deck()
    assert broken(told(late)) == {"C.3/deck_replaced"}


def in_play(story: Poker, **labels: list[str]) -> Poker:
    story.labels.update({place.replace("seat", "seat/"): shown for place, shown in labels.items()})
    return story


def test_the_same_face_at_two_places_gives_the_pack_away_in_the_middle_of_play() -> None:
    def story(face: str, *, dead: bool) -> Poker:
        poker = in_play(Poker().opening().dealt(2), seat1=["Kd"], seat2=[face])
        poker.turn("up", skip=["seat/3"])
        if dead:
            poker.announce("dead")
            poker.just("void_round")
            for seat in SEATED:
                poker.pay_back(seat, ANTE)
            poker.replace_deck()
            poker.ask("resume", probe=True)
            poker.just("refuse", request="resume")
            return poker
        poker.card("seat/3", "up")
        return poker.finish()

    right = told(story("Kd", dead=True))
    assert right["C.1"].verdict is Outcome.PASS
    assert right["C.1"].alternatives == ["seen_in_play"]
    assert {"C.1/round_dead", "C.2/pot_returned", "C.3/deck_replaced"} <= broken(told(story("Kd", dead=False)))
    assert told(story("Ks", dead=False))["C.1"].verdict is Outcome.NOT_TRIGGERED


def test_a_card_with_another_back_gives_the_pack_away() -> None:
    story = Poker().opening().dealt(1)
    story.back = "blue"
    story.card("seat/1")
    assert {"C.1/round_dead", "C.3/deck_replaced"} <= broken(told(story.finish()))


def test_a_pot_that_was_awarded_is_not_reopened_unless_the_switch_says_so() -> None:
    def found_late() -> Poker:
        story = Poker().opening().dealt()
        story.betting(folds=["seat/1", "seat/2"])
        story.award("seat/3", 2500)
        story.check_deck(MISSING)
        story.replace_deck()
        return story

    verdicts = told(found_late())
    assert (verdicts["C.1"].verdict, verdicts["C.2"].verdict) == (Outcome.NOT_TRIGGERED, Outcome.NOT_TRIGGERED)
    assert verdicts["C.3"].verdict is Outcome.PASS
    assert {"C.1/round_dead", "C.2/pot_returned"} <= broken(told(found_late(), found_after_award="round_dead"))


# --- clauses to read with others ---


def test_every_clause_that_another_is_to_be_read_with_is_shipped() -> None:
    shipped = {clause.id for pack in load_packs() for clause in pack.clauses}
    named = {clause.id: set(clause.see) for clause in PACK.clauses}
    assert all(named.values())
    assert set().union(*named.values()) <= shipped
    assert "PR-POKER-IRR.F.1" in named["PR-POKER-IRR.E.2"]


@pytest.mark.parametrize(("see", "taken"), [("OTHER.1", True), ("T.9", False), ("T.1", False)])
def test_a_clause_of_the_same_pack_to_read_with_it_must_be_there_and_be_another(
    tmp_path: Path, see: str, taken: bool
) -> None:
    clause = CLAUSE.replace('citation = "1"', f'citation = "1"\nsee = ["{see}"]')
    rest = 'trigger = { fact = "round_opened" }\nabsence = { fact = "announced", phrase = "x" }\n'
    folder = write_pack(tmp_path / "T", clause + rest)
    if taken:
        assert load_pack(folder).clauses[0].see == (see,)
    else:
        with pytest.raises(UsageError, match="no other clause of this pack"):
            load_pack(folder)
