"""Builds the clauses and policies of a pack from their raw tables."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rules.checking import Checker
from rules.mistakes import Source, choice
from rules.pack import Alternative, Clause, Condition, Pattern, Policy, PolicyValue, Requirement
from rules.packfile import OneOrMore, Raw, RawAlternative, RawClause, RawPolicy, RawRequirement, Steps
from rules.sense import check_requirement, compatible
from rules.vocabulary import FACTS

SCOPES = ("round", "scenario", "open")
ROLES = ("", "shuffler", "shoe")
STEPS = ("precedence", "response")
PATTERNS = ("since", "before", "absence", "not_succession", "until", "existence", "unless", "probed")
"""Entries of a requirement that are lists of steps, and those that are one or more patterns."""


def build_policy(source: Source, where: str, raw: RawPolicy, languages: Sequence[str]) -> Policy:
    """A policy switch: at least two values, the default among them, every meaning in every language."""
    check_texts(source, f"{where}.meaning", raw.meaning, languages)
    check_once(source, (one.value for one in raw.value), f"{where}.value", "value", "value")
    for n, one in enumerate(raw.value):
        check_texts(source, f"{where}.value[{n}].meaning", one.meaning, languages)
    values = {one.value: PolicyValue(one.value, one.meaning) for one in raw.value}
    if len(values) < 2:
        source.refuse(where, f"policy {raw.id!r} leaves no choice", "Give it at least two [[policy.value]].")
    if raw.default not in values:
        remedy = choice("It has", values, raw.default)
        source.refuse(f"{where}.default", f"{raw.default!r} is no value of it", remedy)
    return Policy(raw.id, raw.meaning, raw.default, tuple(values.values()), tuple(raw.clauses))


def build_clause(
    checker: Checker, where: str, raw: RawClause, languages: Sequence[str], known: Collection[str]
) -> Clause:
    """A clause with its alternatives and requirements. `known` are the ids that `overrides` may name."""
    source = checker.source
    check_texts(source, f"{where}.meaning", raw.meaning, languages)
    if not raw.citation.strip():
        source.note(f"{where}.citation", "the citation is empty", "Say where the text stands.")
    if raw.role not in ROLES:
        source.note(f"{where}.role", f"unknown role {raw.role!r}", choice("Use one of", ROLES, raw.role))
    _check_see(source, where, raw, known)
    if not raw.requirement:
        source.refuse(where, f"clause {raw.id!r} requires nothing", "Give it a [[clause.requirement]].")
    check_once(source, (one.id for one in raw.requirement), f"{where}.requirement", "requirement")
    check_once(source, (one.id for one in raw.alternative), f"{where}.alternative", "alternative")
    for n, one in enumerate(raw.alternative):
        check_texts(source, f"{where}.alternative[{n}].meaning", one.meaning, languages)
    for n, required in enumerate(raw.requirement):
        check_texts(source, f"{where}.requirement[{n}].duty", required.duty, languages, "duty")
    requirements = source.notebook.gather(
        partial(_requirement, checker, f"{where}.requirement[{n}]", one, raw.id, known)
        for n, one in enumerate(raw.requirement)
    )
    triggers = tuple(pattern for requirement in requirements for pattern in requirement.trigger)
    alternatives = source.notebook.gather(
        partial(_alternative, checker, f"{where}.alternative[{n}]", one, triggers)
        for n, one in enumerate(raw.alternative)
    )
    _distinct(source, where, alternatives)
    used = [requirement.when for requirement in requirements] + [one.when for one in alternatives]
    used += [pattern.when for requirement in requirements for pattern in requirement.patterns()]
    policies = tuple(dict.fromkeys(policy for when in used for policy in when))
    return Clause(
        raw.id, raw.citation, raw.meaning, tuple(requirements), tuple(alternatives), policies, raw.role, tuple(raw.see)
    )


def _check_see(source: Source, where: str, raw: RawClause, known: Collection[str]) -> None:
    """Notes a clause of this pack that is not there; whether one of another pack is, its own pack can tell."""
    check_once(source, raw.see, f"{where}.see", "clause", "")
    own = {one.partition(".")[0] for one in known}
    for n, other in enumerate(raw.see):
        if other == raw.id or (other not in known and other.partition(".")[0] in own):
            remedy = choice("Name another clause", [one for one in known if one != raw.id], other)
            source.note(f"{where}.see[{n}]", f"{other!r} is no other clause of this pack", remedy)


def check_once(source: Source, names: Iterable[str], where: str, what: str, field: str = "id") -> None:
    """Notes every entry of a list whose name an earlier one has."""
    seen: set[str] = set()
    for n, name in enumerate(names):
        if name in seen:
            source.note(f"{where}[{n}].{field}", f"{what} {name!r} stands twice", "Rename or remove one.")
        seen.add(name)


def check_texts(
    source: Source, where: str, texts: Mapping[str, str], languages: Sequence[str], what: str = "meaning"
) -> None:
    """Notes every language of the pack in which the text is missing, and every one that is none of the pack's."""
    for language in languages:
        if not texts.get(language, "").strip():
            place = f"{where}.{language}" if language in texts else where
            source.note(place, f"the {what} in {language!r} is missing", "Add it in our own words.")
    for language in texts:
        if language not in languages:
            remedy = "Add it to `languages` or remove it."
            source.note(f"{where}.{language}", f"language {language!r} is not one of the pack", remedy)


def _requirement(checker: Checker, where: str, raw: RawRequirement, clause: str, known: Collection[str]) -> Requirement:
    source = checker.source
    if raw.scope not in SCOPES:
        source.note(f"{where}.scope", f"unknown scope {raw.scope!r}", choice("Use one of", SCOPES, raw.scope))
    check_once(source, raw.overrides, f"{where}.overrides", "clause", "")
    for n, other in enumerate(raw.overrides):
        if other not in known or other == clause:
            remedy = choice("Name another clause of this pack", [one for one in known if one != clause], other)
            source.note(f"{where}.overrides[{n}]", f"{other!r} cannot be overridden", remedy)
    if not raw.trigger:
        source.refuse(f"{where}.trigger", "no trigger", "Name the fact that activates this requirement.")
    trigger = checker.patterns(raw.trigger, f"{where}.trigger")
    parts = _parts(checker, where, raw, trigger)
    requirement = Requirement(
        id=raw.id,
        duty=raw.duty,
        trigger=trigger,
        scope=raw.scope,
        overrides=tuple(raw.overrides),
        needs_input=tuple(raw.needs_input),
        needs_ruling=tuple(raw.needs_ruling),
        **parts,
    )
    check_requirement(checker, where, requirement)
    return requirement


def _parts(checker: Checker, where: str, raw: RawRequirement, trigger: tuple[Pattern, ...]) -> dict[str, Any]:
    """What a requirement says of facts, by the name of the entry. Each entry is looked at, whatever is wrong before."""
    made: dict[str, Any] = {}

    def make(name: str, compile_entry: Callable[[Any, str], object]) -> None:
        made[name] = compile_entry(getattr(raw, name), f"{where}.{name}")

    def patterns(entry: OneOrMore, place: str) -> object:
        return checker.patterns(entry, place, trigger)

    def steps(entry: Steps, place: str) -> object:
        return checker.steps(entry, place, trigger)

    makers = [partial(make, "when", checker.when), partial(make, "holds", partial(_holds, checker, trigger))]
    makers += [partial(make, name, steps) for name in STEPS]
    makers += [partial(make, name, patterns) for name in PATTERNS]
    checker.source.notebook.gather(makers)
    return made


def _holds(checker: Checker, trigger: tuple[Pattern, ...], raw: Raw, where: str) -> tuple[Condition, ...]:
    if not raw:
        return ()
    names = {pattern.fact for pattern in trigger}
    if len(names) > 1:
        checker.source.refuse(where, "the triggers are different facts", "Use one requirement for each.")
    name = trigger[0].fact
    return checker.conditions(raw, FACTS[name], name, where, trigger)


def _alternative(checker: Checker, where: str, raw: RawAlternative, triggers: tuple[Pattern, ...]) -> Alternative:
    able = [pattern for pattern in triggers if set(raw.where) <= set(FACTS[pattern.fact].attributes)]
    fact = (able or triggers)[0].fact
    conditions = checker.conditions(raw.where, FACTS[fact], fact, f"{where}.where", None)
    if not any(compatible(conditions, pattern.conditions) for pattern in able):
        problem = f"no trigger of the clause can be {raw.id!r}: unreachable"
        checker.source.refuse(f"{where}.where", problem, "Correct `where`, or widen the trigger.")
    return Alternative(raw.id, raw.meaning, conditions, checker.when(raw.when, f"{where}.when"))


def _distinct(source: Source, where: str, alternatives: Sequence[Alternative]) -> None:
    for n, one in enumerate(alternatives):
        for other in alternatives[:n]:
            if (one.where, one.when) == (other.where, other.when):
                problem = f"nothing tells {one.id!r} from {other.id!r}"
                source.note(f"{where}.alternative[{n}]", problem, "Give each another `where`, or remove one.")
