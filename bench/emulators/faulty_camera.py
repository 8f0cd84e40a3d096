"""An emulated camera that goes wrong: out of focus, in bad light, without a picture, or always with the same one."""

import cv2
import numpy as np

from bench.faults.script import FaultSpec
from vision.pictures import Picture
from vision.sources import DrawnFrame, Frame, FrameSource


class FaultySource:
    """Stands between a camera and whoever looks. Faults befall the pictures that are taken after arming."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._armed: list[tuple[FaultSpec, int]] = []
        """Faults with the number of the picture before the first that they can befall."""
        self._taken = 0
        self._last: Frame | DrawnFrame | None = None

    def arm(self, fault: FaultSpec) -> None:
        """Arm a fault of target `camera`."""
        self._armed.append((fault, self._taken))

    def grab(self, after_ns: int, timeout_s: float) -> Frame | DrawnFrame | None:
        frame = self._source.grab(after_ns, timeout_s)
        self._taken += 1
        for fault, base in self._armed:
            first = base + int(fault.at.get("look", 1))
            looks = int(fault.params["looks"])
            if self._taken >= first and (not looks or self._taken < first + looks):
                return self._spoilt(fault, frame)
        self._last = frame
        return frame

    def close(self) -> None:
        self._source.close()

    def _spoilt(self, fault: FaultSpec, frame: Frame | DrawnFrame | None) -> Frame | DrawnFrame | None:
        match fault.name:
            case "camera_lost":
                return None
            case "camera_frozen":
                self._last = self._last or frame
                return self._last
        if frame is None:
            return None
        image = frame.image
        if fault.name == "camera_blurred":
            size = 2 * int(fault.params["radius_px"]) + 1
            image = np.asarray(cv2.GaussianBlur(image, (size, size), 0), np.uint8)
        else:
            image = brightened(image, float(fault.params["factor"]))
        return Frame(image, frame.stamp_ns, frame.index)


def brightened(image: Picture, factor: float) -> Picture:
    """The picture with so many times the light."""
    levels = np.clip(np.arange(256) * factor, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels), np.uint8)
