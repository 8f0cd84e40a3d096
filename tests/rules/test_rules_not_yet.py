"""What had not come yet: where the table waits for help or need not go on; and wagers of the round before."""

from pathlib import Path

import pytest

from rules.facts.machine import FactMachine
from rules.loader import load_packs
from rules.verdicts import Outcome
from tests.rules.small_pack import small_pack, verdict_of
from tests.rules.table_script import Script

REQUIREMENT = """
trigger = { fact = "announced", phrase = "t" }
scope = "SCOPE"
response = [{ fact = "announced", phrase = "a" }]
before = { fact = "announced", phrase = "d" }
"""


def story(*steps: str) -> Script:
    """Phrases of one letter are announced; other steps are orders that are carried out."""
    script = Script()
    script.begin("s", "T")
    script.session(["seat/1"])
    script.just("open_round")
    for step in steps:
        if len(step) == 1:
            script.announce(step)
        else:
            script.just(step)
    script.end()
    return script


@pytest.mark.parametrize(
    ("steps", "scope", "outcome"),
    [
        (("t",), "scenario", Outcome.FAIL),
        (("t", "hold"), "scenario", Outcome.INCONCLUSIVE),
        (("t", "hold"), "round", Outcome.INCONCLUSIVE),
        (("t", "a", "hold"), "scenario", Outcome.PASS),
        (("t", "d", "hold"), "scenario", Outcome.FAIL),
        (("t", "hold", "shuffle"), "scenario", Outcome.FAIL),
        (("t", "hold", "refuse"), "scenario", Outcome.INCONCLUSIVE),
        (("t", "close_round", "hold"), "round", Outcome.FAIL),
        (("t",), "open", Outcome.INCONCLUSIVE),
        (("t", "d"), "open", Outcome.FAIL),
        (("t", "close_round", "open_round", "a"), "open", Outcome.PASS),
        (("t", "close_round", "open_round", "d"), "open", Outcome.FAIL),
    ],
)
def test_what_had_not_come_yet(tmp_path: Path, steps: tuple[str, ...], scope: str, outcome: Outcome) -> None:
    pack = small_pack(tmp_path / "T", REQUIREMENT.replace("SCOPE", scope))
    assert verdict_of(pack, story(*steps)).verdict is outcome


@pytest.mark.parametrize(
    ("ends", "again", "wagered"),
    [
        ("close_round", [], False),
        ("void_round", [], False),
        ("close_round", ["seat/1"], True),
        ("void_round", ["seat/2"], False),
        ("continue_round", [], True),
    ],
)
def test_wagers_end_with_their_round(ends: str, again: list[str], wagered: bool) -> None:
    """After the round in which seat 1 had a wager, those named place one, and a stack is delivered to seat 1."""
    script = Script()
    script.begin("s", "PR-PGP-SHOE")
    script.session(["seat/1", "seat/2"])
    script.wager("seat/1")
    script.just("open_round")
    script.just(ends)
    for seat in again:
        script.wager(seat)
    script.just("open_round")
    script.just("deliver", position="seat/1")
    machine = FactMachine(load_packs(["PR-PGP-SHOE"])[0].game)
    facts = [fact for record in script.records for _, fact in machine.feed(record)]
    assert [one.attributes["wagered"] for one in facts if one.name == "stack_delivered"] == [wagered]
