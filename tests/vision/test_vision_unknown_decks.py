"""Cards of decks that nobody enrolled: drawn decks of seeds that trained nothing, and pictures that show no card."""

import base64
import hashlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence.errors import UsageError
from vision.indices import close_look, detector
from vision.indices.outlines import find_outlines
from vision.indices.reader import shipped_reader
from vision.pictures import Picture, u8
from vision.read_images import read_images, tell
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.grounds import random_ground
from vision.synthetic.decks.scenes import CardTruth, Laid, lay_cards, photographed, placed

HELD_OUT_SEED = 5_000_000
"""Designs of this seed and above were never drawn for training."""
LABELS = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
# A plain picture in four inks, as a printer's program would save it.
CMYK_JPEG = (
    "|JeWT01iQ9Z(?NtWB>pF0095n07C#M93CSc87LzmBP}Z^Fg#>IJU2HydstmbWRZZGmXCmpilDUS!=S3#t%{7u|I6C$_5c6>o5BD8|N8&t{r~v?zyK5"
    "o05AYR1Va%3O%VWD5dcdO0RO}Q761VO0RR910000000000000051pmYU6c7Ob00000000000000000030+5ip&LjX+xSpZ7_06ze(qSCMc00000000"
    "000000000000000000000000000000000000000000000095l"
)


def table(seed: int, count: int) -> tuple[Picture, list[CardTruth]]:
    """A picture of cards of one held-out deck that lie apart from each other, turned at random."""
    rng = np.random.default_rng(seed)
    design = deck_design(HELD_OUT_SEED + seed)
    ground = u8((random_ground(rng, (900, 700)) * 0.5).astype(np.uint8))
    cards = []
    for n in range(count):
        at = (160.0 + 290 * (n % 3), 180.0 + 340 * (n // 3))
        label = LABELS[int(rng.integers(52))]
        to_px = placed(rng, (31.5, 44.0), at, 2.6, float(rng.uniform(0, 2 * np.pi)), 0.3)
        cards.append(Laid(design, label, to_px))
    picture, truths = lay_cards(rng, ground, cards)
    return photographed(rng, picture, 0.3), truths


def test_cards_of_unknown_decks_are_read_where_they_lie() -> None:
    read = wrong = whole = 0
    for seed in range(3):
        picture, truths = table(seed, 6)
        cards = shipped_reader().read(picture)
        for truth in truths:
            ring = truth.corners.astype(np.float32)
            near = [card for card in cards if cv2.pointPolygonTest(ring, card.corners.mean(axis=0), False) >= 0]
            named = {card.label for card in near} - {None}
            whole += 1
            read += named == {truth.label}
            wrong += bool(named - {truth.label})
            for card in near:
                if card.label == truth.label and not card.index_only:
                    turned = min(np.abs(np.roll(card.corners, k, axis=0) - truth.corners).max() for k in (0, 2))
                    assert turned < 25
    assert whole == 18
    assert wrong == 0
    assert read >= 16


def test_the_order_of_corners_tells_which_way_up_a_card_lies() -> None:
    picture, truths = table(1, 1)
    (card,) = [card for card in shipped_reader().read(picture) if card.label is not None]
    assert card.label == truths[0].label
    across, along = card.corners[1] - card.corners[0], card.corners[3] - card.corners[0]
    assert np.linalg.norm(along) > np.linalg.norm(across)
    assert across[0] * along[1] - across[1] * along[0] > 0


def test_a_picture_is_told_as_cards_with_their_corners(tmp_path: Path) -> None:
    picture, truths = table(2, 2)
    cv2.imwrite(str(tmp_path / "cards.png"), picture)
    (row,) = read_images([tmp_path / "cards.png"])
    assert row["kind"] == "cards"
    assert {card["label"] for card in row["cards"] if card["label"]} == {truth.label for truth in truths}
    assert all(card["corners_of"] in ("card", "index") and len(card["corners"]) == 4 for card in row["cards"])
    assert all(0 <= card["confidence"] <= 1 for card in row["cards"])
    assert f"card {truths[0].label}, confidence" in tell(row)


def test_the_border_of_a_light_picture_in_which_cards_lie_is_no_card() -> None:
    picture = np.full((320, 480, 3), 40, np.uint8)
    picture[4:-4, 4:-4] = 150
    for left in (40, 170, 300):
        picture[60:184, left : left + 88] = 250
        cv2.rectangle(picture, (left - 1, 59), (left + 88, 184), (90, 90, 90), 1)
    assert sorted(round(float(outline[:, 0].min())) for outline in find_outlines(picture)) == [40, 170, 300]
    alone = picture[59:185, 39:129].copy()
    assert len(find_outlines(alone)) == 1


@pytest.mark.parametrize("seed", range(4))
def test_grounds_without_cards_name_nothing(seed: int) -> None:
    rng = np.random.default_rng((seed, 99))
    picture = photographed(rng, random_ground(rng, (800, 600)), 0.5)
    assert [card.label for card in shipped_reader().read(picture) if card.label] == []


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (7, 9), (20, 8191)])
@pytest.mark.parametrize("value", [0, 255])
def test_pictures_of_any_shape_are_borne(shape: tuple[int, int], value: int) -> None:
    cards = shipped_reader().read(np.full((*shape, 3), value, np.uint8))
    assert all(card.label is None for card in cards)


def pictures_of_other_kinds(folder: Path) -> dict[str, Path]:
    picture, _ = table(3, 1)
    made = {
        "grey": cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY),
        "alpha": np.dstack([picture, np.full(picture.shape[:2], 90, np.uint8)]),
        "deep": picture.astype(np.uint16) * 257,
    }
    files = {}
    for name, pixels in made.items():
        files[name] = folder / f"{name}.png"
        cv2.imwrite(str(files[name]), pixels)
    return files


def test_colour_depth_and_alpha_do_not_change_what_is_read(tmp_path: Path) -> None:
    _, truths = table(3, 1)
    files = pictures_of_other_kinds(tmp_path)
    labels = {}
    for name, file in files.items():
        (row,) = read_images([file])
        labels[name] = {card["label"] for card in row["cards"]} - {None}
    assert labels["alpha"] == labels["deep"] == {truths[0].label}
    assert labels["grey"] <= {truths[0].label}


def test_files_that_hold_no_cards_are_refused_or_name_nothing(tmp_path: Path) -> None:
    picture, _ = table(4, 1)
    _, jpeg = cv2.imencode(".jpg", picture)
    whole = jpeg.tobytes()
    _, large = cv2.imencode(".png", np.full((4000, 5000, 3), 40, np.uint8))
    contents = {
        "empty": b"",
        "cut.jpg": whole[: len(whole) // 3],
        "head.jpg": whole[:300],
        "cmyk.jpg": base64.b85decode(CMYK_JPEG),
        "large.png": large.tobytes(),
        "text.jpg": b"This is not a picture.",
        "moving.gif": b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00"
        b"\x02\x02D\x01\x00;",
    }
    refused, told = set(), []
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
        try:
            (row,) = read_images([tmp_path / name])
        except UsageError as error:
            refused.add(name)
            told.append(str(error))
        else:
            assert all(card["label"] is None for card in row["cards"]), name
    assert refused >= {"empty", "text.jpg", "moving.gif", "large.png"}
    assert all(any(name in words for words in told) for name in refused)


def test_the_networks_are_those_whose_origin_is_told() -> None:
    told = (detector.MODEL.parent / "networks.md").read_text()
    for model in (detector.MODEL, close_look.MODEL):
        assert hashlib.sha256(model.read_bytes()).hexdigest() in told
        assert model.stat().st_size < 2_000_000
