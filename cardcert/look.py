"""`cardcert read`: what the camera code sees in pictures."""

import argparse
import json
from pathlib import Path

from vision.read_images import read_images


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("read", help="say what the camera code sees in pictures", description=__doc__)
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--deck", type=Path, help="enrolled deck file (default: the deck that cardcert draws)")
    parser.add_argument("--annotate", type=Path, metavar="DIR", help="write annotated pictures here")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read each picture; 0 when all could be read, 3 when the reader abstained somewhere."""
    readings = read_images(options.images, deck=options.deck, annotate=options.annotate)
    if options.json:
        print(json.dumps(readings))
        return 0
    for reading in readings:
        print(f"{reading['image']}:")
        for place in reading["places"]:
            cards = " ".join(card["label"] or "?" for card in place["face_up"])
            count = "?" if place["count"] is None else place["count"]
            print(f"  {place['place']:<14} {count:>2} cards  face down {place['face_down']}  face up {cards or '-'}")
    return 0
