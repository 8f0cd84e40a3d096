"""Lays a laboratory's papers into a run folder, so that its reports can be made again from the folder alone."""

from dataclasses import dataclass
from pathlib import Path

from evidence.files import write_atomic
from evidence.tomlfile import read_text
from reports.allure_history import FILE_NAME as HISTORY_NAME
from reports.allure_history import merge_history, read_history, write_history
from reports.papers import known, laboratory


@dataclass(frozen=True)
class Papers:
    """Files that were named for a run; None leaves what stands in the folder."""

    laboratory: Path | None = None
    known: Path | None = None
    history: Path | None = None
    """The history file that is read before and written after; shared by many runs."""


NO_PAPERS = Papers()


def check_papers(papers: Papers) -> None:
    """Raise UsageError for a paper that cannot be used, before a run begins."""
    if papers.laboratory is not None:
        laboratory.load_lab_file(papers.laboratory)
    if papers.known is not None:
        known.load_known(papers.known)
    if papers.history is not None:
        read_history(papers.history)


def lay_papers(papers: Papers, run_folder: Path) -> None:
    """Copy the papers into a run folder, in place of older ones. Raises UsageError for one that cannot be used."""
    check_papers(papers)
    for path, name, what in (
        (papers.laboratory, laboratory.FILE_NAME, "laboratory file"),
        (papers.known, known.FILE_NAME, "file of known non-conformities"),
    ):
        if path is not None:
            write_atomic(run_folder / name, read_text(path, what).encode())
    if papers.history is not None:
        write_history(run_folder / HISTORY_NAME, read_history(papers.history))


def hand_back(papers: Papers, run_folder: Path) -> None:
    """Put this run into the history file that was named for it, once its reports are made."""
    if papers.history is not None:
        merge_history(papers.history, run_folder)
