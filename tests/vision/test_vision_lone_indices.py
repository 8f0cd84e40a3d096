"""An index alone is named where a card's edge runs beside it, or other cards lie there; coloured light is put right."""

import cv2
import numpy as np
import pytest

from vision.indices.cards import group_cards
from vision.indices.detector import IndexSight
from vision.indices.edged import beside_an_edge, upon_cards
from vision.indices.lighting import balanced
from vision.indices.reader import shipped_reader
from vision.pictures import Picture, Points, u8
from vision.readings import CardReading
from vision.synthetic.decks.design import Lettering
from vision.synthetic.decks.glyphs import rank_mask, suit_mask
from vision.synthetic.loose import LooseCard, loose_picture

FELT = (62, 96, 26)


def stamped(picture: Picture, label: str, at: tuple[int, int], high: int) -> None:
    """An index `high` pixels high about a point."""
    rank = rank_mask(Lettering("strokes", 150, 1.0), "10" if label[0] == "T" else label[0])
    suit = suit_mask(label[1], (1.0, 1.0, 1.0), False)
    ink = np.array((20, 20, 190) if label[1] in "dh" else (20, 20, 20), np.float32)
    for mask, top, tall in ((rank, -0.5, 0.54), (suit, 0.1, 0.4)):
        size = (round(tall * high * min(mask.shape[1] / mask.shape[0], 1.0)), round(tall * high))
        part = cv2.resize(mask, size)[:, :, None]
        left, up = at[0] - size[0] // 2, at[1] + round(top * high)
        spot = picture[up : up + size[1], left : left + size[0]]
        spot[:] = np.round(spot + (ink - spot) * part).astype(np.uint8)


def chips(labels: list[str]) -> Picture:
    picture = np.empty((400, 240 * len(labels), 3), np.uint8)
    picture[:] = FELT
    for n, label in enumerate(labels):
        middle = (120 + 240 * n, 200)
        cv2.circle(picture, middle, 90, (150, 60, 30), -1, cv2.LINE_AA)
        cv2.circle(picture, middle, 62, (235, 238, 240), -1, cv2.LINE_AA)
        stamped(u8(picture), label, middle, 76)
    return u8(cv2.GaussianBlur(picture, (0, 0), 0.8))


def index(label: str, x: float, y: float, high: float = 40.0) -> CardReading:
    wide = high / 4
    box = np.array(
        [(x - wide, y - high / 2), (x + wide, y - high / 2), (x + wide, y + high / 2), (x - wide, y + high / 2)]
    )
    return CardReading(label, 0.99, box, True, index_only=True)


def sheet(left: int, top: int) -> Picture:
    """Paper from a point on to the right and down."""
    picture = np.empty((400, 500, 3), np.uint8)
    picture[:] = FELT
    picture[top:, left:] = 240
    return u8(cv2.GaussianBlur(picture, (0, 0), 1.0))


def test_a_figure_over_a_suit_on_a_chip_is_no_card() -> None:
    labels = ["Td", "Ks", "5c", "Ah"]
    picture = chips(labels)
    assert [card.label for card in shipped_reader().read(picture)] == [None] * len(labels)
    squared = picture.copy()
    for n in range(len(labels)):  # the same print in the corner of a card is one
        middle = 120 + 240 * n
        squared[120:, middle - 40 : middle + 110] = (235, 238, 240)
        stamped(u8(squared), labels[n], (middle, 200), 76)
    named = [card.label for card in shipped_reader().read(u8(squared)) if card.label]
    assert len(named) >= 3
    assert set(named) <= set(labels)


@pytest.mark.parametrize(("left", "top"), [(183, 0), (0, 168), (183, 168)], ids=["left", "upper", "both"])
def test_one_edge_of_a_card_beside_an_index_is_enough(left: int, top: int) -> None:
    assert beside_an_edge(sheet(left, top), index("7h", 200, 200).corners)


@pytest.mark.parametrize(("left", "top"), [(0, 0), (120, 100), (215, 0)], ids=["none", "far off", "on the other side"])
def test_paper_alone_is_no_card(left: int, top: int) -> None:
    assert not beside_an_edge(sheet(left, top), index("7h", 200, 200).corners)


def turned(picture: Picture, corners: Points, quarters: int) -> tuple[Picture, Points]:
    for _ in range(quarters):
        picture = u8(np.ascontiguousarray(np.rot90(picture)))
        corners = np.column_stack([corners[:, 1], picture.shape[0] - 1 - corners[:, 0]])
    return picture, corners


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_edges_are_those_beside_an_index_however_it_is_turned(quarters: int) -> None:
    for picture, seen in ((sheet(183, 0), True), (sheet(0, 0), False)):
        assert beside_an_edge(*turned(picture, index("7h", 200, 200).corners, quarters)) is seen


def test_cards_within_a_row_are_known_by_those_beside_them() -> None:
    """White upon white, an edge may not show."""
    row = [index("7h", 200, 200), index("8c", 280, 200), index("9d", 360, 200)]
    assert [card.label for card in upon_cards(sheet(183, 0), row)] == ["7h", "8c", "9d"]
    assert [card.label for card in upon_cards(sheet(0, 0), row)] == [None] * 3
    larger = index("8c", 280, 200, 60)
    assert [card.label for card in upon_cards(sheet(183, 0), [row[0], larger])] == ["7h", None]


def sight(label: str, x: float, y: float, up: float) -> IndexSight:
    """An index of 40 pixels, upright where `up` is -1 and upside down where it is 1, that says its label for sure."""
    shares = np.zeros(52, np.float32)
    shares["A23456789TJQK".index(label[0]) * 4 + "cdhs".index(label[1])] = 0.99
    return IndexSight(x, y, (0.0, up), 40.0, 1.0, shares)


def test_two_ends_of_a_card_that_say_different_things_are_one_card_that_is_not_read() -> None:
    """A six that is partly covered may look like a five."""
    (card,) = group_cards([sight("6s", 100, 100, -1), sight("5s", 220, 270, 1)])
    assert card.best[1] <= 0.5
    assert not card.corners_of_index
    for other in (sight("5s", 220, 470, 1), sight("5s", 220, 270, -1), sight("5s", 100, 270, 1)):
        assert sorted(card.best[0] for card in group_cards([sight("6s", 100, 100, -1), other])) == ["5s", "6s"]


@pytest.mark.parametrize("light", [(0.45, 0.75, 1.0), (1.0, 0.7, 0.4)], ids=["warm", "cool"])
def test_cards_are_read_in_coloured_light(light: tuple[float, float, float]) -> None:
    labels = ["Qs", "7h", "Td", "3c"]
    white = loose_picture([LooseCard(label, 400 + 40 * n, 300, 4 * n, 2.6) for n, label in enumerate(labels)])
    tinted = u8(np.round(white * np.array(light)).astype(np.uint8))
    assert {card.label for card in shipped_reader().read(tinted)} - {None} == set(labels)
    assert float(np.abs(balanced(tinted).astype(float) - white).mean()) < 3
    assert balanced(white) is white
