"""Rows that their edges do not tell are told by what is printed on the cards, and only where all of it agrees."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from vision.deck import PX_PER_MM, EnrolledDeck
from vision.deck_file import load_deck, save_deck
from vision.deck_from_faces import enrol_rendered
from vision.layout import TableLayout
from vision.pictures import Picture, project, u8
from vision.printed import Printed
from vision.printed_row import read_printed_row
from vision.reader import TableReader
from vision.scene import Pile, Scene, SceneCard
from vision.synthetic.piles import card_sprite
from vision.synthetic.renderer import Renderer
from vision.synthetic.sprites import lay

PLACE = "layout_centre"


def face_up(labels: str) -> tuple[SceneCard, ...]:
    return tuple(SceneCard(label, True) for label in labels.split())


def soft(frame: Picture, sigma: float) -> Picture:
    return u8(cv2.GaussianBlur(frame, (0, 0), sigma))


def laid_at(lefts_mm: Sequence[float], labels: str, layout: TableLayout, empty: Picture) -> Picture:
    """A table on which cards lie with their middles at these places along one place."""
    frame = empty.copy()
    for x, card in zip(lefts_mm, face_up(labels), strict=True):
        lay(frame, (0, 0), card_sprite(card), layout.mm_to_px @ layout.places[PLACE].box.to_table((x, 0.0)))
    return frame


@pytest.fixture(scope="module")
def wide(vision_layout: TableLayout) -> TableLayout:
    """A table on which cards are laid so wide that most of each shows."""
    place = replace(vision_layout.places[PLACE], spread_pitch_mm=46.0, stagger_pitch_mm=58.0, countable=4)
    return replace(vision_layout, places={**vision_layout.places, PLACE: place})


@pytest.mark.parametrize("arrangement", ["spread", "staggered"])
@pytest.mark.parametrize("labels", ["Td 6c", "8s Th 9d", "Kc Qd Js"])
def test_columns_of_pips_and_frames_of_courts_are_no_cards(
    arrangement: str, labels: str, wide: TableLayout, vision_deck: EnrolledDeck
) -> None:
    scene = Scene({PLACE: Pile(face_up(labels), arrangement)})  # type: ignore[arg-type]
    reading = TableReader(wide, vision_deck).look(soft(Renderer(wide, 9_101).frame(scene, 1), 0.5), PLACE)
    assert (reading.count, " ".join(map(str, reading.labels))) == (len(labels.split()), labels)


def test_cards_are_told_where_blur_hides_the_lines_between_them(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    cards = (*face_up("8d Ks 3h"), SceneCard("2c", False), *face_up("Tc As"))
    frame = soft(vision_renderer.frame(Scene({PLACE: Pile(cards, "spread")}), 3), 0.9)
    reading = vision_reader.look(frame, PLACE)
    assert [card.face_up for card in reading.cards] == [True, True, True, False, True, True]
    assert reading.labels == ("8d", "Ks", "3h", "Tc", "As")


def test_a_deck_without_faces_abstains_there(
    vision_renderer: Renderer, vision_layout: TableLayout, vision_deck: EnrolledDeck
) -> None:
    frame = soft(vision_renderer.frame(Scene({PLACE: Pile(face_up("8d Ks 3h"), "spread")}), 3), 0.9)
    reading = TableReader(vision_layout, replace(vision_deck, printed=None)).look(frame, PLACE)
    assert (reading.count, reading.certainty) == (None, 0.0)


@pytest.mark.parametrize("hidden_mm", [4.0, 6.5, 9.0])
def test_a_card_of_which_a_strip_shows_is_never_passed_over(
    hidden_mm: float, vision_layout: TableLayout, vision_reader: TableReader, vision_renderer: Renderer
) -> None:
    empty = vision_renderer.frame(Scene({}), 1)
    lefts = (-60.0, -20.0, 30.0 - hidden_mm, 30.0)
    for sigma in (0.4, 0.8):
        frame = soft(laid_at(lefts, "4c 9h Kd 7s", vision_layout, empty), sigma)
        assert vision_reader.look(frame, PLACE).count in (None, 4)
        without = soft(laid_at(lefts[:2] + lefts[3:], "4c 9h 7s", vision_layout, empty), sigma)
        assert vision_reader.look(without, PLACE).labels == ("4c", "9h", "7s")


def test_light_on_a_row_hides_it_or_leaves_it_read_right(
    vision_renderer: Renderer, vision_reader: TableReader, vision_layout: TableLayout
) -> None:
    """Stronger and stronger light: what is still read is right, and the weaker ones are read."""
    frame = vision_renderer.frame(Scene({PLACE: Pile(face_up("5h Jc Ad 6s"), "spread")}), 1)
    x, y = project(vision_layout.mm_to_px, [vision_layout.places[PLACE].box.centre_mm])[0]
    read = []
    for strength in (30, 60, 255):
        across, down = np.meshgrid(np.arange(frame.shape[1]) - x, np.arange(frame.shape[0]) - y)
        light = strength * np.exp(-(across**2 + down**2) / 90**2)
        lit = u8(np.clip(frame + light[:, :, None], 0, 255).astype(np.uint8))
        reading = vision_reader.look(lit, PLACE)
        assert reading.count in (None, 4)
        read.append(reading.labels == ("5h", "Jc", "Ad", "6s"))
        assert read[-1] or not any(reading.labels)
    assert read[0]


def test_the_deck_file_keeps_what_is_printed(tmp_path: Path, vision_deck: EnrolledDeck) -> None:
    save_deck(vision_deck, tmp_path / "deck.npz")
    again, own = load_deck(tmp_path / "deck.npz").printed, vision_deck.printed
    assert again is not None
    assert own is not None
    assert np.array_equal(again.faces, own.faces)
    assert np.array_equal(again.backs, own.backs)


def test_faces_of_another_shape_are_refused(tmp_path: Path, vision_deck: EnrolledDeck) -> None:
    assert vision_deck.printed is not None
    for faces in (vision_deck.printed.faces[:, :, 1:], vision_deck.printed.faces[1:]):
        save_deck(replace(vision_deck, printed=Printed(faces, vision_deck.printed.backs)), tmp_path / "deck.npz")
        with pytest.raises(UsageError, match="its faces have the wrong shape"):
            load_deck(tmp_path / "deck.npz")


def test_a_row_too_narrow_for_an_index_has_no_face_and_is_no_crash() -> None:
    row = np.full((round(95 * PX_PER_MM), round(4 * PX_PER_MM), 3), 250, np.uint8)
    assert read_printed_row(row, 250.0, enrol_rendered(), (0.0, 4 * PX_PER_MM), 2 * PX_PER_MM, False) is None
