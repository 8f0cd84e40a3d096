"""A defective software or device: exit status 1, the right clause fails and no other."""

from pathlib import Path

import pytest

from tests.certification.conftest import certify


@pytest.mark.parametrize(
    ("scenario", "defect", "clauses"),
    [
        ("nj-d-too-many", "wrong_count_voids_round", {"NJ-69F-33.12.d"}),
        ("nj-i1-entry", "shuffler:silent_jam_recovery", {"NJ-69F-33.12.i.1"}),
        ("pr-proper", "shoe:six_card_groups", {"PR-PGP-SHOE.A.1"}),
        ("pr-false-count", "trust_device_count", {"PR-PGP-SHOE.E.2.0"}),
    ],
)
def test_a_defect_is_a_non_conformity_of_its_clause(
    tmp_path: Path, scenario: str, defect: str, clauses: set[str]
) -> None:
    run = certify(tmp_path / "run", [scenario], "--defect", defect)
    assert run.status == 1, run.err
    failed = {clause for (_, clause), verdict in run.verdicts().items() if verdict == "FAIL"}
    assert failed == clauses
    assert "NON_CONFORMITY" in run.out
