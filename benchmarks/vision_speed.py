"""What the camera path costs: a rendered frame, an evidence picture, a look, and the other readings.

    python -m benchmarks.vision_speed [--rounds N] [--threads T] [--height PIXELS]

Prints the median and the 95th percentile in milliseconds of wall time, and the mean of processor time.
"""

import argparse
from collections.abc import Callable
from time import perf_counter, process_time

import cv2
import numpy as np

from vision.deck_from_faces import enrol_rendered
from vision.layout import standard_layout
from vision.pictures import encode_jpeg
from vision.reader import TableReader
from vision.scene import DEVICES, LABELS, Pile, Scene, SceneCard, SceneDie
from vision.synthetic.renderer import Renderer


def measure(name: str, act: Callable[[int], object], rounds: int) -> None:
    act(0)
    walls = []
    spent = process_time()
    for number in range(rounds):
        began = perf_counter()
        act(number + 1)
        walls.append((perf_counter() - began) * 1000)
    spent = (process_time() - spent) * 1000 / rounds
    middle, high = np.percentile(walls, [50, 95])
    print(f"{name:44s} median {middle:7.2f} ms   95 % {high:7.2f} ms   processor {spent:7.2f} ms", flush=True)


def hand(rng: np.random.Generator, count: int, up: bool) -> tuple[SceneCard, ...]:
    return tuple(SceneCard(str(label), up) for label in rng.permutation(LABELS)[:count])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1, help="threads that OpenCV may use")
    parser.add_argument("--height", type=int, default=720, help="of the camera's picture, 16 to 9")
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    rng = np.random.default_rng(1)
    layout = standard_layout().scaled((options.height * 16 // 9, options.height))
    began = perf_counter()
    renderer = Renderer(layout, 1, layout.size_px)
    print(f"{'a renderer for a table':44s} once   {(perf_counter() - began) * 1000:7.0f} ms")
    began = perf_counter()
    deck = enrol_rendered()
    print(f"{'enrolling the drawn deck':44s} once   {(perf_counter() - began) * 1000:7.0f} ms")
    reader = TableReader(layout, deck)

    seats = [name for name in layout.places if name.startswith("seat/")]
    piles = {seat: Pile(hand(rng, 7, up=False), "squared") for seat in seats}
    piles |= {"shoe_mouth": Pile(hand(rng, 7, up=False), "staggered"), "dealer": Pile(hand(rng, 7, up=True), "spread")}
    dice = (SceneDie(2, "flat"), SceneDie(5, "flat"), SceneDie(6, "flat"))
    full = Scene(piles, dice, False, frozenset(DEVICES), "seat/2")
    for label in LABELS:  # every card is drawn once before anything is timed
        renderer.frame(Scene({"burn": Pile((SceneCard(label, True),), "squared")}), 0)
    changing = [Scene({**piles, "seat/1": Pile(hand(rng, 7, up=True), "spread")}) for _ in range(options.rounds + 1)]
    frame = renderer.frame(full, 1)
    measure("frame, nothing changed", lambda n: renderer.frame(full, n), options.rounds)
    measure("frame, seven new cards at one place", lambda n: renderer.frame(changing[n], n), options.rounds)
    measure("evidence picture of a place (JPEG)", lambda _: reader.crop(frame, "dealer"), options.rounds)
    measure("look, empty place", lambda _: reader.look(frame, "burn"), options.rounds)
    measure("look, squared stack", lambda _: reader.look(frame, "seat/3"), options.rounds)
    measure("look, seven face down, staggered", lambda _: reader.look(frame, "shoe_mouth"), options.rounds)
    measure("look, seven face up, spread", lambda _: reader.look(frame, "dealer"), options.rounds)
    two = {place: Pile(hand(rng, 4, up=True), "spread") for place in ("dealer", "seat/3")}
    eight = renderer.frame(Scene(two), 2)
    measure("look, eight face up at two places", lambda _: [reader.look(eight, place) for place in two], options.rounds)
    measure("dice", lambda _: reader.dice(frame), options.rounds)
    measure("device", lambda _: reader.device(frame, "shoe"), options.rounds)
    measure("button", lambda _: reader.button(frame), options.rounds)
    measure("whole frame as JPEG for a stream", lambda _: encode_jpeg(frame, 90), options.rounds)


if __name__ == "__main__":
    main()
