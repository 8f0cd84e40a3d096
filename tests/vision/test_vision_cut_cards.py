"""Cut cards are told from cards: plain coloured plastic is neither a back nor a face, whoever looks at it."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import simpy

from bench.clock import VirtualClock
from bench.eye import Eye
from cardcert.__main__ import main
from vision.cut_card import find_cut_cards
from vision.deck import EnrolledDeck
from vision.pictures import Picture, project, u8
from vision.places import TableLayout
from vision.read_images import read_picture, read_table
from vision.reader import TableReader
from vision.scene import Pile, Scene, SceneCard
from vision.sources import Frame
from vision.synthetic.loose import COLOURLESS, PLASTIC, LooseCard, art_of, lay_art, loose_picture
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
    frame = vision_renderer.frame(Scene({"seat/1": Pile((SceneCard("2h", False),), "spread")}), 4)
    seen = with_plastic(frame, vision_reader.layout, "burn", "red")
    looked = vision_reader.look(seen, "burn")
    assert (looked.count, looked.face_down, looked.certainty) == (None, None, 0.0)
    assert [card.cut_card for card in looked.cards] == ["red"]
    sight = read_table(seen, vision_reader)
    burn = next(reading for reading in sight.places if reading.place == "burn")
    assert (burn.count, [card.cut_card for card in burn.cards]) == (None, ["red"])
    assert all(reading.count == (reading.place == "seat/1") for reading in sight.places if reading is not burn)


@pytest.mark.parametrize("colour", COLOURLESS)
def test_a_blank_card_at_a_place_is_not_counted(
    colour: str, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = with_plastic(vision_renderer.frame(Scene({}), 4), vision_reader.layout, "burn", colour)
    reading = vision_reader.look(frame, "burn")
    assert (reading.count, reading.face_up, reading.certainty) == (None, (), 0.0)


def test_beside_cards_it_leaves_their_count_open_as_some_may_lie_under_it(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({"layout_centre": Pile((SceneCard("2h", False),), "spread")}), 4)
    assert vision_reader.look(frame, "layout_centre").count == 1
    beside = vision_reader.look(
        with_plastic(frame, vision_reader.layout, "layout_centre", "yellow", 70.0), "layout_centre"
    )
    assert (beside.count, beside.face_up, beside.face_down) == (None, (), None)
    assert [card.cut_card for card in beside.cards] == ["yellow"]


def test_the_record_of_a_look_names_a_cut_card_and_takes_it_for_no_back(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({}), 4)

    class Still:
        """A camera that shows one picture."""

        def grab(self, after_ns: int, timeout_s: float) -> Frame:
            return Frame(with_plastic(frame, vision_reader.layout, "burn", "red"), after_ns, 0)

        def close(self) -> None: ...

    seen = Eye(Still(), vision_reader, VirtualClock(simpy.Environment()), lambda data, kind: "0" * 64).cards("burn")
    assert (seen.count, seen.backs, seen.cut_cards) == (None, [], ["red"])


@pytest.mark.parametrize("shade", ["white", "grey"])
def test_a_plain_card_without_a_colour_is_a_blank_or_a_cut_card(
    shade: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "plain.png"), loose_picture([LooseCard(f"{shade} plastic", 610, 430, 33)]))
    assert main(["read", str(tmp_path / "plain.png")]) == 0
    assert "a blank card, or a white or grey cut card" in capsys.readouterr().out


def test_a_shadow_and_a_label_are_no_cut_cards() -> None:
    picture = loose_picture([])
    label = picture.copy()
    cv2.rectangle(label, (500, 300), (700, 580), COLOURLESS["white"], -1)
    shade = np.zeros(picture.shape[:2], np.float32)
    cv2.rectangle(shade, (500, 300), (700, 580), (0.8,), -1)
    soft = cv2.GaussianBlur(shade, (0, 0), 8)[:, :, None]
    for none in (label, u8((picture * (1 - soft)).astype(np.uint8))):
        assert find_cut_cards(none) == []


def with_plastic(frame: Picture, layout: TableLayout, place: str, colour: str, off_mm: float = 0.0) -> Picture:
    """A picture of a table with a cut card so far to the right of the middle of a place."""
    box = layout.places[place].box
    middle, right, below = project(
        layout.mm_to_px, project(box.to_table(), [(off_mm, 0), (off_mm + 1, 0), (off_mm, 1)])
    )
    to_px = np.array([[right[0] - middle[0], below[0] - middle[0], middle[0]],
                      [right[1] - middle[1], below[1] - middle[1], middle[1]], [0, 0, 1.0]])  # fmt: skip
    seen = u8(frame.copy())
    lay_art(seen, art_of(f"{colour} plastic"), to_px)
    return u8(cv2.GaussianBlur(seen, (0, 0), 0.6))
