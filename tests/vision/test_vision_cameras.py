"""Every kind of camera behind one interface: newest frame, stamped here; a wrong address gets one clear message."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, monotonic_ns

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from tests.vision.rtsp_camera import RtspCamera
from vision.cameras import kind_of, open_camera
from vision.capture_source import CaptureSource, ask, require_camera
from vision.newest import NewestFrames, lost_share
from vision.pictures import Picture
from vision.sources import Frame, FrameSource
from vision.video_source import VideoSource

BOUND_S = 20.0
NOBODY = 65_534


def flat(level: int) -> Picture:
    return np.full((64, 96, 3), level, np.uint8)


def level_of(frame: object) -> int:
    assert isinstance(frame, Frame)
    return round(float(frame.image.mean()) / 10) * 10


@contextmanager
def opened(address: str) -> Iterator[FrameSource]:
    source = open_camera(address, monotonic_ns)
    try:
        yield source
    finally:
        source.close()


def test_an_rtsp_camera_gives_frames_of_after_the_moment() -> None:
    level = [50]
    with RtspCamera(lambda: flat(level[0])) as camera, opened(camera.url) as source:
        assert level_of(source.grab(0, BOUND_S)) == 50
        for level[0] in (100, 200):
            assert level_of(source.grab(monotonic_ns(), BOUND_S)) == level[0]
    assert all("TCP" in transport for transport in camera.asked)


def test_an_rtsp_camera_that_was_away_is_found_again() -> None:
    with RtspCamera(lambda: flat(50)) as camera, opened(camera.url) as source:
        assert source.grab(0, BOUND_S) is not None
        camera.hang_up()
        deadline = monotonic() + BOUND_S
        while len(camera.asked) < 2 and monotonic() < deadline:
            source.grab(monotonic_ns(), 0.2)  # what was on its way still arrives
        moment = monotonic_ns()
        frame = source.grab(moment, BOUND_S)
        assert len(camera.asked) == 2
        assert frame is not None
        assert frame.stamp_ns >= moment


def test_a_camera_that_is_not_there_gives_no_frame_and_says_why() -> None:
    with opened("rtsp://127.0.0.1:9/table") as source:
        assert source.grab(0, 0.5) is None
        assert "does not open; is it switched on" in source.trouble  # type: ignore[attr-defined]


def film(path: Path, levels: list[int], fps: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), fps, (96, 64))
    for level in levels:
        writer.write(flat(level))
    writer.release()
    return path


def test_what_a_camera_does_not_grant_is_told_and_its_pictures_are_not_used(tmp_path: Path) -> None:
    path = film(tmp_path / "table.avi", [10] * 40)

    def opener() -> cv2.VideoCapture:
        return cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)  # it grants nothing: 96 x 64 pixels, 10 a second

    assert ask(opener(), (), 0) == ask(opener(), (96, 64), 10) == ""
    assert "asked for 1920 x 1080 pixels and gives 96 x 64" in ask(opener(), (1920, 1080), 10)
    assert "asked for 30 pictures a second and gives 10" in ask(opener(), (96, 64), 30)
    source = CaptureSource(opener, "/dev/video9", monotonic_ns, size_px=(1920, 1080))
    try:
        assert source.grab(0, 0.3) is None
        assert source.trouble.startswith("/dev/video9: was asked for 1920 x 1080 pixels and gives 96 x 64; set size_px")
    finally:
        source.close()


def test_a_video_is_stamped_by_its_own_frame_times(tmp_path: Path) -> None:
    path = film(tmp_path / "table.avi", [10, 60, 110, 160, 210])
    source = VideoSource(path, start_ns=5_000_000_000)
    seen = [source.grab(0, 0.0), source.grab(5_150_000_000, 0.0), source.grab(0, 0.0)]
    assert [(level_of(frame), frame.stamp_ns, frame.index) for frame in seen if frame] == [
        (10, 5_000_000_000, 0),
        (110, 5_200_000_000, 2),
        (160, 5_300_000_000, 3),
    ]
    assert source.grab(9_000_000_000, 0.0) is None
    assert source.grab(0, 0.0) is None
    source.close()


@pytest.mark.parametrize(
    "content",
    [b"", b"#EXTM3U\nhttp://127.0.0.1:9/x.ts\n", b"ffconcat version 1.0\nfile '/etc/passwd'\n", b"RIFFxxxxWAVE"],
)
def test_what_is_no_video_or_leads_elsewhere_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="expected a video file"):
        open_camera(str(path), monotonic_ns)


def test_a_damaged_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"\0\0\0\x18ftypisom" + bytes(200))
    with pytest.raises(UsageError, match="cannot be played"):
        VideoSource(path)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("http://192.0.2.1/s.mjpg", "http"),
        ("https://192.0.2.1/s.mjpg", "http"),
        ("rtsp://192.0.2.1/s", "rtsp"),
        ("/dev/video0", "usb"),
        ("/dev/v4l/by-id/usb-Maker_Camera-video-index0", "usb"),
        ("filmed/round 1.MP4", "video"),
        ("stills", "folder"),
    ],
)
def test_an_address_says_what_kind_of_camera_it_is(address: str, kind: str) -> None:
    assert kind_of(address) == kind


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ftp://192.0.2.1/s", "expected http://"),
        ("", "expected http://"),
        ("0", "expected a device such as /dev/v4l/by-id/... or /dev/video0, or ./0 for a folder"),
        ("rtsp://", "expected rtsp://host"),
        ("rtsp://host:99999/x", "expected rtsp://host"),
        ("rtsp://user:word@192.0.2.1/s", "no user or password"),
        ("http://user:word@192.0.2.1/s", "no user or password"),
        ("/dev/video250", "there is no such device"),
        ("/dev/null", "is no camera"),
        ("/dev/fd", "is no camera"),
        ("absent.mp4", "cannot read the video"),
        ("absent", "expected a folder"),
    ],
)
def test_a_wrong_address_gets_one_clear_message(address: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        open_camera(address, monotonic_ns)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "rtsp://bob:s3cret@host/x",
        "rtsp://bob:s3/cret@host:99999/x",
        "rtsp://bob:s3 cret@host/x",
        "rtsp://host:x/?key=s3cret",
        "http://bob:s3@cret@host/x",
        "http://bob:s3#cret@host/x",
        "http://host:99999/x?key=s3cret",
        "ftp://bob:s3/cret@host/x",
        "rtsp:/bob:s3cret@host/x",
        "bob:s3cret@host/x",
    ],
)
def test_no_password_is_repeated_in_a_message(address: str) -> None:
    with pytest.raises(UsageError, match="camera") as caught:
        open_camera(address, monotonic_ns)
    assert "s3" not in str(caught.value)
    assert "cret" not in str(caught.value)


def test_only_a_usb_camera_is_asked_for_a_size() -> None:
    with pytest.raises(UsageError, match="only a USB camera"):
        open_camera("rtsp://127.0.0.1:9/x", monotonic_ns, size_px=(1280, 720))


def test_a_device_that_may_not_be_opened_says_how_to_mend_it(tmp_path: Path) -> None:
    closed = tmp_path / "video0"
    closed.touch(mode=0)
    before = os.geteuid()
    if before == 0:  # root may open everything
        tmp_path.chmod(0o755)
        for folder in tmp_path.parents:
            if folder.owner() == "root" and folder.parts[1:2] == ("tmp",) and len(folder.parts) > 2:
                folder.chmod(0o755)
        os.seteuid(NOBODY)
    try:
        with pytest.raises(UsageError, match="Become a member of the group"):
            require_camera(str(closed))
    finally:
        os.seteuid(before)


def test_pictures_that_did_not_come_are_counted() -> None:
    assert lost_share([0.1] * 20) == 0.0
    assert lost_share([0.1, 9.0]) == 0.0, "too few to tell"
    assert lost_share([0.1, 0.12, 0.09, 0.2] * 6) == 0.0, "uneven is not lost"
    assert lost_share([0.1] * 30 + [60.0]) == pytest.approx(10 / 41), "one long pause counts as ten pictures"
    assert lost_share([0.1, 0.1, 0.8] * 8) == pytest.approx(56 / 80)


def stamps_of(arrivals: list[int]) -> list[int]:
    """How pictures are stamped that arrive at these times."""
    at = iter(arrivals)
    frames: NewestFrames[int] = NewestFrames(lambda: next(at), passed_over=0)
    stamps = []
    for number in range(len(arrivals)):
        frames.keep(number)
        newest = frames.wait(0, 0.0)
        assert newest is not None
        stamps.append(newest.stamp_ns)
    return stamps


def test_what_was_held_up_is_not_stamped_as_new() -> None:
    steady = list(range(0, 1000, 50))
    burst = [2000, 2001, 2002, 2003]
    caught_up = [2050, 2100]
    stamps = stamps_of(steady + burst + caught_up)
    assert stamps[: len(steady)] == steady
    assert stamps[len(steady) : -2] == [1000, 1050, 1100, 1150]
    assert stamps[-2:] == caught_up


def test_who_waits_is_let_go_when_nothing_more_comes() -> None:
    frames: NewestFrames[int] = NewestFrames(monotonic_ns)
    threading.Timer(0.05, frames.end).start()
    assert frames.wait(0, BOUND_S) is None


def test_what_lies_in_the_place_of_a_camera_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("file", "folder", "pipe"):
        with pytest.raises(UsageError, match=f"this is no camera but a {name}; expected a video device") as caught:
            require_camera(str(tmp_path / name))
        assert "\n" not in str(caught.value)
