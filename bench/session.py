"""One scenario on a rig: the table software is asked, its directives are carried out, and all of it is journaled."""

import contextlib
from collections import deque
from collections.abc import Sequence

from bench.acts.acts import Acts
from bench.acts.table import FIRST_BACK
from bench.aftermath import on_table
from bench.faults.proof import Prover
from bench.faults.schedule import Schedule
from bench.faults.script import FaultSpec
from bench.inputs import merged
from bench.live_rig import Rig
from bench.operate import clear, make_ready
from bench.plan import Scenario
from bench.security.checks import Checks
from bench.setup import Defects
from bench.slips import Slips
from bench.software.link import forwarded
from bench.workshop import Workshop
from evidence.errors import CardcertError, RigFault
from evidence.events import (
    AnyEvent,
    Directive,
    FaultArmed,
    ImageRead,
    LineSeen,
    LinkAltered,
    Record,
    ScenarioFinished,
    ScenarioStarted,
    SessionOpened,
    TableDone,
    TableRequested,
)
from evidence.notes import Recorder
from evidence.secrets import without_secrets

MAX_DIRECTIVES = 2000
"""Directives carried out in one scenario before the table software counts as running away."""


class Proving:
    """Looks at everything that is recorded in a scenario for proof of its faults, and records what it finds."""

    def __init__(self, journal: Recorder, scenario: str, faults: Sequence[FaultSpec]) -> None:
        self.attach, self.sync = journal.attach, journal.sync
        self._journal = journal
        self._scenario = scenario
        self._prover = Prover(faults)

    def append(self, event: AnyEvent, *, source: str, scenario: str = "") -> Record:
        """Write one event, and after it what it proves."""
        record = self._journal.append(event, source=source, scenario=scenario)
        for finding in self._prover.observe(record):
            self.append(finding, source="bench:prover", scenario=self._scenario)
        return record

    def finish(self) -> None:
        """The scenario is over: write what is proven by that, and what is not proven."""
        for finding in self._prover.finish():
            self._journal.append(finding, source="bench:prover", scenario=self._scenario)


def with_defects(faults: Sequence[FaultSpec], defects: Defects) -> Defects:
    """The defects with those by which the emulated table software brings faults about."""
    brought = {fault.fault.defect for fault in faults if fault.fault.defect}
    return {**defects, "software": defects.get("software", frozenset()) | brought} if brought else defects


class Session:
    """Runs one scenario and leaves its whole story in the journal."""

    def __init__(self, rig: Rig, scenario: Scenario, journal: Recorder) -> None:
        self._rig = rig
        self._scenario = scenario
        self._journal = journal
        self._schedule = Schedule(scenario.faults)
        self._queue: deque[Directive] = deque()
        self._carried_out = 0
        self._slips = Slips(self._schedule.at_once)
        self._acts = Acts(rig, scenario, self._slips, self)

    def run(self) -> None:
        """Play the scenario to its end. Raises RigFault when a side fails as no fault of the plan explains."""
        try:
            self._play()
        except Exception:
            # What broke it off may have been seen on a wire or done to a line.
            with contextlib.suppress(CardcertError):
                self.tap()
            raise

    def _play(self) -> None:
        self._open()
        for _ in range(self._scenario.rounds):
            self._ask("next_round", probe=False)
        for ask in self._scenario.asks:
            self._ask(ask.request, probe=ask.probe)
        self._check_security()
        if self._rig.injections is not None:
            self._rig.injections.disarm()  # and its readings are on record
        self.tap()
        # A camera that was moved or covered meanwhile makes all it has said since worthless.
        self._check_camera()

    def publish(self, event: AnyEvent, source: str) -> Record:
        """Journal an event and, where the table software has a right to know, tell it; its directives are queued."""
        record = self._write(event, source)
        if forwarded(event):
            for directive in self._rig.software.tell(record):
                self._write(directive, "software:table")
                self._queue.append(directive)
        for fault in self._schedule.free():
            self._inject(fault)
        return record

    def tap(self) -> None:
        """Journal what was seen on the devices' wires and done on their lines since the last time."""
        if self._rig.rack is not None:
            for name, reading in self._rig.rack.take_readings():
                self._write(reading, f"instrument:{name}")
        for device, control in self._rig.controls.items():
            for edge in control.tap():
                self._write(
                    LineSeen(line=f"{device}/{edge.line}", level=edge.level, at_ns=edge.at_ns), "instrument:probe"
                )
        for listener in self._rig.listeners:
            listener.read(self._rig.clock.deadline(0.0))
        for name, line in self._rig.lines.items():
            for deed in line.take_deeds():
                altered = LinkAltered(
                    link=name, kind=deed.kind, direction=deed.way, before=deed.before, after=deed.after,
                    at_ns=deed.at_ns, detail=deed.detail,
                )  # fmt: skip
                self._write(altered, "instrument:line")

    def listen(self) -> None:
        """The same, and what devices have said unasked over their identity lines."""
        self.tap()
        for identity in self._rig.identities.values():
            identity.listen()

    def record(self, event: AnyEvent, source: str) -> Record:
        """Journal an event of which the table software is not told."""
        record = self._write(event, source)
        for fault in self._schedule.free():
            self._inject(fault)
        return record

    def _write(self, event: AnyEvent, source: str) -> Record:
        record = self._journal.append(event, source=source, scenario=self._scenario.id)
        self._schedule.observe(record)
        return record

    def _inject(self, fault: FaultSpec) -> None:
        """Make a fault ready by whatever brings it about at this rig."""
        if fault.fault.of_people:
            self._slips.add(fault)
        else:
            self._rig.arm(fault)

    def _open(self) -> None:
        rig, table = self._rig, self._scenario.table
        self._check_camera()
        self._write(rig.software.connect(), "software:table")
        clear(rig)
        if rig.aftermath is not None:
            rig.aftermath.put_right(rig.controls, rig.hands)
        for name in rig.devices:
            make_ready(rig, self, name)
        if rig.aftermath is not None:
            rig.aftermath.check(rig.devices, self._write)
            on_table(rig.eye, rig.hands, rig.devices, self._write)
        prepared = {fault.name: int(fault.params.get("count", 1)) for fault in self._scenario.faults}
        missing = prepared.get("missing_card", 0)
        extra = prepared.get("extra_card", 0) + prepared.get("cut_card_in_deck", 0)
        swapped = prepared.get("swapped_card", 0)
        rig.hands.place_pack(table.cards_in_deck, missing=missing, extra=extra, swapped=swapped, back=FIRST_BACK)
        self._arm()
        inputs = merged(self._scenario.inputs, rig.inputs, self._scenario.own_inputs)
        for given in inputs.values():
            self.publish(given.event(), "operator:file")
        opened = SessionOpened(
            game=table.game,
            cards_in_deck=table.cards_in_deck,
            positions=table.positions,
            seated=table.seated,
            bank=table.bank,
            devices={name: driver.role for name, driver in rig.devices.items()},
            additional_wager_offered=table.additional_wager_offered,
            inputs={name: given.text for name, given in inputs.items()},
        )
        self.publish(opened, "bench:table")
        if self._scenario.approved:
            for approval in rig.approvals:
                self.publish(approval, "operator:file")
        read_out = {fault.target for fault in self._scenario.faults if fault.proof.kind == "image"} & set(rig.controls)
        for name, driver in rig.devices.items():
            self.publish(driver.identify(), f"device:{name}")
            for checked in rig.identities[name].ask() if name in rig.identities else ():
                self._write(checked, f"device:{name}")
            if name in read_out:
                self._write(ImageRead(device=name, sha256=rig.controls[name].image()), "instrument:programmer")
            self.publish(rig.eye.device(name), "camera:main")
        if table.button:
            rig.hands.move_button(table.button)
            self.publish(rig.eye.button(), "camera:main")
        for wager in self._scenario.wagers:
            self.publish(wager.event(), f"player:{wager.position}")
        self._acts.begin()

    def _arm(self) -> None:
        """Make every fault ready whose time to be made ready is now."""
        aftermath = self._rig.aftermath
        for name, driver in self._rig.devices.items():
            befalling = [fault.fault for fault in self._scenario.faults if fault.target == name]
            stays = aftermath is not None and any(fault.afterwards for fault in befalling)
            if stays or any(fault.proof.kind == "other_firmware" for fault in befalling):
                before = driver.identify()
                self._write(before, f"device:{name}")
                if aftermath is not None:
                    aftermath.expect(before, self._scenario.faults)
        for fault in self._scenario.faults:
            self._write(
                FaultArmed(fault=fault.name, target=fault.target, params={**fault.params, **fault.at}), "bench:injector"
            )
        for fault in self._schedule.at_once:
            if not fault.fault.of_people:
                self._inject(fault)

    def _check_camera(self) -> None:
        health = self._rig.eye.check()
        self._write(health, "camera:main")
        if health.state != "ok":
            raise RigFault(f"camera: {health.state} {health.detail}. Check it with `cardcert doctor`.")

    def _check_security(self) -> None:
        """What the laboratory does by itself at the devices. It is no business of the table software."""
        checks = Checks(self._rig, Unheard(self))
        for check in self._scenario.checks:
            checks.make(check)

    def _ask(self, request: str, *, probe: bool) -> None:
        asked = TableRequested(request=request, probe=probe)  # type: ignore[arg-type]
        self.publish(asked, "dealer:table")
        while self._queue:
            self._carried_out += 1
            if self._carried_out > MAX_DIRECTIVES:
                raise RigFault(f"table software: over {MAX_DIRECTIVES} directives in one scenario; it is running away.")
            directive = self._queue.popleft()
            outcome, detail = self._acts.carry_out(directive)
            done = TableDone(directive=directive.id, verb=directive.verb, outcome=outcome, detail=detail)
            self.publish(done, "bench:table")
            self._acts.after(directive)


class Unheard:
    """Where acts report to that the table software neither sees nor hears of."""

    def __init__(self, session: Session) -> None:
        self.publish, self.tap = session.record, session.listen


def run_scenario(workshop: Workshop, scenario: Scenario, journal: Recorder, defects: Defects, attempt: int = 1) -> str:
    """Run one scenario between its `scenario.started` and `scenario.finished` records; returns the final status.

    A failing rig ends the scenario, never the run; what was recorded until then stands. An interruption is recorded
    and raised on.
    """
    started = ScenarioStarted(
        title=scenario.title, pack=scenario.pack, covers=scenario.covers, also=scenario.also, attempt=attempt
    )
    journal.append(started, source="bench:session", scenario=scenario.id)
    finished = ScenarioFinished(status="interrupted")
    proving = Proving(journal, scenario.id, scenario.faults)
    try:
        with workshop.open(scenario, proving, with_defects(scenario.faults, defects)) as rig:
            Session(rig, scenario, proving).run()
        proving.finish()
        finished = ScenarioFinished(status="completed")
    except CardcertError as error:
        finished = ScenarioFinished(status="rig_fault", detail=without_secrets(str(error))[:2000])
    except Exception as error:  # noqa: BLE001 - whatever breaks is recorded, and no run ends without its record
        finished = ScenarioFinished(status="error", detail=without_secrets(f"{type(error).__name__}: {error}")[:2000])
    finally:
        journal.append(finished, source="bench:session", scenario=scenario.id)
        journal.sync()
    return finished.status
