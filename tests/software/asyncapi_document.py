"""The AsyncAPI document of the link to table software, made from the event vocabulary so that the two cannot drift.

`python -m tests.software.asyncapi_document` writes docs/table-software.asyncapi.yaml anew.
"""

import ast
import inspect
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from bench.software.cloudevents import MAX_ID_CHARS, MAX_MESSAGE_BYTES, SUBPROTOCOL
from bench.software.link import MAX_AMOUNT_CENTS, MAX_COUNT, MAX_DIRECTIVES, MAX_FIELD_CHARS
from bench.software.told import TOLD, WITHHELD
from evidence.events import Directive, Event, SoftwareAcknowledged, SoftwareIdentity

DOCUMENT = Path(__file__).parents[2] / "docs" / "table-software.asyncapi.yaml"
MESSAGE_ID = r"^e\d+$"

DESCRIPTION = f"""\
What a table software says and hears when it is wired to a cardcert bench. The bench connects to the software as a
WebSocket client and offers the subprotocol `{SUBPROTOCOL}`; every message, both ways, is one CloudEvent 1.0 as JSON
text, at most {MAX_MESSAGE_BYTES} bytes.

The software says who it is first. Then the bench tells it one thing after the other; the software answers each message
with as many directives as it wants carried out (at most {MAX_DIRECTIVES}) and then with one acknowledgement. Directives
may also come unasked between two messages. A `session.opened` starts a new table from a blank state.

A field that is left out has its default. The handbook page table-software.md explains the link with worked messages.
"""


def tag_of(event: type[Event]) -> str:
    return str(event.__struct_config__.tag)


def data_schema(event: type[Event]) -> dict[str, Any]:
    """JSON Schema of a message's data: the event's fields without its tag and without what is withheld."""
    schema: dict[str, Any] = msgspec.json.schema(event)["$defs"][event.__name__]
    notes = _field_notes()[event.__name__]
    for name in ("type", *WITHHELD.get(event, ())):
        del schema["properties"][name]
        if name in schema["required"]:
            schema["required"].remove(name)
    for name, field in schema["properties"].items():
        if name in notes:
            field["description"] = notes[name]
    if event is SoftwareAcknowledged:
        del schema["properties"]["directives"]
        schema["required"].remove("directives")
        schema["properties"]["message"]["pattern"] = MESSAGE_ID
    if event is Directive:
        _bound_directive(schema)
    return schema


def _bound_directive(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        if field.get("type") == "string":
            field["maxLength"] = MAX_FIELD_CHARS
    schema["properties"]["id"]["minLength"] = 1
    schema["properties"]["count"] |= {"minimum": 0, "maximum": MAX_COUNT}
    schema["properties"]["amount_cents"] |= {"minimum": 0, "maximum": MAX_AMOUNT_CENTS}


@cache
def _field_notes() -> dict[str, dict[str, str]]:
    """The note that follows a field in the vocabulary, by class and field."""
    notes: dict[str, dict[str, str]] = {}
    modules = {inspect.getmodule(event) for event in (*TOLD, *SAID)}
    for node in (node for module in modules if module for node in ast.parse(inspect.getsource(module)).body):
        if isinstance(node, ast.ClassDef):
            fields = notes[node.name] = {}
            for field, note in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(note, ast.Expr)
                    and isinstance(field.target, ast.Name)
                ):
                    fields[field.target.id] = ast.literal_eval(note.value)
    return notes


def _message(event: type[Event], id_schema: dict[str, Any], source: str) -> dict[str, Any]:
    name = event.__name__
    message: dict[str, Any] = {
        "name": f"cardcert.{tag_of(event)}",
        "contentType": "application/cloudevents+json",
        "payload": {
            "allOf": [
                {"$ref": "#/components/schemas/CloudEvent"},
                {
                    "type": "object",
                    "required": ["data"],
                    "properties": {
                        "id": id_schema,
                        "type": {"const": f"cardcert.{tag_of(event)}"},
                        "source": {"examples": [source]},
                        "data": {"$ref": f"#/components/schemas/{name}"},
                    },
                },
            ]
        },
    }
    summary = (event.__doc__ or "").strip().split("\n")[0]
    if summary and "Struct" not in summary:
        message["summary"] = summary
    return message


def _messages() -> dict[str, dict[str, Any]]:
    theirs = {"type": "string", "minLength": 1, "maxLength": MAX_ID_CHARS}
    told = {event.__name__: _message(event, {"type": "string", "pattern": MESSAGE_ID}, "bench:table") for event in TOLD}
    for message in told.values():
        message["correlationId"] = {"location": "$message.payload#/id"}
    said = {event.__name__: _message(event, theirs, "software:table") for event in SAID}
    said["SoftwareAcknowledged"]["correlationId"] = {"location": "$message.payload#/data/message"}
    return told | said


SAID: tuple[type[Event], ...] = (SoftwareIdentity, Directive, SoftwareAcknowledged)

CLOUD_EVENT = {
    "type": "object",
    "description": "The attributes of CloudEvents 1.0 that are used. Others may be present and are passed over.",
    "required": ["specversion", "id", "source", "type"],
    "properties": {
        "specversion": {"const": "1.0"},
        "id": {"type": "string"},
        "source": {"type": "string", "minLength": 1, "maxLength": MAX_ID_CHARS},
        "type": {"type": "string", "pattern": r"^cardcert\."},
        "time": {"type": "string", "format": "date-time"},
        "datacontenttype": {"const": "application/json"},
        "data": {"type": "object"},
    },
}


def _channel_message(name: str) -> dict[str, str]:
    return {"$ref": f"#/channels/table/messages/{name}"}


def build() -> dict[str, Any]:
    """The whole document, from the table software's side: it receives what is told and sends directives."""
    schemas: dict[str, Any] = {"CloudEvent": CLOUD_EVENT}
    schemas |= {event.__name__: data_schema(event) for event in (*TOLD, *SAID)}
    messages = _messages()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Table software link of cardcert",
            "version": "1.0.0",
            "description": DESCRIPTION,
            "license": {"name": "Apache 2.0"},
        },
        "defaultContentType": "application/cloudevents+json",
        "servers": {
            "tableSoftware": {
                "host": "{host}:{port}",
                "protocol": "ws",
                "description": "The software listens; the bench connects to the address in its rig file.",
                "variables": {"host": {"default": "127.0.0.1"}, "port": {"default": "8003"}},
            }
        },
        "channels": {
            "table": {
                "address": "/",
                "description": "One connection is one table.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {
                    "ws": {
                        "method": "GET",
                        "headers": {
                            "type": "object",
                            "required": ["Sec-WebSocket-Protocol"],
                            "properties": {"Sec-WebSocket-Protocol": {"const": SUBPROTOCOL}},
                        },
                        "bindingVersion": "0.1.0",
                    }
                },
            }
        },
        "operations": {
            "introduce": {
                "action": "send",
                "summary": "Say who you are, once, before anything else.",
                "channel": {"$ref": "#/channels/table"},
                "messages": [_channel_message("SoftwareIdentity")],
            },
            "hear": {
                "action": "receive",
                "summary": "Hear what happens at the table, and acknowledge it once you have reacted.",
                "channel": {"$ref": "#/channels/table"},
                "messages": [_channel_message(event.__name__) for event in TOLD],
                "reply": {
                    "channel": {"$ref": "#/channels/table"},
                    "messages": [_channel_message("SoftwareAcknowledged")],
                },
            },
            "direct": {
                "action": "send",
                "summary": "Order what is to be done at the table.",
                "channel": {"$ref": "#/channels/table"},
                "messages": [_channel_message("Directive")],
            },
        },
        "components": {"messages": messages, "schemas": schemas},
    }


class _Dumper(yaml.SafeDumper):
    """Writes every object out in full, and long texts as blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def write() -> None:
    head = "# Made from the event vocabulary by `python -m tests.software.asyncapi_document`; do not edit by hand.\n"
    body = yaml.dump(build(), Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True)
    DOCUMENT.write_text(head + body, encoding="utf-8")


if __name__ == "__main__":
    write()
