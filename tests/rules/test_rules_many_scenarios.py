"""A scenario is judged by what happened in it, whatever else the journal holds."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.events import FaultProven, LinkBytes, Record
from rules.judge import judge
from rules.verdicts import Verdict
from tests.rules.stud_script import exposed_hole_card
from tests.rules.table_script import PACKS
from tests.rules.test_rules_properties import RECORDS

ALL = list(PACKS.values())
STORIES = sorted(RECORDS)
FEW = settings(max_examples=15, deadline=None)


def appended(told: list[Record], records: list[Record], scenario: str, noise: frozenset[int] = frozenset()) -> None:
    """Add a story under another name, with bytes on a link before the records at the places `noise`."""
    moved: dict[int, int] = {}
    for n, record in enumerate(records):
        name = scenario if record.scenario else ""
        if n in noise and name:
            passing = LinkBytes(link="shoe", direction="rx", data="00")
            told.append(msgspec.structs.replace(record, seq=len(told), scenario=name, event=passing))
        moved[record.seq] = len(told)
        event = record.event
        if isinstance(event, FaultProven):
            event = msgspec.structs.replace(event, by=[moved[one] for one in event.by])
        told.append(msgspec.structs.replace(record, seq=len(told), scenario=name, event=event))


def one_after_the_other(*stories: str) -> list[Record]:
    """The stories as scenarios of one journal, each under a name of its own."""
    told: list[Record] = []
    for n, story in enumerate(stories):
        appended(told, RECORDS[story], f"{n} {story}")
    return told


def outcomes(verdicts: list[Verdict], scenario: str = "") -> dict[str, tuple[object, ...]]:
    """What came of each clause, without the numbers of records."""
    mine = [one for one in verdicts if one.scenario == scenario or not scenario]
    return {one.clause: (one.verdict, one.requirement, one.requirements, one.alternatives) for one in mine}


ALONE = {story: outcomes(judge(records, ALL)) for story, records in RECORDS.items()}


@FEW
@given(st.lists(st.sampled_from(STORIES), min_size=1, max_size=5))
def test_scenarios_one_after_the_other_are_judged_as_each_alone(stories: list[str]) -> None:
    verdicts = judge(one_after_the_other(*stories), ALL)
    for n, story in enumerate(stories):
        assert outcomes(verdicts, f"{n} {story}") == ALONE[story]


@FEW
@given(st.sampled_from(STORIES), st.frozensets(st.integers(0, 400), max_size=40))
def test_bytes_on_links_change_nothing(story: str, places: frozenset[int]) -> None:
    """What passes over the links is kept as evidence and says nothing by itself."""
    told: list[Record] = []
    appended(told, RECORDS[story], "s", places)
    assert outcomes(judge(told, ALL)) == ALONE[story]


@pytest.mark.parametrize("language", ["en", "es", "it"])
def test_the_order_of_scenarios_is_that_of_the_journal(language: str) -> None:
    first, second = exposed_hole_card(scenario="b"), exposed_hole_card(scenario="a")
    first.end()
    second.end()
    records = [msgspec.structs.replace(record, seq=n) for n, record in enumerate([*first.records, *second.records[1:]])]
    assert list(dict.fromkeys(one.scenario for one in judge(records, ALL, language=language))) == ["b", "a"]
