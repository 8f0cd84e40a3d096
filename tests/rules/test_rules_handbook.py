"""The handbook lists every fact with its attributes."""

from pathlib import Path

import pytest

from rules.vocabulary import FACTS

PAGE = Path(__file__).parents[2] / "docs" / "judging.md"
ROWS = {line.split("`")[1]: line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")}


def test_no_fact_is_listed_that_is_not_there() -> None:
    assert set(ROWS) == set(FACTS)


@pytest.mark.parametrize("name", sorted(FACTS))
def test_each_fact_is_listed_as_it_is(name: str) -> None:
    _, _, states, attributes, _ = ROWS[name].split("|")
    assert states.strip() == FACTS[name].states
    assert [one.strip().strip("`") for one in attributes.split(",") if one.strip()] == list(FACTS[name].attributes)
