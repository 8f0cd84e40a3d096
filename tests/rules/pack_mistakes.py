"""A sound pack of two files, and every kind of mistake that its author could make in it (pack_mistakes.toml)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

HEAD = """\
id = "XX-1"
title = "A pack to be spoilt"
authority = "Nobody"
citation = "Code 1"
version = "1.0.0"
text_date = "2025-01-01"
pack_date = "2025-01-31"
languages = ["en", "es"]
text_language = "es"

[game]
name = "none"
cards_in_deck = 52
stack_size = 7
stacks = 7
remainder = 3

[[policy]]
id = "mood"
default = "strict"
clauses = ["XX-1.a"]
meaning.en = "How it is meant."
meaning.es = "Cómo se entiende."
[[policy.value]]
value = "strict"
meaning = { en = "Strictly.", es = "Con rigor." }
[[policy.value]]
value = "mild"
meaning = { en = "Mildly.", es = "Con blandura." }
"""

CLAUSES = """\
[[clause]]
id = "XX-1.a"
citation = "Code 1(a)"
role = "shoe"
[clause.meaning]
en = "A jam ends the round."
es = "Un atasco termina la ronda."
[[clause.alternative]]
id = "jam"
where = { symptom = "jam" }
meaning = { en = "It jams.", es = "Se atasca." }
[[clause.alternative]]
id = "stop"
where = { symptom = "stop" }
meaning = { en = "It stops.", es = "Se detiene." }
[[clause.requirement]]
id = "void"
duty = { en = "the round is void", es = "la ronda es nula" }
trigger = [
    { fact = "device_irregularity", symptom = ["jam", "stop"], during = "round" },
    { fact = "device_irregularity", symptom = "jam", during = "idle", when = { mood = "strict" } },
]
response = [{ fact = "carried_out", verb = "void_round", outcome = "done" }]
before = { fact = "round_closed" }
overrides = ["XX-1.b"]
[[clause.requirement]]
id = "stays_void"
duty = { en = "nothing more is dealt", es = "no se reparte nada más" }
trigger = { fact = "device_irregularity", symptom = ["jam", "stop"], during = "round" }
not_succession = [
    { fact = "stack_dispensed", index = { at_least = 1 } },
]
until = { fact = "round_opened" }
unless = { fact = "injected", target = "$device" }

[[clause]]
id = "XX-1.b"
citation = "Code 1(b)"
meaning = { en = "Stacks hold what they should.", es = "Los grupos tienen lo que deben." }
[[clause.requirement]]
id = "size"
duty = { en = "a stack has its cards", es = "un grupo tiene sus cartas" }
trigger = { fact = "stack_counted", counted = true }
holds = { count = "$game.stack_size" }
[[clause.requirement]]
id = "announced"
duty = { en = "betting is closed first", es = "antes se cierran las apuestas" }
trigger = { fact = "stack_dispensed", index = 1 }
precedence = [{ fact = "announced", phrase = "no_more_bets" }]
since = { fact = "round_opened" }
"""


FILES = {"pack.toml": HEAD, "clauses.toml": CLAUSES}


@dataclass(frozen=True)
class Spoilt:
    """One mistake: `old` becomes `new` in the file, and is to be told at the line that holds `at`."""

    name: str
    file: str
    old: str
    new: str
    at: str
    told: str
    remedy: str
    schema: bool = False
    """Whether an editor that knows the schema sees it too."""

    def files(self) -> dict[str, str]:
        """The files of the pack with this mistake in them."""
        text = FILES[self.file]
        assert self.old in text, self.old
        return {**FILES, self.file: text.replace(self.old, self.new, 1)}

    def line(self) -> int | None:
        """The line that the message must name; None where it is the file as a whole."""
        text = self.files()[self.file]
        return text.count("\n", 0, text.index(self.at)) + 1 if self.at else None


def all_mistakes() -> list[Spoilt]:
    text = Path(__file__).with_name("pack_mistakes.toml").read_text(encoding="utf-8")
    return [Spoilt(**entry) for entry in tomllib.loads(text)["mistake"]]
