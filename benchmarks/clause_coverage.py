"""How many clauses have an oracle, are triggered in each alternative, and have a defect that they are seen to catch.

    cardcert certify --out RUN
    python benchmarks/clause_coverage.py RUN [--matrix FILE] [--without PACK ...] [--json]

Counted in a run folder of the compliant rig, pack by pack: clauses; those with an oracle, that is requirements which
the judge follows; those that passed in every alternative; those of which every requirement has a defect that it caught
and nothing else did but what was declared. The matrix is that of the run folder, or what `cardcert sensitivity --json`
printed. What is missing is named. Exit status 1 if anything is.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from fixtures.sensitivity import Row
from rules.loader import load_packs
from rules.pack import Pack
from rules.summary import ClauseSummary, summarise
from rules.verdicts import Verdict

COLUMNS = ("clauses", "with an oracle", "in each alternative", "with a killing defect")


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """One pack, or several together."""

    pack: str
    counts: list[int]
    """By column."""
    requirements: int
    able_to_fail: int
    defects: int
    exact: int
    """Defects that were caught by the requirement which they break, and by nothing else."""
    missing: list[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="run folder of the compliant rig")
    parser.add_argument(
        "--matrix", type=Path, help="output of `cardcert sensitivity --json` (default: that of the run)"
    )
    parser.add_argument("--without", action="append", default=[], metavar="PACK", help="leave out this pack")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    matrix = (options.matrix or options.run / "sensitivity.json").read_bytes()
    rows = {row.key: row for row in msgspec.json.decode(matrix, type=list[Row])}
    packs = [pack for pack in load_packs() if pack.id not in options.without]
    plan = msgspec.json.decode((options.run / "run.json").read_bytes())["scenarios"]
    verdicts = msgspec.json.decode((options.run / "verdicts.json").read_bytes(), type=list[Verdict])
    summary = summarise(verdicts, packs, [str(one["id"]) for one in plan])
    by_clause = {one.clause: one for one in summary.clauses}
    table = [covered(pack, by_clause, rows) for pack in packs]
    table.append(together(table))
    if options.json:
        print(json.dumps(msgspec.to_builtins(table)))
    else:
        show(table)
    return 1 if table[-1].missing else 0


def covered(pack: Pack, summed: Mapping[str, ClauseSummary], rows: Mapping[tuple[str, str], Row]) -> Coverage:
    """The figures of one pack."""
    oracle, triggered, killing, missing = 0, 0, 0, []
    mine = [rows[key] for clause in pack.clauses for one in clause.requirements if (key := (clause.id, one.id)) in rows]
    for clause in pack.clauses:
        oracle += bool(clause.requirements)
        if summed[clause.id].complete:
            triggered += 1
        else:
            lacking = [name for name in summed[clause.id].declared if name not in summed[clause.id].passed]
            missing.append(
                f"{clause.id} is {summed[clause.id].verdict.value}{''.join(f', without {x}' for x in lacking)}"
            )
        names = [(clause.id, one.id) for one in clause.requirements]
        blunt = [key for key in names if key not in rows or not (rows[key].shown and rows[key].sound)]
        killing += not blunt
        missing += [f"{clause}/{requirement} has no defect that it catches exactly" for clause, requirement in blunt]
    return Coverage(
        pack=pack.id,
        counts=[len(pack.clauses), oracle, triggered, killing],
        requirements=sum(len(clause.requirements) for clause in pack.clauses),
        able_to_fail=sum(row.shown for row in mine),
        defects=sum(len(row.defects) for row in mine),
        exact=sum(defect.exact for row in mine for defect in row.defects),
        missing=missing,
    )


def together(table: Sequence[Coverage]) -> Coverage:
    """The sum of all rows."""
    return Coverage(
        pack="together",
        counts=[sum(column) for column in zip(*(one.counts for one in table), strict=True)],
        requirements=sum(one.requirements for one in table),
        able_to_fail=sum(one.able_to_fail for one in table),
        defects=sum(one.defects for one in table),
        exact=sum(one.exact for one in table),
        missing=[point for one in table for point in one.missing],
    )


def show(table: Sequence[Coverage]) -> None:
    heads = ("pack", *COLUMNS, "requirements", "able to fail", "defects", "caught exactly")
    lines = [(one.pack, *one.counts, one.requirements, one.able_to_fail, one.defects, one.exact) for one in table]
    widths = [max(len(str(line[n])) for line in (heads, *lines)) for n in range(len(heads))]
    for line in (heads, *lines):
        cells = [
            str(cell).ljust(width) if not n else str(cell).rjust(width)
            for n, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(cells))
    for point in table[-1].missing:
        print(f"missing: {point}")


if __name__ == "__main__":
    sys.exit(main())
