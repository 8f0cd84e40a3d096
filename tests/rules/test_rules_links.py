"""Evidence that a faulty link may have swallowed is missing evidence, and a claim that instruments belie is none."""

import pytest

from evidence.events import LinkFault
from rules.verdicts import Outcome
from tests.rules.pai_gow_script import PaiGow
from tests.rules.storytelling import told
from tests.rules.stud_script import PACK, Stud, exposed_hole_card

A1 = f"{PACK}.a.1"


def with_fault(kind: str, *, link: str = "shoe", third: str = "down", afterwards: bool) -> Stud:
    """A round with an exposed hole card in which a link had trouble before the shoe's last word, or after it."""
    s = Stud(["a.1:player_first"])
    s.opening()
    s.hole(seat3_1={"up": True})
    s.betting()
    if afterwards:
        s.put(LinkFault(link=link, kind=kind, detail="4 bytes thrown away"))  # type: ignore[arg-type]
    s.rest(seat3=third)
    if not afterwards:
        s.put(LinkFault(link=link, kind=kind, detail="4 bytes thrown away"))  # type: ignore[arg-type]
    s.end()
    return s


@pytest.mark.parametrize("kind", ["garbage", "crc", "sequence", "overflow", "closed"])
def test_damage_on_a_link_is_made_good_by_what_the_device_says_afterwards(kind: str) -> None:
    assert with_fault(kind, afterwards=True).verdicts()[A1].verdict is Outcome.PASS
    verdict = with_fault(kind, afterwards=False).verdicts()[A1]
    assert verdict.verdict is Outcome.INCONCLUSIVE
    assert "over the link of “shoe” was damaged" in verdict.reason
    assert "4 bytes thrown away" in verdict.reason


@pytest.mark.parametrize("afterwards", [True, False])
def test_what_is_known_to_be_lost_stays_lost(afterwards: bool) -> None:
    verdicts = with_fault("lost", afterwards=afterwards).verdicts()
    assert {one.verdict for one in verdicts.values()} == {Outcome.INCONCLUSIVE}
    assert "lost on its link" in verdicts[A1].reason


@pytest.mark.parametrize("kind", ["timeout", "nak"])
def test_a_question_that_was_put_again_loses_nothing(kind: str) -> None:
    assert with_fault(kind, afterwards=False).verdicts()[A1].verdict is Outcome.PASS


def test_another_device_makes_nothing_good() -> None:
    assert with_fault("crc", link="software", afterwards=True).verdicts()[A1].verdict is Outcome.INCONCLUSIVE


def test_a_failure_that_was_shown_stands_all_the_same() -> None:
    assert with_fault("lost", third="up", afterwards=False).verdicts()[A1].verdict is Outcome.FAIL


def test_trouble_outside_a_scenario_is_not_its_trouble() -> None:
    s = exposed_hole_card()
    s.end()
    s.put(LinkFault(link="shoe", kind="lost", detail="3 events lost"), scenario="")
    assert s.verdicts()[A1].verdict is Outcome.PASS


# --- what instruments say --------------------------------------------------------------------------------------------


def loaded_after_a_shuffle(*edges: str) -> PaiGow:
    """The lines that had an edge before the shuffle, and, after a `|`, those that had one during it."""
    s = PaiGow()
    s.ask("next_round")
    s.just("open_round")
    before, _, during = " ".join(edges).partition("|")
    for line in before.split():
        s.line(line)
    order = s.order("shuffle", method="device")
    s.command("shuffler", "shuffle")
    for line in during.split():
        s.line(line)
    s.cycle("shuffler", "shuffle", "started")
    s.cycle("shuffler", "shuffle", "completed")
    s.done(order, "shuffle")
    s.cut()
    s.load_shoe()
    return s


@pytest.mark.parametrize(
    ("edges", "outcome"),
    [
        ("", Outcome.PASS),
        ("shuffler/pick | shuffler/pick", Outcome.PASS),
        ("shuffler/pick |", Outcome.FAIL),
        ("shuffler/pick | shuffler/power", Outcome.FAIL),
        ("shuffler/pick | shoe/feed", Outcome.FAIL),
        ("shuffler/power |", Outcome.PASS),
        ("shoe/feed |", Outcome.PASS),
    ],
)
def test_a_shuffle_in_which_nothing_moved_is_none(edges: str, outcome: Outcome) -> None:
    """Where lines are tapped that move when the shuffler works, its claim alone does not make a shuffle."""
    assert told(loaded_after_a_shuffle(edges))["B.1"].verdict is outcome
