"""A scene refuses what cannot lie on a table, and says what could."""

import pytest

from evidence.errors import UsageError
from vision.scene import LABELS, PLACES, POSITIONS, Pile, Scene, SceneCard, SceneDie


def test_a_deck_has_53_cards_and_a_table_seven_positions() -> None:
    assert len(set(LABELS)) == 53
    assert {label[1] for label in LABELS if label != "Jk"} == set("cdhs")
    assert POSITIONS == ("seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer")
    assert set(PLACES) - set(POSITIONS) == {"burn", "discard_rack", "shoe_mouth", "layout_centre"}


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: SceneCard("10h", True), "card label"),
        (lambda: SceneCard("Ah", True, "green"), "card back"),
        (lambda: Pile((), "fanned"), "arrangement"),  # type: ignore[arg-type]
        (lambda: SceneDie(7, "flat"), "die value"),
        (lambda: SceneDie(0, "flat"), "die value"),
        (lambda: SceneDie(3, "gone"), "die pose"),  # type: ignore[arg-type]
        (lambda: Scene({"seat/7": Pile((), "squared")}), "place"),
        (lambda: Scene({}, devices=frozenset({"toaster"})), "device"),
        (lambda: Scene({}, button="burn"), "button position"),
    ],
)
def test_what_cannot_be_is_refused_by_name(make: object, named: str) -> None:
    with pytest.raises(UsageError, match=named):
        make()  # type: ignore[operator]
