"""`cardcert rules`: show the clause packs that ship or lie in a folder, check them, and print their schema."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from cardcert.listings import print_rows, reading
from evidence.files import write_atomic
from reports.text import plural, visible
from rules.listing import describe_pack, find_clause, list_clauses, show_clause
from rules.loader import load_packs, shipped_ids
from rules.mistakes import PackMistakes
from rules.pack import Pack
from rules.schema import FILES, schema_text
from rules.showing import HEADINGS, headings, show_clause_text, show_pack_text

LINE_LIMIT = 4000
"""Characters of one line that are shown; a pack may come from anywhere."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    rules = commands.add_parser("rules", help="clause packs: list, show, check, schema").add_subparsers(required=True)
    parser = reading(rules, "list", run_list, "list the clauses of all packs")
    parser.add_argument("--pack", help="only this pack")
    _own(parser)
    parser = reading(
        rules, "show", run_show, "show a clause with all that it requires, or a pack with its open questions"
    )
    parser.add_argument("name", metavar="CLAUSE|PACK")
    _own(parser)
    parser = reading(rules, "check", run_check, "check a pack's files and tell every mistake with its line and remedy")
    parser.add_argument(
        "folder", nargs="?", help="pack folder, or a shipped pack by its id (default: all shipped packs)"
    )
    text = "print the JSON schema of a pack's files, for editors"
    parser = rules.add_parser("schema", help=text, description=text)
    parser.add_argument(
        "kind", nargs="?", choices=[*FILES], default="pack", help="pack.toml, or any other of its files"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write both schemas into this folder instead")
    parser.set_defaults(run=run_schema)


def _own(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, help="a pack of your own, beside the shipped ones")
    parser.add_argument("--lang", default="en", help=f"language of the text: {', '.join(HEADINGS)} (default en)")


def run_list(options: argparse.Namespace) -> int:
    headings(options.lang)
    packs = _packs(options, [options.pack] if options.pack else None)
    rows = list_clauses([pack for pack in packs if options.pack in (None, pack.id)])
    if options.json:
        print(json.dumps(rows))
        return 0
    shown = [{**row, "meaning": row["meaning"].get(options.lang) or row["meaning"]["en"]} for row in rows]
    print_rows(options, shown, ("id", "citation", "meaning"))
    requirements = sum(len(row["requirements"]) for row in rows)
    named = len({row["pack"] for row in rows})
    print(f"{plural(len(rows), 'clause')}, {plural(requirements, 'requirement')}, {plural(named, 'pack')}")
    return 0


def run_show(options: argparse.Namespace) -> int:
    packs = _packs(options)
    pack = next((one for one in packs if one.id == options.name), None)
    if options.json:
        print(json.dumps(show_clause(packs, options.name) if pack is None else describe_pack(pack)))
        return 0
    text = (
        show_pack_text(pack, options.lang)
        if pack
        else show_clause_text(*find_clause(packs, options.name), options.lang)
    )
    for line in text.splitlines():
        print(visible(line, LINE_LIMIT))
    return 0


def run_check(options: argparse.Namespace) -> int:
    try:
        packs = _checked(options.folder)
    except PackMistakes as error:
        if not options.json:
            raise
        print(json.dumps({"mistakes": [msgspec.to_builtins(mistake) for mistake in error.mistakes]}))
        return error.exit_status
    rows = [describe_pack(pack) for pack in packs]
    return print_rows(options, rows, ("pack", "version", "clauses", "requirements", "alternatives", "languages"))


def run_schema(options: argparse.Namespace) -> int:
    if options.out is None:
        sys.stdout.write(schema_text(options.kind))
        return 0
    for kind in FILES:
        path = options.out / f"{kind}.schema.json"
        write_atomic(path, schema_text(kind).encode())
        print(path)
    return 0


def _packs(options: argparse.Namespace, ids: Sequence[str] | None = None) -> list[Pack]:
    return load_packs(ids, extra=[options.folder] if options.folder else [])


def _checked(name: str | None) -> list[Pack]:
    """The pack in a folder, the shipped pack of this id, or all that ship. Raises UsageError."""
    if name is None:
        return load_packs(None)
    if name in shipped_ids() and not Path(name).exists():
        return load_packs([name])
    return load_packs([], extra=[Path(name)])
