"""The JSON schemas of a pack's files, for editors that help while a pack is written.

They are made from the structs in `rules.packfile` and from the fact vocabulary, so they say what the loader checks of
one entry by itself. What ties entries together (references, policies, reachability) only `cardcert rules check` tells.
JSON Schema draft 7 is what editors of TOML know.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from rules.checking import OPERATORS
from rules.clauses import ROLES, SCOPES
from rules.packfile import Head, Part
from rules.vocabulary import FACTS, Attribute, FactKind

Schema = dict[str, Any]

HERE = "#/definitions/"
FILES: dict[str, type[msgspec.Struct]] = {"pack": Head, "clauses": Part}
"""The two kinds of file: `pack.toml`, and any other."""
TITLES = {"pack": "Clause pack: pack.toml", "clauses": "Clause pack: a file of clauses and policies"}
REFERENCE = {"type": "string", "pattern": "^\\$[a-z][a-z0-9_.]*$", "description": "$name of the trigger, $game.name"}
TYPES: dict[str, Schema] = {"text": {"type": "string"}, "number": {"type": "integer"}, "flag": {"type": "boolean"}}
CLOSED = {"RawRequirement": {"scope": list(SCOPES)}, "RawClause": {"role": list(ROLES)}}
"""Texts of structs that take only these values."""


def pack_schema(kind: str) -> Schema:
    """The schema of `pack` (pack.toml) or of `clauses` (any other file of a pack)."""
    _, components = msgspec.json.schema_components([FILES[kind]], ref_template=f"{HERE}{{name}}")
    root = components.pop(FILES[kind].__name__)
    definitions = {name: _opened(component, "") for name, component in components.items()}
    for name, fields in CLOSED.items():
        for field, values in fields.items():
            definitions[name]["properties"][field]["enum"] = values
    demands = _Demands()
    facts = {f"fact_{name}": _fact(name, known, demands) for name, known in FACTS.items()}
    definitions |= {"pattern": _pattern(), "conditions": _conditions(demands), **facts, **demands.definitions}
    definitions["reference"] = REFERENCE
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **_opened(root, ""),
        "title": TITLES[kind],
        "definitions": definitions,
    }


def schema_text(kind: str) -> str:
    """The schema as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(pack_schema(kind)), indent=1).decode() + "\n"


def _opened(schema: Any, name: str) -> Any:
    """The schema with what it holds for a pattern or for conditions, which to the structs are any table."""
    if isinstance(schema, list):
        return [_opened(one, name) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "object" and not {"properties", "additionalProperties"} & set(schema):
        wanted = "conditions" if name in ("holds", "where") else "pattern"
        rest = {key: value for key, value in schema.items() if key != "type"}
        return {**rest, "allOf": [_to(wanted)]} if rest else _to(wanted)
    return {key: _opened(value, name if key in ("items", "anyOf") else key) for key, value in schema.items()}


def _to(name: str) -> Schema:
    return {"$ref": f"{HERE}{name}"}


def _pattern() -> Schema:
    return {
        "description": "Facts of one name whose attributes are as stated.",
        "type": "object",
        "required": ["fact"],
        "properties": {"fact": {"enum": list(FACTS)}},
        "oneOf": [_to(f"fact_{name}") for name in FACTS],
    }


def _fact(name: str, kind: FactKind, demands: "_Demands") -> Schema:
    return {
        "title": name,
        "description": kind.states,
        "type": "object",
        "required": ["fact"],
        "properties": {
            "fact": {"const": name},
            "when": _to("RawAlternative/properties/when"),
            **{attribute: demands.of(attribute, [form]) for attribute, form in kind.attributes.items()},
        },
        "additionalProperties": False,
    }


def _conditions(demands: "_Demands") -> Schema:
    """Conditions on a trigger, whose fact stands elsewhere: any attribute there is."""
    forms: dict[str, list[Attribute]] = {}
    for kind in FACTS.values():
        for name, form in kind.attributes.items():
            known = forms.setdefault(name, [])
            known.extend([form] if form not in known else [])
    return {
        "description": "What the attributes of the trigger are.",
        "type": "object",
        "properties": {name: demands.of(name, forms[name]) for name in sorted(forms)},
        "additionalProperties": False,
    }


class _Demands:
    """What can be asked of an attribute, each form once."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self._names: dict[Attribute, str] = {}

    def of(self, attribute: str, forms: Iterable[Attribute]) -> Schema:
        """A reference to what can be asked of an attribute that has one of these forms."""
        named = [_to(self._name(attribute, form)) for form in forms]
        return named[0] if len(named) == 1 else {"anyOf": named}

    def _name(self, attribute: str, form: Attribute) -> str:
        if form not in self._names:
            taken = [name for name in self._names.values() if name.startswith(f"{attribute}_")]
            self._names[form] = f"{attribute}_{len(taken) + 1}" if form.values else form.kind
            self.definitions[self._names[form]] = _demand(form)
        return self._names[form]


def _demand(form: Attribute) -> Schema:
    """A value, a list of values, or a comparison."""
    one: Schema = {"enum": list(form.values)} if form.values else TYPES[form.kind]
    one = one if one == TYPES["text"] else {"anyOf": [one, _to("reference")]}
    many = {"type": "array", "minItems": 1, "items": one}
    compared: Schema = {"not": {"anyOf": [one, many]}}
    if form.kind == "number":
        compared |= {operator: one for operator in OPERATORS if operator != "not"}
    table = {"type": "object", "minProperties": 1, "properties": compared, "additionalProperties": False}
    return {"anyOf": [one, many, table]}
