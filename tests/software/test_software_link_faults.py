"""The bench's end of the link, against table software that babbles, floods, hangs up or is not there."""

import json
import socket
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.sync.server import ServerConnection, serve

from bench.software.cloudevents import MAX_MESSAGE_BYTES
from bench.software.link import MAX_DIRECTIVES, SoftwareLink
from evidence.errors import RigFault, UsageError
from evidence.events import (
    Directive,
    LinkFault,
)
from tests.software.odd_software import (
    IDENTITY,
    Journal,
    acknowledged,
    answers,
    directive,
    message,
    record,
    software,
)

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
    "negative amount": ([directive(1, "return_wagers", amount_cents=-1)], "garbage", "amount_cents -1"),
    "huge amount": ([directive(1, "return_wagers", amount_cents=10**10)], "garbage", "amount_cents 10000000000"),
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
