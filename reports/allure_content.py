"""What one Allure test shows: one clause judged in one scenario, as inject, observe, obligation and verdict."""

from collections.abc import Sequence

from evidence import events as e
from evidence.events import Record
from reports.allure_emit import emit
from reports.clauses import ClauseText
from reports.faults import injected_faults
from reports.frames import load_frame
from reports.run_view import RunView, VerdictRow
from reports.sentences import sentence
from reports.shape import mapping, mappings
from reports.story import Attachment, ClauseStory, Step, gravest, status_of
from reports.text import TEXT_LIMIT, html_text, plural, visible
from reports.timeline import timeline_svg
from reports.transcript import transcript_excerpt
from reports.unjudged import MISSING

__all__ = ["Attachment", "ClauseStory", "Step", "describe_clause", "emit", "status_of"]

_PAGE_BUDGET_BYTES = 6 * 1024 * 1024
_FRAME_MIN_BYTES, _FRAME_MAX_BYTES, _FRAMES_MAX = 16 * 1024, 64 * 1024, 6
_DETAILS_MAX = 40


def describe_clause(run: RunView, scenario_id: str, clause_id: str) -> ClauseStory:
    """The story of one clause in one scenario. What is missing is told as missing; nothing here judges.

    Where several requirements of the clause were judged, the story shows each and carries the gravest of them.
    """
    rows = run.rows(scenario_id, clause_id) or (_no_verdict(scenario_id, clause_id),)
    lead = gravest(rows, lambda row: row.verdict)
    rows = (lead, *(row for row in rows if row is not lead))
    records = run.records.of_scenario(scenario_id)
    text = run.clauses.get(clause_id) or ClauseText(clause_id, lead.pack, "", "")
    pack_id = lead.pack or text.pack or run.scenario(scenario_id).get("pack") or "pack not stated"
    pack = run.pack(pack_id)
    title = run.scenario(scenario_id).get("title") or _started_title(records) or scenario_id
    words = text.words("en")
    return ClauseStory(
        title=f"{visible(clause_id, 60)}: {visible(title, 120)}",
        authority=visible(pack.get("authority") or text.authority or "authority not stated", 120),
        pack=visible(pack_id, 80),
        clause=f"{visible(clause_id, 60)} {visible(words, 110)}".strip(),
        severity="critical" if status_of(lead.verdict) == "failed" else "normal",
        description_html=_description(rows, text, run, scenario_id),
        labels=_labels(run),
        steps=_steps(run, rows, text, records),
        verdict=visible(lead.verdict, 40),
        reason=visible(lead.reason, TEXT_LIMIT) or "no reason stands in verdicts.json",
        status=status_of(lead.verdict),
        scenario_id=scenario_id,
        clause_id=clause_id,
        execution=visible(f"{pack_id} / {clause_id} / {scenario_id}", 240),
    )


def _no_verdict(scenario: str, clause: str) -> VerdictRow:
    reason = "No verdict on this clause in this scenario stands in verdicts.json."
    return VerdictRow(scenario=scenario, pack="", clause=clause, verdict=MISSING, reason=reason)


def _started_title(records: Sequence[Record]) -> str:
    return next((record.event.title for record in records if isinstance(record.event, e.ScenarioStarted)), "")


def _labels(run: RunView) -> tuple[tuple[str, str], ...]:
    labels = [("plan", visible(mapping(run.run.get("plan")).get("name") or "not stated", 80))]
    for device in mappings(run.run.get("devices")):
        named = " ".join(visible(device.get(key), 60) for key in ("maker", "model") if device.get(key))
        labels.append(("device", named or visible(device.get("device") or "not stated", 60)))
        labels.append(("firmware", visible(device.get("firmware") or "not stated", 60)))
    return tuple(dict.fromkeys(labels))


def _description(rows: Sequence[VerdictRow], text: ClauseText, run: RunView, scenario: str) -> str:
    parts = [f"<p><b>{html_text(row.verdict, 40)}</b> {html_text(row.reason, TEXT_LIMIT)}</p>" for row in rows]
    for lang, words in text.meaning.items():
        parts.append(f'<blockquote lang="{html_text(lang, 12)}">{html_text(words, TEXT_LIMIT)}</blockquote>')
    if not text.meaning:
        parts.append("<p>The wording of this clause is not at hand: its pack is not installed.</p>")
    if not text.exact:
        parts.append("<p>This wording is that of the installed pack, which is not the one that was judged with.</p>")
    pack = run.pack(rows[0].pack)
    facts = [("Citation", text.citation or pack.get("citation")), ("Pack version", pack.get("version"))]
    facts += [("Pack SHA-256", pack.get("sha256")), ("Scenario", scenario)]
    facts += [("Alternatives", ", ".join(alternative for row in rows for alternative in row.alternatives))]
    facts += [
        (f"Policy {name}", value) for name, value in sorted({k: v for r in rows for k, v in r.policies.items()}.items())
    ]
    cells = "".join(f"<tr><th>{html_text(name)}</th><td>{html_text(value)}</td></tr>" for name, value in facts if value)
    return "".join([*parts, f"<table>{cells}</table>"])


def _steps(run: RunView, rows: Sequence[VerdictRow], text: ClauseText, records: Sequence[Record]) -> tuple[Step, ...]:
    evidence = frozenset(seq for row in rows for seq in row.evidence)
    told = tuple(run.records.get(seq) or seq for seq in sorted(evidence))
    return (
        _inject(run, records),
        _observe(run, told),
        _obligation(rows, text, told, records),
        _verdict(rows, records, evidence),
    )


def _inject(run: RunView, records: Sequence[Record]) -> Step:
    faults = injected_faults(records)
    if not faults:
        return Step("Inject: nothing, this scenario runs without a fault", "passed")
    told: list[Record | int] = []
    for one in faults:
        told += [record for record in (one.armed, one.outcome) if record]
        if one.outcome and isinstance(one.outcome.event, e.FaultProven):
            told += [run.records.get(seq) or seq for seq in one.outcome.event.by]
    lines, pictures = _tell(run, told)
    named = ", ".join(dict.fromkeys(f"{visible(one.fault, 60)} on {visible(one.target, 40)}" for one in faults))
    if all(one.proven for one in faults):
        return Step(f"Inject: {named}, proven", "passed", lines, pictures)
    return Step(f"Inject: {named}, not proven to have happened", "broken", lines, pictures)


def _observe(run: RunView, told: Sequence[Record | int]) -> Step:
    seen = [item for item in told if isinstance(item, int) or not isinstance(item.event, e.Directive)]
    lost = [item for item in told if isinstance(item, int)]
    lines, pictures = _tell(run, seen)
    if not told:
        return Step("Observe: the verdict names no evidence", "skipped")
    name = f"Observe: {plural(len(seen), 'record')} of evidence"
    name += f", {len(lost)} missing from the journal" if lost else ""
    return Step(name, "broken" if lost else "passed", lines, pictures)


def _obligation(
    rows: Sequence[VerdictRow], text: ClauseText, told: Sequence[Record | int], records: Sequence[Record]
) -> Step:
    orders = [item for item in told if isinstance(item, Record) and isinstance(item.event, e.Directive)]
    words = text.words("en") or "its wording is not at hand"
    lines = [f"{visible(row.requirement, 80)}: {visible(row.verdict, 40)}" for row in rows if row.requirement]
    lines += [_line(order) for order in orders[:_DETAILS_MAX]]
    if not orders:
        lines.append(f"no directive stands in the evidence ({_orders_in(records)} in the scenario)")
    return Step(f"Obligation: {visible(words, 240)}", status_of(rows[0].verdict), tuple(lines))


def _orders_in(records: Sequence[Record]) -> str:
    return plural(sum(isinstance(record.event, e.Directive) for record in records), "directive")


def _verdict(rows: Sequence[VerdictRow], records: Sequence[Record], evidence: frozenset[int]) -> Step:
    excerpt = transcript_excerpt(records, evidence).encode()
    papers = (
        Attachment("Timeline of the scenario", "image/svg+xml", timeline_svg(records, evidence)),
        Attachment("Transcript around the evidence", "text/plain", excerpt),
    )
    lines = tuple(f"{visible(row.verdict, 40)}: {visible(row.reason, TEXT_LIMIT)}" for row in rows[1:])
    sentence_shown = f"Verdict: {visible(rows[0].verdict, 40)}. {visible(rows[0].reason, 600)}"
    return Step(sentence_shown, status_of(rows[0].verdict), lines, papers)


def _line(item: Record | int) -> str:
    if isinstance(item, int):
        return f"#{item}: MISSING, the journal holds no such record"
    return f"#{item.seq} {visible(item.source, 60)}: {sentence(item.event)}"


def _tell(run: RunView, items: Sequence[Record | int]) -> tuple[tuple[str, ...], tuple[Attachment, ...]]:
    """A line for each record and the pictures they name; what cannot be shown becomes a line saying so."""
    lines, pictures = [_line(item) for item in items[:_DETAILS_MAX]], []
    if len(items) > _DETAILS_MAX:
        lines.append(f"… {plural(len(items) - _DETAILS_MAX, 'more record')}")
    named: dict[str, Record] = {}
    for item in items:
        if isinstance(item, Record) and (sha256 := str(getattr(item.event, "frame", ""))):
            named.setdefault(sha256, item)
    for sha256, record in list(named.items())[:_FRAMES_MAX]:
        frame = load_frame(run.folder, sha256, _frame_bytes(run))
        if frame.trouble:
            lines.append(f"#{record.seq}: MISSING, {frame.trouble}")
        else:
            name = f"#{record.seq} {sentence(record.event)}{'' if frame.annotated else ' (as taken)'}"
            pictures.append(Attachment(visible(name, 160), "image/jpeg", frame.data))
    if len(named) > _FRAMES_MAX:
        lines.append(f"… {plural(len(named) - _FRAMES_MAX, 'more picture')} in the journal")
    return tuple(lines), tuple(pictures)


def _frame_bytes(run: RunView) -> int:
    """What one picture may take, so that the page of a long run does not become too heavy to open."""
    share = _PAGE_BUDGET_BYTES // (3 * max(1, len(run.scenarios_judged)))
    return max(_FRAME_MIN_BYTES, min(_FRAME_MAX_BYTES, share))
