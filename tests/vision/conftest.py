"""One table, one enrolled deck, one reader: they hold no state, so all tests may share them."""

import pytest

from vision.deck import EnrolledDeck
from vision.deck_from_faces import enrol_rendered
from vision.layout import TableLayout, standard_layout
from vision.reader import TableReader
from vision.synthetic.renderer import Renderer

HELD_OUT_SEED = 9_001
"""No threshold was chosen on tables of this seed or above it."""


@pytest.fixture(scope="session")
def vision_layout() -> TableLayout:
    return standard_layout()


@pytest.fixture(scope="session")
def vision_deck() -> EnrolledDeck:
    return enrol_rendered()


@pytest.fixture(scope="session")
def vision_reader(vision_layout: TableLayout, vision_deck: EnrolledDeck) -> TableReader:
    return TableReader(vision_layout, vision_deck)


@pytest.fixture(scope="session")
def vision_renderer(vision_layout: TableLayout) -> Renderer:
    return Renderer(vision_layout, HELD_OUT_SEED)
