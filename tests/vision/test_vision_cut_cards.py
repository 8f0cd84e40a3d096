"""Cut cards are told from cards: plain coloured plastic is neither a back nor a face, whoever looks at it."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from vision.cut_card import find_cut_cards
from vision.deck import EnrolledDeck
from vision.pictures import project, u8
from vision.places import TableLayout
from vision.read_images import read_picture, read_table
from vision.reader import TableReader
from vision.scene import Pile, Scene, SceneCard
from vision.synthetic.loose import PLASTIC, LooseCard, art_of, lay_art, loose_picture
from vision.synthetic.renderer import Renderer


@pytest.mark.parametrize("colour", PLASTIC)
def test_a_cut_card_is_named_by_its_colour_where_it_lies(colour: str) -> None:
    at = LooseCard(f"{colour} plastic", 610, 430, 33)
    (cut,) = find_cut_cards(loose_picture([at]))
    assert cut.colour == colour
    assert np.abs(cut.corners.mean(axis=0) - (610, 430)).max() < 4
    assert np.linalg.norm(cut.corners[1] - cut.corners[0]) == pytest.approx(63 * 3.2, rel=0.03)


def test_backs_faces_and_square_patches_are_none() -> None:
    cards = [LooseCard("red", 250, 250, 10), LooseCard("blue", 560, 250, -30), LooseCard("Kh", 880, 250, 4)]
    picture = loose_picture([*cards, LooseCard("Jk", 300, 640, 90)])
    cv2.rectangle(picture, (700, 520), (900, 800), PLASTIC["yellow"], -1)
    assert find_cut_cards(picture) == []


@pytest.mark.parametrize("enrolled", [False, True])
def test_it_is_read_with_and_without_a_deck_and_is_no_card_face_down(
    enrolled: bool, vision_layout: TableLayout, vision_deck: EnrolledDeck
) -> None:
    deck = vision_deck if enrolled else None
    picture = loose_picture([LooseCard("yellow plastic", 640, 450, -17)], seed=3)
    (card,) = read_picture(picture, vision_layout, deck, "cut")  # type: ignore[misc]
    assert (card.cut_card, card.label) == ("yellow", None)


def test_among_cards_it_stands_for_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = [LooseCard("Qs", 250, 300, 12), LooseCard("yellow plastic", 640, 420, 20), LooseCard("blue", 1000, 420, -8)]
    cv2.imwrite(str(tmp_path / "three.png"), loose_picture(cards))
    assert main(["read", str(tmp_path / "three.png")]) == 0
    told = capsys.readouterr().out
    assert "a cut card, yellow" in told
    assert "card Qs" in told
    assert told.count("face down") == 1


def test_a_cut_card_is_no_card_of_the_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = [LooseCard("Qs", 250, 300, 12), LooseCard("yellow plastic", 640, 420, 20)]
    cv2.imwrite(str(tmp_path / "two.png"), loose_picture(cards))
    assert main(["read", str(tmp_path / "two.png"), "--check-deck", "52"]) == 1
    assert "missing: 1 cards seen, 0 of them not read" in capsys.readouterr().out


def test_where_it_lies_at_a_place_no_card_is_counted_and_what_it_is_is_told(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({"seat/1": Pile((SceneCard("2h", False),), "spread")}), 4).copy()
    layout = vision_reader.layout
    place = layout.places["burn"].box
    middle, right, below = project(layout.mm_to_px, project(place.to_table(), [(0, 0), (1, 0), (0, 1)]))
    to_px = np.array([[right[0] - middle[0], below[0] - middle[0], middle[0]],
                      [right[1] - middle[1], below[1] - middle[1], middle[1]], [0, 0, 1.0]])  # fmt: skip
    for colour in ("red",):
        seen = u8(frame.copy())
        lay_art(seen, art_of(f"{colour} plastic"), to_px)
        seen = u8(cv2.GaussianBlur(seen, (0, 0), 0.6))
        looked = vision_reader.look(seen, "burn")
        assert (looked.count, looked.face_down, looked.certainty) == (None, None, 0.0)
        sight = read_table(seen, vision_reader)
        burn = next(reading for reading in sight.places if reading.place == "burn")
        assert (burn.count, [card.cut_card for card in burn.cards]) == (None, [colour])
        assert all(reading.count == (reading.place == "seat/1") for reading in sight.places if reading is not burn)
