"""Blackjack, paragraphs 10 and 11: devices that fail."""

import pytest

from rules.verdicts import Outcome
from tests.rules.blackjack_script import Blackjack
from tests.rules.storytelling import failed, told

SYMPTOMS = ["jam", "stop", "incomplete"]


@pytest.mark.parametrize("symptom", SYMPTOMS)
@pytest.mark.parametrize("again", [True, False])
def test_10_the_cards_are_shuffled_again(symptom: str, again: bool) -> None:
    s = Blackjack([f"10:{symptom}"])
    s.just("open_round")
    order = s.order("shuffle", method="device", device="shuffler")
    s.act("load", order, device="shuffler")
    s.command("shuffler", "shuffle")
    s.cycle("shuffler", "shuffle", "started")
    s.fault("shuffler", symptom)
    s.cycle("shuffler", "shuffle", "aborted")
    s.done(order, "shuffle", "failed")
    if again:
        s.reshuffle()
    s.cut()
    s.load_shoe()
    for _ in range(2):
        s.turn()
    s.rest()
    verdict = told(s)["10"]
    assert verdict.verdict is (Outcome.PASS if again else Outcome.FAIL)
    assert verdict.alternatives == [symptom]


def failing(symptom: str, *steps: str) -> Blackjack:
    """The shoe fails with a card on the table; `steps` are what the table software orders then."""
    s = Blackjack([f"11:{symptom}"])
    s.begin_round()
    s.card("seat/1")
    order = s.order("dispense", device="shoe", unit="card")
    s.command("shoe", "deal_card")
    s.fault("shoe", symptom)
    s.done(order, "dispense", "failed")
    for step in steps:
        match step:
            case "void":
                s.just("void_round")
            case "return":
                s.just("return_wagers", scope="round", wager="all")
            case "return one":
                s.just("return_wagers", scope="hand", position="seat/1", wager="all")
            case "remove":
                s.remove_cards()
            case scope:
                s.reshuffle(scope)
    return s


RIGHT = ("void", "return", "remove", "all_cards")


@pytest.mark.parametrize("symptom", SYMPTOMS)
def test_11_the_round_is_void_and_all_cards_are_shuffled(symptom: str) -> None:
    verdicts = told(failing(symptom, *RIGHT))
    assert verdicts["11"].verdict is Outcome.PASS
    assert verdicts["11"].alternatives == [symptom]
    assert failed(verdicts) == set()


@pytest.mark.parametrize(
    ("steps", "broken"),
    [
        (("return", "remove", "all_cards"), ["round_void"]),
        (("void", "remove", "all_cards"), ["wagers_returned"]),
        (("void", "return one", "remove", "all_cards"), ["wagers_returned"]),
        (("void", "return", "return", "remove", "all_cards"), ["wagers_returned"]),
        (("void", "return", "all_cards"), ["cards_removed"]),
        (("void", "return", "all_cards", "remove"), ["cards_removed"]),
        (("void", "return", "remove", "device_cards"), ["all_reshuffled"]),
        (("void", "return", "remove"), ["all_reshuffled"]),
    ],
)
def test_11_no_step_may_be_left_out_or_come_too_late(steps: tuple[str, ...], broken: list[str]) -> None:
    assert told(failing("jam", *steps))["11"].failed == broken


def test_11_between_rounds_it_counts_only_by_policy() -> None:
    s = Blackjack()
    s.opening()
    s.rest()
    s.command("shoe", "load")
    s.fault("shoe", "jam")
    s.end()
    assert s.verdicts()["SD-BJ-28.11"].verdict is Outcome.NOT_TRIGGERED
    assert s.verdicts(shoe_failure_when="any_time")["SD-BJ-28.11"].verdict is Outcome.FAIL
