"""The preview in a window of its own, where there is a screen and an OpenCV that opens windows.

A process of its own has the window (`vision.window_process`), and is ended, by force where need be, when the preview
ends: whatever happens to the screen, or within the library behind windows, never holds up or ends the command.
"""

import contextlib
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import BinaryIO

import cv2

from vision.pictures import Picture, u8
from vision.preview import Preview
from vision.window_process import MOST_PX, fitting, write_picture

_GRAB_TIMEOUT_S = 1.0
_OPEN_TIMEOUT_S = 40.0
_CLOSE_TIMEOUT_S = 3.0
_IDLE_S = 0.2
"""A camera that is away, or a film that has ended, is not asked without pause."""
_MOST_LINE = 64

Pause = Callable[[float, int], bool]
"""Waits so many seconds, or until the file descriptor has something to read; says whether the preview is to end."""


class WindowGone(Exception):
    """The window went by itself, with its screen perhaps."""


class PreviewWindow:
    """A window that shows pictures. Used within `with`; made by `open_window`."""

    def __init__(self, process: "subprocess.Popen[bytes]", file: BinaryIO) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("the window's process needs pipes")
        self.process, self._given, self._told, self._file = process, process.stdin, process.stdout, file
        self._line = b""
        self.area = MOST_PX
        self._begun = False
        self.ready = False
        """Whether it has shown what it was given and waits for the next picture."""

    def fileno(self) -> int:
        """What can be read when the window has something to say."""
        return self._told.fileno()

    def show(self, picture: Picture) -> None:
        """Give it a picture, which is made no larger than the window shows it."""
        self.ready = False
        line = write_picture(self._file.fileno(), for_window(picture, self.area))
        with contextlib.suppress(OSError):  # `is_open` tells then
            self._given.write(line)
            self._given.flush()

    def is_open(self) -> bool:
        """Whether the window is still there, after what it has said. Raises `WindowGone` where nobody closed it."""
        while select.select([self._told], [], [], 0)[0]:
            data = os.read(self.fileno(), _MOST_LINE)
            if not data:
                return self._ended()
            *lines, self._line = (self._line + data).split(b"\n")
            for line in lines:
                self.ready = self._begun = True
                width, height = (int(number) for number in line.split())
                self.area = (width, height) if width > 0 and height > 0 else self.area
        return True

    def _ended(self) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self.process.wait(_CLOSE_TIMEOUT_S) == 0:
                return False
        raise WindowGone

    def __enter__(self) -> "PreviewWindow":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it. Takes no longer than a few seconds."""
        with contextlib.suppress(OSError):
            self._given.close()
        if self._begun:  # else it would show a window yet, before it found that nobody wants it
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_CLOSE_TIMEOUT_S)
        self.process.kill()
        self.process.wait()
        self._told.close()
        self._file.close()


def open_window(pause: Pause) -> PreviewWindow | None:
    """The window, or None where none can be opened here. Ends when `pause` says so."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return None
    gui = next((line for line in cv2.getBuildInformation().splitlines() if line.strip().startswith("GUI:")), "")
    if "NONE" in gui:
        return None
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the window
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "vision.window_process", str(file.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            pass_fds=[file.fileno()],
            process_group=0,  # Ctrl-C is for whoever gives the pictures
        )
    except OSError:
        file.close()
        return None
    window, opened = PreviewWindow(process, file), False
    try:
        opened = _opens(window, pause)
    finally:
        if not opened:
            window.__exit__(None, None, None)
    return window if opened else None


def _opens(window: PreviewWindow, pause: Pause) -> bool:
    until = monotonic() + _OPEN_TIMEOUT_S
    try:
        while not window.ready and monotonic() < until:
            if pause(max(0.0, until - monotonic()), window.fileno()) or not window.is_open():
                return False
    except WindowGone:
        return False
    return window.ready


def show(window: PreviewWindow, preview: Preview, now_ns: Callable[[], int], pause: Pause, pause_s: float = 0) -> None:
    """Show pictures, each for `pause_s` or more, until `pause` says so, q or Escape is pressed in the window, or it is
    closed. Raises `WindowGone` where the window goes by itself.
    """
    while True:
        picture, _ = preview.take(now_ns(), _GRAB_TIMEOUT_S)
        window.show(picture)
        due = monotonic() + max(pause_s, _IDLE_S if preview.idle else 0)
        while True:
            left = due - monotonic()
            if pause(max(0.0, left) if window.ready else _GRAB_TIMEOUT_S, window.fileno()) or not window.is_open():
                return
            if window.ready and left <= 0:
                break


def for_window(picture: Picture, area: tuple[int, int]) -> Picture:
    """The picture no larger than the window shows it: the window itself would lose thin lines and words."""
    width, height = area
    if width < 1 or height < 1:
        return picture
    size = fitting(picture, (width, height))
    if size == (picture.shape[1], picture.shape[0]):
        return picture
    return u8(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
