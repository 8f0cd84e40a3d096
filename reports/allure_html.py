"""Makes `allure-report.html` of a run folder: one file, sealed, that opens with the network off."""

import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from evidence.errors import RigFault, UsageError
from evidence.files import write_atomic
from reports.allure_history import FILE_NAME as HISTORY_NAME
from reports.allure_history import (
    RUNS_MAX,
    Point,
    earlier,
    own_point,
    read_history,
    run_name,
    run_uuid,
    write_history,
)
from reports.allure_meta import category_rules
from reports.allure_results import utc_ms, write_results
from reports.page_seal import seal
from reports.page_slim import slim
from reports.run_view import RunView
from reports.shape import mapping
from reports.story import gravest, status_of
from reports.text import visible
from reports.trend import trend_svg
from reports.unjudged import told_cases
from reports.wordbook import wordbook

FILE_NAME = "allure-report.html"
EXECUTABLE_VARIABLE = "CARDCERT_ALLURE"
_CHARTS = [{"type": "statusDynamics", "limit": RUNS_MAX}]
_TIMEOUT_S = 300.0
_OPTIONS = re.compile(r"window\.allureReportOptions = (\{.*\})$", re.MULTILINE)
_CHARTS_FILE = re.compile(r'(\bd\("widgets/charts\.json",")([A-Za-z0-9+/=]+)("\))')
_PAGE_LIMIT_BYTES = 400 * 1024 * 1024


def build_allure(run_folder: Path, run: RunView | None = None, lang: str = "en") -> Path:
    """Write `allure-report.html` into a run folder and return its path.

    Where the folder holds a `history.jsonl`, the page shows the earlier runs in it, and this run gets its line there.
    Raises UsageError when Allure is not installed, RigFault when it fails or makes a page that cannot be sealed.
    """
    run = run or RunView.load(run_folder)
    executable = find_allure()
    kept = Path(run_folder) / HISTORY_NAME
    past = earlier(read_history(kept), run) if kept.exists() else None
    with tempfile.TemporaryDirectory(prefix="cardcert-allure-") as scratch:
        work = Path(scratch)
        write_results(run, work / "results", lang)
        if past is not None:
            write_history(work / HISTORY_NAME, past)
            (work / _trend_name(lang)).write_bytes(trend_svg([*past, _now(run)], lang))
        (work / "allurerc.json").write_bytes(msgspec.json.encode(_config(run, work, lang)))
        _generate(executable, work)
        page = work / "page" / "index.html"
        if not page.is_file() or page.stat().st_size > _PAGE_LIMIT_BYTES:
            raise RigFault(
                f"{executable}: expected it to write one page, found none of a sensible size; run make setup"
            )
        target = Path(run_folder) / FILE_NAME
        write_atomic(target, seal(slim(_pinned(page.read_text(encoding="utf-8"), run))).encode())
        if past is not None:
            mine = own_point(read_history(work / HISTORY_NAME)[-1], run, _finished_ms(run))
            write_history(kept, [*past, mine])
    return target


def find_allure(environ: Mapping[str, str] = os.environ) -> Path:
    """The Allure 3 executable: `CARDCERT_ALLURE`, else the project's node_modules, else PATH.

    Raises UsageError when there is none.
    """
    if named := environ.get(EXECUTABLE_VARIABLE):
        if not os.access(named, os.X_OK) or Path(named).is_dir():
            raise UsageError(f"{EXECUTABLE_VARIABLE}={named}: expected the executable of Allure 3; correct or unset it")
        return Path(named)
    project = Path(__file__).resolve().parent.parent
    for folder in (project / "node_modules" / ".bin", project / "build" / "node_modules" / ".bin"):
        if os.access(folder / "allure", os.X_OK):
            return folder / "allure"
    if found := shutil.which("allure", path=environ.get("PATH", "")):
        return Path(found)
    raise UsageError(
        "allure: expected Allure 3 for allure-report.html, found none; run make setup in the source tree, or "
        f"install it with `npm install allure@3.18.0` and set {EXECUTABLE_VARIABLE} to its node_modules/.bin/allure"
    )


def _config(run: RunView, work: Path, lang: str) -> dict[str, Any]:
    plan = visible(mapping(run.run.get("plan")).get("name") or "plan not stated", 80)
    history = (work / HISTORY_NAME).exists()
    page = {
        "singleFile": True,
        "reportName": f"cardcert: {plan}, {visible(run.run.get('overall') or 'no overall result', 40)}",
        "reportLanguage": lang,
        "groupBy": ["epic", "feature", "story"],
        "charts": _CHARTS if history else [],
        "sections": ["charts"] if history else [],
    }
    config = {
        "name": page["reportName"],
        "output": str(work / "page"),
        "categories": category_rules(lang),
        "hideLabels": ["execution"],
        "plugins": {"awesome": {"options": page}},
    }
    if history:
        config |= {"historyPath": str(work / HISTORY_NAME), "historyLimit": RUNS_MAX, "appendHistory": True}
        config["globalAttachments"] = [_trend_name(lang)]
    return config


def _trend_name(lang: str) -> str:
    return f"{wordbook(lang).say('page', 'trend')}.svg"


def _now(run: RunView) -> Point:
    """This run as a point of its own history."""
    results = {}
    for scenario, clause in told_cases(run):
        rows = run.rows(scenario, clause)
        word = gravest(rows, lambda row: row.verdict).verdict if rows else ""
        results[f"{scenario} {clause}"] = {"status": status_of(word)}
    return {"uuid": run_uuid(run), "name": run_name(run), "timestamp": _finished_ms(run), "testResults": results}


def _finished_ms(run: RunView) -> int:
    return utc_ms(str(run.run.get("finished_utc")))


def _pinned(page: str, run: RunView) -> str:
    """The page with its date and ids taken from the run, so that the same run folder gives the same page.

    Raises RigFault when the page does not say them where expected.
    """
    found = _OPTIONS.search(page)
    if found is None:
        raise RigFault("the page Allure made has no allureReportOptions: expected Allure 3.18; run make setup again")
    options = msgspec.json.decode(found[1], type=dict[str, Any])
    made_ms = _finished_ms(run)
    options |= {"reportUuid": run_uuid(run), "createdAt": made_ms, "cacheKey": str(made_ms)}
    options["ci"] = {name: value for name, value in mapping(options.get("ci")).items() if name != "jobRunUid"}
    text = msgspec.json.encode(options).decode().replace("<", "\\u003c").replace(">", "\\u003e")
    page = page[: found.start(1)] + text + page[found.end(1) :]
    return _CHARTS_FILE.sub(lambda file: f"{file[1]}{_numbered(file[2])}{file[3]}", page)


def _numbered(charts: str) -> str:
    """The data of the charts, base64, with a number in place of the chance by which each chart is called."""
    data = msgspec.json.decode(base64.b64decode(charts), type=dict[str, Any])
    named = {str(name): f"chart-{number}" for number, name in enumerate(mapping(data.get("general")))}
    text = msgspec.json.encode(data).decode()
    for name, number in named.items():
        text = text.replace(name, number)
    return base64.b64encode(text.encode()).decode()


def _generate(executable: Path, work: Path) -> None:
    # An environment of its own: Allure writes addresses of build servers it finds in the environment into the page.
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    clean = {"PATH": search, "HOME": str(work), "LANG": "C.UTF-8", "TZ": "UTC", "ALLURE_NO_ANALYTICS": "true"}
    # Read side by side, results would stand in the page in whatever order they came in.
    clean["ALLURE_READ_CONCURRENCY"] = "1"
    command = [str(executable), "generate", "--config", str(work / "allurerc.json"), "--cwd", str(work), "results"]
    try:
        done = subprocess.run(command, cwd=work, env=clean, capture_output=True, timeout=_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise RigFault(
            f"{executable}: no page after {_TIMEOUT_S:g} s; look whether the machine is short of memory"
        ) from error
    except OSError as error:
        raise UsageError(f"{executable}: cannot be started ({error.strerror}); it needs Node.js 20 or newer") from error
    if done.returncode:
        said = visible((done.stderr or done.stdout).decode(errors="replace").strip()[-400:], 400)
        raise RigFault(f"{executable}: exit status {done.returncode}, expected 0; it said: {said}")
