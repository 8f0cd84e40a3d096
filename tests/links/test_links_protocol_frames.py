"""Frames and payloads: what is encoded decodes to itself, whatever lies around it; what is not a frame is none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.protocol import messages as m
from bench.protocol import payloads
from bench.protocol.codes import CODES, code_name, code_number, usual_symptom
from bench.protocol.frames import MAX_PAYLOAD, MAX_WIRE, Decoder, Frame, Garbage, encode
from tests.links.protocol_strategies import answers, events, requests, seqs
from tests.links.stub_device import frame, frames_in

quick = settings(max_examples=200, deadline=None, derandomize=True)
frames = st.builds(Frame, st.integers(0, 255), st.integers(0, 0xFFFF), st.binary(max_size=MAX_PAYLOAD))
noise = st.binary(max_size=40).map(lambda data: data.replace(b"\x02", b"\x01"))


def good(items: list[Frame | Garbage]) -> list[Frame]:
    return [item for item in items if isinstance(item, Frame)]


def fed_in_pieces(line: bytes, cuts: list[int]) -> list[Frame]:
    decoder, found, start = Decoder(), [], 0
    for cut in [*sorted(cut % (len(line) + 1) for cut in cuts), len(line)]:
        found += good(decoder.feed(line[start:cut]))
        start = cut
    return found


@quick
@given(
    st.lists(frames, max_size=5), st.lists(noise, min_size=6, max_size=6), st.lists(st.integers(0, 9999), max_size=8)
)
def test_frames_come_through_between_noise_in_pieces_of_any_size(
    sent: list[Frame], between: list[bytes], cuts: list[int]
) -> None:
    line = b"".join(noise + encode(frame) for noise, frame in zip(between, sent, strict=False)) + between[-1]
    assert fed_in_pieces(line, cuts) == sent
    assert fed_in_pieces(line, list(range(len(line)))) == sent


@quick
@given(frames)
def test_the_encoder_agrees_with_one_written_from_the_document(sent: Frame) -> None:
    line = encode(sent)
    assert line == frame(sent.kind, sent.seq, sent.payload)
    assert frames_in(line) == [(sent.kind, sent.seq, sent.payload)]
    assert len(line) <= MAX_WIRE
    assert not set(line[1:-1]) & {0x02, 0x03, 0x11, 0x13}


@quick
@given(st.lists(st.binary(max_size=600), max_size=6))
def test_random_bytes_are_no_frame_and_the_decoder_keeps_little(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        assert not good(decoder.feed(piece))
        assert len(decoder._held) <= MAX_WIRE
    assert good(decoder.feed(b"\x03" + encode(Frame(0x22, 5)))) == [Frame(0x22, 5)]


@quick
@given(frames, st.data())
def test_a_changed_cut_or_lengthened_frame_is_none(sent: Frame, data: st.DataObject) -> None:
    line = encode(sent)
    at = data.draw(st.integers(0, len(line) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "insert"]))
    if kind == "flip":
        changed = line[:at] + bytes([line[at] ^ 1 << data.draw(st.integers(0, 7))]) + line[at + 1 :]
    elif kind == "cut":
        changed = line[:at] + line[at + 1 :]
    else:
        changed = line[:at] + bytes([data.draw(st.integers(0, 255))]) + line[at:]
    after = Frame(0x22, 7)
    found = good(Decoder().feed(changed + encode(after)))
    # An STX before, an ETX behind or noise outside the frame leaves it whole; anything else leaves nothing of it.
    assert found in ([after], [sent, after] if changed.startswith(line) or changed.endswith(line) else [after])


def test_a_frame_inside_a_payload_is_never_taken_for_one() -> None:
    inner = encode(Frame(payloads.DISPENSED, 3, b"\x02\x00\x01\x00\x07"))
    outer = encode(Frame(payloads.IDENTITY, 9, inner))
    for at in range(len(outer)):
        damaged = outer[:at] + bytes([outer[at] ^ 0x40]) + outer[at + 1 :]
        assert Frame(payloads.DISPENSED, 3, b"\x02\x00\x01\x00\x07") not in good(Decoder().feed(damaged))
        assert good(Decoder().feed(outer[at:])) in ([], [Frame(payloads.IDENTITY, 9, inner)])


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (frame(0x22, 5)[:-3] + b"\x00\x00\x03", "crc"),
        (frame(0x22, 5, version=2), "version"),
        (b"\x02\x01\x03", "garbage"),
        (b"\x02\x03", "garbage"),
        (b"\x02" + b"\x00" * MAX_WIRE, "overflow"),
        (b"\x02" + b"\x00" * MAX_WIRE + b"\x03", "overflow"),
        (frame(0x22, 5)[:-1] + b"\x10\x03", "garbage"),
        (b"\x02\x10\x40\x03", "garbage"),
        (b"noise\n", "garbage"),
    ],
)
def test_what_is_no_frame_is_said_to_be_so(line: bytes, kind: str) -> None:
    (found,) = Decoder().feed(line)
    assert isinstance(found, Garbage)
    assert (found.kind, found.size) == (kind, len(line))


def test_a_byte_that_should_have_been_escaped_is_refused() -> None:
    escaped = frame(0x31, 7, b"\x00\x11")
    assert good(Decoder().feed(escaped)) == [Frame(0x31, 7, b"\x00\x11")]
    assert not good(Decoder().feed(escaped.replace(b"\x10\x31", b"\x11")))


def test_a_payload_too_long_is_not_sent() -> None:
    with pytest.raises(ValueError, match="at most 240"):
        encode(Frame(0x41, 1, b"x" * (MAX_PAYLOAD + 1)))


@quick
@given(requests, answers, events, seqs)
def test_messages_decode_to_themselves(
    request: m.Open | m.Request, answer: m.Opened | m.Reply, event: m.EventMessage, seq: int
) -> None:
    for kind, payload in (payloads.pack_request(request), payloads.pack_answer(answer), payloads.pack_event(event)):
        assert good(Decoder().feed(encode(Frame(kind, seq, payload)))) == [Frame(kind, seq, payload)]
    assert payloads.unpack_request(*payloads.pack_request(request)) == request
    assert payloads.unpack_answer(*payloads.pack_answer(answer)) == answer
    assert payloads.unpack_event(*payloads.pack_event(event)) == event


@quick
@given(st.integers(0, 255), st.binary(max_size=MAX_PAYLOAD))
def test_any_payload_is_a_message_with_this_one_encoding_or_is_refused(kind: int, payload: bytes) -> None:
    for unpack, pack in (
        (payloads.unpack_request, payloads.pack_request),
        (payloads.unpack_answer, payloads.pack_answer),
        (payloads.unpack_event, payloads.pack_event),
    ):
        try:
            message = unpack(kind, payload)
        except payloads.MalformedMessage:
            continue
        assert pack(message) == (kind, payload)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "identity",
    [
        m.Identity("shoe", "A\nB", "", "", "", "00" * 32),
        m.Identity("shoe", "A\x1b[2J", "", "", "", "00" * 32),
        m.Identity("shoe", "\u202egnp", "", "", "", "00" * 32),
        m.Identity("shoe", "x" * 33, "", "", "", "00" * 32),
        m.Identity("shoe", "", "", "", "", "00" * 31),
        m.Identity("shoe", "", "", "", "", "AB" * 32),
        m.Identity("shoe", "", "", "", "", "00" * 32, group_size=256),
    ],
)
def test_an_identity_that_does_not_fit_is_not_sent(identity: m.Identity) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  each field says it in its own words
        payloads.pack_answer(identity)


@pytest.mark.parametrize("text", [b"A\nB", b"\x7f", b"\xff\xfe", "\u202e".encode(), b"\x00"])
def test_a_text_with_control_characters_is_refused(text: bytes) -> None:
    kind, payload = payloads.pack_answer(m.Identity("shoe", "x" * len(text), "", "", "", "00" * 32))
    with pytest.raises(payloads.MalformedMessage):
        payloads.unpack_answer(kind, payload.replace(b"x" * len(text), text))


@pytest.mark.parametrize(
    "payload",
    [
        bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        bytes([8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        bytes([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        bytes([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_a_status_of_no_known_state_or_of_another_length_is_refused(payload: bytes) -> None:
    with pytest.raises(payloads.MalformedMessage):
        payloads.unpack_answer(payloads.STATUS, payload)


def test_codes_have_one_name_and_one_number_each() -> None:
    assert code_name(0) == ""
    assert code_number("") == 0
    for number in range(0x10000):
        assert code_number(code_name(number)) == number
    assert code_name(0x8001) == "CODE_8001"
    assert usual_symptom("CODE_8001") == "other"
    assert {usual_symptom(name) for name in CODES} == set(m.SYMPTOMS)
    for name in ("CODE_0101", "CODE_0000", "CODE_80011", "CODE_800g", "code_8001", "JAMMED"):
        with pytest.raises(ValueError, match="no such condition code"):
            code_number(name)


def test_a_command_takes_its_own_arguments_only() -> None:
    assert m.Command.of("load").arg("expected") == 0
    assert m.Command.of("load", expected=52).arg("expected") == 52
    with pytest.raises(ValueError, match="stop takes no arguments"):
        m.Command.of("stop", expected=1)
    with pytest.raises(ValueError, match="expected is 65536; expected 0 to 65535"):
        m.Command.of("load", expected=65_536)
    with pytest.raises(ValueError, match="does not fit"):
        payloads.pack_request(m.Command("load", (("expected", 65_536),)))


def test_sequence_numbers_go_round_without_zero() -> None:
    assert [payloads.after(seq) for seq in (0, 1, 65_534, 65_535)] == [1, 2, 65_535, 1]
    assert [payloads.before(payloads.after(seq)) for seq in (1, 65_534, 65_535)] == [1, 65_534, 65_535]
    assert payloads.distance(65_535, 1) == 1
    assert payloads.distance(5, 5) == 0
    assert payloads.distance(6, 5) == 65_534
