"""`cardcert deck`: enrol a deck from pictures of its cards, and say how well its cards are told apart."""

import argparse
import json
from pathlib import Path

from cardcert.listings import print_lines
from evidence.errors import UsageError
from vision.deck import EnrolledDeck
from vision.deck_file import load_deck, save_deck
from vision.enrolling import LETTERS, STANDARD_ORDER, enrol_files, require_distinct

ALIKE = 0.9
"""Pairs of cards at least so alike are told."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "deck", help="enrol a deck, or say how well its cards are told apart", description=__doc__
    )
    kinds = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    enrol = kinds.add_parser("enrol", help="make a deck file from pictures of the cards")
    enrol.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE", help="pictures, or folders of them")
    enrol.add_argument("--out", type=Path, required=True, help="deck file to write, .npz")
    enrol.add_argument("--card-mm", type=float, nargs=2, default=(63.0, 88.0), metavar=("W", "H"), help="a card's size")
    enrol.add_argument("--order", default=STANDARD_ORDER, help=f"how cards lie on sheets (default: {STANDARD_ORDER})")
    enrol.add_argument("--language", choices=list(LETTERS), default="en", help="of the index letters in file names")
    enrol.set_defaults(run=run_enrol)
    check = kinds.add_parser("check", help="check a deck file, and tell which of its cards are alike")
    check.add_argument("deck", type=Path, metavar="FILE")
    check.set_defaults(run=run_check)
    listed = kinds.add_parser("list", help="list the deck files of a folder")
    listed.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="DIR")
    listed.set_defaults(run=run_list)
    for each in (enrol, check, listed):
        each.add_argument("--json", action="store_true", help="print JSON")


def run_enrol(options: argparse.Namespace) -> int:
    """Enrol, and refuse a deck of which two cards cannot be told apart."""
    width, height = options.card_mm
    if not (20 <= width < height <= 200):
        raise UsageError(
            f"--card-mm: expected width and height in millimetres, such as 63 88; got {width:g} {height:g}"
        )
    if options.out.suffix != ".npz":
        raise UsageError(f"{options.out}: expected a name that ends in .npz")
    deck = enrol_files(options.pictures, (width, height), options.order, options.language)
    save_deck(deck, options.out)
    _tell(deck, options.out, options.json)
    return 0


def run_check(options: argparse.Namespace) -> int:
    """Say what a deck file holds; a deck with cards missing or too alike is refused."""
    deck = load_deck(options.deck)
    require_distinct(deck)
    _tell(deck, options.deck, options.json)
    return 0


def run_list(options: argparse.Namespace) -> int:
    """List deck files with what they hold; what is no deck file is passed over."""
    if not options.folder.is_dir():
        raise UsageError(f"{options.folder}: expected a folder")
    rows = []
    for path in sorted(options.folder.glob("*.npz")):
        try:
            deck = load_deck(path)
        except UsageError:
            continue
        rows.append((str(path), len(deck.labels), deck.backs))
    if options.json:
        print(json.dumps([{"deck": name, "cards": cards, "backs": list(backs)} for name, cards, backs in rows]))
    else:
        print_lines(f"{name}: {cards} cards; backs: {', '.join(backs) or 'none'}" for name, cards, backs in rows)
    return 0


def _tell(deck: EnrolledDeck, path: Path, as_json: bool) -> None:
    pairs = deck.confusable(ALIKE)
    if as_json:
        told: dict[str, object] = {"deck": str(path), "cards": len(deck.labels), "backs": list(deck.backs)}
        alike = [{"cards": [one, other], "likeness": round(likeness, 4)} for one, other, likeness in pairs]
        told |= {"missing": list(deck.missing), "alike": alike}
        if deck.need is not None and deck.corners is not None:
            told |= {"needs_px_per_mm": deck.need.px_per_mm, "closest": list(deck.need.closest)}
            told |= {"index_mm": [round(v, 2) for v in deck.corners.index_mm]}
        print(json.dumps(told))
        return
    print_lines([f"{path}: {len(deck.labels)} cards; backs: {', '.join(deck.backs) or 'none'}"])
    _tell_need(deck)
    for one, other, likeness in pairs[:12]:
        print(
            f"  {one} and {other} are alike by {likeness:.3f} of 1 from above a whole table, {1 - likeness:.3f} apart"
        )
    if not pairs:
        print(f"  no two cards are alike by {ALIKE} of 1 or more")


def _tell_need(deck: EnrolledDeck) -> None:
    """What a camera must resolve: a rig's own densities are told by `cardcert doctor`."""
    if deck.need is None or deck.corners is None:
        print("  enrol it anew: this file does not say what a camera must resolve")
        return
    one, other = deck.need.closest
    left, top, right, bottom = deck.corners.index_mm
    print(f"  its index lies {left:.1f} to {right:.1f} mm from the left and {top:.1f} to {bottom:.1f} mm from above")
    certain = "" if deck.need.told_apart else ", and is not sure of all cards even there"
    print(f"  this deck needs at least {deck.need.px_per_mm:g} px/mm{certain}; closest pair {one}/{other}")
