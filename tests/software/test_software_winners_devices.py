"""Button, players and devices of Winner's Pot under N.J.A.C. 13:69F-33.12(g) to (k), and each defect beside."""

from collections.abc import Sequence

import pytest

from evidence.events import ButtonSeen, DealerDid, DeviceCycle, DeviceFault, Directive, PlayerDid, TableDone
from tests.software.scripted_table import ScriptedTable, Slip, table
from tests.software.winners_rounds import (
    AFTER_SHOE,
    HAND_ROUND,
    PLAIN,
    Slips,
    index_of,
    inserted,
    play,
    played,
    settled_apart,
    without,
)

# --- (g) the button ---


def not_moved(bench: ScriptedTable, _: Directive) -> None:
    bench.see_button()


def buttons(*defects: str, seated: Sequence[str], start: str, rounds: int) -> list[str]:
    with table("winners_pot", *defects) as bench:
        bench.button = start
        bench.slip("move_button", 1, not_moved).open(seated=seated, told=(ButtonSeen(position=start),))
        said = [line for _ in range(rounds) for line in bench.ask("next_round")]
    kept = ("move_button", "continue_round", "void_round", "close_round")
    return [line for line in said if line.startswith(kept)]


def test_g1_g2_a_button_not_moved_counts_as_moved() -> None:
    said = buttons(seated=["seat/1", "seat/6"], start="dealer", rounds=2)
    assert said == ["move_button seat/1", "continue_round", "close_round", "move_button seat/6", "close_round"]


def test_g3_from_the_last_player_the_button_goes_to_the_dealer() -> None:
    said = buttons(seated=["seat/1", "seat/6"], start="seat/1", rounds=3)
    assert said == [
        "move_button seat/6", "continue_round", "close_round",
        "move_button dealer", "close_round", "move_button seat/1", "close_round",
    ]  # fmt: skip


def test_g_defects() -> None:
    seats = ["seat/1", "seat/6"]
    assert buttons("button_stops_round", seated=seats, start="dealer", rounds=1) == ["move_button seat/1", "void_round"]
    forgotten = buttons("button_forgotten", seated=seats, start="dealer", rounds=2)
    assert forgotten == ["move_button seat/1", "continue_round", "close_round", "close_round"]
    skipped = buttons("button_skips_dealer", seated=seats, start="seat/1", rounds=2)
    assert skipped == ["move_button seat/6", "continue_round", "close_round", "move_button seat/1", "close_round"]
    for defect in ("button_forgotten", "button_skips_dealer"):
        assert play(defect) == PLAIN


# --- (h) a player exposes a card ---


def test_h_a_hand_whose_player_exposes_a_card_stays_active() -> None:
    def exposes(bench: ScriptedTable, _: Directive) -> None:
        bench.piles["seat/3"][0].up = True
        bench.tell(PlayerDid(act="expose", position="seat/3"))
        bench.look("seat/3")

    slips: Slips = [("betting_round", 1, exposes)]
    at = PLAIN.index("betting_round") + 1
    assert play(slips=slips) == inserted(PLAIN, at, "hand_active seat/3", "continue_round")
    killed = inserted(PLAIN, at, "dead_hand seat/3", "void_wagers seat/3 hand all")
    assert play("exposed_card_kills_hand", slips=slips) == settled_apart(
        without("seat/3", killed, at), "seat/1", "seat/6"
    )


def test_h_cards_shown_when_hands_are_shown_are_no_irregularity() -> None:
    def shows(bench: ScriptedTable, directive: Directive) -> None:
        bench.carry_out(directive)
        bench.tell(PlayerDid(act="expose", position="seat/3"))

    def raises(bench: ScriptedTable, _: Directive) -> None:
        bench.tell(PlayerDid(act="expose", position="seat/3"))

    assert play(slips=[("settle", 1, shows), ("collect", 1, raises)]) == PLAIN


# --- (i) the shuffler, (j) the shoe ---


def fails(device: str, symptom: str, *, recovers: bool = False) -> Slip:
    def slip(bench: ScriptedTable, directive: Directive) -> str | None:
        bench.fault(device, symptom, recovered=recovers)
        return bench.carry_out(directive) if recovers else "failed"

    return slip


def aborts(bench: ScriptedTable, _: Directive) -> str:
    bench.tell(DeviceCycle(device="shuffler", kind="shuffle", phase="aborted", count=17))
    return "failed"


@pytest.mark.parametrize("symptom", ["jam", "stop", "incomplete"])
@pytest.mark.parametrize("recovers", [False, True])
def test_i_a_shuffler_that_fails_reshuffles(symptom: str, recovers: bool) -> None:
    slips: Slips = [("shuffle", 1, fails("shuffler", symptom, recovers=recovers))]
    at = PLAIN.index("cut")
    said, bench = played(slips=slips)
    assert said == inserted(PLAIN, at, "reshuffle device all_cards")
    assert isinstance(bench.cause("reshuffle"), DeviceFault)
    ignored = play(f"no_reshuffle_after_{symptom}", slips=slips)
    assert ignored[at : at + 2] == ["remove_cards shuffler", "cut"]
    assert "reshuffle device all_cards" not in ignored[: at + 2]


@pytest.mark.parametrize("slip", [aborts, lambda *_: "failed"], ids=["aborted", "silent"])
def test_i_a_cycle_that_is_not_completed_reshuffles(slip: Slip) -> None:
    at = PLAIN.index("cut")
    assert play(slips=[("shuffle", 1, slip)]) == inserted(PLAIN, at, "reshuffle device all_cards")


def test_i_a_shuffle_is_ordered_again_three_times() -> None:
    slips: Slips = [
        (verb, nth, fails("shuffler", "jam")) for verb, nth in (("shuffle", 1), ("reshuffle", 1), ("reshuffle", 2))
    ]
    assert play(slips=slips) == inserted(PLAIN, PLAIN.index("cut"), *["reshuffle device all_cards"] * 3)


def jams_full(bench: ScriptedTable, _: Directive) -> str:
    bench.tell(DealerDid(act="load", device="shuffler"))
    bench.fault("shuffler", "jam")
    return "failed"


NEVER_SHUFFLES: Slips = [("shuffle", 1, jams_full), *[("reshuffle", nth, jams_full) for nth in (1, 2, 3)]]
BY_HAND = [
    "remove_cards shuffler",
    "remove_device shuffler",
    "remove_device",
    "proceed shuffle_by_hand",
    "shuffle hand",
]


def test_a_shuffler_that_never_shuffles_holds_the_table_until_hands_take_over() -> None:
    said = play(slips=NEVER_SHUFFLES, asks=("next_round", "next_round", "resume", "shuffle_by_hand"))
    at = PLAIN.index("cut")
    held = [*["reshuffle device all_cards"] * 3, "hold", "refuse next_round", "refuse resume"]
    assert said == [*PLAIN[:at], *held, *BY_HAND, *HAND_ROUND[HAND_ROUND.index("cut") :]]


def test_a_void_round_whose_cards_cannot_be_shuffled_does_not_go_on_by_hand() -> None:
    slips: Slips = [("dispense", 6, fails("shoe", "jam")), *NEVER_SHUFFLES[1:], ("reshuffle", 4, jams_full)]
    said = play(slips=slips, asks=("next_round", "shuffle_by_hand", "next_round"))
    at = index_of(PLAIN, "dispense card", 6) + 1
    held = [*AFTER_SHOE, *["reshuffle device all_cards"] * 3, "hold"]
    following = [line.replace("button seat/1", "button seat/3") for line in HAND_ROUND]
    assert said[: at + len(held) + len(BY_HAND)] == [*PLAIN[:at], *held, *BY_HAND]
    assert said[at + len(held) + len(BY_HAND) :][:3] == following[:3]


@pytest.mark.parametrize(
    ("symptom", "resumed"),
    [("jam", "shoe_jam_resumed"), ("stop", "shoe_stop_resumed"), ("incomplete", "shoe_no_deal_resumed")],
)
@pytest.mark.parametrize("recovers", [False, True])
def test_j_a_shoe_that_fails_voids_the_round(symptom: str, resumed: str, recovers: bool) -> None:
    slips: Slips = [("dispense", 6, fails("shoe", symptom, recovers=recovers))]
    at = index_of(PLAIN, "dispense card", 6) + 1
    said, bench = played(slips=slips, asks=("next_round", "resume"))
    assert said == [*PLAIN[:at], *AFTER_SHOE, "refuse resume"]
    assert isinstance(bench.cause("void_round"), DeviceFault)
    again = [] if recovers else ["dispense card"]
    assert play(resumed, slips=slips) == inserted(PLAIN, at, *again)


def test_j_a_shoe_that_gives_nothing_and_says_nothing_has_failed() -> None:
    slips: Slips = [("dispense", 6, lambda *_: "failed")]
    at = index_of(PLAIN, "dispense card", 6) + 1
    said, bench = played(slips=slips)
    assert said == [*PLAIN[:at], *AFTER_SHOE]
    assert isinstance(bench.cause("void_round"), TableDone)
    assert play("shoe_no_deal_resumed", slips=slips) == inserted(PLAIN, at, "dispense card")


def test_j_a_shoe_that_fails_while_burning_voids_the_round() -> None:
    at = PLAIN.index("burn 1") + 1
    assert play(slips=[("burn", 1, fails("shoe", "jam"))]) == [*PLAIN[:at], *AFTER_SHOE]
    assert play(slips=[("burn", 1, lambda *_: "failed")]) == [*PLAIN[:at], *AFTER_SHOE]


def test_j_defects_of_the_clearing_up() -> None:
    slips: Slips = [("dispense", 6, fails("shoe", "jam"))]
    before = PLAIN[: index_of(PLAIN, "dispense card", 6) + 1]
    assert play("round_not_voided", slips=slips) == [*before, *AFTER_SHOE[2:]]
    assert play("cards_left_in_shoe", slips=slips) == [*before, *AFTER_SHOE[:2], AFTER_SHOE[3]]
    assert play("dealt_cards_left_out", slips=slips) == [*before, *AFTER_SHOE[:3], "reshuffle device device_cards"]
    assert play("refund_twice", slips=slips) == [*before, *AFTER_SHOE[:2], *AFTER_SHOE[1:]]
    assert play("void_round_resumed", slips=slips, asks=("next_round", "resume"))[-1] == "proceed resume"


def test_j_no_round_is_opened_before_the_cards_are_shuffled_again() -> None:
    def asked_meanwhile(bench: ScriptedTable, directive: Directive) -> str | None:
        bench.look("shoe_mouth")
        bench.tell_request("next_round")
        return bench.carry_out(directive)

    said = play(slips=[("dispense", 6, fails("shoe", "jam")), ("reshuffle", 1, asked_meanwhile)])
    assert said[-1] == "refuse next_round"


# --- (k) another method ---

BOTH_REMOVED = ["remove_device shuffler", "remove_device"]


def test_k_devices_leave_the_table_before_cards_are_shuffled_by_hand() -> None:
    request = ["proceed shuffle_by_hand", "shuffle hand"]
    asks = ("shuffle_by_hand",)
    assert play(asks=asks) == [*BOTH_REMOVED, *request]
    assert play("shuffler_kept_for_hand_shuffle", asks=asks) == [BOTH_REMOVED[1], *request]
    assert play("shoe_kept_for_hand_shuffle", asks=asks) == [BOTH_REMOVED[0], *request]
    assert play("shuffler_removed_too_late", asks=asks) == [BOTH_REMOVED[1], *request, BOTH_REMOVED[0]]
    assert play("shoe_removed_too_late", asks=asks) == [BOTH_REMOVED[0], *request, BOTH_REMOVED[1]]
    for other in ("shuffler_kept_for_hand_deal", "shoe_kept_for_hand_deal"):
        assert play(other, asks=asks) == play(asks=asks)


def test_k_devices_leave_the_table_before_cards_are_dealt_by_hand() -> None:
    request = ["proceed deal_by_hand"]
    asks = ("deal_by_hand",)
    assert play(asks=asks) == [*BOTH_REMOVED, *request, *HAND_ROUND]
    assert play("shuffler_kept_for_hand_deal", asks=asks) == [BOTH_REMOVED[1], *request, *HAND_ROUND]
    assert play("shoe_kept_for_hand_deal", asks=asks) == [BOTH_REMOVED[0], *request, *HAND_ROUND]
    shuffled, dealt = HAND_ROUND.index("shuffle hand") + 1, HAND_ROUND.index("dispense hand card") + 1
    late = [BOTH_REMOVED[1], *request, *inserted(HAND_ROUND, shuffled, BOTH_REMOVED[0])]
    assert play("shuffler_removed_too_late", asks=asks) == late
    late = [BOTH_REMOVED[0], *request, *inserted(HAND_ROUND, dealt, BOTH_REMOVED[1])]
    assert play("shoe_removed_too_late", asks=asks) == late
    for other in ("shuffler_kept_for_hand_shuffle", "shoe_kept_for_hand_shuffle"):
        assert play(other, asks=asks) == play(asks=asks)


def test_k_a_device_that_is_still_seen_holds_the_table() -> None:
    def stays(bench: ScriptedTable, directive: Directive) -> None:
        bench.see_device(directive.device)

    slips: Slips = [("remove_device", 1, stays), ("remove_device", 2, stays)]
    assert play(slips=slips, asks=("deal_by_hand",)) == ["remove_device shuffler", "remove_device shuffler", "hold"]


def test_k_cards_leave_a_device_before_it_leaves_the_table() -> None:
    """After a round the rest of the pack is still in the shoe."""

    def loads(bench: ScriptedTable, directive: Directive) -> None:
        bench.tell(DealerDid(act="load", device="shoe"))
        bench.carry_out(directive)

    said = play(slips=[("load_device", 1, loads)], asks=("next_round", "shuffle_by_hand"))
    assert said[len(PLAIN) :][:3] == ["remove_device shuffler", "remove_cards", "remove_device"]


def test_later_rounds_go_on_by_hand() -> None:
    said = play(asks=("shuffle_by_hand", "next_round"))
    assert said[len(BOTH_REMOVED) + 2 :] == HAND_ROUND
