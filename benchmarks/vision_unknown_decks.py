"""Photographs of decks that nobody enrolled: read, misread and abstained, with bounds.

    python benchmarks/vision_unknown_decks.py --photos DIR [--verbose]

DIR holds `labels.csv` with columns file, cards, kind and notes. `kind` is `single` (one card, its label in `cards`) or
`table` (labels whose suit may be `?`, in the order of the boxes `left,top,right,bottom` in `notes`). Bounds are
Clopper-Pearson at 95 %. Processor time is told, not time on the clock.
"""

import argparse
import csv
import math
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.indices.reader import UnknownDeckReader, shipped_reader
from vision.readings import CardReading
from vision.sources import load_picture

Box = tuple[float, ...]


def boxes_of(notes: str) -> list[Box]:
    return [tuple(float(v) for v in word.split(",")) for word in notes.removeprefix("boxes ").split()]


def assigned(
    cards: Sequence[CardReading], boxes: Sequence[Box], labels: Sequence[str]
) -> tuple[list[list[CardReading]], list[CardReading]]:
    """The readings of each box, and those that lie in none.

    Boxes of cards that lie upon each other overlap: one in several boxes goes to one whose label it has, if there is
    such a box, and else to the nearest.
    """
    own: list[list[CardReading]] = [[] for _ in boxes]
    stray = []
    for card in cards:
        x, y = card.corners.mean(axis=0)
        homes = [n for n, (left, top, right, bottom) in enumerate(boxes) if left <= x <= right and top <= y <= bottom]
        if not homes:
            stray.append(card)
            continue
        middle = [np.hypot(x - (b[0] + b[2]) / 2, y - (b[1] + b[3]) / 2) for b in boxes]
        corner = [min(np.hypot(x - u, y - v) for u in (b[0], b[2]) for v in (b[1], b[3])) for b in boxes]
        homes = [n for n in homes if card.label is not None and fits(card.label, labels[n])] or homes
        own[min(homes, key=(corner if card.index_only else middle).__getitem__)].append(card)
    return own, stray


def fits(name: str, label: str) -> bool:
    return name[0] == label[0] and label[1] in ("?", name[1])


def verdict(cards: Sequence[CardReading], label: str) -> str:
    named = {card.label for card in cards if card.label is not None}
    if not named:
        return "abstained"
    return "read" if all(fits(name, label) for name in named) else "misread"


def clopper_pearson(hits: int, whole: int) -> tuple[float, float]:
    """Bounds at 95 % of the share that gave `hits` out of `whole`."""

    def solved(k: int, aim: float) -> float:
        """The share at which `k` or more hits have probability `aim`."""
        low, high = 0.0, 1.0
        for _ in range(50):
            p = (low + high) / 2
            tail = sum(math.comb(whole, n) * p**n * (1 - p) ** (whole - n) for n in range(k, whole + 1))
            low, high = (p, high) if tail < aim else (low, p)
        return (low + high) / 2

    return (0.0 if hits == 0 else solved(hits, 0.025)), (1.0 if hits == whole else solved(hits + 1, 0.975))


def told(name: str, counts: Counter[str]) -> str:
    whole = sum(counts.values())
    parts = []
    for what in ("read", "misread", "abstained"):
        low, high = clopper_pearson(counts[what], whole)
        parts.append(f"{what} {counts[what]} ({100 * low:.1f} to {100 * high:.1f} %)")
    return f"{name}: {whole} cards, {', '.join(parts)}"


def measure(folder: Path, reader: UnknownDeckReader, verbose: bool) -> None:
    counts: dict[str, Counter[str]] = {"single": Counter(), "table": Counter()}
    strays, times = 0, {"single": [], "table": []}  # type: ignore[var-annotated]
    with (folder / "labels.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        picture, kind = load_picture(folder / row["file"]), row["kind"]
        start = time.process_time()
        cards = reader.read(picture)
        times[kind].append(time.process_time() - start)
        boxes = [(0.0, 0.0, 1e9, 1e9)] if kind == "single" else boxes_of(row["notes"])
        own, stray = assigned(cards, boxes, row["cards"].split())
        strays += sum(card.label is not None for card in stray)
        for label, found, box in zip(row["cards"].split(), own, boxes, strict=True):
            what = verdict(found, label)
            counts[kind][what] += 1
            if verbose and what != "read":
                seen = " ".join(f"{card.label}({card.confidence:.2f})" for card in found)
                print(f"{row['file']} {label} {what} at {box}: {seen}")
    for kind, count in counts.items():
        if count:
            print(f"{told(kind, count)}; processor time {1000 * float(np.median(times[kind])):.0f} ms (median)")
    print(f"cards named where none is labelled: {strays}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--verbose", action="store_true", help="name each card that was not read")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    measure(options.photos, shipped_reader(), options.verbose)


if __name__ == "__main__":
    main()
