"""Small run folders for the tests of the reports: real records, real pictures, verdicts as a judge would write them."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from evidence import events as e
from evidence.events import Record

SECOND_NS = 1_000_000_000


def picture(seed: int, width: int = 640, height: int = 360) -> bytes:
    """A JPEG of a green table with a few cards on it, different for each seed."""
    frame = np.full((height, width, 3), (60, 110, 30), np.uint8)
    for card in range(seed % 7 + 1):
        left = 40 + card * 80
        cv2.rectangle(frame, (left, 120), (left + 64, 215), (250, 250, 250), -1)
        cv2.putText(frame, "23456789"[card], (left + 20, 180), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 180), 3)
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


class JournalSketch:
    """Collects records with the numbering and times a run would give them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records: list[Record] = []
        self.scenario = ""
        self.now_ns = 0

    def add(self, source: str, event: e.AnyEvent, after_s: float = 0.25) -> int:
        self.now_ns += int(after_s * SECOND_NS)
        seq = len(self.records)
        utc = f"2026-03-04T10:00:{seq % 60:02d}.000000Z"
        self.records.append(
            Record(seq=seq, mono_ns=self.now_ns, utc=utc, source=source, scenario=self.scenario, event=event)
        )
        return seq

    def frame(self, seed: int, *, annotated: bool = True) -> str:
        data = picture(seed)
        sha256 = hashlib.sha256(data).hexdigest()
        folder = self.folder / "journal" / "attachments"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{sha256}.jpg").write_bytes(data)
        if annotated:
            frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert frame is not None
            cv2.rectangle(frame, (30, 110), (600, 225), (0, 0, 255), 3)
            (folder / f"{sha256}.annotated.jpg").write_bytes(cv2.imencode(".jpg", frame)[1].tobytes())
        return sha256


def jam_scenario(journal: JournalSketch, scenario: str, title: str, *, voids: bool = True) -> list[int]:
    """A shoe jams in group 3; the table software voids the round, or orders the next delivery. Returns the evidence."""
    journal.scenario = scenario
    journal.add("bench:run", e.ScenarioStarted(title=title, pack="PR-PGP-SHOE", covers=["PR-PGP-SHOE.A:jam"]))
    journal.add("bench:faults", e.FaultArmed(fault="card_stuck_on_exit", target="shoe", params={"group": 3}))
    journal.add("bench:link", e.LinkBytes(link="shoe", direction="tx", data="7e0412000103a5c17e"))
    journal.add("device:shoe", e.DeviceCommanded(device="shoe", command="deal_group"))
    claim = journal.add("device:shoe", e.DeviceFault(device="shoe", code="E31", symptom="jam"), 1.5)
    line = journal.add("instrument:tap", e.LineSeen(line="shoe/exit", level=1, at_ns=journal.now_ns))
    proof = e.FaultProven(
        fault="card_stuck_on_exit", target="shoe", symptom="jam", by=[line], means="exit sensor held for 1.2 s"
    )
    proven = journal.add("bench:faults", proof)
    seen = e.CardsSeen(
        place="shoe_mouth", count=4, face_down=4, certainty=0.98, frame=journal.frame(len(journal.records))
    )
    look = journal.add("camera:top", seen, 0.1)
    verb = "void_round" if voids else "deliver"
    order = e.Directive(id=f"d{len(journal.records)}", verb=verb, cause=f"e{claim}")  # type: ignore[arg-type]
    directive = journal.add("software:table", order, 0.02)
    journal.add("software:table", e.SoftwareAcknowledged(message=f"e{claim}", directives=1), 0.01)
    journal.add("bench:run", e.ScenarioFinished(status="completed"))
    return [claim, proven, look, directive]


def verdict(scenario: str, clause: str, word: str, reason: str, evidence: Iterable[int], **more: Any) -> dict[str, Any]:
    pack = clause.rsplit(".", 1)[0]
    row = {"scenario": scenario, "pack": pack, "clause": clause, "verdict": word, "reason": reason}
    return row | {"evidence": list(evidence), "policies": {"jam_that_clears_itself": "counts_as_jam"}} | more


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
