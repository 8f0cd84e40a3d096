"""What a clause says, for showing beside its verdict: the wording of the packs that a run was judged with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evidence.errors import UsageError
from reports.shape import mappings
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


def clause_texts(run: Mapping[str, Any]) -> Mapping[str, ClauseText]:
    """The clauses of the packs that `run.json` names, by clause id, in pack order.

    A pack that is not installed, or does not load, is left out: its clauses are then shown by their id alone.
    """
    judged = {str(pack.get("id")): str(pack.get("sha256")) for pack in mappings(run.get("packs"))}
    try:
        packs = [pack for pack in load_packs() if pack.id in judged]
    except UsageError:
        return {}
    packs.sort(key=lambda pack: list(judged).index(pack.id))
    return {
        clause.id: _text(pack, clause, pack_digest(pack) == judged[pack.id])
        for pack in packs
        for clause in pack.clauses
    }


def _text(pack: Pack, clause: Clause, exact: bool) -> ClauseText:
    alternatives = {alternative.id: alternative.meaning for alternative in clause.alternatives}
    return ClauseText(clause.id, pack.id, pack.authority, clause.citation, clause.meaning, alternatives, exact)
