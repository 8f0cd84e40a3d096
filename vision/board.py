"""The calibration board: a chessboard with a marker in each white square, printed at true scale.

Its markers are of another kind than those of the table, so that both can show in one picture.
"""

import struct
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, Points

PaperSize = Literal["A4", "A3", "Letter"]
PAPER_MM: dict[PaperSize, tuple[float, float]] = {"A4": (297, 210), "A3": (420, 297), "Letter": (279.4, 215.9)}
SQUARES = (9, 6)
_SQUARE_MM: dict[PaperSize, float] = {"A4": 30.0, "A3": 40.0, "Letter": 25.0}
_MODULES = 20
"""A square is twenty modules wide and its marker fourteen: each of its seven cells, of which five are code, is two."""
_MARKER_MODULES = 14
_DICTIONARY = cv2.aruco.DICT_5X5_50
RULER_MM = 200
_PRINT_PX_PER_MM = 12
_POINTS_PER_MM = 72 / 25.4


@dataclass(frozen=True)
class Board:
    """The board on a sheet of paper, lying across. `measured_mm` is how wide and high it came out of the printer, where
    that is not as it should be. As a whole it may be smaller or larger: that makes it seem farther away or nearer.
    """

    paper: PaperSize = "A4"
    measured_mm: tuple[float, float] | None = None

    @property
    def square_mm(self) -> float:
        return _SQUARE_MM[self.paper]

    @property
    def size_mm(self) -> tuple[float, float]:
        return SQUARES[0] * self.square_mm, SQUARES[1] * self.square_mm

    @cached_property
    def charuco(self) -> cv2.aruco.CharucoBoard:
        square = self.square_mm
        dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
        return cv2.aruco.CharucoBoard(SQUARES, square, square * _MARKER_MODULES / _MODULES, dictionary)

    @cached_property
    def corners_mm(self) -> Points:
        """The inner corners of the chessboard as it came out of the printer, `(40, 2)`, from the board's upper left."""
        measured = np.array(self.measured_mm or self.size_mm) / self.size_mm
        return np.asarray(np.asarray(self.charuco.getChessboardCorners(), np.float64)[:, :2] * measured, np.float64)

    @cached_property
    def modules(self) -> npt.NDArray[np.bool_]:
        """True where the board is black, a cell for each module."""
        size = (SQUARES[0] * _MODULES, SQUARES[1] * _MODULES)
        return np.asarray(self.charuco.generateImage(size, marginSize=0, borderBits=1), np.uint8) < 128

    def find(self, grey: Picture) -> tuple[Points, npt.NDArray[np.int64]]:
        """Corners that show, `(n, 2)` in pixels, and their numbers; none where the board does not show."""
        corners, ids, _, _ = cv2.aruco.CharucoDetector(self.charuco).detectBoard(grey)
        if corners is None or ids is None or len(ids) == 0:
            return np.zeros((0, 2)), np.zeros(0, np.int64)
        return np.asarray(corners, np.float64).reshape(-1, 2), np.asarray(ids, np.int64).ravel()

    @property
    def caption(self) -> str:
        return (
            f"cardcert calibration board, {self.paper}, {self.size_mm[0]:g} x {self.size_mm[1]:g} mm: print it at "
            f"100 %, without fitting to the page, and measure both. The line below is {RULER_MM} mm long. Glue it to "
            f"something flat."
        )


def sheet_picture(board: Board) -> Picture:
    """The whole sheet as a grey picture, twelve pixels a millimetre."""
    width, height = (round(v * _PRINT_PX_PER_MM) for v in PAPER_MM[board.paper])
    sheet = np.full((height, width), 255, np.uint8)
    module_px = round(board.square_mm / _MODULES * _PRINT_PX_PER_MM)
    black = np.kron(board.modules, np.ones((module_px, module_px), np.bool_))
    left, top = _board_at(board)
    x, y = round(left * _PRINT_PX_PER_MM), round(top * _PRINT_PX_PER_MM)
    sheet[y : y + black.shape[0], x : x + black.shape[1]][black] = 0
    for x_mm, y_mm, width_mm, height_mm in _ruler(board):
        x0, y0 = round(x_mm * _PRINT_PX_PER_MM), round(y_mm * _PRINT_PX_PER_MM)
        x1, y1 = round((x_mm + width_mm) * _PRINT_PX_PER_MM), round((y_mm + height_mm) * _PRINT_PX_PER_MM)
        sheet[y0:y1, x0:x1] = 0
    at = (x, round((top + board.size_mm[1] + 6.5) * _PRINT_PX_PER_MM))
    cv2.putText(sheet, board.caption, at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0,), 2, cv2.LINE_AA)
    return sheet


def board_png(board: Board) -> bytes:
    """The sheet as PNG that says its scale, so that a program prints it at its true size."""
    data = cv2.imencode(".png", sheet_picture(board))[1].tobytes()
    scale = struct.pack(">IIB", _PRINT_PX_PER_MM * 1000, _PRINT_PX_PER_MM * 1000, 1)
    head = 8 + 25  # signature and IHDR; what says the scale comes after them
    chunk = b"pHYs" + scale
    return data[:head] + struct.pack(">I", len(scale)) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[head:]


def board_pdf(board: Board) -> bytes:
    """The sheet as one page of PDF, drawn with rectangles, as sharp as the printer can."""
    left, top = _board_at(board)
    module = board.square_mm / _MODULES
    boxes = [(left + x * module, top + y * module, n * module, module) for x, y, n in _runs(board.modules)]
    width, height = PAPER_MM[board.paper]
    drawn = [
        f"{x * _POINTS_PER_MM:.4f} {(height - y - h) * _POINTS_PER_MM:.4f} {w * _POINTS_PER_MM:.4f} "
        f"{h * _POINTS_PER_MM:.4f} re"
        for x, y, w, h in [*boxes, *_ruler(board)]
    ]
    text_x, text_y = left * _POINTS_PER_MM, (height - top - board.size_mm[1] - 6.5) * _POINTS_PER_MM
    text = f"BT /F1 7 Tf {text_x:.3f} {text_y:.3f} Td ({board.caption}) Tj ET"
    content = "\n".join(["0 g", *drawn, "f", text]).encode("ascii")
    box = f"[0 0 {width * _POINTS_PER_MM:.4f} {height * _POINTS_PER_MM:.4f}]"
    return _pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
            f"/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
    )


def _pdf(objects: list[bytes]) -> bytes:
    data, places = bytearray(b"%PDF-1.6\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(data)


def _board_at(board: Board) -> tuple[float, float]:
    """The board's upper left on the sheet, in mm: in the middle across, a little high for the text below."""
    width, height = PAPER_MM[board.paper]
    return (width - board.size_mm[0]) / 2, (height - board.size_mm[1]) / 2 - 5


def _ruler(board: Board) -> list[tuple[float, float, float, float]]:
    """The line to be measured, with a bar at either end: left, top, width and height in mm."""
    left, top = _board_at(board)
    y = top + board.size_mm[1] + 10.0
    return [(left, y, RULER_MM, 0.3), (left, y - 2, 0.3, 4.3), (left + RULER_MM - 0.3, y - 2, 0.3, 4.3)]


def _runs(modules: npt.NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Black modules of each row, joined: first column, row, how many."""
    found = []
    for y, row in enumerate(modules):
        turns = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
        found += [(int(a), y, int(b - a)) for a, b in zip(turns[::2], turns[1::2], strict=True)]
    return found
