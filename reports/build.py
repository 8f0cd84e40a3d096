"""Builds every report of a run folder. One that fails is named; the others are still built."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evidence.errors import CardcertError
from reports.allure_html import FILE_NAME as ALLURE_HTML
from reports.allure_html import build_allure
from reports.allure_meta import write_meta
from reports.certificate.build import PDF_NAME, build_certificate, load_words
from reports.junit import FILE_NAME as JUNIT
from reports.junit import build_junit
from reports.run_view import RunView
from reports.signed_by import UNSIGNED, SignedBy
from reports.text import visible


@dataclass(frozen=True)
class BuiltReports:
    """What came of building: the reports that stand now, and a sentence for each that could not be made."""

    paths: tuple[Path, ...]
    troubles: tuple[str, ...]


def build_reports(run_folder: Path, lang: str = "en", signed_by: SignedBy = UNSIGNED) -> BuiltReports:
    """Build `junit.xml`, `certificate.pdf` with `certificate.json`, and `allure-report.html` in a run folder.

    Verdicts are only read. A report that cannot be made is removed if an older one stands there, so that no stale
    one is taken for current. Raises UsageError for an unknown language or when the folder cannot be read as a run.
    """
    load_words(lang)
    folder = Path(run_folder)
    run = RunView.load(folder)
    makers: tuple[tuple[str, Callable[[], Path]], ...] = (
        (JUNIT, lambda: build_junit(folder, run)),
        (PDF_NAME, lambda: build_certificate(folder, lang, run, signed_by)),
        (ALLURE_HTML, lambda: build_allure(folder, run, lang)),
    )
    paths: list[Path] = []
    troubles = [f"{name}: missing from the run folder; the reports say so" for name in run.missing]
    results = folder / "allure-results"
    if results.is_dir():
        write_meta(run, results, lang)
    for name, make in makers:
        try:
            paths.append(make())
        except CardcertError as error:
            troubles.append(f"{name}: not made. {visible(error, 1000)}")
            (folder / name).unlink(missing_ok=True)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one report must not cost the others
            troubles.append(f"{name}: not made. {type(error).__name__}: {visible(error, 1000)}. Please report this.")
            (folder / name).unlink(missing_ok=True)
    return BuiltReports(tuple(paths), tuple(troubles))
