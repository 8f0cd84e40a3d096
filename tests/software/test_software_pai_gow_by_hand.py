"""Stacks dealt from the hand, and devices that leave the table: what the software says, and each defect."""

import pytest

from evidence.events import Directive
from tests.software.pai_gow_table import table
from tests.software.scripted_table import Card, ScriptedTable, Slip

WAGERS = [("seat/1", "main"), ("seat/4", "main")]
GONE = ["remove_device shuffler", "remove_device"]
STACKS = ["seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer"]
AGAIN = ["reshuffle hand all_cards", "cut"]
ROUND = [f"deal {position} down" for position in STACKS]


def by_hand(*defects: str, nth: int = 0, slip: Slip | None = None) -> list[str]:
    """From the first card that is dealt on; the nth card is dealt by `slip`."""
    with table(*defects) as bench:
        if slip:
            bench.slip("deal", nth, slip)
        said = bench.open(wagers=WAGERS).ask("deal_by_hand")
    return said[said.index("set_start seat/1") + 1 :]


def shows(bench: ScriptedTable, directive: Directive) -> None:
    bench.carry_out(directive)
    bench.piles[directive.position][-1].up = True
    bench.look(directive.position)


def skips(bench: ScriptedTable, directive: Directive) -> None:
    bench.look(directive.position)


def doubles(bench: ScriptedTable, directive: Directive) -> None:
    bench.move("hand_deck", directive.position, 1)
    bench.carry_out(directive)


def test_before_the_stacks_are_dealt_from_the_hand_both_devices_are_gone() -> None:
    with table() as bench:
        said = bench.open(wagers=WAGERS).ask("deal_by_hand")
    assert said[: said.index("cut") + 4] == [
        *GONE, "proceed deal_by_hand", "open_round", "shuffle hand", "cut", "announce no_more_bets", "roll_dice 3",
        "set_start seat/1",
    ]  # fmt: skip


def test_seven_cards_are_dealt_in_turn_to_each_position() -> None:
    said = by_hand()
    assert said[:49] == ROUND * 7
    assert said[49:54] == [*(f"collect seat/{n} discard_rack down" for n in (2, 3, 5, 6)), "players_act"]
    assert said[-1] == "close_round"


@pytest.mark.parametrize(
    ("slip", "nth"), [(shows, 10), (skips, 4), (doubles, 4), (doubles, 49)], ids=["shown", "passed over", "two", "last"]
)
def test_a_wrong_card_has_the_cards_shuffled_again_and_the_wagers_stand(slip: Slip, nth: int) -> None:
    said = by_hand(nth=nth, slip=slip)
    assert said[: nth + 2] == [*(ROUND * 7)[:nth], *AGAIN]
    assert said[nth + 2 :] == by_hand()


def test_a_deal_that_goes_wrong_again_and_again_holds_the_table() -> None:
    with table() as bench:
        for nth in range(1, 10):
            bench.slip("deal", nth, shows)
        said = bench.open(wagers=WAGERS).ask("deal_by_hand")
    assert said[-1] == "hold"
    assert said.count("reshuffle hand all_cards") == 3


def test_each_defect_of_a_card_shown_while_dealing_by_hand() -> None:
    assert by_hand("shown_card_played_on", nth=10, slip=shows) == by_hand()
    taken = by_hand("shown_card_taken_back", nth=10, slip=shows)
    assert taken[10:12] == ["collect seat/3 discard_rack 1", "deal seat/4 down"]
    voided = by_hand("shown_card_voids_round", nth=10, slip=shows)
    assert voided[10:] == ["void_round", "return_wagers round all", "reshuffle hand all_cards"]
    late = by_hand("by_hand_reshuffled_late", nth=10, slip=shows)
    assert late[:51] == [*ROUND * 7, *AGAIN]


def test_each_defect_of_a_stack_dealt_wrong_by_hand() -> None:
    assert by_hand("wrong_stack_played_on", nth=4, slip=skips)[:49] == ROUND * 7
    late = by_hand("passed_stack_dealt_late", nth=4, slip=skips)
    assert late[3:6] == ["deal seat/4 down", "deal seat/4 down", "deal seat/5 down"]
    assert by_hand("by_hand_reshuffled_late", nth=4, slip=skips)[:51] == [*ROUND * 7, *AGAIN]


# --- devices that leave the table ---


def asked(request: str, *defects: str) -> list[str]:
    with table(*defects) as bench:
        said = bench.open(wagers=WAGERS).ask(request)
    return said[:8]


def test_devices_are_gone_before_cards_are_shuffled_by_hand() -> None:
    assert asked("shuffle_by_hand") == [*GONE, "proceed shuffle_by_hand", "shuffle hand"]


@pytest.mark.parametrize(("role", "order"), [("shuffler", "remove_device shuffler"), ("shoe", "remove_device")])
def test_each_defect_of_a_device_that_is_to_leave(role: str, order: str) -> None:
    other = next(line for line in GONE if line != order)
    kept = asked("shuffle_by_hand", f"{role}_kept_for_hand_shuffle")
    assert kept == [other, "proceed shuffle_by_hand", "shuffle hand"]
    assert asked("deal_by_hand", f"{role}_kept_for_hand_deal")[:2] == [other, "proceed deal_by_hand"]
    assert asked("deal_by_hand", f"{role}_kept_for_hand_shuffle")[:2] == GONE
    granted = asked("shuffle_by_hand", f"{role}_granted_before_removal")
    assert granted == [other, "proceed shuffle_by_hand", order, "shuffle hand"]
    late = asked("shuffle_by_hand", f"{role}_removed_too_late")
    assert late == [other, "proceed shuffle_by_hand", "shuffle hand", order]


# --- a shoe or a shuffler that fails ---


def fails(device: str, symptom: str) -> Slip:
    def failed(bench: ScriptedTable, _: Directive) -> str:
        bench.fault(device, symptom)
        return "failed"

    return failed


SHOE = [("jam", "shoe_jam_resumed"), ("stop", "shoe_stop_resumed"), ("incomplete", "shoe_no_deal_resumed")]


@pytest.mark.parametrize(("symptom", "defect"), SHOE)
def test_a_shoe_that_failed_deals_on_with_defective_software_only(symptom: str, defect: str) -> None:
    for defects, ends in (((), "reshuffle device all_cards"), ((defect,), "close_round")):
        with table(*defects) as bench:
            said = bench.slip("dispense", 3, fails("shoe", symptom)).open(wagers=WAGERS).ask("next_round")
        assert said[-1] == ends


@pytest.mark.parametrize("symptom", ["jam", "stop", "incomplete"])
def test_a_shuffler_that_failed_is_followed_by_a_reshuffle_but_with_defective_software(symptom: str) -> None:
    def deck(bench: ScriptedTable, directive: Directive) -> str | None:
        bench.piles = {"hand_deck": [Card(label) for label in bench.cards]}
        return fails("shuffler", symptom)(bench, directive)

    goes_on = (f"no_reshuffle_after_{symptom}",)
    for defects, follows in (((), ["reshuffle device all_cards", "cut"]), (goes_on, ["remove_cards shuffler", "cut"])):
        with table(*defects) as bench:
            said = bench.slip("shuffle", 1, deck).open(wagers=WAGERS).ask("next_round")
        assert said[2:4] == follows


def test_an_additional_wager_that_was_settled_is_given_back_by_defective_software_only() -> None:
    back = "return_wagers round additional"
    for defects, given in (((), False), (("additional_returned",), True)):
        with table(*defects) as bench:
            bench.slip("dispense", 3, fails("shoe", "jam"))
            bench.open(wagers=[*WAGERS, ("seat/1", "additional")], additional_wager_offered=True)
            said = bench.ask("next_round")
        assert (back in said) is given
