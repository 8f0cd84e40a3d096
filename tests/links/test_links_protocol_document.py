"""docs/protocol-reference.md says what the code does: worked frames, tables of kinds, fields, codes and reasons."""

import json
import re
from pathlib import Path

import pytest

from bench.protocol import messages, payloads
from bench.protocol.codes import CODES
from bench.protocol.frames import MAX_PAYLOAD, MAX_WIRE, Decoder, Frame, encode
from tests.links.stub_device import crc, frame

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol-reference.md").read_text()
WORKED = re.findall(r"```frame\n(\w+) (\w+) seq=(\d+)(?: (\{.*\}))?(?: reason=(\d+))?\n([0-9A-F\s]+?)\n```", DOCUMENT)
KINDS = {name: int(kind, 16) for kind, name in re.findall(r"\| `(\w\w)` \| (\w+) \| (?:host|device|both) \|", DOCUMENT)}


def message_of(direction: str, name: str, fields: str) -> tuple[int, bytes]:
    values = json.loads(fields) if fields else {}
    if direction == "request" and name in messages.COMMAND_ARGS:
        return payloads.pack_request(messages.Command.of(name, **values))
    message = getattr(messages, "Status" if name == "StatusChanged" else name)(**values)
    pack = {"request": payloads.pack_request, "answer": payloads.pack_answer, "event": payloads.pack_event}[direction]
    return pack(message)  # type: ignore[no-any-return, operator]


@pytest.mark.parametrize("worked", WORKED, ids=lambda worked: f"{worked[1]}-{worked[2]}")
def test_worked_frames_hold_in_both_directions(worked: tuple[str, ...]) -> None:
    direction, name, seq, fields, reason, digits = worked
    line = bytes.fromhex(digits)
    (found,) = Decoder().feed(line)
    assert isinstance(found, Frame)
    assert found.seq == int(seq)
    assert found.kind == KINDS[name]
    assert encode(found) == line
    assert frame(found.kind, found.seq, found.payload) == line
    if name in ("Ack", "Nak"):
        assert found.payload == (bytes([int(reason)]) if reason else b"")
    else:
        assert (found.kind, found.payload) == message_of(direction, name, fields)
        unpack = {
            "request": payloads.unpack_request,
            "answer": payloads.unpack_answer,
            "event": payloads.unpack_event,
        }[direction]
        message = unpack(found.kind, found.payload)
        if isinstance(message, messages.Command):
            assert (message.name, dict(message.args)) == (name, json.loads(fields))
        else:
            for field, value in json.loads(fields).items():
                assert getattr(message, field) == value


def test_every_kind_has_a_worked_frame_and_every_block_is_one() -> None:
    assert {name for _, name, *_ in WORKED} == set(KINDS)
    assert len(WORKED) == DOCUMENT.count("```frame")


def test_the_table_of_kinds_is_the_codec_s() -> None:
    expected: dict[str, int] = {
        **{str(name): kind for name, kind in payloads.COMMANDS.items()},
        "Ack": payloads.ACK,
        "Nak": payloads.NAK,
        "Open": payloads.OPEN,
        "Identify": payloads.IDENTIFY,
        "AskStatus": payloads.ASK_STATUS,
        "Opened": payloads.OPENED,
        "Identity": payloads.IDENTITY,
        "Status": payloads.STATUS,
        "Result": payloads.RESULT,
        "Cycle": payloads.CYCLE,
        "Dispensed": payloads.DISPENSED,
        "Fault": payloads.FAULT,
        "StatusChanged": payloads.STATUS_CHANGED,
    }
    assert expected == KINDS


def test_the_table_of_codes_is_the_codec_s() -> None:
    rows = re.findall(r"\| `([0-9A-F]{4})` \| (\w+) \| (\w+) \|", DOCUMENT)
    assert {name: (int(number, 16), symptom) for number, name, symptom in rows} == CODES
    assert len({number for number, _, _ in rows}) == len(CODES)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("role", messages.ROLES),
        ("state", messages.STATES),
        ("kind", messages.CYCLE_KINDS),
        ("phase", messages.PHASES),
        ("unit", messages.UNITS),
        ("symptom", messages.SYMPTOMS),
    ],
)
def test_numbered_words_are_the_codec_s(label: str, words: tuple[str, ...]) -> None:
    (row,) = re.findall(rf"\| {label}: (1 [\w ,]+) \|", DOCUMENT)
    assert row == ", ".join(f"{number} {word}" for number, word in enumerate(words, 1))


def test_reasons_and_limits_are_the_codec_s() -> None:
    rows = re.findall(r"\| `0([1-5])` \| ([\w ]+) \| ", DOCUMENT)
    assert {int(number): meaning for number, meaning in rows} == payloads.NAK_REASONS
    assert f"at most {MAX_WIRE} bytes on the line" in DOCUMENT
    assert f"| length | 1 | bytes of payload before escaping, 0 to {MAX_PAYLOAD} |" in DOCUMENT
    assert f"its length, 0 to {payloads.MAX_TEXT}," in DOCUMENT


def test_the_checksum_is_the_one_described() -> None:
    assert crc(b"123456789") == 0x29B1
    assert "`29B1`" in DOCUMENT
