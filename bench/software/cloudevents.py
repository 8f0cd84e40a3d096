"""CloudEvents 1.0 in JSON: the envelope of every message between the bench and table software, both ways.

Whatever arrives is hostile until it has been decoded here: sizes are bounded, unknown fields of an event refused.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

import msgspec

from evidence.errors import CardcertError
from evidence.events import Event

SUBPROTOCOL = "cloudevents.json"
MAX_MESSAGE_BYTES = 64 * 1024
MAX_ID_CHARS = 100
MAX_INTEGER = 2**63 - 1
PREFIX = "cardcert."

EventT = TypeVar("EventT", bound=Event)


class MalformedMessage(CardcertError):
    """A message that is no CloudEvent, or whose data do not fit its type. Says what was expected and what was seen."""


class _Envelope(msgspec.Struct):
    """The attributes that count here. Others are allowed by CloudEvents and passed over."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: str
    data: msgspec.Raw = msgspec.Raw(b"{}")
    time: str = ""
    datacontenttype: Literal["application/json"] = "application/json"


@dataclass(frozen=True, slots=True)
class Message:
    """One decoded message: its id, its source, its type without the prefix `cardcert.`, and the data as raw JSON."""

    id: str
    source: str
    type: str
    data: msgspec.Raw


def encode(message_id: str, source: str, event_type: str, time: str, data: dict[str, Any]) -> str:
    """One message as JSON text. `event_type` comes without prefix; `time` is RFC 3339."""
    envelope = {
        "specversion": "1.0",
        "id": message_id,
        "source": source,
        "type": PREFIX + event_type,
        "time": time,
        "datacontenttype": "application/json",
        "data": data,
    }
    return msgspec.json.encode(envelope).decode()


def fields_of(event: Event) -> dict[str, Any]:
    """The fields of an event as a message's data: without the tag, which stands in the message's type."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    del fields["type"]
    return fields


def utc_now() -> str:
    """The present moment for the attribute `time`."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def decode(text: str | bytes) -> Message:
    """Read one message. Raises MalformedMessage."""
    if isinstance(text, bytes):
        raise MalformedMessage("a binary message came; expected a CloudEvent as JSON text")
    if len(text) > MAX_MESSAGE_BYTES:
        raise MalformedMessage(f"a message of {len(text)} characters came; expected at most {MAX_MESSAGE_BYTES}")
    try:
        envelope = msgspec.json.decode(text.encode(), type=_Envelope)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise MalformedMessage(f"no CloudEvent 1.0 in JSON ({error}); it began {_excerpt(text)}") from error
    for name, value in (("id", envelope.id), ("source", envelope.source)):
        if not 0 < len(value) <= MAX_ID_CHARS:
            raise MalformedMessage(f"attribute {name} has {len(value)} characters; expected 1 to {MAX_ID_CHARS}")
    if not envelope.type.startswith(PREFIX):
        raise MalformedMessage(f"type {_excerpt(envelope.type)} came; expected one that begins with {PREFIX!r}")
    return Message(envelope.id, envelope.source, envelope.type.removeprefix(PREFIX), envelope.data)


def event_of(message: Message, kind: type[EventT]) -> EventT:
    """The message's data as an event of type `kind`. Raises MalformedMessage naming the field that is wrong."""
    try:
        fields = msgspec.json.decode(message.data, type=dict[str, Any])
        if "type" in fields:
            raise MalformedMessage(
                f"the data of {PREFIX}{message.type} repeat the field 'type'; leave it to the message"
            )
        for name, value in fields.items():
            if isinstance(value, int) and abs(value) > MAX_INTEGER:
                raise MalformedMessage(f"the number {name} of {PREFIX}{message.type} has more than 64 bits")
        return msgspec.convert({**fields, "type": message.type}, kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedMessage(f"the data of {PREFIX}{message.type} do not fit: {error}") from error


def _excerpt(text: str) -> str:
    return ascii(text[:60])
