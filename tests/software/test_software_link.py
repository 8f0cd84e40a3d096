"""The bench's end of the link, against table software that behaves, dawdles, babbles, floods and hangs up."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bench.software.cloudevents import MAX_MESSAGE_BYTES
from bench.software.link import MAX_DIRECTIVES, SoftwareLink, forwarded
from evidence.errors import RigFault, UsageError
from evidence.events import (
    AnyEvent,
    CardsSeen,
    Directive,
    FaultArmed,
    LineSeen,
    LinkBytes,
    LinkFault,
    Record,
    SoftwareAcknowledged,
    SoftwareIdentity,
    TableRequested,
)

WHO = SoftwareIdentity(maker="V", product="P", version="1", sha256="ab" * 32)
Script = Callable[[ServerConnection], object]


def message(kind: str, data: dict[str, Any], **attributes: Any) -> str:
    envelope = {"specversion": "1.0", "id": "x1", "source": "vendor:table", "type": f"cardcert.software.{kind}"}
    return json.dumps(envelope | attributes | {"data": data})


IDENTITY = message("identity", {"maker": "V", "product": "P", "version": "1", "sha256": "ab" * 32})


def directive(number: int, verb: str = "open_round", **fields: Any) -> str:
    return message("directive", {"id": f"d{number}", "verb": verb, **fields})


def acknowledged(of: str) -> str:
    return message("acknowledged", {"message": of})


class Journal:
    def __init__(self) -> None:
        self.events: list[AnyEvent] = []

    def __call__(self, event: AnyEvent) -> Record:
        self.events.append(event)
        return record(len(self.events), event)


def record(seq: int, event: AnyEvent | None = None) -> Record:
    return Record(
        seq=seq,
        mono_ns=5,
        utc="2024-05-01T10:00:00.000000Z",
        source="camera:main",
        scenario="s",
        event=event or CardsSeen(place="burn", count=1),
    )


@contextmanager
def software(
    script: Script, subprotocol: str = "cloudevents.json", ack_timeout_s: float = 10.0, settle_s: float | None = None
) -> Iterator[tuple[SoftwareLink, Journal]]:
    """A link to software that plays `script` once somebody has connected."""

    def handle(connection: ServerConnection) -> None:
        try:
            script(connection)
            connection.recv()
        except ConnectionClosed:
            pass

    with serve(handle, "127.0.0.1", 0, subprotocols=[Subprotocol(subprotocol)], close_timeout=1) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        journal = Journal()
        link = SoftwareLink(f"ws://127.0.0.1:{server.socket.getsockname()[1]}", ack_timeout_s, journal, settle_s)
        try:
            yield link, journal
        finally:
            link.close()


def answers(*replies: str | bytes) -> Script:
    """Software that says who it is and answers the first message with these."""

    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        connection.recv()
        for reply in replies:
            connection.send(reply)

    return script


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


CASES: dict[str, tuple[list[str | bytes], str, str]] = {
    "no JSON": (["hello"], "garbage", "no CloudEvent"),
    "not an object": (["[1]"], "garbage", "no CloudEvent"),
    "deep nesting": (["[" * 60000], "garbage", "no CloudEvent"),
    "deep data": (
        [IDENTITY[:-1].rsplit(', "data"', 1)[0] + ', "data": ' + "[" * 50000 + "}"],
        "garbage",
        "no CloudEvent",
    ),
    "other version": ([message("acknowledged", {"message": "e5"}, specversion="0.3")], "garbage", "0.3"),
    "no id": ([message("acknowledged", {"message": "e5"}, id="")], "garbage", "attribute id"),
    "long source": ([message("acknowledged", {"message": "e5"}, source="s" * 101)], "garbage", "attribute source"),
    "foreign type": ([message("acknowledged", {"message": "e5"}, type="com.example.x")], "garbage", "com.example.x"),
    "type of ours": (
        [message("acknowledged", {"place": "burn"}, type="cardcert.camera.cards")],
        "garbage",
        "directive",
    ),
    "second identity": ([IDENTITY], "garbage", "directive"),
    "binary": ([acknowledged("e5").encode()], "garbage", "binary"),
    "unknown verb": ([directive(1, "explode")], "garbage", "explode"),
    "unknown field": ([directive(1, colour="red")], "garbage", "colour"),
    "field of a wrong type": ([directive(1, count="two")], "garbage", "count"),
    "type in the data": ([directive(1, type="software.directive")], "garbage", "'type'"),
    "negative count": ([directive(1, "burn", count=-1)], "garbage", "count -1"),
    "huge count": ([directive(1, "burn", count=10**6)], "garbage", "count 1000000"),
    "long text": ([directive(1, reason="x" * 501)], "garbage", "501 characters"),
    "empty directive id": ([message("directive", {"id": "", "verb": "cut"})], "sequence", "''"),
    "same id twice": ([directive(1), directive(1)], "sequence", "'d1' came before"),
    "cause never told": ([directive(1, cause="e9")], "sequence", "'e9'"),
    "acknowledgement of another": ([acknowledged("e4")], "sequence", "'e4'; expected 'e5'"),
    "acknowledgement without message": ([message("acknowledged", {})], "garbage", "message"),
    "flood": ([directive(number) for number in range(MAX_DIRECTIVES + 1)], "overflow", "more than 100 directives"),
    "oversized": ([directive(1, reason="x" * MAX_MESSAGE_BYTES)], "overflow", "more than 65536 bytes"),
}


@pytest.mark.parametrize("name", CASES)
def test_nonsense_is_a_rig_fault_that_says_what_came(name: str) -> None:
    replies, kind, text = CASES[name]
    with software(answers(*replies, acknowledged("e5"))) as (link, journal):
        link.connect()
        with pytest.raises(RigFault, match=r"table software ws://127.0.0.1") as caught:
            link.tell(record(5))
        assert text in str(caught.value)
        assert len(str(caught.value)) < 400
        [fault] = journal.events
        assert isinstance(fault, LinkFault)
        assert (fault.link, fault.kind) == ("software", kind)
        with pytest.raises(RigFault, match="given up"):
            link.tell(record(6))


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


def test_software_that_hangs_up_is_a_rig_fault() -> None:
    def hangs_up(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        connection.recv()
        connection.close(4000, "had enough")

    with software(hangs_up) as (link, _):
        link.connect()
        with pytest.raises(RigFault, match=r"it closed the connection .*had enough"):
            link.tell(record(5))


def test_a_line_that_is_cut_is_a_rig_fault() -> None:
    def cut(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        connection.recv()
        connection.socket.shutdown(socket.SHUT_RDWR)

    with software(cut) as (link, _):
        link.connect()
        with pytest.raises(RigFault, match="it closed the connection"):
            link.tell(record(5))


def test_nobody_there_is_a_rig_fault() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(RigFault, match=r"cannot connect .*mend its url"):
        SoftwareLink(f"ws://127.0.0.1:{port}", 1.0, Journal()).connect()


def test_somebody_who_never_answers_is_a_rig_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        link = SoftwareLink(f"ws://127.0.0.1:{mute.getsockname()[1]}", 0.3, Journal())
        with pytest.raises(RigFault, match=r"no WebSocket handshake within 0.3 s"):
            link.connect()


@pytest.mark.parametrize("reply", [b"HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n", b"SSH-2.0-x\r\n", b""])
def test_somebody_who_speaks_no_websocket_is_a_rig_fault(reply: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            peer, _ = other.accept()
            with peer:
                peer.recv(4096)
                peer.sendall(reply)

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(RigFault, match="cannot connect"):
            SoftwareLink(f"ws://127.0.0.1:{other.getsockname()[1]}", 2.0, Journal()).connect()


def test_software_of_another_subprotocol_is_a_rig_fault() -> None:
    def any_subprotocol(connection: ServerConnection) -> None:
        connection.send(IDENTITY)

    with serve(any_subprotocol, "127.0.0.1", 0, select_subprotocol=lambda *_: None) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        link = SoftwareLink(f"ws://127.0.0.1:{server.socket.getsockname()[1]}", 2.0, Journal())
        with pytest.raises(RigFault, match=r"does not speak the WebSocket subprotocol 'cloudevents.json'"):
            link.connect()


def test_software_that_does_not_say_who_it_is_is_a_rig_fault() -> None:
    with (
        software(lambda _: None, ack_timeout_s=0.3) as (link, _),
        pytest.raises(RigFault, match=r"no identity within 0.3 s"),
    ):
        link.connect()
    with (
        software(lambda connection: connection.send(acknowledged("e0"))) as (link, _),
        pytest.raises(RigFault, match="expected its identity"),
    ):
        link.connect()


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "table", "ws://", ""])
def test_an_address_that_is_none_is_a_mistake_of_the_rig_file(url: str) -> None:
    with pytest.raises(UsageError, match="expected an address like ws://host:port"):
        SoftwareLink(url, 1.0, Journal()).connect()


def test_a_link_that_was_never_opened_says_so_and_closes_twice() -> None:
    link = SoftwareLink("ws://127.0.0.1:1", 1.0, Journal())
    with pytest.raises(RigFault, match="it was never opened"):
        link.tell(record(1))
    link.close()
    link.close()


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


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
ODD_MESSAGES = st.one_of(
    st.text(max_size=200),
    JSON.map(json.dumps),
    st.builds(
        message,
        st.sampled_from(["directive", "acknowledged", "identity", "x"]),
        st.dictionaries(st.sampled_from(["id", "verb", "cause", "count", "message", "type"]), JSON, max_size=4),
    ),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ODD_MESSAGES, min_size=1, max_size=4))
def test_whatever_comes_is_a_fault_or_understood(replies: list[str]) -> None:
    with software(answers(*replies, acknowledged("e5"))) as (link, _):
        link.connect()
        try:
            assert all(isinstance(told, Directive) for told in link.tell(record(5)))
        except RigFault as fault:
            assert len(str(fault)) < 1000  # noqa: PT017 - either outcome is right
