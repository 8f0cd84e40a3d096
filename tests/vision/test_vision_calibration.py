"""A lens of known distortion is found from pictures of the board, and the table's places where they are."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence.errors import RigFault, UsageError
from vision.board import RULER_MM, Board, board_pdf, board_png
from vision.calibrating import Report, bare_cells, calibrate, find_view
from vision.calibration import load_calibration
from vision.health import check_health
from vision.layout import TableLayout
from vision.lens import CorrectedSource
from vision.pictures import Picture, project, u8
from vision.reader import TableReader
from vision.scene import PLACES, Pile, Scene, SceneCard
from vision.sources import Frame
from vision.synthetic.board_views import TrueCamera, hold_board
from vision.synthetic.renderer import Renderer

SIZE = (1280, 720)
VIEW = np.array([[1050.0, 0, 640], [0, 1050.0, 360], [0, 0, 1]])
CAMERA = TrueCamera(
    SIZE, np.array([[1130.0, 0, 652], [0, 1130.0, 351], [0, 0, 1]]), (-0.16, 0.06, 0.0006, -0.0005, 0.0)
)
BOARD = Board("A4")
TILT_DEG = 14.0
FROM_MIDDLE_MM = (0.0, -6.0, 1430.0)
LAID = Scene({place: Pile((SceneCard("Ah", True), SceneCard("9c", False)), "spread") for place in PLACES})


def poses() -> list[tuple[np.ndarray, np.ndarray]]:
    """Twelve ways to hold the board: over the whole picture, tilted every way."""
    rng = np.random.default_rng(8)
    held = []
    for number in range(12):
        column, row = number % 4, number // 4
        tilt = np.array([[0.4, -0.4, 0.1, 0.35][column], [-0.4, 0.3, 0.45][row], rng.uniform(-0.3, 0.3)])
        x, y, away = (column - 1.5) * 165 - 135, (row - 1) * 135 - 90, rng.uniform(700, 900)
        held.append((tilt, np.array([x, y, away])))
    return held


@pytest.fixture(scope="module")
def true_layout(vision_layout: TableLayout) -> TableLayout:
    """The table as a perfect camera of matrix `VIEW` sees it from above the players' side."""
    middle = np.array(vision_layout.size_mm) / 2
    flat = np.hstack([np.array(vision_layout.corners_mm) - middle, np.zeros((4, 1))])
    turn = np.array([-np.radians(TILT_DEG), 0, 0])
    at, _ = cv2.projectPoints(flat, turn, np.array(FROM_MIDDLE_MM), VIEW, np.zeros(5))
    return vision_layout.recalibrated(tuple((float(x), float(y)) for x, y in np.asarray(at).reshape(-1, 2)))


@pytest.fixture(scope="module")
def renderer(true_layout: TableLayout) -> Renderer:
    return Renderer(true_layout, 9_002)


@pytest.fixture(scope="module")
def straight(renderer: Renderer) -> Picture:
    return renderer.frame(Scene({}), 0)


@pytest.fixture(scope="module")
def pictures(straight: Picture) -> list[tuple[str, Picture]]:
    taken = [("table.png", CAMERA.distorted(straight, VIEW))]
    for number, (turn, at) in enumerate(poses()):
        held = hold_board(straight, BOARD, VIEW, turn, at)
        taken.append((f"{number}.png", CAMERA.distorted(held, VIEW)))
    return taken


@pytest.fixture(scope="module")
def report(pictures: list[tuple[str, Picture]], vision_layout: TableLayout) -> Report:
    return calibrate(pictures, vision_layout, BOARD)


def true_px(layout: TableLayout, points_mm: np.ndarray) -> np.ndarray:
    """Where points of the table are in the distorted picture."""
    rays = np.hstack([project(layout.mm_to_px, points_mm), np.ones((len(points_mm), 1))]) @ np.linalg.inv(VIEW).T
    at, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), CAMERA.matrix, np.array(CAMERA.distortion))
    return np.asarray(at).reshape(-1, 2)


def test_the_lens_is_found(report: Report) -> None:
    lens = report.calibration.lens
    assert report.calibration.reprojection_px < 0.25
    assert lens.focal_px == pytest.approx((1130, 1130), rel=0.01)
    assert lens.centre_px == pytest.approx((652, 351), abs=8)
    assert lens.distortion[0] == pytest.approx(-0.16, abs=0.02)


def test_every_place_is_found_within_a_millimetre(
    report: Report, vision_layout: TableLayout, true_layout: TableLayout
) -> None:
    seen = report.calibration.applied(vision_layout)
    points = np.vstack([place.box.corners_mm() for place in vision_layout.places.values()])
    corrected = report.calibration.lens.correct_points(true_px(true_layout, points))
    off_mm = np.linalg.norm(project(seen.px_to_mm, corrected) - points, axis=1)
    assert off_mm.max() < 1.0
    assert report.calibration.mapping_mm < 1.2
    # Without the lens, places near the rim are so far off that cards would be missed.
    uncorrected = project(true_layout.px_to_mm, true_px(true_layout, points))
    assert np.linalg.norm(uncorrected - points, axis=1).max() > 15


def test_a_table_is_read_through_the_correction(
    report: Report, vision_layout: TableLayout, vision_reader: TableReader, renderer: Renderer
) -> None:
    taken = CAMERA.distorted(renderer.frame(LAID, 3), VIEW)
    seen = report.calibration.applied(vision_layout)
    source = CorrectedSource(One(taken), report.calibration.lens)
    frame = source.grab(0, 0.0)
    assert frame is not None
    assert check_health(frame.image, None, seen).state == "ok"
    reader = TableReader(seen, vision_reader.deck)
    readings = [reader.look(frame.image, place) for place in PLACES]
    assert [reading.count for reading in readings if reading.place != "discard_rack"] == [2] * (len(PLACES) - 1)
    assert {label for reading in readings for label in reading.labels} <= {"Ah", None}
    assert [reading.labels for reading in readings].count(("Ah",)) >= 8


def test_a_camera_that_was_moved_after_calibration_is_noticed(
    report: Report, vision_layout: TableLayout, straight: Picture
) -> None:
    seen, lens = report.calibration.applied(vision_layout), report.calibration.lens
    taken = CAMERA.distorted(straight, VIEW)
    move = np.array([[1.0, 0.0, 8.0], [0.0, 1.0, 3.0]])
    moved = u8(cv2.warpAffine(taken, move, SIZE, borderMode=cv2.BORDER_REPLICATE))
    assert check_health(lens.correct(taken), None, seen).state == "ok"
    assert check_health(lens.correct(moved), None, seen).state == "moved"


def test_a_calibration_file_holds_all_of_it(report: Report, tmp_path: Path, vision_layout: TableLayout) -> None:
    path = tmp_path / "camera.toml"
    report.calibration.save(path)
    again = load_calibration(path)
    points = np.array([[10.0, 10.0], [640.0, 300.0], [1270.0, 700.0]])
    assert again.lens.correct_points(points) == pytest.approx(report.calibration.lens.correct_points(points), abs=0.01)
    assert again.corners_px == pytest.approx(np.array(report.calibration.corners_px), abs=0.01)
    assert again.applied(vision_layout).paper_level == pytest.approx(report.calibration.paper_level, abs=0.1)
    with pytest.raises(UsageError, match="made for table layout 'standard'"):
        again.applied(replace(vision_layout, name="other"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("[lens]", "[glass]"), "lens: missing"),
        (lambda text: text.replace("distortion = [", "distortion = [1, "), "lens.distortion: expected 5 numbers"),
        (lambda text: text.replace("size_px = [1280, 720]", "size_px = [99999, 720]"), "size_px: expected"),
        (lambda text: text + "\nodd = 1\n", "quality.odd: unknown key"),
        (lambda text: text[:150] + "=", "not valid TOML"),
        (lambda text: "x" * 300_000, "larger than"),
    ],
)
def test_a_bad_calibration_file_gets_one_clear_message(
    change: Callable[[str], str], said: str, report: Report, tmp_path: Path
) -> None:
    path = tmp_path / "camera.toml"
    report.calibration.save(path)
    path.write_text(change(path.read_text()))
    with pytest.raises(UsageError, match=said) as caught:
        load_calibration(path)
    assert "camera.toml" in str(caught.value)


def test_pictures_that_do_not_suffice_are_refused(
    pictures: list[tuple[str, Picture]], vision_layout: TableLayout, straight: Picture
) -> None:
    with pytest.raises(UsageError, match="shows in 3 pictures of 4"):
        calibrate(pictures[:4], vision_layout, BOARD)
    with pytest.raises(UsageError, match="the first picture has 1280 x 720"):
        calibrate([*pictures, ("small.png", np.zeros((480, 640, 3), np.uint8))], vision_layout, BOARD)
    bare = [(name, cover_markers(picture)) for name, picture in pictures]
    with pytest.raises(UsageError, match="no picture shows three of the table's markers"):
        calibrate(bare, vision_layout, BOARD)
    flat = [hold_board(straight, BOARD, VIEW, np.zeros(3), np.array([-255.0 + 30 * k, -90, 800])) for k in range(9)]
    with pytest.raises(UsageError, match="the board was tilted by"):
        calibrate([(str(number), picture) for number, picture in enumerate(flat)], vision_layout, BOARD)


def test_pictures_that_are_all_alike_are_refused(
    pictures: list[tuple[str, Picture]], vision_layout: TableLayout
) -> None:
    table, (_, held), *_ = pictures
    alike = [table, *((f"{number}.png", u8(cv2.add(held, np.full_like(held, number)))) for number in range(8))]
    with pytest.raises(UsageError, match="8 pictures show the board in only 1 different ways"):
        calibrate(alike, vision_layout, BOARD)


def off_mm(report: Report, layout: TableLayout, true_layout: TableLayout) -> float:
    """How far the places' corners are found from where they are, at most."""
    points = np.vstack([place.box.corners_mm() for place in layout.places.values()])
    corrected = report.calibration.lens.correct_points(true_px(true_layout, points))
    found = project(report.calibration.applied(layout).px_to_mm, corrected)
    return float(np.linalg.norm(found - points, axis=1).max())


def test_a_board_that_was_printed_smaller_as_a_whole_does_as_well(
    pictures: list[tuple[str, Picture]], vision_layout: TableLayout, true_layout: TableLayout
) -> None:
    smaller = calibrate(pictures, vision_layout, Board("A4", (0.94 * 270, 0.94 * 180)))
    assert off_mm(smaller, vision_layout, true_layout) < 1.0


def test_a_board_that_was_stretched_in_printing_is_refused_until_it_is_measured(
    straight: Picture, vision_layout: TableLayout, true_layout: TableLayout
) -> None:
    held = [hold_board(straight, BOARD, VIEW, turn, at, printed=(1.03, 1.0)) for turn, at in poses()]
    taken = [(str(number), CAMERA.distorted(picture, VIEW)) for number, picture in enumerate([straight, *held])]
    with pytest.raises(UsageError, match=r"the board seems 2\.\d% wider for its height than 270 x 180 mm"):
        calibrate(taken, vision_layout, BOARD)
    measured = calibrate(taken, vision_layout, Board("A4", (1.03 * 270, 180.0)))
    assert off_mm(measured, vision_layout, true_layout) < 1.2


def test_where_the_board_did_not_show_is_told(pictures: list[tuple[str, Picture]]) -> None:
    views = [view for name, picture in pictures if (view := find_view(name, picture, BOARD)) is not None]
    assert len(views) == 12
    left = [replace(view, corners_px=view.corners_px * (0.5, 1.0)) for view in views]
    bare = bare_cells(left, SIZE)
    assert {cell for cell in bare if "right" in cell} == {
        f"{row}, {column}" for row in ("top", "middle", "bottom") for column in ("right of the middle", "right")
    }
    assert len(bare_cells(views, SIZE)) < len(bare)


def test_a_picture_of_another_size_than_calibrated_is_a_fault(report: Report) -> None:
    with pytest.raises(RigFault, match="calibrated at 1280 x 720"):
        report.calibration.lens.correct(np.zeros((480, 640, 3), np.uint8))


@pytest.mark.parametrize("paper", ["A4", "A3", "Letter"])
def test_the_board_is_printed_at_its_true_size(paper: str, tmp_path: Path) -> None:
    board = Board(paper)  # type: ignore[arg-type]
    png, pdf = tmp_path / "board.png", tmp_path / "board.pdf"
    png.write_bytes(board_png(board))
    pdf.write_bytes(board_pdf(board))
    whole = cv2.imread(str(png), cv2.IMREAD_GRAYSCALE)
    assert whole is not None
    dots = int.from_bytes(png.read_bytes()[41:45], "big") / 1000
    assert png.read_bytes()[37:41] == b"pHYs"
    for sheet, px_per_mm in ((u8(whole), dots), (drawn_pdf(pdf.read_bytes(), 4.0), 4.0)):
        corners, numbers = board.find(sheet)
        assert len(numbers) == 40
        wide = float(np.linalg.norm(corners[numbers.argsort()][7] - corners[numbers.argsort()][0])) / px_per_mm
        assert wide == pytest.approx(7 * board.square_mm, abs=0.2)
        below = round(corners[:, 1].max() + (board.square_mm + 1) * px_per_mm)
        ruler = (sheet[below:] < 128).sum(axis=1).max() / px_per_mm
        assert ruler == pytest.approx(RULER_MM, abs=0.5)


def drawn_pdf(data: bytes, px_per_mm: float) -> Picture:
    """What the page's rectangles draw."""
    scale = px_per_mm * 25.4 / 72
    head = data.partition(b"/MediaBox [0 0 ")[2].split(b"]")[0].split()
    width, height = (float(v) for v in head)
    sheet = np.full((round(height * scale), round(width * scale)), 255, np.uint8)
    for line in data.partition(b"stream\n")[2].partition(b"endstream")[0].splitlines():
        if line.endswith(b" re"):
            x, y, w, h = (float(v) * scale for v in line.split()[:4])
            top = sheet.shape[0] - y - h
            sheet[round(top) : round(top + h), round(x) : round(x + w)] = 0
    return sheet


def cover_markers(picture: Picture) -> Picture:
    covered = picture.copy()
    for box in ((0, 0), (0, 1), (1, 0), (1, 1)):
        y, x = box[0] * 600, box[1] * 1160
        covered[y : y + 120, x : x + 120] = 40
    return covered


class One:
    """A camera with one picture."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        return Frame(self._picture, 1, 0)

    def close(self) -> None:
        pass


@pytest.mark.machine
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs poppler")
def test_a_pdf_program_draws_the_board(tmp_path: Path) -> None:
    (tmp_path / "board.pdf").write_bytes(board_pdf(BOARD))
    subprocess.run(["pdftoppm", "-r", "127", "-png", "board.pdf", "page"], cwd=tmp_path, check=True, timeout=60)
    page = cv2.imread(str(tmp_path / "page-1.png"), cv2.IMREAD_GRAYSCALE)
    assert page is not None
    corners, numbers = BOARD.find(u8(page))
    wide = float(np.linalg.norm(corners[numbers.argsort()][7] - corners[numbers.argsort()][0])) / 5.0
    assert wide == pytest.approx(7 * BOARD.square_mm, abs=0.2)
