"""Both ends of the protocol over a line that loses, repeats, delays, cuts and changes what is sent.

Nothing is carried out twice, no answer is paired with another question, no event is invented, repeated or out of order.
"""

import itertools

import pytest
import simpy
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.clock import advance, schedule_on
from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.codes import code_name
from bench.protocol.device import EVENT_TRIES, MAX_WAITING, DeviceEndpoint
from bench.protocol.frames import Decoder, Frame, encode
from bench.protocol.host import MAX_EVENTS, HostEndpoint
from tests.links.protocol_strategies import seqs

ANSWER_S, TRIES, HOST = 0.5, 4, 77

Fate = tuple[str, int]
fates = st.tuples(
    st.sampled_from(["pass", "lose", "twice", "late", "flip", "cut", "split", "noise"]), st.integers(0, 2**32)
)


class Bench:
    """A host and a device in simulated time. `fates` decide, in order, what happens to each piece of data sent."""

    def __init__(self, fates: list[Fate]) -> None:
        self.env = simpy.Environment()
        self.fates = iter(fates)
        self.schedule = schedule_on(self.env)
        self.host = HostEndpoint(HOST, TRIES)
        self.device = DeviceEndpoint(lambda data: self.carry(data, self.to_host), self.handle, self.schedule, boot=3)
        self.carried_out: list[int] = []
        self.told: list[m.EventMessage] = []
        self.troubles: list[str] = []
        self.open = False

    def handle(self, request: m.Request) -> m.Reply:
        """Each answer says what was asked, so that a wrong pairing shows."""
        if isinstance(request, m.Command):
            self.carried_out.append(request.arg("expected"))
            return m.Result(True, code_name(0x8000 + request.arg("expected")))
        return m.Status("ready") if isinstance(request, m.AskStatus) else m.Identity("shoe", "", "", "", "", "00" * 32)

    def carry(self, data: bytes, arrive: "type[None] | object") -> None:
        fate, number = next(self.fates, ("pass", 0))
        at = number % len(data)
        pieces = {
            "pass": [(0.001, data)],
            "lose": [],
            "twice": [(0.001, data), (0.3 + number % 7, data)],
            "late": [(0.2 + number % 5, data)],
            "flip": [(0.001, data[:at] + bytes([data[at] ^ 1 << number % 8]) + data[at + 1 :])],
            "cut": [(0.001, data[:at])],
            "split": [(0.001, data[:at]), (0.002, data[at:])],
            "noise": [(0.001, number.to_bytes(5, "big")), (0.001, data)],
        }[fate]
        for delay_s, piece in pieces:
            self.schedule(delay_s, lambda piece=piece: arrive(piece))  # type: ignore[misc, operator]

    def to_host(self, data: bytes) -> None:
        self.host.feed(data)
        self.troubles += [f"{kind}: {detail}" for kind, detail in self.host.take_troubles()]
        self.flush()

    def flush(self) -> None:
        output = self.host.take_output()
        if output:
            self.carry(output, self.device.feed)

    def tell(self, event: m.EventMessage) -> None:
        self.told.append(event)
        self.device.notify(event)

    def put(self, question: m.Open | m.Request) -> m.Opened | m.Reply | None:
        self.host.ask(question)
        while True:
            self.flush()
            until = self.env.now + ANSWER_S
            while not self.host.done and self.env.peek() <= until:
                self.env.step()
            if self.host.done:
                return self.host.answer
            advance(self.env, until)
            if not self.host.again():
                self.host.give_up()
                return None

    def ask(self, question: m.Request) -> m.Opened | m.Reply | None:
        if not self.open:
            self.open = self.put(self.host.open_message()) is not None
        answer = self.put(question) if self.open else None
        self.open = self.open and answer is not None
        return answer

    def taken(self) -> list[m.EventMessage]:
        return list(self.host.events)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.lists(fates, max_size=60), st.lists(st.sampled_from(["command", "status", "event", "pass time"]), max_size=20)
)
def test_whatever_the_line_does_the_two_ends_agree(fates: list[Fate], script: list[str]) -> None:
    bench = Bench([("pass", 0)] * 4 + fates)  # a session is open before the trouble begins
    assert bench.ask(m.AskStatus()) == m.Status("ready")
    numbers = itertools.count(1)
    for step in script:
        number = next(numbers)
        if step == "event":
            bench.tell(m.Dispensed("card", number, 1))
        elif step == "command":
            answer = bench.ask(m.Command.of("load", expected=number))
            assert answer in (None, m.Result(True, code_name(0x8000 + number)))
            if answer:
                assert bench.carried_out.count(number) == 1
        elif step == "status":
            assert bench.ask(m.AskStatus()) in (None, m.Status("ready"))
        else:
            bench.env.run(until=bench.env.now + 1)
        assert bench.taken() == bench.told[: len(bench.taken())]
        assert bench.carried_out == sorted(set(bench.carried_out))
    bench.fates = iter(())  # the line is good again
    bench.env.run(until=bench.env.now + 20)
    bench.open = False
    assert bench.ask(m.AskStatus()) == m.Status("ready")
    bench.env.run(until=bench.env.now + 20)
    assert bench.taken() == bench.told


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 255), seqs, st.binary(max_size=20)), max_size=30), st.binary(max_size=300))
def test_any_frames_and_any_bytes_leave_both_ends_alive(made_up: list[tuple[int, int, bytes]], junk: bytes) -> None:
    bench = Bench([])
    bench.ask(m.AskStatus())
    for kind, seq, payload in made_up:
        line = encode(Frame(kind, seq, payload))
        bench.device.feed(line + junk)
        bench.host.feed(line + junk)
        bench.host.take_output()
        assert len(bench.host.events) <= MAX_EVENTS
    bench.env.run(until=bench.env.now + 10)
    bench.open = False
    bench.device.reset(9)
    bench.host = HostEndpoint(HOST + 1, TRIES)
    assert bench.ask(m.AskStatus()) == m.Status("ready")


def line_of(kind: int, seq: int, payload: bytes = b"") -> bytes:
    return encode(Frame(kind, seq, payload))


def opened_host() -> HostEndpoint:
    host = HostEndpoint(HOST)
    host.ask(host.open_message())
    host.feed(line_of(*at_seq(payloads.pack_answer(m.Opened(HOST, 1, 1)), 1)))
    assert host.answer == m.Opened(HOST, 1, 1)
    host.take_output()
    return host


def at_seq(packed: tuple[int, bytes], seq: int) -> tuple[int, int, bytes]:
    return packed[0], seq, packed[1]


EVENT = m.Dispensed("group", 1, 7)
EVENT_LINE = line_of(*at_seq(payloads.pack_event(EVENT), 1))
STATUS_LINE = line_of(*at_seq(payloads.pack_answer(m.Status("ready")), 2))


def test_an_event_between_question_and_answer_disturbs_neither() -> None:
    host = opened_host()
    host.ask(m.AskStatus())
    host.take_output()
    for byte in EVENT_LINE + STATUS_LINE:
        host.feed(bytes([byte]))
    assert host.answer == m.Status("ready")
    assert list(host.events) == [EVENT]
    assert host.take_output() == line_of(payloads.ACK, 1)
    assert host.take_troubles() == []


def test_an_event_that_breaks_into_an_answer_costs_the_answer_only() -> None:
    host = opened_host()
    host.ask(m.AskStatus())
    host.take_output()
    host.feed(STATUS_LINE[:6] + EVENT_LINE + STATUS_LINE[6:])
    assert not host.done
    assert list(host.events) == [EVENT]
    assert {kind for kind, _ in host.take_troubles()} == {"garbage"}
    assert host.again()
    host.feed(STATUS_LINE)
    assert host.answer == m.Status("ready")


def test_a_repeated_event_is_acknowledged_and_dropped() -> None:
    host = opened_host()
    host.feed(EVENT_LINE + EVENT_LINE)
    assert list(host.events) == [EVENT]
    assert host.take_output() == line_of(payloads.ACK, 1) * 2


def test_a_gap_in_the_events_is_told_and_an_old_event_dropped() -> None:
    host = opened_host()
    host.feed(line_of(*at_seq(payloads.pack_event(EVENT), 4)))
    host.feed(EVENT_LINE)
    assert list(host.events) == [EVENT]
    assert [detail for _, detail in host.take_troubles()] == [
        "3 events lost before event 4",
        "event 1 after event 4; dropped",
    ]


def test_events_before_a_session_are_not_taken() -> None:
    host = HostEndpoint(HOST)
    host.feed(EVENT_LINE)
    assert not host.events
    assert host.take_output() == b""


def test_the_late_answer_is_not_paired_with_the_next_question() -> None:
    host = opened_host()
    host.ask(m.AskStatus())
    host.give_up()
    host.ask(m.AskStatus())
    host.feed(STATUS_LINE)
    assert not host.done
    assert [kind for kind, _ in host.take_troubles()] == ["sequence"]
    host.feed(line_of(*at_seq(payloads.pack_answer(m.Status("idle")), 3)))
    assert host.answer == m.Status("idle")


def test_an_answer_to_something_else_and_one_for_another_host_are_none() -> None:
    host = opened_host()
    host.ask(m.AskStatus())
    host.feed(line_of(*at_seq(payloads.pack_answer(m.Result(True)), 2)))
    assert not host.done
    host.ask(host.open_message())
    host.feed(line_of(*at_seq(payloads.pack_answer(m.Opened(HOST + 1, 1, 1)), 3)))
    assert not host.done


def test_a_malformed_event_is_refused_once_and_the_next_one_taken() -> None:
    host = opened_host()
    host.feed(line_of(payloads.CYCLE, 1, b"\x09\x09\x00\x00"))
    assert host.take_output() == line_of(payloads.NAK, 1, bytes([payloads.BAD_PAYLOAD]))
    host.feed(line_of(0x7F, 2, b""))
    assert host.take_output() == line_of(payloads.NAK, 2, bytes([payloads.UNKNOWN_KIND]))
    host.feed(line_of(*at_seq(payloads.pack_event(EVENT), 3)))
    assert list(host.events) == [EVENT]
    assert [kind for kind, _ in host.take_troubles()] == ["garbage", "garbage"]


def test_a_host_that_is_flooded_keeps_a_bounded_number_of_events() -> None:
    host = opened_host()
    for seq in range(1, MAX_EVENTS + 50):
        host.feed(line_of(*at_seq(payloads.pack_event(EVENT), seq)))
    assert len(host.events) == MAX_EVENTS
    assert {kind for kind, _ in host.take_troubles()} == {"overflow"}


@pytest.mark.parametrize("reason", [payloads.UNKNOWN_KIND, payloads.BAD_PAYLOAD, payloads.NOT_OPEN])
def test_a_nak_for_the_question_ends_it_and_one_for_another_does_not(reason: int) -> None:
    host = opened_host()
    host.ask(m.AskStatus())
    host.feed(line_of(payloads.NAK, 9, bytes([reason])))
    assert not host.done
    host.feed(line_of(payloads.NAK, 2, bytes([reason])))
    assert host.done
    assert host.refusal == reason
    assert not host.again()


def test_a_nak_for_a_damaged_frame_brings_one_repetition_at_once() -> None:
    host = opened_host()
    host.ask(m.AskStatus())
    question = host.take_output()
    for _ in range(5):
        host.feed(line_of(payloads.NAK, 0, bytes([payloads.DAMAGED])))
    assert host.take_output() == question
    assert host.again()
    assert host.take_output() == question


class Wired:
    """A device alone; what it sends is kept."""

    def __init__(self) -> None:
        self.env = simpy.Environment()
        self.sent: list[Frame] = []
        self.handled: list[m.Request] = []
        self.endpoint = DeviceEndpoint(self.send, self.handle, schedule_on(self.env), boot=3)

    def send(self, data: bytes) -> None:
        self.sent += [item for item in Decoder().feed(data) if isinstance(item, Frame)]

    def handle(self, request: m.Request) -> m.Reply:
        self.handled.append(request)
        return m.Result(True)

    def ask(self, message: m.Open | m.Request, seq: int) -> list[Frame]:
        before = len(self.sent)
        self.endpoint.feed(line_of(*at_seq(payloads.pack_request(message), seq)))
        return self.sent[before:]


def test_a_device_acts_once_on_a_repeated_command_and_never_on_a_late_one() -> None:
    device = Wired()
    device.ask(m.Open(HOST), 1)
    deal, stop = m.Command.of("deal_group"), m.Command.of("stop")
    first = device.ask(deal, 2)
    assert device.ask(deal, 2) == first
    assert device.handled == [deal]
    device.ask(stop, 3)
    assert device.ask(deal, 2) == []
    assert device.ask(m.Open(HOST), 1) == []
    assert device.handled == [deal, stop]
    assert device.ask(m.Open(HOST + 1), 1)[0].kind == payloads.OPENED
    assert device.ask(deal, 2) == first
    assert device.handled == [deal, stop, deal]


def test_a_device_without_a_session_answers_nothing_but_open_and_tells_nothing() -> None:
    device = Wired()
    device.endpoint.notify(EVENT)
    assert device.ask(m.AskStatus(), 5) == [Frame(payloads.NAK, 5, bytes([payloads.NOT_OPEN]))]
    assert device.handled == []
    assert device.ask(m.Open(HOST), 6) == [Frame(*at_seq(payloads.pack_answer(m.Opened(HOST, 3, 2)), 6))]


def test_an_unacknowledged_event_is_repeated_a_bounded_number_of_times_and_kept() -> None:
    device = Wired()
    device.ask(m.Open(HOST), 1)
    before = len(device.sent)
    device.endpoint.notify(EVENT)
    device.env.run(until=60)
    event = Frame(*at_seq(payloads.pack_event(EVENT), 1))
    assert device.sent[before:] == [event] * EVENT_TRIES
    assert device.ask(m.AskStatus(), 2)[-1] == event
    device.endpoint.feed(line_of(payloads.ACK, 1))
    before = len(device.sent)
    device.env.run(until=120)
    assert device.sent[before:] == []


def test_only_the_acknowledgement_of_the_event_itself_counts() -> None:
    device = Wired()
    device.ask(m.Open(HOST), 1)
    for index in (1, 2):
        device.endpoint.notify(m.Dispensed("card", index, 1))
    device.endpoint.feed(line_of(payloads.ACK, 1) * 2 + line_of(payloads.ACK, 7))
    device.env.run(until=1)
    assert [frame.seq for frame in device.sent[1:]] == [1, 2, 2]


def test_resuming_brings_what_the_host_has_not_and_a_fresh_start_nothing() -> None:
    device = Wired()
    device.ask(m.Open(HOST), 1)
    for index in range(1, 5):
        device.endpoint.notify(m.Dispensed("card", index, 1))
    assert device.ask(m.Open(HOST, True, 2, 3), 2) == [
        Frame(*at_seq(payloads.pack_answer(m.Opened(HOST, 3, 3)), 2)),
        Frame(*at_seq(payloads.pack_event(m.Dispensed("card", 3, 1)), 3)),
    ]
    assert device.ask(m.Open(HOST, True, 2, 9), 3)[-1].seq == 3
    assert device.ask(m.Open(HOST), 4) == [Frame(*at_seq(payloads.pack_answer(m.Opened(HOST, 3, 5)), 4))]


def test_an_event_that_comes_while_a_session_is_resumed_is_taken_once() -> None:
    host = opened_host()
    host.ask(host.open_message())
    host.feed(EVENT_LINE)
    host.feed(line_of(*at_seq(payloads.pack_answer(m.Opened(HOST, 1, 1)), 2)))
    host.feed(EVENT_LINE)
    assert list(host.events) == [EVENT]
    assert host.take_troubles() == []


def test_after_a_restart_the_host_learns_of_it_and_gets_the_new_events() -> None:
    bench = Bench([])
    bench.ask(m.AskStatus())
    bench.tell(EVENT)
    bench.env.run(until=5)
    bench.device.reset(boot=4)
    power_lost = m.Fault.of("POWER_LOST")
    bench.tell(power_lost)
    assert bench.ask(m.AskStatus()) is None
    assert bench.host.refusal == payloads.NOT_OPEN
    assert bench.ask(m.AskStatus()) == m.Status("ready")
    bench.env.run(until=10)
    assert bench.taken() == [EVENT, power_lost]
    assert any("started anew" in trouble for trouble in bench.troubles)


def test_a_device_keeps_a_bounded_number_of_events_and_the_host_sees_the_loss() -> None:
    bench = Bench([("pass", 0)] * 4 + [("lose", 0)] * 15)
    bench.ask(m.AskStatus())
    for index in range(MAX_WAITING + 10):
        bench.tell(m.Dispensed("card", index, 1))
    bench.env.run(until=bench.env.now + 20)
    bench.ask(m.AskStatus())
    bench.env.run(until=bench.env.now + 20)
    assert bench.taken() == bench.told[10:]
    assert any("events lost" in trouble for trouble in bench.troubles)


def test_our_own_frames_on_a_line_that_echoes_start_no_quarrel() -> None:
    device = Wired()
    device.ask(m.Open(HOST), 1)
    device.endpoint.notify(EVENT)
    before = len(device.sent)
    for frame in list(device.sent):
        device.endpoint.feed(encode(frame))
    assert device.sent[before:] == []
