"""The preview where there is a screen and where there is none; how it ends; pictures of any size and shape."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from evidence.errors import RigFault
from vision.layout import standard_layout
from vision.pictures import Picture, u8
from vision.preview import Preview
from vision.preview_window import TITLE, can_open, fitting, for_window, is_open
from vision.scene import Scene
from vision.sources import Frame, FrameSource
from vision.synthetic.renderer import Renderer

TIMEOUT_S = 30.0


class Pictures(FrameSource):
    """Gives these pictures, then None; an error among them is raised."""

    def __init__(self, *pictures: Picture | RigFault) -> None:
        self._left = list(pictures)
        self.asked = 0

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        self.asked += 1
        picture = self._left.pop(0) if self._left else None
        if isinstance(picture, RigFault):
            raise picture
        return None if picture is None else Frame(picture, after_ns, 0)

    def close(self) -> None:
        pass


def test_no_window_is_opened_on_a_screen_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    assert not can_open()
    monkeypatch.setenv("DISPLAY", ":64999")
    assert not can_open()


def test_a_window_that_has_gone_with_all_that_was_behind_it_is_closed() -> None:
    assert not is_open()


def test_a_picture_is_made_no_larger_than_its_window() -> None:
    picture = np.zeros((1200, 1600, 3), np.uint8)
    assert fitting(picture, (1280, 800)) == (1067, 800)
    assert fitting(picture, (4000, 3000)) == (1600, 1200)
    assert for_window(picture, (0, 0, 800, 800)[2:]).shape == (600, 800, 3)
    assert for_window(picture, (-1, -1)) is picture, "a window that is not there yet"
    assert for_window(picture, (1600, 1200)) is picture


def test_a_film_ends_with_its_last_picture(vision_renderer: Renderer) -> None:
    picture = vision_renderer.frame(Scene({}), 0)
    source = Pictures(picture)
    preview = Preview(source, standard_layout(), recorded=True)
    first, sight = preview.take(0, 0)
    assert sight.state == "ok"
    assert not preview.ended
    for _ in range(3):
        shown, sight = preview.take(0, 0)
        assert preview.ended
        assert preview.idle
        assert "the recording has ended" in sight.words
        assert (shown[: picture.shape[0]] == first[: picture.shape[0]]).all()
    assert source.asked == 2, "what has ended is not asked again"


def test_a_live_camera_that_is_away_never_shows_an_old_picture(vision_renderer: Renderer) -> None:
    good = [vision_renderer.frame(Scene({}), number) for number in range(2)]
    preview = Preview(Pictures(good[0], RigFault("half a picture came"), good[1]), standard_layout())
    states = [preview.take(0, 0)[1] for _ in range(4)]
    assert [sight.state for sight in states] == ["ok", "no_frame", "ok", "no_frame"]
    assert states[1].detail == "half a picture came"


def test_only_as_many_snapshots_are_written_as_there_are_stills(
    tmp_path: Path, vision_renderer: Renderer, capsys: pytest.CaptureFixture[str]
) -> None:
    stills = tmp_path / "stills"
    stills.mkdir()
    for number in range(2):
        cv2.imwrite(str(stills / f"{number}.png"), vision_renderer.frame(Scene({}), number))
    rig = tmp_path / "rig.toml"
    rig.write_text(
        'name = "bench"\n[[device]]\nname = "shoe"\nrole = "shoe"\nurl = "socket://127.0.0.1:9"\n'
        '[camera]\nurl = "stills"\n[software]\nurl = "ws://127.0.0.1:9"\n[hands]\nkind = "person"\n'
    )
    assert main(["camera", "preview", "--rig", str(rig), "--snapshots", str(tmp_path / "seen"), "--count", "5"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert [path.name for path in sorted((tmp_path / "seen").iterdir())] == ["preview-0000.jpg", "preview-0001.jpg"]


@pytest.mark.parametrize("size", [(1, 1), (16, 9), (1, 3000), (3000, 1), (320, 180), (1600, 900)])
def test_a_picture_of_any_size_can_be_looked_at(size: tuple[int, int]) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), np.uint8)
    drawn, sight = Preview(Pictures(picture), standard_layout()).take(0, 0)
    assert sight.state == "moved"
    assert f"{size[0]} x {size[1]}" in sight.detail
    assert drawn.shape[0] > picture.shape[0], "the panel lies below it"


def test_places_are_drawn_into_a_picture_of_another_size_but_its_shape(vision_renderer: Renderer) -> None:
    layout = standard_layout()
    good = vision_renderer.frame(Scene({}), 0)
    larger = u8(cv2.resize(good, None, fx=1.5, fy=1.5))
    cut = u8(good[:, :-200])
    assert [Preview(Pictures(picture), layout).take(0, 0)[1].markers for picture in (larger, cut)] == [4, 0]


@contextmanager
def screen() -> Iterator[str]:
    process = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24"], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield f":{process.stdout.readline().decode().strip()}"
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT_S)


@pytest.mark.screen
@pytest.mark.skipif(shutil.which("Xvfb") is None or shutil.which("xdotool") is None, reason="needs Xvfb and xdotool")
@pytest.mark.parametrize("act", ["q", "Escape", "interrupt"])
def test_the_window_stays_open_until_it_is_told_to_close(act: str) -> None:
    with screen() as display:
        there = {**os.environ, "DISPLAY": display, "PYTHONPATH": os.pathsep.join(sys.path)}
        words = [sys.executable, "-m", "cardcert", "camera", "preview"]
        with subprocess.Popen(words, env=there, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            try:
                window = window_of(process, there)
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(1.0)  # it stays
                deadline = monotonic() + TIMEOUT_S
                if act == "interrupt":
                    process.send_signal(signal.SIGINT)
                    process.wait(TIMEOUT_S)
                while process.poll() is None and monotonic() < deadline:
                    # Where no window manager is, a key may be lost.
                    keys = ["xdotool", "windowfocus", window, "key", "--window", window, act]
                    subprocess.run(keys, env=there, capture_output=True, check=False, timeout=TIMEOUT_S)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(3.0)
                told, _ = process.communicate(timeout=TIMEOUT_S)
                assert (process.returncode, told) == (0, "")
            finally:
                process.kill()


def window_of(process: "subprocess.Popen[str]", there: dict[str, str]) -> str:
    search = ["xdotool", "search", "--onlyvisible", "--name", TITLE]
    deadline = monotonic() + TIMEOUT_S
    while monotonic() < deadline and process.poll() is None:
        found = subprocess.run(search, env=there, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
        if found.stdout:
            return found.stdout.split()[-1]
    raise AssertionError(f"no window; {process.communicate(timeout=TIMEOUT_S)}")
