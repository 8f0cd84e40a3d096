"""What a clause says, for showing beside its verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ClauseText:
    """A clause in our own words. `meaning` is by language code, `alternatives` are its separate triggers."""

    id: str
    pack: str
    authority: str
    citation: str
    meaning: Mapping[str, str] = field(default_factory=dict)
    alternatives: tuple[str, ...] = ()

    def words(self, lang: str) -> str:
        """The meaning in a language, else in English, else in whichever there is; empty when there is none."""
        return self.meaning.get(lang) or self.meaning.get("en") or next(iter(self.meaning.values()), "")


def clause_texts(run: Mapping[str, Any]) -> Mapping[str, ClauseText]:
    """Clauses of the packs a run names, by clause id."""
    return {}
