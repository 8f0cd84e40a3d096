"""What whoever reads a result on the terminal should know beside it: who signed, and what befell the run."""

from collections.abc import Mapping
from typing import Any

from reports.shape import mappings
from reports.signed_by import SignedBy
from reports.text import plural


def told_of_signature(signed_by: SignedBy) -> str:
    """Who signed, in one line; loud where it is nobody, or a test identity."""
    if signed_by.kind == "none":
        return "NOT SIGNED: whoever can write to this folder can make it anew; sign it with --sign IDENTITY"
    stamped = "with a time stamp" if signed_by.time_stamp else "without a time stamp"
    if signed_by.kind == "test":
        return f"SIGNED WITH A TEST IDENTITY, {stamped}: for trying out, it certifies nothing"
    return f"signed by {signed_by.signer}, {stamped}"


def told_of_run(run: Mapping[str, Any]) -> list[str]:
    """What befell a run, by its `run.json`: that it was interrupted and gone on with, that the clock was set."""
    told = []
    for one in mappings(run.get("interruptions")):
        cut = f"{one['scenario']} was cut off and played again" if one.get("scenario") else "between two scenarios"
        told.append(f"the run was interrupted before record {one.get('record')}: {cut}")
    for one in mappings(run.get("clock_steps")):
        by_s = one.get("by_s")
        if isinstance(by_s, int | float):
            way = "back" if by_s < 0 else "forward"
            told.append(
                f"the wall clock was set {way} by {abs(by_s):.0f} s before record {one.get('record')}; "
                "order and distances of the records do not depend on it"
            )
    torn = run.get("repairs")
    if torn:
        told.append(f"{plural(len(mappings(torn)), 'torn line')} at the end of the journal was cut off on going on")
    return told
