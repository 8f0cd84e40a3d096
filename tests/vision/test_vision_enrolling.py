"""Decks are enrolled from files and sheets, refused where two cards are alike, and checked for what is missing."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardcert.__main__ import main
from evidence.errors import UsageError
from vision.deck_file import load_deck, save_deck
from vision.enrolling import enrol_files, label_of
from vision.pictures import Picture, u8
from vision.readings import CardReading
from vision.scene import BACKS, JOKER, LABELS
from vision.sheets import cards_apart
from vision.synthetic.cards import back_image, face_image
from vision.synthetic.strokes import write
from vision.whole_deck import check_deck

PX_PER_MM = 4.0
ORDER = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"] + [JOKER]


@pytest.fixture(scope="module")
def faces() -> dict[str, Picture]:
    return {label: face_image(label, PX_PER_MM) for label in LABELS}


def sheet(cards: Iterable[Picture], columns: int = 9) -> Picture:
    """Cards side by side on a dark ground, none quite straight."""
    rows = list(cards)
    high, wide = rows[0].shape[0] + 40, rows[0].shape[1] + 40
    ground = np.full((high * -(-len(rows) // columns) + 20, wide * columns + 20, 3), 44, np.uint8)
    for number, card in enumerate(rows):
        y, x = 20 + number // columns * high, 20 + number % columns * wide
        turn = cv2.getRotationMatrix2D((card.shape[1] / 2, card.shape[0] / 2), (number % 5 - 2) * 0.8, 1)
        turn[:, 2] += (x, y)
        cv2.warpAffine(card, turn, ground.shape[1::-1], ground, borderMode=cv2.BORDER_TRANSPARENT)
    return u8(ground)


def put(path: Path, picture: Picture) -> Path:
    path.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(path), picture)
    return path


@pytest.fixture(scope="module")
def sheets(faces: dict[str, Picture], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    where = tmp_path_factory.mktemp("sheets")
    whole = [faces[label] for label in ORDER]
    paths = [put(where / f"sheet{number}.png", sheet(whole[k : k + 27])) for number, k in enumerate((0, 27))]
    return paths + [put(where / f"back_{back}.png", sheet([back_image(back, PX_PER_MM)], 1)) for back in BACKS]


def test_a_deck_is_enrolled_from_sheets_and_checked_by_them(
    sheets: list[Path], faces: dict[str, Picture], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "house.npz"
    assert main(["deck", "enrol", *map(str, sheets), "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["cards"], sorted(told["backs"]), told["missing"]) == (53, sorted(BACKS), [])
    assert all(0.9 <= pair["likeness"] < 0.96 for pair in told["alike"])
    assert load_deck(out).labels == tuple(ORDER)
    assert main(["deck", "check", str(out)]) == 0
    assert main(["deck", "list", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("house.npz: 53 cards") == 2

    pictures = [str(path) for path in sheets[:2]]
    assert main(["read", *pictures, "--deck", str(out), "--check-deck", "53", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["found"] == "whole"
    for size, change, found, status in (
        (53, {"Kd": None}, ("missing", ["Kd"], [], 0), 1),
        (53, {"Kd": "Ah"}, ("swapped", ["Kd"], ["Ah"], 0), 1),
        (52, {}, ("extra", [], [], 1), 1),
    ):
        laid = [faces[now] for label in ORDER if (now := change.get(label, label)) is not None]
        shown = put(tmp_path / "laid.png", sheet(laid, 9))
        assert main(["read", str(shown), "--deck", str(out), "--check-deck", str(size), "--json"]) == status
        row = json.loads(capsys.readouterr().out)
        assert (row["found"], row["missing"], row["twice"], row["foreign"]) == found


def test_a_card_that_is_not_read_leaves_the_check_open(
    sheets: list[Path], faces: dict[str, Picture], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "house.npz"
    save_deck(enrol_files(sheets), out)
    laid = [faces[label] if label != "7s" else u8(np.full_like(faces[label], 246)) for label in ORDER]
    shown = put(tmp_path / "laid.png", sheet(laid))
    assert main(["read", str(shown), "--deck", str(out), "--check-deck", "53", "--json"]) == 3
    row = json.loads(capsys.readouterr().out)
    assert (row["found"], row["missing"], row["unread"], row["missing_surely"]) == (None, ["7s"], 1, False)
    assert main(["read", str(shown), "--deck", str(out), "--check-deck", "53"]) == 3
    assert "  missing, or among the 1 not read: 7s\n" in capsys.readouterr().out


def test_a_deck_with_index_letters_of_another_language_is_enrolled(faces: dict[str, Picture], tmp_path: Path) -> None:
    for label, drawn in faces.items():
        face = drawn.copy()
        rank = {"K": "R", "Q": "D", "J": "V"}.get(label[0], label[0])
        if rank != label[0]:
            face[int(3 * PX_PER_MM) : int(18 * PX_PER_MM), int(2 * PX_PER_MM) : int(13.5 * PX_PER_MM)] = (250, 252, 252)
            ink = (38, 28, 196) if label[1] in "dh" else (28, 24, 22)
            write(face, rank, (7.6 * PX_PER_MM, 10.6 * PX_PER_MM), 12.4 * PX_PER_MM, ink, weight=0.17)
        name = "Joker" if label == JOKER else rank.replace("T", "10") + label[1]
        put(tmp_path / "cartes" / f"{name}.png", sheet([face], 1))
    deck = enrol_files([tmp_path / "cartes"], language="fr")
    assert sorted(deck.labels) == sorted(LABELS)


def test_two_cards_that_cannot_be_told_apart_are_refused(faces: dict[str, Picture], tmp_path: Path) -> None:
    pictures = [faces["Qs" if label == "Ks" else label] for label in ORDER]
    with pytest.raises(UsageError, match=r"1 pairs of cards cannot be told apart.*Qs and Ks \(1\.000\)"):
        enrol_files([put(tmp_path / "sheet.png", sheet(pictures))])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ah.png"], "51 cards are not enrolled"),
        (["Ah.png", "ah.png"], "Ah was enrolled before"),
        (["blank.png"], "0 cards are seen, 53 are still due"),
        (["Ah-blank.png"], "0 cards are seen"),
    ],
)
def test_what_does_not_suffice_is_told(names: list[str], said: str, faces: dict[str, Picture], tmp_path: Path) -> None:
    for name in names:
        shown = np.full((200, 200, 3), 40, np.uint8) if "blank" in name else sheet([faces["Ah"]], 1)
        put(tmp_path / name, shown)
    with pytest.raises(UsageError, match=said):
        enrol_files([tmp_path / name for name in names])


def test_backs_of_one_colour_are_refused(sheets: list[Path], tmp_path: Path) -> None:
    again = put(tmp_path / "back_other.png", sheet([back_image("red", PX_PER_MM)], 1))
    with pytest.raises(UsageError, match="backs red and other have the same colour"):
        enrol_files([*sheets, again])


@pytest.mark.parametrize(
    ("name", "language", "label"),
    [("10h", "en", "Th"), ("Rd", "fr", "Kd"), ("Vs", "fr", "Js"), ("Bc", "de", "Jc"), ("Fh", "it", "Jh"),
     ("Sd", "es", "Jd"), ("Joker", "fr", JOKER), ("Rd", "en", ""), ("Xh", "en", ""), ("Ahh", "en", "")],
)  # fmt: skip
def test_a_file_name_tells_the_card(name: str, language: str, label: str) -> None:
    assert label_of(name, language) == label


def test_cards_are_found_row_by_row(faces: dict[str, Picture]) -> None:
    found = cards_apart(sheet([faces[label] for label in ORDER[:11]], 4), (63.0, 88.0))
    assert len(found) == 11
    middles = np.array([corners.mean(axis=0) for corners in found])
    assert (np.diff(middles[:4, 0]) > 0).all()
    assert middles[4, 1] > middles[3, 1] + 200
    assert cards_apart(np.full((300, 300, 3), 40, np.uint8), (63.0, 88.0)) == []


def test_two_corners_without_an_outline_are_not_a_card_that_is_there_twice() -> None:
    outline = np.zeros((4, 2))
    deck = [CardReading(label, 1.0, outline, True) for label in LABELS]
    corner = replace(deck[0], index_only=True)
    for cards, found in (([corner, corner], None), ([deck[0], corner], None), ([deck[0], deck[0]], "extra")):
        check = check_deck([*cards, *deck[1:]], 53)
        assert (check.found, check.twice) == (found, (deck[0].label,) if found else ())
    assert check_deck([corner, *deck[1:]], 53).found == "whole"


def test_a_picture_whose_name_means_nothing_is_said_to_be_taken_for_a_sheet(
    faces: dict[str, Picture], tmp_path: Path
) -> None:
    named = put(tmp_path / "Ac.png", sheet([faces["Ac"]], 1))
    misnamed = put(tmp_path / "back-red.png", sheet([back_image("red", PX_PER_MM)], 1))
    with pytest.raises(UsageError, match=r"back-red\.png: taken for a sheet .* such as Ah, 10c, Jk or back_blue"):
        enrol_files([named, misnamed])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["deck", "enrol", "x.png", "--out", "d.txt"], "ends in .npz"),
        (["deck", "enrol", "x.png", "--out", "d.npz", "--card-mm", "88", "63"], "--card-mm: expected"),
        (["deck", "enrol", "absent.png", "--out", "d.npz"], "found nothing"),
        (["deck", "enrol", "absent.png", "--out", "d.npz", "--order", "AKQ/cdhs"], "expected all ranks"),
        (["deck", "check", "absent.npz"], "cannot read the deck"),
        (["deck", "list", "absent"], "expected a folder"),
        (["read", "absent.png", "--check-deck", "53"], "found nothing"),
    ],
)
def test_a_mistake_gets_one_clear_message(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1
