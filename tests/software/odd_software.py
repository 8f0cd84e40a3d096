"""Table software that a test scripts message by message, and a link to it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bench.real_setup import RealSetup
from bench.rig import RigPlan
from bench.rig_entries import RigFile, SoftwareEntry
from bench.software.link import SoftwareLink
from evidence.events import (
    AnyEvent,
    CardsSeen,
    Record,
    SoftwareIdentity,
)

WHO = SoftwareIdentity(maker="V", product="P", version="1", sha256="ab" * 32)
Script = Callable[[ServerConnection], object]


def message(kind: str, data: dict[str, Any], **attributes: Any) -> str:
    envelope = {"specversion": "1.0", "id": "x1", "source": "vendor:table", "type": f"cardcert.software.{kind}"}
    return json.dumps(envelope | attributes | {"data": data})


IDENTITY = message("identity", {"maker": "V", "product": "P", "version": "1", "sha256": "ab" * 32})


def directive(number: int, verb: str = "open_round", **fields: Any) -> str:
    return message("directive", {"id": f"d{number}", "verb": verb, **fields})


def acknowledged(of: str) -> str:
    return message("acknowledged", {"message": of})


class Journal:
    def __init__(self) -> None:
        self.events: list[AnyEvent] = []

    def __call__(self, event: AnyEvent) -> Record:
        self.events.append(event)
        return record(len(self.events), event)


def record(seq: int, event: AnyEvent | None = None) -> Record:
    return Record(
        seq=seq,
        mono_ns=5,
        utc="2024-05-01T10:00:00.000000Z",
        source="camera:main",
        scenario="s",
        event=event or CardsSeen(place="burn", count=1),
    )


@contextmanager
def software(
    script: Script, subprotocol: str = "cloudevents.json", ack_timeout_s: float = 10.0, settle_s: float = 0.0
) -> Iterator[tuple[SoftwareLink, Journal]]:
    """A link, as a rig file describes it, to software that plays `script` once somebody has connected."""

    def handle(connection: ServerConnection) -> None:
        try:
            script(connection)
            connection.recv()
        except ConnectionClosed:
            pass

    with serve(handle, "127.0.0.1", 0, subprotocols=[Subprotocol(subprotocol)], close_timeout=1) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        journal = Journal()
        url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        entry = SoftwareEntry(url=url, ack_timeout_s=ack_timeout_s, settle_s=settle_s)
        rig = RigPlan(RigFile(name="odd", device=[], software=entry), Path("odd.toml"), "")
        with ExitStack() as stack:
            yield RealSetup(rig).software(journal, stack), journal


def answers(*replies: str | bytes) -> Script:
    """Software that says who it is and answers the first message with these."""

    def script(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        connection.recv()
        for reply in replies:
            connection.send(reply)

    return script
