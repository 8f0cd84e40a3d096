"""Runs without the page: what is tested here is the evidence, and the page takes longer than all the rest."""

from collections.abc import Iterator

import pytest

from reports.allure_html import EXECUTABLE_VARIABLE


@pytest.fixture(scope="session", autouse=True)
def no_page() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(EXECUTABLE_VARIABLE, "/nowhere/allure")
        yield
