"""A camera's picture with all that helps to align it: places, markers, health, and meters for focus and exposure."""

from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

import cv2
import numpy as np

from vision.health import HealthReading, check_health, exposed_levels, sharpness
from vision.markers import calibration_seen, calibration_shift_px, paper_levels
from vision.pictures import Picture, Points, project, u8
from vision.places import Box, TableLayout
from vision.sources import DrawnFrame, Frame, FrameSource

Colour = tuple[int, int, int]
_GOOD, _BAD, _PLAIN, _DARK = (90, 220, 90), (70, 70, 250), (230, 230, 230), (24, 24, 24)
_PANEL_PX = 74
_METER_PX = (220, 14)
_FOCUS_FULL = 3.0
"""The focus meter is full at three times what is needed."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a preview says of one picture. `focus` is 1 where edges are just steep enough; `paper` are the lowest and
    the highest level of the markers' white paper, `paper_wanted` between which they should lie.
    """

    number: int
    state: str
    detail: str
    focus: float
    markers: int
    markers_wanted: int
    shift_px: float
    paper: tuple[float, float] | None
    paper_wanted: tuple[float, float]
    lost: float

    @property
    def data(self) -> dict[str, Any]:
        """As plain data, rounded."""
        rows = asdict(self)
        rows["focus"], rows["shift_px"], rows["lost"] = (round(v, 2) for v in (self.focus, self.shift_px, self.lost))
        return rows

    @property
    def words(self) -> str:
        paper = f"paper {self.paper[0]:.0f} to {self.paper[1]:.0f}" if self.paper else "no paper"
        return (
            f"{self.state}{f' ({self.detail})' if self.detail else ''}; focus {self.focus:.2f}, {paper}, "
            f"{self.markers} of {self.markers_wanted} markers, {self.shift_px:.1f} pixels off"
        )


class Preview:
    """Takes one picture after another. Not for several threads at once."""

    def __init__(self, source: FrameSource, layout: TableLayout) -> None:
        self._source = source
        self._layout = layout
        self._numbers = count()
        self._previous: Picture | None = None
        self.last: Sight | None = None

    def take(self, after_ns: int, timeout_s: float) -> tuple[Picture, Sight]:
        """The next picture, drawn upon, and what is to be said of it."""
        frame = self._source.grab(after_ns, timeout_s)
        if frame is None:
            trouble = str(getattr(self._source, "trouble", "")) or "the camera delivered no picture"
            sight = self._no_frame(trouble)
            return _notice(self._layout.size_px, trouble), sight
        sight = self._judge(frame)
        self._previous = frame.image
        return draw(frame.image, self._layout, sight), sight

    def _judge(self, frame: Frame | DrawnFrame) -> Sight:
        picture, layout = frame.image, self._layout
        lost = frame.lost if isinstance(frame, Frame) else 0.0
        health = check_health(picture, self._previous, layout, lost)
        seen = calibration_seen(picture, layout) if _fits(picture, layout) else {}
        levels = paper_levels(picture, seen)
        paper = (min(levels), max(levels)) if levels else None
        return self._keep(health, sharpness(picture), len(seen), calibration_shift_px(seen, layout), paper, lost)

    def _no_frame(self, trouble: str) -> Sight:
        return self._keep(HealthReading("no_frame", trouble), 0.0, 0, 0.0, None, 0.0)

    def _keep(
        self,
        health: HealthReading,
        focus: float,
        markers: int,
        shift_px: float,
        paper: tuple[float, float] | None,
        lost: float,
    ) -> Sight:
        wanted = exposed_levels(self._layout)
        all_markers = len(self._layout.calibration)
        self.last = Sight(
            next(self._numbers), health.state, health.detail, focus, markers, all_markers, shift_px, paper, wanted, lost
        )
        return self.last


def draw(picture: Picture, layout: TableLayout, sight: Sight) -> Picture:
    """The picture with places, markers and meters drawn in."""
    canvas = picture.copy()
    if _fits(picture, layout):
        boxes = {name: place.box for name, place in layout.places.items()}
        boxes |= {name: device.box for name, device in layout.devices.items()}
        boxes["shaker"] = layout.shaker.zone
        for name, box in boxes.items():
            _outline(canvas, layout, box, _PLAIN)
            _write(canvas, name, project(layout.mm_to_px, [box.corners_mm()[0]])[0] + (4, 14), _PLAIN)
        seen = calibration_seen(picture, layout)
        for marker in layout.calibration:
            _outline(canvas, layout, marker.box, _GOOD if marker.id in seen else _BAD)
            if marker.id in seen:
                cv2.polylines(canvas, [seen[marker.id].round().astype(np.int32)], True, _GOOD, 1, cv2.LINE_AA)
    return _with_panel(canvas, sight)


def _with_panel(picture: Picture, sight: Sight) -> Picture:
    """The picture with words and meters below it."""
    top = picture.shape[0]
    canvas = u8(cv2.copyMakeBorder(picture, 0, _PANEL_PX, 0, 0, cv2.BORDER_CONSTANT, value=_DARK))
    good = sight.state == "ok"
    _write(canvas, sight.words[:150], np.array([10, top + 18]), _GOOD if good else _BAD)
    _meter(canvas, (10, top + 28), "focus", sight.focus / _FOCUS_FULL, (1 / _FOCUS_FULL, 1.0))
    low, high = (level / 255 for level in sight.paper_wanted)
    for number, level in enumerate(sight.paper or ()):
        _meter(canvas, (330 + 330 * number, top + 28), ("least light", "most light")[number], level / 255, (low, high))
    return canvas


def _meter(canvas: Picture, at: tuple[int, int], name: str, share: float, wanted: tuple[float, float]) -> None:
    """A bar from 0 to 1 with marks where it should lie between."""
    (x, y), (width, height) = at, _METER_PX
    share = min(max(share, 0.0), 1.0)
    good = wanted[0] <= share <= wanted[1]
    cv2.rectangle(canvas, (x, y), (x + width, y + height), _PLAIN, 1)
    filled = x + round(width * share)
    cv2.rectangle(canvas, (x + 1, y + 1), (max(filled, x + 1), y + height - 1), _GOOD if good else _BAD, -1)
    for mark in wanted:
        cv2.line(canvas, (x + round(width * mark), y - 3), (x + round(width * mark), y + height + 3), _PLAIN, 1)
    _write(canvas, name, np.array([x, y + height + 18]), _PLAIN)


def _outline(canvas: Picture, layout: TableLayout, box: Box, colour: Colour) -> None:
    corners = project(layout.mm_to_px, box.corners_mm()).round().astype(np.int32)
    cv2.polylines(canvas, [corners], True, colour, 1, cv2.LINE_AA)


def _write(canvas: Picture, text: str, at: Points, colour: Colour) -> None:
    spot = (int(at[0]), int(at[1]))
    cv2.putText(canvas, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.45, _DARK, 3, cv2.LINE_AA)
    cv2.putText(canvas, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1, cv2.LINE_AA)


def _notice(size_px: tuple[int, int], text: str) -> Picture:
    canvas = np.full((size_px[1], size_px[0], 3), 40, np.uint8)
    _write(canvas, "no picture: " + text[:120], np.array([20, size_px[1] // 2]), _BAD)
    return u8(canvas)


def _fits(picture: Picture, layout: TableLayout) -> bool:
    return (picture.shape[1], picture.shape[0]) == tuple(layout.size_px)


PAGE = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>cardcert camera preview</title>
<style>
body{margin:0;background:#181818;color:#e6e6e6;font:16px/1.4 sans-serif}
img{display:block;max-width:100%;margin:0 auto}
p{margin:.6em 1em}.ok{color:#6d6}.bad{color:#f66}
</style>
<img src="/stream.mjpg" alt="The camera's picture with the layout's places drawn in">
<p id="state" role="status">waiting for the camera</p>
<script>
async function ask(){
  try{
    const s=await(await fetch("/health.json",{cache:"no-store"})).json(), p=document.getElementById("state");
    p.textContent=s.words||"waiting for the camera"; p.className=s.state==="ok"?"ok":"bad";
  }catch(e){document.getElementById("state").textContent="the preview has ended"}
  setTimeout(ask,500)
}
ask()
</script></html>
"""
