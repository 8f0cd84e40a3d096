"""Makes the CJK font of the certificate: Noto Sans CJK, cut down to the characters of four national standards.

    python tools/subset_cjk_font.py NotoSansCJK-Regular.ttc reports/fonts/NotoSansCJK-Regular.otf

Needs fontTools (`pip install fonttools`), which nothing else here does. The characters are those of JIS X 0208,
GB 2312, Big5 level 1 and KS X 1001 from U+2E80 on; whatever stands outside is spelt out in print.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset  # type: ignore[import-not-found]

FIRST = 0x2E80
UNUSED_TABLES = ["GSUB", "GPOS", "BASE", "VORG", "vhea", "vmtx"]


def characters(encoding: str, leads: Iterable[int], trails: Iterable[int]) -> set[str]:
    """Every character that a double-byte encoding holds between these bytes."""
    found: set[str] = set()
    tails = list(trails)
    for lead in leads:
        for trail in tails:
            try:
                found.update(bytes([lead, trail]).decode(encoding))
            except UnicodeDecodeError:
                continue
    return found


def main(source: Path, target: Path) -> None:
    """Write the subset of the first font of a collection."""
    upper = range(0xA1, 0xFF)
    wanted = characters("euc_jp", upper, upper) | characters("gb2312", range(0xA1, 0xF8), upper)
    wanted |= characters("big5", range(0xA1, 0xC7), [*range(0x40, 0x7F), *upper])
    wanted |= characters("euc_kr", range(0xB0, 0xC9), upper)
    options = subset.Options()
    options.layout_features, options.hinting, options.name_IDs, options.notdef_outline = [], False, ["*"], True
    options.drop_tables += UNUSED_TABLES
    options.font_number = 0
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=sorted(ord(one) for one in wanted if ord(one) >= FIRST))
    cutter.subset(font)
    subset.save_font(font, str(target), options)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
