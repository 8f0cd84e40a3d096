"""Exposed hands, the choice of their players, and hands that are set: what the software says, and each defect."""

import pytest

from evidence.events import CardsSeen, Directive, PlayerDid
from tests.software.pai_gow_table import PaiGowTable, table
from tests.software.scripted_table import PACK_53, ScriptedTable

WAGERS = [("seat/1", "main"), ("seat/4", "main")]
VOIDED = ["void_round", "return_wagers round all", "reshuffle device all_cards"]
OFFER = "offer_choice {} void_hand ['play', 'void']"
STACKS = ("seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer")


def after(said: list[str], line: str) -> list[str]:
    return said[said.index(line) + 1 :]


def exposed(position: str, *defects: str, choice: str = "play", bank: str = "", looks: bool = False) -> list[str]:
    """From the delivery of the stack of this position on, of which a card is exposed on its way."""

    def looked(bench: ScriptedTable, directive: Directive) -> None:
        bench.tell(PlayerDid(act="look", position=position))
        bench.carry_out(directive)

    with table(*defects) as bench:
        bench.choices[position] = choice
        if looks:
            bench.slip("offer_choice", 1, looked)
        said = bench.exposing(STACKS.index(position) + 1).open(wagers=WAGERS, bank=bank).ask("next_round")
    return after(said, f"deliver {position} down")


def test_a_player_whose_card_was_exposed_chooses_before_anything_else_is_dealt() -> None:
    assert exposed("seat/4")[:3] == [OFFER.format("seat/4"), "hand_active seat/4", "dispense group"]
    said = exposed("seat/4", choice="void")
    assert said[:5] == [
        OFFER.format("seat/4"), "void_hand seat/4", "return_wagers seat/4 hand main",
        "collect seat/4 discard_rack down", "dispense group",
    ]  # fmt: skip
    assert "settle seat/1 all" in said
    assert "settle seat/4 all" not in said
    assert said[-1] == "close_round"


def test_a_player_without_a_wager_is_not_asked() -> None:
    assert exposed("seat/2")[0] == "dispense group"


def test_a_bank_without_a_wager_of_its_own_is_dealt_a_hand_all_the_same() -> None:
    assert exposed("seat/2", bank="seat/2") == VOIDED
    with table() as bench:
        said = bench.open(wagers=WAGERS, bank="seat/2").ask("next_round")
    assert "collect seat/3 discard_rack down" in said
    assert "collect seat/2 discard_rack down" not in said


def test_who_has_looked_already_plays_on() -> None:
    assert exposed("seat/4", choice="void", looks=True)[1] == "hand_active seat/4"
    assert exposed("seat/4", "option_after_look_honoured", choice="void", looks=True)[1] == "void_hand seat/4"


@pytest.mark.parametrize("position", ["dealer", "seat/4"])
def test_a_card_of_the_dealer_or_the_bank_voids_all_hands(position: str) -> None:
    assert exposed(position, bank="seat/4") == VOIDED


def test_each_defect_of_an_exposed_hand() -> None:
    last = ["settle all", "collect all discard_rack down", "close_round"]
    assert exposed("seat/4", "exposed_card_voids_round") == VOIDED
    assert exposed("seat/4", "exposed_hand_voided_unasked")[0] == "void_hand seat/4"
    assert exposed("seat/4", "void_choice_ignored", choice="void")[-3:] == last
    assert exposed("seat/4", "play_choice_voided")[1] == "void_hand seat/4"
    late = exposed("seat/4", "option_offered_late")
    assert late[0] == "dispense group"
    assert after(late, "players_act")[:2] == [OFFER.format("seat/4"), "hand_active seat/4"]
    assert exposed("seat/4", "bank_treated_as_player", bank="seat/4")[0] == OFFER.format("seat/4")
    for position, bank in (("dealer", ""), ("seat/4", "seat/4")):
        assert exposed(position, "exposed_played_on", bank=bank)[-3:] == last
        assert exposed(position, "exposed_hand_only", bank=bank)[0] == f"void_hand {position}"


def turned_up(position: str, *defects: str) -> tuple[list[str], PaiGowTable]:
    """From the players' turn on, in which a card of this position is turned up unasked."""

    def turns_up(bench: ScriptedTable, _: Directive) -> None:
        assert isinstance(bench, PaiGowTable)
        bench.turns_up(position)

    with table(*defects) as bench:
        bench.slip("players_act", 1, turns_up)
        said = bench.open(wagers=WAGERS).ask("next_round")
    return after(said, "players_act"), bench


def test_a_card_of_the_dealer_that_a_player_turns_up_voids_all_hands_too() -> None:
    said, bench = turned_up("dealer")
    assert said == VOIDED
    assert isinstance(cause := bench.cause("void_round"), CardsSeen)
    assert cause.place == "dealer"


# --- hands that are set ---


Wrong = tuple[int, str, str] | None


def hands(*defects: str, wrong: Wrong = None, cards: tuple[str, ...] = (), bank: str = "") -> list[str]:
    """From the first hands that are set on; `wrong` has the nth hands set with these two as the hand of two."""
    pack = [*cards, *(card for card in PACK_53 if card not in cards)]
    with table(*defects, cards=pack) as bench:
        if wrong:
            bench.sets(wrong[0], wrong[1], wrong[2])
        said = bench.open(wagers=WAGERS, bank=bank).ask("next_round")
    return after(said, "players_act")


ASIDE = "set_hands dealer layout_centre ['Ts', 'Js']"


def test_hands_that_the_dealer_set_otherwise_are_set_again_and_the_round_goes_on() -> None:
    assert hands() == [
        "turn_up dealer", ASIDE, "show_hands", "settle all", "collect all discard_rack down", "close_round",
    ]  # fmt: skip
    assert hands(wrong=(1, "5s", "6s")) == ["turn_up dealer", ASIDE, *hands()[1:]]


def test_each_defect_of_the_dealers_hands() -> None:
    wrong = (1, "5s", "6s")
    assert hands("house_way_not_reset", wrong=wrong) == hands()
    assert hands("house_way_reset_late", wrong=wrong)[1:4] == [ASIDE, "settle all", ASIDE]
    assert hands("house_way_voids_round", wrong=wrong) == ["turn_up dealer", ASIDE, *VOIDED]
    assert hands("house_way_mistaken")[1] == "set_hands dealer layout_centre ['5s', '6s']"


FOULED = ("Ac", "Kd", "Jh", "9s", "7c", "5d", "2h")
"""Seven cards of seat 1 without a pair: the ace must lie in the hand of five."""
BANK = "set_hands seat/1 burn ['Kd', 'Jh']"


def test_a_bank_that_sets_foul_hands_loses_nothing_and_has_them_set_again() -> None:
    good = hands(cards=FOULED, bank="seat/1")
    assert good[:2] == ["turn_up seat/1", BANK]
    assert hands(cards=FOULED, bank="seat/1", wrong=(1, "Ac", "Kd")) == ["turn_up seat/1", BANK, *good[1:]]
    # The hand of two may lie otherwise than the house way has it, if it is below the hand of five.
    assert hands(cards=FOULED, bank="seat/1", wrong=(1, "9s", "7c")) == good


def test_each_defect_of_the_banks_hands() -> None:
    foul, good = (1, "Ac", "Kd"), hands(cards=FOULED, bank="seat/1")
    lost = "settle seat/1 main lost"
    assert hands("bank_foul_loses", cards=FOULED, bank="seat/1", wrong=foul) == [*good[:2], lost, *good[1:]]
    assert hands("bank_foul_settled", cards=FOULED, bank="seat/1", wrong=foul) == good
    assert hands("bank_foul_voids_round", cards=FOULED, bank="seat/1", wrong=foul) == [*good[:2], *VOIDED]


def test_without_a_house_way_hands_are_set_by_none() -> None:
    with table() as bench:
        said = bench.open(wagers=WAGERS, inputs={"house_way": ""}).ask("next_round")
    assert after(said, "turn_up dealer")[0] == "set_hands dealer layout_centre"
