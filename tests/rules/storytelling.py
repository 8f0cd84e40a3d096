"""Judges a story told by a script, and names clauses without the pack before them."""

from rules.verdicts import Outcome, Verdict
from tests.rules.table_script import Script


def told(story: Script, **policies: str) -> dict[str, Verdict]:
    """End the story as completed and judge it: verdicts by the last part of the clause id."""
    story.end()
    found = story.verdicts(**policies)
    return {clause.removeprefix(f"{verdict.pack}."): verdict for clause, verdict in found.items()}


def failed(verdicts: dict[str, Verdict]) -> set[str]:
    return {clause for clause, verdict in verdicts.items() if verdict.verdict is Outcome.FAIL}


def triggered(verdicts: dict[str, Verdict]) -> set[str]:
    return {clause for clause, verdict in verdicts.items() if verdict.verdict is not Outcome.NOT_TRIGGERED}
