"""An enrolled deck names its cards, says which are alike, and is read from a file with suspicion."""

import io
import os
import pickle
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from tests.vision.one_card import read_one
from vision.deck import TOO_ALIKE, EnrolledDeck
from vision.deck_file import load_deck, save_deck
from vision.deck_from_faces import enrol, enrol_rendered
from vision.layout import TableLayout
from vision.pictures import u8
from vision.reader import TableReader
from vision.scene import LABELS
from vision.single_card import straight_card
from vision.synthetic.cards import back_image, face_image


def test_all_53_cards_are_enrolled(vision_deck: EnrolledDeck) -> None:
    assert vision_deck.labels == LABELS
    assert vision_deck.missing == ()
    assert vision_deck.backs == ("red", "blue")


def test_no_two_cards_of_the_drawn_deck_are_as_good_as_the_same(vision_deck: EnrolledDeck) -> None:
    assert vision_deck.confusable(0.97) == ()


def test_confusable_pairs_come_most_alike_first() -> None:
    six = face_image("6h", 4.0)
    nearly = six.copy()
    nearly[60:64, 20:24] = 200
    deck = enrol({"6h": six, "8h": nearly, "Ks": face_image("Ks", 4.0)}, {})
    pairs = deck.confusable(0.5)
    assert pairs[0][:2] == ("6h", "8h")
    assert pairs[0][2] > 0.99
    assert [pair[2] for pair in pairs] == sorted((pair[2] for pair in pairs), reverse=True)


def test_two_cards_with_the_same_face_are_never_told_apart() -> None:
    same = face_image("6h", 4.0)
    deck = enrol({"6h": same, "8h": same.copy()}, {})
    card = read_one(face_image("6h", 6.0), deck)
    assert card is not None
    assert card.face_up
    assert card.label is None


def test_pictures_of_single_cards_are_named_at_any_angle(vision_deck: EnrolledDeck) -> None:
    for number, label in enumerate(LABELS):
        angle_deg = 37.0 * number  # by the 53rd card all quarters have been met several times
        move = cv2.getRotationMatrix2D((252, 352), angle_deg, 0.5)
        move[:, 2] += (150, 60)
        picture = u8(cv2.warpAffine(face_image(label, 8), move, (800, 900), borderValue=(60, 90, 40)))
        card = read_one(picture, vision_deck)
        assert card is not None
        assert (card.label, card.face_up) == (label, True)


@pytest.mark.parametrize("back", ["red", "blue"])
def test_a_back_is_known_by_its_colour(vision_deck: EnrolledDeck, back: str) -> None:
    card = read_one(back_image(back, 5), vision_deck)
    assert card is not None
    assert (card.face_up, card.label, card.back) == (False, None, back)


def _without(deck: EnrolledDeck, label: str) -> EnrolledDeck:
    kept = [number for number, name in enumerate(deck.labels) if name != label]
    labels = tuple(deck.labels[number] for number in kept)
    return EnrolledDeck(labels, deck.vectors[kept], deck.backs, deck.back_colours)


def test_a_joker_that_was_not_enrolled_is_not_named(vision_deck: EnrolledDeck) -> None:
    card = read_one(face_image("Jk", 6), _without(vision_deck, "Jk"))
    assert card is not None
    assert (card.face_up, card.label) == (True, None)


def test_blank_paper_is_no_card(vision_deck: EnrolledDeck) -> None:
    card = read_one(np.full((528, 378, 3), 250, np.uint8), vision_deck)
    assert card is None or card.label is None


def test_a_deck_with_a_gap_is_not_read_with(vision_deck: EnrolledDeck, vision_layout: TableLayout) -> None:
    """The two of hearts, if it were left out, would be read as the two of diamonds."""
    TableReader(vision_layout, _without(vision_deck, "Jk"))
    with pytest.raises(UsageError, match="1 cards are not enrolled, among them 2h"):
        TableReader(vision_layout, _without(vision_deck, "2h"))


def test_a_saved_deck_is_the_same_deck(vision_deck: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(vision_deck, tmp_path / "deck.npz")
    again = load_deck(tmp_path / "deck.npz")
    assert again.labels == vision_deck.labels
    assert again.backs == vision_deck.backs
    assert np.array_equal(again.vectors, vision_deck.vectors)
    assert [path.name for path in tmp_path.iterdir()] == ["deck.npz"]


class Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return (exec, ("raise SystemExit('pickle was executed')",))


def _file(**changes: object) -> bytes:
    deck = enrol({"6h": face_image("6h", 4.0)}, {"red": back_image("red", 4.0)})
    arrays: dict[str, object] = {
        "format": np.array(1),
        "labels": np.array(deck.labels),
        "vectors": deck.vectors,
        "backs": np.array(deck.backs),
        "back_colours": deck.back_colours,
        "card_mm": np.array(deck.card_mm),
    }
    arrays |= changes
    buffer = io.BytesIO()
    np.savez(buffer, **{name: array for name, array in arrays.items() if array is not None})  # type: ignore[arg-type]
    return buffer.getvalue()


def _with_labels(header: str) -> bytes:
    """A deck file whose labels claim what their header says."""
    head = f"{header}\n".encode()
    buffer = io.BytesIO(_file(labels=None))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("labels.npy", b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
    return buffer.getvalue()


def _broken_deflate() -> bytes:
    data = bytearray(_deflated())
    at = data.index(b"labels.npy") + len(b"labels.npy")
    data[at : at + 40] = b"\xff" * 40
    return bytes(data)


def _deflated() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_file())) as plain, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in plain.namelist():
            archive.writestr(name, plain.read(name))
    return buffer.getvalue()


def _no_array() -> bytes:
    buffer = io.BytesIO(_file(labels=None))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("labels", b"6h")
    return buffer.getvalue()


def _bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("vectors.npy", bytes(64 * 1024 * 1024))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a deck",
        pickle.dumps(Bomb()),
        _file()[:-40],
        _file(format=np.array(2)),
        _file(labels=np.array(["6h", "6h"])),
        _file(labels=np.array(["xx"])),
        _file(labels=np.array([Bomb()], dtype=object)),
        _file(vectors=np.zeros((1, 3), np.float32)),
        _file(vectors=np.full((1, 1184), np.nan, np.float32)),
        _file(vectors=np.zeros((1, 1184), np.float32)),
        _file(back_colours=None),
        _file(card_mm=np.array([0.0, 0.0])),
        _bomb(),
        _with_labels("{'descr':'<i8','fortran_order':False,'shape':(1000000000000,)}"),
        _with_labels("{'descr':'<i8','fortran_order':False,'shape':(" + "9" * 40 + ",)}"),
        _with_labels("{'descr':'<U0','fortran_order':False,'shape':(100000000000,)}"),
        _with_labels("(" * 400),
        _broken_deflate(),
        _no_array(),
    ],
    ids=range(20),
)
def test_files_that_are_no_deck_are_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "deck.npz"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"deck\.npz: expected an enrolled deck"):
        load_deck(path)


def test_the_untouched_file_of_these_tests_is_a_deck(tmp_path: Path) -> None:
    path = tmp_path / "deck.npz"
    path.write_bytes(_file())
    assert load_deck(path).labels == ("6h",)


def test_a_deck_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the deck"):
        load_deck(tmp_path / "absent.npz")


def test_what_is_no_file_is_not_read_as_a_deck(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    for path in (tmp_path / "pipe.npz", tmp_path, Path("/dev/zero")):
        with pytest.raises(UsageError, match="cannot read the deck"):
            load_deck(path)


@pytest.mark.parametrize(
    ("images", "named"),
    [
        ({}, "no pictures"),
        ({"1h": face_image("6h", 4.0)}, "card label"),
        ({"6h": face_image("6h", 4.0)[:, :100]}, "upright card"),
        ({"6h": np.zeros((20, 14, 3), np.uint8)}, "at least 40"),
    ],
)
def test_pictures_that_cannot_be_enrolled_are_refused(
    images: dict[str, np.typing.NDArray[np.uint8]], named: str
) -> None:
    with pytest.raises(UsageError, match=named):
        enrol(images, {})


def test_a_card_whose_corners_disagree_is_not_named(vision_deck: EnrolledDeck) -> None:
    """A card of which one corner says six and the other eight is no card of any deck."""
    mixed = face_image("6h", 6).copy()
    mixed[264:] = face_image("8h", 6)[264:]
    card = read_one(mixed, vision_deck)
    assert card is not None
    assert (card.face_up, card.label) == (True, None)


def test_cards_too_alike_are_listed_and_never_named() -> None:
    """A speck in one corner tells two sixes apart in the pictures, but not on a table."""
    six = face_image("6h", 4.0)
    speck = six.copy()
    speck[60:66, 20:26] = 120
    deck = enrol({"6h": six, "8h": speck, "Ks": face_image("Ks", 4.0)}, {})
    assert [pair[:2] for pair in deck.confusable(TOO_ALIKE)] == [("6h", "8h")]
    for picture, label in ((six, None), (speck, None), (face_image("Ks", 4.0), "Ks")):
        card = read_one(picture, deck)
        assert card is not None
        assert card.label == label


def test_a_photographed_card_is_straightened_for_enrolment(vision_deck: EnrolledDeck) -> None:
    corners = np.array([[130, 90], [420, 140], [380, 560], [60, 500]], np.float32)
    face = face_image("Td", 6)
    square = np.array([[0, 0], [378, 0], [378, 528], [0, 528]], np.float32)
    photo = np.full((640, 520, 3), (50, 80, 40), np.uint8)
    move = cv2.getPerspectiveTransform(square, corners)
    cv2.warpPerspective(face, move, (520, 640), photo, borderMode=cv2.BORDER_TRANSPARENT)
    straight = straight_card(photo, (63.0, 88.0))
    assert straight is not None
    assert straight.shape == (528, 378, 3)
    assert abs(cv2.blur(straight, (9, 9)).astype(int) - cv2.blur(face, (9, 9))).mean() < 8
    assert straight_card(np.zeros((300, 300, 3), np.uint8), (63.0, 88.0)) is None


def test_a_deck_that_cannot_be_written_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "deck.npz", tmp_path / "folder"):
        with pytest.raises(UsageError, match="cannot write the deck"):
            save_deck(enrol_rendered(), path)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]
