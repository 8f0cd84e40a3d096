"""The workshop sets a rig up anew for every scenario, so that nothing of one scenario leaks into the next."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path

import cv2
import msgspec

from bench.aftermath import Aftermath
from bench.clock import Clock
from bench.emulated_setup import EmulatedSetup
from bench.eye import Eye
from bench.inputs import Input, read_inputs
from bench.instruments.injection import Injections
from bench.instruments.rack import Rack
from bench.instruments.scpi import Emit
from bench.live_rig import Rig
from bench.plan import Scenario
from bench.real_setup import RealSetup
from bench.recall import Recall
from bench.rig import SILENCE_S, RigPlan
from bench.rig_entries import ApprovalEntry, DeviceEntry, IdentityEntry, ListenEntry
from bench.security.access import SecurityEntry, inputs_of, ready
from bench.setup import Defects, Setup
from evidence.errors import RigFault, UsageError
from evidence.events import AnyEvent, ApprovalRecord, Record
from evidence.notes import Recorder
from vision.calibration import load_calibration
from vision.cameras import LIVE, kind_of
from vision.deck_file import load_deck
from vision.deck_from_faces import enrol_rendered
from vision.layout import TableLayout, load_layout, standard_layout
from vision.reader import TableReader
from vision.resolution import resolution


class Workshop:
    """Sets up the rig of a run, and owns the clock's reading across its scenarios.

    `start_ns` is that reading at the start: where a run that is resumed was cut off. What is worked out from pictures
    is kept in `recall`, which workshops of the same rig and seed may share. Not for `evidence`, what an emulated camera
    draws is not judged before each look (see `Eye`): for runs of which nobody keeps a record. `aftermath` is what a run
    that was cut off has left at devices.
    """

    def __init__(
        self,
        rig: RigPlan,
        seed: int,
        start_ns: int = 0,
        recall: Recall | None = None,
        *,
        evidence: bool = True,
        aftermath: Aftermath | None = None,
    ) -> None:
        # The pictures are small: a second thread costs more than it gives, and other processes want that core.
        cv2.setNumThreads(1)
        self._plan = rig
        self._setup: Setup = EmulatedSetup(rig, seed, start_ns) if rig.emulated else RealSetup(rig, start_ns, aftermath)
        self._reader = table_reader(rig)
        self._recall = recall if recall is not None else Recall()
        self._evidence = evidence
        self._inputs = {**read_inputs(rig.file.inputs, rig.path), **_checked_inputs(rig)}

    def now_ns(self) -> int:
        """The run's clock, in nanoseconds; it never goes back, also not between scenarios."""
        return self._setup.clock.now_ns()

    def restart_clock(self) -> None:
        """Let the clock of an emulated rig begin anew: for runs of which each leaves a record of its own."""
        self._setup.restart_clock()

    @contextmanager
    def open(self, scenario: Scenario, journal: Recorder, defects: Defects) -> Iterator[Rig]:
        """A rig ready for one scenario, with `defects` switched on in its emulators.

        Raises RigFault or UsageError when a part of it cannot be had.
        """
        setup, url = self._setup, self._plan.file.camera.url
        if url and kind_of(url) not in LIVE:
            raise UsageError(
                f"camera {url}: it shows what was filmed before, which is no evidence of this run. Name a live camera; "
                f"`cardcert camera preview` and `cardcert read` look at recordings."
            )

        def emit(source: str) -> Callable[[AnyEvent], Record]:
            return lambda event: journal.append(event, source=source, scenario=scenario.id)

        with ExitStack() as stack:
            clock = setup.begin(scenario.id, defects)
            # A real device may need its supply before its port is there; an emulated one is there before what is tied
            # to it.
            rack = None if self._plan.emulated else self._working_rack(clock, emit, stack)
            devices = {
                entry.name: setup.device(entry, emit(f"device:{entry.name}"), stack) for entry in self._plan.file.device
            }
            rack = self._working_rack(clock, emit, stack) if self._plan.emulated else rack
            eye = self._eye(clock, journal.attach, stack, emit("camera:main"))
            software = setup.software(emit("software:table"), stack)
            hands = setup.hands(emit("operator"), self._reader.layout)
            injections = Injections(self._plan.file.injection, rack, clock) if rack else None
            yield Rig(
                clock=clock,
                devices=devices,
                controls=setup.controls(),
                hands=hands,
                eye=eye,
                software=software,
                injection=setup.injection(hands, injections),
                approvals=[_approval(entry) for entry in self._plan.file.approval],
                silence={
                    entry.name: entry.silence_s or SILENCE_S[entry.role] for entry in self._plan.file.device
                },
                inputs=self._inputs,
                identities={
                    entry.name: setup.identity(entry, entry.identity, emit(f"device:{entry.name}"), stack)
                    for entry in self._plan.file.device if entry.identity is not None
                },
                security={
                    entry.name: ready(self._plan.path, entry.security, setup.network(entry, entry.security))
                    for entry in self._plan.file.device if entry.security is not None
                },
                listeners=[
                    setup.connector(entry, one, emit(f"device:{entry.name}"), stack)
                    for entry in self._plan.file.device for one in entry.listen
                ],
                lines=setup.lines(),
                rack=rack,
                injections=injections,
                aftermath=setup.aftermath,
            )  # fmt: skip

    def probes(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """Every part of the rig with a function that tries it and says in one line what it found."""
        with ExitStack() as stack:
            clock = self._setup.begin("doctor", {})
            if self._plan.file.instrument:
                yield "instruments", partial(self._try_instruments, clock, stack)
            for entry in self._plan.file.device:
                yield f"device {entry.name}", partial(self._try_device, entry, stack)
                if entry.identity is not None:
                    yield f"firmware of {entry.name}", partial(self._try_identity, entry, entry.identity, stack)
                if entry.security is not None:
                    yield f"security of {entry.name}", partial(self._try_security, entry, entry.security)
                for one in entry.listen:
                    yield f"connector {entry.name}-{one.name}", partial(self._try_connector, entry, one, stack)
            yield "camera", partial(self._try_camera, clock, stack)
            yield "resolution", self._try_resolution
            yield "table software", partial(self._try_software, stack)

    def make_safe(self) -> list[str]:
        """Bring every instrument of the rig to its safe state, whatever an earlier run has left behind.

        The names of the instruments. RigFault when one is not safe.
        """
        with ExitStack() as stack:
            self._setup.begin("doctor", {})
            if self._plan.emulated:
                return []  # what is emulated in this process begins anew with it
            rack = self._rack(lambda _: _ignore, stack)
            if rack is None:
                return []
            rack.identify()
            rack.make_safe()
            return list(rack.instruments)

    def _rack(self, emit: Callable[[str], Emit], stack: ExitStack) -> Rack | None:
        if not self._plan.file.instrument:
            return None
        connect = partial(self._setup.instrument, stack=stack)
        rack = Rack(self._plan.file.instrument, connect, lambda name: emit(f"instrument:{name}"))
        stack.callback(rack.close)
        return rack

    def _working_rack(self, clock: Clock, emit: Callable[[str], Emit], stack: ExitStack) -> Rack | None:
        """The instruments as they are while the rig is at work; what they feed has had time to start."""
        rack = self._rack(emit, stack)
        if rack is not None:
            rack.begin_work()
            clock.pause(rack.ready_s)
        return rack

    def _try_instruments(self, clock: Clock, stack: ExitStack) -> str:
        rack = self._working_rack(clock, lambda _: _ignore, stack)
        return "; ".join(f"{one.maker} {one.model}, serial {one.serial}" for one in rack.identify()) if rack else "none"

    def _try_device(self, entry: DeviceEntry, stack: ExitStack) -> str:
        identity = self._setup.device(entry, _ignore, stack).identify()
        return f"{identity.maker} {identity.model}, serial {identity.serial}, firmware {identity.firmware}"

    def _try_identity(self, entry: DeviceEntry, identity: IdentityEntry, stack: ExitStack) -> str:
        for checked in self._setup.identity(entry, identity, _ignore, stack).ask():
            if not checked.matches:
                said = checked.answered or checked.detail
                raise RigFault(f"asked for a digest it answered {said}, expected {checked.expected}: another firmware")
        return f"is the image with SHA-256 {identity.sha256}"

    def _try_security(self, entry: DeviceEntry, security: SecurityEntry) -> str:
        """Nothing is tried at the address but in a run."""
        access = ready(self._plan.path, security, self._setup.network(entry, security))
        ports = len(access.services.ports) if access.services is not None else 0
        declared = len(access.services.services) if access.services is not None else 0
        tried = f"{ports} ports, of which {declared} are declared, and {len(access.logins)} default logins"
        return f"a run tries {tried} at {access.network.address}"

    def _try_connector(self, entry: DeviceEntry, one: ListenEntry, stack: ExitStack) -> str:
        self._setup.connector(entry, one, _ignore, stack)
        return "can be listened to"

    def _try_camera(self, clock: Clock, stack: ExitStack) -> str:
        health = self._eye(clock, lambda _data, _suffix: "", stack).check()
        if health.state != "ok":
            raise RigFault(f"the camera is {health.state} {health.detail}. Check its address, light and lens.")
        return "delivers frames fit to be evidence"

    def _try_resolution(self) -> str:
        well, told = resolution(self._reader.layout, self._reader.deck)
        if not well:
            raise RigFault(told)
        return told

    def _try_software(self, stack: ExitStack) -> str:
        identity = self._setup.software(_ignore, stack).connect()
        return f"{identity.maker} {identity.product} {identity.version}"

    def _eye(
        self,
        clock: Clock,
        attach: Callable[[bytes, str], str],
        stack: ExitStack,
        tell: Callable[[AnyEvent], object] | None = None,
    ) -> Eye:
        camera, tell = self._setup.camera(), tell or _ignore
        eye = Eye(camera, self._reader, clock, attach, self._recall, evidence=self._evidence, tell=tell)
        stack.callback(eye.close)
        return eye


@cache
def _layout(path: str) -> TableLayout:
    return load_layout(Path(path)) if path else standard_layout()


@cache
def _reader(layout: str, deck: str, calibration: str) -> TableReader:
    table = _layout(layout)
    if calibration:
        table = load_calibration(Path(calibration)).applied(table)
    return TableReader(table, load_deck(Path(deck)) if deck else enrol_rendered())


def table_reader(rig: RigPlan) -> TableReader:
    """The reader for a rig's table layout and deck. Enrolling takes a while, so equal rigs share one."""
    camera = rig.file.camera
    return _reader(*(_beside(rig, name) for name in (camera.layout, camera.deck, camera.calibration)))


def left_unread(rig: RigPlan) -> str:
    """Why cards of a rig's own deck will be left unread for want of resolution; empty if none will."""
    if not rig.file.camera.deck:
        return ""
    reader = table_reader(rig)
    well, told = resolution(reader.layout, reader.deck)
    return "" if well else told


def _beside(rig: RigPlan, name: str) -> str:
    """A path in a rig file counts from the folder of that file."""
    return str(rig.path.parent / name) if name else ""


def _checked_inputs(rig: RigPlan) -> dict[str, Input]:
    """What the operator has given beside the inputs of the rig file: lists for security checks, and firmware images."""
    given: dict[str, Input] = {}
    for device in rig.file.device:
        if device.security is not None:
            given.update(inputs_of(rig.path, device.security))
        if device.identity is not None:
            given["firmware_image"] = Input(name="firmware_image", text=f"SHA-256 {device.identity.sha256}")
    return given


def _approval(entry: ApprovalEntry) -> ApprovalRecord:
    return ApprovalRecord(**msgspec.structs.asdict(entry))


def _ignore(_event: AnyEvent) -> None:
    """What a look at a rig without a run does with events."""
