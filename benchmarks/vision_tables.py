"""Cards, counts, dice, devices and the button of random tables, through fifteen ways in which a picture may be spoilt.

    python -m benchmarks.vision_tables [--tables N] [--first-seed S] [--condition NAME ...]

The deck is the one that cardcert draws. Prints one line for each condition: right, wrong, abstained. What is wrong is
also printed with its seed and place. Exit status 1 if anything was in the plain condition.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from time import perf_counter

import cv2
import numpy as np

from benchmarks.accuracy.scoring import random_table
from vision.deck_from_faces import enrol_rendered
from vision.faces import LEAST_INDEX_GAP_MM
from vision.layout import standard_layout
from vision.pictures import Picture, u8
from vision.reader import TableReader
from vision.readings import DiceReading, PlaceReading
from vision.scene import DICE_POSES, Pile, Scene
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="random tables for each condition")
    parser.add_argument("--first-seed", type=int, default=500_000)
    parser.add_argument("--condition", action="append", choices=list(CONDITIONS), help="only these")
    options = parser.parse_args()
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
