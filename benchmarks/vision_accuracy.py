"""How often the camera reads right, wrong, or abstains: cards of twelve designs, counts, and photographs.

    python -m benchmarks.vision_accuracy [--photos DIR] [--jobs N] [--out FILE] [--only WORDS ...] [--again]
                                         [--tables N] [--scenes N] [--loose N] [--counts SHARE] [--first-seed S]
    python -m benchmarks.vision_accuracy --json FILE [--deck FILE --faces FOLDER] [--tables N] [--first-seed S] [--tell]

Twelve decks, each of its own design, six of them from seeds on which nothing was trained or chosen, are enrolled and
read on random tables under each of the conditions of `accuracy.conditions` and lying about anywhere (`accuracy.loose`),
and read as decks that nobody enrolled; by default more than 20,000 cards. Then spreads, fans, groups of seven and
stacks from the side are counted, and with --photos the photographs of a folder read (`benchmarks.accuracy.photographs`
says how it is labelled). At the end all is summed up: cards read, misread, abstained, hidden by light and too coarse;
what was read for each rank and suit; counts exact, wrong and uncertain; each rate of misread cards and wrong counts
with its Clopper-Pearson upper bound at 95 %.

FILE of --out gets a line for each part that is done: what is started again with the same options goes on after the
last, and all that FILE holds is summed up. --only reads the parts alone whose names hold WORDS, such as `glare`,
`design 3`, `unknown deck`, `counting` or `photographs`, with --again also those that FILE holds. Exit status 1 if a
card was misread, or a count of an enrolled table or of a row wrong.

With --json, one deck's cards are read under the same conditions, and FILE is what a rig file names as `[camera]
accuracy`. The deck is the one that cardcert draws, or an enrolled one with a folder of one picture of each face, named
as for `cardcert deck enrol` (`Ah.png`). Exit status 1 if a card was misread.
"""

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from time import perf_counter

import cv2
import msgspec

from benchmarks import vision_counts
from benchmarks.accuracy import conditions
from benchmarks.accuracy.designs import ENROLLED, HELD_OUT_DESIGNS, SEEN_DESIGNS, UNKNOWN, enrolled, unknown
from benchmarks.accuracy.loose import CONDITIONS as LOOSE_CONDITIONS
from benchmarks.accuracy.loose import LOOSE, loose
from benchmarks.accuracy.one_deck import measure_deck
from benchmarks.accuracy.parts import Counts, Part, chosen, kept_parts, name_of, reader_version
from benchmarks.accuracy.photographs import PHOTOGRAPHS, enrolled_photographs, labelled, unknown_photographs
from benchmarks.accuracy.summary import COUNTING, cards_line, counts_line, summary
from evidence.errors import UsageError

Work = tuple[int, Callable[[], Part]]
"""How many pictures or tables a part has, and what reads them."""
COUNTED = {
    "down": 60,
    "spreads": 106,
    "borderless": 60,
    "doubled": 50,
    "fans": 76,
    "sevens": 60,
    "squared": 50,
    "sides": 120,
}
"""Pictures of each kind of `vision_counts`."""


def counting(kind: str, tried: int, first_seed: int) -> Part:
    """Pictures of one kind, counted; a count that is off by one is wrong."""
    cv2.setNumThreads(1)
    tally, errors = vision_counts.counted(kind, tried, first_seed)
    counts = Counts(tally["exact"], tally["off by one"] + tally["wrong"], tally["uncertain"])
    return Part(COUNTING, "", kind, tried, [], counts, errors, version=reader_version())


def work_of(tables: int, scenes: int, scattered: int, counts: float, first_seed: int) -> dict[str, Work]:
    """All parts that are drawn, by their names. Decks that nobody enrolled come first, as they take least."""
    designs = (*SEEN_DESIGNS, *HELD_OUT_DESIGNS)
    work: dict[str, Work] = {
        name_of(UNKNOWN, f"design {design}", ""): (scenes, partial(unknown, design, scenes, first_seed))
        for design in designs
    }
    for condition in LOOSE_CONDITIONS:
        for design in designs:
            read = partial(loose, design, condition, scattered, first_seed)
            work[name_of(LOOSE, f"design {design}", condition)] = scattered, read
    for kind, tried in COUNTED.items():
        amount = round(tried * counts)
        work[name_of(COUNTING, "", kind)] = amount, partial(counting, kind, amount, first_seed)
    for condition in conditions.CONDITIONS:
        for design in designs:
            read = partial(enrolled, design, condition, tables, first_seed)
            work[name_of(ENROLLED, f"design {design}", condition)] = tables, read
    return {name: part for name, part in work.items() if part[0] > 0}


def measured(work: dict[str, Work], due: list[str], out: Path | None, jobs: int, first_seed: int) -> list[Part]:
    """The parts that `out` holds, and those that are due. Raises `UsageError`."""
    done = kept_parts(out, amounts(work), first_seed)
    began = perf_counter()
    reader_version()  # worked out before workers are forked, as sources may be changed while they read
    with ProcessPoolExecutor(jobs) as pool:
        running = [pool.submit(work[name][1]) for name in due]
        for number, future in enumerate(as_completed(running), 1):
            part = msgspec.structs.replace(future.result(), first_seed=first_seed)
            done[part.name] = part
            if out is not None:
                with out.open("ab") as stream:
                    stream.write(msgspec.json.encode(part) + b"\n")
            left_min = (perf_counter() - began) / number * (len(due) - number) / 60
            print(f"{number}/{len(due)} {told(part)} about {left_min:.0f} min left", flush=True)
    return [done[name] for name in work if name in done]


def amounts(work: dict[str, Work]) -> dict[str, int]:
    return {name: amount for name, (amount, _) in work.items()}


def told(part: Part) -> str:
    return cards_line(part.name, [part]) if part.pairs else counts_line(part.name, [part])


def read_photographs(folder: Path) -> list[Part]:
    """The photographs of a folder, all read anew. Raises `UsageError`."""
    rows = labelled(folder)
    kinds = [kind for kind in ("single", "table") if any(row["kind"] == kind for row in rows)]
    return [*(unknown_photographs(folder, rows, kind) for kind in kinds), *enrolled_photographs(folder, rows)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="folder of labelled photographs")
    parser.add_argument("--jobs", type=int, default=1, help="processes that read at the same time")
    parser.add_argument("--out", type=Path, help="file of what is done, a line for each part")
    parser.add_argument(
        "--only", action="append", default=[], help="parts whose names hold these words; may be repeated"
    )
    parser.add_argument("--again", action="store_true", help="read these parts anew, whatever --out holds")
    parser.add_argument("--tables", type=int, help="for each design and condition (12), or with --json condition (100)")
    parser.add_argument("--scenes", type=int, default=25, help="of eight cards, for each design read as unknown")
    parser.add_argument(
        "--loose", type=int, default=8, help="pictures of eight, for each design enrolled and condition"
    )
    parser.add_argument("--counts", type=float, default=1.0, help="share of the usual number of pictures to be counted")
    parser.add_argument("--first-seed", type=int, default=2_500_000)
    parser.add_argument("--json", type=Path, help="read one deck, and write what came of it")
    parser.add_argument("--deck", type=Path, help="enrolled deck, with --faces; else the deck that cardcert draws")
    parser.add_argument("--faces", type=Path, help="folder of a picture of each of its faces")
    parser.add_argument("--tell", action="store_true", help="with --json, print each card that was not read")
    options = parser.parse_args()
    try:
        if options.json:
            tables = 100 if options.tables is None else options.tables
            print(f"{tables} random tables each; cards read / misread / abstained")
            fine = measure_deck(options.json, options.deck, options.faces, tables, options.first_seed, options.tell)
            return 0 if fine else 1
        tables = 12 if options.tables is None else options.tables
        work = work_of(tables, options.scenes, options.loose, options.counts, options.first_seed)
        names = chosen([*work, *([PHOTOGRAPHS] if options.photos else [])], options.only)
        photographs = read_photographs(options.photos) if PHOTOGRAPHS in names else []
        known = {} if options.again else kept_parts(options.out, amounts(work), options.first_seed)
        due = [name for name in names if name in work and name not in known]
        return 0 if summary(measured(work, due, options.out, options.jobs, options.first_seed) + photographs) else 1
    except UsageError as wrong:
        print(wrong, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
