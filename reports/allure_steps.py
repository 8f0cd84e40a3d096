"""The four steps of an Allure test: inject, observe, obligation and verdict, with what is attached to each."""

from collections.abc import Sequence

from evidence import events as e
from evidence.events import Record
from reports.animation import scenario_animation
from reports.clauses import ClauseText
from reports.faults import injected_faults
from reports.frames import load_frame
from reports.run_view import RunView, VerdictRow
from reports.sentences import sentence
from reports.story import Attachment, Status, Step, status_of
from reports.text import TEXT_LIMIT, visible
from reports.timeline import timeline_svg
from reports.transcript import transcript_excerpt
from reports.wordbook import Wordbook

_PAGE_BUDGET_BYTES = 8 * 1024 * 1024
_FRAME_MIN_BYTES, _FRAME_MAX_BYTES, _FRAMES_MAX = 10 * 1024, 64 * 1024, 6
_DETAILS_MAX = 40


def steps_of(
    run: RunView, rows: Sequence[VerdictRow], text: ClauseText, words: Wordbook, *, animated: bool
) -> tuple[Step, ...]:
    """The steps of the verdicts on one clause in one scenario, the gravest first in `rows`."""
    records = run.records.of_scenario(rows[0].scenario)
    evidence = frozenset(seq for row in rows for seq in row.evidence)
    told = tuple(run.records.get(seq) or seq for seq in sorted(evidence))
    verdict = _verdict(rows, records, evidence, words)
    if animated and (moving := scenario_animation(run.folder, records, evidence)):
        paper = Attachment(words.say("page", "animation"), "image/webp", moving)
        verdict = Step(verdict.name, verdict.status, verdict.detail, (*verdict.attachments, paper))
    most = _frames_max(run, status_of(rows[0].verdict))
    return (
        _inject(run, records, words, most),
        _observe(run, told, words, most),
        _obligation(rows, text, told, records, words),
        verdict,
    )


def _inject(run: RunView, records: Sequence[Record], words: Wordbook, most: int) -> Step:
    faults = injected_faults(records)
    if not faults:
        return Step(words.say("page", "inject_none"), "passed")
    told: list[Record | int] = []
    for one in faults:
        told += [record for record in (one.armed, one.outcome) if record]
        if one.outcome and isinstance(one.outcome.event, e.FaultProven):
            told += [run.records.get(seq) or seq for seq in one.outcome.event.by]
    lines, pictures = _tell(run, told, words, most)
    named = dict.fromkeys(
        words.say("page", "fault_on", fault=visible(one.fault, 60), target=visible(one.target, 40)) for one in faults
    )
    proven = all(one.proven for one in faults)
    name = words.say("page", "inject_proven" if proven else "inject_unproven", faults=", ".join(named))
    return Step(name, "passed" if proven else "broken", lines, pictures)


def _observe(run: RunView, told: Sequence[Record | int], words: Wordbook, most: int) -> Step:
    if not told:
        return Step(words.say("page", "observe_none"), "skipped")
    seen = [item for item in told if isinstance(item, int) or not isinstance(item.event, e.Directive)]
    lost = sum(isinstance(item, int) for item in told)
    lines, pictures = _tell(run, seen, words, most)
    name = words.say("page", "observe", records=len(seen), lost=lost)
    return Step(name, "broken" if lost else "passed", lines, pictures)


def _obligation(
    rows: Sequence[VerdictRow],
    text: ClauseText,
    told: Sequence[Record | int],
    records: Sequence[Record],
    words: Wordbook,
) -> Step:
    orders = [item for item in told if isinstance(item, Record) and isinstance(item.event, e.Directive)]
    said = text.words(words.lang) or words.say("page", "no_wording")
    lines = [f"{visible(row.requirement, 80)}: {visible(row.verdict, 40)}" for row in rows if row.requirement]
    lines += [_line(order, words) for order in orders[:_DETAILS_MAX]]
    if not orders:
        among = sum(isinstance(record.event, e.Directive) for record in records)
        lines.append(words.say("page", "no_directive", orders=among))
    name = words.say("page", "obligation", words=visible(said, 240))
    return Step(name, status_of(rows[0].verdict), tuple(lines))


def _verdict(rows: Sequence[VerdictRow], records: Sequence[Record], evidence: frozenset[int], words: Wordbook) -> Step:
    excerpt = transcript_excerpt(records, evidence, lang=words.lang).encode()
    papers = (
        Attachment(words.say("page", "timeline"), "image/svg+xml", timeline_svg(records, evidence, words.lang)),
        Attachment(words.say("page", "transcript"), "text/plain", excerpt),
    )
    lines = tuple(f"{visible(row.verdict, 40)}: {visible(row.sentence(words.lang), TEXT_LIMIT)}" for row in rows[1:])
    lead = rows[0]
    name = words.say(
        "page", "verdict", verdict=visible(lead.verdict, 40), reason=visible(lead.sentence(words.lang), 600)
    )
    return Step(name, status_of(lead.verdict), lines, papers)


def _line(item: Record | int, words: Wordbook) -> str:
    if isinstance(item, int):
        return words.say("page", "record_missing", record=item)
    return f"#{item.seq} {visible(item.source, 60)}: {sentence(item.event, words.lang)}"


def _tell(
    run: RunView, items: Sequence[Record | int], words: Wordbook, most: int
) -> tuple[tuple[str, ...], tuple[Attachment, ...]]:
    """A line for each record and the pictures they name; what cannot be shown becomes a line saying so."""
    lines, pictures = [_line(item, words) for item in items[:_DETAILS_MAX]], []
    if len(items) > _DETAILS_MAX:
        lines.append(words.say("page", "more_records", count=len(items) - _DETAILS_MAX))
    named: dict[str, Record] = {}
    for item in items:
        if isinstance(item, Record) and (sha256 := str(getattr(item.event, "frame", ""))):
            named.setdefault(sha256, item)
    for sha256, record in list(named.items())[:most]:
        frame = load_frame(run.folder, sha256, _frame_bytes(run))
        if frame.trouble:
            lines.append(words.say("page", "picture_missing", record=record.seq, trouble=frame.trouble))
        else:
            taken = "" if frame.annotated else f" {words.say('page', 'as_taken')}"
            name = f"#{record.seq} {sentence(record.event, words.lang)}{taken}"
            pictures.append(Attachment(visible(name, 160), "image/jpeg", frame.data))
    if len(named) > most:
        lines.append(words.say("page", "more_pictures", count=len(named) - most))
    return tuple(lines), tuple(pictures)


def _frame_bytes(run: RunView) -> int:
    """What one picture may take, so that the page of a long run does not become too heavy to open."""
    share = _PAGE_BUDGET_BYTES // (3 * max(1, len(run.scenarios_judged)))
    return max(_FRAME_MIN_BYTES, min(_FRAME_MAX_BYTES, share))


def _frames_max(run: RunView, status: Status) -> int:
    """How many pictures a step may show. Where there are very many cases, those that did not fail show fewer."""
    share = _PAGE_BUDGET_BYTES // (_FRAME_MIN_BYTES * max(1, len(run.scenarios_judged)))
    return _FRAMES_MAX if status in ("failed", "broken") else max(1, min(_FRAMES_MAX, share))
