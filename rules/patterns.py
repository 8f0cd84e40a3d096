"""Matching facts against patterns, in three values: yes, no, and None where the evidence cannot tell."""

from collections.abc import Iterable, Mapping

from rules.pack import Condition, Game, Pattern, Reference
from rules.vocabulary import Fact, Value


def matches(pattern: Pattern, fact: Fact, trigger: Fact | None, game: Game) -> bool | None:
    """Whether `fact` meets `pattern`; None when an attribute it depends on could not be seen."""
    if fact.name != pattern.fact:
        return False
    return meets(pattern.conditions, fact, trigger, game)


def meets(conditions: Iterable[Condition], fact: Fact, trigger: Fact | None, game: Game) -> bool | None:
    """Whether every condition holds for `fact`: one that fails decides, else one that cannot be told."""
    answer: bool | None = True
    for condition in conditions:
        one = _holds(condition, fact.attributes, trigger, game)
        if one is False:
            return False
        if one is None:
            answer = None
    return answer


def any_matches(patterns: Iterable[Pattern], fact: Fact, trigger: Fact | None, game: Game) -> bool | None:
    """Whether one of the patterns is met: one that is met decides, else one that cannot be told."""
    answer: bool | None = False
    for pattern in patterns:
        one = matches(pattern, fact, trigger, game)
        if one:
            return True
        if one is None:
            answer = None
    return answer


def _holds(condition: Condition, seen: Mapping[str, Value], trigger: Fact | None, game: Game) -> bool | None:
    value = seen[condition.attribute]
    operands = [_resolve(operand, trigger, game) for operand in condition.operands]
    if value is None or any(operand is None for operand in operands):
        return None
    if condition.operator in ("is", "in"):
        return value in operands
    if condition.operator == "not":
        return value not in operands
    limit = operands[0]
    if not isinstance(value, int) or not isinstance(limit, int):
        raise TypeError(f"{condition.attribute} {condition.operator}: {value!r} and {limit!r} are not both numbers")
    return _compare(condition.operator, value, limit)


def _compare(operator: str, value: int, limit: int) -> bool:
    match operator:
        case "at_least":
            return value >= limit
        case "at_most":
            return value <= limit
        case "above":
            return value > limit
        case "below":
            return value < limit
    raise ValueError(f"unknown operator {operator!r}")


def _resolve(operand: Value | Reference, trigger: Fact | None, game: Game) -> Value:
    if not isinstance(operand, Reference):
        return operand
    if operand.of_game:
        parameter: int | str = getattr(game, operand.name)
        return parameter
    if trigger is None:
        raise LookupError(f"${operand.name} stands where there is no trigger")
    return trigger.attributes[operand.name]
