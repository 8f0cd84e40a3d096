"""Small run folders for the tests of the reports: real records, real pictures, verdicts as a judge would write them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from evidence import events as e
from evidence.journal import Journal

SECOND_NS = 1_000_000_000


def picture(seed: int, width: int = 640, height: int = 360) -> bytes:
    """A JPEG of a green table with a few cards on it, different for each seed."""
    frame = np.full((height, width, 3), (60, 110, 30), np.uint8)
    for card in range(seed % 7 + 1):
        left = 40 + card * 80
        cv2.rectangle(frame, (left, 120), (left + 64, 215), (250, 250, 250), -1)
        cv2.putText(frame, "23456789"[card], (left + 20, 180), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 180), 3)
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


class RunSketch:
    """A run folder in the making: a real journal on a clock that the sketch moves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scenario = ""
        self.now_ns = 0
        self.verdicts: list[dict[str, Any]] = []
        self.scenarios: list[dict[str, Any]] = []
        self.frames = 0
        self.journal = Journal.create(folder, lambda: self.now_ns)

    def add(self, source: str, event: e.AnyEvent, after_s: float = 0.25) -> int:
        """Journal one event and return its number."""
        self.now_ns += int(after_s * SECOND_NS)
        return self.journal.append(event, source=source, scenario=self.scenario).seq

    def begin(self) -> None:
        """Journal that the run begins, or is taken up again."""
        self.scenario = ""
        self.add("bench:run", e.RunStarted(plan="foundation", rig="emulated", seed=1, clock="virtual"))

    def frame(self, *, annotated: bool = True) -> str:
        """Store a picture, with its annotated variant beside it, and return its digest."""
        self.frames += 1
        data = picture(self.frames)
        sha256 = self.journal.attach(data, "jpg")
        if annotated:
            frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert frame is not None
            cv2.rectangle(frame, (30, 110), (600, 225), (0, 0, 255), 3)
            drawn = self.folder / "journal" / "attachments" / f"{sha256}.annotated.jpg"
            drawn.write_bytes(cv2.imencode(".jpg", frame)[1].tobytes())
        return sha256

    def judge(self, clause: str, word: str, reason: str, evidence: Iterable[int] = (), **more: Any) -> None:
        """Note a verdict on the scenario at hand, as a judge would write it."""
        row: dict[str, Any] = {
            "scenario": self.scenario,
            "pack": clause.partition(".")[0],
            "clause": clause,
            "verdict": word,
        }
        row |= {"reason": reason, "evidence": list(evidence), "policies": {"jam_that_clears_itself": "counts_as_jam"}}
        self.verdicts.append(row | more)

    def finish(self, sensitivity: list[dict[str, Any]] | None = None, **more: Any) -> Path:
        """Close the journal and write the files around it."""
        head = self.journal.head
        self.journal.close()
        journal = {"records": head.seq + 1, "head": head.hash}
        write_json(self.folder / "run.json", run_json(scenarios=self.scenarios, journal=journal) | more)
        write_json(self.folder / "verdicts.json", self.verdicts)
        if sensitivity is not None:
            write_json(self.folder / "sensitivity.json", sensitivity)
        return self.folder


def jam_scenario(run: RunSketch, scenario: str, title: str, *, voids: bool = True, proven: bool = True) -> list[int]:
    """A shoe jams in group 3; the table software voids the round, or orders the next delivery. Returns the evidence."""
    run.scenario = scenario
    covers = ["PR-PGP-SHOE.A.1"]
    run.scenarios.append(
        {"id": scenario, "title": title, "pack": "PR-PGP-SHOE", "covers": covers, "status": "completed"}
    )
    run.add("bench:run", e.ScenarioStarted(title=title, pack="PR-PGP-SHOE", covers=covers))
    run.add("bench:faults", e.FaultArmed(fault="card_stuck_on_exit", target="shoe", params={"group": 3}))
    run.add("bench:link", e.LinkBytes(link="shoe", direction="tx", data="7e0412000103a5c17e"))
    run.add("device:shoe", e.DeviceCommanded(device="shoe", command="deal_group"))
    claim = run.add("device:shoe", e.DeviceFault(device="shoe", code="E31", symptom="jam"), 1.5)
    line = run.add("instrument:tap", e.LineSeen(line="shoe/exit", level=1, at_ns=run.now_ns))
    means = "exit sensor held for 1.2 s"
    proof: e.AnyEvent = e.FaultUnproven(fault="card_stuck_on_exit", target="shoe", reason="no sensor saw it")
    if proven:
        proof = e.FaultProven(fault="card_stuck_on_exit", target="shoe", symptom="jam", by=[line], means=means)
    proof_seq = run.add("bench:faults", proof)
    seen = e.CardsSeen(place="shoe_mouth", count=4, face_down=4, certainty=0.98, frame=run.frame())
    look = run.add("camera:top", seen, 0.1)
    order = e.Directive(id=f"d{look}", verb="void_round" if voids else "deliver", cause=f"e{claim}")
    directive = run.add("software:table", order, 0.02)
    run.add("software:table", e.SoftwareAcknowledged(message=f"e{claim}", directives=1), 0.01)
    run.add("bench:run", e.ScenarioFinished(status="completed"))
    return [claim, proof_seq, look, directive]


def run_json(**more: Any) -> dict[str, Any]:
    device = {
        "device": "shoe", "role": "shoe", "maker": "Example Makers", "model": "S-7", "serial": "0042",
        "firmware": "2.4.1", "firmware_sha256": "ab" * 32, "group_size": 7,
    }  # fmt: skip
    pack = {
        "id": "PR-PGP-SHOE", "version": "1.0", "sha256": "cd" * 32, "authority": "Puerto Rico Gaming Commission",
        "citation": "Reglamento de Juegos de Azar, Pai Gow Poker, section 10",
    }  # fmt: skip
    return {
        "schema": 1, "cardcert": "0.1.0", "plan": {"name": "foundation", "sha256": "11" * 32},
        "rig": {"name": "emulated", "sha256": "22" * 32, "clock": "virtual"}, "seed": 1,
        "started_utc": "2026-03-04T10:00:00.000000Z", "finished_utc": "2026-03-04T10:00:21.500000Z",
        "packs": [pack], "policies": {"jam_that_clears_itself": "counts_as_jam"}, "devices": [device],
        "software": {"maker": "Example Tables", "product": "Croupier", "version": "9.1", "sha256": "ef" * 32},
        "versions": {"python": "3.11.7", "opencv": "5.0.0"}, "overall": "NON_CONFORMITY",
        "camera": {"name": "top", "width_px": 1920, "height_px": 1080},
    } | more  # fmt: skip


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1))


def small_run(folder: Path) -> Path:
    """Four scenarios: one passes, one fails, one is inconclusive, one never met its clause."""
    run = RunSketch(folder)
    seen = jam_scenario(run, "shoe-jam-voids", "Shoe jams in group 3 and the round is void")
    run.judge("PR-PGP-SHOE.A.1", "PASS", "The round was void after the jam, before another card moved.", seen)
    run.judge("PR-PGP-SHOE.C", "NOT_TRIGGERED", "No card lay face up.")
    seen = jam_scenario(run, "shoe-jam-ignored", "Shoe jams in group 3 and dealing goes on", voids=False)
    run.judge("PR-PGP-SHOE.A.1", "FAIL", "After the jam the next delivery was ordered; the round was never void.", seen)
    seen = jam_scenario(run, "shoe-jam-unproven", "Shoe should jam, but does not", proven=False)
    run.judge("PR-PGP-SHOE.A.1", "INCONCLUSIVE", "The fault was armed but nothing shows that it happened.", seen)
    run.judge("PR-PGP-SHOE.B", "NEEDS_OPERATOR_INPUT", "The approval record was not given.")
    return run.finish(overall="NON_CONFORMITY")


def example_of(kind: type[e.AnyEvent]) -> e.AnyEvent:
    """An event of a kind, its fields filled by their types."""
    values = {field.name: _example_value(field.type) for field in msgspec.inspect.type_info(kind).fields}  # type: ignore[attr-defined]
    return msgspec.convert({"type": kind.__struct_config__.tag, **values}, kind)


def _example_value(kind: msgspec.inspect.Type) -> Any:
    match kind:
        case msgspec.inspect.LiteralType():
            return kind.values[0]
        case msgspec.inspect.ListType():
            return [_example_value(kind.item_type)]
        case msgspec.inspect.DictType():
            return {"key": _example_value(kind.value_type)}
        case msgspec.inspect.UnionType():
            return _example_value(kind.types[0])
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.IntType():
            return 3
        case msgspec.inspect.FloatType():
            return 0.5
    return "text"
