"""N.J.A.C. 13:69F-33.12 (i) to (k): devices that fail, and devices that must leave the table."""

from collections.abc import Sequence

import pytest

from rules.verdicts import Outcome
from tests.rules.storytelling import failed, told, triggered
from tests.rules.stud_script import PACK, Stud

SYMPTOMS = ["jam", "stop", "incomplete"]


# --- (i) the shuffler ------------------------------------------------------------------------------------------------


def failing_shuffle(symptom: str, how: str = "claimed") -> Stud:
    """A round begins and the shuffler fails. `how`: claimed, proven, both, or silent (proven, yet completed)."""
    s = Stud()
    s.tapped = True
    s.ask("next_round")
    s.just("open_round")
    order = s.order("shuffle", method="device", device="shuffler")
    s.act("load", order, device="shuffler")
    s.command("shuffler", "shuffle")
    s.cycle("shuffler", "shuffle", "started")
    edges = [s.line("shuffler/entry"), s.line("shuffler/entry")]
    if how in ("claimed", "both"):
        s.fault("shuffler", symptom)
        s.cycle("shuffler", "shuffle", "aborted")
    if how == "silent":
        s.cycle("shuffler", "shuffle", "completed")
    if how != "claimed":
        s.proven("any", "shuffler", symptom, edges)
    s.done(order, "shuffle", "done" if how == "silent" else "failed")
    return s


def deal(s: Stud) -> Stud:
    s.cut()
    s.load_shoe()
    s.hole()
    s.betting()
    s.rest()
    return s


@pytest.mark.parametrize("how", ["claimed", "proven", "both", "silent"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_i_failing_shuffler_means_reshuffle(n: int, how: str) -> None:
    s = failing_shuffle(SYMPTOMS[n - 1], how)
    s.reshuffle("device_cards")
    verdicts = told(deal(s))
    assert verdicts[f"i.{n}"].verdict is Outcome.PASS
    assert triggered(verdicts) == {f"i.{n}"}


@pytest.mark.parametrize("how", ["claimed", "proven", "both", "silent"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_i_using_the_partial_shuffle_breaks_it(n: int, how: str) -> None:
    assert failed(told(deal(failing_shuffle(SYMPTOMS[n - 1], how)))) == {f"i.{n}"}


def test_i_a_jam_that_the_shuffler_cleared_in_silence_is_still_a_jam() -> None:
    verdict = told(deal(failing_shuffle("jam", "silent")))["i.1"]
    assert verdict.verdict is Outcome.FAIL
    assert "without saying so" in verdict.reason


def test_i_a_jam_reported_as_recovered_is_still_a_jam() -> None:
    s = Stud()
    s.just("open_round")
    order = s.order("shuffle", method="device", device="shuffler")
    s.command("shuffler", "shuffle")
    s.fault("shuffler", "jam", recovered=True)
    s.cycle("shuffler", "shuffle", "completed")
    s.done(order, "shuffle")
    assert failed(told(deal(s))) == {"i.1"}


def test_i_a_new_shuffle_counts_unless_the_policy_wants_an_ordered_reshuffle() -> None:
    s = failing_shuffle("jam")
    s.shuffle()
    deal(s)
    s.end()
    clause = f"{PACK}.i.1"
    assert s.verdicts()[clause].verdict is Outcome.PASS
    assert s.verdicts(reshuffle_form="ordered_reshuffle")[clause].verdict is Outcome.FAIL


def test_i_proof_that_comes_after_the_reshuffle_changes_the_case_and_keeps_the_verdict() -> None:
    s = failing_shuffle("stop", "claimed")
    edge = next(record.seq for record in s.records if getattr(record.event, "line", "") == "shuffler/entry")
    s.reshuffle()
    s.proven("card_stuck_on_entry", "shuffler", "jam", [edge])
    verdicts = told(deal(s))
    assert triggered(verdicts) == {"i.1"}
    assert verdicts["i.1"].verdict is Outcome.PASS
    assert verdicts["i.1"].trigger == edge  # the earliest evidence, though it was understood last


def test_i_silence_is_a_cycle_that_was_not_completed() -> None:
    s = Stud()
    s.just("open_round")
    order = s.order("shuffle", method="device", device="shuffler")
    s.command("shuffler", "shuffle")
    s.cycle("shuffler", "shuffle", "started")
    s.done(order, "shuffle", "failed")
    verdicts = told(deal(s))
    assert failed(verdicts) == {"i.3"}


def test_i_each_failure_needs_its_own_reshuffle() -> None:
    s = failing_shuffle("jam")
    s.reshuffle()
    order = s.order("shuffle", method="device", device="shuffler")
    s.command("shuffler", "shuffle")
    s.fault("shuffler", "jam")
    s.done(order, "shuffle", "failed")
    assert failed(told(deal(s))) == {"i.1"}


def test_i_does_not_concern_a_table_without_a_shuffler() -> None:
    s = Stud(devices=["shoe"])
    s.just("open_round")
    verdicts = told(s)
    assert verdicts["i.1"].verdict is Outcome.NOT_APPLICABLE
    assert verdicts["j.1"].verdict is Outcome.NOT_TRIGGERED


# --- (j) the shoe ----------------------------------------------------------------------------------------------------


def failing_shoe(
    symptom: str,
    *,
    how: str = "both",
    steps: Sequence[str] = ("void", "remove", "reshuffle"),
    resume: str = "refuse",
    on: bool = False,
    leave: Sequence[str] = (),
    scope: str = "all_cards",
) -> Stud:
    s = Stud()
    s.opening()
    s.card("seat/1")
    s.card("seat/3")
    order = s.order("dispense", device="shoe", unit="card")
    s.command("shoe", "deal_card")
    edges = [s.line("shoe/exit")]
    if how in ("claimed", "both"):
        s.fault("shoe", symptom)
    if how == "silent":
        s._out(order)
    if how != "claimed":
        s.proven("any", "shoe", symptom, edges)
    s.done(order, "dispense", "done" if how == "silent" else "failed")
    if on:
        s.deliver("dealer")
    for step in steps:
        match step:
            case "void":
                s.just("void_round")
            case "remove":
                s.remove_cards()
            case "reshuffle":
                s.reshuffle(scope, leave=leave)
    s.just("close_round")
    if resume:
        s.ask("resume", probe=True)
        s.just(resume, request="resume")
    s.opening("seat/3", shuffled=True)
    s.card("seat/1")
    return s


@pytest.mark.parametrize("how", ["claimed", "proven", "both"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_j_failing_shoe_means_void_remove_reshuffle(n: int, how: str) -> None:
    symptom = SYMPTOMS[n - 1]
    verdicts = told(failing_shoe(symptom, how=how))
    assert triggered(verdicts) == {f"j.{n}", "j.4", "j.5", "j.6"}
    assert {verdict.verdict for verdict in verdicts.values()} == {Outcome.PASS, Outcome.NOT_TRIGGERED}
    assert {tuple(verdicts[one].alternatives) for one in ("j.4", "j.5", "j.6")} == {(symptom,)}


@pytest.mark.parametrize("symptom", SYMPTOMS)
@pytest.mark.parametrize(
    ("steps", "broken"),
    [
        (("remove", "reshuffle"), {"j.4"}),
        (("void", "reshuffle"), {"j.5"}),
        (("void", "remove"), {"j.6"}),
        (("void", "reshuffle", "remove"), {"j.5"}),
    ],
)
def test_j_each_step_omitted_or_out_of_order_breaks_its_clause(
    symptom: str, steps: Sequence[str], broken: set[str]
) -> None:
    assert failed(told(failing_shoe(symptom, steps=steps))) == broken


def test_j6_leaving_out_the_cards_already_dealt_breaks_it() -> None:
    assert failed(told(failing_shoe("jam", scope="device_cards"))) == {"j.6"}


def test_j6_an_order_of_the_right_scope_is_not_enough_if_cards_lie_still() -> None:
    assert failed(told(failing_shoe("jam", leave=["seat/3"]))) == {"j.6"}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_j_granting_a_resume_breaks_it(n: int) -> None:
    assert failed(told(failing_shoe(SYMPTOMS[n - 1], resume="proceed"))) == {f"j.{n}"}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_j_dealing_on_breaks_it(n: int) -> None:
    s = failing_shoe(SYMPTOMS[n - 1], steps=(), resume="refuse", on=True)
    assert failed(told(s)) == {f"j.{n}", "j.4", "j.5", "j.6"}


def test_j_cards_that_go_on_being_delivered_break_it_though_they_were_ordered_before_the_jam() -> None:
    s = Stud()
    s.opening()
    orders = [s.order("dispense", device="shoe", unit="card"), s.order("deliver", position="seat/1", face="down")]
    s.command("shoe", "deal_card")
    s.fault("shoe", "jam")
    s.done(orders[0], "dispense", "failed")
    s.held["seat/1"] = 1
    s.act("deliver", orders[1], position="seat/1")
    s.look("seat/1")
    s.done(orders[1], "deliver")
    assert "j.1" in failed(told(s))


def test_j_a_jam_that_the_shoe_cleared_in_silence_is_still_a_jam() -> None:
    s = failing_shoe("jam", how="silent", steps=(), on=True)
    assert "j.1" in failed(told(s))


def test_j_without_the_forbidden_step_tried_there_is_no_verdict() -> None:
    verdicts = told(failing_shoe("jam", resume=""))
    assert verdicts["j.1"].verdict is Outcome.INCONCLUSIVE
    assert "never tried" in verdicts["j.1"].reason
    assert verdicts["j.4"].verdict is Outcome.PASS


def test_j_speaks_of_rounds_unless_the_policy_says_otherwise() -> None:
    s = Stud()
    s.command("shoe", "load")
    s.fault("shoe", "jam")
    s.end()
    clause = f"{PACK}.j.4"
    assert s.verdicts()[clause].verdict is Outcome.NOT_TRIGGERED
    assert s.verdicts(shoe_failure_when="any_time")[clause].verdict is Outcome.FAIL


def test_j_goes_before_what_would_have_let_the_round_go_on() -> None:
    s = Stud()
    s.opening()
    s.hole()
    s.expose("seat/3")
    order = s.order("dispense", device="shoe", unit="card")
    s.command("shoe", "deal_card")
    s.fault("shoe", "jam")
    s.done(order, "dispense", "failed")
    s.just("void_round")
    s.remove_cards()
    s.reshuffle()
    s.just("close_round")
    s.ask("resume", probe=True)
    s.just("refuse", request="resume")
    verdicts = told(s)
    assert verdicts["h"].verdict is Outcome.NOT_APPLICABLE
    assert failed(verdicts) == set()


# --- (k) another method ----------------------------------------------------------------------------------------------


def by_hand(function: str, *, removed: Sequence[str], late: Sequence[str] = (), seen: bool | None = False) -> Stud:
    s = Stud()
    s.ask("shuffle_by_hand" if function == "shuffling" else "deal_by_hand")
    for device in removed:
        s.remove_device(device, seen=seen)
    if function == "shuffling":
        s.shuffle(method="hand")
    else:
        order = s.order("dispense", method="hand", unit="card")
        s.act("deal_by_hand", order)
        s.done(order, "dispense")
    for device in late:
        s.remove_device(device)
    return s


@pytest.mark.parametrize("function", ["shuffling", "dealing"])
def test_k_both_devices_leave_first(function: str) -> None:
    verdicts = told(by_hand(function, removed=["shuffler", "shoe"]))
    assert verdicts["k"].verdict is Outcome.PASS
    assert set(verdicts["k"].alternatives) == {f"shuffler_{function}", f"shoe_{function}"}


@pytest.mark.parametrize("function", ["shuffling", "dealing"])
@pytest.mark.parametrize("kept", ["shuffler", "shoe"])
@pytest.mark.parametrize("late", [True, False])
def test_k_a_device_kept_or_removed_too_late_breaks_it(function: str, kept: str, late: bool) -> None:
    removed = [device for device in ("shuffler", "shoe") if device != kept]
    s = by_hand(function, removed=removed, late=[kept] if late else [])
    verdicts = told(s)
    assert failed(verdicts) == {"k"}
    assert kept in verdicts["k"].reason


def test_k_a_removal_that_the_camera_contradicts_breaks_it() -> None:
    assert failed(told(by_hand("dealing", removed=["shuffler", "shoe"], seen=True))) == {"k"}


def test_k_a_removal_that_the_camera_could_not_see_is_inconclusive() -> None:
    verdicts = told(by_hand("dealing", removed=["shuffler", "shoe"], seen=None))
    assert verdicts["k"].verdict is Outcome.INCONCLUSIVE


def test_k_refusing_meets_it() -> None:
    s = Stud()
    s.ask("deal_by_hand", probe=True)
    s.just("refuse", request="deal_by_hand")
    assert told(s)["k"].verdict is Outcome.PASS


def test_k_granting_the_request_breaks_it() -> None:
    s = Stud()
    s.ask("deal_by_hand", probe=True)
    s.just("proceed", request="deal_by_hand")
    assert failed(told(s)) == {"k"}


def test_k_asks_only_for_the_device_that_is_replaced_if_the_policy_says_so() -> None:
    s = by_hand("shuffling", removed=["shuffler"])
    s.end()
    clause = f"{PACK}.k"
    assert s.verdicts()[clause].verdict is Outcome.FAIL
    relaxed = s.verdicts(other_method="same_function")[clause]
    assert relaxed.verdict is Outcome.PASS
    assert relaxed.alternatives == ["shuffler_shuffling"]


def test_k_a_reshuffle_by_hand_is_another_way_of_shuffling() -> None:
    s = failing_shuffle("jam")
    s.reshuffle(method="hand")
    assert failed(told(s)) == {"k"}
