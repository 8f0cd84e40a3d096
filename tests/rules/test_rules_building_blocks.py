"""Each building block of a requirement, alone: what it lets pass and what it catches."""

from pathlib import Path

import pytest

from rules.loader import load_pack
from rules.verdicts import Outcome
from tests.rules.small_pack import CLAUSE, saying, small_pack, verdict_of, write_pack
from tests.rules.table_script import Script

PASS, FAIL = Outcome.PASS, Outcome.FAIL
NA, INCONCLUSIVE, IDLE = Outcome.NOT_APPLICABLE, Outcome.INCONCLUSIVE, Outcome.NOT_TRIGGERED

SAID = '{{ fact = "announced", phrase = "{}" }}'


def said(*phrases: str) -> str:
    return "[" + ", ".join(SAID.format(phrase) for phrase in phrases) + "]"


def check(tmp_path: Path, requirement: str, stories: dict[str, Outcome]) -> None:
    """Each story is a string of single-letter phrases; `|` begins a new round."""
    pack = small_pack(tmp_path / "T", requirement)
    for story, outcome in stories.items():
        assert verdict_of(pack, saying(*story)).verdict is outcome, story


def test_response_must_come_in_order_before_the_round_ends(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nresponse = {said('a', 'b')}"
    check(
        tmp_path,
        requirement,
        {"": IDLE, "ab": IDLE, "tab": PASS, "txayb": PASS, "tb": FAIL, "ta": FAIL, "tba": FAIL, "tbab": PASS,
         "abt": FAIL, "ta|b": FAIL, "t|ab": FAIL, "tabt": FAIL, "ttab": PASS, "tab|tab": PASS, "tab|tb": FAIL},
    )  # fmt: skip


def test_response_any_of_a_step_will_do(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nresponse = [{said('a', 'b')}]"
    check(tmp_path, requirement, {"ta": PASS, "tb": PASS, "tc": FAIL})


def test_before_is_a_deadline_of_the_whole_response(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nresponse = {said('a', 'b')}\nbefore = {said('d')}"
    check(tmp_path, requirement, {"tabd": PASS, "dtab": PASS, "tdab": FAIL, "tadb": FAIL, "tab": PASS})


def test_scenario_scope_reaches_over_rounds(tmp_path: Path) -> None:
    requirement = f'trigger = {said("t")}\nscope = "scenario"\nresponse = {said("a")}\nbefore = {said("d")}'
    check(tmp_path, requirement, {"t|a": PASS, "t||x|a": PASS, "t|da": FAIL, "t|": FAIL})


def test_precedence_must_be_met_since_the_scope_began(tmp_path: Path) -> None:
    requirement = (
        f'trigger = {said("t")}\nprecedence = {said("a", "b")}\nsince = {{ fact = "round_opened" }}\nscope = "scenario"'
    )
    check(tmp_path, requirement, {"abt": PASS, "t": FAIL, "bat": FAIL, "tab": FAIL, "ab|t": FAIL, "ab|abt": PASS})


def test_precedence_without_since_looks_back_through_the_scenario(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nprecedence = {said('a')}"
    check(tmp_path, requirement, {"a|t": PASS, "|t": FAIL})


def test_absence_lasts_until_the_scope_ends(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nabsence = {said('f')}"
    check(tmp_path, requirement, {"t": PASS, "ft": PASS, "tf": FAIL, "t|f": PASS, "txxf": FAIL})


def test_not_succession_lasts_until_it_is_discharged(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nnot_succession = {said('f')}\nuntil = {said('u')}"
    check(tmp_path, requirement, {"tuf": PASS, "tfu": FAIL, "t": PASS, "t|f": PASS})


def test_not_succession_is_discharged_by_the_response(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nresponse = {said('a')}\nnot_succession = {said('f')}"
    check(tmp_path, requirement, {"taf": PASS, "tfa": FAIL, "tf": FAIL, "t": FAIL})


def test_existence_may_stand_before_or_after(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nexistence = {said('e', 'g')}"
    check(tmp_path, requirement, {"etg": PASS, "get": PASS, "te": FAIL, "eg|t": FAIL, "e|tg": FAIL})


def test_holds_is_asked_of_the_trigger_itself(tmp_path: Path) -> None:
    requirement = 'trigger = { fact = "announced" }\nholds = { phrase = ["a", "b"] }'
    check(tmp_path, requirement, {"": IDLE, "ab": PASS, "abc": FAIL})


def test_unless_excuses_a_breach_from_the_triggers_round_on_until_it_is_broken(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nabsence = {said('f')}\nunless = {said('u')}"
    within = {"tf": FAIL, "tuf": NA, "utf": NA, "t": PASS, "tu": PASS, "utuf": NA}
    check(tmp_path, requirement, {**within, "tfu": FAIL, "tffu": FAIL, "tf|u": FAIL, "u|tf": FAIL, "utf|tf": FAIL})
    check(
        tmp_path,
        requirement + '\nscope = "scenario"',
        {**within, "tfu": FAIL, "u|tf": FAIL, "t|u|f": NA, "t|f|u": FAIL},
    )


def test_unless_excuses_what_never_came_and_what_came_too_late(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nresponse = {said('a')}\nbefore = {said('d')}\nunless = {said('u')}"
    check(tmp_path, requirement, {"tu": NA, "ut": NA, "tud": NA, "tdu": FAIL, "t|u": FAIL, "u|t": FAIL, "tua": PASS})
    holds = f'trigger = {{ fact = "announced", phrase = ["t", "s"] }}\nholds = {{ phrase = "t" }}\nunless = {said("u")}'
    check(tmp_path, holds, {"t": PASS, "s": FAIL, "su": NA, "us": NA, "s|u": FAIL, "u|s": FAIL})


def test_probed_without_the_forbidden_step_there_is_no_verdict(tmp_path: Path) -> None:
    requirement = f"trigger = {said('t')}\nabsence = {said('f')}\nprobed = {said('p')}"
    check(tmp_path, requirement, {"tp": PASS, "t": INCONCLUSIVE, "pt": INCONCLUSIVE, "tf": FAIL, "tpf": FAIL})


def test_needs_input_names_what_the_operator_has_to_give(tmp_path: Path) -> None:
    pack = small_pack(tmp_path / "T", f'trigger = {said("t")}\nresponse = {said("a")}\nneeds_input = ["house_way"]')
    verdict = verdict_of(pack, saying("t", "a"))
    assert verdict.verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "“house_way”" in verdict.reason
    s = Script()
    s.begin("s", "T")
    s.session(["seat/1"], inputs={"house_way": "file.toml"})
    s.announce("t")
    s.announce("a")
    s.end()
    assert verdict_of(pack, s).verdict is PASS


def test_a_binding_ties_the_response_to_its_own_trigger(tmp_path: Path) -> None:
    pack = small_pack(
        tmp_path / "T",
        'trigger = { fact = "wager_placed" }\nscope = "scenario"\n'
        'response = [{ fact = "player_act", act = "bet", position = "$position" }]',
    )
    s = Script()
    s.begin("s", "T")
    s.session(["seat/1", "seat/2"])
    s.wager("seat/1")
    s.wager("seat/2")
    s.bet(["seat/1", "seat/1"])
    s.end()
    verdict = verdict_of(pack, s)
    assert verdict.verdict is FAIL
    assert "seat 2" in verdict.reason


@pytest.mark.parametrize(
    ("condition", "counts"),
    [
        ("2", {2}),
        ("[1, 3]", {1, 3}),
        ("{ not = 2 }", {1, 3}),
        ("{ not = [1, 2] }", {3}),
        ("{ at_least = 2 }", {2, 3}),
        ("{ at_most = 2 }", {1, 2}),
        ("{ above = 1, below = 3 }", {2}),
        ('"$game.hole_cards"', {2}),
    ],
)
def test_conditions_compare(tmp_path: Path, condition: str, counts: set[int]) -> None:
    requirement = (
        f'trigger = {{ fact = "directive", verb = "burn", count = {condition} }}\n'
        'absence = { fact = "announced", phrase = "never" }'
    )
    pack = small_pack(tmp_path / "T", requirement)
    for count in (1, 2, 3):
        s = Script()
        s.begin("s", "T")
        s.just("burn", count=count)
        s.end()
        assert (verdict_of(pack, s).verdict is PASS) == (count in counts)


OTHER = f"""
[[clause]]
id = "T.2"
citation = "2"
meaning.en = "Something goes before."
[[clause.requirement]]
id = "r"
duty.en = "it goes before"
trigger = {said("o")}
absence = {said("never")}
overrides = ["T.1"]
"""


@pytest.mark.parametrize(
    ("story", "outcome"),
    [("t", FAIL), ("to", NA), ("ot", NA), ("tao", PASS), ("tfo", FAIL), ("tof", NA), ("t|o", FAIL), ("o|t", FAIL)],
)
def test_overrides_end_the_other_clause_in_this_round(tmp_path: Path, story: str, outcome: Outcome) -> None:
    body = f"trigger = {said('t')}\nresponse = {said('a')}\nabsence = {said('f')}"
    pack = small_pack(tmp_path / "T", body, OTHER)
    assert verdict_of(pack, saying(*story)).verdict is outcome


@pytest.mark.parametrize(("story", "outcome"), [("t", PASS), ("ot", NA), ("to", PASS), ("otf", NA)])
def test_what_is_triggered_after_it_was_overridden_is_not_judged(tmp_path: Path, story: str, outcome: Outcome) -> None:
    pack = small_pack(tmp_path / "T", f"trigger = {said('t')}\nabsence = {said('f')}", OTHER)
    assert verdict_of(pack, saying(*story)).verdict is outcome


def test_an_alternative_that_was_only_excused_was_not_shown(tmp_path: Path) -> None:
    body = (
        f"trigger = {said('t', 's')}\nresponse = {said('a')}\nunless = {said('u')}\n"
        '[[clause.alternative]]\nid = "t"\nwhere = { phrase = "t" }\nmeaning.en = "One."\n'
        '[[clause.alternative]]\nid = "s"\nwhere = { phrase = "s" }\nmeaning.en = "Other."\n'
    )
    pack = small_pack(tmp_path / "T", body)
    assert verdict_of(pack, saying(*"ta|sa")).alternatives == ["t", "s"]
    half = verdict_of(pack, saying(*"ta|su"))
    assert (half.verdict, half.alternatives) == (PASS, ["t"])


POLICY = """
[[policy]]
id = "mood"
default = "strict"
clauses = ["T.1"]
meaning.en = "How it is meant."
[[policy.value]]
value = "strict"
meaning.en = "Strictly."
[[policy.value]]
value = "mild"
meaning.en = "Mildly."
"""


def test_policies_switch_patterns_and_requirements(tmp_path: Path) -> None:
    body = (
        f'trigger = {said("t")}\nabsence = [{{ fact = "announced", phrase = "f", when = {{ mood = "strict" }} }},'
        f" {SAID.format('g')}]"
    )
    pack = small_pack(tmp_path / "T", body, POLICY)
    assert verdict_of(pack, saying(*"tf")).verdict is FAIL
    assert verdict_of(pack, saying(*"tf"), mood="mild").verdict is PASS
    assert verdict_of(pack, saying(*"tg"), mood="mild").verdict is FAIL
    assert verdict_of(pack, saying(*"tf"), mood="mild").policies == {"mood": "mild"}


def test_a_clause_that_the_policies_empty_is_not_applicable(tmp_path: Path) -> None:
    pack = small_pack(
        tmp_path / "T", f'trigger = {said("t")}\nabsence = {said("f")}\nwhen = {{ mood = "mild" }}', POLICY
    )
    assert verdict_of(pack, saying(*"tf")).verdict is NA
    assert verdict_of(pack, saying(*"tf"), mood="mild").verdict is FAIL


def test_an_excused_requirement_keeps_the_clause_from_passing(tmp_path: Path) -> None:
    second = f"""
[[clause.requirement]]
id = "second"
duty.en = "something else is so"
trigger = {said("t")}
absence = {said("f")}
unless = {said("u")}
"""
    body = f"trigger = {said('t')}\nresponse = {said('a')}"
    pack = load_pack(write_pack(tmp_path / "T", CLAUSE + body, second))
    assert verdict_of(pack, saying(*"ta")).verdict is PASS
    assert verdict_of(pack, saying(*"tauf")).verdict is NA
    assert verdict_of(pack, saying(*"tauf|ta")).verdict is PASS  # shown to hold at another trigger


def test_the_reason_names_trigger_duty_and_records(tmp_path: Path) -> None:
    pack = small_pack(tmp_path / "T", f"trigger = {said('t')}\nresponse = {said('a')}\nbefore = {said('d')}")
    late = verdict_of(pack, saying(*"tda"))
    assert late.reason == (
        f"The dealer announced “t” (record {late.trigger}); the rule demands that something is so: "
        f"this had not been done when the dealer announced “d” (record {late.evidence[-1]})."
    )
    assert late.requirement == "r"
    met = verdict_of(pack, saying(*"ta"))
    assert met.evidence[0] == met.trigger
    assert f"the dealer announced “a” (record {met.evidence[-1]})" in met.reason
