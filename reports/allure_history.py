"""The history of earlier runs, as Allure 3 keeps it: a line of JSON for each run, oldest first.

A run folder holds the history that its page shows in `history.jsonl`, its own line last. A file that many runs share is
read before the page is made and gets this run's line afterwards; a run that is reported again replaces its line.
"""

import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from evidence.errors import UsageError
from evidence.files import write_atomic
from reports.run_view import RunView
from reports.shape import mapping, mappings
from reports.text import visible

FILE_NAME = "history.jsonl"
RUNS_MAX = 20
"""Runs that are kept; a page of hundreds of runs would be too heavy."""
_FILE_LIMIT_BYTES = 128 * 1024 * 1024
_LABELS = frozenset({"verdict", "firmware", "device", "clause", "scenario"})
NAMESPACE = uuid.UUID("6f1c3f1e-7e0b-5f0a-9a58-0d4f6a3f2c11")

Point = dict[str, Any]
"""A run in the history: `uuid`, `name`, `timestamp` in ms since 1970, `testResults` by the case's id, and more."""


def run_uuid(run: RunView) -> str:
    """What names a run in a history: it follows from its evidence."""
    return str(uuid.uuid5(NAMESPACE, str(mapping(run.run.get("journal")).get("head"))))


def run_name(run: RunView) -> str:
    """The devices with their firmware: what a trend is about."""
    devices = [
        " ".join(visible(device.get(key), 40) for key in ("maker", "model", "firmware") if device.get(key))
        for device in mappings(run.run.get("devices"))
    ]
    return "; ".join(filter(None, devices)) or visible(mapping(run.run.get("plan")).get("name") or "not stated", 80)


def read_history(path: Path) -> list[Point]:
    """The runs of a history file, oldest first; empty when there is no such file. UsageError when it is none."""
    try:
        if not path.exists():
            return []
        if not path.is_file() or path.stat().st_size > _FILE_LIMIT_BYTES:
            raise UsageError(f"{path}: expected a history file of sensible size. Name another one.")
        points = [
            msgspec.json.decode(line, type=dict[str, Any]) for line in path.read_bytes().splitlines() if line.strip()
        ]
    except OSError as error:
        raise UsageError(f"{path}: cannot read this history file ({error.strerror}). Check its rights.") from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{path}: not a history file of Allure 3 ({error}). Name another one.") from None
    if not all(isinstance(one.get("uuid"), str) and isinstance(one.get("timestamp"), int) for one in points):
        raise UsageError(
            f"{path}: not a history file of Allure 3 (a line without uuid or timestamp). Name another one."
        )
    return sorted(points, key=lambda point: int(point["timestamp"]))


def earlier(points: Sequence[Point], run: RunView) -> list[Point]:
    """The runs of a history before this one, without itself, at most `RUNS_MAX` of the latest."""
    own = run_uuid(run)
    return [point for point in points if point["uuid"] != own][-RUNS_MAX:]


def own_point(written: Mapping[str, Any], run: RunView, timestamp_ms: int) -> Point:
    """The line that Allure wrote for this run, with what follows from the run in place of chance and clock."""
    results = {
        str(key): _kept(result) for key, result in mapping(written.get("testResults")).items() if mapping(result)
    }
    return {
        **written,
        "uuid": run_uuid(run),
        "name": run_name(run),
        "timestamp": timestamp_ms,
        "url": "",
        "testResults": dict(sorted(results.items())),
        "knownTestCaseIds": sorted(map(str, written.get("knownTestCaseIds") or ())),
    }


def _kept(result: Mapping[str, Any]) -> dict[str, Any]:
    labels = [label for label in mappings(result.get("labels")) if label.get("name") in _LABELS]
    return {**{key: value for key, value in result.items() if key != "trace"}, "labels": labels, "url": ""}


def write_history(path: Path, points: Sequence[Point]) -> None:
    """Write a history file as a whole."""
    write_atomic(path, b"".join(msgspec.json.encode(point, order="sorted") + b"\n" for point in points))


def merge_history(shared: Path, run_folder: Path) -> None:
    """Put a run's own line, the last of its folder's history, into a file that many runs share."""
    own = read_history(run_folder / FILE_NAME)
    if not own:
        return
    mine = own[-1]
    others = [point for point in read_history(shared) if point["uuid"] != mine["uuid"]]
    write_history(shared, sorted([*others, mine], key=lambda point: int(point["timestamp"])))
