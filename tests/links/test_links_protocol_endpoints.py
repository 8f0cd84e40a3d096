"""Both ends of the protocol over a line that loses, repeats, delays, cuts and changes what is sent.

Nothing is carried out twice, no answer is paired with another question, no event is invented, repeated or out of order.
"""

import itertools

import simpy
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.clock import advance, schedule_on
from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.codes import code_name
from bench.protocol.device import MAX_WAITING, DeviceEndpoint
from bench.protocol.host import MAX_EVENTS, HostEndpoint
from tests.links.protocol_lines import EVENT, line_of
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
        line = line_of(kind, seq, payload)
        bench.device.feed(line + junk)
        bench.host.feed(line + junk)
        bench.host.take_output()
        assert len(bench.host.events) <= MAX_EVENTS
    bench.env.run(until=bench.env.now + 10)
    bench.open = False
    bench.device.reset(9)
    bench.host = HostEndpoint(HOST + 1, TRIES)
    assert bench.ask(m.AskStatus()) == m.Status("ready")


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
