"""Rows on which lamps are reflected: read as far as print shows, and never with a card too many, too few or wrong."""

import cv2
import numpy as np
import pytest

from benchmarks.accuracy.conditions import CONDITIONS, lost_in_light
from benchmarks.accuracy.scoring import pairs_at, random_table
from vision.deck import INDEX_MM, PX_PER_MM, EnrolledDeck
from vision.gaps import evenly_laid
from vision.layout import TableLayout, standard_layout
from vision.lit_index import fitted
from vision.pictures import Picture, project, u8
from vision.reader import TableReader
from vision.readings import CardReading, PlaceReading
from vision.scene import Pile, Scene, SceneCard
from vision.synthetic.renderer import Renderer

PLACE = "layout_centre"
_REACH_PX = 220


def cards(labels: str) -> tuple[SceneCard, ...]:
    """Cards face up by their labels, and `##` for one face down."""
    return tuple(SceneCard("2c" if label == "##" else label, label != "##") for label in labels.split())


def lit(
    frame: Picture, layout: TableLayout, place: str, at_mm: tuple[float, float], strength: float, wide_px: float
) -> Picture:
    """A lamp's reflection, `at_mm` off the middle of a place."""
    x, y = project(layout.places[place].box.to_table(), [at_mm])[0]
    x, y = project(layout.mm_to_px, [(x, y)])[0]
    left, top = max(0, round(x) - _REACH_PX), max(0, round(y) - _REACH_PX)
    part = (slice(top, round(y) + _REACH_PX), slice(left, round(x) + _REACH_PX))
    down, across = np.ogrid[: frame[part].shape[0], : frame[part].shape[1]]
    light = strength * np.exp(-((across + left - x) ** 2 + (down + top - y) ** 2) / np.float32(wide_px**2))
    frame = frame.copy()
    frame[part] = np.clip(frame[part] + light[:, :, None], 0, 255).astype(np.uint8)
    return frame


@pytest.mark.parametrize(
    ("labels", "at_mm", "strength", "wide_px"),
    [
        ("5h Jc Ad ## 6s", (0.0, 0.0), 100.0, 90.0),
        ("Kd 9s ## 3c", (-30.0, 30.0), 140.0, 110.0),
        ("## ## Jd ## Kc", (80.0, -20.0), 150.0, 90.0),
        ("7c", (60.0, -10.0), 200.0, 60.0),
    ],
)
def test_a_lit_row_is_read_whole(
    labels: str,
    at_mm: tuple[float, float],
    strength: float,
    wide_px: float,
    vision_renderer: Renderer,
    vision_reader: TableReader,
    vision_layout: TableLayout,
) -> None:
    frame = vision_renderer.frame(Scene({PLACE: Pile(cards(labels), "spread")}), 2)
    reading = vision_reader.look(lit(frame, vision_layout, PLACE, at_mm, strength, wide_px), PLACE)
    told = [card.label if card.face_up else "##" for card in reading.cards]
    assert (reading.count, " ".join(map(str, told))) == (len(labels.split()), labels)


def test_a_last_card_is_told_by_its_lower_index_where_the_upper_is_white(
    vision_renderer: Renderer, vision_reader: TableReader, vision_layout: TableLayout
) -> None:
    frame = vision_renderer.frame(Scene({PLACE: Pile(cards("8d"), "spread")}), 2)
    reading = vision_reader.look(lit(frame, vision_layout, PLACE, (-28.0, -40.0), 250.0, 45.0), PLACE)
    assert (reading.count, reading.labels) == (1, ("8d",))


@pytest.mark.parametrize("at_mm", [(-40.0, -30.0), (-95.0, 0.0), (95.0, 0.0)])
@pytest.mark.parametrize("labels", ["5c Js 4d Kh Ks Tc", "## ## ## 7s ## ##"])
def test_no_light_adds_a_card_or_takes_one_away(
    labels: str,
    at_mm: tuple[float, float],
    vision_renderer: Renderer,
    vision_reader: TableReader,
    vision_layout: TableLayout,
) -> None:
    frame = vision_renderer.frame(Scene({PLACE: Pile(cards(labels), "staggered")}), 2)
    wanted = [label for label in labels.split() if label != "##"]
    unlit = vision_reader.look(frame, PLACE)
    assert (unlit.count, list(unlit.labels)) == (6, wanted), "it can be read without the light"
    reading = vision_reader.look(lit(frame, vision_layout, PLACE, at_mm, 210.0, 60.0), PLACE)
    assert reading.count in (None, 6)
    assert reading.count is None or all(
        seen in (None, label) for seen, label in zip(reading.labels, wanted, strict=True)
    )


def test_a_row_of_backs_does_not_end_at_one_upon_which_others_lie(
    vision_reader: TableReader, vision_layout: TableLayout
) -> None:
    frame = Renderer(vision_layout, 3).frame(Scene({PLACE: Pile(cards("## ## ## ##"), "spread")}), 2)
    assert vision_reader.look(frame, PLACE).count == 4, "it can be read without the light"
    for at_mm, strength, wide_px in (((74.0, 59.0), 254.0, 144.0), ((21.0, 20.0), 174.0, 165.0)):
        reading = vision_reader.look(lit(frame, vision_layout, PLACE, at_mm, strength, wide_px), PLACE)
        assert reading.count in (None, 4)


@pytest.mark.parametrize(
    ("left_mm", "even"),
    [
        ((0.0,), True),
        ((0.0, 17.5, 33.8, 51.0), True),
        ((0.0, 16.0, 48.0), False),  # one of three may lie in the second gap
        ((0.0, 29.0), False),
        ((0.0, 10.0), False),  # print on the first card
    ],
)
def test_gaps_of_a_lit_row_that_could_hide_a_card_or_are_too_narrow_for_one(
    left_mm: tuple[float, ...], even: bool
) -> None:
    assert evenly_laid(left_mm, (16.0, 18.0)) is even


def test_a_wrong_count_of_backs_is_told_as_misread() -> None:
    outline = np.zeros((4, 2))
    back = CardReading(None, 1.0, outline, False, "red")
    pile = Pile(cards("## ## ##"), "spread")
    assert pairs_at(PlaceReading(PLACE, 2, (), 2, cards=(back, back)), pile, False) == [("-", "miscounted")]
    assert pairs_at(PlaceReading(PLACE, 3, (), 3, cards=(back,) * 3), pile, False) == []
    assert pairs_at(PlaceReading(PLACE, None), pile, False) == []


@pytest.mark.parametrize(
    ("hung", "seed", "number", "labels"), [(500_020, 500_025, 25, "2h 7c"), (540_040, 540_046, 46, "4h Qd")]
)
def test_washed_out_cards_are_not_passed_over_and_half_an_index_names_none(
    hung: int, seed: int, number: int, labels: str, vision_deck: EnrolledDeck
) -> None:
    """Of the first row the second card is nearly white and leaves all print of the first free; of the other it covers
    half of the first one's lower index."""
    condition = CONDITIONS["all of them together"]
    layout = condition.seen(standard_layout(), np.random.default_rng([hung, 2, 7]))
    rng = np.random.default_rng([seed, 2, 7])
    scene = random_table(rng, {place.name: place.countable for place in layout.places.values()})
    whole = Renderer(layout, hung).frame(scene, number)
    wanted = [card.label for card in scene.piles["seat/5"].cards]
    assert wanted == labels.split()
    reader = TableReader(layout, vision_deck)
    unspoilt = reader.look(whole, "seat/5")
    assert (unspoilt.count, list(unspoilt.labels)) == (2, wanted), "it can be read without the light"
    reading = reader.look(condition.spoilt(whole, rng), "seat/5")
    assert reading.count in (None, 2)
    assert all(label in (None, true) for label, true in zip(reading.labels, wanted, strict=False))


def test_the_upper_card_of_a_blurred_rack_is_named_though_the_rack_is_not_counted(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({"discard_rack": Pile(cards("8d ## Kh ## Qc 3s 4d Jh"), "staggered")}), 2)
    reading = vision_reader.look(u8(cv2.GaussianBlur(frame, (0, 0), 1.0)), "discard_rack")
    assert (reading.count, reading.stacked, reading.labels, reading.in_part) == (None, True, ("Jh",), True)


@pytest.mark.parametrize("pile", ["Kh ##", "## ## ## Kh ##"])
def test_that_no_face_was_named_in_a_blurred_rack_does_not_say_that_none_shows(
    pile: str, vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({"discard_rack": Pile(cards(pile), "staggered")}), 2)
    reading = vision_reader.look(u8(cv2.GaussianBlur(frame, (0, 0), 0.8)), "discard_rack")
    assert len(reading.face_up) == 1 or reading.in_part or reading.certainty == 0.0


def test_a_picture_softer_than_all_that_is_compared_names_no_card(
    vision_renderer: Renderer, vision_reader: TableReader
) -> None:
    frame = vision_renderer.frame(Scene({"discard_rack": Pile(cards("Qc"), "spread")}), 1)
    for sigma in (1.6, 2.0):
        reading = vision_reader.look(u8(cv2.GaussianBlur(frame, (0, 0), sigma)), "discard_rack")
        assert reading.labels in ((), (None,), ("Qc",))


def test_a_card_is_lost_only_where_its_own_print_is(vision_renderer: Renderer, vision_layout: TableLayout) -> None:
    pile = Pile(cards("5h Jc Ad 6s"), "spread")
    clean = vision_renderer.frame(Scene({PLACE: pile}), 2)
    outlines = vision_renderer.outlines(PLACE, pile)
    beside = lit(clean, vision_layout, PLACE, (115.0, 0.0), 255.0, 25.0)
    assert lost_in_light(clean, beside, outlines, vision_layout.card_mm) == [False] * 4
    on_one = clean.copy()
    cv2.fillConvexPoly(on_one, np.round(outlines[1]).astype(np.int32), (255, 255, 255))
    for upper in outlines[2:]:
        mask = cv2.fillConvexPoly(np.zeros(clean.shape[:2], np.uint8), np.round(upper).astype(np.int32), (1,))
        on_one[mask > 0] = clean[mask > 0]
    assert lost_in_light(clean, on_one, outlines, vision_layout.card_mm) == [False, True, False, False]


@pytest.mark.parametrize("fading", [(0.3, 0.3), (0.15, 0.6), (0.6, 0.15)])
def test_an_index_that_light_has_made_paler_at_one_end_is_explained_by_its_own_card(
    fading: tuple[float, float], vision_deck: EnrolledDeck
) -> None:
    """The ink that is left of it, first and last row; as it is, one paler at its suit is like that of another suit."""
    assert vision_deck.printed is not None
    left, upper, right, lower = (round(v * PX_PER_MM) for v in INDEX_MM)
    box = (slice(upper - 1, lower + 1), slice(left - 1, right + 1))
    shown = np.linspace(*fading, lower - upper + 2, dtype=np.float32)[:, None]
    for number, (white, red) in enumerate(vision_deck.printed.soft(0)[0][:, :, *box]):
        fit = fitted(vision_deck, 1 - (1 - white) * shown, red * shown)
        assert fit.face == number
        assert fit.likeness > 0.99
        assert fit.rivals > 2


def test_cards_beside_one_that_light_has_wiped_out_are_named_and_not_counted(
    vision_renderer: Renderer, vision_reader: TableReader, vision_layout: TableLayout
) -> None:
    pile = Pile(cards("5h 9c Jd Ad 6s"), "spread")
    clean = vision_renderer.frame(Scene({PLACE: pile}), 2)
    outlines = vision_renderer.outlines(PLACE, pile)
    white = clean.copy()
    cv2.fillConvexPoly(white, np.round(outlines[2]).astype(np.int32), (255, 255, 255))
    for upper in outlines[3:]:
        mask = cv2.fillConvexPoly(np.zeros(clean.shape[:2], np.uint8), np.round(upper).astype(np.int32), (1,))
        white[mask > 0] = clean[mask > 0]
    reading = vision_reader.look(white, PLACE)
    assert (reading.count, reading.face_up, reading.face_down) == (None, (), None)
    assert [card.label for card in reading.named] == ["5h", "9c", "Ad", "6s"]
    told = pairs_at(reading, pile, False, outlines)
    assert sorted(told, key=str) == sorted(
        [("5h", "5h"), ("9c", "9c"), ("Jd", None), ("Ad", "Ad"), ("6s", "6s")], key=str
    )


def test_a_card_that_is_named_counts_only_at_its_own_place(
    vision_renderer: Renderer, vision_layout: TableLayout
) -> None:
    pile = Pile(cards("5h ## Jd"), "spread")
    outlines = vision_renderer.outlines(PLACE, pile)

    def told(label: str, number: int, off_px: float = 0.0) -> list[tuple[str, str | None]]:
        named = (CardReading(label, 1.0, outlines[number] + off_px, True),)
        return pairs_at(PlaceReading(PLACE, None, named=named), pile, False, outlines)

    assert told("5h", 0) == [("5h", "5h"), ("Jd", None)]
    assert told("5h", 2) == [("5h", None), ("Jd", "5h")]
    assert ("-", "Jd") in told("Jd", 1)
    assert ("-", "5h") in told("5h", 0, 200.0)
