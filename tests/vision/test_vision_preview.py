"""What `cardcert camera` does: boards, calibration of a folder and of a live camera, preview in files and on a page."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from time import monotonic_ns
from typing import cast

import cv2
import numpy as np
import pytest

from bench.plan import load_plan
from bench.rig import load_rig
from bench.workshop import Workshop
from cardcert.__main__ import main
from cardcert.shipped import find_plan
from evidence.errors import UsageError
from evidence.notes import Recorder
from vision.board import Board
from vision.calibration import load_calibration
from vision.collecting import collect
from vision.layout import standard_layout
from vision.mjpeg_server import MjpegServer
from vision.pictures import Picture, encode_jpeg, u8
from vision.preview import Preview
from vision.scene import Scene
from vision.sources import FolderSource, Frame, FrameSource
from vision.synthetic.board_views import hold_board
from vision.synthetic.renderer import Renderer

SIZE = (640, 360)
VIEW = np.array([[560.0, 0, 322], [0, 560.0, 178], [0, 0, 1]])
TIMEOUT_S = 60
RIG = """
name = "bench"
[[device]]
name = "shoe"
role = "shoe"
url = "socket://127.0.0.1:9"
[camera]
url = "{url}"
latency_s = 0.0
{more}
[software]
url = "ws://127.0.0.1:9"
[hands]
kind = "person"
"""


def board_views() -> list[Picture]:
    """A dozen pictures of the board before a plain table whose four markers show, from a camera close by."""
    middle = np.array([740.0, 416.0])
    flat = np.hstack([np.array([[0, 0], [1480, 0], [1480, 832], [0, 832]]) - middle, np.zeros((4, 1))])
    at, _ = cv2.projectPoints(flat, np.array([-0.2, 0, 0]), np.array([0.0, -6, 1500]), VIEW, np.zeros(5))
    corners = tuple((float(x), float(y)) for x, y in np.asarray(at).reshape(-1, 2))
    layout = standard_layout().scaled(SIZE).recalibrated(corners)
    table = Renderer(layout, 3, SIZE).frame(Scene({}), 0)
    views = [table]
    for number in range(12):
        column, row = number % 4, number // 4
        tilt = np.array([[0.4, -0.4, 0.2, 0.35][column], [-0.4, 0.3, 0.45][row], 0.1])
        where = np.array([(column - 1.5) * 130 - 135, (row - 1) * 80 - 90, 620.0 + 20 * number])
        views.append(hold_board(table, Board("A4"), VIEW, tilt, where))
    return views


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("board")
    for number, picture in enumerate(board_views()):
        cv2.imwrite(str(where / f"{number:02d}.png"), picture)
    return where


def rig_file(where: Path, url: str, more: str = "") -> Path:
    path = where / "rig.toml"
    path.write_text(RIG.format(url=url, more=more))
    return path


def test_a_folder_is_calibrated_and_the_file_is_what_a_rig_needs(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "camera.toml"
    assert main(["camera", "calibrate", "--images", str(folder), "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pictures"] == 12
    assert told["reprojection_px"] < 0.5
    assert load_calibration(out).lens.focal_px == pytest.approx((560, 560), rel=0.02)
    rig = rig_file(tmp_path, str(folder), 'calibration = "camera.toml"')
    assert main(["camera", "preview", "--rig", str(rig), "--snapshots", str(tmp_path / "seen")]) in (0, 3)
    assert "4 of 4 markers" in capsys.readouterr().out
    assert cv2.imread(str(tmp_path / "seen" / "preview-0000.jpg")) is not None


def test_a_recording_is_refused_where_evidence_is_asked_for(folder: Path, tmp_path: Path) -> None:
    workshop = Workshop(load_rig(rig_file(tmp_path, str(folder))), seed=1)
    (scenario, *_) = load_plan(find_plan("default")).scenarios
    with pytest.raises(UsageError, match="no evidence of this run"), workshop.open(scenario, no_journal(), {}):
        pass


def no_journal() -> Recorder:
    """Nothing may be written before the camera is refused."""
    return cast(Recorder, None)


def test_a_live_camera_is_calibrated_by_showing_the_board(folder: Path) -> None:
    told: list[str] = []
    kept = collect(FolderSource(folder, monotonic_ns), Board("A4"), lambda: 0, told.append)
    assert len(kept) == 13
    assert told[0].startswith("the table is seen")
    assert [line.split(";")[0] for line in told[1:]] == [f"{number} of 20" for number in range(1, 13)]
    again = [path for path in sorted(folder.iterdir()) for _ in range(3)]
    assert len(collect(FolderSource(again, monotonic_ns), Board("A4"), lambda: 0, told.append)) == 13, "each view once"


@contextmanager
def served(take: Callable[[], Picture]) -> Iterator[str]:
    with MjpegServer(lambda: encode_jpeg(take()), fps=50) as server:
        yield server.url


def test_the_page_shows_the_live_picture_and_its_health(tmp_path: Path, vision_renderer: Renderer) -> None:
    frames = cycle([vision_renderer.frame(Scene({}), number) for number in range(2)])
    with served(lambda: next(frames)) as url:
        rig = rig_file(tmp_path, url)
        process = subprocess.Popen(
            [sys.executable, "-m", "cardcert", "camera", "preview", "--rig", str(rig), "--port", "0", "--json"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            address = json.loads(process.stdout.readline())["preview"]
            assert address.startswith("http://127.0.0.1:")
            host = address.removeprefix("http://").rstrip("/")
            page = get(host, "/")
            assert b"/stream.mjpg" in page
            assert get(host, "/snapshot.jpg")[:2] == b"\xff\xd8"
            health = json.loads(get(host, "/health.json"))
            assert (health["state"], health["markers"]) == ("ok", 4)
        finally:
            process.terminate()
            process.communicate(timeout=TIMEOUT_S)


def get(host: str, path: str) -> bytes:
    connection = http.client.HTTPConnection(host, timeout=TIMEOUT_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200
    return answer.read()


class Still(FrameSource):
    def __init__(self, picture: Picture | None) -> None:
        self._picture = picture
        self.trouble = "the cable is out"

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        return None if self._picture is None else Frame(self._picture, after_ns, 0)

    def close(self) -> None:
        pass


def test_a_preview_says_what_is_wrong(vision_renderer: Renderer) -> None:
    layout = standard_layout()
    good = vision_renderer.frame(Scene({}), 0)
    soft = u8(cv2.GaussianBlur(good, (0, 0), 3))
    sharp_sight, soft_sight = (Preview(Still(picture), layout).take(0, 0)[1] for picture in (good, soft))
    assert sharp_sight.state == "ok"
    assert soft_sight.state == "blurred"
    assert soft_sight.focus < 1 < sharp_sight.focus
    low, high = sharp_sight.paper_wanted
    assert sharp_sight.paper is not None
    assert low < sharp_sight.paper[0] < sharp_sight.paper[1] < high
    picture, sight = Preview(Still(None), layout).take(0, 0)
    assert (sight.state, sight.detail) == ("no_frame", "the cable is out")
    assert picture.shape == good.shape
    small = Preview(Still(u8(cv2.resize(good, (320, 180)))), layout).take(0, 0)[1]
    assert small.state == "moved"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["calibrate", "--print", "board.txt"], "ends in .pdf or .png"),
        (["calibrate", "--images", "absent"], "expected a folder"),
        (["calibrate", "--rig", "emulated"], "nothing to calibrate"),
        (["preview", "--port", "70000"], "expected 0 to 65535"),
        (["preview", "--snapshots", "x", "--count", "0"], "expected 1 to"),
    ],
)
def test_a_mistake_gets_one_clear_message(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("camera", "said"),
    [
        ('url = "ftp://192.0.2.1/x"', "[camera] url: camera address"),
        ('url = "/dev/video0"\nsize_px = [1280]', "size_px"),
        ('url = "/dev/video0"\nsize_px = [12, 720]', "size_px"),
        ('url = "/dev/video0"\nfps = -1', "fps"),
        ('url = "/dev/video251"', "there is no such device"),
        ('url = "rtsp://127.0.0.1:9/x"\nfps = 25', "only a USB camera"),
        ('url = "absent.mkv"', "cannot read the video"),
        ('url = "rtsp://127.0.0.1:9/x"\ncalibration = "absent.toml"', "cannot read the calibration"),
    ],
)
def test_a_mistake_in_a_rig_files_camera_gets_one_clear_message(
    camera: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rig.toml"
    path.write_text(RIG.replace('url = "{url}"\nlatency_s = 0.0\n{more}', camera))
    assert main(["camera", "preview", "--rig", str(path), "--snapshots", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1
