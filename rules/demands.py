"""The clauses of a pack as the policies leave them, ready to be asked about facts."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from rules.pack import Clause, Game, Pack, Pattern, Requirement, chosen
from rules.patterns import Conditions, Matcher, bound_names, fixed_values
from rules.verdicts import Outcome
from rules.vocabulary import Fact, Value

ALWAYS = frozenset({"round_opened", "round_closed"})
"""Facts that end the scope of obligations."""
MOST_KEPT = 32
"""Packs under policies that are kept ready."""


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
        self.whole_scenario = requirement.scope != "round"
        followed = (requirement.before, requirement.absence, requirement.not_succession, requirement.until)
        self.followed = tuple(
            pattern
            for patterns in (*followed, requirement.existence, requirement.probed, *requirement.response)
            for pattern in patterns
        )
        """The patterns that matter while an obligation is open."""
        self.bound = tuple(dict.fromkeys(bound_names((*self.followed, *requirement.unless))))
        """Attributes of the trigger by which two obligations can differ."""
        self.looked_up = self.since.names.union(*(step.names for step in self.precedence))
        self.watched = frozenset(pattern.fact for pattern in (*self.followed, *requirement.unless))
        """Names of the facts that can change anything for an open obligation."""
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
        self.policies = {policy: policies[policy] for policy in clause.policies}
        self.untouched = {demand.id: Outcome.NOT_TRIGGERED for demand in self.demands}
        """What came of each requirement where nothing triggered any; shared by all verdicts that say so."""
        self.watched = ALWAYS.union(*(demand.watched | demand.trigger.names for demand in self.demands))
        self.looked_up = frozenset(name for demand in self.demands for name in demand.looked_up)
        """Facts that are looked for only in the past."""
        self.triggered = {name: _asked(name, self.demands, "trigger") for name in self.watched}
        """The demands that a fact of this name may trigger."""
        self.excused = {name: _asked(name, self.demands, "unless") for name in self.watched}
        """The demands to which a fact of this name may be an exception."""

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
        names = dict.fromkeys(name for one in self.clauses for name in one.watched)
        self.names = frozenset(names).union(*(one.looked_up for one in self.clauses))
        """The facts that the pack asks for."""
        self._starting = {name: _Entry(name, self.clauses, _starting_patterns) for name in names}
        self._following = {name: _Entry(name, self.clauses, _following_patterns) for name in names}

    def starting(self, fact: Fact) -> Sequence[int]:
        """The places of the clauses for which this fact may be a trigger or an exception."""
        entry = self._starting.get(fact.name)
        return entry.concerned(fact) if entry is not None else ()

    def following(self, fact: Fact) -> Sequence[int]:
        """The places of the clauses whose open obligations this fact can change anything for."""
        entry = self._following.get(fact.name)
        return entry.concerned(fact) if entry is not None else ()


_kept: OrderedDict[tuple[int, tuple[tuple[str, str], ...]], PackRules] = OrderedDict()


def rules_under(pack: Pack, policies: Mapping[str, str]) -> PackRules:
    """The pack under these policies; one that was asked for before is not made anew.

    It goes by the object, which stays as it is: what is kept holds its pack, so that no other pack has that identity.
    """
    key = id(pack), tuple(sorted(policies.items()))
    found = _kept.pop(key, None) or PackRules(pack, policies)
    _kept[key] = found
    if len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return found


class _Entry:
    """The clauses that watch facts of one name, told apart by the attribute that most of their patterns fix."""

    def __init__(
        self, name: str, clauses: Sequence[ClauseRules], patterns_of: Callable[[str, ClauseRules], list[Pattern]]
    ) -> None:
        patterns = {n: found for n, one in enumerate(clauses) if (found := patterns_of(name, one))}
        self._attribute = _telling([one for found in patterns.values() for one in found])
        fixed = {n: [fixed_values(one, self._attribute) for one in found] for n, found in patterns.items()}
        self._all = tuple(patterns)
        self._others = tuple(n for n, sets in fixed.items() if None in sets)
        """Those that also want other values than the ones they fix."""
        values = {value for sets in fixed.values() for known in sets if known is not None for value in known}
        self._by_value: dict[Value, tuple[int, ...]] = {
            value: tuple(n for n, sets in fixed.items() if any(known is None or value in known for known in sets))
            for value in values
        }

    def concerned(self, fact: Fact) -> Sequence[int]:
        # A fact that was known before and is corrected matters to whoever took it for something else.
        if not self._attribute or fact.amendable:
            return self._all
        value = fact.attributes[self._attribute]
        return self._all if value is None else self._by_value.get(value, self._others)


def _starting_patterns(name: str, rules: ClauseRules) -> list[Pattern]:
    parts = [pattern for one in rules.demands for pattern in (*one.requirement.trigger, *one.requirement.unless)]
    return [pattern for pattern in parts if pattern.fact == name]


def _following_patterns(name: str, rules: ClauseRules) -> list[Pattern]:
    """The patterns of open obligations. Rounds and rulings of the floor matter without one."""
    found = [pattern for one in rules.demands for pattern in one.followed if pattern.fact == name]
    needed = name in ALWAYS or any(
        name in one.watched - {pattern.fact for pattern in one.followed} for one in rules.demands
    )
    return [*found, Pattern(name)] if needed else found


def _asked(name: str, demands: Sequence[Demand], part: Literal["trigger", "unless"]) -> tuple[Demand, ...]:
    return tuple(demand for demand in demands if name in getattr(demand, part).names)


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
