"""The defect matrix says that a test can fail; it is of no worth where the compliant run does not pass."""

import json
from pathlib import Path

from tests.certification.conftest import cardcert

PLAN = """
name = "half"
title = "The fault strikes only when the software breaks the rule, so the compliant run proves nothing"
pack = "PR-PGP-SHOE"

[table]
game = "pai_gow_poker"
cards_in_deck = 53
seated = ["seat/1"]

[[scenario]]
id = "unapproved-and-jammed"
title = "The shoe has no approval on record, and would jam"
covers = ["PR-PGP-SHOE.A.2:unapproved"]
approved = false
fault = [{ name = "card_stuck_on_exit", target = "shoe", at = { group = 3, card = 2 } }]
defect = [{ name = "use_unapproved_device", on = "software", fails = "PR-PGP-SHOE.A.2" }]
"""


def test_a_defect_that_fails_where_the_compliant_run_does_not_pass_shows_nothing(tmp_path: Path) -> None:
    plan = tmp_path / "half.toml"
    plan.write_text(PLAN)
    done = cardcert("sensitivity", str(plan), "--json")
    row = next(row for row in json.loads(done.out) if row["clause"] == "PR-PGP-SHOE.A.2")
    assert [(defect["verdict"], defect["also_failed"]) for defect in row["defects"]] == [("FAIL", [])]
    assert row["compliant"] == "INCONCLUSIVE"
    assert done.status == 1


def test_the_matrix_knows_the_policy_switches() -> None:
    done = cardcert("sensitivity", "--policy", "no_such_switch=x")
    assert done.status == 2
    assert "no_such_switch" in done.err
