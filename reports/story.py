"""The story of one clause judged in one scenario: what an Allure test shows, whoever writes it down."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from rules.verdicts import GRAVITY, Outcome

Told = TypeVar("Told")

Status = Literal["passed", "failed", "broken", "skipped"]

_STATUS: dict[str, Status] = {
    "PASS": "passed",
    "FAIL": "failed",
    "INCONCLUSIVE": "broken",
    "NEEDS_OPERATOR_INPUT": "broken",
    "NOT_TRIGGERED": "skipped",
    "NOT_APPLICABLE": "skipped",
}
_WEIGHT = {outcome.value: weight for weight, outcome in enumerate(GRAVITY)}


@dataclass(frozen=True)
class Attachment:
    """A piece of evidence shown with a step."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True)
class Link:
    """Where else something stands; `kind` is one of Allure's (`tms` shows a list)."""

    name: str
    url: str
    kind: str


@dataclass(frozen=True)
class Step:
    """One step of a story. `detail` is one line each for what stands under it."""

    name: str
    status: Status
    detail: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True)
class ClauseStory:
    """One Allure test. Every text is already safe to show; `execution` is unique among all stories of a run."""

    title: str
    authority: str
    pack: str
    clause: str
    severity: Literal["blocker", "critical", "normal", "minor", "trivial"]
    description_html: str
    labels: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    verdict: str
    reason: str
    status: Status
    scenario_id: str
    clause_id: str
    execution: str
    links: tuple[Link, ...] = ()
    clause_text: bytes = b""
    """The clause's wording and demands, plain text."""


def status_of(verdict: str) -> Status:
    """How Allure names a verdict. A word that is not one of ours is `broken`, never `passed`."""
    return _STATUS.get(verdict, "broken")


def gravest(items: Iterable[Told], verdict: Callable[[Told], str]) -> Told:
    """The item whose verdict is the gravest, in the order that `rules` gives; the first of equals.

    A word that is not one of ours weighs like INCONCLUSIVE. ValueError when there is no item.
    """
    return min(items, key=lambda item: _WEIGHT.get(verdict(item), _WEIGHT[Outcome.INCONCLUSIVE.value]))
