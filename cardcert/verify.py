"""`cardcert verify`: whether a run folder or a bundle is to be believed. Offline, without a rig."""

import argparse
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from cryptography import x509

from evidence.errors import EvidenceDamaged
from fixtures.verification import Verification, verify_folder
from reports.bundle import opened
from reports.sealing.certificates import read_certificates
from reports.text import visible

MOST_S = 1800
"""Seconds after which checking is given up; a folder of 1,000 scenarios takes less than a minute."""
LINE_LIMIT = 2000
"""Characters of one finding that are shown; the words of devices and files are in them."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "verify", help="check that a run folder or a bundle holds together", description=__doc__
    )
    parser.add_argument("path", type=Path, metavar="PATH", help="run folder or bundle")
    parser.add_argument(
        "--trust", action="append", default=[], type=Path, metavar="CERT",
        help="certificate (PEM or DER) of somebody whose signature you rely on; may be given several times",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check, tell the first thing that does not hold, and return 1 for it; 0 when all holds."""
    trusted = [certificate for path in options.trust for certificate in read_certificates(path)]
    with _at_most(MOST_S):
        result = _verify(options.path, trusted)
    if options.json:
        print(json.dumps(_plain(result)))
    else:
        _tell(options.path, result)
    return 1 if result.findings else 0


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """What comes from anybody may be made to keep its reader busy for ever."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise EvidenceDamaged(
            f"checking it took over {seconds} s, and was given up: no sound evidence takes that long."
        )

    before = signal.signal(signal.SIGALRM, stop)
    # Once more every minute: what is given up first may not be all that does not end.
    signal.setitimer(signal.ITIMER_REAL, seconds, 60)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _verify(path: Path, trusted: list[x509.Certificate]) -> Verification:
    if path.is_dir():
        return verify_folder(path, trusted)
    with opened(path) as (folder, finding):
        return Verification([finding]) if finding else verify_folder(folder, trusted)


def _plain(result: Verification) -> dict[str, object]:
    signatures = result.signatures
    return {
        "sound": not result.findings,
        "first": result.findings[0] if result.findings else None,
        "findings": result.findings,
        "notes": result.notes,
        "signed": signatures.signed,
        "test_identity": signatures.test,
        "signer": signatures.signer or None,
        "signed_utc": signatures.pdf.moment.isoformat() if signatures.pdf else None,
        "time_stamp": bool(signatures.pdf and signatures.pdf.stamp_chain),
        "trusted": result.trusted,
    }


def _tell(path: Path, result: Verification) -> None:
    for finding in result.findings:
        print(f"does not hold: {visible(finding, LINE_LIMIT)}")
    for note in result.notes:
        print(f"note: {visible(note, LINE_LIMIT)}")
    signatures = result.signatures
    if signatures.signed and not result.findings:
        vouched = " by somebody whom you trust" if result.trusted else ""
        print(f"signed{vouched}: {visible(signatures.signer)}, {signatures.moment:%Y-%m-%d %H:%M} UTC")
    if not result.findings:
        parts = "signatures, manifest" if signatures.signed else "manifest"
        print(f"{path} holds together: {parts}, journal, verdicts and certificate agree")
