"""Matching facts against patterns, in three values: yes, no, and None where the evidence cannot tell.

Patterns are made ready once. To ask one is then a few look-ups, and facts of a name that no pattern
has cost a single one.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping

from rules.pack import Condition, Game, Pattern, Reference
from rules.vocabulary import Fact, Value

Seen = Mapping[str, Value]
Check = Callable[[Seen, Seen | None], bool | None]
"""Asks one condition of a fact's attributes; the second argument are those of the trigger."""

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "at_least": operator.ge,
    "at_most": operator.le,
    "above": operator.gt,
    "below": operator.lt,
}


class Conditions:
    """Conditions on one fact, of which all must hold: one that fails decides, else one that cannot be told."""

    __slots__ = ("_checks",)

    def __init__(self, conditions: Iterable[Condition], game: Game) -> None:
        self._checks = tuple(_check(condition, game) for condition in conditions)

    def __bool__(self) -> bool:
        return bool(self._checks)

    def __call__(self, seen: Seen, trigger: Seen | None) -> bool | None:
        answer: bool | None = True
        for check in self._checks:
            one = check(seen, trigger)
            if one is False:
                return False
            if one is None:
                answer = None
        return answer


class Matcher:
    """Patterns of which any will do: one that is met decides, else one that cannot be told."""

    __slots__ = ("_by_name",)

    def __init__(self, patterns: Iterable[Pattern], game: Game) -> None:
        self._by_name: dict[str, list[Conditions]] = {}
        for pattern in patterns:
            self._by_name.setdefault(pattern.fact, []).append(Conditions(pattern.conditions, game))

    def __bool__(self) -> bool:
        return bool(self._by_name)

    @property
    def names(self) -> frozenset[str]:
        """The names of the facts that can match."""
        return frozenset(self._by_name)

    def __call__(self, fact: Fact, trigger: Fact | None = None) -> bool | None:
        entries = self._by_name.get(fact.name)
        if entries is None:
            return False
        seen, bound = fact.attributes, trigger.attributes if trigger is not None else None
        answer: bool | None = False
        for conditions in entries:
            one = conditions(seen, bound)
            if one:
                return True
            if one is None:
                answer = None
        return answer


def bound_names(patterns: Iterable[Pattern]) -> Iterator[str]:
    """The attributes of the trigger that patterns refer to."""
    for pattern in patterns:
        for condition in pattern.conditions:
            for operand in condition.operands:
                if isinstance(operand, Reference) and not operand.of_game:
                    yield operand.name


def fixed_values(pattern: Pattern, attribute: str) -> frozenset[Value] | None:
    """The values to which a pattern fixes an attribute; None when it may be others."""
    found: frozenset[Value] | None = None
    for condition in pattern.conditions:
        if condition.attribute != attribute or condition.operator not in ("is", "in"):
            continue
        values = frozenset(operand for operand in condition.operands if not isinstance(operand, Reference))
        if len(values) == len(set(condition.operands)):
            found = values if found is None else found & values
    return found


def _check(condition: Condition, game: Game) -> Check:
    operands = tuple(_constant(operand, game) for operand in condition.operands)
    if any(isinstance(operand, Reference) for operand in operands):
        return _bound_check(condition, operands)
    attribute, wanted = condition.attribute, frozenset(operands)
    if condition.operator in ("is", "in"):

        def among(seen: Seen, _: Seen | None) -> bool | None:
            value = seen[attribute]
            return None if value is None else value in wanted

        return among
    if condition.operator == "not":

        def other(seen: Seen, _: Seen | None) -> bool | None:
            value = seen[attribute]
            return None if value is None else value not in wanted

        return other
    compare, limit = COMPARISONS[condition.operator], operands[0]

    def compared(seen: Seen, _: Seen | None) -> bool | None:
        return _compared(seen[attribute], limit, compare)

    return compared


def _bound_check(condition: Condition, operands: tuple[Value | Reference, ...]) -> Check:
    """A condition of which an operand is taken from the trigger."""
    attribute, asked = condition.attribute, condition.operator
    compare = COMPARISONS.get(asked)

    def bound(seen: Seen, trigger: Seen | None) -> bool | None:
        if trigger is None:
            raise LookupError(f"the condition on {attribute} refers to a trigger where there is none")
        value = seen[attribute]
        wanted = [trigger[one.name] if isinstance(one, Reference) else one for one in operands]
        if value is None or None in wanted:
            return None
        if compare is not None:
            return _compared(value, wanted[0], compare)
        return (value in wanted) == (asked != "not")

    return bound


def _compared(value: Value, limit: Value | Reference, compare: Callable[[int, int], bool]) -> bool | None:
    if value is None:
        return None
    if not isinstance(value, int) or not isinstance(limit, int):
        raise TypeError(f"{value!r} and {limit!r} are not both numbers")
    return compare(value, limit)


def _constant(operand: Value | Reference, game: Game) -> Value | Reference:
    if not isinstance(operand, Reference) or not operand.of_game:
        return operand
    parameter: int | str = getattr(game, operand.name)
    return parameter
