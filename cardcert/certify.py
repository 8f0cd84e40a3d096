"""`cardcert certify`: the main job. Rig, journal, judge, reports, in one go."""

import argparse
import contextlib
import datetime
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from bench.plan import load_plan, only
from bench.rig import load_rig
from bench.workshop import left_unread
from cardcert.paper_options import add_paper_options, papers_of
from cardcert.shipped import find_plan, find_rig
from cardcert.stored import add_sign_option, finish, run_pytest
from evidence.errors import UsageError
from evidence.journal import read_journal
from fixtures.checks import check_settings
from fixtures.defect_runs import judge_under, judged_already, processors
from fixtures.judged import stored_verdicts
from fixtures.own_packs import packs_of
from fixtures.run_folder import prepare_folder, read_json, write_json
from fixtures.run_settings import RunSettings, parse_defects, parse_policies
from fixtures.sensitivity import Row, special_policies, with_compliant
from reports.papers.laying import check_papers
from reports.sealing.identity import load_identity
from rules.wordfile import LANGUAGES

MATRIX_TIMEOUT_S = 900


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("certify", help="run a plan on a rig, judge it and report", description=__doc__)
    parser.add_argument("plan", nargs="?", default="default", help="plan file or name (default: all shipped clauses)")
    parser.add_argument("--rig", help="rig file or name (default: the emulated rig of the plan)")
    parser.add_argument("--out", type=Path, help="run folder to make (default: runs/<time>)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the run (default 1)")
    parser.add_argument("--resume", action="store_true", help="go on with the interrupted run in --out")
    parser.add_argument("--policy", action="append", default=[], metavar="SWITCH=VALUE", help="set a policy switch")
    parser.add_argument("--scenario", action="append", default=[], metavar="ID", help="play only this scenario")
    parser.add_argument(
        "--defect",
        action="append",
        default=[],
        metavar="[ON:]NAME",
        help="switch on a defect of an emulator, to see it fail (see: sensitivity --list)",
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of verdicts and certificate")
    add_sign_option(parser)
    add_paper_options(parser)
    parser.add_argument("--no-sensitivity", action="store_true", help="leave out the defect matrix")
    parser.add_argument("--yes", action="store_true", help="nobody is there to be asked; not where a person must act")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Certify; returns 0, 1 or 3 by the overall result."""
    identity = load_identity(options.sign) if options.sign else None
    papers = papers_of(options)
    check_papers(papers)
    plan_path = find_plan(options.plan)
    plan = only(load_plan(plan_path), options.scenario)
    rig_path = find_rig(options.rig or plan.rig)
    settings = RunSettings(
        plan=plan,
        rig=load_rig(rig_path),
        packs=packs_of(plan, plan_path),
        out=options.out or Path("runs") / datetime.datetime.now().astimezone().strftime("%Y-%m-%d_%H%M%S"),
        seed=options.seed,
        policies=parse_policies(options.policy),
        defects=parse_defects(options.defect),
        resume=options.resume,
        language=options.lang,
    )
    if options.yes and settings.rig.file.hands.kind == "person":
        raise UsageError("--yes: on this rig a person moves the cards, and nobody else can say that it was done.")
    # All that can be wrong with what was asked is said here, before pytest is started.
    check_settings(settings)
    if unread := left_unread(settings.rig):
        print(f"cardcert: camera resolution: {unread}", file=sys.stderr)
    prepare_folder(settings)
    out = settings.out
    matrix = None
    made = out.with_name(out.name + ".sensitivity.json")
    if not (options.no_sensitivity or options.scenario or options.defect):
        # The matrix shows that the tests can fail; it needs only emulators, so it runs beside the rig's own work.
        made.unlink(missing_ok=True)  # one that a killed run left behind is not this run's
        wanted = ["sensitivity", str(plan_path), "--seed", str(options.seed), "--out", str(made), "--quiet"]
        wanted += [f"--policy={chosen}" for chosen in options.policy]
        wanted += ["--declared-only", *(["--defects-only"] if settings.rig.emulated else [])]
        # The run itself has a processor to itself by its priority; once it is done, the matrix has them all.
        wanted += ["--jobs", str(processors())]
        # Whoever presses Ctrl-C stops the run, and that ends the matrix; so does the death of the run.
        wanted += ["--parent", str(os.getpid())]
        command = [sys.executable, "-m", "cardcert", *wanted]
        matrix = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    asked = ["--plan", str(plan_path), "--rig", str(rig_path), "--out", str(out), "--cardcert-seed", str(options.seed)]
    asked += ["--cardcert-lang", options.lang, *(["--cardcert-resume"] if options.resume else [])]
    for option, values in (("policy", options.policy), ("scenario", options.scenario), ("defect", options.defect)):
        for value in values:
            asked += [f"--cardcert-{option}", value]
    try:
        run_pytest(out, asked)
        if matrix is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # a run without its matrix says so in its reports
                matrix.wait(timeout=MATRIX_TIMEOUT_S)
    except KeyboardInterrupt:
        if not (out / "run.json").is_file():
            raise
        print("cardcert: stopped; what was done until now is judged and reported", file=sys.stderr)
    finally:
        if matrix is not None:
            _collect(matrix, made, settings)
    return finish(out, lang=options.lang, as_json=options.json, identity=identity, papers=papers)


def _collect(matrix: "subprocess.Popen[bytes]", made: Path, settings: RunSettings) -> None:
    """Take the matrix into the run folder if it is there; end its process if it is still at work.

    On the emulated rig the run itself is the compliant run of each scenario: same emulators, same seed.
    """
    if matrix.poll() is None:
        matrix.terminate()
        try:
            matrix.wait(timeout=10)
        except subprocess.TimeoutExpired:
            matrix.kill()
            matrix.wait()
    out = settings.out
    if not (made.is_file() and (out / "verdicts.json").is_file()):
        made.unlink(missing_ok=True)
        return
    rows = msgspec.convert(read_json(made), list[Row])
    made.unlink()
    if settings.rig.emulated:
        judged, special = judged_already(stored_verdicts(out)), special_policies(rows)
        if special:
            judged |= judge_under(list(read_journal(out)), settings.packs, settings.policies, special)
        rows = with_compliant(rows, judged)
    write_json(out / "sensitivity.json", rows)
