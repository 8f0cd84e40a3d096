"""Whatever is altered in a signed run folder or its bundle is found, and the first finding names the place.

`python -m benchmarks.tampering` does the same at thousands of places.
"""

import itertools
from pathlib import Path

from benchmarks.tampering import flips, rearrangements, try_bundle, try_folder, try_other_key
from reports.bundle import write_bundle
from reports.sealing.certificates import read_certificates
from reports.sealing.identity import Identity
from tests.verifying.test_verify_trust import told

EVERY = 5
"""Of so many alterations one is tried here."""


def test_flipped_bytes_are_found_and_placed(whole: Path, signer: Identity) -> None:
    trusted = read_certificates(signer.beside("trust.pem"))
    assert try_folder(whole, trusted, itertools.islice(flips(whole, 1, seed=2), 0, None, EVERY)) == []


def test_dropped_added_cut_and_exchanged_parts_are_found_and_placed(whole: Path, signer: Identity) -> None:
    trusted = read_certificates(signer.beside("trust.pem"))
    assert try_folder(whole, trusted, itertools.islice(rearrangements(whole), 0, None, 4 * EVERY)) == []


def test_an_altered_bundle_is_found(whole: Path, signer: Identity, tmp_path: Path) -> None:
    bundle = write_bundle(whole, tmp_path / "b.zip")
    assert try_bundle(bundle, read_certificates(signer.beside("trust.pem")), 40, seed=3) == []


def test_a_folder_signed_anew_is_found(whole: Path, signer: Identity, tmp_path: Path) -> None:
    assert try_other_key(whole, read_certificates(signer.beside("trust.pem")), tmp_path) == []


def test_altering_nothing_is_no_finding(whole: Path, signer: Identity) -> None:
    """Else the others would find whatever is done."""
    assert told(whole, "--trust", str(signer.beside("trust.pem")))["findings"] == []
