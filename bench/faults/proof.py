"""Proof of injection: a fault counts only when something other than its injector shows that it happened.

Instruments on the device's wires, the camera, claims of devices and acts of people are looked at as they are recorded.
What the injector says of itself (`fault.armed`) is never proof.
"""

from collections.abc import Callable, Sequence

from bench.faults.catalogue import ProofKind
from bench.faults.facts import TableFacts
from bench.faults.proof_blackjack import DrawnFaceWatch, LeftAtMouthWatch, OverdrawnWatch, RanOutWatch
from bench.faults.proof_cards import ClaimWatch, FacesWatch, TotalWatch, UnitCountWatch
from bench.faults.proof_claims import (
    CameraStateWatch,
    HistoryWatch,
    ImageWatch,
    OtherFirmwareWatch,
    RefusedWatch,
)
from bench.faults.proof_hands import CollectedWatch, DroppedWatch, FouledWatch, MisplacedWatch
from bench.faults.proof_lines import HeldWatch, IdleWatch, NoCardWatch
from bench.faults.proof_links import (
    LateWatch,
    LinkTroubleWatch,
    NotArrivedWatch,
    OutOfOrderWatch,
    SpoiledWatch,
    TwiceWatch,
)
from bench.faults.proof_pack import IdentityWatch, NotCutWatch, NotShuffledWatch, SameBackWatch
from bench.faults.proof_pai_gow import (
    DiceWatch,
    ElsewhereWatch,
    ExposedEarlyWatch,
    LiftedWatch,
    MiscalledWatch,
    SetWronglyWatch,
)
from bench.faults.proof_people import (
    ButtonWatch,
    DrawnWatch,
    ExposedWatch,
    NotBurntWatch,
    SkippedWatch,
    TooFewWatch,
    TooManyWatch,
    TurnedUpWatch,
)
from bench.faults.proof_readings import EitherWatch, RailWatch, ReadingWatch
from bench.faults.proof_table import DeviceGoneWatch, DeviceStaysWatch, ResumedWatch
from bench.faults.proof_tournament import (
    DealtLastWatch,
    PassedOverWatch,
    StrangeBackWatch,
    StrangeFaceWatch,
    TwinWatch,
)
from bench.faults.proof_wires import (
    DisagreeWatch,
    EdgeAtWorkWatch,
    EdgeWatch,
    GapWatch,
    RegularWatch,
    UnansweredWatch,
    UnpoweredWatch,
)
from bench.faults.script import FaultSpec
from bench.faults.watch import Watch
from evidence.events import FaultProven, FaultUnproven, Record

WATCHES: dict[ProofKind, Callable[[FaultSpec, TableFacts], Watch]] = {
    "no_card": NoCardWatch,
    "held": HeldWatch,
    "power_lost": RailWatch,
    "idle": IdleWatch,
    "unit_count": UnitCountWatch,
    "claim": ClaimWatch,
    "total": TotalWatch,
    "faces": FacesWatch,
    "turned_up": TurnedUpWatch,
    "drawn": DrawnWatch,
    "too_many": TooManyWatch,
    "too_few": TooFewWatch,
    "not_burnt": NotBurntWatch,
    "skipped": SkippedWatch,
    "button": ButtonWatch,
    "exposed": ExposedWatch,
    "identity": IdentityWatch,
    "misplaced": MisplacedWatch,
    "dropped": DroppedWatch,
    "collected": CollectedWatch,
    "fouled": FouledWatch,
    "not_shuffled": NotShuffledWatch,
    "not_cut": NotCutWatch,
    "same_back": SameBackWatch,
    "passed_over": PassedOverWatch,
    "dealt_last": DealtLastWatch,
    "strange_face": StrangeFaceWatch,
    "twin": TwinWatch,
    "strange_back": StrangeBackWatch,
    "ran_out": RanOutWatch,
    "left_at_mouth": LeftAtMouthWatch,
    "drawn_face": DrawnFaceWatch,
    "overdrawn": OverdrawnWatch,
    "dice": DiceWatch,
    "miscalled": MiscalledWatch,
    "elsewhere": ElsewhereWatch,
    "exposed_early": ExposedEarlyWatch,
    "set_wrongly": SetWronglyWatch,
    "lifted": LiftedWatch,
    "edge": EdgeWatch,
    "edge_at_work": EdgeAtWorkWatch,
    "disagree": DisagreeWatch,
    "unanswered": UnansweredWatch,
    "unpowered": UnpoweredWatch,
    "gap": GapWatch,
    "regular": RegularWatch,
    "other_firmware": OtherFirmwareWatch,
    "image": ImageWatch,
    "history": HistoryWatch,
    "refused": RefusedWatch,
    "link_trouble": LinkTroubleWatch,
    "spoiled": SpoiledWatch,
    "not_arrived": NotArrivedWatch,
    "late": LateWatch,
    "out_of_order": OutOfOrderWatch,
    "twice": TwiceWatch,
    "camera_state": CameraStateWatch,
    "device_gone": DeviceGoneWatch,
    "device_stays": DeviceStaysWatch,
    "resumed": ResumedWatch,
}

NOT_SHOWN = "Nothing that was observed shows it. What would: {proof}"


def watch_for(fault: FaultSpec, facts: TableFacts) -> Watch:
    """What watches for this fault: by its kind of proof, and by what instruments read where that proves it too."""
    watch = WATCHES[fault.proof.kind](fault, facts)
    if fault.proof.reading is None or fault.proof.kind == "power_lost":
        return watch  # the work that a lost supply stopped is looked at with the reading
    return EitherWatch(watch, ReadingWatch(fault, facts))


class Prover:
    """Decides for the faults of one scenario, in the order of its plan, whether each is proven.

    A pure function of the records: the same records give the same findings. What one proof rests on can be no other
    fault's: however many are armed at the same time, each has to be shown by something that the others do not explain.
    """

    def __init__(self, faults: Sequence[FaultSpec]) -> None:
        self._facts = TableFacts()
        self._open = [watch_for(fault, self._facts) for fault in faults]
        self._last: Record | None = None
        self._used: set[tuple[int, str]] = set()
        """What proofs rest on."""

    def observe(self, record: Record) -> list[FaultProven]:
        """Look at one record; the proofs that it completes."""
        self._last = record
        findings = self._offer(lambda watch: watch.see(record))
        self._facts.take(record)
        return findings

    def finish(self) -> list[FaultProven | FaultUnproven]:
        """The scenario is over: what the last record still proves, then what stays unproven."""
        last = self._last
        findings: list[FaultProven | FaultUnproven] = []
        if last is not None:
            findings += self._offer(lambda watch: watch.end(last))
        for watch in self._open:
            spec = watch.spec
            would = spec.fault.proven
            reason = NOT_SHOWN.format(proof=would)
            findings.append(
                FaultUnproven(
                    fault=spec.name, target=spec.target, reason=reason, wording=NOT_SHOWN, values={"proof": would}
                )
            )
        self._open = []
        return findings

    def _offer(self, ask: Callable[[Watch], FaultProven | None]) -> list[FaultProven]:
        proven: list[FaultProven] = []
        left: list[Watch] = []
        for watch in self._open:
            finding = ask(watch)
            if finding is not None and self._used.isdisjoint(watch.own):
                self._used |= watch.own
                proven.append(finding)
                continue
            if finding is not None:
                watch.forget()
            left.append(watch)
        self._open = left
        return proven
