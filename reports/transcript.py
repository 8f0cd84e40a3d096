"""The part of the record around the evidence, as plain text: link bytes, messages and observations, line by line."""

from collections.abc import Collection, Sequence

from evidence.events import Record
from reports.sentences import sentence
from reports.text import plural, visible

MAX_LINES = 160


def transcript_excerpt(records: Sequence[Record], evidence: Collection[int], around: int = 6) -> str:
    """Lines `seq  time  source  what`, evidence marked with `>`, with `around` neighbours on either side.

    `records` is one scenario in journal order; times are seconds since its first record. At most `MAX_LINES` lines;
    gaps and cuts say how many records they leave out.
    """
    if not records:
        return "The journal holds no record of this scenario.\n"
    marked = [position for position, record in enumerate(records) if record.seq in evidence]
    wanted = sorted({p for m in marked for p in range(max(0, m - around), min(len(records), m + around + 1))})
    wanted = wanted or list(range(min(len(records), MAX_LINES)))
    if len(wanted) > MAX_LINES:
        near = [p for p in wanted if p in marked][:MAX_LINES]
        rest = [p for p in wanted if p not in set(near)]
        wanted = sorted([*near, *rest[: MAX_LINES - len(near)]])
    start_ns, lines, previous = records[0].mono_ns, [], -1
    for position in wanted:
        lines += _gap(position - previous - 1)
        lines.append(_line(records[position], start_ns, records[position].seq in evidence))
        previous = position
    lines += _gap(len(records) - previous - 1)
    return "\n".join(lines) + "\n"


def _gap(count: int) -> list[str]:
    return [f"          … {plural(count, 'record')} …"] if count > 0 else []


def _line(record: Record, start_ns: int, marked: bool) -> str:
    time_s = (record.mono_ns - start_ns) / 1e9
    who = visible(record.source, 30)
    return f"{'>' if marked else ' '} {record.seq:>6}  {time_s:>11.6f} s  {who:<20} {sentence(record.event)}"
