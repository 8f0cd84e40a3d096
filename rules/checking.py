"""Turns the raw tables of a pack file into typed patterns, refusing whatever could never work."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from evidence.errors import UsageError
from evidence.tomlfile import find_line
from rules.pack import Condition, Game, Pattern, Reference
from rules.packfile import OneOrMore, Steps, When
from rules.vocabulary import FACTS, Attribute, FactKind, Value

OPERATORS = ("not", "at_least", "at_most", "above", "below")
KINDS = {"text": str, "number": int, "flag": bool}


class Source(msgspec.Struct, frozen=True):
    """One file of a pack, to say where something is wrong."""

    path: Path
    text: str

    def refuse(self, where: str, problem: str, remedy: str) -> NoReturn:
        """Raises UsageError naming file, line, entry, problem and remedy."""
        line = find_line(self.text, f"$.{where}")
        place = f"{self.path}:{line}" if line else str(self.path)
        raise UsageError(f"{place}: clause pack, {where}: {problem}. {remedy}")


class Checker:
    """Compiles patterns of one file against the fact vocabulary, the game and the pack's policies."""

    def __init__(self, source: Source, game: Game, policies: Mapping[str, Iterable[str]]) -> None:
        self.source = source
        self._game = game
        self._policies = {policy: tuple(values) for policy, values in policies.items()}

    def when(self, raw: When, where: str) -> dict[str, tuple[str, ...]]:
        """Policy conditions: every policy and every value must be known."""
        compiled: dict[str, tuple[str, ...]] = {}
        for policy, wanted in raw.items():
            values = (wanted,) if isinstance(wanted, str) else tuple(wanted)
            if policy not in self._policies:
                self.source.refuse(where, f"unknown policy {policy!r}", f"Known: {_known(self._policies)}.")
            for value in values:
                if value not in self._policies[policy]:
                    known = _known(self._policies[policy])
                    self.source.refuse(where, f"policy {policy!r} has no value {value!r}", f"It has: {known}.")
            compiled[policy] = values
        return compiled

    def patterns(self, raw: OneOrMore, where: str, triggers: tuple[Pattern, ...] | None = None) -> tuple[Pattern, ...]:
        """One table or a list of tables, each a pattern. `triggers` are what `$name` may refer to; None forbids it."""
        entries = [(raw, where)] if isinstance(raw, dict) else [(one, f"{where}[{n}]") for n, one in enumerate(raw)]
        return tuple(self.pattern(entry, place, triggers) for entry, place in entries)

    def steps(self, raw: Steps, where: str, triggers: tuple[Pattern, ...]) -> tuple[tuple[Pattern, ...], ...]:
        """An ordered list of items, each one pattern or a list of which any will do."""
        return tuple(self.patterns(item, f"{where}[{n}]", triggers) for n, item in enumerate(raw))

    def pattern(self, raw: dict[str, Any], where: str, triggers: tuple[Pattern, ...] | None) -> Pattern:
        """One pattern: `fact`, optionally `when`, and conditions on attributes of that fact."""
        name = raw.get("fact")
        if not isinstance(name, str):
            self.source.refuse(where, "a pattern needs `fact`", 'Write for example { fact = "round_opened" }.')
        if name not in FACTS:
            self.source.refuse(where, f"unknown fact {name!r}", f"Known: {_known(FACTS)}.")
        when = raw.get("when", {})
        if not isinstance(when, dict):
            self.source.refuse(where, "`when` is not a table", 'Write when = { policy = "value" }.')
        rest = {key: value for key, value in raw.items() if key not in ("fact", "when")}
        conditions = self.conditions(rest, FACTS[name], name, where, triggers)
        return Pattern(name, conditions, self.when(when, where))

    def conditions(
        self, raw: dict[str, Any], kind: FactKind, name: str, where: str, triggers: tuple[Pattern, ...] | None
    ) -> tuple[Condition, ...]:
        """Conditions on the attributes of one kind of fact."""
        compiled: list[Condition] = []
        for attribute, demand in raw.items():
            place = f"{where}.{attribute}"
            if attribute not in kind.attributes:
                known = _known(kind.attributes)
                self.source.refuse(where, f"fact {name!r} has no attribute {attribute!r}", f"It has: {known}.")
            form = kind.attributes[attribute]
            if isinstance(demand, dict):
                if not demand:
                    self.source.refuse(place, "an empty condition", f"Use one of: {_known(OPERATORS)}.")
                for operator, operand in demand.items():
                    compiled.append(self._compared(attribute, operator, operand, form, place, triggers))
            elif isinstance(demand, list):
                if not demand:
                    self.source.refuse(place, "an empty list matches nothing", "List at least one value.")
                operands = tuple(self._operand(one, form, place, triggers) for one in demand)
                compiled.append(Condition(attribute, "in", operands))
            else:
                compiled.append(Condition(attribute, "is", (self._operand(demand, form, place, triggers),)))
        return tuple(compiled)

    def _compared(
        self,
        attribute: str,
        operator: str,
        raw: object,
        form: Attribute,
        where: str,
        triggers: tuple[Pattern, ...] | None,
    ) -> Condition:
        if operator not in OPERATORS:
            self.source.refuse(where, f"unknown comparison {operator!r}", f"Use one of: {_known(OPERATORS)}.")
        if operator != "not" and form.kind != "number":
            self.source.refuse(
                where, f"{operator!r} needs a number, this is a {form.kind}", "Use equality, a list or `not`."
            )
        many = raw if isinstance(raw, list) and operator == "not" else [raw]
        return Condition(attribute, operator, tuple(self._operand(one, form, where, triggers) for one in many))

    def _operand(
        self, raw: object, form: Attribute, where: str, triggers: tuple[Pattern, ...] | None
    ) -> Value | Reference:
        if isinstance(raw, str) and raw.startswith("$"):
            return self._reference(raw, form, where, triggers)
        if type(raw) is not KINDS[form.kind] or not isinstance(raw, (str, int)):
            self.source.refuse(where, f"{raw!r} is not a {form.kind}", f"Give a {form.kind}.")
        if form.values and raw not in form.values:
            known = _known(value or '""' for value in form.values)
            self.source.refuse(where, f"{raw!r} can never be seen here, so this is unreachable", f"It can be: {known}.")
        return raw

    def _reference(self, raw: str, form: Attribute, where: str, triggers: tuple[Pattern, ...] | None) -> Reference:
        if raw.startswith("$game."):
            name = raw.removeprefix("$game.")
            if type(getattr(self._game, name, None)) is not KINDS[form.kind]:
                self.source.refuse(where, f"{raw!r} is no {form.kind} of the game", "Name a parameter of [game].")
            return Reference(name, of_game=True)
        name = raw.removeprefix("$")
        if triggers is None:
            self.source.refuse(where, f"{raw!r} cannot be used in a trigger", "Only $game.NAME can stand here.")
        for trigger in triggers:
            bound = FACTS[trigger.fact].attributes.get(name)
            if bound is None or bound.kind != form.kind:
                known = _known(FACTS[trigger.fact].attributes)
                self.source.refuse(
                    where, f"{raw!r}: the trigger {trigger.fact!r} has no {form.kind} of that name", f"It has: {known}."
                )
        return Reference(name)


def _known(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
