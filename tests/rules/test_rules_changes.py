"""What counts as a change between two judgements of the same evidence."""

from typing import Any

import msgspec

from rules.changes import find_changes, same_verdicts
from rules.verdicts import Outcome, Verdict

PASS, FAIL = Outcome.PASS, Outcome.FAIL


def verdict(clause: str = "T.1", outcome: Outcome = PASS, scenario: str = "s", **more: Any) -> Verdict:
    reasons = {"en": f"{clause} {outcome}", "es": f"{clause} es {outcome}"}
    return Verdict(
        scenario=scenario, pack="T", clause=clause, verdict=outcome, reason=reasons["en"], reasons=reasons, **more
    )


def test_nothing_changes_where_nothing_differs() -> None:
    both = [verdict("T.1"), verdict("T.2", FAIL)]
    assert find_changes(both, both) == []
    assert same_verdicts(both, both, words=True)


def test_wording_and_evidence_alone_are_no_change() -> None:
    now = verdict(evidence=[1, 2])
    assert find_changes([verdict(evidence=[1])], [msgspec.structs.replace(now, reason="Otherwise.")]) == []


def test_a_verdict_that_came_out_otherwise_is_told_with_both_sentences() -> None:
    [change] = find_changes(
        [verdict(policies={"mood": "mild"})], [verdict(outcome=FAIL, policies={"mood": "strict"})], "es"
    )
    assert (change.was, change.now) == (PASS, FAIL)
    assert (change.reason, change.reason_before) == ("T.1 es FAIL", "T.1 es PASS")
    assert change.policies == {"mood": ("mild", "strict")}


def test_a_requirement_that_came_out_otherwise_is_told_although_the_clause_did_not() -> None:
    before, after = verdict(requirements={"a": PASS, "b": PASS}), verdict(requirements={"a": PASS, "c": PASS})
    [change] = find_changes([before], [after])
    assert (change.was, change.now) == (PASS, PASS)
    assert change.requirements == {"c": (None, PASS), "b": (PASS, None)}


def test_a_requirement_that_was_added_and_never_triggered_is_no_change() -> None:
    before, after = verdict(requirements={"a": PASS}), verdict(requirements={"a": PASS, "b": Outcome.NOT_TRIGGERED})
    assert find_changes([before], [after]) == find_changes([after], [before]) == []


def test_verdicts_of_a_time_without_requirements_are_no_change() -> None:
    assert find_changes([verdict()], [verdict(requirements={"a": PASS})]) == []


def test_what_was_not_judged_before_and_what_is_no_longer_judged() -> None:
    added, gone = find_changes([verdict("T.1"), verdict("T.2")], [verdict("T.3", FAIL), verdict("T.2")])
    assert (added.clause, added.was, added.now, added.reason_before) == ("T.3", None, FAIL, "")
    assert (gone.clause, gone.was, gone.now, gone.reason) == ("T.1", PASS, None, "T.1 PASS")


def test_the_same_clause_in_two_scenarios_is_two_things() -> None:
    before = [verdict(scenario="a"), verdict(scenario="b")]
    [change] = find_changes(before, [verdict(scenario="a"), verdict(scenario="b", outcome=FAIL)])
    assert change.scenario == "b"


def test_wording_counts_only_where_it_is_asked_for() -> None:
    other = msgspec.structs.replace(verdict(), reason="Otherwise.", reasons={})
    assert not same_verdicts([verdict()], [other], words=True)
    assert same_verdicts([verdict()], [other], words=False)
    assert not same_verdicts([verdict()], [verdict(evidence=[1])], words=False)
