"""How long reports take and how large they are.

    python -m benchmarks.reports [--scenarios 1000] [--folder RUN]

Prints one line for each figure: the certificate of a plan of 112 clauses with 40 non-conformities and their pictures,
the same of 500 clauses, and the Allure page of many scenarios. With `--folder`, a run folder of your own is reported
instead, and the bundle of it is made and verified, with the time of each stage; a sealed one of the default plan tells
most. Times are wall time on an idle machine, and processor time of this process and those it started.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.made_run import made_packs, make_run
from fixtures.verification import Verification, verify_folder
from reports.allure_html import build_allure
from reports.bundle import opened, write_bundle
from reports.certificate.build import render_certificate
from reports.run_view import RunView


@contextmanager
def timed(what: str) -> Iterator[Callable[[str], None]]:
    """Print what was done with its wall and processor time; the block may add words."""
    notes: list[str] = []
    wall, used = time.perf_counter(), sum(os.times()[:4])
    yield notes.append
    wall, used = time.perf_counter() - wall, sum(os.times()[:4]) - used
    print(f"{what}: {wall:.2f} s, processor {used:.2f} s{''.join(f', {note}' for note in notes)}", flush=True)


def certificate(run: RunView, what: str) -> None:
    with timed(f"certificate, {what}") as note:
        content, pdf = render_certificate(run, "en")
        note(f"PDF {len(pdf) / 1e6:.1f} MB, {pdf.count(b'/DCTDecode')} pictures, JSON {len(content) / 1e6:.1f} MB")


def page(run: RunView, folder: Path, what: str) -> None:
    with timed(f"Allure page, {what}") as note:
        made = build_allure(folder, run)
        note(f"{made.stat().st_size / 1e6:.1f} MB")


def bundle(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="cardcert-benchmark-") as scratch:
        with timed("bundling") as note:
            made = write_bundle(folder, Path(scratch) / "run.zip")
            note(f"{made.stat().st_size / 1e6:.1f} MB")
        with timed("verifying the bundle") as note:
            began = time.perf_counter()
            with opened(made) as (unpacked, finding):
                opening = time.perf_counter() - began
                result = Verification([finding]) if finding else verify_folder(unpacked)
            note(next(iter(result.findings), "it holds together"))
        for stage, seconds in {"unpacking": opening, **result.seconds}.items():
            print(f"    {stage}: {seconds:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenarios", type=int, default=1000, help="scenarios of the page (default 1000)")
    parser.add_argument("--folder", type=Path, help="report this run folder instead")
    options = parser.parse_args()
    if options.folder is not None:
        bundle(options.folder)
        with timed("reading the run folder"):
            run = RunView.load(options.folder)
        certificate(run, f"{len(run.clauses)} clauses, {len(run.scenarios_judged)} scenarios")
        with tempfile.TemporaryDirectory(prefix="cardcert-benchmark-") as scratch:
            copy = Path(shutil.copytree(options.folder, Path(scratch) / "run"))
            page(run, copy, f"{len(run.scenarios_judged)} scenarios")
        return
    with tempfile.TemporaryDirectory(prefix="cardcert-benchmark-") as scratch:
        for clauses, failures in ((5, 1), (112, 40), (500, 100)):
            run = make_run(Path(scratch) / str(clauses), made_packs(clauses), max(clauses, 112), failures)
            certificate(run, f"{clauses} clauses, {failures} non-conformities")
        folder = Path(scratch) / "page"
        run = make_run(folder, made_packs(112), options.scenarios, options.scenarios // 50)
        page(run, folder, f"{options.scenarios} scenarios")


if __name__ == "__main__":
    main()
