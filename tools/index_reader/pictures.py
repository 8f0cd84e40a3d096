"""Draw the pictures on which the index reader is trained.

    python tools/index_reader/pictures.py OUT --fonts DIR --shards 8 --first 0 --each 4000

Each shard holds square pictures of drawn decks and where their indices lie. Letterings come from the font files of a
folder; the seeds of decks from 0 on are for training only, those that measure begin at five million.

The networks that are shipped were trained with the Debian packages fonts-adf-accanthis, -adf-baskervald, -adf-berenis,
-adf-gillius, -adf-mekanus, -adf-romande, -adf-switzera, -adf-tribun, -adf-universalis, -allerta, -arkpandora,
-averia-serif-gwf, -bebas-neue, -cabin, -cmu, -courier-prime, -crosextra-caladea, -crosextra-carlito, -dejavu-extra,
-dosis, -dustin, -ebgaramond-extra, -engadget, -fanwood, -firacode, -freefont-ttf, -georgewilliams, -gfs-bodoni-classic,
-gfs-didot, -goudybookletter, -hack, -inter, -junicode, -karla, -lato, -league-spartan, -liberation, -lindenhill,
-linuxlibertine, -oldstandard, -open-sans, -play, -prociono, -quattrocento, -roboto-slab, -roboto-unhinted, -sil-andika,
-sil-charis, -sil-gentium-basic, -stix, -symbola, -texgyre, -tiresias, -tuffy, -ubuntu-title, -urw-base35, -vollkorn and
-yanone-kaffeesatz, unpacked into one folder.
"""

import argparse
import re
from pathlib import Path

import cv2
import numpy as np

from vision.indices.letters import LETTERS, SUITS
from vision.synthetic.decks.design import INDEX_LETTERS, DeckDesign, deck_design
from vision.synthetic.decks.scenes import CardTruth, photographed, random_crop

SIDE = 192
INDEX_PX = (15.0, 60.0)
MOST_INDICES = 16
FIELDS = 8
"""x, y, up x, up y, height, letters, suit, visible."""
_UNLIKE_CARDS = re.compile(
    r"italic|oblique|It\.|BI\.|thin|hairline|extralight|mono|symbol|D050000L|initials|biolinum_K|integrals|size|mirage|"
    r"MarkedFool|Winks|Wargames|Penguin|Junkyard|flatline|progenisis|balker|chorus|Z003|Variants|NonUnicode|cmuni|cmunt|"
    r"unorm|summersby|El_Abog|Domestic|blankenburg|radis|Century-Cat|Math|cmunui|smallcaps",
    re.IGNORECASE,
)
"""Font files whose letters are slanted, faint, or no letters at all."""
_DESIGNS_AT_ONCE = 24
_PICTURES_OF_THEM = 200


def font_files(folder: Path) -> list[Path]:
    """The fonts below a folder that might letter a card, in a fixed order."""
    files = [file for kind in ("ttf", "otf") for file in folder.rglob(f"*.{kind}")]
    return sorted((file for file in files if not _UNLIKE_CARDS.search(file.name)), key=lambda file: file.name)


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
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"), help="folder of font files")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--each", type=int, default=4000)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    fonts = font_files(options.fonts)
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
        np.savez(options.out / f"part-{shard:03d}.npz", images=images, rows=rows)
        (options.out / f"part-{shard:03d}.npz").rename(options.out / f"shard-{shard:03d}.npz")
        print(f"shard {shard}", flush=True)


def _language(rng: np.random.Generator) -> str:
    return "en" if rng.random() < 0.6 else str(rng.choice(list(INDEX_LETTERS)))


if __name__ == "__main__":
    main()
