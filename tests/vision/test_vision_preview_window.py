"""The preview where there is a screen and where there is none; how it ends; pictures of any size and shape."""

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from evidence.errors import RigFault
from vision.layout import standard_layout
from vision.pictures import Picture, u8
from vision.preview import Preview
from vision.preview_window import PreviewWindow, WindowGone, for_window, open_window, show
from vision.scene import Scene
from vision.sources import Frame, FrameSource
from vision.synthetic.renderer import Renderer
from vision.window_process import TITLE, fitting, read_picture, write_picture

TIMEOUT_S = 30.0
SIGNALS = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM}


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


def never(_timeout_s: float, other: int) -> bool:
    select.select([other], [], [], _timeout_s)
    return False


def test_no_window_is_opened_on_a_screen_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    assert open_window(never) is None
    monkeypatch.setenv("DISPLAY", ":64999")
    assert open_window(never) is None


def test_a_picture_comes_to_the_window_as_it_was(tmp_path: Path) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (7, 5, 3), np.uint8)
    with (tmp_path / "picture").open("w+b") as file:
        line = write_picture(file.fileno(), u8(picture[:, ::-1]))
        assert (read_picture(file.fileno(), line.decode()) == picture[:, ::-1]).all()


WINDOW = "import sys; print('0 0', flush=True); sys.stdin.readline(); "


@pytest.mark.parametrize(
    ("then", "ends"),
    [
        ("sys.exit(0)", None),
        ("sys.exit(1)", WindowGone),
        ("import os; os.abort()", WindowGone),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", WindowGone),
    ],
)
def test_a_window_that_goes_by_itself_is_told_from_one_that_was_closed(
    then: str, ends: type[Exception] | None, tmp_path: Path
) -> None:
    with window_like(WINDOW + then, tmp_path) as window:
        preview = Preview(Pictures(), standard_layout())
        with contextlib.nullcontext() if ends is None else pytest.raises(ends):
            show(window, preview, lambda: 0, never)


def test_a_window_that_stands_still_is_ended(tmp_path: Path) -> None:
    with window_like(WINDOW + "sys.stdin.read(); import time; time.sleep(1000)", tmp_path) as window:
        process = window.process
        show(window, Preview(Pictures(), standard_layout()), lambda: 0, lambda *_: window.ready is False)
        assert process.poll() is None
    assert process.returncode == -signal.SIGKILL


@contextmanager
def window_like(code: str, folder: Path) -> Iterator[PreviewWindow]:
    """Another program in the place of the process that has the window."""
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with PreviewWindow(process, (folder / "picture").open("w+b")) as window:
        yield window


@pytest.mark.parametrize(
    ("words", "number", "begun", "ends", "said"),
    [
        (["--port", "0"], signal.SIGINT, "preview: http", 0, ""),
        (
            ["--snapshots", "s", "--count", "100000"],
            signal.SIGTERM,
            "s/preview-0000.jpg",
            3,
            "cardcert: stopped after ",
        ),
    ],
)
def test_the_other_forms_end_in_good_order(
    words: list[str], number: signal.Signals, begun: str, ends: int, said: str, tmp_path: Path
) -> None:
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "cardcert", "camera", "preview", *words]
    with subprocess.Popen(
        command, env=there, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(begun)
        if "http" in line:
            port = urlsplit(line.split()[1]).port
            with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S) as stream:
                stream.sendall(b"GET /stream.mjpg HTTP/1.0\r\n\r\n")
                with stream.makefile("rb") as answer:
                    while b"Content-Length" not in answer.readline(1000):
                        pass  # until there is a first picture; somebody goes on looking
                process.send_signal(number)
                _, told = process.communicate(timeout=TIMEOUT_S)
        else:
            process.send_signal(number)
            _, told = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == ends
    assert told.startswith(said)
    assert len(told.splitlines()) == len(said.splitlines())
    assert [path.name for path in tmp_path.rglob("*.tmp")] == []


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
    # Left to itself, this screen begins anew whenever its last program has gone, and breaks off who comes just then.
    process = subprocess.Popen(
        ["Xvfb", "-noreset", "-displayfd", "1", "-screen", "0", "1600x1000x24"], stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        yield f":{process.stdout.readline().decode().strip()}"
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT_S)


@pytest.mark.screen
@pytest.mark.skipif(shutil.which("Xvfb") is None or shutil.which("xdotool") is None, reason="needs Xvfb and xdotool")
@pytest.mark.parametrize("act", ["q", "Escape", "interrupt", "terminate"])
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
                if act in SIGNALS:
                    process.send_signal(SIGNALS[act])
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


@pytest.mark.screen
@pytest.mark.skipif(shutil.which("Xvfb") is None or shutil.which("xdotool") is None, reason="needs Xvfb and xdotool")
def test_a_screen_that_goes_away_ends_the_preview_with_a_word() -> None:
    with screen() as display:
        there = {**os.environ, "DISPLAY": display, "PYTHONPATH": os.pathsep.join(sys.path)}
        words = [sys.executable, "-m", "cardcert", "camera", "preview"]
        process = subprocess.Popen(words, env=there, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        window_of(process, there)
    try:
        told, _ = process.communicate(timeout=TIMEOUT_S)
    finally:
        process.kill()
    assert process.returncode == 3
    assert told.splitlines() == [
        "cardcert: the preview's window has gone, with its screen perhaps; --port 0 shows a page instead"
    ]


def window_of(process: "subprocess.Popen[str]", there: dict[str, str]) -> str:
    search = ["xdotool", "search", "--onlyvisible", "--name", TITLE]
    deadline = monotonic() + TIMEOUT_S
    while monotonic() < deadline and process.poll() is None:
        found = subprocess.run(search, env=there, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
        if found.stdout:
            return found.stdout.split()[-1]
    raise AssertionError(f"no window; {process.communicate(timeout=TIMEOUT_S)}")
