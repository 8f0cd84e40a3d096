"""What was measured, in tables of Markdown: each part, what was read for what, and counts."""

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.accuracy.designs import ENROLLED, HELD_OUT_DESIGNS, SEEN_DESIGNS, UNKNOWN
from benchmarks.accuracy.loose import LOOSE
from benchmarks.accuracy.parts import Counts, Part, pairs_of
from benchmarks.accuracy.photographs import PHOTOGRAPHS
from fixtures.camera_accuracy import upper_bound

RANKS, SUITS = "A23456789TJQK", "cdhs"
COUNTING = "counting"
_NOT_GLARE = ("glare", "all of them together")


def cards_line(name: str, parts: Sequence[Part]) -> str:
    """Cards, read, misread, abstained, the bound on misread ones of those named, hidden, too coarse."""
    pairs = pairs_of(parts)
    cards = sum(pairs.values())
    misread = sum(times for (true, label), times in pairs.items() if label not in (None, true))
    abstained = sum(times for (_, label), times in pairs.items() if label is None)
    hidden, coarse = sum(part.hidden for part in parts), sum(part.coarse for part in parts)
    bound = upper_bound(misread, cards - abstained)
    read = cards - misread - abstained
    return f"| {name} | {cards} | {read} | {misread} | {abstained} | {bound:.4%} | {hidden} | {coarse} |"


def counts_line(name: str, parts: Iterable[Part]) -> str:
    """Counts, exact, wrong, uncertain, the bound on wrong ones of those counted."""
    total = sum((part.counts for part in parts), Counts())
    told = total.exact + total.wrong
    bound = upper_bound(total.wrong, told)
    return f"| {name} | {told + total.uncertain} | {total.exact} | {total.wrong} | {total.uncertain} | {bound:.4%} |"


def groups(parts: Sequence[Part]) -> list[tuple[str, list[Part]]]:
    """The parts that are told together, by the words that tell them."""
    found: dict[str, list[Part]] = {}
    for source in (ENROLLED, LOOSE, UNKNOWN):
        own = [part for part in parts if part.source == source]
        rows = {f"{source}, {part.condition}": part.condition for part in own if part.condition}
        found |= {name: [p for p in own if p.condition == condition] for name, condition in rows.items()}
        if source == ENROLLED:
            found[f"{source}, without glare"] = [p for p in own if p.condition not in _NOT_GLARE]
        for name, seeds in (("chosen on", SEEN_DESIGNS), ("held out", HELD_OUT_DESIGNS)):
            subjects = [f"design {seed}" for seed in seeds]
            found[f"{source}, designs {name}"] = [p for p in own if p.subject in subjects]
        found |= {f"{source}, {subject}": [p for p in own if p.subject == subject] for subject in _subjects(own)}
        found[f"{source}, all"] = own
    for part in parts:
        if part.source == PHOTOGRAPHS:
            found[part.name] = [part]
    found["designs, all"] = [part for part in parts if part.source in (ENROLLED, LOOSE, UNKNOWN)]
    return [(name, own) for name, own in found.items() if own]


def _subjects(parts: Iterable[Part]) -> list[str]:
    return list(dict.fromkeys(part.subject for part in parts))


def confusion(name: str, parts: Sequence[Part], letter: int, values: str) -> list[str]:
    """Of each rank (`letter` 0) or suit (1) what was read for it; `-` is a card that is not there or face down."""
    found: Counter[tuple[str, str]] = Counter()
    for (true, label), times in pairs_of(parts).items():
        seen = "not read" if label is None else label[letter] if len(label) == 2 else "other"
        found["-" if true == "-" else true[letter], seen] += times
    columns = [*values, "other", "not read"]
    lines = [f"| {name} | {' | '.join(columns)} | misread at most |", "|---" * (len(columns) + 2) + "|"]
    for true in [*values, "?", "-"]:
        row = [found[true, column] for column in columns]
        if not any(row):
            continue
        named = sum(row[:-1])
        bound = f"{upper_bound(named - found[true, true], named):.3%}" if true in values else ""
        lines.append(f"| {true} | {' | '.join(str(n or '') for n in row)} | {bound} |")
    return lines


def summary(parts: Sequence[Part]) -> bool:
    """Print all tables; True if no card was misread, and none counted wrong but those of unknown decks."""
    told = [(name, own) for name, own in groups(parts) if pairs_of(own)]
    if told:
        print("| cards of | cards | read | misread | abstained | misread at most | hidden by light | too coarse |")
        print("|---" * 8 + "|")
        for name, own in told:
            print(cards_line(name, own))
    for source in (ENROLLED, LOOSE, UNKNOWN, PHOTOGRAPHS):
        own = [part for part in parts if part.source == source]
        if own:
            print("\n" + "\n".join(confusion(f"{source}: rank", own, 0, RANKS)))
            print("\n" + "\n".join(confusion(f"{source}: suit", own, 1, SUITS)))
    counted = [(name, own) for name, own in groups(parts) if sum((p.counts for p in own), Counts()) != Counts()]
    counted += [(part.name, [part]) for part in parts if part.source == COUNTING]
    print("\n| counts of | counts | exact | wrong | uncertain | wrong at most |")
    print("|---" * 6 + "|")
    for name, own in counted:
        print(counts_line(name, own))
    print()
    for part in parts:
        for error in part.errors:
            print(f"WRONG {part.name}: {error}")
    for subject in _subjects(part for part in parts if part.source == ENROLLED):
        own = [part for part in parts if part.source == ENROLLED and part.subject == subject]
        heights = {part.condition: "/".join(map(str, part.cameras)) for part in own}
        print(f"{subject} needs {max(part.need for part in own)} px/mm; pictures high: {heights}")
    versions = {part.version for part in parts}
    if len(versions) > 1:
        print(f"read by {len(versions)} versions of the reader; --again reads what --only names anew")
    misread = sum(label not in (None, true) for true, label in pairs_of(parts))
    wrong = sum(part.counts.wrong for part in parts if part.source in (ENROLLED, COUNTING))
    return not misread and not wrong
