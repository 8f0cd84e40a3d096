"""All reports are built together, and one that fails costs none of the others."""

import hashlib
from pathlib import Path

import pytest

from evidence.errors import UsageError
from reports.allure_html import EXECUTABLE_VARIABLE
from reports.build import build_reports
from tests.reports.report_runs import small_run


def names(paths: tuple[Path, ...]) -> list[str]:
    return [path.name for path in paths]


def test_all_reports_stand_in_the_folder(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    built = build_reports(folder)
    assert built.troubles == ()
    assert names(built.paths) == ["junit.xml", "certificate.pdf", "allure-report.html"]
    assert all(path.parent == folder and path.stat().st_size > 0 for path in built.paths)
    assert (folder / "certificate.json").is_file()


def test_one_that_fails_is_named_and_the_others_are_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "allure-report.html").write_text("of an earlier run")
    monkeypatch.setenv(EXECUTABLE_VARIABLE, str(tmp_path / "nowhere"))
    built = build_reports(folder)
    assert names(built.paths) == ["junit.xml", "certificate.pdf"]
    (trouble,) = built.troubles
    assert trouble.startswith("allure-report.html: not made. CARDCERT_ALLURE=")
    assert not (folder / "allure-report.html").exists()


def test_building_reports_leaves_evidence_and_verdicts_as_they_are(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")

    def digests() -> dict[str, str]:
        kept = [folder / "run.json", folder / "verdicts.json", *sorted((folder / "journal").rglob("*.*"))]
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}

    before = digests()
    build_reports(folder)
    assert digests() == before


def test_what_is_missing_from_the_folder_is_a_trouble(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "verdicts.json").unlink()
    built = build_reports(folder)
    assert built.troubles == ("verdicts.json: missing from the run folder; the reports say so",)
    assert len(built.paths) == 3


def test_an_unknown_language_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    with pytest.raises(UsageError, match="language 'xx': expected one of en, es, it"):
        build_reports(folder, "xx")
    assert not (folder / "junit.xml").exists()


def test_the_environment_of_the_run_is_written_beside_the_results(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / "allure-results").mkdir()
    build_reports(folder)
    environment = (folder / "allure-results" / "environment.properties").read_text(encoding="utf-8")
    assert "overall\\ result = NON_CONFORMITY" in environment
    assert "version\\ python = 3.11.7" in environment
    assert "Non-conformity" in (folder / "allure-results" / "categories.json").read_text(encoding="utf-8")
