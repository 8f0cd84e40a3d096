"""Makes run folders of any size for measuring reports: real journals, real pictures, verdicts as a judge writes them.

The clauses are those of the shipped packs, repeated under new names until there are as many as asked for.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from evidence import events as e
from evidence.journal import Journal
from reports.run_view import RunView
from rules.loader import load_packs
from rules.pack import Clause, Pack, pack_digest

RECORDS = 120
"""Records of a scenario beside those that matter: about what a short round takes."""
_SECOND_NS = 1_000_000_000


def made_packs(clauses: int) -> tuple[Pack, ...]:
    """Packs with as many clauses in all, in the proportions of those that ship."""
    shipped = load_packs(None)
    packs = []
    left, most = clauses, sum(len(pack.clauses) for pack in shipped)
    for number, pack in enumerate(shipped):
        share = left if number == len(shipped) - 1 else max(1, round(clauses * len(pack.clauses) / most))
        share = min(share, left)
        left -= share
        if share:
            packs.append(msgspec.structs.replace(pack, clauses=tuple(_repeated(pack.clauses, share))))
    return tuple(packs)


def _repeated(clauses: Sequence[Clause], count: int) -> Iterator[Clause]:
    for number in range(count):
        clause = clauses[number % len(clauses)]
        turn = number // len(clauses)
        yield msgspec.structs.replace(clause, id=f"{clause.id}.x{turn}") if turn else clause


def make_run(folder: Path, packs: Sequence[Pack], scenarios: int, failures: int, pictures: int = 3) -> RunView:
    """A run of so many scenarios, one clause each in turn; the last `failures` of them fail; so many pictures each."""
    clauses = [(pack, clause) for pack in packs for clause in pack.clauses]
    now_ns = 0
    verdicts: list[dict[str, Any]] = []
    listed: list[dict[str, Any]] = []
    with Journal.create(folder, lambda: now_ns, durable=False) as journal:
        for number in range(scenarios):
            pack, clause = clauses[number % len(clauses)]
            scenario = f"scenario-{number:04}"
            failed = number >= scenarios - failures
            seqs: list[int] = []
            for source, event, marked in _events(journal, clause, number, pictures, failed):
                now_ns += _SECOND_NS // 20
                record = journal.append(event, source=source, scenario=scenario)
                seqs += [record.seq] if marked else []
            listed.append({"id": scenario, "title": f"A card sticks, case {number}", "pack": pack.id,
                           "covers": [clause.id], "status": "completed"})  # fmt: skip
            verdicts.append(_verdict(scenario, pack, clause, seqs, failed))
        head = journal.head
    run = _run(packs, listed, {"records": head.seq + 1, "head": head.hash}, failures)
    (folder / "run.json").write_bytes(msgspec.json.encode(run))
    (folder / "verdicts.json").write_bytes(msgspec.json.encode(verdicts))
    matrix = [
        {"clause": clause.id, "requirement": one.id, "compliant": "PASS",
         "defects": [{"name": f"software {one.id}_left_out", "verdict": "FAIL", "also_failed": []}]}
        for _, clause in clauses for one in clause.requirements
    ]  # fmt: skip
    (folder / "sensitivity.json").write_bytes(msgspec.json.encode(matrix))
    return dataclasses.replace(RunView.load(folder), packs=tuple(packs))


def _events(
    journal: Journal, clause: Clause, number: int, pictures: int, failed: bool
) -> Iterator[tuple[str, e.AnyEvent, bool]]:
    """The records of a scenario; those marked are the evidence."""
    yield "bench:run", e.ScenarioStarted(title=f"Case {number}", pack="P", covers=[clause.id]), False
    yield "bench:faults", e.FaultArmed(fault="card_stuck_on_exit", target="shoe", params={"group": 3}), False
    for turn in range(RECORDS // 4):
        yield "link:shoe", e.LinkBytes(link="shoe", direction="tx", data="7e0412000103a5c17e"), False
        yield "device:shoe", e.DeviceCommanded(device="shoe", command="deal_group"), False
        yield "device:shoe", e.DeviceDispensed(device="shoe", unit="group", index=turn + 1, count=7), False
        yield "software:table", e.SoftwareAcknowledged(message=f"e{turn}", directives=1), False
    yield "device:shoe", e.DeviceFault(device="shoe", code="E31", symptom="jam"), True
    proven = e.FaultProven(fault="card_stuck_on_exit", target="shoe", symptom="jam", by=[0], means="exit line held")
    yield "bench:faults", proven, True
    for look in range(pictures):
        sha256 = journal.attach(_picture(number * pictures + look), "jpg")
        yield "camera:top", e.CardsSeen(place="shoe_mouth", count=4, certainty=0.98, frame=sha256), True
    verb = "deliver" if failed else "void_round"
    yield "software:table", e.Directive(id=f"d{number}", verb=verb, cause="e1"), True  # type: ignore[arg-type]
    yield "bench:run", e.ScenarioFinished(status="completed"), False


def _picture(seed: int) -> bytes:
    """A picture of a green table with cards, some 20 kB, with the grain of a camera."""
    noise = np.random.default_rng(seed).integers(-6, 7, (270, 480, 3))
    frame = np.clip(np.full((270, 480, 3), (60, 110, 30)) + noise, 0, 255).astype(np.uint8)
    for card in range(seed % 7 + 1):
        left = 20 + card * 62
        cv2.rectangle(frame, (left, 90), (left + 52, 165), (250, 250, 250), -1)
        cv2.putText(frame, "23456789"[card], (left + 14, 140), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (20, 20, 180), 3)
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 75])[1].tobytes()


def _verdict(scenario: str, pack: Pack, clause: Clause, seqs: list[int], failed: bool) -> dict[str, Any]:
    word = "FAIL" if failed else "PASS"
    reason = "The dealing shoe “shoe” jammed during a round of play; the rule demands that the round is declared void: "
    reason += (
        "but the next delivery was ordered." if failed else "the table software's order to void it was carried out."
    )
    names = [one.id for one in clause.requirements]
    return {
        "scenario": scenario, "pack": pack.id, "clause": clause.id, "verdict": word, "reason": reason, "evidence": seqs,
        "requirement": names[0], "requirements": dict.fromkeys(names, "PASS") | {names[0]: word},
        "alternatives": [one.id for one in clause.alternatives], "trigger": seqs[0],
        "policies": dict.fromkeys(clause.policies, "as_written"),
    }  # fmt: skip


def _run(packs: Sequence[Pack], listed: list[dict[str, Any]], journal: dict[str, Any], failures: int) -> dict[str, Any]:
    device = {
        "device": "shoe", "role": "shoe", "maker": "Example Makers", "model": "S-7", "serial": "0042",
        "firmware": "2.4.1", "firmware_sha256": "ab" * 32,
    }  # fmt: skip
    return {
        "schema": 1, "cardcert": "0", "plan": {"name": "made", "sha256": "11" * 32}, "seed": 1, "policies": {},
        "rig": {"name": "made", "sha256": "22" * 32, "clock": "virtual"},
        "started_utc": "2026-03-04T10:00:00Z", "finished_utc": "2026-03-04T10:40:00Z", "devices": [device],
        "packs": [{"id": pack.id, "version": pack.version, "sha256": pack_digest(pack), "authority": pack.authority,
                   "citation": pack.citation} for pack in packs],
        "software": {"maker": "Example Tables", "product": "Croupier", "version": "9.1", "sha256": "ef" * 32},
        "versions": {"python": "3"}, "overall": "NON_CONFORMITY" if failures else "CONFORMS", "scenarios": listed,
        "journal": journal,
    }  # fmt: skip
