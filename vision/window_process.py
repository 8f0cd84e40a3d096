"""The process that has the preview's window: it shows what it is given, until it is told to close.

The library behind windows ends the whole process when its screen goes away, or aborts it, and can stand still inside;
here that ends nothing else. A picture comes in a file, and a line on standard input, its width and height, says that it
is there. Beforehand, and after each picture, this process writes the width and height of the window. It ends with
status 0 when somebody closed the window, or when nobody gives it pictures any more.
"""

import os
import select
import signal
import sys
from collections.abc import Sequence

import cv2
import numpy as np

from vision.pictures import Picture, u8

TITLE = "cardcert camera preview"
MOST_PX = (1280, 800)
"""A new window is no larger than this, so that it fits on the screen of a notebook; people may make it larger."""
_POLL_MS = 15


def main() -> None:
    """Open the window, and serve it until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever gives the pictures is told, and closes the window
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")  # the window has no text, and misses no fonts
    try:
        cv2.namedWindow(TITLE, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL)
        cv2.resizeWindow(TITLE, *MOST_PX)
        _serve(int(sys.argv[1]))
    except BrokenPipeError:
        pass  # whoever gave the pictures has ended
    # Left at once: the library behind windows is not always able to clear up after itself.
    os._exit(0)


def _serve(file: int) -> None:
    _tell((0, 0))
    shown: tuple[int, ...] = ()
    while True:
        key = cv2.waitKey(_POLL_MS) & 0xFF
        if key in (ord("q"), 27) or not _is_open():
            return
        if not select.select([sys.stdin], [], [], 0)[0]:
            continue
        line = sys.stdin.readline()
        if not line:
            return
        picture = read_picture(file, line)
        if picture.shape != shown:
            if not shown or shown[0] * picture.shape[1] != shown[1] * picture.shape[0]:
                cv2.resizeWindow(TITLE, *fitting(picture, MOST_PX))
            shown = picture.shape
        cv2.imshow(TITLE, picture)
        _tell(cv2.getWindowImageRect(TITLE)[2:])


def write_picture(file: int, picture: Picture) -> bytes:
    """Put a picture into a file; the line that says so."""
    left, at = memoryview(picture.tobytes()), 0
    while left:
        count = os.pwrite(file, left, at)
        left, at = left[count:], at + count
    return f"{picture.shape[1]} {picture.shape[0]}\n".encode()


def read_picture(file: int, line: str) -> Picture:
    """The picture of a file, height x width x 3."""
    width, height = (int(number) for number in line.split())
    data = os.pread(file, width * height * 3, 0)
    return u8(np.frombuffer(data, np.uint8).reshape(height, width, 3))


def fitting(picture: Picture, within: tuple[int, int]) -> tuple[int, int]:
    """Width and height of the picture, made smaller where it does not fit."""
    height, width = picture.shape[:2]
    by = min(1.0, within[0] / width, within[1] / height)
    return max(1, round(width * by)), max(1, round(height * by))


def _tell(area: Sequence[int]) -> None:
    sys.stdout.buffer.write(f"{area[0]} {area[1]}\n".encode())
    sys.stdout.buffer.flush()


def _is_open() -> bool:
    """Whether the window is there; people close it with the mouse."""
    try:
        return cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) >= 1
    except cv2.error:  # with the last window all that is behind windows may have gone, and then asking is an error
        return False


if __name__ == "__main__":
    main()
