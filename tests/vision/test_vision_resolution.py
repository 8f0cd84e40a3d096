"""A deck says what a camera must resolve: one that does reads it; one that does not leaves it unread and says why."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from bench.rig import load_rig
from bench.workshop import Workshop, left_unread
from evidence.errors import RigFault, UsageError
from tests.vision.one_card import read_one
from vision.corners import Corners
from vision.deck import EnrolledDeck
from vision.deck_file import load_deck, save_deck
from vision.deck_from_faces import enrol
from vision.edges import Edge
from vision.faces import Sight
from vision.finding import find_cards
from vision.layout import standard_layout
from vision.paper import NoPaper, find_paper
from vision.pictures import Picture, u8
from vision.places import TableLayout, density_at
from vision.reader import TableReader
from vision.readings import PlaceReading
from vision.resolution import resolution
from vision.scene import LABELS, Pile, SceneCard
from vision.sharp import Sharp, coarse
from vision.synthetic.cards import back_image, face_image
from vision.synthetic.decks.design import deck_design
from vision.synthetic.decks.faces import design_face
from vision.synthetic.piles import lay_pile
from vision.told_apart import need_of
from vision.told_row import Begun, RowOfSights, read_told_row
from vision.windows import PLACE_MARGIN_MM, upright, window_for

SMALL = 3_000_000
"""A design whose index is 12.5 mm high in all and whose courts have frames."""
WIDE = 3_000_003
"""A design whose tens reach to within 1.5 mm of the card's border, so that they hide its edge."""
FOUR = 3_000_004
FELT = (48, 84, 22)
PLACE = "layout_centre"
FINE_PX = (2560, 1440)


def face(design: int, label: str, px_per_mm: float) -> Picture:
    return face_image(label, px_per_mm) if label == "Jk" else design_face(deck_design(design), label, px_per_mm)


def enrolled(design: int) -> EnrolledDeck:
    return enrol({label: face(design, label, 6.0) for label in LABELS}, {"blue": back_image("blue", 6.0)})


@pytest.fixture(scope="module")
def small() -> EnrolledDeck:
    return enrolled(SMALL)


@pytest.fixture(scope="module")
def wide() -> EnrolledDeck:
    return enrolled(WIDE)


def laid(names: str, layout: TableLayout, design: int) -> Picture:
    """A place of a plain table on which cards lie, as a lens shows it; `-` is a card face down."""
    cards = tuple(SceneCard("Ah" if name == "-" else name, name != "-", "blue") for name in names.split())
    frame = u8(np.full((layout.size_px[1], layout.size_px[0], 3), FELT, np.uint8))
    hand = np.random.default_rng(5).uniform(-1, 1, (16, 3))
    place, pile = layout.places[PLACE], Pile(cards, "spread")
    lay_pile(frame, (0, 0), pile, place, layout.card_mm, hand, layout.mm_to_px, partial(face, design))
    return u8(cv2.GaussianBlur(frame, (3, 3), 0.55))


def read(names: str, layout: TableLayout, deck: EnrolledDeck, design: int) -> PlaceReading:
    return TableReader(layout, deck).look(laid(names, layout, design), PLACE)


def told(reading: PlaceReading) -> str:
    return " ".join((card.label or "?") if card.face_up else "-" for card in reading.cards)


@pytest.mark.parametrize("names", ["8s 6s Kc Qd 4c - 4s Td", "Jh Qs Ks - - 5h 6h 8h"])
def test_a_small_index_is_read_where_the_camera_resolves_it(names: str, small: EnrolledDeck) -> None:
    layout = standard_layout().scaled(FINE_PX)
    assert resolution(layout, small)[0]
    assert told(read(names, layout, small, SMALL)) == names


def test_it_is_left_unread_where_the_camera_does_not(small: EnrolledDeck) -> None:
    layout, names = standard_layout(), "8s 6s Kc Qd 4c - 4s Td"
    well, words = resolution(layout, small)
    assert not well
    assert small.need is not None
    assert f"needs at least {small.need.px_per_mm:g} px/mm; closest pair {'/'.join(small.need.closest)}" in words
    assert "never guessed" in words
    pairs = list(zip(names.split(), told(read(names, layout, small, SMALL)).split(), strict=False))
    assert all(seen in (true, "?") for true, seen in pairs)
    assert all(seen != true for true, seen in pairs if true in ("8s", "6s"))


@pytest.mark.parametrize("names", ["3c Td 4d 9s 8c -", "Kc 3d - 5c Tc -"])
def test_an_index_that_hides_the_edge_of_its_card_does_not_hide_the_card(names: str, wide: EnrolledDeck) -> None:
    assert told(read(names, standard_layout().scaled((1920, 1080)), wide, WIDE)) == names


def test_a_card_between_others_is_never_passed_over(small: EnrolledDeck) -> None:
    """A place whose cards hardly lie on each other: a row of three is never one of two."""
    layout = standard_layout().scaled(FINE_PX)
    apart = replace(layout.places[PLACE], spread_pitch_mm=61.5, countable=4)
    hardly = replace(layout, places={**layout.places, PLACE: apart})
    for names in ("4s - -", "- 4s -", "Kd - Qs"):
        assert told(read(names, layout, small, SMALL)) == names, "the same row is read where places are as usual"
        assert read(names, hardly, small, SMALL).count in (3, None)


def test_a_row_read_without_one_of_its_cards_is_noticed(small: EnrolledDeck) -> None:
    """An index is too little of what shows of the card before it to be noticed as strange printing, under glare."""
    layout = standard_layout().scaled(FINE_PX)
    reader, frame = TableReader(layout, small), laid("4c 2c 5c", layout, SMALL)
    cards = reader.look(frame, PLACE).cards
    window = reader.window(PLACE)
    density = density_at(layout.mm_to_px, layout.places[PLACE].box.centre_mm)
    sharp = Sharp(window.cut(frame), window, small, density)
    assert not sharp.passed_over(cards, 235.0)
    assert sharp.passed_over((cards[0], cards[2]), 235.0)


def test_a_smudged_corner_is_borne_out_by_the_other_one(small: EnrolledDeck) -> None:
    """Unless it is nearer to another card than to the one that the other corner surely is."""
    smudged = face(SMALL, "6h", 6.0).copy()
    cv2.circle(smudged, (340, 487), 12, (90, 90, 120), -1)
    card = read_one(smudged, small)
    assert card is not None
    assert card.label == "6h"
    smudged[264:] = face(SMALL, "8h", 6.0)[264:]
    cv2.circle(smudged, (340, 487), 12, (90, 90, 120), -1)
    card = read_one(smudged, small)
    assert card is not None
    assert card.label is None


def test_a_second_index_of_a_card_is_not_another_card() -> None:
    """A design with four indices, so wide apart that the upper right one of the first card shows."""
    four, layout = enrolled(FOUR), standard_layout().scaled(FINE_PX)
    place = replace(layout.places[PLACE], spread_pitch_mm=60.0, countable=4)
    layout = replace(layout, places={**layout.places, PLACE: place})
    window = window_for(layout, place.box, PLACE_MARGIN_MM)
    density = density_at(layout.mm_to_px, place.box.centre_mm)
    sharp = Sharp(window.cut(laid("8h 5c", layout, FOUR)), window, four, density)
    crop, view = coarse(sharp.crop, upright(layout, window, 1.6), density)
    found = find_cards(view.rectify(crop), 1.6, layout.card_mm, PLACE_MARGIN_MM, (60.0, 60.0))
    assert found.paper is not None
    second_mm = layout.card_mm[0] - 2 * deck_design(FOUR).index_x_mm
    faint = replace(found.edges[0], x=found.edges[0].x + second_mm * 1.6, rise=0.02)
    candidates = tuple(sorted((*found.edges, faint), key=lambda edge: edge.x))
    told_row = read_told_row(crop, view, found.paper, candidates, sharp, (60.0, 60.0))
    assert told_row is not None
    assert [card.label for card in told_row[0]] == ["8h", "5c"]


class Explained(RowOfSights):
    """A row in which whatever shows is explained by any card."""

    def __init__(self, *cards: tuple[float, str, float]) -> None:
        q = 1.6
        begun = [
            Begun(Edge(at_mm * q, 0.0, rise, 1.0), np.zeros((4, 2)), Sight(True, label, 0.9))
            for at_mm, label, rise in cards
        ]
        view, deck = SimpleNamespace(px_per_mm=q), SimpleNamespace(card_mm=(63.0, 88.0))
        paper = SimpleNamespace(left=0.0, right=begun[-1].edge.x + 63.0 * q)
        super().__init__(None, view, paper, (), SimpleNamespace(deck=deck), begun, 60.0)  # type: ignore[arg-type]

    def _explained(self, card: Begun, after: Begun | None) -> bool:
        return True


@pytest.mark.parametrize(("between", "told"), [("7c", None), ("Kh", ["Kh", "2d"])])
def test_a_row_that_other_cards_explain_as_well_is_not_told(between: str, told: list[str] | None) -> None:
    """A faint index of another card may be a card; one of the same may be its second index."""
    way = Explained((0.0, "Kh", 0.2), (28.0, between, 0.05), (56.0, "2d", 0.2)).only_way()
    assert (None if way is None else [card.sight.label for card in way]) == told


def test_the_box_of_the_index_is_where_the_design_has_it(small: EnrolledDeck) -> None:
    design = deck_design(SMALL)
    assert small.corners is not None
    left, top, right, bottom = small.corners.index_mm
    height, _ = design.index_mm
    assert abs(top - design.index_top_mm) < 1
    assert abs(bottom - design.index_top_mm - height) < 1
    assert left < design.index_x_mm < right < design.index_x_mm + design.rank_mm


def test_the_file_of_a_deck_says_what_it_needs(small: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(small, tmp_path / "deck.npz")
    assert small.need is not None
    assert load_deck(tmp_path / "deck.npz").need == small.need
    well, words = resolution(standard_layout(), replace(small, corners=None))
    assert well
    assert "enrol the deck anew" in words


def test_cards_without_an_index_are_never_told_apart() -> None:
    blank = np.full((3, 2, 168, 64), np.array([255, 0], np.uint8)[:, None, None], np.uint8)
    assert not need_of(Corners(("Ah", "Kh", "Qh"), u8(blank), (1.6, 2.4, 14.0, 32.0))).told_apart


def test_corners_that_cannot_be_are_refused(small: EnrolledDeck, tmp_path: Path) -> None:
    assert small.corners is not None
    planes, box, labels = small.corners.planes, small.corners.index_mm, small.labels
    for corners, said in (
        (Corners(labels, planes[:, :, 1:], box), "corners have the wrong shape"),
        (Corners(labels, planes, (9.0, 3.0, 2.0, 20.0)), "box of its index cannot be"),
        (Corners(labels, planes, (1.0, 3.0, float("nan"), 20.0)), "box of its index cannot be"),
    ):
        odd = replace(small, corners=corners)
        save_deck(odd, tmp_path / "deck.npz")
        with pytest.raises(UsageError, match=said):
            load_deck(tmp_path / "deck.npz")


def test_the_box_of_an_index_is_read_in_whatever_order_its_bytes_are(small: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(small, tmp_path / "deck.npz")
    with np.load(tmp_path / "deck.npz") as arrays:
        held = dict(arrays)
    np.savez_compressed(tmp_path / "other.npz", **held | {"index_mm": held["index_mm"].astype(">f8")})
    other = load_deck(tmp_path / "other.npz").corners
    assert other is not None
    assert small.corners is not None
    assert other.index_mm == small.corners.index_mm


def test_the_doctor_says_where_the_camera_does_not_resolve_the_deck(small: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(small, tmp_path / "small.npz")
    rig = tmp_path / "rig.toml"
    text = 'name = "one"\nclock = "virtual"\n[[device]]\nname = "shoe"\nrole = "shoe"\n'
    rig.write_text(f'{text}\n[camera]\ndeck = "small.npz"\n', encoding="utf-8")
    plan = load_rig(rig)
    probes = dict(Workshop(plan, seed=1).probes())
    with pytest.raises(RigFault, match=r"px/mm at dealer.*this deck needs at least .*hang it nearer"):
        probes["resolution"]()
    assert "this deck needs" in left_unread(plan)
    rig.write_text(text, encoding="utf-8")
    assert left_unread(load_rig(rig)) == ""


def test_the_standard_camera_resolves_the_drawn_deck(vision_deck: EnrolledDeck) -> None:
    assert resolution(standard_layout(), vision_deck)[0]


def test_ink_from_border_to_border_does_not_part_a_card() -> None:
    picture = u8(np.full((170, 300, 3), FELT, np.uint8))
    picture[15:155, 100:200] = 235
    picture[70:80, 100:200] = (30, 30, 190)
    paper = find_paper(picture, 1.6, 6.0)
    assert not isinstance(paper, NoPaper)
    assert (paper.left, paper.right) == (100, 200)
    assert paper.bottom[150] - paper.top[150] == pytest.approx(140, abs=1)
    picture[60:110, 90:210] = FELT
    assert isinstance(find_paper(picture, 1.6, 6.0), NoPaper)
