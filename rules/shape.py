"""Holds a pack's raw tables against the structs of `rules.packfile` and notes every entry that does not fit."""

import datetime
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import inspect

from rules.mistakes import Source, choice, shown

NAMES = {"Head": "pack.toml", "Part": "a further file of a pack"}
PLAIN: tuple[tuple[type[Any], type[inspect.Type], str], ...] = (
    (str, inspect.StrType, "a text in quotes"),
    (bool, inspect.BoolType, "true or false"),
    (int, inspect.IntType, "a whole number"),
    (float, inspect.FloatType, "a number"),
    (list, inspect.ListType, "a list"),
    (dict, inspect.DictType, "a table"),
    (dict, inspect.StructType, "a table"),
)
"""Python's type of what was read, the type that is asked for, and what both are called."""


def check_shape(source: Source, data: object, shape: type[Any]) -> None:
    """Notes all in `data` that has not the shape of a struct."""
    _Shape(source).check(data, _form_of(shape), "", "")  # type: ignore[arg-type]  # a class can be hashed


@cache
def _form_of(shape: type[Any]) -> inspect.Type:
    return inspect.type_info(shape)


class _Shape:
    """One walk over the tables of a file."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def check(self, data: object, form: inspect.Type, where: str, mend: str) -> None:
        """This entry and all within it. `mend` is the remedy that the struct itself gives."""
        match form:
            case inspect.Metadata():
                self.check(data, form.type, where, (form.extra or {}).get("mend", mend))
            case inspect.UnionType():
                fitting = [one for one in form.types if _is(data, one)]
                if fitting:
                    self.check(data, fitting[0], where, mend)
                else:
                    self._wrong(data, form.types, where)
            case inspect.AnyType():
                pass
            case _ if not _is(data, form):
                self._wrong(data, [form], where)
            case _:
                self._within(data, form, where, mend)

    def _within(self, data: object, form: inspect.Type, where: str, mend: str) -> None:
        if isinstance(data, dict) and isinstance(form, inspect.StructType):
            self._struct(data, form, where)
        elif isinstance(data, dict) and isinstance(form, inspect.DictType):
            for key, value in data.items():
                self.check(key, form.key_type, _join(where, key), "")
                self.check(value, form.value_type, _join(where, key), "")
        elif isinstance(data, list) and isinstance(form, inspect.ListType):
            for n, item in enumerate(data):
                self.check(item, form.item_type, f"{where}[{n}]", mend)
        else:
            self._bounded(data, form, where, mend)

    def _struct(self, data: Mapping[str, object], form: inspect.StructType, where: str) -> None:
        fields = {field.encode_name: field for field in form.fields}
        plain = form.cls.__name__.removeprefix("Raw").lower()
        name = NAMES.get(form.cls.__name__) or f"{'an' if plain[0] in 'aeiou' else 'a'} {plain}"
        for key, value in data.items():
            place = _join(where, key)
            if key in fields:
                self.check(value, fields[key].type, place, "")
            else:
                self._source.note(place, f"{shown(key)} is no entry of {name}", choice("It takes", fields, key))
        for key, field in fields.items():
            if field.required and key not in data:
                self._source.note(where, f"the entry {key!r} of {name} is missing", f"Add {key} = …")

    def _bounded(self, data: object, form: inspect.Type, where: str, mend: str) -> None:
        """A text or a number keeps to the limits that its type states."""
        trouble = ""
        if isinstance(data, str) and isinstance(form, inspect.StrType):
            if form.max_length is not None and len(data) > form.max_length:
                trouble = f"a text of {len(data)} letters is too long"
                mend = f"Keep it to {form.max_length}."
            elif form.pattern is not None and re.search(form.pattern, data) is None:
                trouble = f"{shown(data)} cannot stand here"
        elif isinstance(data, int) and isinstance(form, inspect.IntType):
            if form.ge is not None and data < form.ge:
                trouble = f"{data} is below {form.ge}"
            elif form.le is not None and data > form.le:
                trouble = f"{data} is above {form.le}"
        if trouble:
            self._source.note(where, trouble, mend or "Correct it.")

    def _wrong(self, data: object, forms: Iterable[inspect.Type], where: str) -> None:
        bare = [_bare(form) for form in forms]
        wanted = " or ".join(dict.fromkeys(_called(form) for form in bare))
        unquoted = isinstance(data, datetime.date | datetime.time | int | float)
        quotes = unquoted and any(isinstance(form, inspect.StrType) for form in bare)
        remedy = "Put it in quotes." if quotes else f"Write {wanted}."
        self._source.note(where, f"{_seen(data)} stands where {wanted} should", remedy)


def _bare(form: inspect.Type) -> inspect.Type:
    return form.type if isinstance(form, inspect.Metadata) else form


def _is(data: object, form: inspect.Type) -> bool:
    bare = _bare(form)
    if isinstance(bare, inspect.AnyType):
        return True
    return any(type(data) is kind for kind, asked, _ in PLAIN if isinstance(bare, asked))


def _called(form: inspect.Type) -> str:
    return next((name for _, asked, name in PLAIN if isinstance(form, asked)), "something else")


def _seen(data: object) -> str:
    if isinstance(data, bool):
        return str(data).lower()
    if isinstance(data, dict | list):
        return "a table" if isinstance(data, dict) else "a list"
    if isinstance(data, datetime.date | datetime.time):
        return f"the date or time {data}"
    return shown(data)


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
