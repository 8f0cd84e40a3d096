"""What devices, table software and files say of themselves cannot write on the operator's terminal."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from cardcert.__main__ import main
from cardcert.shipped import RIGS
from tests.software.odd_software import message
from vision.deck_file import save_deck
from vision.deck_from_faces import enrol
from vision.synthetic.cards import face_image

HOSTILE = "V\x1b[2J\nok   camera: all is well\r\u202e"


@contextmanager
def boastful_software() -> Iterator[str]:
    """Table software whose maker's name clears the screen and writes a line of its own."""

    def handle(connection: ServerConnection) -> None:
        connection.send(message("identity", {"maker": HOSTILE, "product": "P", "version": "1", "sha256": "ab" * 32}))
        connection.recv()

    with serve(handle, "127.0.0.1", 0, subprotocols=[Subprotocol("cloudevents.json")]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


def unprintable(text: str) -> set[str]:
    return {character for character in text if not character.isprintable() and character != "\n"}


def test_doctor_writes_one_line_for_each_check_whatever_the_software_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = tmp_path / "rig.toml"
    with boastful_software() as url:
        text = (RIGS / "hardware-example.toml").read_text()
        for old, new in (
            ("ws://127.0.0.1:8003", url),
            ("/dev/ttyUSB0", str(tmp_path / "none")),
            ("http://127.0.0.1:8004", "http://127.0.0.1:9"),
        ):
            assert old in text
            text = text.replace(old, new)
        rig.write_text(text)
        assert main(["doctor", "--rig", str(rig)]) == 3
    told = capsys.readouterr().out
    assert unprintable(told) == set()
    assert [line[:20] for line in told.splitlines() if "camera" in line[:12]] == ["BAD  camera: the cam"]
    assert "V<U+001B>[2J<U+000A>ok   camera" in told


def test_a_message_about_a_file_stays_on_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", f"{HOSTILE}.toml"]) == 2
    told = capsys.readouterr().err
    assert unprintable(told) == set()
    assert told.count("\n") == 1


def test_a_plan_with_a_hostile_title_is_shown_for_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'name = "p"\ntitle = "t"\npack = "PR-PGP-SHOE"\n'
        '[table]\ngame = "pai_gow_poker"\ncards_in_deck = 53\nseated = ["seat/1"]\n'
        '[[scenario]]\nid = "s"\ntitle = "x\\u001b[2Jy"\ncovers = []\n'
    )
    assert main(["plan", "show", str(plan)]) == 0
    told = capsys.readouterr().out
    assert unprintable(told) == set()
    assert "<U+001B>" in told


def test_pictures_and_decks_with_hostile_names_are_shown_for_what_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = cv2.copyMakeBorder(face_image("6h", 4.0), 60, 60, 60, 60, cv2.BORDER_CONSTANT)
    done, picture = cv2.imencode(".png", card)
    assert done
    named = tmp_path / "V\x1b[2J\r\u202e.png"
    named.write_bytes(picture.tobytes())
    save_deck(enrol({"6h": face_image("6h", 4.0)}, {}), tmp_path / "V\x1b[2J.npz")
    for command in (["read", str(named)], ["read", "--count", "side", str(named)], ["deck", "list", str(tmp_path)]):
        assert main(command) != 2, command
        told = capsys.readouterr().out
        assert unprintable(told) == set()
        assert "V<U+001B>[2J" in told
