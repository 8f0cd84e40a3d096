"""The host's end by itself: what it takes, what it drops, and what it says about it."""

import pytest

from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.host import MAX_EVENTS, HostEndpoint
from tests.links.protocol_lines import EVENT, EVENT_LINE, STATUS_LINE, at_seq, line_of

HOST = 77


def opened_host() -> HostEndpoint:
    host = HostEndpoint(HOST)
    host.ask(host.open_message())
    host.feed(line_of(*at_seq(payloads.pack_answer(m.Opened(HOST, 1, 1)), 1)))
    assert host.answer == m.Opened(HOST, 1, 1)
    host.take_output()
    return host


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
    assert [kind for kind, _ in host.take_troubles()] == ["lost", "lost"]


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
    assert host.take_refused() == b""  # it came undamaged
    assert not host.again()


def test_a_nak_for_a_damaged_frame_brings_one_repetition_at_once() -> None:
    host = opened_host()
    host.ask(m.AskStatus())
    question = host.take_output()
    for _ in range(5):
        host.feed(line_of(payloads.NAK, 0, bytes([payloads.DAMAGED])))
        assert host.take_refused() == question
    assert host.take_output() == question
    assert host.again()
    assert host.take_output() == question


def test_an_event_that_comes_while_a_session_is_resumed_is_taken_once() -> None:
    host = opened_host()
    host.ask(host.open_message())
    host.feed(EVENT_LINE)
    host.feed(line_of(*at_seq(payloads.pack_answer(m.Opened(HOST, 1, 1)), 2)))
    host.feed(EVENT_LINE)
    assert list(host.events) == [EVENT]
    assert host.take_troubles() == []
