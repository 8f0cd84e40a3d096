"""Generic defects of table software: done between the software and its wire, with no knowledge of any rule."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.emulators.table_software.facts import Told
from bench.emulators.table_software.mutations import KINDS, VERBS, is_mutation, mutated, parse_mutation
from evidence.errors import UsageError
from evidence.events import (
    AnyEvent,
    CardsSeen,
    DealerDid,
    DeviceCycle,
    DeviceDispensed,
    Directive,
    SessionOpened,
    TableDone,
)

STEPS = ["open_round", "announce", "settle", "void_round", "reshuffle", "close_round"]
SESSION = SessionOpened(
    game="none", cards_in_deck=52, positions=["seat/1", "seat/2", "dealer"], seated=["seat/2"], devices={},
    additional_wager_offered=False, inputs={},
)  # fmt: skip


class Software:
    """Orders one step after the other, each when the one before is done; `seen` is what it was told."""

    def __init__(self, *steps: Directive) -> None:
        self._steps = list(steps)
        self.seen: list[AnyEvent] = []

    def react(self, message: Told) -> list[Directive]:
        self.seen.append(message.event)
        goes_on = isinstance(message.event, (SessionOpened, TableDone))
        return [self._steps.pop(0)] if goes_on and self._steps else []


def order(verb: str, number: int = 0, **fields: Any) -> Directive:
    return Directive(id=f"d{number}", verb=verb, **fields)  # type: ignore[arg-type]


def plain(*verbs: str) -> list[Directive]:
    return [order(verb, number) for number, verb in enumerate(verbs)]


def carried_out(name: str, *steps: Directive) -> list[Directive]:
    """What reaches the wire, every order being carried out."""
    software = mutated(Software(*steps), [name])
    waiting = software.react(Told("e1", SESSION))
    done: list[Directive] = []
    while waiting:
        directive = waiting.pop(0)
        done.append(directive)
        outcome = TableDone(directive=directive.id, verb=directive.verb, outcome="done")
        waiting += software.react(Told(f"e{len(done) + 1}", outcome))
    return done


@pytest.mark.parametrize(
    ("name", "verbs"),
    [
        ("omit=settle", ["open_round", "announce", "void_round", "reshuffle", "close_round"]),
        ("omit=settle+announce", ["open_round", "void_round", "reshuffle", "close_round"]),
        ("omit=close_round", STEPS[:-1]),
        ("omit=burn", STEPS),
        ("after=announce>settle", ["open_round", "settle", "announce", "void_round", "reshuffle", "close_round"]),
        ("after=announce>reshuffle+void_round",
         ["open_round", "settle", "void_round", "announce", "reshuffle", "close_round"]),
        ("after=void_round>burn", ["open_round", "announce", "settle", "reshuffle", "close_round"]),
    ],
)  # fmt: skip
def test_orders_are_left_out_or_come_late_and_the_rest_goes_on(name: str, verbs: list[str]) -> None:
    assert [one.verb for one in carried_out(name, *plain(*STEPS))] == verbs


def test_an_order_given_twice_has_an_id_of_its_own_and_does_not_go_on_twice() -> None:
    done = carried_out("double=settle", *plain("open_round", "settle", "close_round"))
    assert [one.verb for one in done] == ["open_round", "settle", "settle", "close_round"]
    assert len({one.id for one in done}) == 4


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("narrow=reshuffle", {"verb": "reshuffle", "scope": "all_cards"}, {"scope": "device_cards"}),
        ("narrow=void_wagers", {"verb": "void_wagers", "scope": "round"}, {"scope": "hand", "position": "seat/2"}),
        ("narrow=void_wagers", {"verb": "void_wagers", "wager": "all"}, {"wager": "main"}),
        ("elsewhere=deliver", {"verb": "deliver", "position": "seat/2"}, {"position": "dealer"}),
        ("elsewhere=deliver", {"verb": "deliver", "position": "dealer"}, {"position": "seat/1"}),
        ("elsewhere=deliver", {"verb": "deliver", "position": "nowhere"}, {"position": "nowhere"}),
        ("turned=deliver", {"verb": "deliver", "face": "down"}, {"face": "up"}),
        ("turned=collect", {"verb": "collect", "face": "up"}, {"face": "down"}),
        ("accept=resume", {"verb": "refuse", "request": "resume"}, {"verb": "proceed", "request": "resume"}),
        ("accept=resume", {"verb": "refuse", "request": "next_round"}, {"verb": "refuse"}),
        ("turned=deliver", {"verb": "collect", "face": "down"}, {"face": "down"}),
    ],
)
def test_orders_are_changed_in_one_field(name: str, given: dict[str, Any], told: dict[str, str]) -> None:
    before = order(**given)
    [after] = mutated(Software(before), [name]).react(Told("e1", SESSION))
    for field, value in told.items():
        assert getattr(after, field) == value, field


def test_counts_of_the_camera_become_claims() -> None:
    software = Software()
    mutant = mutated(software, ["trust=claims"])

    def look(place: str, count: int) -> CardsSeen:
        return CardsSeen(place=place, count=count, face_down=count)

    for event in (
        DeviceCycle(device="shoe", kind="load", phase="completed", count=53),
        DeviceDispensed(device="shoe", unit="group", index=1, count=7),
        look("shoe_mouth", 6),
        DealerDid(act="deliver", position="seat/1"),
        look("seat/1", 6),
        look("shoe_mouth", 0),
        look("layout_centre", 47),
        look("seat/2", 3),
    ):
        mutant.react(Told("e1", event))
    seen = {event.place: event.count for event in software.seen if isinstance(event, CardsSeen)}
    assert seen == {"shoe_mouth": 0, "seat/1": 7, "layout_centre": 46, "seat/2": 3}
    assert next(event.count for event in software.seen if isinstance(event, CardsSeen)) == 7


def test_several_generic_defects_work_together() -> None:
    mutant = mutated(Software(*plain("settle", "announce")), ["omit=settle", "double=announce"])
    assert [one.verb for one in mutant.react(Told("e1", SESSION))] == ["announce", "announce"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("forget=settle", "the kinds are omit"),
        ("omit=", "names the verbs"),
        ("omit=setle", "'setle' is no verb"),
        ("omit=settle>deliver", "names the verbs"),
        ("after=settle", "names the verbs"),
        ("after=settle>delver", "'delver' is no verb"),
        ("trust=camera", "only one of its kind"),
        ("=", "the kinds are"),
    ],
)
def test_a_name_that_says_nothing_is_refused(name: str, told: str) -> None:
    assert is_mutation(name)
    with pytest.raises(UsageError, match=told):
        parse_mutation(name)


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_is_refused(text: str) -> None:
    if not is_mutation(text):
        return
    try:
        mutation = parse_mutation(text)
    except UsageError:
        return
    assert mutation.kind in KINDS
    assert mutation.kind == "accept" or mutation.subject <= VERBS
