"""The in-toto attestation of a run: what was tested, by its digest, and which clauses it passed, for policy engines."""

from collections.abc import Mapping
from typing import Any

import msgspec

from reports.outcomes import outcomes_of
from reports.run_view import RunView
from reports.shape import mapping, mappings

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1"


def statement(run: RunView, manifest_sha256: str) -> bytes:
    """The statement of a run folder with this manifest, as JSON bytes; the same folder gives the same bytes.

    Subjects are the firmware of each device, the table software where it states a digest, and the manifest. `result` is
    PASSED only where the run conforms: a test that was not shown to hold has not passed. In `failedTests` stand the
    clauses that were broken, in `warnedTests` those that were not shown in full.
    """
    outcomes = outcomes_of(run)
    # A run with defects switched on says nothing about what it ran on.
    conforms = run.run.get("overall") == outcomes.overall == "CONFORMS" and not run.run.get("defects")
    names = {"PASS": "passedTests", "FAIL": "failedTests"}
    tests: dict[str, list[str]] = {"passedTests": [], "warnedTests": [], "failedTests": []}
    for outcome in outcomes.clauses:
        if outcome.verdict != "NOT_APPLICABLE":
            tests[names.get(outcome.verdict, "warnedTests")].append(outcome.clause)
    content = {
        "_type": STATEMENT_TYPE,
        "subject": [*_subjects(run), _resource("manifest.json", manifest_sha256)],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "result": "PASSED" if conforms else "FAILED",
            "configuration": _configuration(run),
            **{name: sorted(clauses) for name, clauses in tests.items()},
        },
    }
    return msgspec.json.encode(content)


def _subjects(run: RunView) -> list[dict[str, Any]]:
    found = []
    for device in mappings(run.run.get("devices")):
        told = [str(device.get(part) or "unknown") for part in ("maker", "model", "serial", "firmware")]
        found.append((f"firmware of {' '.join(told)}", str(device.get("firmware_sha256") or "")))
    software = mapping(run.run.get("software"))
    told = [str(software.get(part) or "unknown") for part in ("maker", "product", "version")]
    found.append((f"table software {' '.join(told)}", str(software.get("sha256") or "")))
    return [_resource(name, digest) for name, digest in sorted(set(found)) if _is_digest(digest)]


def _configuration(run: RunView) -> list[dict[str, Any]]:
    plan, rig = mapping(run.run.get("plan")), mapping(run.run.get("rig"))
    entries: list[tuple[str, Mapping[str, Any]]] = [
        (f"plan {plan.get('name')}", plan),
        (f"rig {rig.get('name')}", rig),
        *((f"clause pack {pack.get('id')} {pack.get('version')}", pack) for pack in mappings(run.run.get("packs"))),
    ]
    return [_resource(name, str(entry.get("sha256"))) for name, entry in entries if _is_digest(entry.get("sha256"))]


def _resource(name: str, sha256: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": sha256}}


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")
