"""Pictures and drawings of a certificate, laid beside its template."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reports.frames import load_frame
from reports.run_view import RunView
from reports.timeline import timeline_svg

SHEETS_MAX = 300
"""Non-conformities that have a page of their own; more stand in the list, in `certificate.json` and in the evidence."""
_PICTURES_BYTES = 12 * 1024 * 1024
_PICTURE_MIN_BYTES, _PICTURE_MAX_BYTES = 20 * 1024, 80 * 1024


def lay_assets(run: RunView, findings: Sequence[Mapping[str, Any]], lang: str, folder: Path) -> dict[str, Any]:
    """Write timelines and pictures of the non-conformities into a folder; return what the template needs of them.

    `pictures` are file names by SHA-256, `timelines` by number of the non-conformity, `troubles` why a picture is not
    shown, `as_taken` the pictures that nothing is drawn into. A picture that several pages show is laid once.
    """
    findings = findings[:SHEETS_MAX]
    timelines: dict[str, str] = {}
    for finding in findings:
        name = f"timeline-{finding['number']}.svg"
        records = run.records.of_scenario(str(finding["scenario"]))
        (folder / name).write_bytes(timeline_svg(records, frozenset(finding["evidence"]), lang))
        timelines[str(finding["number"])] = name
    named = list(dict.fromkeys(str(one["sha256"]) for finding in findings for one in finding["pictures"]))
    limit = max(_PICTURE_MIN_BYTES, min(_PICTURE_MAX_BYTES, _PICTURES_BYTES // max(1, len(named))))
    pictures: dict[str, str] = {}
    troubles: dict[str, str] = {}
    as_taken: list[str] = []
    for number, sha256 in enumerate(named):
        frame = load_frame(run.folder, sha256, limit)
        if frame.trouble:
            troubles[sha256] = frame.trouble
            continue
        pictures[sha256] = f"picture-{number}.jpg"
        (folder / pictures[sha256]).write_bytes(frame.data)
        if not frame.annotated:
            as_taken.append(sha256)
    return {
        "pictures": pictures,
        "timelines": timelines,
        "troubles": troubles,
        "as_taken": as_taken,
        "sheets": SHEETS_MAX,
    }
