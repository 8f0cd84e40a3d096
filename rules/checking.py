"""Turns the raw tables of a pack file into typed patterns, refusing whatever could never work."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from rules.mistakes import Source, choice, shown
from rules.pack import Condition, Game, Pattern, Reference
from rules.packfile import OneOrMore, Steps, When
from rules.vocabulary import FACTS, Attribute, FactKind, Value

OPERATORS = ("not", "at_least", "at_most", "above", "below")
KINDS = {"text": str, "number": int, "flag": bool}
CALLED = {"text": "a text in quotes", "number": "a whole number", "flag": "true or false"}

Triggers = tuple[Pattern, ...] | None
"""What `$name` may refer to; None where there is no trigger to refer to."""


class Checker:
    """Compiles patterns of one file against the fact vocabulary, the game and the pack's policies."""

    def __init__(self, source: Source, game: Game, policies: Mapping[str, Iterable[str]]) -> None:
        self.source = source
        self._game = game
        self._policies = {policy: tuple(values) for policy, values in policies.items()}

    def values_of(self, policy: str) -> tuple[str, ...]:
        """The values that a policy can have."""
        return self._policies.get(policy, ())

    def when(self, raw: When, where: str) -> dict[str, tuple[str, ...]]:
        """Policy conditions: every policy and every value must be known."""
        made = self.source.notebook.gather(partial(self._one_when, *item, where) for item in raw.items())
        return dict(made)

    def _one_when(self, policy: str, wanted: str | list[str], where: str) -> tuple[str, tuple[str, ...]]:
        values = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        place = f"{where}.{policy}"
        if policy not in self._policies:
            self.source.refuse(place, f"unknown policy {policy!r}", choice("Known", self._policies, policy))
        if not values:
            self.source.refuse(place, "an empty list is never so", "Name at least one value.")
        for value in values:
            if value not in self._policies[policy]:
                remedy = choice("It has", self._policies[policy], value)
                self.source.refuse(place, f"policy {policy!r} has no value {value!r}", remedy)
        return policy, values

    def patterns(self, raw: OneOrMore, where: str, triggers: Triggers = None) -> tuple[Pattern, ...]:
        """One table or a list of tables, each a pattern."""
        entries = [(raw, where)] if isinstance(raw, dict) else [(one, f"{where}[{n}]") for n, one in enumerate(raw)]
        return tuple(self.source.notebook.gather(partial(self.pattern, *entry, triggers) for entry in entries))

    def steps(self, raw: Steps, where: str, triggers: Triggers) -> tuple[tuple[Pattern, ...], ...]:
        """An ordered list of items, each one pattern or a list of which any will do."""
        places = [(item, f"{where}[{n}]", triggers) for n, item in enumerate(raw)]
        return tuple(self.source.notebook.gather(partial(self._step, *place) for place in places))

    def _step(self, raw: OneOrMore, where: str, triggers: Triggers) -> tuple[Pattern, ...]:
        if not raw:
            self.source.refuse(where, "an empty step can never be met", "Give each step a pattern.")
        return self.patterns(raw, where, triggers)

    def pattern(self, raw: dict[str, Any], where: str, triggers: Triggers) -> Pattern:
        """One pattern: `fact`, optionally `when`, and conditions on attributes of that fact."""
        name = raw.get("fact")
        if not isinstance(name, str):
            near = choice("The entry that names a fact is", ["fact"], next(iter(raw), ""))
            remedy = near if "Did you mean" in near else 'Write for example { fact = "round_opened" }.'
            self.source.refuse(where, "a pattern needs `fact`", remedy)
        if name not in FACTS:
            self.source.refuse(f"{where}.fact", f"unknown fact {shown(name)}", choice("Known", FACTS, name))
        when = raw.get("when", {})
        if not isinstance(when, dict) or not all(_is_choice(wanted) for wanted in when.values()):
            self.source.refuse(f"{where}.when", "`when` is not a table", 'Write when = { policy = "value" }.')
        rest = {key: value for key, value in raw.items() if key not in ("fact", "when")}
        notebook = self.source.notebook
        conditions: list[tuple[Condition, ...]] = []
        chosen: list[dict[str, tuple[str, ...]]] = []
        notebook.gather(
            (
                lambda: conditions.append(self.conditions(rest, FACTS[name], name, where, triggers)),
                lambda: chosen.append(self.when(when, f"{where}.when")),
            )
        )
        return Pattern(name, conditions[0], chosen[0])

    def conditions(
        self, raw: dict[str, Any], kind: FactKind, name: str, where: str, triggers: Triggers
    ) -> tuple[Condition, ...]:
        """Conditions on the attributes of one kind of fact."""
        made = self.source.notebook.gather(
            partial(self._demands, attribute, demand, kind, name, f"{where}.{attribute}", triggers)
            for attribute, demand in raw.items()
        )
        return tuple(condition for conditions in made for condition in conditions)

    def _demands(
        self, attribute: str, demand: object, kind: FactKind, name: str, where: str, triggers: Triggers
    ) -> list[Condition]:
        if attribute not in kind.attributes:
            remedy = choice("It has", [*kind.attributes, "when"], attribute)
            self.source.refuse(where, f"fact {name!r} has no attribute {shown(attribute)}", remedy)
        form = kind.attributes[attribute]
        if isinstance(demand, dict):
            if not demand:
                self.source.refuse(where, "an empty condition", choice("Use one of", OPERATORS))
            return [self._compared(attribute, *pair, form, where, triggers) for pair in demand.items()]
        if isinstance(demand, list):
            if not demand:
                self.source.refuse(where, "an empty list matches nothing", "List at least one value.")
            operands = tuple(self._operand(one, form, f"{where}[{n}]", triggers) for n, one in enumerate(demand))
            return [Condition(attribute, "in", operands)]
        return [Condition(attribute, "is", (self._operand(demand, form, where, triggers),))]

    def _compared(
        self, attribute: str, operator: str, raw: object, form: Attribute, where: str, triggers: Triggers
    ) -> Condition:
        where = f"{where}.{operator}"
        if operator not in OPERATORS:
            remedy = choice("Use one of", OPERATORS, operator)
            self.source.refuse(where, f"unknown comparison {shown(operator)}", remedy)
        if operator != "not" and form.kind != "number":
            problem = f"{operator!r} needs a number, and {attribute!r} is a {form.kind}"
            self.source.refuse(where, problem, "Use equality, a list or `not`.")
        many = raw if isinstance(raw, list) and operator == "not" else [raw]
        if not many:
            self.source.refuse(where, "an empty list excludes nothing", "List at least one value.")
        return Condition(attribute, operator, tuple(self._operand(one, form, where, triggers) for one in many))

    def _operand(self, raw: object, form: Attribute, where: str, triggers: Triggers) -> Value | Reference:
        if isinstance(raw, str) and raw.startswith("$"):
            return self._reference(raw, form, where, triggers)
        if type(raw) is not KINDS[form.kind] or not isinstance(raw, (str, int)):
            self.source.refuse(where, f"{shown(raw)} is not a {form.kind}", f"Give {CALLED[form.kind]}.")
        if form.values and raw not in form.values:
            problem = f"{shown(raw)} can never be seen here, so this is unreachable"
            self.source.refuse(where, problem, choice("It can be", form.values, raw))
        return raw

    def _reference(self, raw: str, form: Attribute, where: str, triggers: Triggers) -> Reference:
        if raw.startswith("$game."):
            name = raw.removeprefix("$game.")
            known = [key for key in Game.__struct_fields__ if type(getattr(self._game, key)) is KINDS[form.kind]]
            if name not in known:
                remedy = choice(f"[game] has {form.kind}s", known, name)
                self.source.refuse(where, f"{shown(raw)} is no {form.kind} of the game", remedy)
            return Reference(name, of_game=True)
        name = raw.removeprefix("$")
        if triggers is None:
            self.source.refuse(where, f"{shown(raw)} cannot be used in a trigger", "Only $game.NAME can stand here.")
        for trigger in triggers:
            bound = FACTS[trigger.fact].attributes
            if name not in bound or bound[name].kind != form.kind:
                fitting = [key for key, attribute in bound.items() if attribute.kind == form.kind]
                problem = f"{shown(raw)}: the trigger {trigger.fact!r} has no {form.kind} of that name"
                self.source.refuse(where, problem, choice("It has", fitting, name))
        return Reference(name)


def _is_choice(wanted: object) -> bool:
    return isinstance(wanted, str) or (isinstance(wanted, list) and all(isinstance(one, str) for one in wanted))
