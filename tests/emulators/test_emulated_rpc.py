"""The table of another process: the same hands, cards and controls, over HTTP on the loopback interface."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.emulators.rpc import MAX_REQUEST, Client, Mailbox, RemoteDevice, RemoteWorld, RpcServer
from bench.emulators.serve import device_methods, table_methods
from bench.emulators.shoe import EmulatedShoe
from bench.emulators.world import HAND, World
from bench.hands.emulated import EmulatedHands
from bench.hands.remote import RemoteHands
from evidence.errors import RigFault, UsageError
from tests.emulators.emulated_bench import Direct


@pytest.fixture
def world() -> World:
    return World(4)


@pytest.fixture
def server(world: World) -> Iterator[RpcServer]:
    server = RpcServer(table_methods(world))
    yield server
    server.close()


def post(server: RpcServer, body: bytes, content_type: str = "application/json") -> tuple[int, dict[str, object]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    try:
        connection.request("POST", "/", body, {"Content-Type": content_type})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def play(hands: RemoteHands | EmulatedHands) -> None:
    hands.place_pack(53, extra=1)
    hands.shuffle_by_hand()
    hands.cut()
    hands.draw_by_hand()
    hands.deliver("seat/1", "down", [0])
    hands.draw_by_hand()
    hands.deliver("seat/1", "up")
    hands.turn_up("seat/1", [1])
    hands.turn_up("seat/1")
    hands.move("seat/1", "discard_rack", 1, "down")
    hands.load("shoe")
    hands.arrange_in_device("shoe", {2: "Jk", 3: "As"})
    hands.reverse_in_device("shoe", [2])
    hands.take_remainder("shoe")
    hands.spread("layout_centre")
    hands.square("layout_centre")
    hands.shake_dice()
    hands.move_button("seat/5")
    hands.remove_device("shoe")
    hands.remove_device("shuffler")
    hands.place_device("shuffler")
    hands.unload("shuffler")
    hands.take_shuffled("shuffler")


def test_remote_hands_do_exactly_what_emulated_hands_do(world: World, server: RpcServer) -> None:
    here = World(4)
    play(EmulatedHands(here))
    play(RemoteHands(server.url))
    assert world.scene() == here.scene()
    assert list(world.all_cards()) == list(here.all_cards())
    RemoteHands(server.url).gather()
    assert world.count(HAND) == 54
    RemoteHands(server.url).remove_pack()
    assert world.counts("") == {"away": 54}


def test_a_device_works_with_the_cards_of_a_remote_world_as_with_its_own(world: World, server: RpcServer) -> None:
    own = Direct("shoe", seed=4).loaded()
    own.order("deal_group")
    EmulatedHands(world).place_pack(53)
    EmulatedHands(world).load("shoe")
    remote = Direct("shoe", seed=4)
    remote.device.mechanics.world = RemoteWorld(server.url)
    remote.order("load")
    remote.order("deal_group")
    assert remote.units() == own.units()
    assert world.cards("shoe_mouth") == own.world.cards("shoe_mouth")


def test_arming_and_tapping_from_another_thread(world: World) -> None:
    bench = Direct("shoe")
    mailbox = Mailbox()
    server = RpcServer(device_methods(bench.device, mailbox))
    stop = threading.Event()

    def serve() -> None:
        while not stop.is_set():
            mailbox.pump()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        remote = RemoteDevice(server.url)
        remote.arm("card_stuck_on_exit", card=2, hold_s="0.9")
        assert bench.device.faults.pending == ["card_stuck_on_exit"]
        with pytest.raises(UsageError, match="wobble"):
            remote.arm("card_stuck_on_exit", wobble=3)
        assert remote.tap() == []
        bench.loaded().order("deal_group", for_s=10)
        assert isinstance(bench.device, EmulatedShoe)
        bench.device.mechanics.feed.start()
        assert [(edge.line, edge.level) for edge in remote.tap()] == [("feed", 1)]
        assert remote.current_a > 0.3
        moved = RemoteDevice(server.url, now_ns=lambda: 1_000_000_000_000)
        bench.device.mechanics.feed.stop()
        assert [edge.at_ns for edge in moved.tap()] == [1_000_000_000_000]
    finally:
        stop.set()
        thread.join()
        server.close()
        mailbox.close()


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "not a call"),
        (b"[]", "not a call"),
        (b"{" * 2000, "not a call"),
        (b'{"method": "world.new_pack", "params": {"cards_in_deck": 52}}', "no method"),
        (b'{"method": "__class__"}', "no method"),
        (b'{"method": "world.count"}', "place"),
        (b'{"method": "world.count", "params": {"place": 5}}', "place"),
        (b'{"method": "world.count", "params": {"place": "hand", "more": 1}}', "more"),
        (b'{"method": "world.move", "params": {"place": "hand", "to": "moon"}}', "does not exist"),
        (b'{"method": "hands.deliver", "params": {"position": "seat/1", "face": "sideways"}}', "face"),
        (b'{"method": "hands.place_pack", "params": {"cards_in_deck": 1e99}}', "cards_in_deck"),
        (
            '{"method": "world.count", "params": {"place": "\N{PLAYING CARD ACE OF SPADES}"}}'.encode() + b"\xff",
            "not a",
        ),
    ],
)
def test_a_wrong_call_is_refused_with_one_clear_message(server: RpcServer, body: bytes, says: str) -> None:
    status, answer = post(server, body)
    assert status == 400
    assert says in str(answer["error"])
    assert post(server, b'{"method": "world.count", "params": {"place": "hand"}}') == (200, {"result": 0})


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200))
def test_whatever_is_sent_the_server_answers_and_lives(server: RpcServer, body: bytes) -> None:
    status, answer = post(server, body)
    assert status == 400
    assert set(answer) == {"error"}


def test_a_call_that_a_browser_could_be_tricked_into_is_refused(server: RpcServer, world: World) -> None:
    EmulatedHands(world).place_pack(52)
    status, _ = post(server, b'{"method": "hands.remove_pack"}', "text/plain")
    assert status == 415
    assert world.count(HAND) == 52


def test_a_body_beyond_the_bound_is_not_even_read(server: RpcServer) -> None:
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=5) as line:
        line.sendall(f"POST / HTTP/1.1\r\nContent-Length: {MAX_REQUEST + 1}\r\n\r\n".encode())
        assert b" 413 " in line.recv(200)
    # Python makes no number of more than 4,300 digits.
    for length in ("-5", "9" * 4301, "1e9", "0x5"):
        with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=5) as line:
            line.sendall(f"POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n".encode())
            assert b" 413 " in line.recv(200)


def test_only_post_is_served(server: RpcServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    connection.request("GET", "/")
    assert connection.getresponse().status == 501
    connection.close()


@pytest.mark.parametrize("url", ["", "ftp://x:1", "http://nowhere", "http://:80", "http://h:99999", "http://h:1/path"])
def test_an_address_that_is_none_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(UsageError, match="http://host:port"):
        Client(url)


def test_a_taken_port_is_refused(server: RpcServer) -> None:
    with pytest.raises(UsageError, match="Choose another port"):
        RpcServer({}, port=server.server_address[1])


def test_a_far_side_that_is_gone_is_a_rig_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(RigFault, match="running"):
        RemoteWorld(f"http://127.0.0.1:{port}").count("hand")


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"\x00\xff" * 50,
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        b'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"result": "ten"',
        b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\n{}",
        b'HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"result": "ten"}',
    ],
)
def test_a_far_side_that_answers_nonsense_is_a_rig_fault(reply: bytes) -> None:
    with nonsense(reply) as url, pytest.raises(RigFault):
        RemoteWorld(url).count("hand")


class nonsense:  # noqa: N801 - used as a context, like a function
    """A server that answers every call with the same bytes."""

    def __init__(self, reply: bytes) -> None:
        self._reply = reply

    def __enter__(self) -> str:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def _serve(self) -> None:
        line, _ = self._listener.accept()
        with line:
            line.recv(4096)
            line.sendall(self._reply)

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._listener.close()


def test_an_emulator_s_thread_that_is_gone_is_told_and_not_waited_for_forever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bench.emulators.rpc.ANSWER_TIMEOUT_S", 0.05)
    mailbox = Mailbox()
    with pytest.raises(RigFault, match="busy or has stopped"):
        mailbox.call(lambda: 1)
    mailbox.close()
