"""The network camera and its reader, over loopback: only fresh frames, and nothing hostile gets through."""

import contextlib
import http.client
import itertools
import socket
import threading
from collections.abc import Callable, Iterator
from time import monotonic, monotonic_ns

import numpy as np
import pytest

from evidence.errors import RigFault, UsageError
from vision.mjpeg_server import MjpegServer
from vision.mjpeg_source import MjpegSource
from vision.pictures import MAX_FILE_BYTES, decode_picture, encode_jpeg

BOUND_S = 10.0
SHORT_S = 1.0


def grey(level: int) -> bytes:
    return encode_jpeg(np.full((16, 16, 3), level, np.uint8))


def level_of(frame: object) -> int:
    assert frame is not None
    return int(round(float(frame.image.mean()) / 10) * 10)  # type: ignore[attr-defined]


def test_frames_arrive_stamped_and_counted() -> None:
    with MjpegServer(lambda: grey(100), fps=200) as server:
        source = MjpegSource(server.url, monotonic_ns)
        before = monotonic_ns()
        first = source.grab(before, BOUND_S)
        second = source.grab(monotonic_ns(), BOUND_S)
        after = monotonic_ns()
        source.close()
    assert first is not None
    assert second is not None
    assert level_of(first) == 100
    assert before <= first.stamp_ns < second.stamp_ns <= after
    assert second.index >= first.index + 2  # the first frame to arrive after the moment is passed over


def test_a_frame_begun_before_the_moment_is_never_given() -> None:
    """The camera is in the middle of taking a frame when the table changes: that frame arrives later, and is old."""
    state = [10]
    begun, let_go = threading.Event(), threading.Event()
    held = [False]

    def take() -> bytes:
        level = state[0]
        if held[0]:
            begun.set()
            assert let_go.wait(BOUND_S)
        return grey(level)

    with MjpegServer(take, fps=100) as server:
        source = MjpegSource(server.url, monotonic_ns)
        assert level_of(source.grab(0, BOUND_S)) == 10
        for level in (60, 110, 160, 210):
            begun.clear()
            let_go.clear()
            held[0] = True
            assert begun.wait(BOUND_S)
            moment = monotonic_ns()
            state[0] = level
            held[0] = False
            let_go.set()
            assert level_of(source.grab(moment, BOUND_S)) == level
        source.close()


def test_only_the_newest_frame_is_given_after_a_pause() -> None:
    taken = [0]
    let_go = threading.Event()

    def take() -> bytes:
        if taken[0] == 40:
            assert let_go.wait(BOUND_S)
        taken[0] += 1
        return grey(5 * taken[0])

    with MjpegServer(take, fps=1000) as server:
        source = MjpegSource(server.url, monotonic_ns)
        deadline = monotonic() + BOUND_S
        while source._frames._arrived < 40 and monotonic() < deadline:
            threading.Event().wait(0.01)
        frame = source.grab(0, 0.0)
        let_go.set()
        source.close()
    assert frame is not None
    assert (frame.index, level_of(frame)) == (39, 200)


def test_no_frame_within_the_time_is_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        source = MjpegSource(f"http://127.0.0.1:{silent.getsockname()[1]}/stream.mjpg", monotonic_ns)
        assert source.grab(0, 0.2) is None
        source.close()
    assert not source._thread.is_alive()


def test_the_stream_is_found_again_after_it_broke() -> None:
    server = MjpegServer(lambda: grey(50), fps=100).start()
    port = server.port
    source = MjpegSource(server.url, monotonic_ns)
    assert level_of(source.grab(0, BOUND_S)) == 50
    server.close()
    moment = monotonic_ns()
    deadline = monotonic() + BOUND_S
    while not source.trouble and monotonic() < deadline:
        threading.Event().wait(0.02)
    assert source.trouble
    with MjpegServer(lambda: grey(200), port=port, fps=100):
        assert level_of(source.grab(moment, BOUND_S)) == 200
        assert source.trouble == ""
        source.close()
    source.close()


@contextlib.contextmanager
def camera_that_sends(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that answers each connection with whatever bytes a hostile camera might send."""
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)

        def serve() -> None:
            while not stop.is_set():
                with contextlib.suppress(OSError):
                    connection, _ = listener.accept()
                    with connection:
                        connection.settimeout(2.0)
                        connection.recv(4096)
                        answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            stop.set()
            thread.join()


def multipart(rest: bytes) -> Callable[[socket.socket], None]:
    head = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n"
    return lambda connection: connection.sendall(head + rest)


HOSTILE = {
    "not found": lambda c: c.sendall(b"HTTP/1.0 404 Not Found\r\n\r\n"),
    "a page": lambda c: c.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"),
    "no HTTP": lambda c: c.sendall(b"\x00\x01\x02" * 100),
    "closes at once": lambda c: c.close(),
    "a picture too large": multipart(f"--b\r\nContent-Length: {MAX_FILE_BYTES + 1}\r\n\r\n".encode()),
    "a length that is none": multipart(b"--b\r\nContent-Length: -5\r\n\r\n"),
    "a length behind zeros": multipart(b"--b\r\nContent-Length: " + b"0" * 11 + b"1" + b"9" * 20 + b"\r\n\r\n"),
    "a length beyond numbers": multipart(b"--b\r\nContent-Length: " + b"9" * 2000 + b"\r\n\r\n"),
    "a header without end": multipart(b"--b\r\n" + b"X" * 100_000),
    "headers without end": multipart(b"--b\r\n" + b"X: y\r\n" * 1000),
    "a picture cut off": multipart(b"--b\r\nContent-Length: 5000\r\n\r\n" + bytes(100)),
    "a picture without mark": multipart(b"--b\r\n\r\n" + b"\n" * 50_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_camera_gives_no_frame_and_no_crash(name: str) -> None:
    with camera_that_sends(HOSTILE[name]) as url:
        source = MjpegSource(url, monotonic_ns, read_timeout_s=1.0)
        assert source.grab(0, 0.3) is None
        deadline = monotonic() + BOUND_S
        while source.trouble in ("", "no frame has arrived yet") and monotonic() < deadline:
            threading.Event().wait(0.02)
        assert source.trouble not in ("", "no frame has arrived yet")
        assert len(source.trouble) <= 200
        source.close()
    assert not source._thread.is_alive()


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.startswith("a length") or "too large" in name])
def test_a_length_out_of_bounds_is_refused_before_anything_of_the_picture_is_kept(name: str) -> None:
    with camera_that_sends(HOSTILE[name]) as url:
        source = MjpegSource(url, monotonic_ns, read_timeout_s=1.0)
        deadline = monotonic() + BOUND_S
        while "announced" not in source.trouble and monotonic() < deadline:
            threading.Event().wait(0.02)
        assert "announced" in source.trouble
        source.close()


def test_a_stream_without_lengths_is_read() -> None:
    part = b"--b\r\nContent-Type: image/jpeg\r\n\r\n" + grey(80) + b"\r\n"
    with camera_that_sends(multipart(part * 6)) as url:
        source = MjpegSource(url, monotonic_ns)
        assert level_of(source.grab(0, BOUND_S)) == 80
        source.close()


def test_what_is_no_picture_is_a_rig_fault() -> None:
    part = b"--b\r\nContent-Length: 4\r\n\r\nspam\r\n"
    with camera_that_sends(multipart(part * 6)) as url:
        source = MjpegSource(url, monotonic_ns)
        with pytest.raises(RigFault, match="camera stream"):
            source.grab(0, SHORT_S)
        source.close()


@pytest.mark.parametrize("damage", ["cut short", "a piece left out", "noise"])
def test_a_damaged_frame_is_never_taken_for_a_whole_one(damage: str) -> None:
    random = np.random.default_rng(3)
    whole = encode_jpeg(random.integers(0, 255, (64, 64, 3)).astype(np.uint8))
    half = len(whole) // 2
    rest = {"cut short": b"\xff\xd9", "a piece left out": whole[half + 500 :]}
    sent = whole[:half] + rest.get(damage, bytes(200) + whole[half + 200 :])
    with MjpegServer(lambda: sent, fps=100) as server:
        source = MjpegSource(server.url, monotonic_ns)
        with pytest.raises(RigFault, match="damaged"):
            source.grab(0, SHORT_S)
        source.close()


def test_a_damaged_frame_is_passed_over_where_a_whole_one_follows() -> None:
    whole = grey(120)
    frames = itertools.chain([whole[: len(whole) // 2] + b"\xff\xd9"] * 6, itertools.repeat(whole))
    with MjpegServer(lambda: next(frames), fps=50) as server:
        source = MjpegSource(server.url, monotonic_ns)
        assert level_of(source.grab(0, BOUND_S)) == 120
        source.close()


def test_a_frame_padded_before_its_end_is_whole() -> None:
    whole = grey(120)
    with MjpegServer(lambda: whole[:-2] + bytes(64) + whole[-2:], fps=100) as server:
        source = MjpegSource(server.url, monotonic_ns)
        assert level_of(source.grab(0, BOUND_S)) == 120
        source.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "camera",
        "ftp://host/x",
        "http://",
        "http://h:99999/",
        "http://h/a\r\nb",
        "http://u:p@h/x",
        "file:///etc/passwd",
    ],
)
def test_urls_that_are_no_camera_are_refused(url: str) -> None:
    with pytest.raises(UsageError, match="camera URL"):
        MjpegSource(url, monotonic_ns)


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=BOUND_S)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read() if path != "/stream.mjpg" else b""
    connection.close()
    return response.status, body


def test_a_snapshot_is_one_picture_and_other_paths_are_not_found() -> None:
    with MjpegServer(lambda: grey(120)) as server:
        status, body = get(server.port, "/snapshot.jpg")
        assert status == 200
        assert decode_picture(body, "it").shape == (16, 16, 3)
        assert get(server.port, "/etc/passwd")[0] == 404


def test_clients_beyond_the_bound_are_told_so_and_the_others_live_on() -> None:
    with MjpegServer(lambda: grey(120), fps=100, max_clients=2) as server:
        first, second = (MjpegSource(server.url, monotonic_ns) for _ in range(2))
        assert first.grab(0, BOUND_S) is not None
        assert second.grab(0, BOUND_S) is not None
        assert get(server.port, "/stream.mjpg")[0] == 503
        assert first.grab(monotonic_ns(), BOUND_S) is not None
        first.close()
        second.close()


def test_a_port_in_use_is_a_rig_fault() -> None:
    with MjpegServer(lambda: b"") as server, pytest.raises(RigFault, match="cannot listen"):
        MjpegServer(lambda: b"", port=server.port)
