"""Frames come stamped, newest first, and never from before the moment that was asked for."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from vision.layout import TableLayout
from vision.pictures import MAX_FILE_BYTES, MAX_PIXELS, Picture, decode_picture, encode_jpeg, picture_size
from vision.reader import TableReader
from vision.scene import Pile, Scene, SceneCard
from vision.sources import FolderSource, FrameSource, RenderedSource, load_picture
from vision.synthetic.renderer import Renderer


def test_a_rendered_source_photographs_the_scene_of_the_moment(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    now = [1_000]
    scenes = [Scene({})]
    source: FrameSource = RenderedSource(lambda: scenes[0], vision_renderer, lambda: now[0])
    first = source.grab(1_000, 1.0)
    assert first is not None
    assert (first.stamp_ns, first.index) == (1_000, 0)
    assert vision_reader.look(first.image, "burn").count == 0
    scenes[0], now[0] = Scene({"burn": Pile((SceneCard("9d", True),), "squared")}), 2_000
    second = source.grab(1_500, 1.0)
    assert second is not None
    assert (second.stamp_ns, second.index) == (2_000, 1)
    assert vision_reader.look(second.image, "burn").labels == ("9d",)
    assert source.grab(2_001, 0.0) is None
    source.close()


def test_a_folder_gives_its_stills_in_order_and_ends(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.jpg", 10), ("c.PNG", 30)):
        cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), level, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    source = FolderSource(tmp_path, lambda: 5)
    levels = []
    while (frame := source.grab(0, 0.0)) is not None:
        levels.append(int(frame.image.mean().round()))
    assert levels == [10, 20, 30]
    with pytest.raises(UsageError, match="expected a folder"):
        FolderSource(tmp_path / "absent", lambda: 5)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="found 0"):
        FolderSource(tmp_path / "empty", lambda: 5)


def _png_claiming(width: int, height: int) -> bytes:
    good = bytearray(cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes())
    good[16:24] = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return bytes(good)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "text": lambda: b"GIF is not spoken here",
    "html": lambda: b"<html><body>Not found</body></html>",
    "jpeg start only": lambda: b"\xff\xd8\xff",
    "jpeg of garbage": lambda: b"\xff\xd8\xff\xe0" + bytes(range(256)) * 8,
    "jpeg without a frame": lambda: b"\xff\xd8\xff\xda" + bytes(64),
    "jpeg with a short segment": lambda: b"\xff\xd8\xff\xe0\x00\x00" + bytes(64),
    "cut jpeg header": lambda: encode_jpeg(np.zeros((64, 64, 3), np.uint8))[:160],
    "png of nothing": lambda: b"\x89PNG\r\n\x1a\n",
    "cut png": lambda: cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes()[:50],
    "png that claims a bomb": lambda: _png_claiming(2**31 - 1, 2**31 - 1),
    "png just too large": lambda: _png_claiming(MAX_PIXELS + 1, 1),
    "png of no width": lambda: _png_claiming(0, 100),
    "png whose header lies": lambda: _png_claiming(40, 40),
    "too many bytes": lambda: b"\xff\xd8\xff" + bytes(MAX_FILE_BYTES),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_picture_gives_one_clear_message(name: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(HOSTILE[name]())
    with pytest.raises(UsageError, match=r"picture\.jpg: ") as caught:
        load_picture(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
@pytest.mark.parametrize("size", [(1, 1), (17, 5), (640, 360)])
def test_the_size_in_a_header_is_the_size_of_the_picture(suffix: str, size: tuple[int, int]) -> None:
    width, height = size
    data = cv2.imencode(suffix, np.zeros((height, width, 3), np.uint8))[1].tobytes()
    assert picture_size(data) == size
    assert decode_picture(data, "it").shape == (height, width, 3)


def test_colours_survive_the_evidence_picture(vision_layout: TableLayout) -> None:
    picture: Picture = np.zeros((40, 40, 3), np.uint8)
    picture[:, ::2] = (0, 0, 220)
    picture[:, 1::2] = (0, 160, 0)
    seen = decode_picture(encode_jpeg(picture), "it").astype(int)
    assert abs(seen[:, ::2].mean(axis=(0, 1)) - (0, 0, 220)).max() < 12
    assert encode_jpeg(picture) == encode_jpeg(picture.copy())


def test_files_that_are_not_there_or_no_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found nothing"):
        load_picture(tmp_path / "absent.png")
    with pytest.raises(UsageError, match="found a folder"):
        load_picture(tmp_path)
