"""A bundle may come from anybody. Whatever is not exactly as it was written is refused in one sentence, and nothing of
it lands outside the place where it is unpacked."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.errors import UsageError
from reports.bundle import opened, write_bundle
from tests.sealing.bundle_parts import Part, pack, parts


@pytest.fixture(scope="module")
def bundle(signed_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bundle(signed_once, tmp_path_factory.mktemp("bundle") / "run.zip")


def found(path: Path) -> str:
    with opened(path) as (_, finding):
        return finding


def refused(path: Path) -> str:
    """What is told of a file that is no sound bundle, and perhaps no bundle at all."""
    try:
        return found(path)
    except UsageError as error:
        return str(error)


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def renamed(content: list[Part], name: str) -> list[Part]:
    return [*content[:-1], (name, content[-1][1])]


@pytest.mark.parametrize(
    "name",
    [
        "../outside", "run/../../outside", "/etc/outside", "run//outside", "run/./x", "run/", "run\\..\\outside",
        "outside", "run/a\x1b[31m", "run/" + "x" * 300, "run/" + "/".join(["y" * 200] * 6), "run/..",
        "run/\u202egpj", "C:/outside",
    ],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused(bundle: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "within"
    folder.mkdir()
    finding = found(written(folder / "b.zip", pack(renamed(parts(bundle), name))))
    assert "name" in finding
    assert "\x1b" not in finding
    assert "\u202e" not in finding
    assert not list(tmp_path.glob("**/outside"))
    assert not Path("/etc/outside").exists()


def test_a_link_is_refused(bundle: Path, tmp_path: Path) -> None:
    content = renamed(parts(bundle), "run/link")
    finding = found(written(tmp_path / "b.zip", pack(content, link="run/link")))
    assert "the list of entries is not that of the entries before it" in finding


def test_what_is_compressed_is_not_unpacked(bundle: Path, tmp_path: Path) -> None:
    """100 MB of zeros make a ZIP of 100 kB."""
    content = [*parts(bundle), ("run/bomb", bytes(100_000_000))]
    data = pack(content, compressed=frozenset(["run/bomb"]))
    assert len(data) < 10_000_000
    assert "the head of run/bomb is not as it was written (compressed?" in found(written(tmp_path / "b.zip", data))


@pytest.mark.parametrize("name", ["run/run.json", "run/run.json/within"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_no_name_stands_twice(bundle: Path, tmp_path: Path, name: str) -> None:
    data = pack([*parts(bundle), (name, b"another")])
    assert f"{name} stands twice" in found(written(tmp_path / "b.zip", data))


def test_a_folder_where_a_file_should_be_is_refused(bundle: Path, tmp_path: Path) -> None:
    data = pack([*parts(bundle), ("run/a/b", b""), ("run/a", b"")])
    assert "run/a has the name of another file or folder" in found(written(tmp_path / "b.zip", data))


def test_a_length_that_is_not_there_is_refused_before_it_is_read(bundle: Path, tmp_path: Path) -> None:
    data = bytearray(bundle.read_bytes())
    second = data.index(b"PK\x03\x04", 4)
    data[second + 18 : second + 26] = struct.pack("<2I", 0xFFFFFFF0, 0xFFFFFFF0)
    assert "longer than what is left of the file" in found(written(tmp_path / "b.zip", bytes(data)))


def test_more_entries_than_a_bundle_may_have_are_refused(bundle: Path, tmp_path: Path) -> None:
    content = [*parts(bundle), *((f"run/x/{number}", b"") for number in range(65_600))]
    assert "over 65534 entries" in found(written(tmp_path / "b.zip", pack(content)))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99, 0.9999])
def test_a_bundle_that_is_cut_off_is_refused(bundle: Path, tmp_path: Path, share: float) -> None:
    data = bundle.read_bytes()
    finding = found(written(tmp_path / "b.zip", data[: int(len(data) * share)]))
    assert "cut off" in finding


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b"\0",
        lambda data: data + data,
        lambda data: b"#!/bin/sh\n" + data,
    ],
)
def test_nothing_stands_before_or_after_it(bundle: Path, tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    assert refused(written(tmp_path / "b.zip", change(bundle.read_bytes())))


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content[:1] + content[2:],  # no manifest
        lambda content: content[:-1],
        lambda content: [content[0], content[2], content[1], *content[3:]],
    ],
)
def test_what_it_says_of_itself_must_be_so(
    bundle: Path, tmp_path: Path, change: Callable[[list[Part]], list[Part]]
) -> None:
    """Parts taken out are found by the count, parts in another order by their places."""
    assert found(written(tmp_path / "b.zip", pack(change(parts(bundle)))))


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"PK\x03\x04" + bytes(200), b"not a zip at all", pack([("x", b"y")]), pack([("bundle.json", b"{}")])],
)
def test_another_file_is_no_bundle(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UsageError, match="bundle"):
        found(written(tmp_path / "b.zip", data))


def test_what_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="opening a bundle"):
        found(tmp_path / "nowhere.zip")


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_byte_of_a_bundle_changes_unseen(bundle: Path, data: st.DataObject) -> None:
    content = bytearray(bundle.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    assert refused(written(bundle.with_name("altered.zip"), bytes(content)))
