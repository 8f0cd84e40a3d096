"""Tells a comparison of two runs: as Markdown for a merge request, and as data for programs."""

from collections.abc import Mapping
from typing import Any

from reports.diff.compare import Change, Comparison, Moved, Side
from reports.text import markdown_text, plural
from rules.summary import Overall

SCHEMA = 1
_CELL = 400


def gate(found: Comparison, *, timing: bool = False) -> int:
    """The exit status for a release gate.

    1 when a clause fails that did not fail before, or with `timing` a time grew beyond its noise; 3 when a clause that
    stood is not shown any more, or the later run certifies nothing; else 0.
    """
    if any(change.now == "FAIL" for change in found.worse) or (timing and found.slower):
        return 1
    return 3 if found.worse or found.after.defects or found.after.overall not in tuple(Overall) else 0


def as_data(found: Comparison, status: int) -> dict[str, Any]:
    """The comparison as plain data. Texts stand as they were recorded."""
    return {
        "schema": SCHEMA,
        "kind": "cardcert.diff",
        "status": status,
        "before": _side_data(found.before),
        "after": _side_data(found.after),
        "differences": list(found.differences),
        "clauses": [
            {"clause": one.clause, "pack": one.pack, "was": one.was, "now": one.now, "direction": one.direction,
             "reason": one.reason}
            for one in found.changes
        ],
        "timings": [
            {"quantity": one.quantity.id, "was_s": round(one.was.median_s, 6), "now_s": round(one.now.median_s, 6),
             "by_s": round(one.by_s, 6), "limit_s": round(one.limit_s, 6),
             "samples": [one.was.samples, one.now.samples]}
            for one in found.moved
        ],
        "timings_compared": found.compared_times,
        "timings_untold": list(found.untold_times),
    }  # fmt: skip


def _side_data(side: Side) -> dict[str, Any]:
    return {
        "folder": side.folder,
        "overall": side.overall,
        "finished_utc": side.finished_utc,
        "devices": [
            {name: str(device.get(name) or "") for name in ("device", "maker", "model", "firmware", "firmware_sha256")}
            for device in side.devices
        ],
        "software": {name: str(side.software.get(name) or "") for name in ("maker", "product", "version", "sha256")},
    }


def as_markdown(found: Comparison) -> str:
    """The comparison for people. Every foreign text is escaped."""
    lines = ["# What changed between two runs", "", "| | before | after |", "|---|---|---|"]
    lines += _row("run", found.before.folder, found.after.folder)
    lines += _row("result", found.before.overall, found.after.overall)
    lines += _row("ended", found.before.finished_utc, found.after.finished_utc)
    names = dict.fromkeys(str(device.get("device")) for side in (found.before, found.after) for device in side.devices)
    for name in names:
        lines += _row(f"device {name}", _device(found.before, name), _device(found.after, name))
    lines += _row("table software", _software(found.before), _software(found.after))
    if found.differences:
        told = ", ".join(markdown_text(one) for one in found.differences)
        lines += ["", f"**The runs differ in more than the items: {told}.** Verdicts may differ by that alone."]
    lines += ["", "## Clauses", ""]
    lines += _clauses(found) if found.changes else ["No clause changed its verdict."]
    lines += ["", "## Times", ""]
    lines += _times(found)
    return "\n".join([*lines, ""])


def _row(name: str, before: str, after: str) -> list[str]:
    mark = "" if before == after else " ≠"
    return [f"| {markdown_text(name)}{mark} | {_cell(before)} | {_cell(after)} |"]


def _cell(text: str) -> str:
    return markdown_text(text, _CELL) or "MISSING"


def _device(side: Side, name: str) -> str:
    found = [
        " ".join(str(device.get(key) or "?") for key in ("maker", "model", "firmware"))
        + f" ({str(device.get('firmware_sha256') or '?')[:12]})"
        for device in side.devices
        if str(device.get("device")) == name
    ]
    return "; ".join(found)


def _software(side: Side) -> str:
    told: Mapping[str, Any] = side.software
    return " ".join(str(told[key]) for key in ("maker", "product", "version") if told.get(key))


def _clauses(found: Comparison) -> list[str]:
    order = {"worse": 0, "other": 1, "better": 2}
    lines = ["| clause | before | after | | reason |", "|---|---|---|---|---|"]
    return [*lines, *(_clause(one) for one in sorted(found.changes, key=lambda change: order[change.direction]))]


def _clause(one: Change) -> str:
    cells = (one.clause, one.was, one.now, one.direction, one.reason)
    return "| " + " | ".join(markdown_text(cell, _CELL) for cell in cells) + " |"


def _times(found: Comparison) -> list[str]:
    told = [
        f"{plural(found.compared_times, 'quantity', 'quantities')} compared, {len(found.moved)} moved beyond noise."
    ]
    if found.moved:
        told += ["", "| what | before, s | after, s | moved by, s | noise explains, s | samples |"]
        told += ["|---|--:|--:|--:|--:|--:|", *(_moved(one) for one in found.moved)]
    if found.untold_times:
        told += ["", "Too few samples to tell: " + ", ".join(markdown_text(name) for name in found.untold_times) + "."]
    return told


def _moved(one: Moved) -> str:
    times = (one.was.median_s, one.now.median_s)
    numbers = " | ".join(f"{seconds:.4f}" for seconds in times)
    samples = f"{one.was.samples}, {one.now.samples}"
    return f"| {markdown_text(one.quantity.id)} | {numbers} | {one.by_s:+.4f} | ±{one.limit_s:.4f} | {samples} |"
