"""How often cards of decks of many designs are read, misread, or not read, with the deck enrolled and without.

    python -m benchmarks.vision_designs --out FILE [--tables N] [--scenes N] [--jobs N]

Twelve decks are drawn, each of its own design: lettering, inks, suits, sizes and courts. Six come from the seeds from
which the networks' training began, six from seeds on which nothing was trained or chosen. Each deck is
enrolled and read on N tables under each of the conditions of `deck_conditions`; and N pictures of eight of its cards,
lying apart at any angle, are read as those of a deck that nobody enrolled.

The camera above the standard table is the smallest of 720p, 1080p, 1440p and 2160p that gives at every place the
density which the enrolled deck says it needs, as `cardcert doctor` would ask for; where none does it is 2160p, and
cards that are not read at a place with less than the need are told apart from those not read elsewhere.

FILE gets a line for each part that is done: what was started again with the same options goes on after the last. At the
end all is summed up, by rank and by suit, with upper bounds at 95 % (Clopper-Pearson), and each confusion is named.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache, partial
from pathlib import Path

import cv2
import msgspec
import numpy as np

from benchmarks import deck_conditions
from benchmarks.vision_accuracy import pairs_at, random_table, wiped_out
from fixtures.camera_accuracy import upper_bound
from vision.deck import EnrolledDeck, enrol
from vision.faces import LEAST_INDEX_GAP_MM
from vision.indices.reader import shipped_reader
from vision.layout import standard_layout
from vision.pictures import Picture
from vision.places import TableLayout
from vision.reader import TableReader
from vision.resolution import densities, resolution
from vision.scene import BACKS, JOKER, LABELS
from vision.synthetic.cards import back_image, face_image
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.faces import design_face
from vision.synthetic.decks.grounds import random_ground
from vision.synthetic.decks.scenes import Laid, lay_cards, photographed, placed
from vision.synthetic.renderer import Renderer

SEEN_DESIGNS = tuple(range(6))
HELD_OUT_DESIGNS = tuple(range(5_000_000, 5_000_006))
CAMERAS_PX = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
UNKNOWN = "unknown deck"
_FIRST_SEED = 500_000
_SCANNED_PX_PER_MM = 6.0
_PICTURE_PX = (1440, 960)
_CARDS_ACROSS, _CARDS_DOWN = 4, 2
_PX_PER_MM = (2.0, 2.9)


class Part(msgspec.Struct, frozen=True):
    """One deck read in one way. `pairs` holds what a card is, what was read, and how often.

    `hidden` counts the cards whose print light wiped out, `coarse` those not read where the camera gives less than the
    deck needs, `cameras` the heights of the pictures.
    """

    design: int
    way: str
    amount: int
    pairs: list[tuple[str, str | None, int]]
    hidden: int = 0
    coarse: int = 0
    cameras: list[int] = []
    need: float = 0.0


def face_of(design: int, label: str, px_per_mm: float) -> Picture:
    """A face of a design; its joker is that of our own deck."""
    return face_image(label, px_per_mm) if label == JOKER else design_face(deck_design(design), label, px_per_mm)


def camera_for(deck: EnrolledDeck, seen: Callable[[TableLayout], TableLayout]) -> TableLayout:
    """The table as the smallest camera sees it that resolves the deck at every place, else the largest one."""
    layout = standard_layout()
    for size in CAMERAS_PX:
        layout = seen(standard_layout().scaled(size))
        if resolution(layout, deck)[0]:
            break
    return layout


@lru_cache(maxsize=1)
def deck_of(design: int) -> EnrolledDeck:
    """A design, enrolled as from scans of its cards, with the backs of our own deck."""
    faces = {label: face_of(design, label, _SCANNED_PX_PER_MM) for label in LABELS}
    return enrol(faces, {name: back_image(name, _SCANNED_PX_PER_MM) for name in BACKS})


class _Cameras:
    """The last renderer: a camera that hangs as before is not set up anew."""

    def __init__(self) -> None:
        self._last: tuple[TableLayout, int, Renderer] | None = None

    def renderer(self, layout: TableLayout, design: int, seed: int) -> Renderer:
        if self._last is None or self._last[:2] != (layout, seed):
            self._last = layout, seed, Renderer(layout, seed, layout.size_px, partial(face_of, design))
        return self._last[2]


_CAMERAS = _Cameras()


def enrolled(design: int, condition: str, tables: int) -> Part:
    """Tables of one design under one condition, read with the deck enrolled."""
    cv2.setNumThreads(1)
    deck = deck_of(design)
    need = deck.need.px_per_mm if deck.need is not None else 0.0
    how = deck_conditions.CONDITIONS[condition]
    found: Counter[tuple[str, str | None]] = Counter()
    hidden = coarse = 0
    cameras: set[int] = set()
    for number in range(tables):
        seed = [_FIRST_SEED, design, number, list(deck_conditions.CONDITIONS).index(condition)]
        rng = np.random.default_rng(seed)
        if number % 10 == 0:
            layout = camera_for(deck, lambda layout: how.seen(layout, np.random.default_rng([*seed, 1])))  # noqa: B023
            renderer = _CAMERAS.renderer(layout, design, design + number)
            reader, density = TableReader(layout, deck), densities(layout)
            cameras.add(layout.size_px[1])
        scene = random_table(rng, {place.name: place.countable for place in layout.places.values()})
        clean = renderer.frame(scene, number)
        frame = how.spoilt(clean.copy(), rng)
        for place in layout.places.values():
            close = place.stagger_pitch_mm < LEAST_INDEX_GAP_MM
            pairs = pairs_at(reader.look(frame, place.name), scene.piles[place.name], close)
            if how.glare and any(label is None for _, label in pairs):
                gone = wiped_out(clean, frame, renderer, place.name, scene.piles[place.name])
                seen = [(true, label) for true, label in pairs if label is not None or true not in gone]
                hidden += len(pairs) - len(seen)
                pairs = seen
            if density[place.name] < need:
                told = [pair for pair in pairs if pair[1] is not None]
                coarse += len(pairs) - len(told)
                pairs = told
            found.update(pairs)
    told_pairs = [(*pair, times) for pair, times in sorted(found.items(), key=str)]
    return Part(design, condition, tables, told_pairs, hidden, coarse, sorted(cameras), need)


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
    """One line of a table in Markdown: cards, read, misread, abstained, the bound, hidden, too coarse."""
    pairs: Counter[tuple[str, str | None]] = Counter()
    hidden = coarse = 0
    for part in parts:
        hidden += part.hidden
        coarse += part.coarse
        for true, label, times in part.pairs:
            pairs[true, label] += times
    cards = sum(pairs.values())
    misread = sum(times for (true, label), times in pairs.items() if label not in (None, true))
    abstained = sum(times for (_, label), times in pairs.items() if label is None)
    bound = upper_bound(misread, cards - abstained)
    read = cards - misread - abstained
    return f"| {name} | {cards} | {read} | {misread} | {abstained} | {bound:.4%} | {hidden} | {coarse} |"


def only(parts: Iterable[Part], letter: int, value: str) -> list[Part]:
    """The same parts with the cards of one rank (`letter` 0) or suit (1) alone."""
    return [
        msgspec.structs.replace(
            part, pairs=[p for p in part.pairs if p[0] != "-" and p[0][letter] == value], hidden=0, coarse=0
        )
        for part in parts
    ]


def report(parts: list[Part]) -> bool:
    """Print all tables; True if nothing was misread."""
    ways = {"enrolled": [p for p in parts if p.way != UNKNOWN], UNKNOWN: [p for p in parts if p.way == UNKNOWN]}
    print("| | cards | read | misread | abstained | misread at most | hidden by light | too coarse |")
    print("|---|---|---|---|---|---|---|---|")
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
    for design in (*SEEN_DESIGNS, *HELD_OUT_DESIGNS):
        own = [p for p in ways["enrolled"] if p.design == design]
        heights = {p.way: "/".join(map(str, p.cameras)) for p in own}
        print(f"design {design} needs {max((p.need for p in own), default=0)} px/mm; pictures high: {heights}")
    wrong = [(p, *pair) for p in parts for pair in p.pairs if pair[1] not in (None, pair[0])]
    for part, true, label, times in wrong:
        print(f"misread, design {part.design}, {part.way}: {true} as {label}, {times} times")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="file of what is done, a line for each part")
    parser.add_argument("--tables", type=int, default=10, help="for each design and condition")
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
    work = [(design, way) for design in designs for way in due if (design, way) not in known]
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
