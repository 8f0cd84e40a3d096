"""How often the camera reads right, wrong, or abstains, over random tables that no threshold was chosen on.

    python -m benchmarks.vision_accuracy [--tables N] [--first-seed S] [--condition NAME ...]
    python -m benchmarks.vision_accuracy --json FILE [--deck FILE --faces FOLDER] [--tables N] [--first-seed S]

Prints one line for each condition of the picture: cards read, misread, abstained; counts right, wrong, abstained; and
the same for dice, devices and the button. A misread or a wrong count is also printed with its seed and place. Exit
status 1 if there was any in the plain condition.

With --json, one deck's cards are read under the conditions of `deck_conditions`, and FILE is what a rig file names as
`[camera] accuracy`. The deck is the one that cardcert draws, or an enrolled one with a folder of one picture of each
face, named as for `cardcert deck enrol` (`Ah.png`). Exit status 1 if a card was misread.
"""

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import cv2
import msgspec
import numpy as np

from benchmarks import deck_conditions
from evidence.errors import UsageError
from evidence.files import write_atomic
from fixtures.camera_accuracy import CameraAccuracy, MeasuredDeck, Readings, Seeds, upper_bound
from vision.deck import EnrolledDeck, enrol_rendered, load_deck
from vision.enrolling import label_of
from vision.faces import LEAST_INDEX_GAP_MM
from vision.layout import standard_layout
from vision.pictures import Picture, u8
from vision.reader import TableReader
from vision.readings import DiceReading, PlaceReading
from vision.scene import BACKS, DEVICES, DICE_POSES, LABELS, POSITIONS, Pile, Scene, SceneCard, SceneDie
from vision.single_card import straight_card
from vision.sources import load_picture, stills
from vision.synthetic.cards import face_image
from vision.synthetic.piles import Faces
from vision.synthetic.renderer import Renderer

Random = np.random.Generator


def jpeg_frame(quality: int) -> Callable[[Picture, Random], Picture]:
    def through(frame: Picture, _: Random) -> Picture:
        data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert picture is not None
        return u8(picture)

    return through


def blurred(sigma: float) -> Callable[[Picture, Random], Picture]:
    return lambda frame, _: u8(cv2.GaussianBlur(frame, (0, 0), sigma))


def lit(gain: float) -> Callable[[Picture, Random], Picture]:
    return lambda frame, _: u8(cv2.convertScaleAbs(frame, alpha=gain))


def noisy(sigma: float) -> Callable[[Picture, Random], Picture]:
    def add(frame: Picture, rng: Random) -> Picture:
        noise = rng.standard_normal(frame.shape, np.float32) * sigma
        return u8(np.clip(frame + noise, 0, 255).astype(np.uint8))

    return add


def moved(px: float) -> Callable[[Picture, Random], Picture]:
    def shift(frame: Picture, rng: Random) -> Picture:
        angle = rng.uniform(0, 2 * np.pi)
        move = np.array([[1, 0, px * np.cos(angle)], [0, 1, px * np.sin(angle)]])
        return u8(cv2.warpAffine(frame, move, frame.shape[1::-1], borderMode=cv2.BORDER_REPLICATE))

    return shift


def warm(frame: Picture, _: Random) -> Picture:
    return u8(np.clip(frame * np.array([0.82, 0.96, 1.0]), 0, 255).astype(np.uint8))


CONDITIONS: dict[str, Callable[[Picture, Random], Picture]] = {
    "plain": lambda frame, _: frame,
    "jpeg 90 4:2:0": jpeg_frame(90),
    "jpeg 75 4:2:0": jpeg_frame(75),
    "half the light": lit(0.5),
    "fifth of the light": lit(0.2),
    "overexposed x1.3": lit(1.3),
    "warm light": warm,
    "noise 8": noisy(8),
    "noise 16": noisy(16),
    "blur 0.8 px": blurred(0.8),
    "blur 1.3 px": blurred(1.3),
    "blur 2 px": blurred(2.0),
    "blur 3 px": blurred(3.0),
    "camera moved 2 px": moved(2),
    "camera moved 5 px": moved(5),
}


def random_table(rng: Random, countable: dict[str, int]) -> Scene:
    piles = {}
    for place, most in countable.items():
        count = int(rng.integers(0, most + 1))
        up = rng.choice([0.0, 0.15, 0.5, 0.85, 1.0])
        arrangement = str(rng.choice(["spread", "staggered", "squared"], p=[0.45, 0.45, 0.1]))
        labels = [str(label) for label in rng.permutation(LABELS)[:count]]
        back = str(rng.choice(BACKS))
        cards = tuple(SceneCard(label, bool(rng.random() < up), back) for label in labels)
        piles[place] = Pile(cards, arrangement)  # type: ignore[arg-type]
    covered = bool(rng.random() < 0.2)
    poses = [str(pose) for pose in rng.choice(DICE_POSES, 3, p=[0.86, 0.07, 0.07])]
    dice = tuple(SceneDie(int(rng.integers(1, 7)), pose) for pose in poses)  # type: ignore[arg-type]
    devices = frozenset(name for name in DEVICES if rng.random() < 0.5)
    button = None if rng.random() < 0.2 else str(rng.choice(POSITIONS))
    return Scene(piles, () if covered else dice, covered, devices, button)


class Tally:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.errors: list[str] = []

    def place(self, reading: PlaceReading, pile: Pile, close: bool, where: str) -> None:
        """`close`: the cards lie so near each other that only the last one's index shows."""
        cards = pile.cards
        squared = pile.arrangement == "squared" and len(cards) > 1
        if squared:
            stacked = reading.stacked and reading.count is None
            abstained = reading.count is None and not reading.stacked
            self.judge("count", stacked, abstained, f"{where}: squared {len(cards)} read {reading.count}")
            shown = [cards[-1].label] if cards[-1].face_up else []
        else:
            faces = [card.face_up for card in cards]
            right = reading.count == len(cards) and [card.face_up for card in reading.cards] == faces
            right &= not reading.stacked
            told = [card.face_up for card in reading.cards]
            self.judge("count", right, reading.count is None, f"{where}: {faces} read {reading.count} {told}")
            shown = [card.label for card in cards if card.face_up]
        seen = list(reading.labels)
        if len(seen) != len(shown):
            self.counts["card abstained"] += len(shown)
            return
        for number, (label, wanted) in enumerate(zip(seen, shown, strict=True)):
            if not close or (number == len(shown) - 1 and cards[-1].face_up) or label is not None:
                self.judge("card", label == wanted, label is None, f"{where}: {wanted} read {label}")

    def dice(self, reading: DiceReading, scene: Scene, where: str) -> None:
        poses: list[str] = [die.pose for die in scene.dice]
        flat = len(poses) == poses.count("flat") == 3
        total = sum(die.value for die in scene.dice) if flat else None
        seen = [reading.flat, reading.leaning, reading.outside] == [poses.count(pose) for pose in DICE_POSES]
        right = seen and reading.total == total and reading.covered == scene.shaker_covered
        abstained = reading.certainty == 0.0 or (flat and reading.flat == 3 and reading.total is None)
        self.judge("dice", right, abstained, f"{where}: dice {scene.dice} read {reading}")

    def judge(self, what: str, right: bool, abstained: bool, error: str) -> None:
        verdict = "right" if right else "abstained" if abstained else "wrong"
        self.counts[f"{what} {verdict}"] += 1
        if verdict == "wrong":
            self.errors.append(error)

    def line(self) -> str:
        parts = []
        for what in ("card", "count", "dice", "device", "button"):
            right, wrong, none = (self.counts[f"{what} {v}"] for v in ("right", "wrong", "abstained"))
            parts.append(f"{what} {right:6d} /{wrong:3d} /{none:5d}")
        return "   ".join(parts)


def run(condition: str, tables: int, first_seed: int, reader: TableReader) -> Tally:
    tally, change = Tally(), CONDITIONS[condition]
    layout = reader.layout
    countable = {name: place.countable for name, place in layout.places.items()}
    renderer = None
    for number in range(tables):
        seed = first_seed + number
        if renderer is None or number % 20 == 0:
            renderer = Renderer(layout, seed)
        rng = np.random.default_rng([seed, 1])
        scene = random_table(rng, countable)
        frame = change(renderer.frame(scene, number), rng)
        where = f"{condition} seed {seed}"
        for place in layout.places:
            close = layout.places[place].stagger_pitch_mm < LEAST_INDEX_GAP_MM
            tally.place(reader.look(frame, place), scene.piles[place], close, f"{where} {place}")
        tally.dice(reader.dice(frame), scene, where)
        for name in layout.devices:
            present = reader.device(frame, name)
            tally.judge("device", present is (name in scene.devices), present is None, f"{where} {name} {present}")
        button = reader.button(frame)
        right = button.position == scene.button and button.certainty > 0
        tally.judge("button", right, button.certainty == 0, f"{where} button {scene.button} read {button}")
    return tally


def faces_in(folder: Path, deck: EnrolledDeck) -> Faces:
    """The faces of a deck from a folder of pictures, one for each card. Raises `UsageError`."""
    if deck.card_mm != tuple(standard_layout().card_mm):
        raise UsageError(f"{folder}: cards of {deck.card_mm} mm; scenes are drawn with {standard_layout().card_mm}")
    faces = {}
    for path in stills(folder):
        if label := label_of(path.stem):
            card = straight_card(load_picture(path), deck.card_mm)
            if card is None:
                raise UsageError(f"{path}: no outline of one card; photograph it again, alone on a darker ground")
            faces[label] = card
    if missing := sorted(set(deck.labels) - set(faces)):
        raise UsageError(f"{folder}: no picture of {', '.join(missing[:5])}; expected one of each card of the deck")

    def drawn(label: str, px_per_mm: float) -> Picture:
        size = (round(deck.card_mm[0] * px_per_mm), round(deck.card_mm[1] * px_per_mm))
        return u8(cv2.resize(faces[label], size, interpolation=cv2.INTER_AREA))

    return drawn


def pairs_at(reading: PlaceReading, pile: Pile, close: bool) -> list[tuple[str, str | None]]:
    """What each card at a place is, and what was read. A label that stands where no such card shows is misread,
    and so is a count that is not that of the cards.

    What a card is that is not there, or not face up, is told as `-`. `close`: the cards lie so near each other that
    only the last one's index shows.
    """
    shown = pile.cards[-1:] if pile.arrangement == "squared" else pile.cards
    named = [(card.label if card.face_up else None) for card in reading.cards]
    if reading.stacked:  # only the card that lies uppermost is read; the others that show are not
        named = [*(None for _ in shown[1:]), *(reading.labels or (None,))]
    truth = [(card.label if card.face_up else "-") for card in shown]
    shows = [true != "-" and not (close and number < len(truth) - 1) for number, true in enumerate(truth)]
    if len(named) != len(truth):
        strange: list[tuple[str, str | None]] = [("-", label) for label in named if label is not None]
        if reading.count is not None and not strange:
            strange = [("-", "miscounted")]
        unread = [true for true, index in zip(truth, shows, strict=True) if index][len(strange) :]
        return strange + [(true, None) for true in unread]
    cards = zip(named, truth, shows, strict=True)
    return [(true, label) for label, true, index in cards if label is not None or index]


def judge_cards(reading: PlaceReading, pile: Pile, close: bool) -> tuple[int, int, int]:
    """Cards shown, misread and abstained at one place, as `pairs_at` tells them."""
    pairs = pairs_at(reading, pile, close)
    abstained = sum(label is None for _, label in pairs)
    return len(pairs), sum(label is not None and label != true for true, label in pairs), abstained


def wiped_out(clean: Picture, frame: Picture, renderer: Renderer, place: str, pile: Pile) -> set[str]:
    """Labels of the cards of a pile whose print light has wiped out."""
    lost = deck_conditions.lost_in_light(clean, frame, renderer.outlines(place, pile), renderer.layout.card_mm)
    return {card.label for card, one in zip(pile.cards[-len(lost) :], lost, strict=True) if one}


def run_deck(name: str, tables: int, first_seed: int, deck: EnrolledDeck, faces: Faces, tell: bool = False) -> Readings:
    """Cards of one deck under one condition. A camera is hung anew for every ten tables."""
    condition = deck_conditions.CONDITIONS[name]
    own = list(deck_conditions.CONDITIONS).index(name)  # other tables than those of the other conditions
    totals, hidden = np.zeros(3, int), 0
    for number in range(tables):
        seed = first_seed + number
        rng = np.random.default_rng([seed, 2, own])
        if number % 10 == 0:
            layout = condition.seen(standard_layout(), rng)
            renderer, reader = Renderer(layout, seed, faces=faces), TableReader(layout, deck)
            countable = {place.name: place.countable for place in layout.places.values()}
        scene = random_table(rng, countable)
        clean = renderer.frame(scene, number)
        frame = condition.spoilt(clean.copy(), rng)
        for place in layout.places:
            close = layout.places[place].stagger_pitch_mm < LEAST_INDEX_GAP_MM
            pile = scene.piles[place]
            pairs = pairs_at(reader.look(frame, place), pile, close)
            wrong = sum(label not in (None, true) for true, label in pairs)
            if wrong:
                print(f"    MISREAD {name} seed {seed} {place}: {[card.label for card in pile.cards]}", flush=True)
            unread = [true for true, label in pairs if label is None]
            if condition.glare and unread:
                gone = wiped_out(clean, frame, renderer, place, pile)
                hidden += sum(true in gone for true in unread)
                unread = [true for true in unread if true not in gone]
            if unread and tell:
                print(f"    not read: {name} seed {seed} {place}: {' '.join(unread)}", flush=True)
            named = sum(label is not None for _, label in pairs)
            totals += named + len(unread), wrong, len(unread)
    cards, misread, abstained = map(int, totals)
    return Readings(name, cards, misread, abstained, upper_bound(misread, cards - abstained), hidden)


def measure_deck(
    out: Path, deck_file: Path | None, folder: Path | None, tables: int, first_seed: int, tell: bool = False
) -> bool:
    """Read one deck under all conditions and write what came of it; True if nothing was misread."""
    if (deck_file is None) != (folder is None):
        raise UsageError("--deck and --faces go together: an enrolled deck, and pictures of its faces")
    faces: Faces = face_image
    if deck_file is None or folder is None:
        deck, told = enrol_rendered(), MeasuredDeck("drawn by cardcert", "")
    else:
        deck = load_deck(deck_file)
        digest = hashlib.sha256(deck_file.read_bytes()).hexdigest()
        faces, told = faces_in(folder, deck), MeasuredDeck(deck_file.stem[:80], digest)
    rows = []
    for name in deck_conditions.CONDITIONS:
        began = process_time()
        row = run_deck(name, tables, first_seed, deck, faces, tell)
        read = row.cards - row.misread - row.abstained
        rows.append(row)
        took = process_time() - began
        counts = f"{read:6d} /{row.misread:3d} /{row.abstained:6d}   hidden {row.hidden:4d}"
        print(f"{name:26s} {counts}   at most {row.bound:.3%}   {took:.0f} s", flush=True)
    cards, misread, abstained = (sum(getattr(row, what) for row in rows) for what in ("cards", "misread", "abstained"))
    bound = upper_bound(misread, cards - abstained)
    seeds = Seeds(first_seed, tables)
    found = CameraAccuracy(1, "cardcert.camera_accuracy", "drawn", told, rows, cards, misread, abstained, bound, seeds)
    write_atomic(out, msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    print(
        f"{cards} cards, {misread} misread, {abstained} abstained; misread: at most {bound:.4%} of those named (95 %)"
    )
    return not any(row.misread for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="random tables for each condition")
    parser.add_argument("--first-seed", type=int, default=500_000)
    parser.add_argument("--condition", action="append", choices=list(CONDITIONS), help="only these")
    parser.add_argument("--json", type=Path, help="read one deck under its own conditions, and write what came of it")
    parser.add_argument("--deck", type=Path, help="enrolled deck, with --faces; else the deck that cardcert draws")
    parser.add_argument("--faces", type=Path, help="folder of a picture of each of its faces")
    parser.add_argument("--tell", action="store_true", help="with --json, print each card that was not read")
    options = parser.parse_args()
    if options.json:
        print(f"{options.tables} random tables each; cards read / misread / abstained")
        try:
            fine = measure_deck(
                options.json, options.deck, options.faces, options.tables, options.first_seed, options.tell
            )
        except UsageError as wrong:
            print(wrong, file=sys.stderr)
            return 2
        return 0 if fine else 1
    reader = TableReader(standard_layout(), enrol_rendered())
    print(f"{options.tables} random tables each; right / wrong / abstained")
    failed = False
    for condition in options.condition or CONDITIONS:
        began = perf_counter()
        tally = run(condition, options.tables, options.first_seed, reader)
        print(f"{condition:20s} {tally.line()}   {perf_counter() - began:5.1f} s", flush=True)
        for error in tally.errors[:12]:
            print(f"    WRONG {error}")
        failed |= condition == "plain" and bool(tally.errors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
