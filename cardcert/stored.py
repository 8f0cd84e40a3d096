"""`cardcert judge`, `report` and `verify`: work on stored runs, without a rig."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import test_plans
from bench.rig import load_rig
from evidence.errors import EvidenceDamaged, RigFault, UsageError
from evidence.files import storage_error
from evidence.journal import journal_head, read_journal, verify_journal
from fixtures.certification import conclude, stored_verdicts
from fixtures.consistency import contradictions
from fixtures.run_folder import RunSettings, parse_defects, parse_policies, read_json, stored_plan
from reports.build import build_reports
from reports.console import print_summary
from reports.manifest import check_manifest, write_manifest
from reports.text import visible
from rules.judge import judge
from rules.loader import load_packs
from rules.pack import pack_digest
from rules.summary import Overall, Summary, summarise

MODULE = Path(test_plans.__file__).parent / "test_certification.py"
STATUS = {Overall.CONFORMS: 0, Overall.NON_CONFORMITY: 1, Overall.INCONCLUSIVE: 3}

LINE_LIMIT = 2000
"""Characters of one finding or change that are shown; the words of devices and files are in them."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("judge", help="judge recorded evidence again")
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")
    parser.add_argument("--policy", action="append", default=[], metavar="SWITCH=VALUE", help="set a policy switch")
    parser.add_argument("--pack", action="append", default=[], type=Path, metavar="DIR", help="use this pack instead")
    parser.add_argument("--write", action="store_true", help="store the new verdicts in the run folder")
    parser.add_argument("--json", action="store_true", help="print the changes as JSON")
    parser.set_defaults(run=run_judge)

    parser = commands.add_parser("report", help="rebuild the reports of a run")
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")
    parser.add_argument("--lang", choices=("en", "es"), default="en", help="language of the certificate")
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
    return summarise(stored_verdicts(out), load_packs(plan.packs), plan.scenarios)


def settings_of(out: Path, policies: list[str], packs: list[Path]) -> RunSettings:
    """What a stored run was asked to be, with other policy switches or packs where they are given."""
    plan, run = stored_plan(out), read_json(out / "run.json")
    try:
        switched = {**run["policies"], **parse_policies(policies)}
        seed, defects = int(run["seed"]), parse_defects(run["defects"])
        _pack_digests(run)
        if not (isinstance(run["started_utc"], str) and isinstance(run["overall"], str)):
            raise TypeError("started_utc and overall are texts")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(
            f"{out / 'run.json'}: does not say of the run what it should ({error!r}). "
            f"Take the run folder from a sound copy."
        ) from None
    loaded = load_packs(plan.packs, extra=packs)
    return RunSettings(
        plan=plan, rig=load_rig(out / "rig.toml"), packs=loaded, out=out, seed=seed, policies=switched, defects=defects
    )


def run_judge(options: argparse.Namespace) -> int:
    """Judge again and say what changed; the run folder stays as it is unless --write is given."""
    out: Path = options.folder
    settings = settings_of(out, options.policy, options.pack)
    before = {(verdict.scenario, verdict.clause): verdict for verdict in stored_verdicts(out)}
    after = judge(read_journal(out), settings.packs, dict(settings.policies))
    changes: list[dict[str, Any]] = []
    for verdict in after:
        old = before.pop((verdict.scenario, verdict.clause), None)
        if old is None or old.verdict != verdict.verdict:
            changes.append({"scenario": verdict.scenario, "clause": verdict.clause, "was": old.verdict if old else None,
                            "is": verdict.verdict, "reason": verdict.reason})  # fmt: skip
    changes += [{"scenario": scenario, "clause": clause, "was": old.verdict, "is": None, "reason": "no longer judged"}
                for (scenario, clause), old in before.items()]  # fmt: skip
    if options.write:
        run = read_json(out / "run.json")
        conclude(settings, run["started_utc"], journal_head(out))
        write_manifest(out)
    summary = summarise(after, settings.packs, settings.plan.scenarios)
    if options.json:
        print(json.dumps({"overall": summary.overall, "judged": len(after), "changes": changes}))
    else:
        for change in changes:
            told = f"{change['scenario']} {change['clause']}: {change['was']} -> {change['is']}: {change['reason']}"
            print(visible(told, LINE_LIMIT))
        print(f"{len(after)} verdicts, {len(changes)} changed; {summary.overall}")
    return STATUS[summary.overall]


def run_report(options: argparse.Namespace) -> int:
    """Rebuild every report from the stored run. Verdicts that nothing bears out are not made into a report."""
    out: Path = options.folder
    settings, run = settings_of(out, [], []), read_json(out / "run.json")
    followed = judge(read_journal(out), settings.packs, dict(settings.policies)) == stored_verdicts(out)
    same_packs = {pack.id: pack_digest(pack) for pack in settings.packs} == _pack_digests(run)
    if not followed and same_packs:
        raise EvidenceDamaged(
            f"{out / 'verdicts.json'}: the verdicts do not follow from the journal. "
            f"`cardcert judge {out}` says which; with --write it puts the right ones in their place."
        )
    run_pytest(out, ["--from-run", str(out)])
    status = finish(out, lang=options.lang, as_json=options.json)
    if not followed:
        print(
            "cardcert: this run was judged with another version of its packs, so its verdicts cannot be checked here; "
            "`cardcert judge` shows what changes with the packs installed.",
            file=sys.stderr,
        )
        return status or STATUS[Overall.INCONCLUSIVE]
    return status


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
        f"pack {pack.id}: the run was judged with another version of it; `cardcert judge` shows what that changes"
        for pack in settings.packs
        if pack_digest(pack) != digests.get(pack.id)
    ]
    try:
        verdicts = judge(read_journal(out), settings.packs, dict(settings.policies))
    except EvidenceDamaged as damaged:
        return [*findings, str(damaged)]
    if verdicts != stored_verdicts(out):
        findings.append("verdicts.json: the verdicts do not follow from the journal")
    overall = summarise(verdicts, settings.packs, settings.plan.scenarios).overall
    if stated != overall:
        findings.append(f"run.json: states {stated}, but {overall} follows from the journal")
    return findings + contradictions(settings, run)
