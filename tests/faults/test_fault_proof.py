"""A fault counts only when something other than its injector shows it: proven when it happens, and never else."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec
import pytest

from bench.faults.proof import Prover
from bench.faults.script import FaultSpec, parse_fault
from evidence.events import (
    AnyEvent,
    CardsSeen,
    DealerDid,
    DeviceDispensed,
    DeviceFault,
    Directive,
    FaultArmed,
    FaultProven,
    FaultUnproven,
    LineSeen,
    Record,
    SessionOpened,
    TableDone,
)
from tests.faults.blackjack_story import blackjack_round
from tests.faults.fault_story import Story
from tests.faults.pai_gow_story import seven_hands
from tests.faults.pot_story import round_with_pot
from tests.faults.tournament_story import initial_deal

Game = Callable[[Story], Story]
GROUPS: Game = Story.groups_of_seven
SINGLE: Game = Story.single_cards
POT: Game = round_with_pot
DEAL: Game = initial_deal
SEVEN: Game = seven_hands
JACK: Game = blackjack_round
PACKS: dict[Game, int] = {GROUPS: 53, SEVEN: 53}
"""Cards of the pack of each game that is not played with 52."""


@dataclass(frozen=True)
class Case:
    """A fault as a plan asks for it, and the game in which it happens."""

    name: str
    target: str
    game: Game
    at: tuple[tuple[str, object], ...] = ()
    params: tuple[tuple[str, object], ...] = ()

    @property
    def spec(self) -> FaultSpec:
        table = {"name": self.name, "target": self.target, "at": dict(self.at), "params": dict(self.params)}
        return parse_fault(table, "test")

    def __str__(self) -> str:
        return f"{self.name}-{self.target}-{self.game.__name__}"


CARD_17, CARD_6 = (("card", 17),), (("card", 6),)
DEVICE_CASES = [
    *(
        Case(name, target, game, at)
        for name in (
            "card_stuck_in_tray",
            "card_stuck_on_entry",
            "card_stuck_on_exit",
            "motor_stall",
            "stop_mid_cycle",
            "cycle_not_completed",
            "silent_jam_recovery",
        )
        for target, game, at in (
            ("shuffler", SINGLE, CARD_17),
            ("shoe", SINGLE, CARD_6),
            ("shoe", GROUPS, (("group", 3), ("card", 2))),
        )
    ),
    Case("double_feed", "shoe", GROUPS, CARD_17),
    Case("double_feed", "shoe", SINGLE, CARD_6),
    Case("wrong_group_size", "shoe", GROUPS, (("group", 3),), (("size", 6),)),
    Case("wrong_group_size", "shoe", GROUPS, (("group", 7),), (("size", 8),)),
    Case("false_count", "shoe", GROUPS),
    Case("false_count", "shuffler", GROUPS),
]
OTHER_CASES = [
    Case("missing_card", "pack", GROUPS),
    Case("extra_card", "pack", GROUPS),
    Case("card_face_up", "pack", GROUPS),
    Case("card_face_up", "pack", SINGLE, (("card", 5),)),
    Case("hole_card_turned_up", "dealer", SINGLE, (("position", "seat/3"), ("card", 2))),
    Case("card_drawn_in_error", "dealer", SINGLE),
    Case("extra_card_dealt", "dealer", SINGLE, (("position", "seat/3"), ("card", 2))),
    Case("hand_short_found_late", "dealer", SINGLE, (("position", "seat/3"),)),
    Case("burn_missed", "dealer", SINGLE, (("burn", 1),)),
    Case("hand_skipped", "dealer", SINGLE, (("position", "seat/3"), ("card", 2))),
    Case("button_not_moved", "dealer", SINGLE),
    Case("player_exposes_card", "player", SINGLE, (("position", "seat/3"),)),
    Case("missing_card", "pack", POT),
    Case("extra_card", "pack", POT),
    Case("swapped_card", "pack", POT),
    Case("ineligible_dealt", "dealer", POT, (("position", "seat/5"), ("card", 1))),
    Case("card_off_table", "dealer", POT, (("position", "seat/2"),)),
    Case("hand_collected", "dealer", POT, (("position", "seat/2"),)),
    *(Case("hand_fouled", who, POT, (("position", "seat/2"),), (("seat", 1),)) for who in ("dealer", "player")),
    Case("shuffle_omitted", "dealer", POT),
    Case("cut_omitted", "dealer", POT),
    Case("deck_reused", "dealer", POT),
    Case("nonstandard_card", "pack", DEAL, (("card", 3),)),
    Case("duplicate_card", "pack", DEAL, (("card", 2),)),
    Case("other_back_card", "pack", DEAL, (("card", 3),)),
    Case("seat_passed_over", "dealer", DEAL, (("position", "seat/3"), ("card", 2))),
    Case("button_dealt_last", "dealer", DEAL, (("position", "seat/3"),)),
    Case("cards_transposed", "dealer", DEAL, (("position", "seat/2"), ("card", 2))),
    Case("dice_leaning", "dealer", SEVEN),
    Case("dice_outside", "dealer", SEVEN),
    Case("dice_totalled_wrongly", "dealer", SEVEN),
    Case("delivered_elsewhere", "dealer", SEVEN, (("position", "seat/1"),)),
    Case("card_exposed_in_dealing", "dealer", SEVEN, (("position", "seat/1"), ("card", 1))),
    Case("card_exposed_before_showdown", "dealer", SEVEN, (("position", "dealer"),)),
    Case("card_exposed_before_showdown", "player", SEVEN, (("position", "seat/2"),)),
    Case("player_looks_early", "player", SEVEN, (("position", "seat/3"),)),
    Case("hands_set_wrongly", "dealer", SEVEN, (("position", "dealer"),)),
    Case("hands_set_wrongly", "player", SEVEN, (("position", "seat/1"),)),
    Case("few_cards_left", "pack", JACK, (), (("count", 4),)),
    Case("card_left_at_mouth", "dealer", JACK, (("position", "seat/1"), ("card", 2))),
    Case("card_drawn_and_exposed", "dealer", JACK),
    Case("dealer_overdraws", "dealer", JACK),
]
ALL = [*DEVICE_CASES, *OTHER_CASES]


def happens(case: Case, armed: list[FaultSpec]) -> Story:
    """The game of the case with its fault really happening, whatever else is armed."""
    story = Story(armed, pack=PACKS.get(case.game, 52))
    if case in DEVICE_CASES:
        story.befall(case.name, case.target, **case.spec.params, **case.spec.at)
    elif case.name in ("missing_card", "extra_card", "swapped_card"):
        missing, extra, swapped = (int(case.name == f"{how}_card") for how in ("missing", "extra", "swapped"))
        story = Story(armed, pack=PACKS.get(case.game, 52), missing=missing, extra=extra, swapped=swapped)
    else:
        story = replace(story, slips=frozenset({case.name}), records=[])
    case.game(story)
    story.finish()
    return story


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_fault_that_happens_is_proven_by_records_of_others(case: Case) -> None:
    story = happens(case, [case.spec])
    assert [type(finding) for finding in story.findings] == [FaultProven]
    (proof,) = story.proven()
    assert (proof.fault, proof.target, proof.symptom) == (case.name, case.target, case.spec.fault.symptom)
    assert proof.by
    assert proof.means == proof.wording.format(**proof.values)
    assert proof.means.endswith(".")
    for seq in proof.by:
        assert not isinstance(story.records[seq].event, FaultArmed)
    assert max(proof.by) < next(record.seq for record in story.records if record.event == proof)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_fault_that_is_armed_and_kept_from_happening_stays_unproven(case: Case) -> None:
    story = case.game(Story([case.spec], pack=PACKS.get(case.game, 52)))
    findings = story.finish()
    assert [type(finding) for finding in findings] == [FaultUnproven]
    assert findings[0].fault == case.name
    assert story.records[-1].seq > 50


SAME_PHYSICS = [
    {"card_stuck_on_exit", "silent_jam_recovery"},
    {"card_stuck_on_entry", "silent_jam_recovery"},
    {"double_feed", "wrong_group_size"},
]
"""Faults that one and the same observation shows."""


@pytest.mark.parametrize("case", DEVICE_CASES, ids=str)
def test_another_fault_than_the_armed_one_proves_nothing(case: Case) -> None:
    others = [
        other.spec
        for other in DEVICE_CASES
        if other.target == case.target and other.name != case.name and {other.name, case.name} not in SAME_PHYSICS
    ]
    assert happens(case, others).proven() == []


@pytest.mark.parametrize("case", OTHER_CASES, ids=str)
def test_another_slip_than_the_armed_one_proves_nothing(case: Case) -> None:
    others = [other.spec for other in OTHER_CASES if other.name != case.name and other.game is case.game]
    story = happens(case, others)
    shown_too = {
        "hand_skipped": set(),
        "card_drawn_in_error": {"hand_skipped"},
        "dealer_overdraws": {"card_drawn_and_exposed"},
    }
    assert {proof.fault for proof in story.proven()} <= shown_too.get(case.name, set())


def test_with_the_device_that_hides_its_jams_the_wire_still_proves_them() -> None:
    for fault in ("card_stuck_in_tray", "card_stuck_on_entry", "card_stuck_on_exit"):
        spec = parse_fault({"name": fault, "target": "shoe", "at": {"card": 6}}, "test")
        story = Story([spec], pack=52, defects=("silent_jam_recovery",)).befall(fault, "shoe", card=6).single_cards()
        assert [proof.symptom for proof in story.proven()] == ["jam"]


def test_a_jam_is_proven_before_the_device_that_reports_it_is_heard() -> None:
    spec = parse_fault({"name": "card_stuck_on_exit", "target": "shoe", "at": {"card": 6}}, "test")
    story = happens(Case("card_stuck_on_exit", "shoe", SINGLE, CARD_6), [spec])
    kinds = [record.event.__class__.__name__ for record in story.records]
    assert kinds.index("FaultProven") < kinds.index("DeviceFault")


def test_two_faults_of_one_name_need_two_observations() -> None:
    spec = parse_fault({"name": "card_drawn_in_error", "target": "dealer"}, "test")
    story = Story([spec, spec], pack=52, slips=frozenset({"card_drawn_in_error"})).single_cards()
    assert [type(finding) for finding in story.finish()] == [FaultProven, FaultUnproven]


def test_the_same_records_give_the_same_findings() -> None:
    spec = parse_fault({"name": "wrong_group_size", "target": "shoe", "at": {"group": 3}}, "test")
    story = Story([spec], pack=53).befall("wrong_group_size", "shoe", group=3).groups_of_seven()
    again = Prover([spec])
    kept = msgspec.json.decode(msgspec.json.encode(story.records), type=list[Record])
    assert [finding for record in kept for finding in again.observe(record)] == story.proven()


# --- the edge of proof ---


def edges(*steps: tuple[float, str, int], device_ahead_s: float = 0.0) -> list[Record]:
    return [
        Record(
            seq=n,
            mono_ns=round(at_s * 1e9),
            utc="",
            source="instrument:probe",
            scenario="s",
            event=LineSeen(line=line, level=level, at_ns=round((at_s + device_ahead_s) * 1e9)),
        )
        for n, (at_s, line, level) in enumerate(steps)
    ]


def prove(fault: str, records: list[Record], target: str = "shoe") -> list[FaultProven]:
    prover = Prover([parse_fault({"name": fault, "target": target}, "test")])
    return [finding for record in records for finding in prover.observe(record)]


@pytest.mark.parametrize(
    ("fault", "line", "limit_s"),
    [
        ("card_stuck_on_entry", "entry", 1.0),
        ("card_stuck_on_exit", "exit", 0.3),
        ("motor_stall", "overcurrent", 0.1),
        ("silent_jam_recovery", "entry", 1.0),
        ("silent_jam_recovery", "exit", 0.3),
    ],
)
def test_a_line_held_for_less_than_its_limit_is_no_proof(fault: str, line: str, limit_s: float) -> None:
    for held_s, proofs in ((limit_s - 0.01, 0), (limit_s + 0.01, 1)):
        wire = f"shoe/{line}"
        assert len(prove(fault, edges((5.0, wire, 1), (5.0 + held_s, wire, 0)))) == proofs
        assert prove(fault, edges((5.0, f"shuffler/{line}", 1), (9.0, f"shuffler/{line}", 0))) == []


def test_a_missing_edge_is_told_by_the_bench_giving_up_whatever_the_device_s_clock_says() -> None:
    for ahead_s in (0.0, -1000.0, 1000.0):
        records = edges((5.0, "shoe/exit", 1), device_ahead_s=ahead_s)
        for at_s, proofs in ((5.2, 0), (6.0, 1)):
            gave_up = TableDone(directive="d1", verb="dispense", outcome="failed")
            end = Record(seq=1, mono_ns=round(at_s * 1e9), utc="", source="", scenario="s", event=gave_up)
            assert len(prove("card_stuck_on_exit", [*records, end])) == proofs


def test_a_roller_that_turns_without_cards_or_without_power_proves_no_stuck_card() -> None:
    for line, level in (("tray", 0), ("power", 0), ("lid", 0), ("overcurrent", 1), ("entry", 1)):
        story = edges((1.0, f"shoe/{line}", level), (1.1, "shoe/feed", 1), (4.0, "shoe/feed", 0))
        assert prove("card_stuck_in_tray", story) == []
    assert prove("card_stuck_in_tray", edges((1.1, "shoe/feed", 1), (4.0, "shoe/feed", 0)))


def test_nothing_at_all_proves_nothing() -> None:
    specs = [case.spec for case in ALL]
    findings = Prover(specs).finish()
    assert [type(finding) for finding in findings] == [FaultUnproven] * len(ALL)
    assert all(isinstance(finding, FaultUnproven) and "Nothing" in finding.reason for finding in findings)


def test_the_prover_knows_nothing_of_emulators() -> None:
    code = "import sys, bench.faults.proof; print([name for name in sys.modules if 'emulators' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def told(*events: tuple[float, AnyEvent]) -> list[Record]:
    return [
        Record(seq=n, mono_ns=round(at_s * 1e9), utc="", source="", scenario="s", event=event)
        for n, (at_s, event) in enumerate(events)
    ]


@pytest.mark.parametrize(
    ("said", "proofs"),
    [
        (None, 1),
        (DeviceFault(device="shoe", code="CYCLE_TIMEOUT", symptom="incomplete"), 1),
        (DeviceFault(device="shoe", code="CARD_STUCK_ON_EXIT", symptom="jam"), 0),
        (DeviceFault(device="shoe", code="CARD_STUCK_ON_EXIT", symptom="jam", recovered=True), 1),
        (DeviceDispensed(device="shoe", unit="card", index=1, count=1), 0),
    ],
)
def test_a_unit_that_never_ends_is_one_for_which_the_device_gave_no_other_reason(
    said: AnyEvent | None, proofs: int
) -> None:
    records = told(
        (0.0, SessionOpened(game="g", cards_in_deck=52, positions=[], seated=[], devices={"shoe": "shoe"})),
        (1.0, Directive(id="d1", verb="dispense", unit="card")),
        (2.0, said or LineSeen(line="shoe/lid", level=0, at_ns=2_000_000_000)),
        (21.0, TableDone(directive="d1", verb="dispense", outcome="failed")),
    )
    assert len(prove("cycle_not_completed", records)) == proofs
    assert prove("cycle_not_completed", records, target="shuffler") == []


def test_a_card_that_was_to_be_dealt_face_up_is_no_slip_even_where_the_camera_could_not_count_it() -> None:
    for face, proofs in (("up", 0), ("down", 1)):
        records = told(
            (0.0, SessionOpened(game="g", cards_in_deck=52, positions=["seat/1"], seated=["seat/1"], devices={})),
            (1.0, CardsSeen(place="shoe_mouth", count=None)),
            (2.0, Directive(id="d1", verb="deliver", position="seat/1", face=face)),  # type: ignore[arg-type]
            (3.0, DealerDid(act="deliver", directive="d1", position="seat/1")),
            (4.0, CardsSeen(place="seat/1", count=1, face_up=["As"], face_down=0)),
        )
        assert len(prove("hole_card_turned_up", records, target="dealer")) == proofs
