"""What makes a whole scenario inconclusive, and how scenarios and attempts stand beside each other."""

from collections.abc import Callable

import msgspec
import pytest

from evidence.errors import UsageError
from evidence.events import Record, RunFinished, TableDone
from rules.judge import judge
from rules.verdicts import Outcome, Verdict
from tests.rules.pai_gow_script import PaiGow
from tests.rules.stud_script import PACK, Stud, exposed_hole_card
from tests.rules.table_script import PACKS

A1, B1, I1 = f"{PACK}.a.1", f"{PACK}.b.1", f"{PACK}.i.1"


@pytest.mark.parametrize("status", ["interrupted", "rig_fault", "error", None])
def test_only_a_completed_scenario_passes(status: str | None) -> None:
    s = exposed_hole_card()
    s.end(status)
    verdicts = s.verdicts()
    assert {one.verdict for one in verdicts.values()} == {Outcome.INCONCLUSIVE}
    assert "not completed" in verdicts[A1].reason


@pytest.mark.parametrize("status", ["interrupted", None])
def test_a_failure_already_shown_stands_in_a_scenario_cut_short(status: str | None) -> None:
    s = exposed_hole_card("up")
    s.end(status)
    verdicts = s.verdicts()
    assert verdicts[A1].verdict is Outcome.FAIL
    assert verdicts[B1].verdict is Outcome.INCONCLUSIVE


def test_what_has_not_come_yet_is_no_failure_in_a_scenario_cut_short() -> None:
    s = Stud()
    s.opening()
    s.hole(seat3_1={"up": True})
    s.end("interrupted")
    assert s.verdicts()[A1].verdict is Outcome.INCONCLUSIVE


def test_an_unproven_fault_makes_what_the_scenario_covers_inconclusive() -> None:
    s = exposed_hole_card()
    s.unproven("hole_card_turned_up", "dealer")
    s.end()
    verdicts = s.verdicts()
    assert verdicts[A1].verdict is Outcome.INCONCLUSIVE
    assert "not shown to have happened" in verdicts[A1].reason


def test_an_unproven_fault_leaves_nothing_of_what_the_scenario_covers() -> None:
    s = exposed_hole_card("up")
    s.unproven("hole_card_turned_up", "dealer")
    s.end()
    assert s.verdicts()[A1].verdict is Outcome.INCONCLUSIVE


def test_an_unproven_fault_does_not_hide_what_the_scenario_does_not_cover() -> None:
    s = Stud(["a.1:player_first"])
    s.opening()
    s.dispense(up=True)
    s.deliver("seat/1", up=False)
    s.card("seat/3")
    s.unproven("hole_card_turned_up", "dealer")
    s.end()
    assert s.verdicts()[B1].verdict is Outcome.FAIL


def test_a_fault_that_was_armed_and_never_heard_of_again_proves_nothing() -> None:
    s = exposed_hole_card()
    s.armed("hole_card_turned_up", "dealer")
    s.end()
    assert s.verdicts()[A1].verdict is Outcome.INCONCLUSIVE


def test_of_two_armed_faults_each_needs_its_proof() -> None:
    for proofs, outcome in ((1, Outcome.INCONCLUSIVE), (2, Outcome.PASS)):
        s = exposed_hole_card()
        for _ in range(2):
            s.armed("hole_card_turned_up", "dealer")
        for _ in range(proofs):
            s.proven("hole_card_turned_up", "dealer", "hole_card_turned_up", [1])
        s.end()
        assert s.verdicts()[A1].verdict is outcome


# --- damaged journals ------------------------------------------------------------------------------------------------


def without(records: list[Record], seq: int) -> list[Record]:
    return [record for record in records if record.seq != seq]


def test_a_gap_in_the_journal_is_never_a_pass() -> None:
    s = exposed_hole_card()
    s.end()
    look = next(record for record in s.records if record.seq > 40)
    verdicts = judge(without(s.records, look.seq), list(PACKS.values()))
    assert {one.verdict for one in verdicts} == {Outcome.INCONCLUSIVE}
    assert "does not hold together" in verdicts[0].reason


def killed_hand() -> Stud:
    s = Stud()
    s.opening()
    s.hole()
    s.expose("seat/3")
    s.just("dead_hand", position="seat/3")
    s.betting()
    s.end()
    return s


def test_a_breach_stands_where_only_records_are_lost_that_could_not_excuse_it() -> None:
    """A lost record before the breach, or of the order within which it came, may have been a reason for it."""
    s = killed_hand()
    broken = next(record.seq for record in s.records if getattr(record.event, "verb", "") == "dead_hand")
    carried_out = next(one.seq for one in s.records if one.seq > broken and isinstance(one.event, TableDone))
    ended = s.records[-1].seq
    outcomes = {}
    for seq in (20, broken - 1, broken, carried_out, carried_out + 1, ended - 1):
        found = judge(without(s.records, seq), list(PACKS.values()))
        outcomes[seq] = next(one for one in found if one.clause == f"{PACK}.h").verdict
    assert {seq for seq, one in outcomes.items() if one is Outcome.FAIL} == {carried_out + 1, ended - 1}
    assert set(outcomes.values()) == {Outcome.FAIL, Outcome.INCONCLUSIVE}


def test_a_gap_between_scenarios_touches_none() -> None:
    s = exposed_hole_card()
    s.end()
    between = s.put(RunFinished(outcome="completed"))
    s.open_scenario(scenario="second")
    s.opening()
    s.end()
    found = judge(without(s.records, between), list(PACKS.values()))
    assert next(one for one in found if one.clause == A1).verdict is Outcome.PASS


def test_a_record_that_stands_twice_is_no_second_event() -> None:
    s = exposed_hole_card()
    s.end()
    doubled = [record for record in s.records for _ in range(2)]
    verdicts = judge(doubled, list(PACKS.values()))
    assert Outcome.PASS not in {one.verdict for one in verdicts}
    assert Outcome.FAIL not in {one.verdict for one in verdicts}


# --- several rounds, scenarios and attempts --------------------------------------------------------------------------


def test_a_failure_in_one_of_several_rounds_is_a_failure() -> None:
    for bad in (0, 1, 2):
        s = Stud()
        for n in range(3):
            s.opening(["seat/1", "seat/3", "dealer"][n], shuffled=n > 0)
            s.hole(seat3_1={"up": True})
            s.betting()
            s.rest(seat3="up" if n == bad else "down")
            s.shuffle()
        s.end()
        assert s.verdicts()[A1].verdict is Outcome.FAIL


def test_scenarios_in_one_journal_do_not_see_each_other() -> None:
    s = exposed_hole_card("up", scenario="bad")
    s.end()
    s.open_scenario(scenario="good")
    s.opening()
    s.hole(seat3_1={"up": True})
    s.betting()
    s.rest(seat3="down")
    s.end()
    assert s.verdicts("bad")[A1].verdict is Outcome.FAIL
    assert s.verdicts("good")[A1].verdict is Outcome.PASS


def test_both_packs_are_judged_in_one_journal() -> None:
    s = exposed_hole_card(scenario="nj")
    s.end()
    pr = PaiGow(scenario="pr")
    pr.proper()
    pr.end()
    first = len(s.records)
    s.records += [msgspec.structs.replace(one, seq=first + n) for n, one in enumerate(pr.records)]
    found = judge(s.records, list(PACKS.values()))
    assert [sum(one.scenario == name for one in found) for name in ("nj", "pr")] == [27, 16]
    assert {one.pack for one in found if one.scenario == "pr"} == {"PR-PGP-SHOE"}


def test_scenarios_may_run_beside_each_other() -> None:
    one, other = exposed_hole_card("up", scenario="one"), exposed_hole_card("down", scenario="other")
    one.end()
    other.end()
    pairs = zip(one.records, other.records, strict=True)
    mixed = [record for pair in pairs for record in pair]
    mixed = [msgspec.structs.replace(record, seq=n) for n, record in enumerate(mixed)]
    found = {(v.scenario, v.clause): v.verdict for v in judge(mixed, list(PACKS.values()))}
    assert found["one", A1] is Outcome.FAIL
    assert found["other", A1] is Outcome.PASS


def attempts(*tellings: Callable[[Stud], None]) -> dict[str, Verdict]:
    s = Stud()
    tellings[0](s)
    for telling in tellings[1:]:
        s.open_scenario()
        telling(s)
    return s.verdicts()


def good(s: Stud) -> None:
    s.opening()
    s.hole(seat3_1={"up": True})
    s.betting()
    s.rest(seat3="down")
    s.end()


def bad(s: Stud) -> None:
    s.opening()
    s.hole(seat3_1={"up": True})
    s.betting()
    s.rest(seat3="up")
    s.end()


def broken_off(s: Stud) -> None:
    s.opening()
    s.end("rig_fault")


def test_the_latest_attempt_counts() -> None:
    assert attempts(broken_off, good)[A1].verdict is Outcome.PASS
    assert attempts(good, broken_off)[A1].verdict is Outcome.INCONCLUSIVE


def test_a_failure_is_never_repeated_away() -> None:
    assert attempts(bad, good)[A1].verdict is Outcome.FAIL
    assert attempts(bad, broken_off, good)[A1].verdict is Outcome.FAIL


def test_a_scenario_of_a_pack_that_was_not_given_has_no_verdict() -> None:
    s = exposed_hole_card()
    s.end()
    found = judge(s.records, [PACKS["PR-PGP-SHOE"]])
    assert [(one.clause, one.verdict) for one in found] == [(A1, Outcome.INCONCLUSIVE)]


def test_no_records_no_verdicts() -> None:
    assert judge([], list(PACKS.values())) == []


def test_policies_must_be_known() -> None:
    with pytest.raises(UsageError, match="unknown policy 'mood'"):
        judge([], list(PACKS.values()), {"mood": "mild"})
    with pytest.raises(UsageError, match=r"cannot be 'sometimes'.*any_function, same_function"):
        judge([], list(PACKS.values()), {"other_method": "sometimes"})
    assert judge([], list(PACKS.values()), {f"{PACK}/other_method": "same_function"}) == []


# --- the camera abstains ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "clauses"),
    [("seat/3", {"a.1", "a.2", "d", "f.1"}), ("shoe_mouth", {"b.1", "b.2"}), ("burn", {"e.1"}), ("dealer", {"f.1"})],
)
def test_where_the_camera_abstains_there_is_no_verdict(place: str, clauses: set[str]) -> None:
    s = Stud()
    s.blind.add(place)
    s.opening()
    s.hole()
    s.betting()
    s.rest()
    s.end()
    verdicts = s.verdicts()
    unsure = {
        one.removeprefix(f"{PACK}.") for one, verdict in verdicts.items() if verdict.verdict is Outcome.INCONCLUSIVE
    }
    assert clauses <= unsure
    assert Outcome.FAIL not in {verdict.verdict for verdict in verdicts.values()}


@pytest.mark.parametrize(
    ("place", "clauses"),
    [
        ("seat/3", {"D.1", "D.3"}),
        ("shoe_mouth", {"A.1"}),
        ("layout_centre", {"E.0", "E.1.a", "E.1.b", "E.2.0", "F"}),
        ("discard_rack", {"E.1.a", "E.1.b", "F"}),
        ("seat/6", {"F", "D.2"}),
    ],
)
def test_where_the_camera_abstains_over_stacks_there_is_no_verdict(place: str, clauses: set[str]) -> None:
    s = PaiGow()
    s.blind.add(place)
    s.proper()
    s.end()
    found = {clause.removeprefix("PR-PGP-SHOE."): one.verdict for clause, one in s.verdicts().items()}
    assert clauses <= {clause for clause, one in found.items() if one is Outcome.INCONCLUSIVE}
    assert Outcome.FAIL not in found.values()


def test_a_second_look_settles_what_the_first_could_not_see() -> None:
    s = Stud()
    s.opening()
    s.dispense()
    order = s.order("deliver", position="seat/1", face="down")
    s.held["shoe_mouth"], s.held["seat/1"] = 0, 1
    s.act("deliver", order, position="seat/1")
    s.blind.add("seat/1")
    s.look("seat/1")
    s.blind.clear()
    s.look("seat/1")
    s.done(order, "deliver")
    for position in ("seat/3", "dealer", "seat/1", "seat/3", "dealer"):
        s.card(position)
    s.betting()
    s.rest()
    s.end()
    assert {one.verdict for one in s.verdicts().values()} == {Outcome.NOT_TRIGGERED}
