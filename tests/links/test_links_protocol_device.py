"""The device's end by itself: commands carried out once, events kept until they are acknowledged."""

import simpy

from bench.clock import schedule_on
from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.device import EVENT_TRIES, DeviceEndpoint
from bench.protocol.frames import Decoder, Frame, encode
from tests.links.protocol_lines import EVENT, at_seq, line_of

HOST = 77


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


def test_our_own_frames_on_a_line_that_echoes_start_no_quarrel() -> None:
    device = Wired()
    device.ask(m.Open(HOST), 1)
    device.endpoint.notify(EVENT)
    before = len(device.sent)
    for frame in list(device.sent):
        device.endpoint.feed(encode(frame))
    assert device.sent[before:] == []
