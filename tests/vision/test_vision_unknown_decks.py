"""Cards of decks that nobody enrolled: drawn decks of seeds that trained nothing, and pictures that show no card."""

import base64
import hashlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.index_reader.suit_shapes import random_suit
from vision.believing import believable
from vision.indices import close_look, detector
from vision.indices.cards import group_cards
from vision.indices.close_look import shipped_close_look
from vision.indices.detector import IndexSight
from vision.indices.doubles import without_doubles
from vision.indices.outlines import find_outlines
from vision.indices.reader import NAMED, cards_of, shipped_reader
from vision.indices.regions import Region
from vision.pictures import Picture, u8
from vision.read_images import read_images, tell
from vision.readings import CardReading
from vision.synthetic.cards import face_image
from vision.synthetic.decks.design import Lettering, deck_design
from vision.synthetic.decks.glyphs import rank_mask
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
        (row,) = read_images([tmp_path / name])
        if row["kind"] == "unread":
            refused.add(name)
            told.append(row["error"])
        else:
            assert all(card["label"] is None for card in row["cards"]), name
    assert refused >= {"empty", "text.jpg", "moving.gif", "large.png"}
    assert all(any(name in words for words in told) for name in refused)


def index(label: str, at: tuple[float, float], up_deg: float, sure: float = 1.0) -> IndexSight:
    """An index of 40 pixels that says its label so surely, and else the next suit; `up_deg` 0 is upright."""
    labels = np.zeros(52, np.float32)
    number = LABELS.index(label)
    labels[number] = sure
    labels[number ^ 1] = 1 - sure
    turn = np.deg2rad(up_deg)
    return IndexSight(*at, (float(np.sin(turn)), float(-np.cos(turn))), 40.0, 1.0, labels)


def small_index(seed: int, suit: str) -> tuple[Picture, IndexSight]:
    """A six over a black suit of some printer's shape, 18 to 26 pixels high and a little out of focus."""
    rng = np.random.default_rng((seed, 17))
    canvas = np.full((320, 240, 3), 245, np.float32)
    for mask, top, high in (
        (rank_mask(Lettering("strokes", 120, 1.0), "6"), 60, 110),
        (random_suit(rng, suit), 180, 72),
    ):
        wide = round(high * mask.shape[1] / mask.shape[0])
        part = cv2.resize(mask, (wide, high))[:, :, None]
        left = 120 - wide // 2
        canvas[top : top + high, left : left + wide] *= 1 - 0.85 * part
    height = float(rng.uniform(18, 26))
    scale = height / 192
    small = cv2.resize(canvas, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.7, 1.1))) + rng.normal(0, 3, small.shape)
    return u8(np.clip(soft, 0, 255).astype(np.uint8)), IndexSight(120 * scale, 156 * scale, (0.0, -1.0), height, 1.0)


def test_small_black_suits_of_any_shape_are_not_taken_for_each_other() -> None:
    wrong, right = [], 0
    for seed in range(60):
        for suit in "cs":
            picture, sight = small_index(seed, suit)
            (looked,) = shipped_close_look().looked(picture, [sight])
            label = LABELS[int(looked.labels.argmax())]
            if looked.labels.max() >= NAMED:
                right += label == f"6{suit}"
                wrong += [(seed, suit, label)] if label != f"6{suit}" else []
    assert wrong == []
    assert right > 80


def test_two_doubtful_indices_of_one_card_do_not_make_it_sure() -> None:
    """What makes a suit look like another is the same at both corners of a card."""
    (card,) = group_cards([index("5s", (100, 100), 0, 0.84), index("5s", (250, 290), 180, 0.84)])
    label, share = card.best
    assert label == "5s"
    assert 0.84 < share < NAMED


@pytest.mark.parametrize("lean_deg", [-14, 0, 14])
def test_indices_that_are_seen_turned_are_still_those_of_one_card(lean_deg: float) -> None:
    (card,) = group_cards([index("Jd", (100, 100), lean_deg), index("Jd", (250, 290), 180 - lean_deg)])
    assert not card.corners_of_index


def test_one_card_whose_corners_contradict_is_not_read_and_is_not_two() -> None:
    paper = np.full((420, 360, 3), 40, np.uint8)
    outline = np.array([(70, 60), (280, 60), (280, 353), (70, 353)], np.float64)
    paper[60:353, 70:280] = 250
    region = Region((60, 50, 290, 363), (1.0,), outline)
    sights = [index("Ts", (92, 95), 0), index("Qs", (258, 318), 180)]
    (card,) = cards_of(paper, [region], sights)
    assert card.label is None
    assert not card.index_only


def test_a_card_seen_twice_is_told_once() -> None:
    corners = np.array([(70, 60), (280, 60), (280, 353), (70, 353)], np.float64)
    whole = CardReading("Ad", 0.99, corners, True)
    own_index = CardReading(
        "Ad", 1.0, np.array([(80, 70), (100, 70), (100, 110), (80, 110)], float), True, index_only=True
    )
    apart = CardReading("Ad", 0.98, corners + 400, True)
    assert without_doubles([own_index, apart, whole]) == [whole, apart]


@pytest.mark.parametrize(
    ("at", "height_px"),
    [((160, 150), 40.0), ((250, 290), 95.0)],
    ids=["large indices of a card seen askew", "one much nearer than the other"],
)
def test_two_indices_that_say_the_same_are_one_card_however_it_is_seen(
    at: tuple[float, float], height_px: float
) -> None:
    other = replace(index("6h", at, 180), height_px=height_px)
    (card,) = group_cards([index("6h", (100, 100), 0), other])
    assert card.best[0] == "6h"
    assert len(card.indices) == 2


def test_indices_so_near_that_say_different_things_are_two_cards() -> None:
    assert len(group_cards([index("6h", (100, 100), 0), index("Kc", (160, 150), 180)])) == 2


def told(sights: list[IndexSight]) -> list[str | None]:
    """The labels told of a picture, black apart from these indices."""
    return [card.label for card in without_doubles(cards_of(np.zeros((900, 900, 3), np.uint8), [], sights))]


@pytest.mark.parametrize(
    ("at", "up_deg"),
    [((210, 105), 0), ((105, 280), 180), ((0, 280), 180)],
    ids=["the other upper corner", "the lower corner of that side", "across the card, mirrored"],
)
def test_what_may_be_a_further_index_of_a_card_is_told_but_not_named(at: tuple[float, float], up_deg: float) -> None:
    assert told([index("8s", (100, 100), 0), index("8s", at, up_deg, 0.99)]) == ["8s", None]
    assert told([index("8s", (100, 100), 0), index("8s", (at[0] + 500, at[1]), up_deg)]) == ["8s", "8s"]
    assert sorted(map(str, told([index("8s", (100, 100), 0), index("9s", at, up_deg)]))) == ["8s", "9s"]


def test_an_index_just_outside_a_whole_card_of_its_label_is_not_named() -> None:
    corners = np.array([(70, 60), (280, 60), (280, 353), (70, 353)], np.float64)
    whole = CardReading("3c", 0.99, corners, True)

    def at(left: float) -> CardReading:
        box = np.array([(left, 80), (left + 20, 80), (left + 20, 120), (left, 120)], np.float64)
        return CardReading("3c", 1.0, box, True, index_only=True)

    assert [card.label for card in without_doubles([at(295), whole])] == ["3c", None]
    assert [card.label for card in without_doubles([at(400), whole])] == ["3c", "3c"]


@pytest.mark.parametrize("under", ["9c", "6d"])
@pytest.mark.parametrize("aside_mm", [(18, 0), (30, 0), (40, 8)])
def test_of_two_cards_upon_each_other_both_are_told_even_of_one_label(under: str, aside_mm: tuple[int, int]) -> None:
    picture, density = np.full((900, 1200, 3), (40, 90, 30), np.uint8), 5
    for label, (x, y) in ((under, (0, 0)), ("9c", aside_mm)):
        face = face_image(label, density)
        high, wide = face.shape[:2]
        left, top = 200 + x * density, 150 + y * density
        picture[top - 1 : top + high + 1, left - 1 : left + wide + 1] = 120
        picture[top : top + high, left : left + wide] = face
    cards = shipped_reader().read(u8(picture))
    assert len(cards) == 2
    assert "9c" in [card.label for card in cards]
    assert {card.label for card in cards} <= {"9c", under, None}


def test_print_that_looks_like_an_index_is_no_card_beside_cards_that_were_read() -> None:
    picture, _ = table(1, 1)
    (card,) = [card for card in shipped_reader().read(picture) if card.label is not None]
    side = float(np.linalg.norm(card.corners[1] - card.corners[0]))

    def unread(high: float, confidence: float) -> CardReading:
        box = np.array([(780, 600), (780 + high / 2, 600), (780 + high / 2, 600 + high), (780, 600 + high)])
        return CardReading(None, confidence, box, True, index_only=True)

    like, small, unlikely = unread(0.25 * side, 0.9), unread(0.06 * side, 0.9), unread(0.25 * side, 0.2)
    assert believable(picture, [card, like, small, unlikely]) == [card, like]


def test_the_networks_are_those_whose_origin_is_told() -> None:
    told = (detector.MODEL.parent / "networks.md").read_text()
    for model in (detector.MODEL, close_look.MODEL):
        assert hashlib.sha256(model.read_bytes()).hexdigest() in told
        assert model.stat().st_size < 2_000_000
