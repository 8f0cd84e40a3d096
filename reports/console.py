"""The summary of a run for the terminal: one line for each clause, what is still open, and the overall result."""

import sys
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.text import visible
from reports.wordbook import Wordbook, wordbook
from rules.summary import ClauseSummary, Summary

_STYLES = {
    "PASS": "green",
    "CONFORMS": "bold green",
    "FAIL": "bold red",
    "NON_CONFORMITY": "bold red",
    "INCONCLUSIVE": "yellow",
    "NEEDS_OPERATOR_INPUT": "yellow",
}
_POINTS = 12
_REASON = 400
_NARROWEST = 60


def print_summary(summary: Summary, stream: TextIO | None = None, lang: str = "en") -> None:
    """Print clause, verdict, alternatives shown and reason; colours and a fitted table only on a terminal.

    Results and verdicts stand as the files have them, and reasons as they were judged; all else is in `lang`. In a pipe
    clause is one line whatever its length, so that tools for lines can be used on it.
    """
    stream, words = stream or sys.stdout, wordbook(lang)
    if stream.isatty():
        _print_table(summary, words, Console(file=stream, highlight=False))
    else:
        stream.write("\n".join(_plain(summary, words)) + "\n")


def _print_table(summary: Summary, words: Wordbook, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column(words.say("console", "clause"), no_wrap=console.width > _NARROWEST)
    table.add_column(words.say("console", "verdict"), overflow="fold")
    table.add_column(words.say("console", "shown"), justify="right")
    table.add_column(words.say("console", "reason"), ratio=1)
    for clause in summary.clauses:
        style = _STYLES.get(clause.verdict.value, "dim")
        reason = Text(visible(clause.reason, _REASON), style="dim" if clause.complete or clause.untouched else "")
        table.add_row(visible(clause.clause, 60), Text(clause.verdict.value, style=style), _shown(clause), reason)
    console.print(table)
    for point in _open_points(summary, words):
        console.print(Text(point))
    console.print(Text(_overall(summary, words), style=_STYLES.get(summary.overall.value, "")))


def _plain(summary: Summary, words: Wordbook) -> list[str]:
    width = max((len(visible(clause.clause, 60)) for clause in summary.clauses), default=0)
    lines = [
        f"{visible(clause.clause, 60):<{width}}  {clause.verdict.value:<14} {_shown(clause):>5}  "
        f"{visible(clause.reason, _REASON)}"
        for clause in summary.clauses
    ]
    return [*lines, *_open_points(summary, words), _overall(summary, words)]


def _shown(clause: ClauseSummary) -> str:
    """Alternatives passed of those declared; nothing for a clause without alternatives."""
    if not clause.declared:
        return ""
    return f"{len(clause.passed)}/{len(clause.declared)}"


def _open_points(summary: Summary, words: Wordbook) -> list[str]:
    told = [words.say("open_point", point.kind, **point.values) for point in summary.points[:_POINTS]]
    points = [words.say("console", "open", point=visible(point, _REASON)) for point in told]
    left = len(summary.points) - len(points)
    return [*points, words.say("console", "more", left=left)] if left > 0 else points


def _overall(summary: Summary, words: Wordbook) -> str:
    owed = [clause for clause in summary.clauses if clause.owed]
    further = len(summary.clauses) - len(owed)
    return words.say(
        "console",
        "overall_further" if further else "overall",
        result=summary.overall.value,
        complete=sum(clause.complete for clause in owed),
        clauses=len(owed),
        further=further,
    )
