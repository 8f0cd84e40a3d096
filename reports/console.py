"""The summary of a run for the terminal: one line for each clause, what is still open, and the overall result."""

import sys
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.text import plural, visible
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


def print_summary(summary: Summary, stream: TextIO | None = None) -> None:
    """Print clause, verdict, alternatives shown and reason; colours and a fitted table only on a terminal.

    In a pipe every clause is one line whatever its length, so that tools for lines can be used on it.
    """
    stream = stream or sys.stdout
    if stream.isatty():
        _print_table(summary, Console(file=stream, highlight=False))
    else:
        stream.write("\n".join(_plain(summary)) + "\n")


def _print_table(summary: Summary, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("Clause", no_wrap=console.width > _NARROWEST)
    table.add_column("Verdict", overflow="fold")
    table.add_column("Shown", justify="right")
    table.add_column("Reason", ratio=1)
    for clause in summary.clauses:
        style = _STYLES.get(clause.verdict.value, "dim")
        reason = Text(visible(clause.reason, _REASON), style="dim" if clause.complete or clause.untouched else "")
        table.add_row(visible(clause.clause, 60), Text(clause.verdict.value, style=style), _shown(clause), reason)
    console.print(table)
    for point in _open_points(summary):
        console.print(Text(point))
    console.print(Text(_overall(summary), style=_STYLES.get(summary.overall.value, "")))


def _plain(summary: Summary) -> list[str]:
    width = max((len(visible(clause.clause, 60)) for clause in summary.clauses), default=0)
    lines = [
        f"{visible(clause.clause, 60):<{width}}  {clause.verdict.value:<14} {_shown(clause):>5}  "
        f"{visible(clause.reason, _REASON)}"
        for clause in summary.clauses
    ]
    return [*lines, *_open_points(summary), _overall(summary)]


def _shown(clause: ClauseSummary) -> str:
    """Alternatives passed of those declared; nothing for a clause without alternatives."""
    if not clause.declared:
        return ""
    return f"{len(clause.passed)}/{len(clause.declared)}"


def _open_points(summary: Summary) -> list[str]:
    points = [f"open: {visible(point, _REASON)}" for point in summary.open_points[:_POINTS]]
    left = len(summary.open_points) - len(points)
    return [*points, f"open: {plural(left, 'more point')}"] if left > 0 else points


def _overall(summary: Summary) -> str:
    owed = [clause for clause in summary.clauses if clause.owed]
    complete = sum(clause.complete for clause in owed)
    told = f"{summary.overall.value}: {complete} of {plural(len(owed), 'clause')} shown in full"
    further = len(summary.clauses) - len(owed)
    return f"{told}, {further} more judged too" if further else told
