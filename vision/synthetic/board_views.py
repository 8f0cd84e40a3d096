"""Photographs of the table with the calibration board held over it, by a camera with a known lens."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Board
from vision.pictures import Picture, u8

Matrix = npt.NDArray[np.float64]
_BOARD_PX_PER_MM = 4


@dataclass(frozen=True)
class TrueCamera:
    """A pinhole camera with distortion (k1, k2, p1, p2, k3)."""

    size_px: tuple[int, int]
    matrix: Matrix
    distortion: tuple[float, ...]

    def distorted(self, straight: Picture, view: Matrix) -> Picture:
        """What this camera takes where a perfect one, of matrix `view`, takes `straight`."""
        width, height = self.size_px
        y, x = np.mgrid[0:height, 0:width].astype(np.float64)
        pixels = np.stack([x, y], axis=-1).reshape(-1, 1, 2)
        at = cv2.undistortPoints(pixels, self.matrix, np.array(self.distortion), P=view)
        grid = np.asarray(at, np.float32).reshape(height, width, 2)
        taken = cv2.remap(straight, grid[:, :, 0], grid[:, :, 1], cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REPLICATE)
        return u8(taken)


def hold_board(
    table: Picture,
    board: Board,
    view: Matrix,
    turn: npt.NDArray[np.float64],
    at_mm: Matrix,
    printed: tuple[float, float] = (1.0, 1.0),
) -> Picture:
    """A perfect camera's picture of the table with the board before it: `turn` is a rotation vector, `at_mm` where the
    board's upper left is from the camera, x right, y down, z away. `printed` is how wide and high the printer made it,
    1 as it should be.
    """
    module_px = round(board.square_mm * _BOARD_PX_PER_MM / 20)
    art = np.where(np.kron(board.modules, np.ones((module_px, module_px), np.bool_)), 24, 226).astype(np.uint8)
    margin = 8 * _BOARD_PX_PER_MM
    art = np.asarray(
        cv2.copyMakeBorder(art, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(226,)), np.uint8
    )
    scale = module_px * 20 / board.square_mm
    rotation, _ = cv2.Rodrigues(turn)
    plane = np.column_stack([np.asarray(rotation)[:, 0], np.asarray(rotation)[:, 1], at_mm])
    # The middle of the first of the board's pixels lies half a pixel in.
    to_mm = np.array([[1 / scale, 0, (0.5 - margin) / scale], [0, 1 / scale, (0.5 - margin) / scale], [0, 0, 1]])
    to_mm = np.diag([*printed, 1.0]) @ to_mm
    move = view @ plane @ to_mm
    size = (table.shape[1], table.shape[0])
    twice = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]], np.float64)
    large = (size[0] * 2, size[1] * 2)
    seen = cv2.warpPerspective(cv2.GaussianBlur(art, (0, 0), 1.2), twice @ move, large)
    cover = cv2.warpPerspective(np.full_like(art, 255), twice @ move, large)
    seen, cover = (cv2.resize(part, size, interpolation=cv2.INTER_AREA) for part in (seen, cover))
    share = np.asarray(cover, np.float32)[:, :, None] / 255
    return u8(np.clip(np.round(table * (1 - share) + np.asarray(seen, np.float32)[:, :, None] * share), 0, 255))
