"""A drawing of how runs went over time: one bar for each run, under the name of what was tested."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from reports.printable import printable
from reports.shape import mapping
from reports.text import html_text
from reports.wordbook import wordbook

WIDTH = 960
_LEFT, _ROW, _TOP, _BAR = 330, 34, 30, 16
_COLOURS = {"passed": "#2a7148", "failed": "#b3202a", "broken": "#b9820f", "skipped": "#9aa3ad"}
_FONT = "'Noto Sans', Helvetica, Arial, sans-serif"


def trend_svg(points: Sequence[Mapping[str, Any]], lang: str = "en") -> bytes:
    """The runs of a history, oldest first, as SVG: how many cases of each came to what."""
    rows = [_Row(point) for point in points]
    most = max((row.total for row in rows), default=0) or 1
    height = _TOP + _ROW * len(rows) + 26
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="12" y="18" fill="#55606d">{html_text(wordbook(lang).say("page", "trend_head"))}</text>',
    ]
    for number, row in enumerate(rows):
        parts += row.drawn(_TOP + _ROW * number, (WIDTH - _LEFT - 60) / most)
    return "".join([*parts, "</svg>"]).encode()


class _Row:
    def __init__(self, point: Mapping[str, Any]) -> None:
        self.name = str(point.get("name") or "")
        stamp = point.get("timestamp")
        self.day = ""
        if isinstance(stamp, int) and 0 < stamp < 32_503_680_000_000:
            self.day = datetime.fromtimestamp(stamp / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        results = mapping(point.get("testResults")).values()
        self.counts = Counter(str(mapping(result).get("status")) for result in results)

    @property
    def total(self) -> int:
        return sum(self.counts[status] for status in _COLOURS)

    def drawn(self, y: float, scale: float) -> list[str]:
        name = html_text(printable(self.name, 46))
        parts = [
            f'<text x="12" y="{y + 13}" fill="#17202b">{name}</text>',
            f'<text x="12" y="{y + 26}" fill="#55606d" font-size="10">{html_text(self.day)}</text>',
        ]
        x = float(_LEFT)
        for status, colour in _COLOURS.items():
            count = self.counts[status]
            if count:
                wide = count * scale
                parts.append(f'<rect x="{x:.1f}" y="{y + 4}" width="{wide:.1f}" height="{_BAR}" fill="{colour}"/>')
                if wide > 9 * len(str(count)):
                    middle = x + wide / 2
                    parts.append(
                        f'<text x="{middle:.1f}" y="{y + 16}" text-anchor="middle" fill="#ffffff" font-size="11">'
                        f"{count}</text>"
                    )
                x += wide
        return parts
