"""Notes give back what a journal would have given back."""

from pathlib import Path

import pytest

from evidence.errors import UsageError
from evidence.events import AnyEvent, CardsSeen, Directive, LineSeen, ScenarioStarted
from evidence.journal import Journal, comparable, read_journal
from evidence.notes import Notes, Recorder

EVENTS: list[AnyEvent] = [
    ScenarioStarted(title="t", pack="P", covers=["P.1"]),
    CardsSeen(place="burn", count=None, face_up=["9d", None], certainty=0.123456789),
    Directive(id="d1", verb="deliver", position="seat/1"),
    LineSeen(line="shoe/exit", level=1, at_ns=2**60),
]


def written(recorder: Recorder) -> list[str]:
    for event in EVENTS:
        recorder.append(event, source="bench:test", scenario="s")
    recorder.sync()
    return [recorder.attach(b"picture", "jpg"), recorder.attach(b"", "bin")]


def test_notes_and_a_journal_of_the_same_events_read_the_same(tmp_path: Path) -> None:
    notes = Notes(lambda: 7)
    with Journal.create(tmp_path, lambda: 7, durable=False) as journal:
        assert written(journal) == written(notes)
    assert [comparable(record) for record in notes.records] == [comparable(record) for record in read_journal(tmp_path)]


def test_what_could_not_be_read_back_is_refused() -> None:
    notes = Notes(lambda: 0)
    with pytest.raises(UsageError, match="LineSeen from 'x' cannot be noted"):
        notes.append(LineSeen(line="l", level="high", at_ns=0), source="x")  # type: ignore[arg-type]
    assert notes.records == []
    assert notes.append(EVENTS[0], source="x").seq == 0
