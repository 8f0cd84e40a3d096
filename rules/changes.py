"""What changes between two judgements of the same evidence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from rules.verdicts import Outcome, Verdict

T = TypeVar("T")

IDLE = tuple(pair for one in (Outcome.NOT_TRIGGERED, Outcome.NOT_APPLICABLE) for pair in ((None, one), (one, None)))


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One clause in one scenario that is judged otherwise than before."""

    scenario: str
    pack: str
    clause: str
    was: Outcome | None
    """None where it was not judged before."""
    now: Outcome | None = msgspec.field(name="is")
    """None where it is no longer judged."""
    requirements: dict[str, tuple[Outcome | None, Outcome | None]] = {}
    """The requirements that came out otherwise, before and now; None where there was no such requirement."""
    policies: dict[str, tuple[str | None, str | None]] = {}
    """The policy switches of the clause that stand otherwise, before and now."""
    reason: str = ""
    """The sentence of the verdict now; that of before where it is no longer judged."""
    reason_before: str = ""


def find_changes(before: Iterable[Verdict], after: Sequence[Verdict], language: str = "en") -> list[Change]:
    """What `after` judges otherwise than `before`, in its order; then what it no longer judges.

    Wording and evidence that differ are no change: what counts is what came of clauses and requirements.
    """
    old = {(one.scenario, one.pack, one.clause): one for one in before}
    new = {(one.scenario, one.pack, one.clause): one for one in after}
    pairs = [(old.get(key), one) for key, one in new.items()]
    gone = [one for key, one in old.items() if key not in new]
    found = [_change(was, now, now, language) for was, now in pairs if was is None or _differ(was, now)]
    return found + [_change(was, None, was, language) for was in gone]


def same_verdicts(found: Sequence[Verdict], stored: Sequence[Verdict], *, words: bool) -> bool:
    """Whether two judgements are one: all of it, or with `words` false all but how the sentences are worded."""
    if words:
        return list(found) == list(stored)
    return [wordless(one) for one in found] == [wordless(one) for one in stored]


def wordless(verdict: Verdict) -> Verdict:
    """The verdict without its sentences."""
    return msgspec.structs.replace(verdict, reason="", reasons={})


def _differ(was: Verdict, now: Verdict) -> bool:
    if was.verdict is not now.verdict:
        return True
    if not (was.requirements and now.requirements):
        return False
    # A requirement that came or went where nothing triggered it has changed nothing.
    return any(pair not in IDLE for pair in _otherwise(was.requirements, now.requirements).values())


def _change(was: Verdict | None, now: Verdict | None, named: Verdict, language: str) -> Change:
    return Change(
        scenario=named.scenario,
        pack=named.pack,
        clause=named.clause,
        was=was.verdict if was else None,
        now=now.verdict if now else None,
        requirements=_otherwise(was.requirements if was else {}, now.requirements if now else {}),
        policies=_otherwise(was.policies if was else {}, now.policies if now else {}),
        reason=_sentence(now or was, language),
        reason_before=_sentence(was, language),
    )


def _otherwise(was: Mapping[str, T], now: Mapping[str, T]) -> dict[str, tuple[T | None, T | None]]:
    names = dict.fromkeys([*now, *was])
    return {name: (was.get(name), now.get(name)) for name in names if was.get(name) != now.get(name)}


def _sentence(verdict: Verdict | None, language: str) -> str:
    return (verdict.reasons.get(language) or verdict.reason) if verdict else ""
