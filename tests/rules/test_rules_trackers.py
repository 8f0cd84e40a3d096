"""A tracker is given the events that it says it watches; it must not look for others."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import evidence.events
from evidence.events.base import Event
from rules import facts
from rules.facts.machine import COMMON, EARLY, OF_GAME, SILENT, FactMachine
from rules.pack import Game
from rules.vocabulary import FACTS
from tests.rules.stud_script import PACK, exposed_hole_card
from tests.rules.table_script import PACKS

FACTS_FOLDER = Path(facts.__file__).parent
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
        game = Game(name="any", cards_in_deck=52)
        shown = FactMachine(game, wanted={game: getattr(tracker, "states", FACTS)}).listens
        assert SILENT & set(watches) <= shown, "the machine does not show it the silent events that it watches"


def test_the_trackers_tell_what_they_watch() -> None:
    """Those that do not are asked about every event, which is slow but right."""
    assert sum(hasattr(one, "watches") for one in TRACKERS) > 10


def stated(module: ModuleType) -> set[str]:
    """The names of facts that a tracker's module speaks of, or those of the folder that it is made of."""
    assert module.__file__
    here = Path(module.__file__)
    files = [here] if here.parent == FACTS_FOLDER else sorted(here.parent.glob("*.py"))
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    named = [node.value for node in nodes if isinstance(node, ast.keyword) and node.arg == "name"]
    if not all(isinstance(node, ast.Constant) for node in named):
        named = [node for node in nodes if isinstance(node, ast.expr)]
    return {node.value for node in named if isinstance(node, ast.Constant) and isinstance(node.value, str)} & set(FACTS)


@pytest.mark.parametrize("tracker", TRACKERS, ids=lambda one: one.__name__)
def test_a_tracker_states_what_it_says_it_states(tracker: type) -> None:
    """One that states something else besides could be left out although that is wanted."""
    module = inspect.getmodule(tracker)
    assert module is not None
    if states := getattr(tracker, "states", None):
        assert set(states) <= set(FACTS)
        lacking = stated(module) - set(states)
        assert not lacking, f"add to {tracker.__name__}.states: {', '.join(sorted(lacking))}"


def test_facts_that_nobody_asks_for_are_not_stated() -> None:
    story = exposed_hole_card()
    story.end()
    game = PACKS[PACK].game
    asked = FactMachine(game, wanted={game: {"round_opened", "hole_cards_face_up"}})
    found = {fact.name for record in story.records for _, fact in asked.feed(record)}
    assert found == {"round_opened", "hole_cards_face_up"}
    everything = FactMachine(game)
    assert found < {fact.name for record in story.records for _, fact in everything.feed(record)}
