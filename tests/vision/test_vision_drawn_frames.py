"""A drawn picture's key tells all of its pixels: equal keys, equal pixels, whatever else was drawn before."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vision.layout import TableLayout
from vision.reader import BUTTON, SHAKER, TableReader
from vision.scene import ARRANGEMENTS, BACKS, DEVICES, LABELS, PLACES, POSITIONS, Pile, Scene, SceneCard, SceneDie
from vision.sources import NOISES, DrawnFrame, RenderedSource
from vision.synthetic.renderer import Renderer

SEED = 11
UP, DOWN = SceneCard("9d", True), SceneCard("9d", False)

CARDS = st.builds(SceneCard, st.sampled_from(LABELS), st.booleans(), st.sampled_from(BACKS))
PILES = st.builds(Pile, st.lists(CARDS, min_size=1, max_size=24).map(tuple), st.sampled_from(ARRANGEMENTS))
SCENES = st.builds(
    Scene,
    st.dictionaries(st.sampled_from(PLACES), PILES, max_size=3),
    st.lists(st.builds(SceneDie, st.integers(1, 6), st.just("flat")), min_size=3, max_size=3).map(tuple),
    st.booleans(),
    st.frozensets(st.sampled_from(DEVICES)),
    st.none() | st.sampled_from(POSITIONS),
)
NOT_TOO_LONG = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def drawn_by(vision_layout: TableLayout) -> tuple[Renderer, Renderer]:
    return Renderer(vision_layout, SEED), Renderer(vision_layout, SEED)


def shoot(renderer: Renderer, *scenes: Scene) -> list[DrawnFrame]:
    at = [0]
    source = RenderedSource(lambda: scenes[at[0]], renderer, lambda: 0)
    frames = []
    for at[0] in range(len(scenes)):
        frame = source.grab(0, 0.0)
        assert frame is not None
        frames.append(frame)
    return frames


def hidden_otherwise(scene: Scene) -> Scene:
    """A scene that differs in everything that does not show."""
    piles = {}
    for place, pile in scene.piles.items():
        cards = [card if card.face_up else SceneCard("Kh", False, card.back) for card in pile.cards]
        if pile.arrangement == "squared":
            cards = [SceneCard("Ah", True, "blue")] * (len(cards) - 1) + cards[-1:]
        piles[place] = Pile(tuple(cards), pile.arrangement)
    dice = (SceneDie(6, "leaning"),) * 3 if scene.shaker_covered else scene.dice
    return Scene(piles, dice, scene.shaker_covered, scene.devices, scene.button)


@NOT_TOO_LONG
@given(scene=SCENES, before=SCENES)
def test_what_does_not_show_changes_neither_key_nor_pixels(
    drawn_by: tuple[Renderer, Renderer], scene: Scene, before: Scene
) -> None:
    one, other = drawn_by
    [first] = shoot(one, scene)
    _, second = shoot(other, before, hidden_otherwise(scene))
    if before != scene and first.key == second.key:
        assert np.array_equal(first.image, second.image)
    [alone] = shoot(other, hidden_otherwise(scene))
    assert first.key == alone.key
    assert np.array_equal(first.image, alone.image)


@NOT_TOO_LONG
@given(scene=SCENES, other=SCENES, area=st.sampled_from([*PLACES, *DEVICES, SHAKER, BUTTON]))
def test_equal_keys_within_an_area_mean_equal_evidence_pictures(
    drawn_by: tuple[Renderer, Renderer], vision_reader: TableReader, scene: Scene, other: Scene, area: str
) -> None:
    # The other table with this one's area, so that the area's own part is the same and its neighbours are not.
    mixed = Scene(
        {place: pile for place, pile in other.piles.items() if place != area}
        | {place: pile for place, pile in scene.piles.items() if place == area},
        scene.dice, scene.shaker_covered, scene.devices, scene.button,
    )  # fmt: skip
    windows = vision_reader.windows(area)
    [here] = shoot(drawn_by[0], scene)
    assert vision_reader.crop(here.image_within(windows), area) == vision_reader.crop(here.image, area)
    for there in shoot(drawn_by[1], *[mixed] * NOISES):
        if here.key_within(windows) == there.key_within(windows):
            assert vision_reader.crop(here.image, area) == vision_reader.crop(there.image, area)


@pytest.mark.parametrize(
    "change",
    [
        Scene({"seat/2": Pile((DOWN,), "squared")}),
        Scene({"seat/1": Pile((UP,), "squared")}),
        Scene({"seat/1": Pile((DOWN, DOWN), "squared")}),
        Scene({"seat/1": Pile((SceneCard("9d", False, "blue"),), "squared")}),
        Scene({"seat/1": Pile((DOWN,), "squared")}, devices=frozenset({"shoe"})),
        Scene({"seat/1": Pile((DOWN,), "squared")}, button="seat/1"),
        Scene({"seat/1": Pile((DOWN,), "squared")}, (SceneDie(1, "flat"),) * 3, False),
    ],
)
def test_whatever_shows_changes_the_key(drawn_by: tuple[Renderer, Renderer], change: Scene) -> None:
    before, after = shoot(drawn_by[0], Scene({"seat/1": Pile((DOWN,), "squared")}), change)
    assert before.key != after.key
    assert not np.array_equal(before.image, after.image)


def test_an_unchanged_table_is_never_photographed_alike_twice_in_a_row(drawn_by: tuple[Renderer, Renderer]) -> None:
    frames = shoot(drawn_by[0], *[Scene({})] * (2 * NOISES))
    for before, after in pairwise(frames):
        assert before.key != after.key
        assert not np.array_equal(before.image, after.image)
    assert frames[0].key == frames[NOISES].key
