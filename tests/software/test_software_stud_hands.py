"""The stud game and its hands: cards dealt wrong, exposed, fallen, passed over; hands lost; and who wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.emulators.table_software.games.stud.ranking import best_rank, rank_of
from evidence.events import DealerDid, Directive
from tests.software.scripted_table import PACK_52, ScriptedTable
from tests.software.stud_rounds import ANTE, BET, SEATED, StudTable, dealt, play, stud, told

BEFORE = ["open_round", "post_antes", "shuffle shuffler device", "cut layout_centre", "load_device"]
POT = 3 * ANTE + BET
END = ["betting_round", f"award_pot seat/3 {POT}", "collect all discard_rack down", "close_round"]
FOUR = [*SEATED, "seat/4"]
THREE_FOLD = {(seat, 1): "fold" for seat in SEATED}


def share(seat: str, cents: int) -> str:
    return f"return_wagers {seat} hand all {cents}"


def after_start(lines: list[str]) -> list[str]:
    """What is ordered beyond the plain start, with deliveries but without the dispensing."""
    return [line for line in lines if not line.startswith("dispense")][len(BEFORE) :]


def table(bench: ScriptedTable) -> StudTable:
    assert isinstance(bench, StudTable)
    return bench


# --- (B): a card for somebody who is not in the round ---


def also_to(place: str):  # type: ignore[no-untyped-def]  # a slip
    def slip(bench: ScriptedTable, directive: Directive) -> None:
        table(bench).deliver(directive.position)
        table(bench).unasked(place)

    return slip


GONE = ["collect seat/4 discard_rack", "continue_round"]


def ineligible(*defects: str) -> list[str]:
    return told(play(*defects, slips=[("deliver", 2, also_to("seat/4"))]))[len(BEFORE) :]


def test_cards_for_an_empty_seat_are_discarded_and_the_round_goes_on() -> None:
    assert ineligible() == [*GONE, *END]
    assert ineligible("ineligible_cards_left") == END
    late = [END[0], "collect seat/4 discard_rack", *END[1:]]
    assert ineligible("ineligible_cards_discarded_late") == late
    assert ineligible("ineligible_cards_passed_on")[0] == "move_card seat/3 seat/4"
    assert ineligible("ineligible_deal_kills_neighbour")[2] == "dead_hand seat/1"
    assert ineligible("ineligible_deal_voids_round")[:3] == [*GONE, "void_round"]


def test_a_player_who_put_nothing_in_gets_no_cards_and_those_dealt_there_are_discarded() -> None:
    said = play(seated=FOUR, sits_out=["seat/4"], slips=[("deliver", 3, also_to("seat/4"))])
    assert told(said)[len(BEFORE) :] == [*GONE, *END]
    assert not [line for line in dealt(said) if line.startswith("seat/4")]


# --- (G): exposed down cards ---


def exposed(bench: ScriptedTable, directive: Directive) -> None:
    table(bench).deliver(directive.position, up=True)


FIRST, SECOND = ("deliver", 2, exposed), ("deliver", 5, exposed)


@pytest.mark.parametrize("slip", [FIRST, SECOND])
def test_after_one_exposed_down_card_the_third_comes_down(slip: tuple[str, int, object]) -> None:
    said = play(slips=[slip])  # type: ignore[list-item]
    assert told(said) == [*BEFORE, *END]
    assert dealt(said)[6:] == ["seat/1 up", "seat/2 down", "seat/3 up"]


def two_up(*defects: str) -> list[str]:
    return told(play(*defects, slips=[FIRST, SECOND]))[len(BEFORE) :]


DEAD = ["dead_hand seat/2", "collect seat/2 discard_rack"]
LESS = ["betting_round", f"award_pot seat/3 {POT - ANTE}", *END[2:]]


def test_two_exposed_down_cards_make_the_hand_dead_and_its_ante_goes_back() -> None:
    assert two_up() == [*DEAD, share("seat/2", ANTE), *LESS]
    assert two_up("two_up_played_on") == END
    assert two_up("two_up_bet_kept") == [*DEAD, *END]
    assert two_up("two_up_bet_to_neighbour") == [*DEAD, share("seat/1", ANTE), *LESS]
    assert two_up("two_up_bet_returned_twice")[:4] == [*DEAD, *[share("seat/2", ANTE)] * 2]
    assert two_up("two_up_voids_round")[3] == "void_round"


def test_the_third_card_face_up_after_an_exposed_one_makes_two_of_three() -> None:
    said = play(slips=[FIRST, ("deliver", 8, exposed)])
    assert told(said)[len(BEFORE) :] == [*DEAD, share("seat/2", ANTE), *LESS]


def test_defects_of_one_exposed_card_change_one_thing_each() -> None:
    up = play("third_up_after_exposed_card", slips=[FIRST])
    assert dealt(up)[6:] == ["seat/1 up", "seat/2 up", "seat/3 up"]
    assert told(play("one_up_kills_stud_hand", slips=[FIRST]))[len(BEFORE)] == "dead_hand seat/2"


# --- (H): the last card ---


def test_after_an_exposed_last_card_those_still_to_come_are_dealt_up() -> None:
    last = [("deliver", 20, exposed)]
    assert dealt(play(slips=last, moves={}))[18:] == ["seat/1 down", "seat/2 down", "seat/3 up"]
    down = dealt(play("rest_of_last_cards_down", slips=last, moves={}))[18:]
    assert down == ["seat/1 down", "seat/2 down", "seat/3 down"]
    assert dealt(play(moves={}))[18:] == ["seat/1 down", "seat/2 down", "seat/3 down"]


# --- (I): a card that falls ---


def dropped(face: str):  # type: ignore[no-untyped-def]  # a slip
    def slip(bench: ScriptedTable, directive: Directive) -> None:
        bench.move("shoe_mouth", "floor", 1, up=face == "up")
        did = DealerDid(
            act="drop_card",
            directive=directive.id,
            position=directive.position,
            place="floor",
            face=face,  # type: ignore[arg-type]
        )
        bench.tell(did)
        bench.look(directive.position)
        bench.look("shoe_mouth")

    return slip


def test_a_fallen_card_goes_to_the_player_it_was_meant_for_as_it_showed_itself() -> None:
    for face in ("down", "up"):
        said = after_start(play(slips=[("deliver", 5, dropped(face))]))
        at = said.index(f"recover_card seat/2 {face}")
        assert said[at - 1 : at + 2] == ["deliver seat/2 down", f"recover_card seat/2 {face}", "deliver seat/3 down"]
        assert ("deliver seat/2 down" in said[at + 2 :]) == (face == "up")
    slips = [("deliver", 5, dropped("down"))]
    replaced = after_start(play("fallen_card_replaced", slips=slips))
    assert not [line for line in replaced if line.startswith("recover_card")]
    assert replaced.count("deliver seat/2 down") == 3
    assert "recover_card seat/1 down" in play("fallen_card_to_neighbour", slips=slips)
    late = play("fallen_card_brought_late", slips=slips)
    assert late.index("recover_card seat/2 down") > late.index("betting_round")
    assert told(play("fallen_card_voids_round", slips=slips))[len(BEFORE)] == "void_round"


# --- (J): hands passed over, and cards too many ---


def passed_over(*served: str):  # type: ignore[no-untyped-def]  # a slip
    def slip(bench: ScriptedTable, directive: Directive) -> None:
        stud_table = table(bench)
        stud_table.move("shoe_mouth", served[0], 1)
        stud_table.tell(DealerDid(act="deliver", directive=directive.id, position=directive.position))
        for place in served[1:]:
            stud_table.unasked(place)
        for place in (directive.position, *served):
            stud_table.look(place)

    return slip


def test_a_hand_passed_over_is_put_right_while_only_one_other_has_been_served() -> None:
    slips = [("deliver", 4, passed_over("seat/2"))]
    said = after_start(play(slips=slips))
    at = said.index("move_card seat/1 seat/2 down")
    assert said[at + 1 : at + 3] == ["deliver seat/2 down", "deliver seat/3 down"]
    left = after_start(play("early_mistake_left", slips=slips))
    assert [line for line in left if line.startswith("deliver")][4:6] == ["deliver seat/3 down", "deliver seat/1 down"]
    assert told(play("early_mistake_is_misdeal", slips=slips))[len(BEFORE)] == "void_round"


def late(*defects: str) -> list[str]:
    slips = [("deliver", 5, passed_over("seat/2", "seat/3"))]
    lines = dealt(play(*defects, seated=FOUR, moves=THREE_FOLD, slips=slips))
    return lines[5:8]


def test_a_hand_passed_over_that_is_noticed_late_is_served_after_the_last() -> None:
    assert late() == ["seat/4 down", "seat/1 down", "seat/1 up"]
    assert late("late_skip_served_at_once") == ["seat/1 down", "seat/4 down", "seat/1 up"]
    assert late("late_skip_never_served") == ["seat/4 down", "seat/1 up", "seat/2 up"]
    assert late("late_mistake_is_misdeal") == []


def too_many(bench: ScriptedTable, directive: Directive) -> None:
    table(bench).dispense(1)
    table(bench).deliver(directive.position, count=2)


def test_a_card_too_many_goes_back_to_be_the_next_one() -> None:
    said = play(slips=[("deliver", 4, too_many)])
    at = said.index("move_card seat/1 shoe_mouth down")
    assert said[at + 1] == "deliver seat/2 down"
    assert dealt(said) == dealt(play())


# --- (E) and (F): hands that are taken away or fouled ---


def collected(bench: ScriptedTable, directive: Directive) -> None:
    bench.move("seat/2", "discard_rack")
    bench.tell(DealerDid(act="collect", position="seat/2", place="seat/2"))
    bench.look("seat/2")
    table(bench).bet()


def fouled(bench: ScriptedTable, directive: Directive) -> None:
    bench.move("seat/1", "seat/2")
    bench.look("seat/1")
    bench.look("seat/2")
    table(bench).bet()


MOVES = {("seat/1", 1): "fold"}
ASK = ["call_floor seat/2 hand_protected", "call_floor seat/2 player_contributed"]


def lost(how: object, *defects: str, said: tuple[str, ...] = ()) -> list[str]:
    rulings = dict(zip(("hand_protected", "player_contributed"), said, strict=False))
    lines = told(play(*defects, slips=[("betting_round", 1, how)], moves=MOVES, rulings=rulings))  # type: ignore[list-item]
    return [line for line in lines if "seat/2" in line or line.startswith("return") or line == "hold"]


@pytest.mark.parametrize(("how", "gone"), [(collected, ["dead_hand seat/2"]), (fouled, DEAD)], ids=["taken", "fouled"])
def test_the_floor_says_whether_a_lost_hand_gets_its_money_back(how: object, gone: list[str]) -> None:
    back = share("seat/2", ANTE + BET)
    assert lost(how, said=("unprotected",)) == [ASK[0], *gone]
    assert lost(how, said=("protected", "victim")) == [*ASK, *gone, back]
    assert lost(how, said=("protected", "contributor")) == [*ASK, *gone]
    assert lost(how) == [ASK[0], "hold"]
    assert lost(how, said=("protected",)) == [*ASK, "hold"]


def test_defects_with_lost_hands_change_one_thing_each() -> None:
    victim, back = ("protected", "victim"), share("seat/2", ANTE + BET)
    start = [*ASK, *DEAD]
    assert lost(fouled, "floor_not_asked", said=("unprotected",)) == DEAD
    assert lost(fouled, "contribution_not_asked", said=victim) == [ASK[0], *DEAD, back]
    assert lost(fouled, "unprotected_hand_refunded", said=("unprotected",)) == [ASK[0], *DEAD, back]
    assert lost(fouled, "victim_not_refunded", said=victim) == start
    assert lost(fouled, "victim_refunded_last_bet", said=victim) == [*start, share("seat/2", BET)]
    assert lost(fouled, "victim_refunded_twice", said=victim) == [*start, back, back]
    assert lost(fouled, "victim_refund_misdirected", said=victim) == [*start, share("seat/1", ANTE + BET)]
    assert lost(fouled, "all_refunded_with_victim", said=victim) == [*start, back, share("seat/3", ANTE + BET)]
    assert lost(fouled, "contributor_refunded", said=("protected", "contributor")) == [*start, back]
    assert "dead_hand seat/2" not in lost(fouled, "lost_hand_played_on", said=("unprotected",))


# --- who wins ---

SHOWDOWNS = [
    ("As Ks Qs Js Ts", "9h 9d 9c 9s 2h"),
    ("9h 9d 9c 9s 2h", "Kh Kd Kc 2s 2h"),
    ("Kh Kd Kc 2s 2h", "Ah Jh 9h 4h 2h"),
    ("Ah Jh 9h 4h 2h", "6c 5d 4h 3s 2c"),
    ("6c 5d 4h 3s 2c", "5d 4h 3s 2c Ad"),
    ("5d 4h 3s 2c Ad", "7c 7d 7h Ks 2c"),
    ("7c 7d 7h Ks 2c", "Ac Ad Kh Ks 2c"),
    ("Ac Ad Kh Ks 3c", "Ac Ad Kh Ks 2c"),
    ("Ac Ad Kh Ks 2c", "Ac Ad Qh Js 9c"),
    ("2c 2d 5h 4s 3c", "Ac Kd Qh Js 9c"),
    ("Ac Kd Qh Js 9c", "Ac Kd Qh Js 8c"),
]


@pytest.mark.parametrize(("better", "worse"), SHOWDOWNS)
def test_hands_rank_as_poker_has_them(better: str, worse: str) -> None:
    assert rank_of(better.split()) > rank_of(worse.split())


@given(st.permutations(PACK_52).map(lambda pack: pack[:7]))
def test_the_best_five_of_seven_are_no_worse_than_any_five_and_suits_decide_nothing(cards: list[str]) -> None:
    assert best_rank(cards) >= rank_of(cards[:5])
    turned = [label[0] + {"c": "d", "d": "h", "h": "s", "s": "c"}[label[1]] for label in cards]
    assert best_rank(turned) == best_rank(cards)


def test_equal_hands_share_the_pot_and_an_unread_hand_is_left_to_somebody() -> None:
    # The same ranks in clubs and in diamonds, dealt by turns.
    cards = [rank + suit for rank in "2345789" for suit in "cd"]
    shared = [line for line in play(cards=rest(cards), seated=SEATED[:2], moves={}) if line.startswith("award")]
    assert shared == [f"award_pot {seat} {ANTE + 5 * BET}" for seat in SEATED[:2]]

    def blind(bench: ScriptedTable, directive: Directive) -> None:
        bench.look("seat/1", abstain=True)

    unread = play(seated=SEATED[:2], moves={}, slips=[("show_hands", 1, blind)])
    assert unread[-1] == "hold"


def rest(first: list[str]) -> list[str]:
    return [*first, *[label for label in PACK_52 if label not in first]]


def test_a_game_needs_two_players_who_pay() -> None:
    assert play(seated=["seat/1"]) == ["refuse next_round"]
    assert play(sits_out=["seat/1", "seat/2"])[-1] == "hold"
    with stud() as bench:
        assert bench.ask("next_round") == ["refuse next_round"]
