"""The lens' distortion, and its correction: what comes after it sees the picture of a camera with a perfect lens."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from evidence.errors import RigFault
from vision.pictures import Picture, Points, u8
from vision.sources import DrawnFrame, Frame, FrameSource

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Lens:
    """`focal_px` and `centre_px` of the camera as it is, its distortion (k1, k2, p1, p2, k3), and `view_focal_px` and
    `view_centre_px` of the corrected picture, which has the same size and shows all that the camera sees."""

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, ...]
    view_focal_px: tuple[float, float]
    view_centre_px: tuple[float, float]

    @property
    def matrix(self) -> Matrix:
        return _matrix(self.focal_px, self.centre_px)

    @property
    def view(self) -> Matrix:
        return _matrix(self.view_focal_px, self.view_centre_px)

    def correct(self, picture: Picture) -> Picture:
        """The picture without distortion. Raises `RigFault` for one of another size than was calibrated."""
        if picture.shape[1::-1] != self.size_px:
            raise RigFault(
                f"camera: its picture has {picture.shape[1]} x {picture.shape[0]} pixels, it was calibrated at "
                f"{self.size_px[0]} x {self.size_px[1]}. Set the camera, or calibrate it anew."
            )
        first, second = self._maps
        return u8(cv2.remap(picture, first, second, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))

    def correct_points(self, points: Points) -> Points:
        """Pixels of the camera's picture as pixels of the corrected one, `(n, 2)`."""
        flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
        found = cv2.undistortPoints(flat, self.matrix, np.array(self.distortion), P=self.view)
        return np.asarray(found, np.float64).reshape(-1, 2)

    @cached_property
    def _maps(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        first, second = cv2.initUndistortRectifyMap(
            self.matrix, np.array(self.distortion), np.eye(3), self.view, self.size_px, cv2.CV_16SC2
        )
        return np.asarray(first, np.int16), np.asarray(second, np.uint16)


def lens_of(matrix: Matrix, distortion: Sequence[float], size_px: tuple[int, int]) -> Lens:
    """A lens from what OpenCV's calibration gives."""
    view, _ = cv2.getOptimalNewCameraMatrix(matrix, np.array(distortion), size_px, 1.0)
    return Lens(
        size_px,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        tuple(float(v) for v in distortion),
        (float(view[0, 0]), float(view[1, 1])),
        (float(view[0, 2]), float(view[1, 2])),
    )


class CorrectedSource:
    """A camera seen through the correction of its lens."""

    def __init__(self, source: FrameSource, lens: Lens) -> None:
        self._source, self._lens = source, lens

    def grab(self, after_ns: int, timeout_s: float) -> Frame | DrawnFrame | None:
        frame = self._source.grab(after_ns, timeout_s)
        if frame is None:
            return None
        lost = frame.lost if isinstance(frame, Frame) else 0.0
        return Frame(self._lens.correct(frame.image), frame.stamp_ns, frame.index, lost)

    @property
    def trouble(self) -> str:
        """Why there is no frame, where the camera tells."""
        return str(getattr(self._source, "trouble", ""))

    def close(self) -> None:
        self._source.close()


def _matrix(focal: tuple[float, float], centre: tuple[float, float]) -> Matrix:
    return np.array([[focal[0], 0, centre[0]], [0, focal[1], centre[1]], [0, 0, 1]], np.float64)
