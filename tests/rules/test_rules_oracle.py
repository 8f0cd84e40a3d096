"""The judge beside an oracle: what each building block means, written down once more on a plain list of words.

A story is some rounds of announcements; `t` triggers. The oracle looks at the whole list at once, which the judge, who
reads it once from the front, cannot.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.loader import load_pack
from rules.pack import Pack
from rules.past import Past
from rules.verdicts import Outcome
from tests.rules.small_pack import CLAUSE, saying, verdict_of, write_pack

PASS, FAIL, DOUBT, ASIDE = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_APPLICABLE

Rounds = Sequence[str]
"""One text for each round, of which each letter is an announcement."""


class Told(NamedTuple):
    """A trigger with what came before it in the scenario, and before and after it in its scope."""

    before: str
    inside: str
    near: str
    """What came before it in its round."""
    after: str


def triggers(rounds: Rounds, *, whole: bool) -> list[Told]:
    everything = "".join(rounds)
    found = []
    done = 0
    for one in rounds:
        for n, letter in enumerate(one):
            if letter == "t":
                here = done + n
                inside = everything[:here] if whole else one[:n]
                after = everything[here + 1 :] if whole else one[n + 1 :]
                found.append(Told(everything[:here], inside, one[:n], after))
        done += len(one)
    return found


def responded(told: Told, *steps: str, before: str = "") -> Outcome:
    """The steps come in order, and none of `before` comes while one is missing."""
    waiting = list(steps)
    for letter in told.after:
        if waiting and letter == waiting[0]:
            waiting.pop(0)
        elif waiting and letter in before:
            return FAIL
    return FAIL if waiting else PASS


def in_order(text: str, *steps: str) -> bool:
    place = -1
    for step in steps:
        place = text.find(step, place + 1)
        if place < 0:
            return False
    return True


def not_until(told: Told, forbidden: str, until: str) -> Outcome:
    first = min((told.after.find(one) for one in until if one in told.after), default=len(told.after))
    return FAIL if any(one in told.after[:first] for one in forbidden) else PASS


def since(told: Told, mark: str) -> str:
    return told.before[told.before.rfind(mark) + 1 :]


def excused(outcome: Outcome, told: Told, exception: str, broken_by: str) -> Outcome:
    """An exception counts from the round of the trigger on, until the first thing that broke it, if anything did."""
    reach = told.after.partition(broken_by)[0]
    if outcome is not FAIL:
        return outcome
    return ASIDE if exception in told.near + reach else FAIL


def kept_from(told: Told, forbidden: str) -> Outcome:
    return FAIL if forbidden in told.after else PASS


def tried(told: Told, probe: str, forbidden: str) -> Outcome:
    return FAIL if forbidden in told.after else PASS if probe in told.after else DOUBT


def said(letter: str) -> str:
    return f'{{ fact = "announced", phrase = "{letter}" }}'


Oracle = Callable[[Told], Outcome]
BLOCKS: dict[str, tuple[str, Oracle]] = {
    "response": (f"response = [{said('a')}]", lambda told: responded(told, "a")),
    "deadline": (
        f"response = [{said('a')}, {said('b')}]\nbefore = {said('d')}",
        lambda told: responded(told, "a", "b", before="d"),
    ),
    "any of two": (
        f"response = [[{said('a')}, {said('b')}]]",
        lambda told: PASS if "a" in told.after or "b" in told.after else FAIL,
    ),
    "absence": (f"absence = {said('f')}", lambda told: kept_from(told, "f")),
    "not until": (
        f"not_succession = [{said('f')}, {said('d')}]\nuntil = [{said('a')}, {said('b')}]",
        lambda told: not_until(told, "fd", "ab"),
    ),
    "not before the response": (
        f"response = [{said('a')}]\nnot_succession = {said('f')}",
        lambda told: max(responded(told, "a"), not_until(told, "f", "a"), key=[PASS, FAIL].index),
    ),
    "precedence": (
        f"precedence = [{said('a')}, {said('b')}]\nsince = {said('d')}",
        lambda told: PASS if in_order(since(told, "d"), "a", "b") else FAIL,
    ),
    "existence": (
        f"existence = [{said('a')}, {said('b')}]",
        lambda told: PASS if {"a", "b"} <= {*told.inside, *told.after} else FAIL,
    ),
    "exception": (
        f"response = [{said('a')}]\nbefore = {said('d')}\nunless = {said('u')}",
        lambda told: excused(responded(told, "a", before="d"), told, "u", "d"),
    ),
    "excused absence": (
        f"absence = {said('f')}\nunless = {said('u')}",
        lambda told: excused(kept_from(told, "f"), told, "u", "f"),
    ),
    "probe": (f"absence = {said('f')}\nprobed = {said('a')}", lambda told: tried(told, "a", "f")),
}
ROUNDS = st.lists(st.text("ttabdfu", max_size=8), min_size=1, max_size=6)
QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


def expected(oracle: Oracle, rounds: Rounds, *, whole: bool) -> Outcome:
    found = [oracle(told) for told in triggers(rounds, whole=whole)]
    for outcome in (FAIL, DOUBT):
        if outcome in found:
            return outcome
    return PASS if PASS in found else ASIDE if found else Outcome.NOT_TRIGGERED


@pytest.fixture(scope="module")
def pack_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Pack]:
    @cache
    def make(block: str, scope: str) -> Pack:
        body = f'{CLAUSE}trigger = {said("t")}\nscope = "{scope}"\n{BLOCKS[block][0]}\n'
        return load_pack(write_pack(tmp_path_factory.mktemp("oracle") / "T", body))

    return make


@pytest.fixture(scope="module")
def overriding_pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    body = f"{CLAUSE}trigger = {said('t')}\nresponse = [{said('a')}]\nbefore = {said('d')}\n"
    return load_pack(write_pack(tmp_path_factory.mktemp("over") / "T", body, OVERRIDING))


def outcome_of(pack: Pack, rounds: Rounds) -> Outcome:
    return verdict_of(pack, saying(*"|".join(rounds))).verdict


@pytest.mark.parametrize("scope", ["round", "scenario"])
@pytest.mark.parametrize("block", BLOCKS)
@QUICK
@given(rounds=ROUNDS)
def test_several_rounds_are_judged_as_the_oracle_does(
    pack_of: Callable[[str, str], Pack], block: str, scope: str, rounds: Rounds
) -> None:
    assert outcome_of(pack_of(block, scope), rounds) is expected(BLOCKS[block][1], rounds, whole=scope == "scenario")


@pytest.mark.parametrize("scope", ["round", "scenario"])
@pytest.mark.parametrize("block", BLOCKS)
@QUICK
@given(rounds=st.lists(st.text("ttabdfu", min_size=3, max_size=9), min_size=4, max_size=9))
def test_a_judge_who_forgets_may_doubt_and_never_errs(
    pack_of: Callable[[str, str], Pack],
    monkeypatch: pytest.MonkeyPatch,
    block: str,
    scope: str,
    rounds: Rounds,
) -> None:
    """With room for few facts, what needs forgotten ones has no verdict; what is said stays right."""
    monkeypatch.setattr(Past, "LIMIT", 12)
    found = outcome_of(pack_of(block, scope), rounds)
    assert found in (expected(BLOCKS[block][1], rounds, whole=scope == "scenario"), DOUBT)


OVERRIDING = f"""
[[clause]]
id = "T.2"
citation = "2"
meaning.en = "Something goes before."
[[clause.requirement]]
id = "r"
duty.en = "it goes before"
trigger = {said("o")}
absence = {said("x")}
overrides = ["T.1"]
"""


def overridden(told: Told) -> Outcome:
    """A response in its round, unless another clause took over before it was broken."""
    if "o" in told.inside:
        return ASIDE
    until, took_over, _ = told.after.partition("o")
    outcome = responded(told._replace(after=until), "a", before="d")
    shown = "d" in until and "a" not in until[: until.index("d")]
    return ASIDE if took_over and outcome is FAIL and not shown else outcome


@QUICK
@given(rounds=st.lists(st.text("ttaado", max_size=8), min_size=1, max_size=6))
def test_a_clause_that_goes_before_ends_the_others_of_its_round_only(overriding_pack: Pack, rounds: Rounds) -> None:
    assert outcome_of(overriding_pack, rounds) is expected(overridden, rounds, whole=False)
