"""How each message of the reference protocol is laid out in a frame's payload.

Numbers are big-endian. A text is one length byte and at most 32 bytes of printable UTF-8. Every message has exactly one
encoding; a payload that is longer, shorter or out of range is refused. The same tables stand in
docs/protocol-reference.md.
"""

import struct
from collections.abc import Sequence
from typing import Any, TypeVar

from bench.protocol import messages as m
from bench.protocol.codes import code_name, code_number
from evidence.errors import RigFault

T = TypeVar("T")

ACK, NAK = 0x06, 0x15
OPEN, IDENTIFY, ASK_STATUS = 0x20, 0x21, 0x22
COMMANDS: dict[m.CommandName, int] = {
    "load": 0x30,
    "shuffle": 0x31,
    "deal_group": 0x32,
    "deal_card": 0x33,
    "stop": 0x34,
    "unload": 0x35,
    "clear_fault": 0x36,
}
OPENED, IDENTITY, STATUS, RESULT = 0x40, 0x41, 0x42, 0x43
CYCLE, DISPENSED, FAULT, STATUS_CHANGED = 0x60, 0x61, 0x62, 0x63

NAK_REASONS = {1: "damaged frame", 2: "unknown kind", 3: "bad payload", 4: "other version", 5: "no session open"}
DAMAGED, UNKNOWN_KIND, BAD_PAYLOAD, OTHER_VERSION, NOT_OPEN = NAK_REASONS

MAX_TEXT = 32
"""Bytes of a text field."""

LAST_SEQ = 0xFFFF
"""Sequence numbers run from 1 to here and begin at 1 again; 0 is none."""

_COMMAND_OF = {kind: name for name, kind in COMMANDS.items()}
_OPEN = struct.Struct(">IBHI")
_OPENED = struct.Struct(">IIH")
_IDENTITY = struct.Struct(">BB32s")
_STATUS = struct.Struct(">BHHHI")
_RESULT = struct.Struct(">BH")
_CYCLE = struct.Struct(">BBH")
_DISPENSED = struct.Struct(">BHH")
_FAULT = struct.Struct(">HBB")


class MalformedMessage(RigFault):
    """A frame whose checksum holds but whose payload is not of this protocol. `reason` is the NAK for it."""

    reason = BAD_PAYLOAD


class UnknownKind(MalformedMessage):
    """A frame of a kind that has no business in this direction."""

    reason = UNKNOWN_KIND


def pack_request(message: m.Open | m.Request) -> tuple[int, bytes]:
    """Kind and payload of what the host asks. ValueError when a value does not fit its field."""
    match message:
        case m.Open(host, resume, last_event, boot):
            return OPEN, _pack(_OPEN, host, resume, last_event, boot)
        case m.Identify():
            return IDENTIFY, b""
        case m.AskStatus():
            return ASK_STATUS, b""
        case m.Command(name):
            names = m.COMMAND_ARGS[name]
            return COMMANDS[name], _pack(struct.Struct(f">{len(names)}H"), *(message.arg(arg) for arg in names))


def unpack_request(kind: int, payload: bytes) -> m.Open | m.Request:
    """What the host asks. MalformedMessage when it is nothing that a host asks."""
    if kind == OPEN:
        host, resume, last_event, boot = _unpack(_OPEN, payload)
        return m.Open(host, _flag(resume), last_event, boot)
    if kind == IDENTIFY:
        _unpack(struct.Struct(""), payload)
        return m.Identify()
    if kind == ASK_STATUS:
        _unpack(struct.Struct(""), payload)
        return m.AskStatus()
    if kind in _COMMAND_OF:
        name = _COMMAND_OF[kind]
        names = m.COMMAND_ARGS[name]
        values = _unpack(struct.Struct(f">{len(names)}H"), payload)
        return m.Command(name, tuple(zip(names, values, strict=True)))
    raise UnknownKind(f"kind {kind:#04x} is no request")


def pack_answer(message: m.Opened | m.Reply) -> tuple[int, bytes]:
    """Kind and payload of a device's answer. ValueError when a value does not fit its field."""
    match message:
        case m.Opened(host, boot, next_event):
            return OPENED, _pack(_OPENED, host, boot, next_event)
        case m.Identity():
            digest = bytes.fromhex(message.firmware_sha256)
            if len(digest) != 32 or digest.hex() != message.firmware_sha256:
                raise ValueError(f"firmware digest {message.firmware_sha256!r}: expected 64 digits 0-9 and a-f")
            texts = (message.maker, message.model, message.serial, message.firmware)
            fixed = _pack(_IDENTITY, _number(m.ROLES, message.role), message.group_size, digest)
            return IDENTITY, fixed + b"".join(map(_pack_text, texts))
        case m.Status():
            return STATUS, _pack_status(message)
        case m.Result(accepted, code):
            return RESULT, _pack(_RESULT, accepted, code_number(code))


def unpack_answer(kind: int, payload: bytes) -> m.Opened | m.Reply:
    """A device's answer. MalformedMessage when it is none."""
    if kind == OPENED:
        return m.Opened(*_unpack(_OPENED, payload))
    if kind == IDENTITY:
        role, group_size, digest = _unpack(_IDENTITY, payload[: _IDENTITY.size])
        maker, model, serial, firmware = _unpack_texts(payload[_IDENTITY.size :], 4)
        return m.Identity(_value(m.ROLES, role), maker, model, serial, firmware, digest.hex(), group_size)
    if kind == STATUS:
        return _unpack_status(payload)
    if kind == RESULT:
        accepted, code = _unpack(_RESULT, payload)
        return m.Result(_flag(accepted), code_name(code))
    raise UnknownKind(f"kind {kind:#04x} is no answer")


def pack_event(message: m.EventMessage) -> tuple[int, bytes]:
    """Kind and payload of what a device says by itself. ValueError when a value does not fit its field."""
    match message:
        case m.Cycle(kind, phase, count):
            return CYCLE, _pack(_CYCLE, _number(m.CYCLE_KINDS, kind), _number(m.PHASES, phase), count)
        case m.Dispensed(unit, index, count):
            return DISPENSED, _pack(_DISPENSED, _number(m.UNITS, unit), index, count)
        case m.Fault(code, symptom, recovered):
            if not code:
                raise ValueError("a fault has a code")
            return FAULT, _pack(_FAULT, code_number(code), _number(m.SYMPTOMS, symptom), recovered)
        case m.Status():
            return STATUS_CHANGED, _pack_status(message)


def unpack_event(kind: int, payload: bytes) -> m.EventMessage:
    """What a device says by itself. MalformedMessage when it is no event."""
    if kind == CYCLE:
        what, phase, count = _unpack(_CYCLE, payload)
        return m.Cycle(_value(m.CYCLE_KINDS, what), _value(m.PHASES, phase), count)
    if kind == DISPENSED:
        unit, index, count = _unpack(_DISPENSED, payload)
        return m.Dispensed(_value(m.UNITS, unit), index, count)
    if kind == FAULT:
        code, symptom, recovered = _unpack(_FAULT, payload)
        if not code:
            raise MalformedMessage("a fault without a code")
        return m.Fault(code_name(code), _value(m.SYMPTOMS, symptom), _flag(recovered))
    if kind == STATUS_CHANGED:
        return _unpack_status(payload)
    raise UnknownKind(f"kind {kind:#04x} is no event")


def after(seq: int) -> int:
    """The sequence number that follows."""
    return seq % LAST_SEQ + 1


def before(seq: int) -> int:
    """The sequence number that precedes."""
    return seq - 1 or LAST_SEQ if seq else 0


def distance(earlier: int, later: int) -> int:
    """How many numbers `later` is ahead of `earlier`, 0 to 65534; more than half of that means that it is behind."""
    return (later - earlier) % LAST_SEQ


def is_answer(kind: int) -> bool:
    """True for the kinds that answer a request, known or not."""
    return 0x40 <= kind <= 0x5F


def is_event(kind: int) -> bool:
    """True for the kinds that a device sends by itself, known or not."""
    return 0x60 <= kind <= 0x7F


def is_request(kind: int) -> bool:
    """True for the kinds that a host asks, known or not."""
    return 0x20 <= kind <= 0x3F


def _pack_status(status: m.Status) -> bytes:
    state, code = _number(m.STATES, status.state), code_number(status.code)
    return _pack(_STATUS, state, code, status.cards_inside, status.dispensed, status.cycles)


def _unpack_status(payload: bytes) -> m.Status:
    state, code, cards_inside, dispensed, cycles = _unpack(_STATUS, payload)
    return m.Status(_value(m.STATES, state), code_name(code), cards_inside, dispensed, cycles)


def _pack(layout: struct.Struct, *values: int | bytes) -> bytes:
    try:
        return layout.pack(*values)
    except struct.error as error:
        raise ValueError(f"{values} does not fit its fields: {error}") from error


def _unpack(layout: struct.Struct, payload: bytes) -> tuple[Any, ...]:
    if len(payload) != layout.size:
        raise MalformedMessage(f"expected {layout.size} bytes, found {len(payload)}")
    return layout.unpack(payload)


def _pack_text(text: str) -> bytes:
    data = text.encode()
    if len(data) > MAX_TEXT or not text.isprintable():
        raise ValueError(f"text {text!r}: expected at most {MAX_TEXT} bytes of printable UTF-8")
    return bytes([len(data)]) + data


def _unpack_texts(payload: bytes, number: int) -> list[str]:
    texts = []
    for _ in range(number):
        data = payload[1 : 1 + payload[0]] if payload else b""
        if not payload or payload[0] > MAX_TEXT or len(data) != payload[0]:
            raise MalformedMessage(f"expected a text of at most {MAX_TEXT} bytes")
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise MalformedMessage("expected UTF-8") from error
        if not text.isprintable():
            raise MalformedMessage("control characters in a text")
        texts.append(text)
        payload = payload[1 + len(data) :]
    if payload:
        raise MalformedMessage(f"{len(payload)} bytes too many")
    return texts


def _number(values: Sequence[T], value: T) -> int:
    """Numbers of a list of words begin at 1, so that cleared memory is no word."""
    return values.index(value) + 1


def _value(values: Sequence[T], number: int) -> T:
    if not 1 <= number <= len(values):
        raise MalformedMessage(f"expected 1 to {len(values)} for {'/'.join(map(str, values))}, found {number}")
    return values[number - 1]


def _flag(number: int) -> bool:
    if number not in (0, 1):
        raise MalformedMessage(f"expected 0 or 1, found {number}")
    return number == 1
