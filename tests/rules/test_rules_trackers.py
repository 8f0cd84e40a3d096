"""A tracker is given the events that it says it watches; it must not look for others."""

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

import evidence.events
from evidence.events.base import Event
from rules.facts.machine import COMMON, EARLY, OF_GAME, SILENT

TRACKERS = [*EARLY, *COMMON, *OF_GAME]


def looked_for(module: ModuleType) -> Iterator[type[Event]]:
    """The types of event that a module matches or asks for."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        names: list[ast.expr] = []
        if isinstance(node, ast.MatchClass):
            names = [node.cls]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            names = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        for name in names:
            kind = getattr(evidence.events, name.id, None) if isinstance(name, ast.Name) else None
            if isinstance(kind, type) and issubclass(kind, Event):
                yield kind


@pytest.mark.parametrize("tracker", TRACKERS, ids=lambda one: one.__name__)
def test_a_tracker_watches_every_event_that_it_looks_for(tracker: type) -> None:
    module = inspect.getmodule(tracker)
    assert module is not None
    watches = getattr(tracker, "watches", None)
    if watches is not None:
        lacking = set(looked_for(module)) - set(watches)
        assert not lacking, f"add to {tracker.__name__}.watches: {', '.join(one.__name__ for one in lacking)}"
        assert not SILENT & set(watches), "the machine shows trackers no silent events"


def test_the_trackers_tell_what_they_watch() -> None:
    """Those that do not are asked about every event, which is slow but right."""
    assert sum(hasattr(one, "watches") for one in TRACKERS) > 10
