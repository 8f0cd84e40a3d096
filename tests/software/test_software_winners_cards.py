"""Irregular cards of Winner's Pot under N.J.A.C. 13:69F-33.12(a) to (f), and each defect beside the rule."""

from collections.abc import Callable

import pytest

from evidence.events import CardsSeen, DealerDid, Directive, PlayerDid
from tests.software.scripted_table import PACK_52, ScriptedTable
from tests.software.winners_rounds import (
    ORDER,
    PLAIN,
    VOID_AND_RESHUFFLE,
    Slips,
    index_of,
    inserted,
    play,
    played,
    settled_apart,
    without,
)

# --- (a) hole cards turned face up ---


def turned_up(bench: ScriptedTable, directive: Directive) -> None:
    bench.deliver(directive.position, up=True)


@pytest.mark.parametrize(("position", "delivery"), [("seat/3", 1), ("seat/3", 5), ("dealer", 4), ("dealer", 8)])
def test_a1_one_hole_card_up_makes_the_third_card_go_down(position: str, delivery: int) -> None:
    third = index_of(PLAIN, f"deliver {position} up")
    assert play(slips=[("deliver", delivery, turned_up)]) == [
        *PLAIN[:third],
        f"deliver {position} down",
        *PLAIN[third + 1 :],
    ]
    assert play("third_card_face_up", slips=[("deliver", delivery, turned_up)]) == PLAIN


BOTH_UP: Slips = [("deliver", 1, turned_up), ("deliver", 5, turned_up)]
SEAT_3_DEAD = ["announce dead", "dead_hand seat/3", "void_wagers seat/3 hand all", "collect seat/3 discard_rack"]


def dead_at_seat_3(*consequences: str) -> list[str]:
    second = index_of(PLAIN, "deliver seat/3 down", 2) + 1
    return settled_apart(without("seat/3", inserted(PLAIN, second, *consequences), second), "seat/1", "seat/6")


def test_a2_both_hole_cards_up_make_the_hand_dead_and_the_others_play_on() -> None:
    said, bench = played(slips=BOTH_UP)
    assert said == dead_at_seat_3(*SEAT_3_DEAD)
    cause = bench.cause("dead_hand")
    assert isinstance(cause, CardsSeen)
    assert (cause.place, len(cause.face_up)) == ("seat/3", 2)


def test_a2_the_dealers_dead_hand_voids_the_wagers_against_it_and_leaves_the_bonus() -> None:
    said = play(slips=[("deliver", 4, turned_up), ("deliver", 8, turned_up)], wagers=[("seat/3", "jacks_plus")])
    second = index_of(PLAIN, "deliver dealer down", 2) + 1
    dead = ["announce dead", "dead_hand dealer", "void_wagers round main", "collect dealer discard_rack"]
    expected = without("dealer", inserted(PLAIN, second, *dead), second)
    expected[expected.index("settle main")] = "settle seat/3 jacks_plus"
    assert said == expected


def test_defects_of_the_dead_hand() -> None:
    voided = [f"{line}" for line in VOID_AND_RESHUFFLE]
    second = index_of(PLAIN, "deliver seat/3 down", 2) + 1
    assert play("both_up_not_announced", slips=BOTH_UP) == dead_at_seat_3(*SEAT_3_DEAD[1:])
    assert play("both_up_wager_kept", slips=BOTH_UP) == dead_at_seat_3(*SEAT_3_DEAD[:2], SEAT_3_DEAD[3])
    assert play("both_up_not_collected", slips=BOTH_UP) == dead_at_seat_3(*SEAT_3_DEAD[:3])
    assert play("both_up_played_on", slips=BOTH_UP) == PLAIN
    assert play("both_up_voids_round", slips=BOTH_UP) == [*PLAIN[:second], *voided]
    first = index_of(PLAIN, "deliver seat/3 down") + 1
    killed = settled_apart(without("seat/3", inserted(PLAIN, first, *SEAT_3_DEAD), first), "seat/1", "seat/6")
    assert play("one_up_kills_hand", slips=BOTH_UP[:1]) == killed


@pytest.mark.parametrize(
    ("first", "second", "won"),
    [("Js", "Jh", True), ("As", "Ah", True), ("Ts", "Th", False), ("Js", "Qh", False), ("Ks", "Kh", True)],
)
def test_a3_a_winning_bonus_of_a_dead_hand_is_settled(first: str, second: str, won: bool) -> None:
    wagers = [("seat/3", "main"), ("seat/3", "jacks_plus")]
    cards = [first, "2c", "3c", "4c", second, *PACK_52[5:]]
    if won:
        bonus = ["void_wagers seat/3 hand main", "settle seat/3 jacks_plus"]
    else:
        bonus = ["void_wagers seat/3 hand all"]
    good = dead_at_seat_3(*SEAT_3_DEAD[:2], *bonus, SEAT_3_DEAD[3])
    assert play(slips=BOTH_UP, cards=cards, wagers=wagers) == good
    assert play("bonus_voided_with_dead_hand", slips=BOTH_UP, cards=cards, wagers=wagers) == dead_at_seat_3(
        *SEAT_3_DEAD
    )


def test_a3_a_bonus_whose_cards_cannot_be_read_is_left_standing() -> None:
    def unread(bench: ScriptedTable, directive: Directive) -> None:
        bench.move("shoe_mouth", directive.position, 1, up=True)
        bench.tell(CardsSeen(place=directive.position, count=2, face_up=[None, "Jc"], face_down=0))

    said = play(slips=[BOTH_UP[0], ("deliver", 5, unread)], wagers=[("seat/3", "main"), ("seat/3", "jacks_plus")])
    bonus = ["void_wagers seat/3 hand main", "hold seat/3"]
    assert said == dead_at_seat_3(*SEAT_3_DEAD[:2], *bonus, SEAT_3_DEAD[3])


# --- (b) cards face up in the shoe ---


def reversed_in_shoe(*positions: int) -> Slips:
    """Cards (1 the first dealt) that lie face up in the shoe."""

    def load(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        for position in positions:
            bench.piles["shoe"][position - 1].up = True

    return [("load_device", 1, load)]


RETIRED = ["retire_card shoe_mouth discard_rack", "continue_round"]


def test_b1_a_card_face_up_in_the_shoe_is_put_away_and_the_next_one_dealt() -> None:
    third = index_of(PLAIN, "dispense card", 3) + 1
    assert play(slips=reversed_in_shoe(3)) == inserted(PLAIN, third, *RETIRED, "dispense card")
    assert play("face_up_card_used", slips=reversed_in_shoe(3)) == PLAIN
    assert play("face_up_card_voids_round", slips=reversed_in_shoe(3)) == [*PLAIN[:third], *VOID_AND_RESHUFFLE]


@pytest.mark.parametrize("second", [4, 11])
def test_b2_a_second_card_face_up_voids_the_round(second: int) -> None:
    said, bench = played(slips=reversed_in_shoe(3, second), asks=("next_round", "resume"))
    assert said[-4:] == [*VOID_AND_RESHUFFLE, "refuse resume"]
    assert said.count("retire_card shoe_mouth discard_rack") == 1
    assert isinstance(bench.cause("void_round"), CardsSeen)
    assert play("two_face_up_not_reshuffled", slips=reversed_in_shoe(3, second)) == said[:-2]
    played_on = play("two_face_up_played_on", slips=reversed_in_shoe(3, second))
    assert played_on.count("retire_card shoe_mouth discard_rack") == 2
    assert played_on[-1] == "close_round"


def test_b1_a_card_to_be_burned_that_lies_face_up_is_put_away_and_another_burned() -> None:
    def face_up(bench: ScriptedTable, _: Directive) -> str:
        bench.dispense(1)
        bench.piles["shoe_mouth"][0].up = True
        bench.look("shoe_mouth")
        return "failed"

    burn = PLAIN.index("burn 1") + 1
    assert play(slips=[("burn", 1, face_up)]) == inserted(PLAIN, burn, *RETIRED, "burn 1")


@pytest.mark.parametrize("found", [1, 2], ids=["one", "two"])
def test_b3_cards_found_face_up_after_the_deal_change_nothing(found: int) -> None:
    def then_draws_faces(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        for _ in range(found):
            bench.dispense(1)
            bench.piles["shoe_mouth"][-1].up = True
            bench.tell(DealerDid(act="draw", device="shoe", count=1))
            bench.look("shoe_mouth")

    at = index_of(PLAIN, "betting_round", 4) + 1
    said, bench = played(slips=[("betting_round", 4, then_draws_faces)])
    assert said == inserted(PLAIN, at, *["continue_round"] * found)
    assert isinstance(bench.cause("continue_round"), CardsSeen)
    voided = play("late_face_up_voids_round", slips=[("betting_round", 4, then_draws_faces)])
    assert voided == [*PLAIN[:at], *VOID_AND_RESHUFFLE]


# --- (c) a card drawn in error ---


def then_draws(bench: ScriptedTable, directive: Directive) -> None:
    bench.carry_out(directive)
    bench.dispense(1)
    bench.tell(DealerDid(act="draw", device="shoe", count=1))
    bench.look("shoe_mouth")


def test_c_a_card_drawn_in_error_is_the_next_one_dealt() -> None:
    at = index_of(PLAIN, "deliver seat/6 down") + 1
    said, bench = played(slips=[("deliver", 2, then_draws)])
    assert said == [*PLAIN[:at], "use_as_next_card shoe_mouth", *PLAIN[at + 1 :]]
    assert isinstance(bench.cause("use_as_next_card"), DealerDid)
    discarded = play("drawn_card_discarded", slips=[("deliver", 2, then_draws)])
    assert discarded == inserted(PLAIN, at, "retire_card shoe_mouth")
    voided = play("drawn_card_voids_round", slips=[("deliver", 2, then_draws)])
    assert voided == [*PLAIN[:at], *VOID_AND_RESHUFFLE]


def test_c_a_card_drawn_in_error_before_a_burn_is_burned() -> None:
    at = index_of(PLAIN, "betting_round", 1) + 1
    said, bench = played(slips=[("betting_round", 1, then_draws)])
    assert said == inserted(PLAIN, at, "use_as_next_card shoe_mouth")
    assert len(bench.piles["discard_rack"]) == 52


def test_a_card_drawn_in_error_that_shows_its_face_is_a_card_face_up_in_the_shoe() -> None:
    def draws_face_up(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        bench.dispense(1)
        bench.piles["shoe_mouth"][0].up = True
        bench.tell(DealerDid(act="draw", device="shoe", count=1))
        bench.look("shoe_mouth")

    at = index_of(PLAIN, "deliver seat/6 down") + 1
    assert play(slips=[("deliver", 2, draws_face_up)]) == inserted(PLAIN, at, *RETIRED)


def test_two_cards_that_come_as_one_are_this_card_and_the_next() -> None:
    def double(bench: ScriptedTable, _: Directive) -> None:
        bench.dispense(2)
        bench.look("shoe_mouth")

    at = index_of(PLAIN, "dispense card", 2) + 1
    expected = inserted(PLAIN, at, "use_as_next_card shoe_mouth")
    del expected[index_of(expected, "dispense card", 3)]
    assert play(slips=[("dispense", 2, double)]) == expected


# --- (d) a wrong number of cards, (f) a hand skipped ---


def one_more(bench: ScriptedTable, directive: Directive) -> None:
    bench.dispense(1)
    bench.deliver(directive.position, up=directive.face == "up", count=2)


VOID_SEAT_3 = ["void_hand seat/3", "void_wagers seat/3 hand all"]


def test_d_a_card_too_many_voids_that_hand_alone() -> None:
    at = index_of(PLAIN, "deliver seat/3 up") + 1
    slips = [("deliver", 9, one_more)]
    assert play(slips=slips) == settled_apart(
        without("seat/3", inserted(PLAIN, at, *VOID_SEAT_3), at), "seat/1", "seat/6"
    )
    assert play("wrong_count_played_on", slips=slips) == PLAIN
    assert play("wrong_count_voids_round", slips=slips) == [*PLAIN[:at], *VOID_AND_RESHUFFLE]


@pytest.mark.parametrize(("verb", "nth"), [("betting_round", 2), ("show_hands", 1)])
def test_d_a_card_too_few_found_later_voids_that_hand_alone(verb: str, nth: int) -> None:
    def one_gone(bench: ScriptedTable, directive: Directive) -> None:
        bench.move("seat/3", "away", 1)
        bench.carry_out(directive)
        bench.look("seat/3")

    at = index_of(PLAIN, verb, nth) + 1
    assert play(slips=[(verb, nth, one_gone)]) == settled_apart(
        without("seat/3", inserted(PLAIN, at, *VOID_SEAT_3), at), "seat/1", "seat/6"
    )


def skips(bench: ScriptedTable, directive: Directive) -> None:
    following = ORDER[(ORDER.index(directive.position) + 1) % len(ORDER)]
    bench.deliver(directive.position, to=following)
    bench.look(following)


MISDEALT = ["misdeal", "void_wagers round all", "reshuffle device all_cards"]


@pytest.mark.parametrize(("position", "delivery"), [("seat/3", 1), ("seat/6", 6), ("dealer", 8)])
def test_f_a_hand_passed_over_is_a_misdeal(position: str, delivery: int) -> None:
    at = index_of(PLAIN, f"deliver {position} down", 1 if delivery <= 4 else 2) + 1
    slips: Slips = [("deliver", delivery, skips)]
    said, bench = played(slips=slips, asks=("next_round", "resume"))
    assert said == [*PLAIN[:at], *MISDEALT, "refuse resume"]
    cause = bench.cause("misdeal")
    assert isinstance(cause, CardsSeen)
    assert cause.place == position
    assert play("misdeal_wagers_kept", slips=slips) == [*PLAIN[:at], MISDEALT[0], MISDEALT[2]]
    assert play("misdeal_cards_left", slips=slips) == [*PLAIN[:at], *MISDEALT[:2]]


def test_f_defective_software_deals_the_skipped_hand_late() -> None:
    said = play("skipped_hand_dealt_late", slips=[("deliver", 5, skips)])
    at = index_of(PLAIN, "deliver seat/3 down", 2)
    assert said == [*PLAIN[: at + 1], "dispense card", "deliver seat/3 down", *PLAIN[at + 3 :]]


def test_a_camera_that_abstains_makes_no_misdeal() -> None:
    def unseen(bench: ScriptedTable, directive: Directive) -> None:
        bench.move("shoe_mouth", directive.position, 1)
        bench.look(directive.position, abstain=True)

    assert play(slips=[("deliver", 1, unseen), ("deliver", 6, unseen)]) == PLAIN


# --- (e) burning ---


def missed(bench: ScriptedTable, _: Directive) -> None:
    bench.look("burn")


@pytest.mark.parametrize("burn", [1, 2])
def test_e_a_missed_burn_is_made_good_after_the_betting_round(burn: int) -> None:
    at = index_of(PLAIN, "burn 1", burn) + 1
    later = index_of(PLAIN, "burn 1", burn + 1)
    slips: Slips = [("burn", burn, missed)]
    good = inserted([*PLAIN[:later], "burn 2", *PLAIN[later + 1 :]], at, "continue_round")
    assert play(slips=slips) == good
    assert play("missed_burn_single_later", slips=slips) == inserted(PLAIN, at, "continue_round")
    assert play("missed_burn_made_good_at_once", slips=slips) == inserted(PLAIN, at, "burn 1")
    assert play("missed_burn_voids_round", slips=slips) == [*PLAIN[:at], *VOID_AND_RESHUFFLE]


def test_e_a_burn_missed_before_the_last_street_has_no_later_burn() -> None:
    at = index_of(PLAIN, "burn 1", 3) + 1
    assert play(slips=[("burn", 3, missed)]) == inserted(PLAIN, at, "continue_round")


# --- other ---


def test_a_hand_that_folds_gets_no_more_cards() -> None:
    def folds(bench: ScriptedTable, _: Directive) -> None:
        bench.tell(PlayerDid(act="fold", position="seat/3"))

    at = PLAIN.index("betting_round") + 1
    assert play(slips=[("betting_round", 1, folds)]) == without("seat/3", PLAIN, at)


def test_the_bonus_is_settled_where_it_was_placed() -> None:
    at = PLAIN.index("settle main") + 1
    assert play(wagers=[("seat/3", "jacks_plus")]) == inserted(PLAIN, at, "settle jacks_plus")


def test_all_hands_dead_ends_the_deal() -> None:
    slips: Slips = [("deliver", nth, turned_up) for nth in (1, 3)]
    said = play(slips=slips, seated=["seat/3"])
    assert "burn 1" not in said
    assert said[-1] == "close_round"


def test_a_dealing_that_cannot_go_on_holds_and_refuses() -> None:
    impossible: Callable[[ScriptedTable, Directive], str | None] = lambda *_: "impossible"  # noqa: E731
    said = play(slips=[("deliver", 1, impossible)], asks=("next_round", "next_round", "resume", "deal_by_hand"))
    assert said[-4:] == ["hold", "refuse next_round", "refuse resume", "refuse deal_by_hand"]
