"""`cardcert read`: what the camera code sees in pictures."""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cardcert.listings import print_lines
from vision.counting.count_images import COUNTS, count_images
from vision.counting.count_images import tell as tell_count
from vision.read_images import cards_of_images, read_images, tell
from vision.whole_deck import check_deck


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("read", help="say what the camera code sees in pictures", description=__doc__)
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--deck", type=Path, help="enrolled deck file (default: any deck, read by its indices)")
    parser.add_argument("--layout", type=Path, help="table layout file (default: the standard layout)")
    parser.add_argument(
        "--annotate", type=Path, metavar="OUT", help="draw what is read: a .jpg or .png for one picture, else a folder"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--count", choices=list(COUNTS), help="count the cards of one spread, or of a stack, in each picture"
    )
    what.add_argument(
        "--check-deck", type=int, metavar="N", help="say whether all pictures show a whole deck of 52 or 53"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read each picture; 0 when everything could be read, 3 when the reader abstained somewhere."""
    if options.count:
        return _count(options.images, options.count, options.annotate, options.json)
    if options.check_deck is not None:
        return _check(options)
    rows = read_images(options.images, deck=options.deck, annotate=options.annotate, layout=options.layout)
    _print(rows, tell, options.json)
    return 3 if any(_abstained(row) for row in rows) else 0


def _count(images: list[Path], kind: str, annotate: Path | None, as_json: bool) -> int:
    rows = count_images(images, kind, annotate)
    _print(rows, tell_count, as_json)
    return 3 if any(row["count"] is None for row in rows) else 0


def _check(options: argparse.Namespace) -> int:
    """0 for a whole deck, 1 for one that is not, 3 where a card could not be read."""
    check = check_deck(cards_of_images(options.images, options.deck, options.layout), options.check_deck)
    if options.json:
        print(json.dumps(asdict(check)))
    else:
        print(f"{check.found or 'not clear'}: {check.cards} cards seen, {check.unread} of them not read")
        for name, labels in (("missing", check.missing), ("there twice", check.twice)):
            print(f"  {name}: {', '.join(labels) or 'none'}")
        print(f"  foreign: {check.foreign}")
    return 3 if check.found is None else int(check.found != "whole")


def _print(rows: list[dict[str, Any]], words: Callable[[dict[str, Any]], str], as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows))
    else:
        print_lines(words(row) for row in rows)


def _abstained(row: dict[str, Any]) -> bool:
    if row["kind"] == "cards":
        return any(card["face_up"] and card["label"] is None for card in row["cards"])
    places = [place for place in row["places"] if not place["stacked"]]
    unread = [card for place in places for card in place["face_up"] if card["label"] is None]
    return bool(unread) or any(place["count"] is None for place in places)
