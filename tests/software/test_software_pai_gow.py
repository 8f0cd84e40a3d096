"""Pai Gow Poker from the automatic shoe: the odd cases of the procedure, and each defect against the compliant run."""

from collections.abc import Sequence

import msgspec
import pytest

from evidence.events import AnyEvent, CardsSeen, DeviceFault, DiceSeen, Directive, TableDone, WagerPlaced
from tests.software.pai_gow_table import table
from tests.software.scripted_table import APPROVAL, PACK_53, SHOE, Card, ScriptedTable

WAGERS = [("seat/1", "main"), ("seat/4", "main"), ("seat/1", "additional")]
VOIDED = ["void_round", "return_wagers round all"]
RESHUFFLED = [*VOIDED, "reshuffle device all_cards"]
REMOVED = [*VOIDED, "remove_deck", "place_deck"]


def play(
    *defects: str, cards: Sequence[str] = PACK_53, told: Sequence[AnyEvent] = (SHOE, APPROVAL), stack: int = 0
) -> list[str]:
    """One round with the additional wager; `stack` is the size of the third group instead of seven."""

    def odd_stack(bench: ScriptedTable, _: Directive) -> None:
        bench.dispense(stack)
        bench.look("shoe_mouth")

    with table(*defects, cards=cards) as bench:
        if stack:
            bench.slip("dispense", 3, odd_stack)
        bench.open(wagers=WAGERS, told=told, additional_wager_offered=True)
        said = bench.ask("next_round")
    return ["set_hands dealer" if line.startswith("set_hands dealer") else line for line in said]


def after(said: list[str], line: str) -> list[str]:
    return said[said.index(line) + 1 :]


def test_a_start_is_counted_from_the_dealer_clockwise() -> None:
    for total, start in ((3, "seat/2"), (7, "seat/6"), (8, "dealer"), (9, "seat/1"), (15, "dealer"), (18, "seat/3")):
        with table(dice=[DiceSeen(flat=3, leaning=0, outside=0, total=total)]) as bench:
            said = bench.open().ask("next_round")
        assert f"set_start {start}" in said
        assert said[said.index("dispense group") + 1] == f"deliver {start} down"


def test_dice_that_do_not_lie_flat_inside_are_no_roll() -> None:
    leaning = DiceSeen(flat=2, leaning=1, outside=0, total=None)
    outside = DiceSeen(flat=2, leaning=0, outside=1, total=None)
    flat = DiceSeen(flat=3, leaning=0, outside=0, total=8)
    with table(dice=[leaning, outside, flat]) as bench:
        said = bench.open().ask("next_round")
    first = said.index("roll_dice 3")
    again = ["announce no_roll", "roll_dice 3"]
    assert said[first : first + 6] == ["roll_dice 3", *again, *again, "set_start dealer"]


def test_dice_that_never_lie_flat_hold_the_table() -> None:
    with table(dice=[DiceSeen(flat=2, leaning=1, outside=0, total=None)] * 20) as bench:
        said = bench.open().ask("next_round")
        assert said.count("roll_dice 3") == 5
        assert said[-1] == "hold"
        assert bench.ask("next_round") == ["refuse next_round"]


@pytest.mark.parametrize("field", ["maker", "model", "firmware_sha256"])
def test_a_shoe_that_is_not_approved_as_it_is_stays_unused(field: str) -> None:
    other = msgspec.structs.replace(APPROVAL, **{field: "other"})
    assert play(told=(SHOE, other)) == ["refuse next_round"]


def test_a_shoe_without_approval_or_without_identity_stays_unused() -> None:
    assert play(told=(SHOE,)) == ["refuse next_round"]
    assert play(told=(APPROVAL,)) == ["refuse next_round"]


def test_a_wager_placed_after_wagers_were_closed_does_not_count() -> None:
    def too_late(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        bench.tell(WagerPlaced(position="seat/2", wager="main", amount_cents=1000))

    with table() as bench:
        said = bench.slip("roll_dice", 1, too_late).open(wagers=WAGERS).ask("next_round")
    assert "collect seat/2 discard_rack down" in said
    assert "collect seat/4 discard_rack down" not in said


@pytest.mark.parametrize("stack", [6, 8])
def test_a_stack_of_the_wrong_size_voids_the_round_and_reshuffles(stack: int) -> None:
    assert after(play(stack=stack), "spread layout_centre") == ["check_stacks", *RESHUFFLED]


@pytest.mark.parametrize("cards", [PACK_53[:-1], [*PACK_53, "2c"]], ids=["52 cards", "54 cards"])
def test_a_deck_of_the_wrong_size_voids_the_round_and_leaves_the_table(cards: list[str]) -> None:
    assert after(play(cards=cards), "spread layout_centre") == ["check_stacks", *REMOVED]


def test_void_names_the_look_that_showed_a_wrong_remainder() -> None:
    with table(cards=PACK_53[:-1]) as bench:
        bench.open().ask("next_round")
        assert bench.cause("void_round") == CardsSeen(place="layout_centre", count=3, face_down=3)


def test_a_camera_that_abstains_is_asked_again_and_never_guessed_for() -> None:
    def unseen(bench: ScriptedTable, directive: Directive) -> None:
        bench.look(directive.place, abstain=True)

    with table() as bench:
        said = bench.slip("spread", 1, unseen).open().ask("next_round")
        assert said.count("spread layout_centre") == 2
        assert said[-1] == "close_round"
    with table() as bench:
        for nth in (1, 2, 3):
            bench.slip("spread", nth, unseen)
        said = bench.open().ask("next_round")
        assert after(said, "remove_remainder") == ["spread layout_centre", "hold"] * 3 + ["hold"]
        assert bench.ask("resume") == ["refuse resume"]


def test_a_claim_of_the_shoe_counts_for_nothing() -> None:
    """The shoe claims groups of seven throughout; the camera sees that five cards remain."""

    def claims_seven(bench: ScriptedTable, _: Directive) -> None:
        pile = bench.piles["shoe"]
        bench.piles["shoe_mouth"], bench.piles["shoe"] = pile[:6], pile[6:]
        bench.look("shoe_mouth")

    with table() as bench:
        said = bench.slip("dispense", 4, claims_seven).open().ask("next_round")
    assert after(said, "spread layout_centre") == ["check_stacks", *RESHUFFLED]


@pytest.mark.parametrize("symptom", ["jam", "stop", "incomplete"])
@pytest.mark.parametrize("recovered", [False, True])
def test_a_shoe_that_fails_voids_the_round_even_if_it_recovers(symptom: str, recovered: bool) -> None:
    def fails(bench: ScriptedTable, directive: Directive) -> str | None:
        bench.fault("shoe", symptom, recovered=recovered)
        if recovered:
            bench.carry_out(directive)
            return None
        return "failed"

    with table() as bench:
        said = bench.slip("dispense", 3, fails).open().ask("next_round")
        assert after(said[said.index("deliver seat/2 down") :], "dispense group") == [
            *VOIDED,
            "remove_cards",
            "reshuffle device all_cards",
        ]
        assert bench.cause("void_round") == DeviceFault(device="shoe", code="E1", symptom=symptom, recovered=recovered)  # type: ignore[arg-type]


def test_a_shoe_that_gives_nothing_and_says_nothing_has_failed() -> None:
    with table() as bench:
        said = bench.slip("dispense", 3, lambda *_: "failed").open().ask("next_round")
        assert said[-3:] == ["return_wagers round all", "remove_cards", "reshuffle device all_cards"]
        assert isinstance(bench.cause("void_round"), TableDone)


def test_a_shuffler_that_fails_reshuffles_before_anything_else() -> None:
    def jams(bench: ScriptedTable, _: Directive) -> str:
        bench.fault("shuffler", "jam")
        return "failed"

    with table() as bench:
        said = bench.slip("shuffle", 1, jams).open().ask("next_round")
    assert said[:4] == ["open_round", "shuffle shuffler device", "reshuffle device all_cards", "cut"]


# --- each defect changes what it says and nothing else ---


def moved(said: list[str], line: str, before: str) -> list[str]:
    """`said` with its first `line` moved to stand before the first `before`."""
    rest = list(said)
    rest.remove(line)
    rest.insert(rest.index(before), line)
    return rest


def replaced(said: list[str], old: str, *new: str) -> list[str]:
    """`said` with every `old` replaced by `new`, or left out."""
    return [line for was in said for line in (new if was == old else (was,))]


STACKS = ["seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer"]
EMPTY = ["seat/2", "seat/3", "seat/5", "seat/6"]


def delivering(said: list[str], order: list[str], face: str = "down") -> list[str]:
    """`said` with its stacks delivered in this order."""
    first, last = said.index("dispense group"), said.index("remove_remainder")
    dealt = [line for position in order for line in ("dispense group", f"deliver {position} {face}")]
    return [*said[:first], *dealt, *said[last:]]


def test_each_defect_of_a_plain_round_changes_just_its_own_step() -> None:
    good = play()
    deal = good.index("dispense group")
    assert good[: deal + 2] == [
        "open_round", "shuffle shuffler device", "cut", "load_device", "announce no_more_bets", "roll_dice 3",
        "set_start seat/1", "settle additional", "dispense group", "deliver seat/1 down",
    ]  # fmt: skip
    second = [*good[deal + 2 :]]
    put_aside = list(good)
    for position in EMPTY:
        put_aside[put_aside.index(f"deliver {position} down")] = "collect shoe_mouth discard_rack down"
    exposed = list(good)
    for position in EMPTY:
        exposed = replaced(exposed, f"collect {position} discard_rack down", f"collect {position} discard_rack up")
    kept = [line for line in good if line not in {f"collect {position} discard_rack down" for position in EMPTY}]
    over = good[good.index("players_act") :]
    assert over == [
        "players_act", "turn_up dealer", "set_hands dealer", "show_hands", "settle all",
        "collect all discard_rack down", "close_round",
    ]  # fmt: skip
    no_remainder = [line for line in good if line not in {"remove_remainder", "spread layout_centre"}]
    no_hands = [line for line in good if line not in {"turn_up dealer", "set_hands dealer"}]
    one_by_one = [f"collect {position} discard_rack down" for position in STACKS]
    last_empty = "collect seat/6 discard_rack down"
    expected = {
        "load_before_cut": moved(good, "load_device", "cut"),
        "no_more_bets_omitted": replaced(good, "announce no_more_bets"),
        "no_more_bets_late": [
            *replaced(good[: deal + 1], "announce no_more_bets"),
            "announce no_more_bets", "deliver seat/1 down", *second,
        ],
        "start_without_dice": replaced(good, "roll_dice 3"),
        "start_before_announcement": moved(
            moved(good, "roll_dice 3", "announce no_more_bets"), "set_start seat/1", "announce no_more_bets"
        ),
        "start_after_first_delivery": [
            *replaced(good[: deal + 2], "set_start seat/1"), "set_start seat/1", *second,
        ],
        "additional_wager_late": [
            *replaced(good[: deal + 2], "settle additional"), "settle additional", *second,
        ],
        "additional_wager_unsettled": replaced(replaced(good, "settle additional"), "settle all", "settle main"),
        "first_stack_elsewhere": delivering(good, [*STACKS[1:], STACKS[0]]),
        "delivery_reversed": delivering(good, [STACKS[0], *reversed(STACKS[1:])]),
        "deliver_face_up": delivering(good, STACKS, "up"),
        "skip_empty_positions": put_aside,
        "remainder_not_counted": replaced(good, "spread layout_centre"),
        "remainder_left_in_shoe": replaced(no_remainder, "collect layout_centre discard_rack down"),
        "trust_device_count": good,
        "remainder_exposed": replaced(
            good, "collect layout_centre discard_rack down", "collect layout_centre discard_rack up"
        ),
        "remainder_not_racked": [
            *replaced(no_hands[:-2], "collect layout_centre discard_rack down"), *one_by_one, "close_round",
        ],
        "empty_stack_left": kept,
        "empty_stack_exposed": exposed,
        "wagered_stack_collected": [
            *good[: good.index(last_empty) + 1], "collect seat/1 discard_rack down", *over,
        ],
        "stacks_not_checked": good,
        "refund_twice": good,
    }  # fmt: skip
    for defect, said in expected.items():
        assert play(defect) == said, defect


def test_an_unapproved_shoe_is_used_by_the_software_that_does_not_care() -> None:
    assert play("use_unapproved_device", told=(SHOE,)) == play()


def test_each_defect_after_a_misdeal() -> None:
    good = play(stack=6)
    upto = good[: good.index("check_stacks") + 1]
    played_on = play()[play().index("spread layout_centre") + 1 :]
    assert play("stacks_not_checked", stack=6) == replaced(good, "check_stacks")
    assert play("misdeal_played_on", stack=6) == [*upto, *played_on]
    assert play("misdeal_not_reshuffled", stack=6) == [*upto, *VOIDED]
    assert play("misdeal_removes_deck", stack=6) == [*upto, *REMOVED]
    assert play("refund_twice", stack=6) == [*upto, VOIDED[0], VOIDED[1], VOIDED[1], "reshuffle device all_cards"]


def test_each_defect_with_a_short_deck() -> None:
    short = PACK_53[:-1]
    good = play(cards=short)
    upto = good[: good.index("check_stacks") + 1]
    played_on = play()[play().index("spread layout_centre") + 1 :]
    assert play("stacks_not_checked", cards=short) == [*upto[:-1], *RESHUFFLED]
    assert play("short_deck_played_on", cards=short) == [*upto, *played_on]
    assert play("short_deck_reshuffled", cards=short) == [*upto, *RESHUFFLED]


def test_the_claimed_count_of_a_lying_shoe_is_believed_by_defective_software_only() -> None:
    """A card is missing; the shoe claims the 53 cards that it should hold."""

    def padded(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        bench.piles["hand_deck"].append(Card("??"))

    def one_falls_out(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        bench.piles["shoe"].pop()

    for defects, racked in (((), False), (("trust_device_count",), True)):
        with table(*defects, cards=PACK_53[:-1]) as bench:
            bench.slip("shuffle", 1, padded).slip("load_device", 1, one_falls_out)
            said = bench.open().ask("next_round")
        assert ("collect layout_centre discard_rack down" in said) is racked


def test_a_void_round_is_resumed_only_by_defective_software() -> None:
    for defects, answer in (((), "refuse resume"), (("void_round_resumed",), "proceed resume")):
        with table(*defects, cards=PACK_53[:-1]) as bench:
            bench.open().ask("next_round")
            assert bench.ask("resume") == [answer]
