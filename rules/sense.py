"""Finds what a requirement or a pack says that could never matter, or that would pass whatever happens."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.checking import Checker
from rules.mistakes import Source, choice
from rules.pack import Clause, Condition, Pattern, Policy, Reference, Requirement, chosen
from rules.vocabulary import FACTS, Attribute

DEMANDS = ("holds", "precedence", "response", "absence", "not_succession", "existence", "needs_input", "needs_ruling")
MOST_SETTINGS = 512
"""Combinations of policy values that are tried for one requirement."""
When = Mapping[str, tuple[str, ...]]
"""Policies with the values under which something counts."""
PAIRS = {
    "before": ("response", "a deadline without a response", "Add the response that must come before."),
    "until": ("not_succession", "`until` without not_succession", "Add what is forbidden until then."),
    "since": ("precedence", "`since` without precedence", "Add what must have come before."),
}
"""Entries that have no effect without another."""


def check_requirement(checker: Checker, where: str, one: Requirement) -> None:
    """Notes what in a requirement has no effect, or can never be met or broken."""
    source = checker.source
    if not any(getattr(one, name) for name in DEMANDS):
        remedy = "Add a response, absence, holds or another demand."
        source.note(where, f"requirement {one.id!r} demands nothing", remedy)
    for name, (partner, problem, remedy) in PAIRS.items():
        if getattr(one, name) and not getattr(one, partner):
            source.note(f"{where}.{name}", problem, remedy)
    if one.not_succession and not (one.until or one.response):
        source.note(f"{where}.not_succession", "nothing ends it", "Add `until` or a response, or use absence.")
    for place, pattern in _placed(one):
        _possible(source, f"{where}.{place}", pattern.conditions, FACTS[pattern.fact].attributes)
        _in_force(source, f"{where}.{place}.when", one.when, pattern.when)
    _telling(source, where, one)
    _switched_off(checker, where, one)


def compatible(some: Sequence[Condition], others: Sequence[Condition]) -> bool:
    """False when both fix the same attribute to sets of values that have nothing in common."""
    for one in some:
        for other in others:
            fixed = one.operator in ("is", "in") and other.operator in ("is", "in")
            if one.attribute == other.attribute and fixed and not set(one.operands) & set(other.operands):
                return False
    return True


def _placed(one: Requirement) -> Iterator[tuple[str, Pattern]]:
    """Every pattern of a requirement with its entry."""
    flat = ("trigger", "since", "before", "absence", "not_succession", "until", "existence", "unless", "probed")
    for name in flat:
        patterns: tuple[Pattern, ...] = getattr(one, name)
        yield from ((f"{name}[{n}]", pattern) for n, pattern in enumerate(patterns))
    for name in ("precedence", "response"):
        for n, step in enumerate(getattr(one, name)):
            yield from ((f"{name}[{n}][{m}]", pattern) for m, pattern in enumerate(step))


def _possible(source: Source, where: str, conditions: Sequence[Condition], kinds: Mapping[str, Attribute]) -> None:
    """Notes conditions on one attribute that no value meets all of."""
    for name in dict.fromkeys(condition.attribute for condition in conditions):
        mine = [one for one in conditions if one.attribute == name]
        if not _some_value(mine, kinds[name]):
            source.note(f"{where}.{name}", f"no {name!r} is like this, so it can never be seen", "Correct it.")


def _some_value(conditions: Sequence[Condition], kind: Attribute) -> bool:
    """Whether a value that the attribute can take meets them all; where one refers to something else, it may."""
    if any(isinstance(operand, Reference) for one in conditions for operand in one.operands):
        return True
    named = {operand for one in conditions for operand in one.operands if not isinstance(operand, Reference)}
    values: Iterable[object]
    if kind.kind == "number":
        numbers = {operand for operand in named if isinstance(operand, int)}
        # Between and beside the numbers named, nothing else makes a difference.
        values = {near for number in numbers for near in (number - 1, number, number + 1)} | {math.inf, -math.inf}
    elif kind.kind == "flag":
        values = (True, False)
    else:
        values = kind.values or (*named, object())
    return any(all(_meets(one, value) for one in conditions) for value in values)


def _meets(condition: Condition, value: object) -> bool:
    operands = condition.operands
    match condition.operator:
        case "is" | "in":
            return value in operands
        case "not":
            return value not in operands
    limit = operands[0]
    if not isinstance(value, int | float) or not isinstance(limit, int):
        return True
    low, high = condition.operator in ("at_least", "above"), condition.operator in ("at_least", "at_most")
    return (value == limit and high) or (value > limit if low else value < limit)


def _in_force(source: Source, where: str, outer: When, inner: When) -> None:
    """Notes a pattern that counts only where its requirement does not."""
    for policy in inner:
        if policy in outer and not set(inner[policy]) & set(outer[policy]):
            problem = f"the requirement counts only where {policy!r} is {' or '.join(outer[policy])}"
            source.note(f"{where}.{policy}", f"{problem}, so this never does", "Correct one of the two.")


def _telling(source: Source, where: str, one: Requirement) -> None:
    """Notes a demand that the trigger already answers, and an exception that always holds."""
    for trigger in one.trigger:
        kinds = FACTS[trigger.fact].attributes
        for condition in one.holds:
            given = [known for known in trigger.conditions if known.attribute == condition.attribute]
            place = f"{where}.holds.{condition.attribute}"
            if condition in given:
                source.note(place, "every trigger is like this, so it demands nothing", "Take it out of the trigger.")
            elif not _some_value([condition, *given], kinds[condition.attribute]):
                source.note(place, "no trigger is like this, so it always fails", "Correct it, or the trigger.")
        for n, excuse in enumerate(one.unless):
            same = excuse.fact == trigger.fact and set(excuse.conditions) <= set(trigger.conditions)
            if same and set(excuse.when.items()) <= set(trigger.when.items()):
                problem = "the trigger itself is this exception, so nothing is ever demanded"
                source.note(f"{where}.unless[{n}]", problem, "Name what else must have happened.")


def _switched_off(checker: Checker, where: str, one: Requirement) -> None:
    """Notes values of the policies under which the requirement counts and yet demands nothing: it would always pass."""
    whens = [one.when, *(pattern.when for pattern in one.patterns())]
    names = list(dict.fromkeys(name for when in whens for name in when))
    if math.prod(len(checker.values_of(name)) for name in names) > MOST_SETTINGS:
        return
    for values in itertools.product(*(checker.values_of(name) for name in names)):
        setting = dict(zip(names, values, strict=True))
        counts = chosen(one.when, setting) and any(chosen(pattern.when, setting) for pattern in one.trigger)
        if counts and not _demands_under(one, setting):
            told = ", ".join(f"{name} = {value}" for name, value in setting.items())
            problem = f"with {told} requirement {one.id!r} demands nothing, so it would always be met"
            checker.source.note(where, problem, "Set the same `when` on the requirement itself.")
            return


def _demands_under(one: Requirement, setting: Mapping[str, str]) -> bool:
    if one.holds or one.needs_input or one.needs_ruling or not any(getattr(one, name) for name in DEMANDS):
        return True
    steps = (pattern for step in (*one.precedence, *one.response) for pattern in step)
    patterns = itertools.chain(steps, one.absence, one.not_succession, one.existence)
    return any(chosen(pattern.when, setting) for pattern in patterns)


Place = tuple[Source, str]
"""The file of an entry and the entry."""


def check_policy_use(policies: Mapping[str, tuple[Policy, Place]], clauses: Sequence[Clause]) -> None:
    """Notes a policy that does not touch exactly the clauses that it names, or whose values are all the same."""
    ids = [clause.id for clause in clauses]
    for name, (policy, (source, where)) in policies.items():
        touched = [clause.id for clause in clauses if name in clause.policies]
        for n, clause in enumerate(policy.clauses):
            place = f"{where}.clauses[{n}]"
            if clause not in ids:
                source.note(place, f"there is no clause {clause!r}", choice("This pack has", ids, clause))
            elif clause not in touched:
                remedy = "Use it in a `when`, or remove the clause."
                source.note(place, f"{clause} does not depend on {name!r}", remedy)
        for clause in touched:
            if clause not in policy.clauses:
                source.note(f"{where}.clauses", f"{clause} depends on {name!r} but is not named", f'Add "{clause}".')
        if not policy.clauses and not touched:
            source.note(where, f"{name!r} changes nothing", "Use it in a `when`, or remove the policy.")
        elif touched:
            _same_values(source, where, policy, clauses)


def _same_values(source: Source, where: str, policy: Policy, clauses: Sequence[Clause]) -> None:
    whens: list[When] = [one.when for clause in clauses for one in clause.requirements]
    whens += [one.when for clause in clauses for one in clause.alternatives]
    whens += [pattern.when for clause in clauses for one in clause.requirements for pattern in one.patterns()]
    effects: dict[tuple[bool, ...], str] = {}
    for n, value in enumerate(policy.values):
        effect = tuple(value.value in when[policy.id] for when in whens if policy.id in when)
        if effect in effects:
            problem = f"{value.value!r} changes nothing: it has the effect of {effects[effect]!r}"
            source.note(f"{where}.value[{n}]", problem, "Name it in a `when`, or remove it.")
        effects.setdefault(effect, value.value)


def check_overrides(clauses: Sequence[tuple[Clause, Place]]) -> None:
    """Notes clauses that go before each other, in however wide a circle: each would end the other."""
    before = {clause.id: {other for one in clause.requirements for other in one.overrides} for clause, _ in clauses}
    for clause, (source, where) in clauses:
        for n, one in enumerate(clause.requirements):
            for m, other in enumerate(one.overrides):
                if clause.id in _reached(other, before):
                    problem = f"{clause.id} goes before {other}, which goes before {clause.id}"
                    source.note(f"{where}.requirement[{n}].overrides[{m}]", problem, "Let only one of them.")


def _reached(start: str, before: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for other in before.get(waiting.pop(), set()) - reached:
            reached.add(other)
            waiting.append(other)
    return reached
