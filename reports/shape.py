"""Looks into JSON of a run folder without trusting its shape."""

from collections.abc import Mapping
from typing import Any


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one: a report shows what is there and does not trip over the rest."""
    return value if isinstance(value, Mapping) else {}


def mappings(value: object) -> tuple[Mapping[str, Any], ...]:
    """The mappings of a list; anything else is left out."""
    return tuple(item for item in value if isinstance(item, Mapping)) if isinstance(value, list | tuple) else ()
