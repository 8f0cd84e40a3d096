"""Cards of an enrolled deck are read wherever they lie, and no other deck's are taken for them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from vision.believing import believable
from vision.deck import EnrolledDeck
from vision.deck_file import save_deck
from vision.deck_indices import agreed
from vision.loose_deck import read_loose
from vision.pictures import Picture, holds, project, u8
from vision.read_images import cards_of_images
from vision.readings import CardReading
from vision.resolved import Identity
from vision.synthetic.cards import CARD_MM, face_image
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.faces import design_face
from vision.synthetic.loose import LooseCard, lay_art, loose_picture
from vision.whole_deck import check_deck

UPON_EACH_OTHER = [
    LooseCard("7h", 230, 260, turn_deg=20),
    LooseCard("Ks", 330, 300, turn_deg=65),
    LooseCard("Td", 620, 240, turn_deg=-10),
    LooseCard("2c", 740, 230, turn_deg=-2),
    LooseCard("Qh", 880, 240, turn_deg=8),
    LooseCard("blue", 1120, 640, turn_deg=120),
    LooseCard("9s", 400, 680, turn_deg=181),
    LooseCard("As", 800, 660, turn_deg=250),
]


def named(cards: list[CardReading]) -> list[str]:
    return sorted(card.label for card in cards if card.label is not None)


def test_cards_upon_each_other_are_read_at_any_angle(vision_deck: EnrolledDeck) -> None:
    cards = read_loose(loose_picture(UPON_EACH_OTHER, seed=3), vision_deck)
    assert named(cards) == sorted(["7h", "Ks", "Td", "2c", "Qh", "9s", "As"])
    assert [card.back for card in cards if not card.face_up] == ["blue"]


def test_corners_are_those_of_the_card_where_both_its_indices_show(vision_deck: EnrolledDeck) -> None:
    cards = {card.label: card for card in read_loose(loose_picture(UPON_EACH_OTHER, seed=3), vision_deck)}
    for card in UPON_EACH_OTHER:
        if card.what in ("Ks", "Qh", "9s", "As"):
            seen = cards[card.what]
            turn = np.deg2rad(card.turn_deg)
            half = np.array([-CARD_MM[0], -CARD_MM[1]]) / 2 * card.px_per_mm
            first = half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            off = seen.corners - np.array([card.x_px, card.y_px])
            assert not seen.index_only
            # A card looks the same upside down.
            assert min(np.hypot(*(off[0] - first)), np.hypot(*(off[0] + first))) < 6


def test_a_card_seen_from_the_side_is_read(vision_deck: EnrolledDeck) -> None:
    picture = loose_picture(UPON_EACH_OTHER, seed=4)
    height, width = picture.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    lean = np.array([(180, 150), (width - 180, 150), (width, height - 60), (0, height - 60)], np.float32)
    seen = u8(cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, lean), (width, height)))
    assert named(read_loose(seen, vision_deck)) == sorted(["7h", "Ks", "Td", "2c", "Qh", "9s", "As"])


TURN = np.deg2rad(15.0)
COS, SIN = np.cos(TURN) * 3.2, np.sin(TURN) * 3.2
FOREIGN_TO_PX = np.array([[COS, -SIN, 350.0], [SIN, COS, 330.0], [0.0, 0.0, 1.0]])
FOREIGN = project(FOREIGN_TO_PX, np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(CARD_MM) / 2)


def with_foreign(number: int) -> Picture:
    """Two cards of the deck, and upon one of them one of another design."""
    picture = loose_picture([LooseCard("7h", 230, 300), LooseCard("Ks", 560, 300, turn_deg=40)], seed=number)
    lay_art(picture, design_face(deck_design(number), "4d", 6.0), FOREIGN_TO_PX)
    return picture


@pytest.mark.parametrize("design", [0, 3, 5_000_001])
def test_a_card_of_another_deck_is_a_face_without_a_label(vision_deck: EnrolledDeck, design: int) -> None:
    picture = with_foreign(design)
    cards = believable(picture, read_loose(picture, vision_deck))
    assert named(cards) == ["7h", "Ks"]
    assert any(card.face_up and card.label is None and holds(FOREIGN, *card.corners.mean(axis=0)) for card in cards)


def test_a_card_of_another_deck_that_lies_apart_is_not_passed_over(vision_deck: EnrolledDeck, tmp_path: Path) -> None:
    deck, path = tmp_path / "own.npz", tmp_path / "cards.png"
    save_deck(vision_deck, deck)
    picture = loose_picture([LooseCard("Ks", 230, 300)])
    lay_art(picture, design_face(deck_design(3), "4d", 6.0), np.array([[3, 1, 750.0], [-1, 3, 530.0], [0, 0, 1.0]]))
    cv2.imwrite(str(path), picture)
    cards = cards_of_images([path], deck)
    assert named(cards) == ["Ks"]
    assert [np.hypot(*(card.corners.mean(axis=0) - (750, 530))) < 20 for card in cards if card.label is None] == [True]
    assert check_deck(cards, 52).unread == 1


@pytest.mark.parametrize("shape", [(60, 3000), (3000, 16), (1, 1)])
def test_a_strip_of_paper_is_no_card(vision_deck: EnrolledDeck, shape: tuple[int, int]) -> None:
    assert read_loose(u8(np.full((*shape, 3), 250, np.uint8)), vision_deck) == []


def test_what_is_only_somewhat_like_an_index_takes_a_network_that_is_sure() -> None:
    somewhat = Identity("5d", 1.0, 0.93)
    assert agreed(somewhat, "5d", 0.99)[0] == "5d"
    # Not read, but surely enough an index to be told as a face that is not clear.
    assert agreed(somewhat, "5d", 0.8) == (None, 0.8)
    assert agreed(Identity("5d", 1.0, 0.99), "5d", 0.8)[0] == "5d"


def test_where_deck_and_network_differ_the_deck_must_be_sure_and_the_network_not() -> None:
    assert agreed(Identity("8d", 0.64, 0.964), "6d", 0.3)[0] is None
    assert agreed(Identity("8d", 1.0, 0.99), "6d", 0.6)[0] is None
    assert agreed(Identity("8d", 1.0, 0.99), "6d", 0.3)[0] == "8d"


def test_a_card_half_of_whose_index_is_covered_is_not_taken_for_another(vision_deck: EnrolledDeck) -> None:
    for label, cover_mm in (("Qs", 4.5), ("8h", 5.0), ("Td", 6.0), ("Ad", 5.5)):
        picture = loose_picture([LooseCard(label, 400, 300)], seed=2)
        left = round(400 - CARD_MM[0] / 2 * 3.2)
        # Both indices are covered from the side, each up to so many millimetres from the card's edge.
        picture[:, : left + round(cover_mm * 3.2)] = 40
        picture[:, left + round((CARD_MM[0] - cover_mm) * 3.2) :] = 40
        assert named(read_loose(picture, vision_deck)) in ([], [label])


def test_a_card_whose_ends_say_different_things_is_one_face_without_a_label(vision_deck: EnrolledDeck) -> None:
    face = face_image("7h", 6.0).copy()
    middle = face.shape[0] // 2
    face[middle:] = face_image("Ks", 6.0)[middle:]
    picture = loose_picture([LooseCard("Td", 230, 300)])
    lay_art(picture, face, np.array([[3, 1, 750.0], [-1, 3, 530.0], [0, 0, 1.0]]))
    cards = believable(picture, read_loose(picture, vision_deck))
    assert sorted(card.label or "" for card in cards) == ["", "Td"]


def test_the_command_reads_several_cards_by_a_deck(
    vision_deck: EnrolledDeck, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck, picture = tmp_path / "own.npz", tmp_path / "cards.png"
    save_deck(vision_deck, deck)
    cv2.imwrite(str(picture), loose_picture(UPON_EACH_OTHER[:2], seed=3))
    assert main(["read", str(picture), "--deck", str(deck), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert sorted(card["label"] for card in row["cards"]) == ["7h", "Ks"]
