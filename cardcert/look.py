"""`cardcert read`: what the camera code sees in pictures."""

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

from cardcert.listings import CELL_LIMIT, print_lines
from cardcert.messages import tell_error
from evidence.errors import RigFault, UsageError
from reports.text import visible
from vision.counting.count_images import COUNTS, count_images
from vision.counting.count_images import tell as tell_count
from vision.dice_images import dice_images
from vision.dice_images import tell as tell_dice
from vision.layout import load_layout, standard_layout
from vision.picture_rows import Row
from vision.read_images import cards_of_images, read_images, tell
from vision.whole_deck import check_deck


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("read", help="say what the camera code sees in pictures", description=__doc__)
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--deck", type=Path, help="enrolled deck file (default: any deck, read by its indices)")
    parser.add_argument("--layout", type=Path, help="table layout file (default: the standard layout)")
    parser.add_argument(
        "--annotate",
        type=_named,
        metavar="OUT",
        help="draw what is read: a .jpg or .png for one picture, else a folder",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--count", choices=list(COUNTS), help="count the cards of one spread, or of a stack, in each picture"
    )
    what.add_argument("--dice", action="store_true", help="read the dice of pictures of the shaker by itself")
    what.add_argument(
        "--check-deck", type=int, metavar="N", help="say whether all pictures show a whole deck of 52 or 53"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def _named(text: str) -> Path:
    """A path; an empty one, of a variable that is not set perhaps, would be the folder where we are."""
    if not text:
        raise argparse.ArgumentTypeError("expected a file or a folder, got nothing")
    return Path(text)


def run(options: argparse.Namespace) -> int:
    """Read each picture; 0 when everything could be read, 3 when the reader abstained somewhere, 2 for no picture."""
    if options.check_deck is not None:
        _refuse(options, "--check-deck", "annotate")
        return _check(options)
    if options.count:
        _refuse(options, "--count", "deck", "layout")
        rows = count_images(options.images, options.count, options.annotate)
        return _tell_each(rows, tell_count, lambda row: row["count"] is None, options.json)
    if options.dice:
        _refuse(options, "--dice", "deck")
        layout = standard_layout() if options.layout is None else load_layout(options.layout)
        rows = dice_images(options.images, layout.shaker, options.annotate)
        return _tell_each(rows, tell_dice, lambda row: row["certainty"] == 0, options.json)
    rows = read_images(options.images, deck=options.deck, annotate=options.annotate, layout=options.layout)
    return _tell_each(rows, tell, _abstained, options.json)


def _refuse(options: argparse.Namespace, by: str, *others: str) -> None:
    """What would have no effect is not passed over in silence."""
    for name in others:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name}: has no effect with {by}; leave one of them out")


def _tell_each(
    rows: Iterable[Row], words: Callable[[Row], str], abstained: Callable[[Row], bool], as_json: bool
) -> int:
    """Tell each picture as soon as it is read, on standard error what cannot be; JSON at the end, as one list."""
    kept: list[Row] = []
    status = 0
    for row in rows:
        if row["kind"] == "unread":
            tell_error(row["error"])
            status = UsageError.exit_status
        else:
            if not as_json:
                print_lines([words({**row, "image": visible(row["image"], CELL_LIMIT)})])
            status = status or (RigFault.exit_status if abstained(row) else 0)
        if as_json:
            kept.append(row)
    if as_json:
        print(json.dumps(kept))
    return status


def _check(options: argparse.Namespace) -> int:
    """0 for a whole deck, 1 for one that is not, 3 where a card could not be read."""
    check = check_deck(cards_of_images(options.images, options.deck, options.layout), options.check_deck)
    if options.json:
        print(json.dumps(asdict(check) | {"missing_surely": check.missing_surely}))
    else:
        print(f"{check.found or 'not clear'}: {check.cards} cards seen, {check.unread} of them not read")
        missing = "missing" if check.missing_surely else f"missing, or among the {check.unread} not read"
        for name, labels in ((missing, check.missing), ("there twice", check.twice)):
            print(f"  {name}: {', '.join(labels) or 'none'}")
        print(f"  foreign: {check.foreign}")
    return 3 if check.found is None else int(check.found != "whole")


def _abstained(row: Row) -> bool:
    if row["kind"] == "cards":
        return any(card["face_up"] and card["label"] is None for card in row["cards"])
    places = [place for place in row["places"] if not place["stacked"]]
    unread = [card for place in places for card in place["face_up"] if card["label"] is None]
    return bool(unread) or any(place["count"] is None for place in places)
