"""Pictures without a card give none, whatever outlines they have; odd picture files give one clear result or word."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from evidence.errors import UsageError
from vision.deck import EnrolledDeck
from vision.pictures import Picture, u8
from vision.places import TableLayout
from vision.read_images import read_picture
from vision.synthetic.cards import face_image
from vision.synthetic.loose import LooseCard, loose_picture
from vision.synthetic.suits import suit_shape

WIDE, HIGH = 640, 480
Y, X = np.mgrid[0:HIGH, 0:WIDE]
RNG = np.random.default_rng(5)


def grey(levels: "np.typing.NDArray[np.generic]") -> Picture:
    level = u8(np.clip(levels, 0, 255).astype(np.uint8))
    return u8(np.dstack([level, level, level]))


def page() -> Picture:
    words = "the quick brown fox jumps over 10 lazy dogs while kings and queens A K Q J play 7 of 9 hands"
    sheet = np.full((HIGH, WIDE, 3), 235, np.uint8)
    for y in range(30, HIGH - 10, 20):
        line = " ".join(str(word) for word in RNG.choice(words.split(" "), 12))
        cv2.putText(sheet, line, (15, y), cv2.FONT_HERSHEY_COMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
    return u8(sheet)


def bricks() -> Picture:
    wall = np.full((HIGH, WIDE, 3), (170, 170, 175), np.uint8)
    for row, y in enumerate(range(0, HIGH, 30)):
        for x in range(-30 * (row % 2), WIDE, 60):
            cv2.rectangle(wall, (x + 2, y + 2), (x + 57, y + 27), (40, 60, int(RNG.integers(110, 170))), -1)
    return u8(wall)


def wood() -> Picture:
    grain = cv2.resize(RNG.normal(0, 1, (6, 40)).astype(np.float32), (WIDE, HIGH), interpolation=cv2.INTER_CUBIC)
    rings = np.clip(0.5 + 0.25 * np.sin((X * 0.02 + grain * 2) * 6), 0, 1)
    return u8(np.dstack([40 + 50 * rings, 80 + 70 * rings, 130 + 80 * rings]).astype(np.uint8))


def panes() -> Picture:
    """Card-shaped windows, with the square corners that no card has."""
    wall = np.full((HIGH, WIDE, 3), 70, np.uint8)
    for x, colour in ((60, (235, 225, 210)), (250, (40, 200, 220)), (440, (180, 80, 30))):
        cv2.rectangle(wall, (x, 100), (x + 130, 100 + 182), colour, -1)
    return u8(wall)


def layout() -> Picture:
    """Frames printed on felt, as large as cards, with a suit in each."""
    felt = np.full((HIGH, WIDE, 3), (40, 100, 20), np.uint8)
    for n, suit in enumerate("shdc"):
        left = 30 + 150 * n
        cv2.rectangle(felt, (left, 150), (left + 130, 150 + 182), (230, 230, 230), 4, cv2.LINE_AA)
        for polygon in suit_shape(suit):
            cv2.fillPoly(
                felt, [np.round(polygon * 80 + (left + 65, 241)).astype(np.int32)], (230, 230, 230), cv2.LINE_AA
            )
    return u8(cv2.GaussianBlur(felt, (0, 0), 0.7))


def tiles(wide: int, high: int) -> Picture:
    light = ((X // wide + Y // high) % 2 * 200 + 30).astype(np.uint8)
    return u8(np.dstack([light // 2, light, light]))


PICTURES = {
    "noise": u8(RNG.integers(0, 256, (HIGH, WIDE, 3), np.uint8)),
    "grey noise": grey(RNG.normal(128, 40, (HIGH, WIDE))),
    "noise of a card's shape": u8(RNG.integers(0, 256, (440, 315, 3), np.uint8)),
    "gradient": grey(X * 255 / WIDE),
    "small tiles": tiles(40, 40),
    "card-shaped tiles": tiles(126, 176),
    "page": page(),
    "bricks": bricks(),
    "wood": wood(),
    "panes": panes(),
    "frames on felt": layout(),
    "yellow": u8(np.full((440, 315, 3), (40, 200, 220), np.uint8)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_no_card_is_seen_where_there_is_none(name: str, vision_layout: TableLayout, vision_deck: EnrolledDeck) -> None:
    for deck in (None, vision_deck):
        with pytest.raises(UsageError, match="shows neither a table"):
            read_picture(PICTURES[name], vision_layout, deck, name)


def test_a_lone_back_and_a_joker_are_still_seen_with_and_without_a_deck(
    vision_layout: TableLayout, vision_deck: EnrolledDeck
) -> None:
    back = loose_picture([LooseCard("blue", 600, 450, 31)])
    for deck in (None, vision_deck):
        (card,) = read_picture(back, vision_layout, deck, "back")  # type: ignore[misc]
        assert (card.face_up, card.label, card.cut_card) == (False, None, None)
    other = loose_picture([LooseCard("Jk", 600, 450, -12, 2.8)])
    for deck in (None, vision_deck):
        (card,) = read_picture(other, vision_layout, deck, "joker")  # type: ignore[misc]
        assert card.label == "Jk"


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def animated(picture: Picture) -> bytes:
    """A PNG of one frame that says it is animated."""
    still = cv2.imencode(".png", picture)[1].tobytes()
    frame = struct.pack(">IIIIIHHBB", 0, picture.shape[1], picture.shape[0], 0, 0, 1, 10, 0, 0)
    return still[:33] + chunk(b"acTL", struct.pack(">II", 1, 0)) + chunk(b"fcTL", frame) + still[33:]


def cmyk() -> bytes:
    """The start of a JPEG of four channels, with nothing after its header."""
    return (
        b"\xff\xd8\xff\xc0" + struct.pack(">HBHHB", 20, 8, 64, 64, 4) + bytes(n for c in range(4) for n in (c, 17, 0))
    )


def odd_files(card: Picture) -> dict[str, bytes]:
    jpeg = cv2.imencode(".jpg", card)[1].tobytes()
    return {
        "empty": b"",
        "text": b"no picture at all",
        "gif": b"GIF89a" + bytes(64),
        "cut short": jpeg[:40],
        "cmyk": cmyk(),
        "bomb": b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)),
    }


def test_files_that_are_no_picture_give_one_clear_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, data in odd_files(face_image("Qs", 6)).items():
        path = tmp_path / name
        path.write_bytes(data)
        for more in ([], ["--count", "spread"], ["--check-deck", "52"]):
            assert main(["read", str(path), *more]) == 2, (name, more)
            told = capsys.readouterr()
            assert told.out == ""
            assert told.err.count("\n") == 1
            assert str(path) in told.err


def test_a_card_is_read_whatever_its_file_is_like(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = face_image("Qs", 6)
    path = tmp_path / "card.png"
    for data in (
        cv2.imencode(".png", card.astype(np.uint16) * 257)[1].tobytes(),
        cv2.imencode(".png", np.dstack([card, np.full(card.shape[:2], 255, np.uint8)]))[1].tobytes(),
        cv2.imencode(".png", cv2.cvtColor(card, cv2.COLOR_BGR2GRAY))[1].tobytes(),
        animated(card),
    ):
        path.write_bytes(data)
        assert main(["read", str(path)]) == 0
        assert "card Q" in capsys.readouterr().out


def test_a_deck_is_not_checked_by_a_picture_without_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "noise.png"), PICTURES["noise"])
    assert main(["read", str(tmp_path / "noise.png"), "--check-deck", "52"]) == 2
    assert "no card is seen" in capsys.readouterr().err


def test_a_large_picture_is_read_in_bounded_memory(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "large.jpg"), cv2.resize(PICTURES["gradient"], (5000, 4000)))
    script = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (1_200_000_000, 1_200_000_000))\n"
        "from cardcert.__main__ import main\n"
        "sys.exit(main(['read', sys.argv[1]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "large.jpg")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "shows neither a table" in done.stderr
