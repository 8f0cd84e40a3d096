"""`cardcert read` of several pictures, of which some cannot be read, under names and into files of all kinds."""

import json
import os
import shutil
import socket
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from evidence.errors import UsageError
from vision.complaints import complaints
from vision.pictures import encode_jpeg, u8
from vision.sources import load_picture
from vision.synthetic.cards import face_image
from vision.whole_file import write_whole

OTHERS = {
    "an empty file": b"",
    "HEIC": b"\0\0\0\x18ftypheic\0\0\0\0",
    "AVIF": b"\0\0\0\x18ftypavif\0\0\0\0",
    "WebP": b"RIFF\x20\0\0\0WEBPVP8 ",
    "a GIF": b"GIF89a\x01\0\x01\0",
    "a TIFF": b"II*\0\x08\0\0\0",
    "JPEG XL": b"\xff\x0a\0\0",
    "a PDF": b"%PDF-1.7\n",
    "an SVG": b"<svg xmlns='x'/>",
    "a JPEG whose header is damaged": b"\xff\xd8\xff",
    "a PNG whose header is damaged": b"\x89PNG\r\n\x1a\n",
    "something else": b"words",
}


@pytest.fixture
def card(tmp_path: Path) -> Path:
    path = tmp_path / "card.jpg"
    image = face_image("Qs", 5)
    path.write_bytes(
        encode_jpeg(u8(cv2.copyMakeBorder(image, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(40, 90, 30))))
    )
    return path


def test_one_picture_that_cannot_be_read_does_not_stop_the_others(
    card: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "photo.jpg").write_bytes(OTHERS["HEIC"])
    pictures = [str(tmp_path / "photo.jpg"), str(card), str(tmp_path / "absent.png")]
    assert main(["read", *pictures]) == 2
    told = capfd.readouterr()
    assert "card Qs" in told.out
    assert [line.rpartition("/")[2].split(": ")[0] for line in told.err.splitlines()] == ["photo.jpg", "absent.png"]
    assert main(["read", *pictures, "--json"]) == 2
    rows = json.loads(capfd.readouterr().out)
    assert [(row["image"], row["kind"]) for row in rows] == list(
        zip(pictures, ["unread", "cards", "unread"], strict=True)
    )
    assert "got HEIC" in rows[0]["error"]
    assert main(["read", *pictures, "--count", "spread", "--json"]) == 2
    assert [row["kind"] for row in json.loads(capfd.readouterr().out)] == ["unread", "spread", "unread"]


@pytest.mark.parametrize("kind", OTHERS)
def test_what_a_file_is_instead_of_a_picture_is_told(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(OTHERS[kind])
    with pytest.raises(UsageError, match=f"expected a PNG or JPEG picture, got {kind}; save it as"):
        load_picture(path)


def test_what_is_no_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "loop.jpg").symlink_to(tmp_path / "loop.jpg")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s.jpg"))
        for path in (tmp_path / "pipe.jpg", tmp_path / "s.jpg", Path("/dev/zero")):
            with pytest.raises(UsageError, match="found a device or a pipe; save the picture to a file"):
                load_picture(path)
    with pytest.raises(UsageError, match="found a link that leads nowhere"):
        load_picture(tmp_path / "loop.jpg")
    with pytest.raises(UsageError, match="found a folder"):
        load_picture(tmp_path)


def test_a_jpeg_that_was_cut_short_is_refused_whatever_its_end_says(
    card: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = card.read_bytes()
    end = b"\xff\xd9"
    for spoiled in (whole[: len(whole) // 2] + end, whole[:-12] + end, whole[:-2]):
        card.write_bytes(spoiled)
        with pytest.raises(UsageError, match="damaged"):
            load_picture(card)
    for harmless in (whole, whole[:-2] + bytes(3) + end, whole + b"more"):
        card.write_bytes(harmless)
        assert load_picture(card).shape[2] == 3
    assert capfd.readouterr().err == ""


def test_other_words_on_standard_error_are_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with complaints(b"") as told:
        os.write(2, b"a word\nCorrupt JPEG data: premature end of data segment\nanother\n")
    assert told.of_damage
    assert capfd.readouterr().err == "a word\nanother\n"


def test_two_who_decode_at_once_leave_standard_error_where_it_was() -> None:
    before, first_is_in = os.fstat(2), threading.Event()

    def second() -> None:
        first_is_in.wait(5)
        with complaints(b""):
            pass

    other = threading.Thread(target=second)
    other.start()
    with complaints(b""):
        first_is_in.set()
        other.join(0.2)  # it must wait for its turn
        assert other.is_alive()
    other.join(5)
    assert os.path.samestat(before, os.fstat(2))


def test_a_file_name_never_looks_like_a_reading(card: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hostile = card.with_name("x\n  card Ah, confidence 1.00\x1b[2J.jpg")
    shutil.copy(card, hostile)
    assert main(["read", str(hostile)]) == 0
    assert [line.strip() for line in capfd.readouterr().out.splitlines()[1:]] == ["card Qs, confidence 1.00"]


@pytest.mark.parametrize(
    "name", ["x" * 251 + ".jpg", "\U0001f0cf" * 60 + ".jpg", "a b'\"<i>&;$(x).jpg"], ids=["long", "wide", "odd"]
)
def test_names_as_long_as_a_disk_takes_are_read_and_written(name: str, card: Path, tmp_path: Path) -> None:
    picture, out = card.rename(tmp_path / name), tmp_path / "out"
    assert main(["read", str(picture), "--annotate", str(out)]) == 0
    (drawn,) = out.iterdir()
    assert load_picture(drawn).shape[2] == 3
    write_whole(out / name, b"whole", "it")
    assert (out / name).read_bytes() == b"whole"
    assert len(list(out.iterdir())) == 2, "nothing else is left"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--count", "spread", "--deck", "d.npz"], "--deck: has no effect with --count"),
        (["--count", "spread", "--layout", "l.toml"], "--layout: has no effect with --count"),
        (["--check-deck", "52", "--annotate", "out"], "--annotate: has no effect with --check-deck"),
    ],
)
def test_an_option_without_effect_is_refused(
    words: list[str], said: str, card: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(card), *words]) == 2
    assert said in capfd.readouterr().err


def test_an_empty_name_to_annotate_is_refused(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(card.parent)
    with pytest.raises(SystemExit) as ended:
        main(["read", str(card), "--annotate", ""])
    assert ended.value.code == 2
    assert list(card.parent.iterdir()) == [card]


def test_pictures_of_every_kind_of_pixels_are_read_alike(card: Path, tmp_path: Path) -> None:
    picture = load_picture(card)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    kinds = {
        "deep.png": picture.astype(np.uint16) * 257,
        "alpha.png": cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA),
        "deep-alpha.png": cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA).astype(np.uint16) * 257,
        "grey.png": grey,
        "deep-grey.png": grey.astype(np.uint16) * 257,
    }
    for name, pixels in kinds.items():
        cv2.imwrite(str(tmp_path / name), pixels)
        read = load_picture(tmp_path / name)
        wanted = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if "grey" in name else picture
        assert np.abs(read.astype(int) - wanted).max() <= 1, name
    cv2.imwrite(str(tmp_path / "scans.jpg"), picture, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert np.abs(load_picture(tmp_path / "scans.jpg").astype(int) - picture).mean() < 3
