"""A drawing of one scenario on one time axis: bench, device, instruments, camera, table software and people in lanes.

Above stands the whole scenario as a strip; below it the part around the evidence, enlarged.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evidence import events as e
from evidence.events import Record
from reports.marks import label_of, lane_of
from reports.printable import printable
from reports.sentences import sentence
from reports.text import html_text
from reports.wordbook import Wordbook, wordbook

MAX_MARKS = 400
LANES = ("bench", "device", "instrument", "camera", "software", "people")
COLOURS = {
    "bench": "#6b4e9b",
    "device": "#1f6f8b",
    "instrument": "#6d6a1f",
    "camera": "#2a7148",
    "software": "#a34d12",
    "people": "#555f6b",
}
WIDTH = 960
_LEFT, _RIGHT, _STRIP, _LANE, _AXIS = 128, 34, 40, 44, 26
_UNITS_NS = tuple(10**power for power in range(3, 16))
_LETTER_PX = 5.7
_FONT = "'Noto Sans', Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class _Scale:
    start_ns: int
    span_ns: int

    def x(self, mono_ns: int) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (mono_ns - self.start_ns) / self.span_ns

    def holds(self, mono_ns: int) -> bool:
        return self.start_ns <= mono_ns <= self.start_ns + self.span_ns


def timeline_svg(records: Sequence[Record], evidence: Collection[int], lang: str = "en") -> bytes:
    """The drawing as SVG, UTF-8. Events in `evidence` and faults are large and say what they are; the rest are ticks.

    Link bytes are left to the transcript. Of more than `MAX_MARKS` events the evidence and faults are kept first.
    """
    words = wordbook(lang)
    shown = _choose([record for record in records if not isinstance(record.event, e.LinkBytes)], evidence)
    whole, close = _scales(shown, evidence)
    within = [record for record in shown if close.holds(record.mono_ns)]
    present = {lane_of(record) for record in shown}
    lanes = [lane for lane in LANES if lane != "instrument" or lane in present]
    top = _STRIP if close != whole else 12
    height = top + _LANE * len(lanes) + _AXIS
    parts = [_head(height)]
    if close != whole:
        parts += _strip(shown, whole, close, words)
    parts += _axis(close, whole.start_ns, top, height)
    for row, lane in enumerate(lanes):
        y = top + _LANE * row + _LANE / 2
        title = html_text(words.say("lane", lane), 40)
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{WIDTH - _RIGHT}" y2="{y}" stroke="#d5d9de"/>')
        parts.append(f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end" fill="{COLOURS[lane]}">{title}</text>')
        parts += _marks([r for r in within if lane_of(r) == lane], evidence, close, y, COLOURS[lane], lang)
    if not shown:
        said = html_text(words.say("timeline", "empty"))
        parts.append(f'<text x="{_LEFT + 10}" y="{top + 14}" fill="#a02020">{said}</text>')
    return "".join([*parts, "</svg>"]).encode()


def _head(height: int) -> str:
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}" font-size="12">'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    )


def _choose(records: list[Record], evidence: Collection[int]) -> list[Record]:
    if len(records) <= MAX_MARKS:
        return records
    first = [r for r in records if r.seq in evidence or isinstance(r.event, e.FaultProven | e.FaultArmed)][:MAX_MARKS]
    seqs = {record.seq for record in first}
    rest = [record for record in records if record.seq not in seqs]
    room = MAX_MARKS - len(first)
    kept = rest[:: max(1, -(-len(rest) // room))] if room else []
    return sorted([*first, *kept], key=lambda record: record.seq)


def _scales(records: Sequence[Record], evidence: Collection[int]) -> tuple[_Scale, _Scale]:
    """The whole scenario, and the part around the evidence; twice the same where that is most of it."""
    times = [record.mono_ns for record in records]
    if not times:
        return _Scale(0, 1), _Scale(0, 1)
    whole = _Scale(min(times), max(1, max(times) - min(times)))
    marked = [record.mono_ns for record in records if record.seq in evidence]
    if not marked:
        return whole, whole
    margin = max((max(marked) - min(marked)) // 8, whole.span_ns // 100, 1)
    start = max(whole.start_ns, min(marked) - margin)
    end = min(whole.start_ns + whole.span_ns, max(marked) + margin)
    close = _Scale(start, max(1, end - start))
    return (whole, close) if close.span_ns < 0.7 * whole.span_ns else (whole, whole)


def _strip(records: Sequence[Record], whole: _Scale, close: _Scale, words: Wordbook) -> list[str]:
    left, right = whole.x(close.start_ns), whole.x(close.start_ns + close.span_ns)
    wide = max(2.0, right - left)
    ticks = "".join(f"M{x}v10" for x in dict.fromkeys(f"{whole.x(record.mono_ns):.1f} 7" for record in records))
    title = html_text(words.say("timeline", "whole"), 40)
    window, beams = 'fill="#f3d98b" fill-opacity="0.45" stroke="#b58a17"', 'stroke="#d9c58a" stroke-dasharray="3 3"'
    down = f"M{left:.1f} 21L{_LEFT} {_STRIP - 2}M{right:.1f} 21L{WIDTH - _RIGHT} {_STRIP - 2}"
    return [
        f'<text x="{_LEFT - 12}" y="16" text-anchor="end" fill="#555f6b" font-size="11">{title}</text>',
        f'<path d="{ticks}" stroke="#9aa3ad" stroke-width="1"/>',
        f'<path d="M{left:.1f} 3h{wide:.1f}v18h-{wide:.1f}z" {window}/>',
        f'<path d="{down}" {beams}/>',
    ]


def _axis(scale: _Scale, zero_ns: int, top: int, height: int) -> list[str]:
    unit = next((step for step in _UNITS_NS if scale.span_ns / step <= 10), _UNITS_NS[-1])
    step = next((unit * part // 10 for part in (1, 2, 5) if scale.span_ns / (unit * part // 10) <= 10), unit)
    begin = scale.start_ns - zero_ns
    parts = []
    for tick in range(-(-begin // step), (begin + scale.span_ns) // step + 1):
        x = scale.x(zero_ns + tick * step)
        parts.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{height - 22}" stroke="#eceff2"/>')
        label = f"{tick * step / 1e9:.9g} s"
        parts.append(
            f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle" fill="#555f6b" font-size="11">{label}</text>'
        )
    return parts


def _marks(
    records: list[Record], evidence: Collection[int], scale: _Scale, y: float, colour: str, lang: str
) -> list[str]:
    parts, ticks = [], []
    ends = {-10.0: 0.0, 19.0: 0.0}  # where the last label above and below the lane ends
    for record in records:
        x = scale.x(record.mono_ns)
        loud = isinstance(record.event, e.FaultProven | e.FaultUnproven | e.DeviceFault | e.LinkFault)
        if not loud and record.seq not in evidence:
            ticks.append(f"M{x:.1f} {y - 6}v12")
            continue
        told = html_text(sentence(record.event, lang))
        title = f"<title>#{record.seq} {html_text(record.source, 60)}: {told}</title>"
        if loud:
            parts.append(f'<path d="M{x:.1f} {y - 8}l8 8l-8 8l-8 -8z" fill="#b3202a">{title}</path>')
        else:
            parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{colour}">{title}</circle>')
        parts += _label(record, x, y, ends)
    path = f'<path d="{"".join(ticks)}" stroke="{colour}" stroke-width="2" opacity="0.55"/>'
    return [path, *parts] if ticks else parts


def _label(record: Record, x: float, y: float, ends: dict[float, float]) -> list[str]:
    """The label of a mark where it has room: its number and a word, or its number alone, above or below."""
    number = f"#{record.seq}"
    for text in (f"{number} {printable(label_of(record.event), 24)}".strip(), number):
        half = len(text) * _LETTER_PX / 2
        middle = min(max(x, _LEFT + half - 8), WIDTH - half - 2)
        for offset, end in ends.items():
            if middle - half >= end:
                ends[offset] = middle + half + 6
                place = f'x="{middle:.1f}" y="{y + offset:.1f}"'
                return [
                    f'<text {place} text-anchor="middle" font-size="10" fill="#1b2430">{html_text(text, 60)}</text>'
                ]
    return []
