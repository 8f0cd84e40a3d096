"""A player answers what is offered: as the plan says, else with the first of the answers."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bench.acts.acts import Acts
from bench.plan import load_plan, only
from bench.plan_entries import Choice
from bench.rig import load_rig
from bench.slips import Slips
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import AnyEvent, Directive, PlayerDid, Record
from evidence.journal import Journal


class Heard:
    """Keeps what acts report."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.answers: list[tuple[str, str]] = []

    def publish(self, event: AnyEvent, source: str) -> Record:
        if isinstance(event, PlayerDid):
            assert (event.act, source) == ("choose", f"player:{event.position}")
            self.answers.append((event.position, event.choice))
        return self.journal.append(event, source=source)

    def tap(self) -> None:
        pass


@pytest.fixture
def players(tmp_path: Path) -> Iterator[tuple[Acts, Heard]]:
    scenario = only(load_plan(find_plan("nj-69f-33.12")), ["nj-h"]).scenarios[0]
    choices = [
        Choice("seat/1", "draw", "hit"),
        Choice("seat/1", "draw", "double"),
        Choice("seat/3", "draw", "hit", round=2),
        Choice("seat/3", "late", "dead"),
    ]
    scenario = msgspec.structs.replace(scenario, choices=choices)
    workshop = Workshop(load_rig(find_rig("emulated")), seed=1)
    with (
        Journal.create(tmp_path, workshop.now_ns, durable=False) as journal,
        workshop.open(scenario, journal, {}) as rig,
    ):
        heard = Heard(journal)
        yield Acts(rig, scenario, Slips([]), heard), heard


def offer(position: str, question: str, *choices: str) -> Directive:
    return Directive(id="d1", verb="offer_choice", position=position, question=question, choices=list(choices))


def test_each_answer_of_the_plan_is_given_once_and_then_the_first_that_is_offered(players: tuple[Acts, Heard]) -> None:
    acts, heard = players
    for _ in range(3):
        assert acts.carry_out(offer("seat/1", "draw", "stand", "hit", "double")) == ("done", "")
    assert [choice for _, choice in heard.answers] == ["hit", "double", "stand"]


def test_an_answer_belongs_to_its_player_its_question_and_its_round(players: tuple[Acts, Heard]) -> None:
    acts, heard = players
    acts.carry_out(Directive(id="d0", verb="open_round"))
    acts.carry_out(offer("seat/3", "draw", "stand", "hit"))
    acts.carry_out(offer("seat/2", "late", "take", "dead"))
    acts.carry_out(Directive(id="d0", verb="open_round"))
    acts.carry_out(offer("seat/3", "draw", "stand", "hit"))
    acts.carry_out(offer("seat/3", "late", "take", "dead"))
    assert heard.answers == [("seat/3", "stand"), ("seat/2", "take"), ("seat/3", "hit"), ("seat/3", "dead")]


def test_nobody_answers_what_is_not_offered(players: tuple[Acts, Heard]) -> None:
    acts, heard = players
    acts.carry_out(offer("seat/1", "draw", "stand", "double"))
    assert heard.answers == [("seat/1", "double")]
    assert acts.carry_out(offer("seat/1", "draw"))[0] == "impossible"
    assert acts.carry_out(Directive(id="d1", verb="offer_choice", choices=["a"]))[0] == "impossible"
    assert len(heard.answers) == 1
