"""The manifest finds every way in which a run folder can have changed, and never leaves the folder."""

import json
from pathlib import Path

import pytest

from evidence.errors import UsageError
from reports.manifest import check_manifest, write_manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = tmp_path / "run"
    (run / "journal" / "attachments").mkdir(parents=True)
    (run / "run.json").write_text("{}")
    (run / "journal" / "events.jsonl").write_text("one\n")
    (run / "journal" / "attachments" / "a.jpg").write_bytes(b"\xff\xd8")
    return run


def problems(folder: Path) -> dict[str, str]:
    return {finding.path: finding.problem for finding in check_manifest(folder)}


def test_an_untouched_folder_holds(folder: Path) -> None:
    write_manifest(folder)
    assert check_manifest(folder) == []


def test_every_file_is_listed_with_its_digest_sorted_by_path(folder: Path) -> None:
    manifest = json.loads(write_manifest(folder).read_text())
    assert [entry["path"] for entry in manifest["files"]] == [
        "journal/attachments/a.jpg",
        "journal/events.jsonl",
        "run.json",
    ]
    # echo -n '{}' | sha256sum
    assert manifest["files"][2] == {
        "path": "run.json",
        "bytes": 2,
        "sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    }


def test_writing_it_again_gives_the_same_bytes(folder: Path) -> None:
    first = write_manifest(folder).read_bytes()
    assert write_manifest(folder).read_bytes() == first


def test_a_changed_byte_is_found(folder: Path) -> None:
    write_manifest(folder)
    (folder / "journal" / "events.jsonl").write_text("onE\n")
    assert list(problems(folder)) == ["journal/events.jsonl"]
    assert "altered" in problems(folder)["journal/events.jsonl"]


def test_a_file_of_another_length_is_found(folder: Path) -> None:
    write_manifest(folder)
    (folder / "run.json").write_text("{} ")
    assert problems(folder) == {"run.json": "has 3 bytes, 2 were recorded"}


def test_a_missing_and_an_added_file_are_found(folder: Path) -> None:
    write_manifest(folder)
    (folder / "run.json").unlink()
    (folder / "journal" / "more.txt").write_text("")
    assert problems(folder) == {
        "run.json": "is missing",
        "journal/more.txt": "was added: the manifest does not list it",
    }


def test_a_file_replaced_by_a_link_to_the_same_content_is_found(folder: Path, tmp_path: Path) -> None:
    write_manifest(folder)
    (folder / "run.json").rename(tmp_path / "outside.json")
    (folder / "run.json").symlink_to(tmp_path / "outside.json")
    assert problems(folder) == {"run.json": "is no ordinary file any more"}


def test_a_link_is_not_put_on_the_manifest(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "run.json")
    with pytest.raises(UsageError, match="link: a run folder holds ordinary files only"):
        write_manifest(folder)


@pytest.mark.parametrize("path", ["../outside.txt", "/etc/hostname", "journal/../../outside.txt"])
def test_a_manifest_cannot_name_files_outside_the_folder(folder: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.txt").write_text("x")
    entry = {"path": path, "bytes": 1, "sha256": "00" * 32}
    write_manifest(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"].append(entry)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert problems(folder) == {path: "stands twice in the manifest, or lies outside the run folder"}


@pytest.mark.parametrize("content", ["", "[]", '{"schema": 99, "files": []}'])
def test_a_broken_manifest_is_a_finding_of_its_own(folder: Path, content: str) -> None:
    (folder / "manifest.json").write_text(content)
    assert list(problems(folder)) == ["manifest.json"]


def test_no_manifest_is_a_finding(folder: Path) -> None:
    assert list(problems(folder)) == ["manifest.json"]
