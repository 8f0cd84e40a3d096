"""What one Allure test shows: one clause judged in one scenario, as inject, observe, obligation and verdict."""

from collections.abc import Sequence

from evidence import events as e
from evidence.events import Record
from reports.allure_emit import emit
from reports.allure_steps import steps_of
from reports.certificate.findings import known_mark
from reports.clauses import ClauseText
from reports.run_view import RunView, VerdictRow
from reports.shape import mapping, mappings
from reports.story import Attachment, ClauseStory, Link, Step, gravest, status_of
from reports.text import TEXT_LIMIT, html_text, visible
from reports.unjudged import MISSING, Case
from reports.wordbook import Wordbook, wordbook

__all__ = ["Attachment", "ClauseStory", "Step", "describe_clause", "emit", "status_of"]


def describe_clause(
    run: RunView, scenario_id: str, clause_id: str, lang: str = "en", *, animated: bool = False
) -> ClauseStory:
    """The story of one clause in one scenario. What is missing is told as missing; nothing here judges.

    Where several requirements of the clause were judged, the story shows each and carries the gravest of them.
    """
    words = wordbook(lang)
    rows = run.rows(scenario_id, clause_id) or (_no_verdict(run, scenario_id, clause_id, words),)
    lead = gravest(rows, lambda row: row.verdict)
    rows = (lead, *(row for row in rows if row is not lead))
    text = run.clauses.get(clause_id) or ClauseText(clause_id, lead.pack, "", "")
    pack_id = lead.pack or text.pack or run.scenario(scenario_id).get("pack") or "pack not stated"
    pack = run.pack(pack_id)
    title = run.scenario(scenario_id).get("title") or _started_title(run.records.of_scenario(scenario_id))
    said = text.words(lang)
    return ClauseStory(
        title=f"{visible(clause_id, 60)}: {visible(title or scenario_id, 120)}",
        authority=visible(pack.get("authority") or text.authority or "authority not stated", 120),
        pack=visible(pack_id, 80),
        clause=f"{visible(clause_id, 60)} {visible(said, 110)}".strip(),
        severity="critical" if status_of(lead.verdict) == "failed" else "normal",
        description_html=_description(rows, text, run, words),
        labels=_labels(run, lead, words),
        steps=steps_of(run, rows, text, words, animated=animated),
        verdict=visible(lead.verdict, 40),
        reason=visible(lead.sentence(lang), TEXT_LIMIT) or words.say("page", "no_reason"),
        status=status_of(lead.verdict),
        scenario_id=scenario_id,
        clause_id=clause_id,
        execution=visible(f"{pack_id} / {clause_id} / {scenario_id}", 240),
        links=_links(run, text, words),
        clause_text=_clause_text(run, text),
    )


def _no_verdict(run: RunView, scenario: str, clause: str, words: Wordbook) -> VerdictRow:
    reason = words.say("unjudged", "reason", status=run.scenario(scenario).get("status") or "not started")
    return VerdictRow(scenario=scenario, pack="", clause=clause, verdict=MISSING, reason=reason)


def _started_title(records: Sequence[Record]) -> str:
    return next((record.event.title for record in records if isinstance(record.event, e.ScenarioStarted)), "")


def _labels(run: RunView, lead: VerdictRow, words: Wordbook) -> tuple[tuple[str, str], ...]:
    labels = [("plan", visible(mapping(run.run.get("plan")).get("name") or "not stated", 80))]
    for device in mappings(run.run.get("devices")):
        named = " ".join(visible(device.get(key), 60) for key in ("maker", "model") if device.get(key))
        labels.append(("device", named or visible(device.get("device") or "not stated", 60)))
        labels.append(("firmware", visible(device.get("firmware") or "not stated", 60)))
    status = run.scenario(lead.scenario).get("status")
    labels.append(("scenario_status", visible(status or "not stated", 40)))
    if mark := _mark(run, lead):
        labels.append(("known", mark["state"]))
        labels.append(("tag", visible(words.say("page", f"{mark['state']}_tag", until=mark["until"]), 80)))
    return tuple(dict.fromkeys(labels))


def _mark(run: RunView, lead: VerdictRow) -> dict[str, str] | None:
    if status_of(lead.verdict) != "failed":
        return None
    return known_mark(run, Case(lead.scenario, lead.pack, lead.clause, lead.verdict, lead.reason))


def _links(run: RunView, text: ClauseText, words: Wordbook) -> tuple[Link, ...]:
    """Where the laboratory says that the official text of the clause stands; of the pack, where it names no clause."""
    listed = run.lab.official_text if run.lab else []
    named = [one for one in listed if one.clause == text.id] or [
        one for one in listed if one.pack == text.pack and not one.clause
    ]
    cited = visible(text.citation or text.id, 80)
    return tuple(Link(words.say("page", "official_text", citation=cited), one.url, "tms") for one in named)


def _clause_text(run: RunView, text: ClauseText) -> bytes:
    """The clause in all its languages with what it demands, as plain text."""
    lines = [visible(f"{text.id}  {text.citation}".strip(), 200), ""]
    lines += [visible(f"[{lang}] {said}", TEXT_LIMIT) for lang, said in text.meaning.items()]
    for clause in (clause for pack in run.packs for clause in pack.clauses if clause.id == text.id):
        for requirement in clause.requirements:
            duty = requirement.duty
            said = {"en": duty} if isinstance(duty, str) else duty
            lines += ["", requirement.id, *(visible(f"  [{lang}] {words}", TEXT_LIMIT) for lang, words in said.items())]
    return "\n".join([*lines, ""]).encode()


def _description(rows: Sequence[VerdictRow], text: ClauseText, run: RunView, words: Wordbook) -> str:
    lang = words.lang
    parts = [f"<p><b>{html_text(row.verdict, 40)}</b> {html_text(row.sentence(lang), TEXT_LIMIT)}</p>" for row in rows]
    if mark := _mark(run, rows[0]):
        parts.append(f"<p><b>{html_text(words.say('page', str(mark['state']), **mark), TEXT_LIMIT)}</b></p>")
    for code, said in text.meaning.items():
        parts.append(f'<blockquote lang="{html_text(code, 12)}">{html_text(said, TEXT_LIMIT)}</blockquote>')
    if not text.meaning:
        parts.append(f"<p>{html_text(words.say('page', 'wording_missing'))}</p>")
    if not text.exact:
        parts.append(f"<p>{html_text(words.say('page', 'wording_differs'))}</p>")
    cells = "".join(
        f"<tr><th>{html_text(name)}</th><td>{html_text(value)}</td></tr>"
        for name, value in _facts(rows, text, run, words)
    )
    return "".join([*parts, f"<table>{cells}</table>"])


def _facts(rows: Sequence[VerdictRow], text: ClauseText, run: RunView, words: Wordbook) -> list[tuple[str, object]]:
    pack = run.pack(rows[0].pack)
    facts: list[tuple[str, object]] = [
        (words.say("page", "citation"), text.citation or pack.get("citation")),
        (words.say("page", "pack_version"), pack.get("version")),
        (words.say("page", "pack_sha256"), pack.get("sha256")),
        (words.say("page", "scenario"), rows[0].scenario),
        (words.say("page", "alternatives"), ", ".join(name for row in rows for name in row.alternatives)),
    ]
    for row in rows:
        facts += [(words.say("page", "requirement", name=name), what) for name, what in row.requirements.items()]
    policies = {name: value for row in rows for name, value in row.policies.items()}
    facts += [(words.say("page", "policy", name=name), value) for name, value in sorted(policies.items())]
    return [(name, value) for name, value in facts if value]
