"""The preview in a window of its own, where there is a screen and an OpenCV that opens windows."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence

import cv2

from vision.pictures import Picture, u8
from vision.preview import Preview

TITLE = "cardcert camera preview"
_MOST_PX = (1280, 800)
"""A new window is no larger than this, so that it fits on the screen of a notebook; people may make it larger."""
_GRAB_TIMEOUT_S = 1.0
_PROBE_TIMEOUT_S = 20.0
_PROBE = "import cv2; cv2.namedWindow('cardcert', cv2.WINDOW_GUI_NORMAL); cv2.destroyAllWindows()"


def can_open() -> bool:
    """Whether a window can be opened here.

    Where a screen is named that is not there, or no longer, the library behind the windows ends the whole process, and
    nothing can be caught; so another process tries it first.
    """
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    gui = next((line for line in cv2.getBuildInformation().splitlines() if line.strip().startswith("GUI:")), "")
    if "NONE" in gui:
        return False
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _PROBE], capture_output=True, timeout=_PROBE_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def show(preview: Preview, now_ns: Callable[[], int], pause_ms: int = 1) -> None:
    """Show pictures, each for `pause_ms` or more, until q or Escape or Ctrl-C is pressed or the window is closed."""
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")  # the window has no text, and misses no fonts
    cv2.namedWindow(TITLE, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL)
    shown: tuple[int, ...] = ()
    try:
        while True:
            picture, _ = preview.take(now_ns(), _GRAB_TIMEOUT_S)
            if picture.shape != shown:
                shown = picture.shape
                cv2.resizeWindow(TITLE, *fitting(picture, _MOST_PX))
            cv2.imshow(TITLE, for_window(picture, cv2.getWindowImageRect(TITLE)[2:]))
            # A camera that is away, or a film that has ended, is not asked without pause.
            key = cv2.waitKey(max(pause_ms, 200 if preview.idle else 1)) & 0xFF
            if key in (ord("q"), 27) or not is_open():
                return
    except KeyboardInterrupt:
        return
    finally:
        cv2.destroyAllWindows()


def is_open() -> bool:
    """Whether the window is there; people close it with the mouse."""
    try:
        return cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) >= 1
    except cv2.error:  # with the last window all that is behind windows may have gone, and then asking is an error
        return False


def fitting(picture: Picture, within: tuple[int, int]) -> tuple[int, int]:
    """Width and height of the picture, made smaller where it does not fit."""
    height, width = picture.shape[:2]
    by = min(1.0, within[0] / width, within[1] / height)
    return max(1, round(width * by)), max(1, round(height * by))


def for_window(picture: Picture, area: Sequence[int]) -> Picture:
    """The picture no larger than the window shows it: the window itself would lose thin lines and words."""
    width, height = area
    if width < 1 or height < 1:
        return picture
    size = fitting(picture, (width, height))
    if size == (picture.shape[1], picture.shape[0]):
        return picture
    return u8(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
