"""Hands a story to allure-pytest, inside the test that it belongs to."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import allure
import allure_commons
import pytest

from reports.story import ClauseStory, Status, Step
from reports.text import visible

EXTENSIONS = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "image/webp": "webp",
    "text/plain": "txt",
}


def emit(story: ClauseStory) -> None:
    """Describe the running test to Allure: labels, description, steps and attachments.

    Without `--alluredir` this does nothing. It never raises for a verdict: the test does that, by `story.status`.
    """
    dynamic: Any = allure.dynamic  # untyped upstream
    dynamic.title(story.title)
    dynamic.epic(story.authority)
    dynamic.feature(story.pack)
    dynamic.story(story.clause)
    dynamic.severity(allure.severity_level(story.severity))
    dynamic.description_html(story.description_html)
    dynamic.parameter("execution", story.execution)
    for name, value in (*story.labels, *case_labels(story)):
        dynamic.label(name, value)
    for link in story.links:
        dynamic.link(link.url, link_type=link.kind, name=link.name)
    for step in story.steps:
        _emit_step(step)


def case_labels(story: ClauseStory) -> tuple[tuple[str, str], ...]:
    """Labels by which a result is found again: verdict, scenario and clause."""
    found_by = (("verdict", story.verdict), ("scenario", story.scenario_id), ("clause", story.clause_id))
    return tuple((name, visible(value, 120)) for name, value in found_by)


def _emit_step(step: Step) -> None:
    with _step(step.name, step.status):
        for line in step.detail:
            with _step(line, step.status):
                pass
        for attachment in step.attachments:
            extension = EXTENSIONS.get(attachment.mime, "bin")
            allure.attach(attachment.data, attachment.name, attachment_type=attachment.mime, extension=extension)


@contextmanager
def _step(name: str, status: Status) -> Iterator[None]:
    # `allure.step` takes its status from an exception passing through and stores the stack with it, paths of the
    # machine and all. The hooks beneath it take the status without either.
    hook, step_id = allure_commons.plugin_manager.hook, str(uuid.uuid4())
    hook.start_step(uuid=step_id, title=name, params={})
    try:
        yield
    finally:
        hook.stop_step(uuid=step_id, title=name, exc_type=None, exc_val=_exception(status), exc_tb=None)


def _exception(status: Status) -> BaseException | None:
    match status:
        case "passed":
            return None
        case "failed":
            return AssertionError()
        case "skipped":
            return pytest.skip.Exception()
        case "broken":
            return RuntimeError()
