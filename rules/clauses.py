"""Builds the clauses and policies of a pack from their raw tables."""

from collections.abc import Collection, Mapping, Sequence

from rules.checking import Checker, Source
from rules.pack import Alternative, Clause, Condition, Pattern, Policy, PolicyValue, Requirement
from rules.packfile import RawAlternative, RawClause, RawPolicy, RawRequirement
from rules.vocabulary import FACTS

SCOPES = ("round", "scenario")
ROLES = ("", "shuffler", "shoe")


def build_policy(source: Source, where: str, raw: RawPolicy, languages: Sequence[str]) -> Policy:
    """A policy switch: at least two values, the default among them, every meaning in every language."""
    _translated(source, f"{where}.meaning", raw.meaning, languages)
    values: dict[str, PolicyValue] = {}
    for n, one in enumerate(raw.value):
        place = f"{where}.value[{n}]"
        _translated(source, f"{place}.meaning", one.meaning, languages)
        if one.value in values:
            source.refuse(place, f"value {one.value!r} stands twice", "Rename or remove one.")
        values[one.value] = PolicyValue(one.value, one.meaning)
    if len(values) < 2:
        source.refuse(where, f"policy {raw.id!r} leaves no choice", "Give it at least two [[policy.value]].")
    if raw.default not in values:
        source.refuse(f"{where}.default", f"{raw.default!r} is no value of it", f"It has: {', '.join(values)}.")
    return Policy(raw.id, raw.meaning, raw.default, tuple(values.values()), tuple(raw.clauses))


def build_clause(
    checker: Checker, where: str, raw: RawClause, languages: Sequence[str], known: Collection[str]
) -> Clause:
    """A clause with its alternatives and requirements. `known` are the ids that `overrides` may name."""
    source = checker.source
    _translated(source, f"{where}.meaning", raw.meaning, languages)
    _role(source, f"{where}.role", raw.role)
    requirements = _requirements(checker, where, raw, known)
    triggers = tuple(pattern for requirement in requirements for pattern in requirement.trigger)
    alternatives: dict[str, Alternative] = {}
    for n, entry in enumerate(raw.alternative):
        place = f"{where}.alternative[{n}]"
        if entry.id in alternatives:
            source.refuse(place, f"alternative {entry.id!r} stands twice", "Rename or remove one.")
        _translated(source, f"{place}.meaning", entry.meaning, languages)
        alternatives[entry.id] = _alternative(checker, place, entry, triggers)
    used = [requirement.when for requirement in requirements] + [one.when for one in alternatives.values()]
    used += [pattern.when for requirement in requirements for pattern in requirement.patterns()]
    policies = tuple(dict.fromkeys(policy for when in used for policy in when))
    return Clause(raw.id, raw.citation, raw.meaning, requirements, tuple(alternatives.values()), policies, raw.role)


def _requirements(checker: Checker, where: str, raw: RawClause, known: Collection[str]) -> tuple[Requirement, ...]:
    requirements: dict[str, Requirement] = {}
    for n, entry in enumerate(raw.requirement):
        place = f"{where}.requirement[{n}]"
        if entry.id in requirements:
            checker.source.refuse(place, f"requirement {entry.id!r} stands twice", "Rename or remove one.")
        requirements[entry.id] = _requirement(checker, place, entry)
        for other in entry.overrides:
            if other not in known or other == raw.id:
                remedy = "Name another clause of this pack."
                checker.source.refuse(f"{place}.overrides", f"{other!r} cannot be overridden", remedy)
    if not requirements:
        checker.source.refuse(where, f"clause {raw.id!r} requires nothing", "Give it a [[clause.requirement]].")
    return tuple(requirements.values())


def _requirement(checker: Checker, where: str, raw: RawRequirement) -> Requirement:
    source = checker.source
    trigger = checker.patterns(raw.trigger, f"{where}.trigger")
    if not trigger:
        source.refuse(f"{where}.trigger", "no trigger", "Name the fact that activates this requirement.")
    if raw.scope not in SCOPES:
        source.refuse(f"{where}.scope", f"unknown scope {raw.scope!r}", f"Use one of: {', '.join(SCOPES)}.")
    if not raw.duty.strip():
        source.refuse(f"{where}.duty", "the duty is empty", "Say in plain English what must be so.")
    holds: tuple[Condition, ...] = ()
    if raw.holds:
        names = {pattern.fact for pattern in trigger}
        if len(names) > 1:
            source.refuse(f"{where}.holds", "the triggers are different facts", "Use one requirement for each.")
        name = names.pop()
        holds = checker.conditions(raw.holds, FACTS[name], name, f"{where}.holds", trigger)
    requirement = Requirement(
        id=raw.id,
        duty=raw.duty,
        trigger=trigger,
        scope=raw.scope,
        when=checker.when(raw.when, f"{where}.when"),
        holds=holds,
        precedence=checker.steps(raw.precedence, f"{where}.precedence", trigger),
        since=checker.patterns(raw.since, f"{where}.since", trigger),
        response=checker.steps(raw.response, f"{where}.response", trigger),
        before=checker.patterns(raw.before, f"{where}.before", trigger),
        absence=checker.patterns(raw.absence, f"{where}.absence", trigger),
        not_succession=checker.patterns(raw.not_succession, f"{where}.not_succession", trigger),
        until=checker.patterns(raw.until, f"{where}.until", trigger),
        existence=checker.patterns(raw.existence, f"{where}.existence", trigger),
        unless=checker.patterns(raw.unless, f"{where}.unless", trigger),
        overrides=tuple(raw.overrides),
        probed=checker.patterns(raw.probed, f"{where}.probed", trigger),
        needs_input=tuple(raw.needs_input),
        needs_ruling=tuple(raw.needs_ruling),
    )
    _sensible(source, where, requirement)
    return requirement


def _sensible(source: Source, where: str, one: Requirement) -> None:
    """Parts that have no effect without another part are mistakes."""
    deeds = (one.holds, one.precedence, one.response, one.absence, one.not_succession, one.existence)
    if not any((*deeds, one.needs_input, one.needs_ruling)):
        source.refuse(
            where, f"requirement {one.id!r} demands nothing", "Add a response, absence, holds or another demand."
        )
    if one.before and not one.response:
        source.refuse(f"{where}.before", "a deadline without a response", "Add the response that must come before.")
    if one.until and not one.not_succession:
        source.refuse(f"{where}.until", "`until` without not_succession", "Add what is forbidden until then.")
    if one.not_succession and not (one.until or one.response):
        source.refuse(f"{where}.not_succession", "nothing ends it", "Add `until` or a response, or use absence.")
    if one.since and not one.precedence:
        source.refuse(f"{where}.since", "`since` without precedence", "Add what must have come before.")
    for name, steps in (("response", one.response), ("precedence", one.precedence)):
        if any(not step for step in steps):
            source.refuse(f"{where}.{name}", "an empty step can never be met", "Give each step a pattern.")


def _alternative(checker: Checker, where: str, raw: RawAlternative, triggers: tuple[Pattern, ...]) -> Alternative:
    able = [pattern for pattern in triggers if set(raw.where) <= set(FACTS[pattern.fact].attributes)]
    fact = (able or triggers)[0].fact
    conditions = checker.conditions(raw.where, FACTS[fact], fact, f"{where}.where", None)
    if not any(_compatible(conditions, pattern.conditions) for pattern in able):
        remedy = "Correct `where`, or widen the trigger."
        checker.source.refuse(f"{where}.where", f"no trigger of the clause can be {raw.id!r}: unreachable", remedy)
    return Alternative(raw.id, raw.meaning, conditions, checker.when(raw.when, f"{where}.when"))


def _compatible(some: Sequence[Condition], others: Sequence[Condition]) -> bool:
    """False when both fix the same attribute to sets of values that have nothing in common."""
    for one in some:
        for other in others:
            fixed = one.operator in ("is", "in") and other.operator in ("is", "in")
            if one.attribute == other.attribute and fixed and not set(one.operands) & set(other.operands):
                return False
    return True


def _translated(source: Source, where: str, meaning: Mapping[str, str], languages: Sequence[str]) -> None:
    for language in languages:
        if not meaning.get(language, "").strip():
            source.refuse(where, f"the meaning in {language!r} is missing", "Add it in our own words.")
    for language in meaning:
        if language not in languages:
            source.refuse(where, f"language {language!r} is not one of the pack", "Add it to `languages` or remove it.")


def _role(source: Source, where: str, role: str) -> None:
    if role not in ROLES:
        source.refuse(where, f"unknown role {role!r}", 'Use "shuffler" or "shoe".')
