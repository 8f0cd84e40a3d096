"""`cardcert read`: what the camera code sees in pictures."""

import argparse
import json
from pathlib import Path
from typing import Any

from vision.read_images import read_images, tell


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("read", help="say what the camera code sees in pictures", description=__doc__)
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--deck", type=Path, help="enrolled deck file (default: any deck, read by its indices)")
    parser.add_argument("--layout", type=Path, help="table layout file (default: the standard layout)")
    parser.add_argument("--annotate", type=Path, metavar="DIR", help="write annotated pictures here")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read each picture; 0 when everything could be read, 3 when the reader abstained somewhere."""
    rows = read_images(options.images, deck=options.deck, annotate=options.annotate, layout=options.layout)
    print(json.dumps(rows) if options.json else "\n".join(tell(row) for row in rows))
    return 3 if any(_abstained(row) for row in rows) else 0


def _abstained(row: dict[str, Any]) -> bool:
    if row["kind"] == "cards":
        return any(card["face_up"] and card["label"] is None for card in row["cards"])
    places = [place for place in row["places"] if not place["stacked"]]
    unread = [card for place in places for card in place["face_up"] if card["label"] is None]
    return bool(unread) or any(place["count"] is None for place in places)
