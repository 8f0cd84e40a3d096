"""Makes `allure-report.html` of a run folder: one file, sealed, that opens with the network off."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from evidence.errors import RigFault, UsageError
from evidence.files import write_atomic
from reports.allure_meta import category_rules
from reports.allure_results import NAMESPACE, utc_ms, write_results
from reports.page_seal import seal
from reports.run_view import RunView
from reports.shape import mapping
from reports.text import visible

FILE_NAME = "allure-report.html"
EXECUTABLE_VARIABLE = "CARDCERT_ALLURE"
_TIMEOUT_S = 300.0
_OPTIONS = re.compile(r"window\.allureReportOptions = (\{.*\})$", re.MULTILINE)
_PAGE_LIMIT_BYTES = 400 * 1024 * 1024


def build_allure(run_folder: Path, run: RunView | None = None) -> Path:
    """Write `allure-report.html` into a run folder and return its path.

    Raises UsageError when Allure is not installed, RigFault when it fails or makes a page that cannot be sealed.
    """
    run = run or RunView.load(run_folder)
    executable = find_allure()
    with tempfile.TemporaryDirectory(prefix="cardcert-allure-") as scratch:
        work = Path(scratch)
        write_results(run, work / "results")
        (work / "allurerc.json").write_bytes(msgspec.json.encode(_config(run, work / "page")))
        _generate(executable, work)
        page = work / "page" / "index.html"
        if not page.is_file() or page.stat().st_size > _PAGE_LIMIT_BYTES:
            raise RigFault(
                f"{executable}: expected it to write one page, found none of a sensible size; run make setup"
            )
        target = Path(run_folder) / FILE_NAME
        write_atomic(target, seal(_pinned(page.read_text(encoding="utf-8"), run)).encode())
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


def _config(run: RunView, output: Path) -> dict[str, Any]:
    plan = visible(mapping(run.run.get("plan")).get("name") or "plan not stated", 80)
    page = {
        "singleFile": True,
        "reportName": f"cardcert: {plan}, {visible(run.run.get('overall') or 'no overall result', 40)}",
        "reportLanguage": "en",
        "groupBy": ["epic", "feature", "story"],
        "charts": [],
    }
    return {
        "name": page["reportName"],
        "output": str(output),
        "categories": category_rules(),
        "hideLabels": ["execution"],
        "plugins": {"awesome": {"options": page}},
    }


def _pinned(page: str, run: RunView) -> str:
    """The page with its date and ids taken from the run, so that the same run folder gives the same page.

    Raises RigFault when the page does not say them where expected.
    """
    found = _OPTIONS.search(page)
    if found is None:
        raise RigFault("the page Allure made has no allureReportOptions: expected Allure 3.18; run make setup again")
    options = msgspec.json.decode(found[1], type=dict[str, Any])
    head = str(mapping(run.run.get("journal")).get("head"))
    made_ms = utc_ms(str(run.run.get("finished_utc")))
    options |= {"reportUuid": str(uuid.uuid5(NAMESPACE, head)), "createdAt": made_ms, "cacheKey": str(made_ms)}
    options["ci"] = {name: value for name, value in mapping(options.get("ci")).items() if name != "jobRunUid"}
    text = msgspec.json.encode(options).decode().replace("<", "\\u003c").replace(">", "\\u003e")
    return page[: found.start(1)] + text + page[found.end(1) :]


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
