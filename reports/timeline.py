"""A small drawing of one scenario: who said or did what when, in lanes on one time axis."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from evidence import events as e
from evidence.events import Record
from reports.sentences import sentence
from reports.text import html_text

MAX_MARKS = 400

_LANES = (
    ("bench", "bench"),
    ("device", "device"),
    ("instrument", "instruments"),
    ("camera", "camera"),
    ("software", "table software"),
    ("people", "dealer, players"),
)
_PEOPLE = ("dealer", "player", "operator")
_COLOURS = {
    "bench": "#6b4e9b",
    "device": "#1f6f8b",
    "instrument": "#7a7a2e",
    "camera": "#2f7d4f",
    "software": "#b0561a",
    "people": "#555f6b",
}
_LEFT, _RIGHT, _TOP, _LANE, _WIDTH = 128, 24, 34, 38, 960
_AXIS_NS = (10**5, 10**6, 10**7, 10**8, 10**9, 10**10, 10**11, 10**12, 10**13, 10**14, 10**15)
_LABEL_GAP = 30.0


@dataclass(frozen=True)
class _Scale:
    start_ns: int
    span_ns: int

    def x(self, mono_ns: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (mono_ns - self.start_ns) / self.span_ns


def timeline_svg(records: Sequence[Record], evidence: Collection[int]) -> bytes:
    """The drawing as SVG, UTF-8. Events in `evidence` and faults are large and say what they are; the rest are ticks.

    Link bytes are left to the transcript. Of more than `MAX_MARKS` events the evidence and faults are kept first.
    """
    shown = _choose([record for record in records if not isinstance(record.event, e.LinkBytes)], evidence)
    lanes = [lane for lane in _LANES if lane[0] != "instrument" or any(_lane(r) == "instrument" for r in shown)]
    height = _TOP + _LANE * len(lanes) + 34
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    scale = _scale(shown)
    parts += _evidence_span(shown, evidence, scale, height)
    parts += _axis(scale, height)
    for row, (lane, title) in enumerate(lanes):
        y = _TOP + _LANE * row + _LANE / 2
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDTH - _RIGHT}" y2="{y}" stroke="#d5d9de"/>')
        parts.append(f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end" fill="{_COLOURS[lane]}">{title}</text>')
        parts += _marks([r for r in shown if _lane(r) == lane], evidence, scale, y, _COLOURS[lane])
    if not shown:
        parts.append(
            f'<text x="{_LEFT + 10}" y="{_TOP - 12}" fill="#a02020">the journal holds no event of this scenario</text>'
        )
    return "".join([*parts, "</svg>"]).encode()


def _lane(record: Record) -> str:
    kind = record.source.partition(":")[0]
    return "people" if kind in _PEOPLE else kind if kind in _COLOURS else "bench"


def _choose(records: list[Record], evidence: Collection[int]) -> list[Record]:
    if len(records) <= MAX_MARKS:
        return records
    first = [r for r in records if r.seq in evidence or isinstance(r.event, e.FaultProven | e.FaultArmed)][:MAX_MARKS]
    seqs = {record.seq for record in first}
    rest = [record for record in records if record.seq not in seqs]
    room = MAX_MARKS - len(first)
    kept = rest[:: max(1, -(-len(rest) // room))] if room else []
    return sorted([*first, *kept], key=lambda record: record.seq)


def _scale(records: Iterable[Record]) -> _Scale:
    times = [record.mono_ns for record in records]
    return _Scale(min(times), max(1, max(times) - min(times))) if times else _Scale(0, 1)


def _axis(scale: _Scale, height: int) -> list[str]:
    unit = next((step for step in _AXIS_NS if scale.span_ns / step <= 10), _AXIS_NS[-1])
    step = next((unit * part // 10 for part in (1, 2, 5) if scale.span_ns / (unit * part // 10) <= 10), unit)
    parts = []
    for tick in range(int(scale.span_ns // step) + 1):
        x = scale.x(scale.start_ns + tick * step)
        parts.append(f'<line x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{height - 26}" stroke="#eceff2"/>')
        label = f"{tick * step / 1e9:g} s"
        parts.append(f'<text x="{x:.1f}" y="{height - 10}" text-anchor="middle" fill="#555f6b">{label}</text>')
    return parts


def _evidence_span(records: list[Record], evidence: Collection[int], scale: _Scale, height: int) -> list[str]:
    xs = [scale.x(record.mono_ns) for record in records if record.seq in evidence]
    if not xs:
        return []
    left, width = min(xs) - 8, max(xs) - min(xs) + 16
    return [f'<rect x="{left:.1f}" y="{_TOP - 8}" width="{width:.1f}" height="{height - _TOP - 20}" fill="#fbf3d9"/>']


def _marks(records: list[Record], evidence: Collection[int], scale: _Scale, y: float, colour: str) -> list[str]:
    parts, ticks, last_label, raised = [], [], -_LABEL_GAP, False
    for record in records:
        x = scale.x(record.mono_ns)
        loud = isinstance(record.event, e.FaultProven | e.FaultUnproven | e.DeviceFault | e.LinkFault)
        if not loud and record.seq not in evidence:
            ticks.append(f"M{x:.1f} {y - 6}v12")
            continue
        title = f"<title>#{record.seq} {html_text(record.source, 60)}: {html_text(sentence(record.event))}</title>"
        if loud:
            parts.append(f'<path d="M{x:.1f} {y - 8}l8 8l-8 8l-8 -8z" fill="#c0272d">{title}</path>')
        else:
            parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{colour}">{title}</circle>')
        if record.seq in evidence and (x - last_label >= _LABEL_GAP or not raised):
            raised = x - last_label < _LABEL_GAP
            label = f'x="{x:.1f}" y="{y + (17 if raised else -10)}"'
            parts.append(f'<text {label} text-anchor="middle" font-size="10">#{record.seq}</text>')
            last_label = last_label if raised else x
    path = f'<path d="{"".join(ticks)}" stroke="{colour}" stroke-width="2" opacity="0.55"/>'
    return [path, *parts] if ticks else parts
