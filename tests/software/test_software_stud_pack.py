"""The stud game and its pack: shuffled and cut, known by its faces, replaced, and with cards face up in it."""

import pytest

from bench.emulators.table_software.games.stud.defects import DEFECTS
from evidence.events import CardsSeen, DeviceCycle, DeviceFault, Directive
from tests.software.scripted_table import PACK_52, Card, ScriptedTable
from tests.software.stud_rounds import ANTE, BET, SEATED, StudTable, dealt, play, told

START = ["open_round", "post_antes", "shuffle shuffler device"]
CUT, LOAD = "cut layout_centre", "load_device"
AGAIN = "reshuffle device all_cards"
END = ["betting_round", f"award_pot seat/3 {3 * ANTE + BET}", "collect all discard_rack down", "close_round"]
PLAIN = [*START, CUT, LOAD, *END]
REPLACE = ["remove_deck", "place_deck"]


def share(seat: str, cents: int) -> str:
    return f"return_wagers {seat} hand all {cents}"


ANTES_BACK = [share(seat, ANTE) for seat in SEATED]
DEAD = ["announce dead", "void_round", *ANTES_BACK, *REPLACE]


def test_a_right_round_is_dealt_two_down_and_one_up_and_the_last_hand_takes_the_pot() -> None:
    said = play()
    assert told(said) == PLAIN
    assert dealt(said) == [f"{seat} {face}" for face in ("down", "down", "up") for seat in SEATED]


def test_seven_cards_are_dealt_the_last_one_down_and_the_best_hand_takes_the_pot() -> None:
    said = play(moves={}, seated=["seat/1", "seat/2"])
    faces = ("down", "down", "up", "up", "up", "up", "down")
    assert dealt(said) == [f"{seat} {face}" for face in faces for seat in ("seat/1", "seat/2")]
    # Clubs come from the two upwards: both have a flush, seat 1 with the ace and seat 2 with the king.
    assert [line for line in said if line.startswith("award_pot")] == [f"award_pot seat/1 {2 * ANTE + 10 * BET}"]


# --- (A) ---


def not_shuffled(bench: ScriptedTable, directive: Directive) -> None:
    bench.piles = {"hand_deck": [Card(label) for label in bench.cards]}


def not_cut(bench: ScriptedTable, directive: Directive) -> None:
    assert isinstance(bench, StudTable)
    bench.cut_in_sight(directive, seen=False)


def blind_cut(bench: ScriptedTable, directive: Directive) -> None:
    bench.tell(CardsSeen(place="layout_centre", count=None))
    bench.tell(CardsSeen(place="burn", count=None))


def stopped(bench: ScriptedTable, directive: Directive) -> str:
    bench.tell(DeviceFault(device="shuffler", code="E1", symptom="stop"))
    bench.tell(DeviceCycle(device="shuffler", kind="shuffle", phase="aborted"))
    return "failed"


@pytest.mark.parametrize("slip", [("shuffle", 1, not_shuffled), ("shuffle", 1, stopped)], ids=["omitted", "stopped"])
def test_a_pack_that_was_not_shuffled_is_shuffled_and_then_cut(slip: tuple[str, int, object]) -> None:
    assert told(play(slips=[slip])) == [*START, AGAIN, CUT, LOAD, *END]  # type: ignore[list-item]


def test_a_pack_that_was_not_cut_is_shuffled_again_and_cut() -> None:
    said = play(slips=[("cut", 1, not_cut)])
    assert told(said) == [*START, CUT, AGAIN, CUT, LOAD, *END]
    assert told(play("cut_again_only", slips=[("cut", 1, not_cut)])) == [*START, CUT, CUT, LOAD, *END]
    for name in ("cut_believed", "uncut_pack_dealt"):
        assert told(play(name, slips=[("cut", 1, not_cut)])) == PLAIN
    bets_back = play(slips=[("cut", 1, not_cut)], failed_preparation="bets_returned")
    assert told(bets_back) == [*START, CUT, "void_round", *ANTES_BACK, AGAIN]


def test_a_cut_that_could_not_be_seen_is_made_again_and_a_pack_that_is_never_cut_is_not_dealt() -> None:
    assert told(play(slips=[("cut", 1, blind_cut)])) == [*START, CUT, CUT, LOAD, *END]
    never = told(play(slips=[("cut", nth, not_cut) for nth in (1, 2, 3)]))
    assert never == [*START, *[CUT, AGAIN] * 3, "hold"]


def test_defects_of_the_preparation_change_one_thing_each() -> None:
    omitted = [("shuffle", 1, not_shuffled)]
    assert told(play("unshuffled_pack_dealt", slips=omitted)) == PLAIN
    assert told(play("not_cut_after_reshuffle", slips=omitted)) == [*START, AGAIN, LOAD, *END]


# --- (C) ---


def laid_out(*cards: str | None) -> object:
    def slip(bench: ScriptedTable, directive: Directive) -> None:
        assert isinstance(bench, StudTable)
        bench.lay_out(directive, cards)

    return slip


SHORT, LONG, SWAPPED = PACK_52[1:], [*PACK_52, "Kd"], ["Kd", *PACK_52[1:]]


@pytest.mark.parametrize("cards", [SHORT, LONG, SWAPPED], ids=["51", "53", "52"])
def test_a_pack_that_is_not_whole_makes_the_round_dead(cards: list[str]) -> None:
    said = play(cards=cards, deck_check="every_round", asks=["next_round", "resume"])
    assert told(said) == [*START, "check_deck", *DEAD, "refuse resume"]


def test_the_shuffler_s_own_count_is_reason_enough_to_look_and_not_to_believe() -> None:
    assert told(play(cards=SHORT))[: len(START) + 1] == [*START, "check_deck"]
    whole = [("check_deck", 1, laid_out(*PACK_52))]
    assert told(play(cards=SHORT, slips=whole)) == [*START, "check_deck", AGAIN, CUT, LOAD, *END]  # type: ignore[arg-type]


def test_a_pack_that_could_not_be_read_is_laid_out_again_and_never_taken_for_whole() -> None:
    unread = [("check_deck", nth, laid_out(None, *PACK_52[1:])) for nth in (1, 2, 3)]
    once = told(play(slips=unread[:1], deck_check="every_round"))  # type: ignore[arg-type]
    assert once == [*START, "check_deck", "check_deck", AGAIN, CUT, LOAD, *END]
    assert told(play(slips=unread, deck_check="every_round")) == [*START, *["check_deck"] * 3, "hold"]  # type: ignore[arg-type]


def test_between_rounds_the_pack_is_checked_when_somebody_asks() -> None:
    assert play(asks=["check_deck"]) == ["proceed check_deck", "check_deck"]
    assert play(asks=["check_deck"], cards=SWAPPED) == ["proceed check_deck", "check_deck", *REPLACE]
    assert told(play(asks=["check_deck", "next_round"])) == ["proceed check_deck", "check_deck", *PLAIN]


def same_pack(bench: ScriptedTable, directive: Directive) -> None:
    assert isinstance(bench, StudTable)
    bench.place(bench.back, directive)


def test_a_pack_with_the_same_back_replaces_nothing() -> None:
    back = [("place_deck", 1, same_pack)]
    assert told(play(cards=SHORT, slips=back)) == [*START, "check_deck", *DEAD, *REPLACE]
    assert told(play("same_deck_accepted", cards=SHORT, slips=back)) == [*START, "check_deck", *DEAD]
    never = [("place_deck", nth, same_pack) for nth in (1, 2, 3)]
    assert told(play(cards=SHORT, slips=never)) == [*START, "check_deck", *DEAD, *REPLACE * 2, "hold"]


TWICE = [*PACK_52[:9], "8c", *PACK_52[10:]]
"""The tenth card that is dealt has the face of the seventh, which lies up at seat 1."""
UNEVEN = {("seat/1", 1): "bet", ("seat/2", 1): "fold", ("seat/3", 1): "bet", ("seat/3", 2): "fold"}


def in_play(*defects: str) -> list[str]:
    """The same face twice in the fourth turn, when seat 1 and seat 3 are left with more in the pot than seat 2."""
    said = play(*defects, cards=TWICE, moves=UNEVEN)
    return told(said)[len(START) + 2 :]


def test_the_same_face_twice_at_the_table_ends_the_round_at_once() -> None:
    shares = [share("seat/1", ANTE + BET), share("seat/2", ANTE), share("seat/3", ANTE + BET)]
    before = ["betting_round", "collect seat/2 discard_rack"]
    assert in_play() == [*before, "announce dead", "void_round", *shares, *REPLACE]
    dead = ["announce dead", "void_round"]
    assert in_play("pot_kept") == [*before, *dead, *REPLACE]
    assert in_play("pot_returned_twice") == [*before, *dead, *shares, *shares, *REPLACE]
    assert in_play("folded_share_kept") == [*before, *dead, shares[0], shares[2], *REPLACE]
    last = [share("seat/1", BET), share("seat/2", ANTE), share("seat/3", BET)]
    assert in_play("pot_returned_short") == [*before, *dead, *last, *REPLACE]
    moved = [share("seat/1", ANTE), share("seat/2", ANTE + BET), share("seat/3", ANTE + BET)]
    assert in_play("pot_shares_swapped") == [*before, *dead, *moved, *REPLACE]
    total = f"award_pot seat/1 {3 * ANTE + 2 * BET}"
    assert in_play("dead_pot_awarded") == [*before, *dead, total, *REPLACE]
    assert "void_round" not in in_play("count_believed")


def test_defects_of_a_dead_round_change_one_thing_each() -> None:
    def short(*defects: str, asks: tuple[str, ...] = ("next_round",)) -> list[str]:
        return told(play(*defects, cards=SHORT, asks=asks))[len(START) + 1 :]

    assert short() == DEAD
    assert short("wrong_pack_not_announced") == DEAD[1:]
    assert short("wrong_pack_round_not_voided") == ["announce dead", *ANTES_BACK, *REPLACE]
    assert short("deck_not_replaced") == ["announce dead", "void_round", *ANTES_BACK]
    assert short("wrong_deck_reshuffled") == ["announce dead", "void_round", *ANTES_BACK, AGAIN]
    assert short("void_round_resumed", asks=("next_round", "resume"))[-1] == "proceed resume"
    twice = ("next_round", "next_round")
    late = short("deck_replaced_late", asks=twice)
    assert late[late.index("open_round") + 1 :][:2] == REPLACE
    late = short("pot_returned_late", asks=twice)
    assert late[late.index("open_round") + 1 :][:3] == ANTES_BACK
    believed = told(play("count_believed", cards=SWAPPED, deck_check="every_round"))
    assert believed == [*START, "check_deck", AGAIN, CUT, LOAD, *END]


# --- (D) ---


def face_up(bench: ScriptedTable, directive: Directive) -> None:
    bench.dispense(1)
    bench.piles["shoe_mouth"][-1].up = True
    bench.look("shoe_mouth")


RETIRED = ["retire_card shoe_mouth discard_rack", "continue_round"]
ONE = [("dispense", 2, face_up)]
TWO = [("dispense", 2, face_up), ("dispense", 5, face_up)]


def boxed(*defects: str, two: bool = False) -> list[str]:
    return told(play(*defects, slips=TWO if two else ONE))[len(START) + 2 :]


def test_one_card_face_up_goes_to_the_discards_and_the_next_one_takes_its_place() -> None:
    assert boxed() == [*RETIRED, *END]
    assert dealt(play(slips=ONE)) == dealt(play())
    assert boxed("boxed_card_used") == END
    assert boxed("boxed_card_burned") == ["retire_card shoe_mouth burn", "continue_round", *END]
    assert boxed("boxed_card_voids_round") == ["void_round", *ANTES_BACK, AGAIN]


def test_with_a_second_one_all_cards_are_shuffled_and_the_bets_go_back() -> None:
    assert boxed(two=True) == [*RETIRED, "void_round", *ANTES_BACK, AGAIN]
    assert boxed("two_boxed_played_on", two=True) == [*RETIRED, *RETIRED, *END]
    assert boxed("two_boxed_pot_kept", two=True) == [*RETIRED, "void_round", AGAIN]
    stub = [*RETIRED, "void_round", *ANTES_BACK, "reshuffle device device_cards"]
    assert boxed("two_boxed_stub_only", two=True) == stub


def test_every_defect_says_what_it_does() -> None:
    assert all(text[0].islower() and not text.endswith(".") for text in DEFECTS.values())
