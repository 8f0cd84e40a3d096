"""Writes plain data as TOML, in one layout: for settings that are stored without their comments."""

import datetime
import json
from collections.abc import Mapping
from typing import Any


def write_toml(content: Mapping[str, Any]) -> str:
    """TOML that reads back as `content`: text, numbers, switches, lists and tables, nested as they are."""
    return "\n".join(_table(content, ())).strip("\n") + "\n"


def _table(content: Mapping[str, Any], name: tuple[str, ...]) -> list[str]:
    lines = [f"{_key(key)} = {_value(value)}" for key, value in content.items() if not _is_table(value)]
    for key, value in content.items():
        inner = (*name, _key(key))
        if isinstance(value, Mapping):
            lines += ["", f"[{'.'.join(inner)}]", *_table(value, inner)]
        elif _is_table(value):
            for entry in value:
                lines += ["", f"[[{'.'.join(inner)}]]", *_table(entry, inner)]
    return lines


def _is_table(value: object) -> bool:
    """A table, or a list of tables that is not empty."""
    if isinstance(value, list | tuple) and value:
        return all(isinstance(entry, Mapping) for entry in value)
    return isinstance(value, Mapping)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        # A basic string of TOML takes the escapes of JSON; DEL alone must be escaped beyond them.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return repr(value)  # whole numbers and others, `inf` and `nan` too


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else _value(name)
