"""What a laboratory lays beside a run: its file, and the non-conformities it knows of."""

import datetime
from pathlib import Path

import pytest

from evidence.errors import UsageError
from reports.papers.known import Failure, Known, load_known, mark_of
from reports.papers.laboratory import load_lab_file
from reports.papers.laying import Papers, lay_papers

LAB = """
report_number = "EX-42"
issued = 2026-03-06
[laboratory]
name = "Example Laboratory"
[[item]]
device = "shoe"
received = 2026-03-01
condition = "new"
"""
DAY = datetime.date(2026, 3, 4)
FAILURE = Failure("P.A", "s", ("void",), ("ab" * 32,))


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_laboratory_file_is_read_and_what_is_left_out_is_empty(tmp_path: Path) -> None:
    lab = load_lab_file(written(tmp_path / "lab.toml", LAB))
    assert (lab.report_number, lab.laboratory.name, lab.customer.name) == ("EX-42", "Example Laboratory", "")
    assert (lab.item[0].received, lab.issued) == (datetime.date(2026, 3, 1), datetime.date(2026, 3, 6))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[laboratory]\nnmae = "x"\n', r"lab\.toml:2: laboratory file: .*nmae"),
        ('[[item]]\ndevice = "shoe"\nreceived = "yesterday"\n', r"lab\.toml:3"),
        ("issued = ", r"lab\.toml:1: not a valid TOML laboratory file"),
        ('remarks = "' + "x" * 4001 + '"\n', r"lab\.toml:1: .*4000"),
    ],
)
def test_a_wrong_laboratory_file_is_refused_with_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_lab_file(written(tmp_path / "lab.toml", text))


def test_papers_are_laid_into_the_folder_as_they_are_and_a_wrong_one_leaves_the_old_one(tmp_path: Path) -> None:
    lay_papers(Papers(laboratory=written(tmp_path / "mine.toml", LAB)), tmp_path)
    assert (tmp_path / "laboratory.toml").read_text() == LAB
    with pytest.raises(UsageError):
        lay_papers(Papers(laboratory=written(tmp_path / "wrong.toml", "x = 1")), tmp_path)
    assert (tmp_path / "laboratory.toml").read_text() == LAB


def known(**more: str) -> Known:
    return Known(clause="P.A", until=datetime.date(2026, 3, 4), why="so", **more)


def test_a_failure_is_known_to_the_end_of_the_day_and_then_expired() -> None:
    until_then, after = mark_of(FAILURE, [known()], DAY), mark_of(FAILURE, [known()], DAY + datetime.timedelta(1))
    assert until_then is not None
    assert until_then.state == "known"
    assert after is not None
    assert after.state == "expired"


@pytest.mark.parametrize(
    ("entry", "fits"),
    [
        (known(scenario="s"), True),
        (known(scenario="t"), False),
        (known(requirement="void"), True),
        (known(requirement="reshuffle"), False),
        (known(firmware_sha256="ab" * 32), True),
        (known(firmware_sha256="cd" * 32), False),
        (Known(clause="P.B", until=DAY, why="so"), False),
    ],
)
def test_an_entry_fits_what_it_names_and_nothing_else(entry: Known, fits: bool) -> None:
    assert (mark_of(FAILURE, [entry], DAY) is not None) == fits


def test_of_several_entries_one_that_still_counts_goes_first() -> None:
    old = Known(clause="P.A", until=datetime.date(2025, 1, 1), why="old")
    mark = mark_of(FAILURE, [old, known()], DAY)
    assert mark is not None
    assert (mark.state, mark.entry.why) == ("known", "so")


def test_a_known_non_conformity_needs_a_last_day_and_a_reason(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"known\.toml.*until"):
        load_known(written(tmp_path / "known.toml", '[[known]]\nclause = "P.A"\nwhy = "so"\n'))
