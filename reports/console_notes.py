"""What whoever reads a result on the terminal should know beside it: who signed, and what befell the run."""

from collections.abc import Mapping
from typing import Any

from reports.shape import mappings
from reports.signed_by import SignedBy
from reports.wordbook import wordbook

_SIGNED = {"none": "not_signed", "test": "test_signed", "laboratory": "signed"}


def told_of_signature(signed_by: SignedBy, lang: str = "en") -> str:
    """Who signed, in one line; loud where it is nobody, or a test identity."""
    key = _SIGNED[signed_by.kind]
    return wordbook(lang).say("console", key, signer=signed_by.signer, stamped=signed_by.time_stamp)


def told_of_run(run: Mapping[str, Any], lang: str = "en") -> list[str]:
    """What befell a run, by its `run.json`: that it was interrupted and gone on with, that the clock was set."""
    words = wordbook(lang)
    told = [
        words.say(
            "console",
            "cut" if one.get("scenario") else "between",
            record=one.get("record"),
            scenario=one.get("scenario"),
        )
        for one in mappings(run.get("interruptions"))
    ]
    for one in mappings(run.get("clock_steps")):
        by_s = one.get("by_s")
        if isinstance(by_s, int | float):
            key = "clock_back" if by_s < 0 else "clock_forward"
            told.append(words.say("console", key, by_s=abs(by_s), record=one.get("record")))
    torn = mappings(run.get("repairs"))
    return [*told, words.say("console", "torn", lines=len(torn))] if torn else told
