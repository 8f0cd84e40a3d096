"""That one obligation stands for others like it changes no verdict, whatever the camera could not see."""

import random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evidence.events import CardsSeen, Record
from rules.judge import judge
from rules.monitor import ClauseMonitor
from rules.obligation import Obligation
from rules.verdicts import Verdict
from tests.rules.pai_gow_script import PaiGow
from tests.rules.stud_script import Stud
from tests.rules.table_script import PACKS

ALL = [PACKS["NJ-69F-33.12"], PACKS["PR-PGP-SHOE"]]


def stud_rounds(kinds: list[str]) -> list[Record]:
    """Rounds of the stud game, each with what its word says."""
    s = Stud()
    for kind in kinds:
        s.opening()
        if kind == "drawn":
            s.draw()
        s.hole(**({"seat3_1": {"up": True}} if kind == "face up" else {}))
        if kind == "exposed":
            s.expose("seat/3")
        if kind in ("void_round", "misdeal"):
            s.just(kind)
        if kind == "dead_hand":
            s.just("dead_hand", position="seat/3")
        s.street(comes=0 if kind == "no burn" else None)
        s.street(burns=2 if kind == "no burn" else 1)
        s.finish()
    s.end()
    return s.records


def pai_gow_rounds(kinds: list[str]) -> list[Record]:
    s = PaiGow(additional="seat/1")
    for kind in kinds:
        s.opening()
        s.deal(sizes={3: 8} if kind == "wrong stack" else None)
        s.remainder()
        if kind == "checked":
            s.check_stacks()
        if kind == "void_round":
            s.just("void_round")
        if kind != "left lying":
            s.unwagered(but=["seat/3"] if kind == "one left" else [])
        s.finish()
    s.end()
    return s.records


def unfolded(monkeypatch: pytest.MonkeyPatch, records: list[Record]) -> list[Verdict]:
    """The verdicts where every obligation is followed by itself to the end."""
    with monkeypatch.context() as patched:
        patched.setattr(Obligation, "alike", lambda _: None)
        patched.setattr(ClauseMonitor, "_fold", lambda _: None)
        return judge(records, ALL)


def told(verdicts: list[Verdict]) -> dict[str, tuple[object, ...]]:
    return {one.clause: (one.verdict, one.requirement, one.requirements, one.alternatives) for one in verdicts}


def blinded(records: list[Record], share: float, seed: int) -> list[Record]:
    """The same records, with a share of looks at which the camera abstains."""
    chance = random.Random(seed)
    return [
        msgspec.structs.replace(record, event=CardsSeen(place=record.event.place, count=None))
        if isinstance(record.event, CardsSeen) and chance.random() < share
        else record
        for record in records
    ]


STUD = ["fair", "face up", "drawn", "exposed", "dead_hand", "void_round", "misdeal", "no burn"]
PAI_GOW = ["fair", "one left", "wrong stack", "checked", "void_round", "left lying"]
STORIES = st.lists(st.sampled_from(STUD), min_size=2, max_size=5).map(stud_rounds) | st.lists(
    st.sampled_from(PAI_GOW), min_size=2, max_size=4
).map(pai_gow_rounds)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(records=STORIES, share=st.sampled_from([0, 0.03, 0.1, 0.3]), seed=st.integers(0, 999))
def test_folding_changes_no_verdict(
    monkeypatch: pytest.MonkeyPatch, records: list[Record], share: float, seed: int
) -> None:
    seen = blinded(records, share, seed)
    assert told(judge(seen, ALL)) == told(unfolded(monkeypatch, seen))
