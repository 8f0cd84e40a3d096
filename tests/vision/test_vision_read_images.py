"""`read_images`: whole tables wherever the camera stood, single cards, and a clear word for everything else."""

import json
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from vision.deck import EnrolledDeck
from vision.deck_file import save_deck
from vision.pictures import decode_picture
from vision.read_images import read_images, tell
from vision.reader import BUTTON, SHAKER, TableReader
from vision.scene import Pile, Scene, SceneCard, SceneDie
from vision.synthetic.cards import back_image, face_image
from vision.synthetic.renderer import Renderer

SCENE = Scene(
    {
        "seat/1": Pile(tuple(SceneCard(x, True) for x in ("Ah", "Tc", "Jk")), "spread"),
        "seat/4": Pile(tuple(SceneCard(x, False) for x in ("2h", "3h")), "squared"),
        "shoe_mouth": Pile(tuple(SceneCard(x, x == "Qd") for x in ("4h", "Qd", "5h")), "staggered"),
    },
    (SceneDie(6, "flat"), SceneDie(5, "flat"), SceneDie(1, "flat")),
    shaker_covered=False,
    devices=frozenset({"shoe"}),
    button="seat/2",
)


@pytest.fixture(scope="module")
def table_files(vision_renderer: Renderer, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pictures")
    frame = vision_renderer.frame(SCENE, 0)
    tilted = cv2.warpPerspective(
        frame, np.array([[0.95, 0.02, 30], [-0.01, 0.97, 20], [0, 0, 1.0]]), (1400, 800), borderValue=(30, 30, 30)
    )
    files = [folder / "straight.png", folder / "tilted.jpg"]
    cv2.imwrite(str(files[0]), frame)
    cv2.imwrite(str(files[1]), tilted)
    return files


def test_a_table_is_read_from_wherever_the_camera_stood(table_files: list[Path]) -> None:
    for row in read_images(table_files):
        assert row["kind"] == "table"
        places = {place["place"]: place for place in row["places"]}
        assert [card["label"] for card in places["seat/1"]["face_up"]] == ["Ah", "Tc", "Jk"]
        assert (places["seat/4"]["count"], places["seat/4"]["stacked"]) == (None, True)
        mouth = places["shoe_mouth"]
        assert (mouth["count"], mouth["face_down"], mouth["face_up"][0]["label"]) == (3, 2, "Qd")
        assert all(places[name]["count"] == 0 for name in ("dealer", "burn", "seat/2", "discard_rack"))
        assert row["dice"]["total"] == 12
        assert row["devices"] == {"shuffler": False, "shoe": True}
        assert row["button"]["position"] == "seat/2"
        assert json.loads(json.dumps(row)) == row
        words = tell(row)
        assert "3 cards, 2 face down, face up Qd" in words
        assert "3 flat, 0 leaning, 0 outside, total 12" in words


def test_single_cards_are_named_or_said_to_lie_face_down(tmp_path: Path, vision_deck: EnrolledDeck) -> None:
    cv2.imwrite(str(tmp_path / "card.png"), face_image("Qs", 6))
    cv2.imwrite(str(tmp_path / "back.png"), back_image("blue", 6))
    save_deck(vision_deck, tmp_path / "deck.npz")
    up, down = read_images([tmp_path / "card.png", tmp_path / "back.png"], deck=tmp_path / "deck.npz")
    assert (up["kind"], up["cards"][0]["label"], up["cards"][0]["face_up"]) == ("cards", "Qs", True)
    back = down["cards"][0]
    assert (back["label"], back["face_up"], back["back"]) == (None, False, "blue")
    assert "card Qs, confidence" in tell(up)
    assert "face down, blue back" in tell(down)


def test_annotated_pictures_are_written_whole(table_files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "annotated"
    list(read_images(table_files, annotate=out))
    assert sorted(path.name for path in out.iterdir()) == ["0000-straight.jpg", "0001-tilted.jpg"]
    high, wide = decode_picture((out / "0000-straight.jpg").read_bytes(), "it").shape[:2]
    assert wide == 2560
    assert high > 1440


def test_pictures_of_neither_table_nor_card_are_refused_by_name(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    pictures = {
        "black": np.zeros((300, 300, 3), np.uint8),
        "white": np.full((300, 300, 3), 255, np.uint8),
        "noise": rng.integers(0, 255, (300, 300, 3), np.uint8),
        "dot": np.zeros((1, 1, 3), np.uint8),
        "line": np.full((1, 4000, 3), 200, np.uint8),
    }
    for name, picture in pictures.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), picture)
        (row,) = read_images([tmp_path / f"{name}.png"])
        assert f"{name}.png: shows neither a table" in row["error"]


def test_a_cut_off_or_spoiled_png_is_refused_in_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    whole = cv2.imencode(".png", np.zeros((40, 40, 3), np.uint8))[1].tobytes()
    spoiled = whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]
    assert decode_picture(whole, "whole").shape == (40, 40, 3)
    for data in (whole[:-20], spoiled, whole[:33]):
        with pytest.raises(UsageError, match="damaged"):
            decode_picture(data, "picture")
    assert capfd.readouterr().err == ""


def test_a_png_prints_nothing_whatever_its_chunks_hold(capfd: pytest.CaptureFixture[str]) -> None:
    def chunk(kind: bytes, held: bytes) -> bytes:
        return len(held).to_bytes(4, "big") + kind + held + zlib.crc32(kind + held).to_bytes(4, "big")

    def png(held: bytes, *more: bytes, colours: int = 2) -> bytes:
        header = (40).to_bytes(4, "big") * 2 + bytes([8, colours, 0, 0, 0])
        return b"".join(
            [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", header), *more, chunk(b"IDAT", held), chunk(b"IEND", b"")]
        )

    rows = bytes(40 * (40 * 3 + 1))
    noisy = [chunk(b"tEXt", b"")] * 1000
    assert decode_picture(png(zlib.compress(rows), *noisy), "noisy").shape == (40, 40, 3)
    packed = zlib.compress(rows)
    for held in (zlib.compress(rows[:-1]), zlib.compress(rows + b"\0"), packed[:-8], b"", b"no deflate"):
        with pytest.raises(UsageError, match="damaged"):
            decode_picture(png(held), "picture")
    with pytest.raises(UsageError, match="damaged"):
        decode_picture(png(packed, colours=5), "picture")
    assert capfd.readouterr() == ("", "")


def test_misuse_is_told(tmp_path: Path, table_files: list[Path], vision_deck: EnrolledDeck) -> None:
    with pytest.raises(UsageError, match="expected 1 to"):
        list(read_images([]))
    with pytest.raises(UsageError, match="cannot read the deck"):
        list(read_images(table_files, deck=tmp_path / "absent.npz"))
    with pytest.raises(UsageError, match="cannot read the table layout"):
        list(read_images(table_files, layout=tmp_path / "absent.toml"))
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="cannot write annotated pictures"):
        list(read_images(table_files, annotate=tmp_path / "file"))
    part = EnrolledDeck(vision_deck.labels[:9], vision_deck.vectors[:9], vision_deck.backs, vision_deck.back_colours)
    save_deck(part, tmp_path / "part.npz")
    with pytest.raises(UsageError, match="43 cards are not enrolled"):
        list(read_images(table_files, deck=tmp_path / "part.npz"))


def test_evidence_is_annotated_on_a_copy(vision_renderer: Renderer, vision_reader: TableReader) -> None:
    frame = vision_renderer.frame(SCENE, 1)
    for area in ("seat/1", "shoe_mouth", "seat/4", "dealer", SHAKER, BUTTON):
        jpeg = vision_reader.crop(frame, area)
        reading = (
            vision_reader.dice_crop(jpeg)
            if area == SHAKER
            else vision_reader.button_crop(jpeg)
            if area == BUTTON
            else vision_reader.look_crop(jpeg, area)
        )
        drawn = decode_picture(vision_reader.annotate(jpeg, reading), "it")
        plain = decode_picture(jpeg, "it")
        scale = 2 if area == BUTTON else 3
        assert drawn.shape[1] == plain.shape[1] * scale
        assert drawn.shape[0] == plain.shape[0] * scale + 34
        enlarged = cv2.resize(plain, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC).astype(int)
        changed = (abs(drawn[:-34].astype(int) - enlarged).max(axis=2) > 60).mean()
        assert changed < 0.002 if area == "dealer" else changed > 0.002, area
