"""`cardcert report`: the reports of a stored run, made without a rig; and how every command ends that makes reports."""

import argparse
import json
import sys
from pathlib import Path

import pytest

import test_plans
from cardcert.compare import add_compare_options, is_compare, run_compare
from cardcert.paper_options import add_paper_options, papers_of
from evidence.errors import CardcertError, EvidenceDamaged, RigFault, UsageError
from evidence.files import storage_error
from fixtures.judged import judge_run, stored_verdicts
from fixtures.run_folder import read_json, stored_plan
from fixtures.stored_run import follow, pack_digests, packs_of, settings_of
from reports.build import BuiltReports, build_reports
from reports.console import print_summary
from reports.console_notes import told_of_run, told_of_signature
from reports.papers.laying import NO_PAPERS, Papers, check_papers, hand_back, lay_papers
from reports.sealing.identity import Identity, load_identity
from reports.sealing.seal import seal
from reports.signed_by import UNSIGNED
from reports.text import visible
from rules.kept_packs import keeps_packs
from rules.pack import pack_digest
from rules.summary import Overall, Summary, summarise
from rules.wordfile import LANGUAGES

MODULE = Path(test_plans.__file__).parent / "test_certification.py"
STATUS = {Overall.CONFORMS: 0, Overall.NON_CONFORMITY: 1, Overall.INCONCLUSIVE: 3}

LINE_LIMIT = 2000
"""Characters of one finding or change that are shown; the words of devices and files are in them."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    usage = "cardcert report [options] DIR\n       cardcert report [options] diff RUN_A RUN_B"
    parser = commands.add_parser("report", help="rebuild the reports of a run, or compare two runs", usage=usage)
    parser.add_argument("folder", type=Path, nargs="+", metavar="DIR", help="run folder; or diff, and two run folders")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the certificate (default: that of the run)")
    add_sign_option(parser)
    add_paper_options(parser)
    add_compare_options(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run_report)


def add_sign_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that makes reports."""
    parser.add_argument("--sign", type=Path, metavar="IDENTITY", help="sign with this identity (see: keys new)")


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


def finish(out: Path, *, lang: str, as_json: bool, identity: Identity | None = None, papers: Papers = NO_PAPERS) -> int:
    """Build the reports of a judged run, seal and sign it, print the summary, return the status of the overall result.

    `papers` are laid into the folder first. Where signing fails, the folder is sealed unsigned and says so, and the
    error is raised after all has been told.
    """
    lay_papers(papers, out)
    built, unsigned = _build_and_seal(out, lang, identity)
    hand_back(papers, out)
    summary, run = summary_of(out), read_json(out / "run.json")
    signed_by = identity.signed_by() if identity and not unsigned else UNSIGNED
    notes = told_of_run(run, lang)
    if as_json:
        told = {"overall": summary.overall, "folder": str(out), "signed": signed_by.kind, "notes": notes}
        print(json.dumps({**told, "troubles": list(built.troubles)}))
    else:
        print_summary(summary, lang=lang)
        for told_line in (*notes, *built.troubles, told_of_signature(signed_by, lang)):
            print(f"cardcert: {visible(told_line, LINE_LIMIT)}")
        for path in built.paths:
            print(path)
    if unsigned:
        raise unsigned
    return STATUS[summary.overall]


def _build_and_seal(out: Path, lang: str, identity: Identity | None) -> tuple[BuiltReports, CardcertError | None]:
    if identity is not None:
        built = build_reports(out, lang, identity.signed_by())
        try:
            seal(out, identity)
        except CardcertError as error:
            # A certificate that says it is signed, and is not, must not stay.
            built = build_reports(out, lang)
            seal(out)
            return built, error
        return built, None
    built = build_reports(out, lang)
    seal(out)
    return built, None


def summary_of(out: Path) -> Summary:
    """The summary of a run folder's stored verdicts."""
    plan = stored_plan(out)
    return summarise(stored_verdicts(out), packs_of(out, plan.packs), plan.scenarios)


def run_report(options: argparse.Namespace) -> int:
    """Rebuild every report from the stored run. Verdicts that nothing bears out are not made into a report."""
    if is_compare(options.folder):
        return run_compare(options)
    if len(options.folder) != 1:
        raise UsageError(
            "report: expected one run folder, or `diff` and two. Name the folder given to certify as --out."
        )
    out: Path = options.folder[0]
    identity = load_identity(options.sign) if options.sign else None
    check_papers(papers_of(options))
    settings, run = settings_of(out, [], []), read_json(out / "run.json")
    followed = follow(judge_run(settings), out, run)
    same_packs = {pack.id: pack_digest(pack) for pack in settings.packs} == pack_digests(run)
    if not followed and (same_packs or keeps_packs(out)):
        raise EvidenceDamaged(
            f"{out / 'verdicts.json'}: the verdicts do not follow from the journal. "
            f"`cardcert judge {out}` says which; with --write it puts the right ones in their place."
        )
    run_pytest(out, ["--from-run", str(out)])
    lang = options.lang or settings.language
    status = finish(out, lang=lang, as_json=options.json, identity=identity, papers=papers_of(options))
    if not followed:
        print(
            "cardcert: this run was judged with another version of its packs, so its verdicts cannot be checked here; "
            "`cardcert judge` shows what changes with the packs installed.",
            file=sys.stderr,
        )
        return status or STATUS[Overall.INCONCLUSIVE]
    return status
