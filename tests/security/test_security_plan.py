"""The plan of security checks: a device that is shut passes, each defect is caught, and nothing missing is a pass."""

import base64
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from bench.plan import load_plan, only
from bench.rig import RigPlan, load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan, find_rig
from evidence.events import (
    CardsSeen,
    CheckEnded,
    DeviceCycle,
    LinkBytes,
    LinkFault,
    LoginTried,
    OperatorInput,
    PortsTried,
    Record,
)
from evidence.notes import Notes
from fixtures.defect_runs import MatrixSettings
from fixtures.own_packs import packs_of
from fixtures.play_matrix import play_matrix
from fixtures.sensitivity import flaws
from rules import leaks
from rules.judge import judge
from rules.line_readings import MOST_BYTES
from rules.verdicts import Outcome

PATH = find_plan("device-security")
PLAN = load_plan(PATH)
PACKS = packs_of(PLAN, PATH)
RIG = find_rig(PLAN.rig)
NAME = "MODEL-DEVICE-SECURITY"
Made = Callable[[str], Sequence[Record]]


def played(scenario: str, rig: RigPlan, *defects: str) -> Sequence[Record]:
    workshop = Workshop(rig, 1, evidence=False)
    notes = Notes(workshop.now_ns)
    run_scenario(workshop, only(PLAN, [scenario]).scenarios[0], notes, {"shuffler": frozenset(defects)})
    return notes.records


@pytest.fixture(scope="module")
def shut() -> Made:
    """The records of a scenario with a device that is shut, played once."""
    known: dict[str, Sequence[Record]] = {}

    def of(scenario: str) -> Sequence[Record]:
        if scenario not in known:
            known[scenario] = played(scenario, load_rig(RIG))
        return known[scenario]

    return of


def came_to(records: Sequence[Record], clause: str) -> tuple[Outcome, str]:
    verdict = next(one for one in judge(records, PACKS, {}) if one.clause == f"{NAME}.{clause}")
    return verdict.verdict, verdict.reason


def changed(records: Sequence[Record], change: Callable[[Record], Record | None]) -> list[Record]:
    """The records with some of them changed, or left out, and numbered anew."""
    kept = [one for record in records if (one := change(record)) is not None]
    return [msgspec.structs.replace(record, seq=seq) for seq, record in enumerate(kept)]


def without(*kinds: type) -> Callable[[Record], Record | None]:
    return lambda record: None if isinstance(record.event, kinds) else record


def test_every_clause_passes_and_can_fail() -> None:
    settings = MatrixSettings(load_rig(RIG), PACKS, {}, 1)
    rows = play_matrix(PLAN, PACKS, settings, lambda *_: None, generic=False, jobs=1)
    assert flaws(rows, PLAN, PACKS, {}, compliant=True) == []
    assert {row.clause for row in rows} == {clause.id for clause in PACKS[0].clauses}
    assert all(row.compliant is Outcome.PASS for row in rows)


def own_rig(folder: Path, *changes: tuple[str, str]) -> RigPlan:
    """The shipped rig with entries changed, in a folder with the files that it names."""
    text = RIG.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    for name in ("images", "security"):
        (folder / name).symlink_to(RIG.parent / name)
    (folder / "rig.toml").write_text(text)
    return load_rig(folder / "rig.toml")


@pytest.mark.parametrize(
    ("scenario", "clause", "gone"),
    [
        ("ds-ports", "1", 'services = "security/services.toml"\n'),
        ("ds-logins", "2", 'services = "security/services.toml"\n'),
        ("ds-logins", "2", 'default_logins = "security/default-logins.toml"\n'),
    ],
)
def test_without_its_list_the_operator_has_to_give_one(scenario: str, clause: str, gone: str, tmp_path: Path) -> None:
    verdict, reason = came_to(played(scenario, own_rig(tmp_path, (gone, ""))), clause)
    assert verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "login_list" in reason if "logins" in gone else "service_list" in reason


def test_a_device_without_a_line_for_its_identity_is_not_passed(tmp_path: Path) -> None:
    text = RIG.read_text()
    part = text[text.index("[device.identity]") : text.index("[device.security]")]
    verdict, reason = came_to(played("ds-identity", own_rig(tmp_path, (part, ""))), "3")
    assert verdict is Outcome.NEEDS_OPERATOR_INPUT
    assert "firmware_image" in reason


CUT_OFF = {"1": ("ds-ports", PortsTried), "2": ("ds-logins", LoginTried), "4": ("ds-order", DeviceCycle)}


@pytest.mark.parametrize("clause", CUT_OFF)
def test_a_run_that_is_killed_passes_nothing(clause: str, shut: Made) -> None:
    scenario, latest = CUT_OFF[clause]
    records = shut(scenario)
    at = next(n for n, record in enumerate(records) if isinstance(record.event, latest))
    for end in (at, at + 1, len(records) - 2):
        assert came_to(records[:end], clause)[0] is Outcome.INCONCLUSIVE
    assert came_to(records, clause)[0] is Outcome.PASS


def failed(record: Record) -> Record:
    event = record.event
    if isinstance(event, CheckEnded):
        event = msgspec.structs.replace(event, outcome="failed", detail="nothing answered")
    return msgspec.structs.replace(record, event=event)


def unanswered(record: Record) -> Record:
    event = record.event
    if isinstance(event, LoginTried) and event.entry == 2:
        event = msgspec.structs.replace(event, outcome="unclear")
    return msgspec.structs.replace(record, event=event)


def unread(record: Record) -> Record:
    event = record.event
    if isinstance(event, CardsSeen) and event.count == 4:
        event = msgspec.structs.replace(event, face_up=[None, *event.face_up[1:]])
    return msgspec.structs.replace(record, event=event)


@pytest.mark.parametrize(
    ("scenario", "clause", "change", "said"),
    [
        ("ds-ports", "1", failed, "could not be told"),
        ("ds-ports", "1", without(PortsTried), "could not be told"),
        ("ds-logins", "2", failed, "could not be told"),
        ("ds-logins", "2", unanswered, "could not be told"),
        ("ds-logins", "2", without(LoginTried), "cannot tell"),
        ("ds-order", "4", unread, "camera did not read"),
        ("ds-order", "4", without(CardsSeen), "camera did not read"),
        ("ds-order", "4", without(LinkBytes), "nothing was recorded"),
        ("ds-order", "4", without(DeviceCycle), "not completed"),
        ("ds-order", "4", failed, "not completed"),
    ],
)
def test_what_is_missing_leaves_a_doubt(
    scenario: str, clause: str, change: Callable[[Record], Record | None], said: str, shut: Made
) -> None:
    verdict, reason = came_to(changed(shut(scenario), change), clause)
    assert verdict is Outcome.INCONCLUSIVE
    assert said in reason


@pytest.mark.parametrize(
    ("link", "said", "times"),
    [
        ("shuffler-service", bytes(4000), MOST_BYTES // 4000 + 1),
        ("shuffler-service", bytes(range(256)), 1),
        ("shuffler", bytes(4095), 1),
    ],
)
def test_what_was_not_looked_through_is_not_called_silent(
    link: str, said: bytes, times: int, shut: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many bytes, too many parts of them that could be an order, or so many at once that a buffer was full."""
    monkeypatch.setattr(leaks, "MOST_PARTS", 20)
    records = shut("ds-order")
    at = next(n for n, record in enumerate(records) if isinstance(record.event, DeviceCycle))
    more = msgspec.structs.replace(records[at], event=LinkBytes(link=link, direction="rx", data=said.hex()))
    verdict, reason = came_to(changed([*records[:at], *[more] * times, *records[at:]], lambda record: record), "4")
    assert verdict is Outcome.INCONCLUSIVE
    assert "more came than was looked through" in reason


def test_where_a_line_may_have_lost_something_nothing_passes(shut: Made) -> None:
    records = shut("ds-order")
    at = next(n for n, record in enumerate(records) if isinstance(record.event, DeviceCycle))
    lost = msgspec.structs.replace(records[at], event=LinkFault(link="shuffler-service", kind="lost"))
    verdict, reason = came_to(changed([*records[:at], lost, *records[at:]], lambda record: record), "4")
    assert verdict is Outcome.INCONCLUSIVE
    assert "shuffler-service" in reason


def test_an_address_at_which_nothing_answers_passes_nothing(shut: Made) -> None:
    def silent(record: Record) -> Record:
        event = record.event
        if isinstance(event, PortsTried):
            event = msgspec.structs.replace(event, open=[], silent=[1], silent_count=event.tried)
        return msgspec.structs.replace(failed(record), event=event) if event is not record.event else failed(record)

    assert came_to(changed(shut("ds-ports"), silent), "1")[0] is Outcome.INCONCLUSIVE


def test_of_silent_ports_the_policy_decides(shut: Made) -> None:
    def one_silent(record: Record) -> Record:
        event = record.event
        if isinstance(event, PortsTried):
            event = msgspec.structs.replace(event, silent=[1], silent_count=1)
        return msgspec.structs.replace(record, event=event)

    records = changed(shut("ds-ports"), one_silent)
    found = {
        value: next(one.verdict for one in judge(records, PACKS, {"silent_ports": value}) if one.clause == f"{NAME}.1")
        for value in ("closed", "doubt")
    }
    assert found == {"closed": Outcome.PASS, "doubt": Outcome.INCONCLUSIVE}


def test_a_shuffler_that_keeps_the_order_cannot_be_shown_to_keep_it_secret() -> None:
    verdict, reason = came_to(played("ds-order", load_rig(RIG), "order_kept"), "4")
    assert verdict is Outcome.INCONCLUSIVE
    assert "order in which it went in" in reason


def test_no_login_of_the_list_stands_in_the_journal() -> None:
    records = played("ds-logins", load_rig(RIG), "default_login_left")
    written = b"".join(map(msgspec.json.encode, records)).decode()
    assert not [secret for secret in ("admin", '0000"') if secret in written]
    assert not [secret for secret in (b"admin", b"operator:0000") if secret.hex() in written]
    assert base64.b64encode(b"admin:admin").decode() not in written
    given = {one.event.name for one in records if isinstance(one.event, OperatorInput)}
    assert {"service_list", "login_list", "firmware_image"} <= given


def test_the_doctor_says_what_a_run_would_try() -> None:
    seen = {name: probe() for name, probe in Workshop(load_rig(RIG), 1).probes()}
    assert seen["security of shuffler"] == (
        "a run tries 2126 ports, of which 2 are declared, and 4 default logins at emulated"
    )
    assert seen["connector shuffler-service"] == "can be listened to"


def test_the_same_run_leaves_the_same_records(shut: Made) -> None:
    again = played("ds-order", load_rig(RIG))
    assert [(one.mono_ns, one.source, one.event) for one in again] == [
        (one.mono_ns, one.source, one.event) for one in shut("ds-order")
    ]


def test_the_plan_makes_every_check_there_is() -> None:
    assert [check.what for one in PLAN.scenarios for check in one.checks] == ["ports", "logins", "identity", "order"]


def test_what_a_device_says_over_its_identity_line_is_listened_to_as_well(tmp_path: Path) -> None:
    rig = own_rig(tmp_path, ('[[device.listen]]\nname = "service"\n', ""))
    verdict, reason = came_to(played("ds-order", rig, "leaks_codes_on_service"), "4")
    assert verdict is Outcome.FAIL
    assert "shuffler-identity" in reason
