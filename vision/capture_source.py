"""A camera read through OpenCV: on USB (V4L2), or a network stream over RTSP.

OpenCV's own buffer cannot be relied on: left alone, it gives old frames. So a thread reads without pause, stamps what
comes, and keeps the last few.
"""

import errno
import os
import stat
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import cv2

from evidence.errors import UsageError
from vision.addresses import shown
from vision.newest import PASSED_OVER, NewestFrames
from vision.pictures import MAX_PIXELS, Picture, u8
from vision.sources import Frame

_OPEN_TIMEOUT_S = 5.0
_READ_TIMEOUT_S = 3.0
_AGAIN_S = 0.5
_SETTLE_S = 0.5
"""What comes in this time after opening is not used: a stream begins with what was buffered while it was looked into,
and a camera with pictures that are not yet well exposed."""
_VIDEO4LINUX_MAJOR = 81
_RATE_SHARE = 0.1
_LIST = "which `v4l2-ctl --list-formats-ext` lists, or leave it out"
_BY_ID = Path("/dev/v4l/by-id")

Opener = Callable[[], cv2.VideoCapture]


class CaptureSource:
    """Reads what `opener` opens, and opens it again when it breaks off. `name` and `hint` stand in messages.

    `size_px` and `fps` are asked of it; a camera that gives others gives nothing, and `trouble` says so.
    """

    def __init__(
        self,
        opener: Opener,
        name: str,
        now_ns: Callable[[], int],
        latency_ns: int = 0,
        passed_over: int = PASSED_OVER,
        hint: str = "is another program using the camera?",
        size_px: Sequence[int] = (),
        fps: float = 0.0,
    ) -> None:
        self._opener, self._name, self._hint = opener, name, hint
        self._size_px, self._fps = tuple(size_px), fps
        self._frames: NewestFrames[Picture] = NewestFrames(now_ns, latency_ns, passed_over)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="capture-source", daemon=True)
        self._thread.start()

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        """The newest frame that cannot have been begun before `after_ns`; None if none comes within `timeout_s`."""
        newest = self._frames.wait(after_ns, timeout_s)
        return None if newest is None else Frame(newest.data, newest.stamp_ns, newest.index, newest.lost)

    @property
    def trouble(self) -> str:
        """Why there is no frame, for messages; empty while frames arrive."""
        return self._frames.trouble

    def close(self) -> None:
        """Stop reading. Safe to call twice."""
        self._stop.set()
        self._frames.end()
        self._thread.join(_OPEN_TIMEOUT_S + 1)

    def _run(self) -> None:
        while not self._stop.is_set():
            capture = self._opener()
            try:
                self._read(capture)
            finally:
                capture.release()
            self._stop.wait(_AGAIN_S)

    def _read(self, capture: cv2.VideoCapture) -> None:
        if not capture.isOpened():
            self._frames.note(f"{self._name}: does not open; {self._hint}")
            return
        if other := ask(capture, self._size_px, self._fps):
            self._frames.note(f"{self._name}: {other}")
            return
        settled = monotonic() + _SETTLE_S
        while not self._stop.is_set():
            came, picture = capture.read()
            if not came or picture is None:
                self._frames.note(f"{self._name}: opened, but delivers no picture")
                return
            if picture.ndim != 3 or picture.shape[0] * picture.shape[1] > MAX_PIXELS:
                self._frames.note(f"{self._name}: delivers pictures of shape {picture.shape}, which are not read")
                return
            if self._size_px and picture.shape[1::-1] != self._size_px:
                # A camera may confirm a size and send another.
                self._frames.note(f"{self._name}: {_other_size(self._size_px, picture.shape[1::-1])}")
                return
            if monotonic() >= settled:
                self._frames.keep(u8(picture))


def usb_camera(
    device: str, now_ns: Callable[[], int], latency_ns: int = 0, size_px: Sequence[int] = (), fps: float = 0.0
) -> CaptureSource:
    """A V4L2 camera by its device path. `size_px` and `fps` are asked of it; without them it decides.

    Raises `UsageError` that says what is wrong with the path.
    """
    require_camera(device)
    be_quiet()

    def opener() -> cv2.VideoCapture:
        # What is asked for while opening must all be granted, or OpenCV says no more than that it does not open.
        capture = cv2.VideoCapture(os.path.realpath(device), cv2.CAP_V4L2)
        # Compressed: uncompressed, USB carries few frames a second of a large picture. A camera need not have it.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        return capture

    return CaptureSource(opener, device, now_ns, latency_ns, size_px=size_px, fps=fps)


def ask(capture: cv2.VideoCapture, size_px: Sequence[int], fps: float) -> str:
    """Ask an open camera for a size and a rate; the words for what it gives instead, none where it grants them.

    V4L2 takes the nearest that the camera can do. A rate of 0 is one that it does not tell.
    """
    if size_px:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
        given = [round(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
        if given != list(size_px):
            return _other_size(size_px, given)
    if fps:
        capture.set(cv2.CAP_PROP_FPS, round(fps))
        rate = capture.get(cv2.CAP_PROP_FPS)
        if rate > 0 and abs(rate - fps) > _RATE_SHARE * fps:
            return f"was asked for {fps:g} pictures a second and gives {rate:g}; set fps to what it can do, {_LIST}"
    return ""


def _other_size(asked: Sequence[int], given: Sequence[int]) -> str:
    return (
        f"was asked for {asked[0]} x {asked[1]} pixels and gives {given[0]} x {given[1]}; set size_px to what it can "
        f"do, {_LIST}"
    )


def be_quiet() -> None:
    """Keep OpenCV and FFmpeg from telling the terminal about every stream that ends; `trouble` tells it."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # V4L2 knows no limit by property, and waits ten seconds for a camera that was pulled out.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(round(_READ_TIMEOUT_S)))
    cv2.utils.logging.setLogLevel(min(cv2.utils.logging.getLogLevel(), cv2.utils.logging.LOG_LEVEL_ERROR))


def require_camera(device: str) -> None:
    """Raise `UsageError` unless this path is a video device that may be opened."""
    try:
        kind = os.stat(device)
        if not stat.S_ISCHR(kind.st_mode) or os.major(kind.st_rdev) != _VIDEO4LINUX_MAJOR:
            _refuse_unopenable(device)
            raise UsageError(
                f"camera {device}: this is no camera but {_kind(kind.st_mode)}; expected a video device such as "
                f"/dev/video0. {_cameras()}"
            )
        _refuse_unopenable(device)
    except FileNotFoundError:
        raise UsageError(f"camera {device}: there is no such device. Is it plugged in? {_cameras()}") from None
    except PermissionError:
        raise UsageError(
            f"camera {device}: you may not open it. Become a member of the group that owns it, usually `video`, and "
            f"log in again."
        ) from None
    except OSError as error:
        busy = "another program uses it" if error.errno == errno.EBUSY else error.strerror
        raise UsageError(f"camera {device}: does not open: {busy}") from None


def _kind(mode: int) -> str:
    kinds = {stat.S_IFREG: "a file", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "another device")


def _refuse_unopenable(device: str) -> None:
    os.close(os.open(device, os.O_RDONLY | os.O_NONBLOCK))


def _cameras() -> str:
    """The cameras that are there, by the names that stay with them."""
    there = sorted(str(path) for path in _BY_ID.glob("*")) if _BY_ID.is_dir() else []
    return f"There are: {', '.join(there[:8])}" if there else f"There is none under {_BY_ID}."


def rtsp_camera(url: str, now_ns: Callable[[], int], latency_ns: int = 0) -> CaptureSource:
    """A network camera over RTSP, its pictures sent within its TCP connection. Raises `UsageError` for a bad URL."""
    parts = urlsplit(url)
    unprintable = any(ord(character) <= 32 or ord(character) == 127 for character in url)
    try:
        fine = parts.scheme == "rtsp" and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fine = False
    if not fine or unprintable:
        raise UsageError(f"camera URL: expected rtsp://host:port/path, got {shown(url)}")
    if parts.username or parts.password:
        raise UsageError("camera URL: give no user or password in it; it would stand in the evidence")
    be_quiet()  # TCP is what OpenCV asks for by itself
    limits = [
        *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(_OPEN_TIMEOUT_S * 1000)),
        *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(_READ_TIMEOUT_S * 1000)),
    ]
    return CaptureSource(
        lambda: cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits),
        parts.netloc,
        now_ns,
        latency_ns,
        hint="is it switched on, are host, port and path right, and does it ask for no password?",
    )
