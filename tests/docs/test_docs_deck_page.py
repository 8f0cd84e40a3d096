"""The command on the page about decks enrols a deck from photographs as the page says they should be made."""

import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

from tests.shared_runs import plain_environment
from vision.deck import as_camera_sees as seen
from vision.deck import index_corner, paper_level
from vision.deck_file import load_deck
from vision.pictures import Picture, u8
from vision.scene import BACKS, LABELS
from vision.synthetic.cards import CARD_MM, back_image, face_image

PAGE = Path(__file__).parents[2] / "docs" / "add-a-deck.md"
TURN_DEGREES = 4
TIMEOUT_S = 120


def photograph(card: Picture) -> Picture:
    """The card on a dark ground, not quite straight."""
    height, width = card.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), TURN_DEGREES, 1)
    turn[:, 2] += 60
    ground = np.full((height + 120, width + 120, 3), 40, np.uint8)
    return u8(cv2.warpAffine(card, turn, ground.shape[1::-1], ground, borderMode=cv2.BORDER_TRANSPARENT))


def test_the_command_enrols_every_card_under_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "deck"
    folder.mkdir()
    faces = {label: face_image(label, 6.0) for label in LABELS}
    for label, face in faces.items():
        cv2.imwrite(str(folder / f"{label}.png"), photograph(face))
    for back in BACKS:
        cv2.imwrite(str(folder / f"back_{back}.png"), photograph(back_image(back, 6.0)))
    (command,) = re.findall(r"^ +cardcert (deck enrol .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-m", "cardcert", *command.split()], cwd=tmp_path, env=plain_environment(tmp_path),
        capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    deck = load_deck(tmp_path / "house.npz")
    assert sorted(deck.labels) == sorted(LABELS)
    assert sorted(deck.backs) == sorted(BACKS)
    named = {}
    for label, face in faces.items():
        card = seen(face, (float(CARD_MM[0]), float(CARD_MM[1])), label)
        named[label] = deck.identify(index_corner(card), paper_level(card)).label
    assert {label: name for label, name in named.items() if name not in {label, None}} == {}
    assert sum(name is not None for name in named.values()) > 0.9 * len(LABELS)
