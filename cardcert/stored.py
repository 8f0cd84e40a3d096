"""`cardcert report` and `verify`: work on stored runs, without a rig. `cardcert.rejudge` has `judge`."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import test_plans
from bench.rig import load_rig
from evidence.errors import EvidenceDamaged, RigFault, UsageError
from evidence.files import storage_error
from evidence.journal import verify_journal
from fixtures.certification import judge_run, stored_verdicts
from fixtures.consistency import contradictions
from fixtures.kept_packs import keeps_packs, kept_packs
from fixtures.run_folder import RunSettings, own_version, parse_defects, parse_policies, read_json, stored_plan
from reports.build import build_reports
from reports.console import print_summary
from reports.manifest import check_manifest, write_manifest
from reports.text import visible
from rules.changes import same_verdicts
from rules.loader import load_packs
from rules.pack import Pack, pack_digest
from rules.summary import Overall, Summary, summarise
from rules.verdicts import Verdict
from rules.wordfile import LANGUAGES, words_digest

MODULE = Path(test_plans.__file__).parent / "test_certification.py"
STATUS = {Overall.CONFORMS: 0, Overall.NON_CONFORMITY: 1, Overall.INCONCLUSIVE: 3}

LINE_LIMIT = 2000
"""Characters of one finding or change that are shown; the words of devices and files are in them."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("report", help="rebuild the reports of a run")
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the certificate (default: that of the run)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run_report)

    parser = commands.add_parser("verify", help="check that a run folder holds together")
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(run=run_verify)


def run_pytest(out: Path, arguments: list[str]) -> None:
    """Run the certification module under pytest: on a rig, or over the stored run in `out` (`--from-run`).

    Verdicts are never taken from pytest's exit status; they stand in the run folder. Raises KeyboardInterrupt when the
    run was stopped, RigFault when pytest itself failed, and whatever broke around the tests: what then stands in the
    folder is not what this run came to.
    """
    broken = _Broken()
    fixed = [str(MODULE), "-c", str(MODULE.with_name("pytest.ini")), "--rootdir", str(MODULE.parent),
             "-p", "no:terminal", "--alluredir", str(out / "allure-results"), "--clean-alluredir"]  # fmt: skip
    try:
        status = pytest.main([*fixed, *arguments], plugins=[broken])
    except (OSError, ExceptionGroup) as error:
        # What pytest and Allure write beside the tests finds no room either.
        raise _not_stored(out, broken.first or error) from None
    if status == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if broken.first is not None:
        raise _not_stored(out, broken.first) from None
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RigFault(f"pytest ended with status {int(status)}; the run in {out} is not complete.")


def _not_stored(out: Path, error: BaseException) -> BaseException:
    """The error to raise when results could not be written; anything else that broke stays what it is."""
    if isinstance(error, ExceptionGroup) and error.split(OSError)[1] is None:
        error = _not_stored(out, error.exceptions[0])
    return storage_error("writing results", out, error) if isinstance(error, OSError) else error


class _Broken:
    """A pytest plugin that keeps the first error that is no finding of a test: the folder in use, a full disk."""

    def __init__(self) -> None:
        self.first: BaseException | None = None

    def pytest_exception_interact(self, call: "pytest.CallInfo[object]") -> None:
        error = call.excinfo.value if call.excinfo is not None else None
        if self.first is None and not isinstance(error, pytest.fail.Exception):
            self.first = error

    def pytest_internalerror(self, excinfo: "pytest.ExceptionInfo[BaseException]") -> bool:
        """An error in pytest or in one of its plugins; True, because it is told once, as ours."""
        self.first = self.first or excinfo.value
        return True


def finish(out: Path, *, lang: str, as_json: bool) -> int:
    """Build the reports of a judged run, print the summary, return the exit status of its overall result."""
    built = build_reports(out, lang)
    write_manifest(out)
    summary = summary_of(out)
    if as_json:
        print(json.dumps({"overall": summary.overall, "folder": str(out), "troubles": list(built.troubles)}))
    else:
        print_summary(summary)
        for trouble in built.troubles:
            print(f"cardcert: {visible(trouble, LINE_LIMIT)}")
        for path in built.paths:
            print(path)
    return STATUS[summary.overall]


def summary_of(out: Path) -> Summary:
    """The summary of a run folder's stored verdicts."""
    plan = stored_plan(out)
    return summarise(stored_verdicts(out), packs_of(out, plan.packs), plan.scenarios)


def packs_of(out: Path, ids: Sequence[str], instead: Sequence[Path] = (), *, installed: bool = False) -> Sequence[Pack]:
    """The packs that a run is judged with: those that its folder keeps, or those that came with cardcert."""
    if installed or not keeps_packs(out):
        return load_packs(ids, extra=instead)
    return kept_packs(out, ids, instead)


def settings_of(
    out: Path, policies: list[str], packs: list[Path], *, installed: bool = False, language: str = ""
) -> RunSettings:
    """What a stored run was asked to be, with other policy switches, packs or language where they are given."""
    plan, run = stored_plan(out), read_json(out / "run.json")
    try:
        switched = {**run["policies"], **parse_policies(policies)}
        seed, defects = int(run["seed"]), parse_defects(run["defects"])
        language = language or run.get("language", "en")
        _pack_digests(run)
        if not (isinstance(run["started_utc"], str) and isinstance(run["overall"], str)):
            raise TypeError("started_utc and overall are texts")
        if language not in LANGUAGES:
            raise ValueError(f"there are no sentences in {language!r}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(
            f"{out / 'run.json'}: does not say of the run what it should ({error!r}). "
            f"Take the run folder from a sound copy."
        ) from None
    return RunSettings(
        plan=plan,
        rig=load_rig(out / "rig.toml"),
        packs=packs_of(out, plan.packs, packs, installed=installed),
        out=out,
        seed=seed,
        policies=switched,
        defects=defects,
        language=language,
    )


def run_report(options: argparse.Namespace) -> int:
    """Rebuild every report from the stored run. Verdicts that nothing bears out are not made into a report."""
    out: Path = options.folder
    settings, run = settings_of(out, [], []), read_json(out / "run.json")
    followed = _follow(judge_run(settings), out, run)
    same_packs = {pack.id: pack_digest(pack) for pack in settings.packs} == _pack_digests(run)
    if not followed and (same_packs or keeps_packs(out)):
        raise EvidenceDamaged(
            f"{out / 'verdicts.json'}: the verdicts do not follow from the journal. "
            f"`cardcert judge {out}` says which; with --write it puts the right ones in their place."
        )
    run_pytest(out, ["--from-run", str(out)])
    status = finish(out, lang=options.lang or settings.language, as_json=options.json)
    if not followed:
        print(
            "cardcert: this run was judged with another version of its packs, so its verdicts cannot be checked here; "
            "`cardcert judge` shows what changes with the packs installed.",
            file=sys.stderr,
        )
        return status or STATUS[Overall.INCONCLUSIVE]
    return status


def _follow(verdicts: Sequence[Verdict], out: Path, run: Mapping[str, Any]) -> bool:
    """Whether the stored verdicts are these, wording included where these words are those of the run."""
    return same_verdicts(verdicts, stored_verdicts(out), words=_same_words(run))


def _same_words(run: Mapping[str, Any]) -> bool:
    """Whether the run's sentences were worded as they are today; another version of cardcert may do so otherwise."""
    return bool(run.get("words") == words_digest())


def _pack_digests(run: dict[str, Any]) -> dict[str, str]:
    """The digest of each pack that the run was judged with, by its id."""
    return {entry["id"]: entry["sha256"] for entry in run["packs"]}


def run_verify(options: argparse.Namespace) -> int:
    """Check manifest, journal and verdicts of a run folder; name what does not hold, first things first."""
    out: Path = options.folder
    findings = [str(finding) for finding in check_manifest(out)]
    if findings:
        # What run.json says of the journal's end may be what was altered; the journal alone still tells its damages.
        findings += [str(damage) for damage in verify_journal(out)]
    else:
        findings = _deeper_findings(out)
    if options.json:
        print(json.dumps({"sound": not findings, "findings": findings}))
    else:
        for finding in findings:
            print(f"does not hold: {visible(finding, LINE_LIMIT)}")
        if not findings:
            print(f"{out} holds together: manifest, journal and verdicts agree")
            if not _same_words(read_json(out / "run.json")):
                print("Its sentences were worded by another version of cardcert; their wording was not checked.")
    return 1 if findings else 0


def _deeper_findings(out: Path) -> list[str]:
    """What does not hold in a run folder whose files are those of its manifest."""
    run = read_json(out / "run.json")
    try:
        sealed = (run["journal"]["records"] - 1, run["journal"]["head"])
        digests = _pack_digests(run)
        stated, settings = run["overall"], settings_of(out, [], [])
    except (KeyError, TypeError, ValueError) as error:
        return [f"run.json: does not say of the run what it should ({error!r})"]
    except UsageError as error:
        return [str(error)]
    findings = [str(damage) for damage in verify_journal(out, sealed)]
    if findings:
        return findings
    findings += [
        f"pack {pack.id}: the run was judged with another version of it than {visible(pack.path, LINE_LIMIT)} holds; "
        f"`cardcert judge` shows what that changes"
        for pack in settings.packs
        if pack_digest(pack) != digests.get(pack.id)
    ]
    try:
        verdicts = judge_run(settings)
    except EvidenceDamaged as damaged:
        return [*findings, str(damaged)]
    if run.get("cardcert") == own_version() and not _same_words(run):
        findings.append("run.json: words: not the digest of the sentences that this version of cardcert has")
    if not _follow(verdicts, out, run):
        findings.append("verdicts.json: the verdicts do not follow from the journal")
    overall = summarise(verdicts, settings.packs, settings.plan.scenarios).overall
    if stated != overall:
        findings.append(f"run.json: states {stated}, but {overall} follows from the journal")
    return findings + contradictions(settings, run)
