"""The bench's end of the link, against table software that keeps to it."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.sync.server import ServerConnection

from bench.software.link import forwarded
from evidence.errors import RigFault
from evidence.events import (
    CardsSeen,
    Directive,
    FaultArmed,
    LineSeen,
    LinkBytes,
    SoftwareAcknowledged,
    TableRequested,
)
from tests.software.odd_software import (
    IDENTITY,
    WHO,
    acknowledged,
    answers,
    directive,
    record,
    software,
)


def test_an_event_goes_out_as_a_cloudevent_of_its_type() -> None:
    heard: list[str | bytes] = []

    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        heard.append(connection.recv())
        connection.send(acknowledged("e117"))

    with software(script) as (link, _):
        assert link.connect() == WHO
        assert link.tell(record(117)) == []
    assert isinstance(heard[0], str)
    assert json.loads(heard[0]) == {
        "specversion": "1.0",
        "id": "e117",
        "source": "camera:main",
        "type": "cardcert.camera.cards",
        "time": "2024-05-01T10:00:00.000000Z",
        "datacontenttype": "application/json",
        "data": {"place": "burn", "count": 1},
    }


def test_software_is_not_told_which_request_is_a_probe() -> None:
    heard: list[Any] = []

    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        heard.append(json.loads(connection.recv()))
        connection.send(acknowledged("e1"))

    with software(script) as (link, _):
        link.connect()
        link.tell(record(1, TableRequested(request="resume", probe=True)))
    assert heard[0]["data"] == {"request": "resume"}


def test_what_the_bench_injects_and_measures_is_not_told() -> None:
    assert not forwarded(FaultArmed(fault="f", target="shoe"))
    assert not forwarded(LineSeen(line="shoe/exit", level=1, at_ns=0))
    assert not forwarded(LinkBytes(link="shoe", direction="rx", data="00"))
    assert not forwarded(Directive(id="d1", verb="cut"))
    assert forwarded(CardsSeen(place="burn", count=1))


def test_directives_come_back_in_order_and_the_acknowledgement_is_journaled() -> None:
    script = answers(directive(1, cause="e5"), directive(2, "announce", phrase="dead"), acknowledged("e5"))
    with software(script) as (link, journal):
        link.connect()
        told = link.tell(record(5))
    assert told == [
        Directive(id="d1", verb="open_round", cause="e5"),
        Directive(id="d2", verb="announce", phrase="dead"),
    ]
    assert journal.events == [SoftwareAcknowledged(message="e5", directives=2)]


def test_directives_that_come_unasked_are_handed_out_with_the_next_message_first() -> None:
    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        connection.recv()
        for reply in (acknowledged("e5"), directive(1), directive(2)):
            connection.send(reply)
        connection.recv()
        connection.send(directive(3))
        connection.send(acknowledged("e6"))

    with software(script) as (link, journal):
        link.connect()
        assert link.tell(record(5)) == []
        assert [told.id for told in link.tell(record(6))] == ["d1", "d2", "d3"]
    assert journal.events[-1] == SoftwareAcknowledged(message="e6", directives=3)


def test_a_hundred_directives_are_not_yet_a_flood() -> None:
    with software(answers(*[directive(number) for number in range(100)], acknowledged("e5"))) as (link, _):
        link.connect()
        assert len(link.tell(record(5))) == 100


def test_a_late_acknowledgement_dies_with_its_connection() -> None:
    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        late = json.loads(connection.recv())["id"]
        if late == "e5":
            return  # holds its tongue until the link gives up
        connection.send(directive(7))
        connection.send(acknowledged(late))

    with software(script, ack_timeout_s=0.3) as (link, _):
        link.connect()
        with pytest.raises(RigFault, match=r"no acknowledgement of e5 \(camera.cards\) within 0.3 s"):
            link.tell(record(5))
        with pytest.raises(RigFault, match="Connect again"):
            link.tell(record(6))
        link.connect()
        assert [told.id for told in link.tell(record(6))] == ["d7"]


def test_an_answer_that_dribbles_in_does_not_stretch_the_deadline() -> None:
    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        connection.recv()
        stop = threading.Event()

        def fragments() -> Iterator[str]:
            while not stop.wait(0.05):
                yield " "

        try:
            connection.send(fragments())
        finally:
            stop.set()

    with software(script, ack_timeout_s=0.3) as (link, _):
        link.connect()
        with pytest.raises(RigFault, match="no acknowledgement"):
            link.tell(record(5))


def test_directive_ids_and_causes_are_forgotten_with_the_connection() -> None:
    with software(answers(directive(1, cause="e5"), acknowledged("e5"))) as (link, _):
        for _ in range(2):
            link.connect()
            assert [told.id for told in link.tell(record(5))] == ["d1"]


def test_software_that_cannot_acknowledge_is_given_time_to_settle() -> None:
    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        for number in (1, 2):
            connection.recv()
            connection.send(directive(number))

    with software(script, settle_s=0.3) as (link, journal):
        link.connect()
        assert [told.id for told in link.tell(record(5))] == ["d1"]
        assert [told.id for told in link.tell(record(6))] == ["d2"]
    assert journal.events == []
