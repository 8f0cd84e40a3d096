"""How often cards of decks of many designs are read, misread, or not read, with the deck enrolled and without.

    python -m benchmarks.vision_designs --out FILE [--tables N] [--scenes N] [--jobs N]

Twelve decks are drawn, each of its own design: lettering, inks, suits, sizes and courts. Six come from the seeds from
which the networks' training began, six from seeds on which nothing was trained or chosen. Each deck is
enrolled and read on N tables under each of the conditions of `deck_conditions`; and N pictures of eight of its cards,
lying apart at any angle, are read as those of a deck that nobody enrolled.

FILE gets a line for each part that is done: what was started again with the same options goes on after the last. At the
end all is summed up, by rank and by suit, with upper bounds at 95 % (Clopper-Pearson), and each confusion is named.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np

from benchmarks import deck_conditions
from benchmarks.vision_accuracy import pairs_at, random_table
from fixtures.camera_accuracy import upper_bound
from vision.deck import enrol
from vision.faces import LEAST_INDEX_GAP_MM
from vision.indices.reader import shipped_reader
from vision.layout import standard_layout
from vision.pictures import Picture
from vision.reader import TableReader
from vision.scene import BACKS, JOKER, LABELS
from vision.synthetic.cards import back_image, face_image
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.faces import design_face
from vision.synthetic.decks.grounds import random_ground
from vision.synthetic.decks.scenes import Laid, lay_cards, photographed, placed
from vision.synthetic.renderer import Renderer

SEEN_DESIGNS = tuple(range(6))
HELD_OUT_DESIGNS = tuple(range(5_000_000, 5_000_006))
UNKNOWN = "unknown deck"
_FIRST_SEED = 500_000
_PICTURE_PX = (1440, 960)
_CARDS_ACROSS, _CARDS_DOWN = 4, 2
_PX_PER_MM = (2.0, 2.9)


class Part(msgspec.Struct, frozen=True):
    """One deck read in one way. `pairs` holds what a card is, what was read, and how often."""

    design: int
    way: str
    amount: int
    pairs: list[tuple[str, str | None, int]]
    hidden: int = 0


def face_of(design: int, label: str, px_per_mm: float) -> Picture:
    """A face of a design; its joker is that of our own deck."""
    return face_image(label, px_per_mm) if label == JOKER else design_face(deck_design(design), label, px_per_mm)


def enrolled(design: int, condition: str, tables: int) -> Part:
    """Tables of one design under one condition, read with the deck enrolled."""
    cv2.setNumThreads(1)
    faces = partial(face_of, design)
    deck = enrol({label: faces(label, 4.0) for label in LABELS}, {name: back_image(name, 4.0) for name in BACKS})
    how = deck_conditions.CONDITIONS[condition]
    found: Counter[tuple[str, str | None]] = Counter()
    hidden = 0
    for number in range(tables):
        rng = np.random.default_rng([_FIRST_SEED, design, number, list(deck_conditions.CONDITIONS).index(condition)])
        if number % 10 == 0:
            layout = how.seen(standard_layout(), rng)
            renderer, reader = Renderer(layout, design + number, faces=faces), TableReader(layout, deck)
        scene = random_table(rng, {place.name: place.countable for place in layout.places.values()})
        clean = renderer.frame(scene, number)
        frame = how.spoilt(clean.copy(), rng)
        for place in layout.places.values():
            close = place.stagger_pitch_mm < LEAST_INDEX_GAP_MM
            pairs = pairs_at(reader.look(frame, place.name), scene.piles[place.name], close)
            if how.glare and deck_conditions.lost_in_light(clean, frame, layout, place.name):
                all_there = len(pairs)
                pairs = [(true, label) for true, label in pairs if label not in (None, true)]
                hidden += all_there - len(pairs)
            found.update(pairs)
    return Part(design, condition, tables, [(*pair, times) for pair, times in sorted(found.items(), key=str)], hidden)


def unknown(design: int, scenes: int) -> Part:
    """Pictures of eight cards of one design that lie apart, read without the deck."""
    cv2.setNumThreads(1)
    reader, deck = shipped_reader(), deck_design(design)
    found: Counter[tuple[str, str | None]] = Counter()
    width, height = _PICTURE_PX
    labels = [label for label in LABELS if label != JOKER]
    for number in range(scenes):
        rng = np.random.default_rng([_FIRST_SEED, design, number, 99])
        density = float(rng.uniform(*_PX_PER_MM))
        cards = []
        for place, label in enumerate(rng.permutation(labels)[: _CARDS_ACROSS * _CARDS_DOWN]):
            down, across = divmod(place, _CARDS_ACROSS)
            at = ((across + 0.5) * width / _CARDS_ACROSS, (down + 0.5) * height / _CARDS_DOWN)
            to_px = placed(rng, (31.5, 44.0), at, density, float(rng.uniform(0, 2 * np.pi)), 0.3)
            cards.append(Laid(deck, str(label), to_px))
        picture, truths = lay_cards(rng, random_ground(rng, (width, height)), cards)
        readings = [card for card in reader.read(photographed(rng, picture, 0.4)) if card.label is not None]
        for truth in truths:
            outline = truth.corners.astype(np.float32).reshape(-1, 1, 2)
            own = [
                card for card in readings if cv2.pointPolygonTest(outline, tuple(card.corners.mean(axis=0)), False) >= 0
            ]
            readings = [card for card in readings if card not in own]
            wrong = [card.label for card in own if card.label != truth.label]
            found[str(truth.label), (wrong or [card.label for card in own] or [None])[0]] += 1
        found.update(("-", card.label) for card in readings)
    return Part(design, UNKNOWN, scenes, [(*pair, times) for pair, times in sorted(found.items(), key=str)])


def told(name: str, parts: Iterable[Part]) -> str:
    """One line of a table in Markdown: cards, read, misread, abstained, the bound, and what was hidden by light."""
    pairs: Counter[tuple[str, str | None]] = Counter()
    hidden = 0
    for part in parts:
        hidden += part.hidden
        for true, label, times in part.pairs:
            pairs[true, label] += times
    cards = sum(pairs.values())
    misread = sum(times for (true, label), times in pairs.items() if label not in (None, true))
    abstained = sum(times for (_, label), times in pairs.items() if label is None)
    bound = upper_bound(misread, cards - abstained)
    return f"| {name} | {cards} | {cards - misread - abstained} | {misread} | {abstained} | {bound:.3%} | {hidden} |"


def only(parts: Iterable[Part], letter: int, value: str) -> list[Part]:
    """The same parts with the cards of one rank (`letter` 0) or suit (1) alone."""
    return [
        msgspec.structs.replace(part, pairs=[p for p in part.pairs if p[0] != "-" and p[0][letter] == value], hidden=0)
        for part in parts
    ]


def report(parts: list[Part]) -> bool:
    """Print all tables; True if nothing was misread."""
    ways = {"enrolled": [p for p in parts if p.way != UNKNOWN], UNKNOWN: [p for p in parts if p.way == UNKNOWN]}
    print("| | cards | read | misread | abstained | misread at most | hidden by light |\n|---|---|---|---|---|---|---|")
    for way, own in ways.items():
        print(told(f"{way}, all", own))
        for name, seeds in (("chosen on", SEEN_DESIGNS), ("held out", HELD_OUT_DESIGNS)):
            print(told(f"{way}, designs {name}", [p for p in own if p.design in seeds]))
        for design in (*SEEN_DESIGNS, *HELD_OUT_DESIGNS):
            print(told(f"{way}, design {design}", [p for p in own if p.design == design]))
        if way != UNKNOWN:
            for condition in deck_conditions.CONDITIONS:
                print(told(f"{way}, {condition}", [p for p in own if p.way == condition]))
        for rank in "A23456789TJQK":
            print(told(f"{way}, rank {rank}", only(own, 0, rank)))
        for suit in "cdhs":
            print(told(f"{way}, suit {suit}", only(own, 1, suit)))
    wrong = [(p, *pair) for p in parts for pair in p.pairs if pair[1] not in (None, pair[0])]
    for part, true, label, times in wrong:
        print(f"misread, design {part.design}, {part.way}: {true} as {label}, {times} times")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="file of what is done, a line for each part")
    parser.add_argument("--tables", type=int, default=12, help="for each design and condition")
    parser.add_argument("--scenes", type=int, default=100, help="for each design, of eight cards")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    done = []
    if options.out.exists():
        done = [msgspec.json.decode(line, type=Part) for line in options.out.read_bytes().splitlines()]
    due = {UNKNOWN: options.scenes} | dict.fromkeys(deck_conditions.CONDITIONS, options.tables)
    done = [part for part in done if part.amount == due.get(part.way)]
    known = {(part.design, part.way) for part in done}
    designs = (*SEEN_DESIGNS, *HELD_OUT_DESIGNS)
    work = [(design, way) for way in due for design in designs if (design, way) not in known]
    with ProcessPoolExecutor(options.jobs) as pool, options.out.open("ab") as out:
        running = [
            pool.submit(unknown, design, due[way]) if way == UNKNOWN else pool.submit(enrolled, design, way, due[way])
            for design, way in work
        ]
        for future in as_completed(running):
            done.append(future.result())
            out.write(msgspec.json.encode(done[-1]) + b"\n")
            out.flush()
    return 0 if report(done) else 1


if __name__ == "__main__":
    sys.exit(main())
