"""What is measured in parts: one part is read in one go, and kept as a line of a file."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

import vision
from evidence.errors import UsageError

Pairs = Counter[tuple[str, str | None]]
"""What a card is and what was read, `None` for not read, and how often. `-` stands for a card that is not there or not
face up, `miscounted` for a count that is not that of the cards though no label is wrong."""


class Counts(msgspec.Struct, frozen=True):
    """Counts of cards: right, wrong, or left uncertain."""

    exact: int = 0
    wrong: int = 0
    uncertain: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.exact + other.exact, self.wrong + other.wrong, self.uncertain + other.uncertain)


class Part(msgspec.Struct, frozen=True):
    """Pictures of one subject read in one way.

    `hidden` counts cards whose print light wiped out, `coarse` those not read where the camera gives less than the
    deck needs; they are in no pair. `cameras` are the heights of the pictures, `need` what the deck needs in px/mm.
    `errors` names each misread card and wrong count. `version` is that of the reader.
    """

    source: str
    subject: str
    condition: str
    amount: int
    pairs: list[tuple[str, str | None, int]]
    counts: Counts
    errors: list[str] = []
    hidden: int = 0
    coarse: int = 0
    cameras: list[int] = []
    need: float = 0.0
    version: str = ""
    first_seed: int = -1

    @property
    def name(self) -> str:
        return name_of(self.source, self.subject, self.condition)


def name_of(source: str, subject: str, condition: str) -> str:
    return ", ".join(word for word in (source, subject, condition) if word)


def as_list(pairs: Pairs) -> list[tuple[str, str | None, int]]:
    return [(*pair, times) for pair, times in sorted(pairs.items(), key=str)]


def pairs_of(parts: Iterable[Part]) -> Pairs:
    found: Pairs = Counter()
    for part in parts:
        for true, label, times in part.pairs:
            found[true, label] += times
    return found


@lru_cache(maxsize=1)
def reader_version() -> str:
    """A digest of all that reads: the sources and networks of `vision`, without what draws."""
    digest = hashlib.sha256()
    folder = Path(vision.__file__).parent
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".onnx") and "synthetic" not in path.parts:
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def kept_parts(file: Path | None, amounts: dict[str, int], first_seed: int) -> dict[str, Part]:
    """The parts that a file holds of this amount and from this seed, the last of each name. Raises `UsageError`."""
    if file is None or not file.exists():
        return {}
    try:
        parts = [msgspec.json.decode(line, type=Part) for line in file.read_bytes().splitlines()]
    except msgspec.DecodeError as error:
        told = "expected a file that an earlier run has written, or a new name"
        raise UsageError(f"{file}: not the parts of a measurement ({error}); {told}") from None
    asked = [part for part in parts if (part.amount, part.first_seed) == (amounts.get(part.name), first_seed)]
    return {part.name: part for part in asked}


def chosen(names: Sequence[str], words: Sequence[str]) -> list[str]:
    """The names in which one of these words stands; all of them where there are no words. Raises `UsageError`."""
    for word in words:
        if not any(word in name for name in names):
            raise UsageError(f"--only {word}: no part is called like that; parts are: {'; '.join(names)}")
    return [name for name in names if not words or any(word in name for word in words)]
