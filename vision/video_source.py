"""A video file as a source of frames, stamped by its own frame times, for looking again at what was filmed."""

from pathlib import Path

import cv2

from evidence.errors import UsageError
from vision.capture_source import be_quiet
from vision.newest import lost_share
from vision.pictures import MAX_PIXELS, u8
from vision.sources import Frame

SUFFIXES = (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi")
_NS_PER_MS = 1_000_000
_WATCHED = 32


class VideoSource:
    """Frames of a video, in order. The first is stamped `start_ns`, the others by how much later they were filmed.

    `grab` gives the first frame filmed at or after a moment, and None after the last. Raises `UsageError` for a file
    that is no video: lists of other files or addresses are not followed.
    """

    def __init__(self, path: Path, start_ns: int = 0) -> None:
        _require_video(path)
        be_quiet()
        self._capture = cv2.VideoCapture(str(path.absolute()), cv2.CAP_FFMPEG)
        self._start_ns = start_ns
        self._first_ms: float | None = None
        self._last_ns = start_ns - 1
        self._taken = 0
        self._intervals: list[float] = []
        width, height = (self._capture.get(p) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if not self._capture.isOpened() or not 0 < width * height <= MAX_PIXELS:
            self.close()
            raise UsageError(f"{path}: the video cannot be played; save it as H.264 in MP4, or as MJPEG in AVI")

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        while self._capture.grab():
            stamp_ns = self._stamp(float(self._capture.get(cv2.CAP_PROP_POS_MSEC)))
            index, self._taken = self._taken, self._taken + 1
            if stamp_ns < after_ns:
                continue
            came, picture = self._capture.retrieve()
            if not came or picture is None:
                return None
            return Frame(u8(picture), stamp_ns, index, lost_share(self._intervals))
        return None

    def close(self) -> None:
        self._capture.release()

    def _stamp(self, at_ms: float) -> int:
        """A video whose times stand still or run back is read on, a nanosecond a frame."""
        self._first_ms = at_ms if self._first_ms is None else self._first_ms
        stamp_ns = max(self._start_ns + round((at_ms - self._first_ms) * _NS_PER_MS), self._last_ns + 1)
        if self._taken:
            self._intervals = [*self._intervals, (stamp_ns - self._last_ns) / 1e9][-_WATCHED:]
        self._last_ns = stamp_ns
        return stamp_ns


def _require_video(path: Path) -> None:
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"{path}: cannot read the video: it is no ordinary file. Name a file.")
        with path.open("rb") as stream:
            head = stream.read(16)
    except OSError as error:
        raise UsageError(f"{path}: cannot read the video: {error.strerror}") from error
    mp4 = head[4:8] in (b"ftyp", b"moov", b"wide", b"mdat", b"free")
    if not (mp4 or head[:4] == b"\x1aE\xdf\xa3" or (head[:4] == b"RIFF" and head[8:11] == b"AVI")):
        raise UsageError(f"{path}: expected a video file (MP4, MOV, MKV, WebM or AVI), found something else")
