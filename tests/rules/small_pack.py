"""Small packs written for one test: one clause, one requirement, on facts that are easy to bring about."""

from pathlib import Path

from rules.judge import judge
from rules.loader import load_pack
from rules.pack import Pack
from rules.verdicts import Verdict
from tests.rules.table_script import Script

HEAD = """
id = "T"
title = "A pack for a test"
authority = "Nobody"
citation = "None"
version = "1"
text_date = "2025-01-01"
pack_date = "2025-01-01"
languages = ["en"]
[game]
name = "none"
cards_in_deck = 52
hole_cards = 2
hand_size = 5
"""

CLAUSE = """
[[clause]]
id = "T.1"
citation = "1"
meaning.en = "Something must be so."
[[clause.requirement]]
id = "r"
duty.en = "something is so"
"""


def write_pack(folder: Path, *bodies: str, head: str = HEAD) -> Path:
    """A pack folder whose `pack.toml` is the head and the bodies, one after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.toml").write_text("\n".join([head, *bodies]), encoding="utf-8")
    return folder


def small_pack(folder: Path, requirement: str, extra: str = "") -> Pack:
    """A pack with one clause `T.1` whose one requirement is given as TOML lines, and more of the file in `extra`."""
    return load_pack(write_pack(folder, CLAUSE + requirement, extra))


def saying(*phrases: str, status: str | None = "completed") -> Script:
    """A journal in which the dealer says these phrases, one round long; `|` begins a new round."""
    s = Script()
    s.begin("s", "T")
    s.session(["seat/1"])
    s.just("open_round")
    for phrase in phrases:
        if phrase == "|":
            s.just("close_round")
            s.just("open_round")
        else:
            s.announce(phrase)
    s.just("close_round")
    s.end(status)
    return s


def verdict_of(pack: Pack, script: Script, clause: str = "T.1", **policies: str) -> Verdict:
    return next(one for one in judge(script.records, [pack], policies) if one.clause == clause)
