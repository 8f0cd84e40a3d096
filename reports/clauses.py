"""What a clause says, for showing beside its verdict: the wording of the packs that a run was judged with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evidence.errors import UsageError
from reports.shape import mappings
from rules.kept_packs import keeps_packs, kept_packs
from rules.loader import load_packs
from rules.pack import Clause, Pack, pack_digest


@dataclass(frozen=True)
class ClauseText:
    """A clause in our own words. `meaning` is by language code, `alternatives` are its separate triggers.

    `exact` is False where the pack at hand is not, to the letter, the one that the run was judged with.
    """

    id: str
    pack: str
    authority: str
    citation: str
    meaning: Mapping[str, str] = field(default_factory=dict)
    alternatives: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    exact: bool = True

    def words(self, lang: str) -> str:
        """The meaning in a language, else in English, else in whichever there is; empty when there is none."""
        return in_language(self.meaning, lang)


def in_language(meaning: Mapping[str, str], lang: str) -> str:
    """The text in a language, else in English, else in whichever there is; empty when there is none."""
    return meaning.get(lang) or meaning.get("en") or next(iter(meaning.values()), "")


@dataclass(frozen=True)
class PolicyText:
    """A policy switch in our own words: what it decides, its default, and what each value means."""

    id: str
    default: str
    meaning: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]


def judged_packs(run: Mapping[str, Any], folder: Path) -> tuple[Pack, ...]:
    """The packs that `run.json` names, in its order: those kept in the run folder, else those installed.

    Where one does not load, there are none.
    """
    judged = list(_digests(run))
    try:
        if keeps_packs(folder):
            return tuple(kept_packs(folder, judged))
        return tuple(sorted((p for p in load_packs() if p.id in judged), key=lambda pack: judged.index(pack.id)))
    except UsageError:
        return ()


def clause_texts(packs: Sequence[Pack], run: Mapping[str, Any]) -> Mapping[str, ClauseText]:
    """The clauses of packs by clause id, in pack order. A clause of no pack at hand is shown by its id alone."""
    digests = _digests(run)
    exact = {pack.id: pack_digest(pack) == digests.get(pack.id) for pack in packs}
    return {clause.id: _text(pack, clause, exact[pack.id]) for pack in packs for clause in pack.clauses}


def policy_texts(packs: Iterable[Pack]) -> Mapping[str, PolicyText]:
    """The policy switches of packs by their id."""
    return {
        policy.id: PolicyText(policy.id, policy.default, policy.meaning, {v.value: v.meaning for v in policy.values})
        for pack in packs
        for policy in pack.policies
    }


def _digests(run: Mapping[str, Any]) -> dict[str, str]:
    return {str(pack.get("id")): str(pack.get("sha256")) for pack in mappings(run.get("packs"))}


def _text(pack: Pack, clause: Clause, exact: bool) -> ClauseText:
    alternatives = {alternative.id: alternative.meaning for alternative in clause.alternatives}
    return ClauseText(clause.id, pack.id, pack.authority, clause.citation, clause.meaning, alternatives, exact)
