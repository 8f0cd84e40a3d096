"""The clauses of a pack as the policies leave them, ready to be asked about facts. Made once for each judgement."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from rules.pack import Clause, Game, Pack, Pattern, Requirement, chosen
from rules.patterns import Conditions, Matcher, bound_names, fixed_values
from rules.vocabulary import Fact, Value

ALWAYS = frozenset({"round_opened", "round_closed"})
"""Facts that end the scope of obligations."""


class Demand:
    """One requirement in force. Its parts are named as in `Requirement`."""

    def __init__(self, requirement: Requirement, game: Game) -> None:
        self.requirement = requirement
        self.id = requirement.id
        self.duty = requirement.duty
        self.trigger = Matcher(requirement.trigger, game)
        self.holds = Conditions(requirement.holds, game)
        self.precedence = tuple(Matcher(step, game) for step in requirement.precedence)
        self.since = Matcher(requirement.since, game)
        self.response = tuple(Matcher(step, game) for step in requirement.response)
        self.before = Matcher(requirement.before, game)
        self.absence = Matcher(requirement.absence, game)
        self.forbidden = Matcher((*requirement.absence, *requirement.not_succession), game)
        """What must not follow until the obligation is free of `not_succession`."""
        self.until = Matcher(requirement.until, game)
        self.existence = tuple(Matcher([pattern], game) for pattern in requirement.existence)
        self.unless = Matcher(requirement.unless, game)
        self.probed = Matcher(requirement.probed, game)
        self.whole_scenario = requirement.scope == "scenario"
        flat = (requirement.absence, requirement.not_succession, requirement.until, requirement.unless)
        self.bound = tuple(dict.fromkeys(name for patterns in flat for name in bound_names(patterns)))
        """Attributes of the trigger by which two obligations that only watch for what is forbidden can differ."""
        self.watched = frozenset(pattern.fact for pattern in requirement.patterns())
        if requirement.needs_ruling:
            self.watched |= {"floor_ruled"}


class ClauseRules:
    """One clause: its requirements and alternatives in force."""

    def __init__(self, clause: Clause, game: Game, policies: Mapping[str, str], *, overridable: bool) -> None:
        self.clause = clause
        self.overridable = overridable
        """Whether another clause of the pack can go before this one."""
        self.demands = tuple(Demand(one, game) for raw in clause.requirements if (one := _in_force(raw, policies)))
        self.alternatives = tuple(
            (one.id, frozenset(condition.attribute for condition in one.where), Conditions(one.where, game))
            for one in clause.alternatives
            if chosen(one.when, policies)
        )
        self.watched = ALWAYS.union(*(demand.watched for demand in self.demands))

    def alternatives_of(self, trigger: Fact) -> frozenset[str]:
        """The alternatives of the clause that a trigger is."""
        seen = trigger.attributes
        return frozenset(name for name, asked, where in self.alternatives if asked <= seen.keys() and where(seen, seen))


class PackRules:
    """A pack under the policies chosen, with an index of which clauses a fact can matter to."""

    def __init__(self, pack: Pack, policies: Mapping[str, str]) -> None:
        self.pack = pack
        self.policies = dict(policies)
        overridden = {name for clause in pack.clauses for one in clause.requirements for name in one.overrides}
        self.clauses = tuple(
            ClauseRules(clause, pack.game, policies, overridable=clause.id in overridden) for clause in pack.clauses
        )
        self._index = {name: _Entry(name, self.clauses) for name in frozenset().union(*map(_watched, self.clauses))}

    def concerned(self, fact: Fact) -> Sequence[int]:
        """The places of the clauses that this fact can change anything for, in order."""
        entry = self._index.get(fact.name)
        return entry.concerned(fact) if entry is not None else ()


class _Entry:
    """The clauses that watch facts of one name, told apart by the attribute that most of their patterns fix."""

    def __init__(self, name: str, clauses: Sequence[ClauseRules]) -> None:
        self._all = tuple(n for n, one in enumerate(clauses) if name in one.watched)
        patterns = {n: list(_patterns_of(name, clauses[n])) for n in self._all}
        self._attribute = "" if name in ALWAYS else _telling([one for found in patterns.values() for one in found])
        self._any: tuple[int, ...] = ()
        self._by_value: dict[Value, tuple[int, ...]] = {}
        if not self._attribute:
            return
        fixed = {
            n: [fixed_values(pattern, self._attribute) for pattern in found] or [None] for n, found in patterns.items()
        }
        self._any = tuple(n for n, values in fixed.items() if None in values)
        for value in {one for values in fixed.values() for known in values if known for one in known}:
            wanted = (
                n
                for n, values in fixed.items()
                if None in values or any(value in known or () for known in values if known)
            )
            self._by_value[value] = tuple(wanted)

    def concerned(self, fact: Fact) -> Sequence[int]:
        # A fact that was known before and is corrected matters to whoever took it for something else.
        if not self._attribute or fact.amendable:
            return self._all
        value = fact.attributes[self._attribute]
        return self._all if value is None else self._by_value.get(value, self._any)


def _watched(rules: ClauseRules) -> frozenset[str]:
    return rules.watched


def _patterns_of(name: str, rules: ClauseRules) -> Iterator[Pattern]:
    for demand in rules.demands:
        yield from (pattern for pattern in demand.requirement.patterns() if pattern.fact == name)


def _telling(patterns: Iterable[Pattern]) -> str:
    """The attribute that most patterns fix; empty when none does."""
    counts = Counter(
        name
        for pattern in patterns
        for name in {condition.attribute for condition in pattern.conditions}
        if fixed_values(pattern, name) is not None
    )
    return counts.most_common(1)[0][0] if counts else ""


def _in_force(raw: Requirement, policies: Mapping[str, str]) -> Requirement | None:
    """The requirement with the patterns that the policies leave in force, or None when it is switched off."""

    def keep(patterns: Iterable[Pattern]) -> tuple[Pattern, ...]:
        return tuple(one for one in patterns if chosen(one.when, policies))

    if not chosen(raw.when, policies) or not (trigger := keep(raw.trigger)):
        return None
    return msgspec.structs.replace(
        raw,
        trigger=trigger,
        precedence=tuple(step for step in map(keep, raw.precedence) if step),
        since=keep(raw.since),
        response=tuple(step for step in map(keep, raw.response) if step),
        before=keep(raw.before),
        absence=keep(raw.absence),
        not_succession=keep(raw.not_succession),
        until=keep(raw.until),
        existence=keep(raw.existence),
        unless=keep(raw.unless),
        probed=keep(raw.probed),
    )
