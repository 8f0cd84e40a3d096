"""The two documents of the link hold: the AsyncAPI document is sound and complete, the handbook's messages are real."""

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator, ValidationError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bench.emulators.table_software import InProcessSoftware
from bench.software.link import SoftwareLink
from bench.software.told import TOLD
from evidence.events import DeviceSeen, PlayerDid, SoftwareIdentity
from tests.software.asyncapi_document import DOCUMENT, build, tag_of
from tests.software.scripted_table import PACK_53, SHOE, ScriptedTable, journaled

PAGE = (DOCUMENT.parent / "table-software.md").read_text(encoding="utf-8")
SUBPROTOCOL = Subprotocol("cloudevents.json")


def document() -> Any:
    return yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))


# --- the AsyncAPI document ---


def test_the_document_is_what_the_event_vocabulary_makes_of_it() -> None:
    assert document() == build(), "write it anew with `python -m tests.software.asyncapi_document`"


def test_the_document_has_a_message_for_everything_that_is_told_or_said() -> None:
    names = {message["name"] for message in document()["components"]["messages"].values()}
    said = {"software.identity", "software.directive", "software.acknowledged"}
    assert names == {f"cardcert.{tag}" for tag in said | {tag_of(event) for event in TOLD}}
    assert "probe" not in document()["components"]["schemas"]["TableRequested"]["properties"]


KEYS = {
    "root": ({"asyncapi", "info", "channels"}, {"id", "servers", "operations", "components", "defaultContentType"}),
    "info": ({"title", "version"}, {"description", "license", "contact", "termsOfService", "tags", "externalDocs"}),
    "license": ({"name"}, {"url"}),
    "server": (
        {"host", "protocol"},
        {"protocolVersion", "pathname", "description", "title", "summary", "variables", "security", "bindings"},
    ),
    "channel": (
        set(),
        {"address", "messages", "title", "summary", "description", "servers", "parameters", "bindings"},
    ),
    "operation": (
        {"action", "channel"},
        {"title", "summary", "description", "security", "tags", "bindings", "traits", "messages", "reply"},
    ),
    "reply": (set(), {"address", "channel", "messages"}),
    "message": (
        set(),
        {"headers", "payload", "correlationId", "contentType", "name", "title", "summary", "description", "bindings"},
    ),
}
"""Keys that AsyncAPI 3.0 requires and allows in the objects used here."""


def unsound(doc: Any) -> Iterator[str]:
    """What in a document breaks the rules of AsyncAPI 3.0 that matter here."""

    def keys(kind: str, value: dict[str, Any], where: str) -> Iterator[str]:
        required, optional = KEYS[kind]
        yield from (f"{where}: {name} is missing" for name in required - value.keys())
        yield from (f"{where}: {name} is not allowed" for name in value.keys() - required - optional)

    def resolve(reference: str) -> Any:
        found = doc
        for part in reference.removeprefix("#/").split("/"):
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def references(value: Any, where: str) -> Iterator[str]:
        if isinstance(value, dict):
            if "$ref" in value and (not value["$ref"].startswith("#/") or resolve(value["$ref"]) is None):
                yield f"{where}: {value['$ref']} leads nowhere"
            for name, inner in value.items():
                yield from references(inner, f"{where}/{name}")
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                yield from references(inner, f"{where}/{index}")

    def among_the_channels(operation: dict[str, Any], where: str) -> Iterator[str]:
        channel = operation["channel"]["$ref"]
        for message in operation.get("messages", []):
            if not message["$ref"].startswith(f"{channel}/messages/"):
                yield f"{where}: {message['$ref']} is no message of {channel}"

    yield from keys("root", doc, "#")
    if doc.get("asyncapi") != "3.0.0":
        yield "#: asyncapi must be 3.0.0"
    yield from keys("info", doc["info"], "info")
    yield from keys("license", doc["info"]["license"], "license")
    for name, server in doc["servers"].items():
        yield from keys("server", server, name)
        if set(re.findall(r"{(\w+)}", server["host"])) != set(server.get("variables", {})):
            yield f"{name}: the variables of the host are not those that are described"
    for name, channel in doc["channels"].items():
        yield from keys("channel", channel, name)
    for name, operation in doc["operations"].items():
        yield from keys("operation", operation, name)
        if operation["action"] not in {"send", "receive"}:
            yield f"{name}: action must be send or receive"
        yield from among_the_channels(operation, name)
        if "reply" in operation:
            yield from keys("reply", operation["reply"], f"{name}/reply")
            yield from among_the_channels(operation["reply"], f"{name}/reply")
    for name, message in doc["components"]["messages"].items():
        yield from keys("message", message, name)
        location = message.get("correlationId", {}).get("location", "$message.payload#/id")
        if not re.fullmatch(r"\$message\.(header|payload)#(/[\w]+)+", location):
            yield f"{name}: correlationId is no runtime expression"
    for name, schema in doc["components"]["schemas"].items():
        Draft7Validator.check_schema(schema)
        yield from (f"{name}: no type" for _ in range("type" not in schema))
    yield from references(doc, "#")


def test_the_document_keeps_the_rules_of_asyncapi_3() -> None:
    assert list(unsound(document())) == []


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda doc: doc["info"].pop("title"), "info: title is missing"),
        (lambda doc: doc["info"]["license"].update(identifier="x"), "license: identifier is not allowed"),
        (lambda doc: doc.update(asyncapi="2.6.0"), "#: asyncapi must be 3.0.0"),
        (lambda doc: doc["operations"]["hear"].update(action="publish"), "hear: action must be send or receive"),
        (
            lambda doc: doc["operations"]["hear"]["messages"].append({"$ref": "#/components/messages/Directive"}),
            "hear: #/components/messages/Directive is no message of #/channels/table",
        ),
        (lambda doc: doc["components"]["schemas"].pop("CardsSeen"), "leads nowhere"),
        (lambda doc: doc["servers"]["tableSoftware"]["variables"].pop("port"), "tableSoftware: the variables"),
        (
            lambda doc: doc["components"]["messages"]["CardsSeen"].update(correlationId={"location": "id"}),
            "CardsSeen: correlationId is no runtime expression",
        ),
    ],
)
def test_the_check_of_the_rules_finds_what_breaks_them(spoil: Any, complaint: str) -> None:
    doc = document()
    spoil(doc)
    assert any(complaint in found for found in unsound(doc)), list(unsound(doc))


@cache
def validator(message_name: str) -> Draft7Validator:
    doc = document()

    def inlined(value: Any) -> Any:
        if isinstance(value, list):
            return [inlined(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            return inlined(doc["components"]["schemas"][value["$ref"].removeprefix("#/components/schemas/")])
        return {name: inlined(inner) for name, inner in value.items()}

    return Draft7Validator(inlined(doc["components"]["messages"][message_name]["payload"]))


@contextmanager
def overheard(url: str) -> Iterator[tuple[str, list[str]]]:
    """A relay to `url` that keeps every message of both directions."""
    heard: list[str] = []

    def relay(down: ServerConnection) -> None:
        def upwards() -> None:
            try:
                for text in down:
                    heard.append(str(text))
                    up.send(text)
            except ConnectionClosed:
                pass
            up.close()

        with connect(url, subprotocols=[SUBPROTOCOL]) as up:
            thread = threading.Thread(target=upwards)
            thread.start()
            for text in up:
                heard.append(str(text))
                down.send(text)
            thread.join()

    with serve(relay, "127.0.0.1", 0, subprotocols=[SUBPROTOCOL]) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}", heard


def test_everything_that_is_said_in_real_rounds_fits_the_document() -> None:
    with InProcessSoftware() as software, overheard(software.url) as (url, heard):
        for game in ("pai_gow_poker", "winners_pot"):
            link = SoftwareLink(url, 20.0, journaled)
            link.connect()
            bench = ScriptedTable(link, game, PACK_53).open(wagers=[("seat/1", "main")])
            bench.ask("next_round")
            bench.fault("shoe", "jam")
            bench.tell(PlayerDid(act="fold", position="seat/1"))
            bench.tell(DeviceSeen(device="shoe", present=None))
            link.close()
    by_name = {message["name"]: name for name, message in document()["components"]["messages"].items()}
    used: set[str] = set()
    for text in heard:
        message = json.loads(text)
        used.add(by_name[message["type"]])
        validator(by_name[message["type"]]).validate(message)
    assert used >= {"SessionOpened", "CardsSeen", "DiceSeen", "TableDone", "Directive", "SoftwareAcknowledged"}
    assert len(used) > 15


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("Directive", {"verb": "explode"}),
        ("Directive", {"colour": "red"}),
        ("Directive", {"count": -1}),
        ("Directive", {"reason": "x" * 501}),
        ("SoftwareAcknowledged", {"message": "117"}),
        ("TableRequested", {"probe": True}),
    ],
)
def test_the_schemas_refuse_what_the_link_refuses(name: str, change: dict[str, Any]) -> None:
    data: dict[str, dict[str, Any]] = {
        "Directive": {"id": "d1", "verb": "cut"},
        "SoftwareAcknowledged": {"message": "e117"},
        "TableRequested": {"request": "resume"},
    }
    kind = document()["components"]["messages"][name]["name"]
    message = {"specversion": "1.0", "id": "e1", "source": "x:y", "type": kind, "data": data[name]}
    validator(name).validate(message)
    with pytest.raises(ValidationError):
        validator(name).validate(message | {"data": data[name] | change})


# --- the handbook page ---

BLOCKS = re.findall(r"^```json (bench|software)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_worked_messages_are_what_the_reference_software_says() -> None:
    assert len(BLOCKS) > 10
    with InProcessSoftware() as software, connect(software.url, subprotocols=[SUBPROTOCOL]) as connection:
        for speaker, text in BLOCKS:
            shown = json.loads(text)
            if speaker == "bench":
                connection.send(text)
                continue
            said = json.loads(connection.recv(timeout=10))
            del said["time"]
            if shown["type"] == "cardcert.software.identity":
                shown["data"] = said["data"]
            assert said == shown


def test_the_worked_messages_fit_the_document() -> None:
    by_name = {message["name"]: name for name, message in document()["components"]["messages"].items()}
    for _, text in BLOCKS:
        message = json.loads(text)
        validator(by_name[message["type"]]).validate(message)


def test_the_smallest_table_software_works_as_shown(tmp_path: Path) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    listening = "with serve(table, "
    assert listening in program
    script = tmp_path / "smallest.py"
    script.write_text(
        program.replace("8003", str(port)).replace(
            "    server.serve_forever()", "    print(flush=True)\n    server.serve_forever()"
        )
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        try:
            link = SoftwareLink(f"ws://127.0.0.1:{port}", 20.0, journaled)
            assert link.connect() == SoftwareIdentity(maker="Vendor", product="Table", version="0.1", sha256="00" * 32)
            bench = ScriptedTable(link, "winners_pot", [])
            bench.tell(SHOE)
            assert bench.ask("next_round") == ["refuse next_round"]
            link.close()
        finally:
            running.kill()
