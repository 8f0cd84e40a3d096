"""The part of the record around the evidence, as plain text: link bytes, messages and observations, line by line."""

from collections.abc import Collection, Sequence

from evidence.events import Record
from reports.sentences import sentence
from reports.text import visible
from reports.wordbook import Wordbook, wordbook

MAX_LINES = 160


def transcript_excerpt(records: Sequence[Record], evidence: Collection[int], around: int = 6, lang: str = "en") -> str:
    """Lines `seq  time  source  what`, evidence marked with `>`, with `around` neighbours on either side.

    `records` is one scenario in journal order; times are seconds since its first record. At most `MAX_LINES` lines;
    gaps and cuts say how many records they leave out.
    """
    words = wordbook(lang)
    if not records:
        return words.say("transcript", "empty") + "\n"
    places = {record.seq: position for position, record in enumerate(records)}
    start_ns, lines, previous = records[0].mono_ns, [], -1
    for record in neighbourhood(records, evidence, MAX_LINES, around):
        position = places[record.seq]
        lines += _gap(position - previous - 1, words)
        lines.append(_line(record, start_ns, record.seq in evidence, lang))
        previous = position
    lines += _gap(len(records) - previous - 1, words)
    return "\n".join(lines) + "\n"


def neighbourhood(records: Sequence[Record], evidence: Collection[int], limit: int, margin: int) -> list[Record]:
    """The evidence with its neighbours, in order, at most `limit` records; the beginning where there is no evidence."""
    marked = [position for position, record in enumerate(records) if record.seq in evidence]
    wanted = sorted({p for m in marked for p in range(max(0, m - margin), min(len(records), m + margin + 1))})
    wanted = wanted or list(range(min(len(records), limit)))
    if len(wanted) > limit:
        near = marked[:limit]
        rest = [position for position in wanted if position not in set(near)]
        wanted = sorted([*near, *rest[: limit - len(near)]])
    return [records[position] for position in wanted]


def _gap(count: int, words: Wordbook) -> list[str]:
    return [f"          … {words.count(count, 'record')} …"] if count > 0 else []


def _line(record: Record, start_ns: int, marked: bool, lang: str) -> str:
    time_s = (record.mono_ns - start_ns) / 1e9
    who = visible(record.source, 30)
    return f"{'>' if marked else ' '} {record.seq:>6}  {time_s:>11.6f} s  {who:<20} {sentence(record.event, lang)}"
