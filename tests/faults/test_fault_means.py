"""By what means a fault reaches what it befalls, where the rig is not emulated."""

import pytest

from bench.emulators.world import World
from bench.faults.catalogue import Fault, catalogue
from bench.faults.script import parse_fault
from bench.hands.emulated import EmulatedHands
from bench.injection import Injection
from bench.links.faulty import FaultyLine
from bench.links.framings import ReferenceFrames

FRAME = bytes.fromhex("02a1a2a3a4a503")


class Asked(EmulatedHands):
    """Hands that remember what they were asked to bring about."""

    def __init__(self) -> None:
        super().__init__(World())
        self.orders: list[str] = []

    def inject(self, order: str) -> None:
        self.orders.append(order)


def armed(fault: Fault, **given: object) -> list[str]:
    """What somebody is asked when this fault is armed on a rig without emulators, instruments and proxies."""
    hands = Asked()
    Injection(hands, None, {}).arm(parse_fault({"name": fault.name, "target": fault.targets[0], **given}, "test"))
    return hands.orders


BY_SOMEBODY = [fault for fault in catalogue().values() if fault.hardware.means == ["prompt"] and not fault.of_people]
BY_A_DECK = [fault for fault in catalogue().values() if fault.hardware.means == ["deck"] and fault.of_device]
BY_A_THING = [fault for fault in catalogue().values() if fault.hardware.means[0] in ("instrument", "link")]


@pytest.mark.parametrize("fault", [*BY_SOMEBODY, *BY_A_DECK], ids=lambda fault: fault.name)
def test_what_no_machine_brings_about_is_asked_of_somebody_in_the_catalogue_s_words(fault: Fault) -> None:
    (order,) = armed(fault)
    assert order.startswith(f"{fault.targets[0]}: {fault.hardware.does.rstrip('.')}")


def test_whoever_is_asked_is_told_when_and_how_much() -> None:
    (order,) = armed(catalogue()["card_bent"], at={"card": 17}, params={"height_mm": 3})
    assert order.endswith("(card 17, height mm 3)")
    assert armed(catalogue()["order_leaked"])[0].endswith("(at the next occasion)")


@pytest.mark.parametrize("fault", BY_A_THING, ids=lambda fault: fault.name)
def test_what_an_instrument_or_a_proxy_brings_about_is_asked_of_nobody(fault: Fault) -> None:
    assert armed(fault) == []


@pytest.mark.parametrize(
    "fault", [fault for fault in catalogue().values() if fault.of_link], ids=lambda fault: fault.name
)
def test_a_fault_of_a_link_befalls_the_frame_that_is_stated_as_its_action_says(fault: Fault) -> None:
    line = FaultyLine(1, ReferenceFrames)
    moment = {"message": 2} if "message" in fault.moments else {}
    spec = parse_fault({"name": fault.name, "target": "shoe", "at": moment}, "test")
    Injection(Asked(), None, {}, {"shoe": line}).arm(spec)
    for n in range(3):
        line.carry("rx", FRAME, n * 1_000_000_000)
    deeds = line.take_deeds()
    assert fault.hardware.link is not None
    assert deeds[0].kind == fault.hardware.link.action
    assert deeds[0].at_ns == (1_000_000_000 if moment else 0)


def test_every_fault_has_one_means_and_each_means_has_faults() -> None:
    counted = [fault.hardware.means for fault in catalogue().values()]
    assert all(len(means) == 1 for means in counted)
    assert {means[0] for means in counted} == {"instrument", "link", "deck", "prompt"}
