"""Draw the pictures on which the index reader is trained.

    python tools/index_reader/pictures.py OUT --shards 8 --first 0 --each 4000

Each shard holds square pictures of drawn decks and where their indices lie. Letterings come from the font files that
this machine has, beside those that every machine has; seeds from 0 on are for training only.
"""

import argparse
from pathlib import Path

import numpy as np

from vision.synthetic.decks.design import INDEX_LETTERS, DeckDesign, deck_design
from vision.synthetic.decks.scenes import CardTruth, photographed, random_crop

SIDE = 192
INDEX_PX = (15.0, 60.0)
MOST_INDICES = 16
LETTERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "R", "D", "V", "B", "F", "C", "S", "1")
"""What an index can say. Which of them a deck uses is for its language to say."""
SUITS = "cdhs"
FIELDS = 8
"""x, y, up x, up y, height, letters, suit, visible."""
_FAMILIES = ("DejaVu", "Liberation", "NotoSans-", "NotoSerif-", "NotoSerifDisplay-")
_DESIGNS_AT_ONCE = 24
_PICTURES_OF_THEM = 200


def font_files() -> list[Path]:
    """Latin fonts of this machine, in a fixed order."""
    files = sorted(Path("/usr/share/fonts/truetype").glob("*/*.ttf"))
    return [file for file in files if any(family in file.name for family in _FAMILIES)]


def truths(cards: list[CardTruth], side: int) -> np.ndarray:
    rows = np.zeros((MOST_INDICES, FIELDS), np.float32)
    rows[:, 5] = -1
    seen = [i for card in cards for i in card.indices if i.visible > 0.2 and 0 <= i.x < side and 0 <= i.y < side]
    for row, index in zip(rows, sorted(seen, key=lambda i: -i.visible), strict=False):
        letters, suit = LETTERS.index(index.letters), SUITS.index(index.suit)
        row[:] = (index.x, index.y, *index.up, index.height_px, letters, suit, index.visible)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--each", type=int, default=4000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    fonts = font_files()
    for shard in range(options.first, options.first + options.shards):
        rng = np.random.default_rng((shard, 71))
        images = np.empty((options.each, SIDE, SIDE, 3), np.uint8)
        rows = np.empty((options.each, MOST_INDICES, FIELDS), np.float32)
        designs: list[DeckDesign] = []
        for k in range(options.each):
            if k % _PICTURES_OF_THEM == 0:
                start = (shard * options.each + k) // _PICTURES_OF_THEM * _DESIGNS_AT_ONCE
                designs = [deck_design(start + n, fonts, _language(rng)) for n in range(_DESIGNS_AT_ONCE)]
            picture, cards = random_crop(rng, designs, SIDE, INDEX_PX)
            images[k] = photographed(rng, picture, float(rng.uniform(0.2, 1)))
            rows[k] = truths(cards, SIDE)
        np.savez(options.out / f"shard-{shard:03d}.npz", images=images, rows=rows)
        print(f"shard {shard}", flush=True)


def _language(rng: np.random.Generator) -> str:
    return "en" if rng.random() < 0.6 else str(rng.choice(list(INDEX_LETTERS)))


if __name__ == "__main__":
    main()
