"""A camera's picture with all that helps to align it: places, markers, health, and meters for focus and exposure."""

from dataclasses import asdict, dataclass, replace
from itertools import count
from math import ceil
from typing import Any

import cv2
import numpy as np

from evidence.errors import RigFault
from vision.health import HealthReading, check_health, exposed_levels, sharpness
from vision.markers import calibration_seen, calibration_shift_px, paper_levels
from vision.pictures import Picture, Points, project, u8
from vision.places import TableLayout
from vision.sources import DrawnFrame, Frame, FrameSource

Colour = tuple[int, int, int]
_GOOD, _BAD, _PLAIN, _DARK = (90, 220, 90), (70, 70, 250), (230, 230, 230), (24, 24, 24)
_PANEL_PX = 74
_METER_PX = (220, 14)
_DRAWN_PX = (1280, 720)
"""Words and lines are as large as they are in a picture of this size; a smaller picture is enlarged to about it."""
_ENDED = "the recording has ended, this is its last picture"
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
    """Takes one picture after another. Not for several threads at once. `recorded`: a film or a folder, that ends."""

    def __init__(self, source: FrameSource, layout: TableLayout, recorded: bool = False) -> None:
        self._source = source
        self._layout = layout
        self._recorded = recorded
        self._numbers = count()
        self._previous: Picture | None = None
        self.last: Sight | None = None
        self.ended = False
        """Whether a recording has come to its end; its last picture is given again and again then."""

    @property
    def idle(self) -> bool:
        """Whether there was nothing new to be seen the last time."""
        return self.ended or self.last is None or self.last.state == "no_frame"

    def take(self, after_ns: int, timeout_s: float) -> tuple[Picture, Sight]:
        """The next picture, drawn upon, and what is to be said of it. Of a camera that is away, why."""
        try:
            frame = None if self.ended else self._source.grab(after_ns, timeout_s)
            trouble = str(getattr(self._source, "trouble", "")) or "the camera delivered no picture"
        except RigFault as error:
            frame, trouble = None, str(error)  # it may send a whole picture next time
        if frame is not None:
            sight = self._judge(frame)
            self._previous = frame.image
            return draw(frame.image, self._layout, sight), sight
        if self._recorded and self._previous is not None and self.last is not None:
            if not self.ended:
                self.ended, self.last = True, replace(self.last, detail=f"{self.last.detail}; {_ENDED}".lstrip("; "))
            return draw(self._previous, self._layout, self.last), self.last
        sight = self._no_frame(trouble)
        return _notice(self._layout.size_px, trouble), sight

    def _judge(self, frame: Frame | DrawnFrame) -> Sight:
        picture, layout = frame.image, self._layout
        lost = frame.lost if isinstance(frame, Frame) else 0.0
        health = check_health(picture, self._previous, layout, lost)
        fitted = _fitted(picture, layout)
        seen = calibration_seen(picture, fitted) if fitted is not None else {}
        levels = paper_levels(picture, seen)
        paper = (min(levels), max(levels)) if levels else None
        return self._keep(
            health, sharpness(picture), len(seen), calibration_shift_px(seen, fitted or layout), paper, lost
        )

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
    """The picture with places, markers and meters drawn in; a small one enlarged."""
    times = max(1, min(ceil(share / extent) for share, extent in zip(_DRAWN_PX, picture.shape[1::-1], strict=True)))
    canvas = u8(cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC))
    unit = _unit(canvas)
    fitted = _fitted(picture, layout)
    if fitted is not None:
        boxes = {name: place.box for name, place in fitted.places.items()}
        boxes |= {name: device.box for name, device in fitted.devices.items()}
        boxes["shaker"] = fitted.shaker.zone
        for name, box in boxes.items():
            corners = project(fitted.mm_to_px, box.corners_mm()) * times
            _outline(canvas, corners, _PLAIN, unit)
            _write(canvas, name, corners[0] + (4 * unit, 14 * unit), _PLAIN, unit)
        seen = calibration_seen(picture, fitted)
        for marker in fitted.calibration:
            corners = project(fitted.mm_to_px, marker.box.corners_mm()) * times
            _outline(canvas, corners, _GOOD if marker.id in seen else _BAD, unit)
            if marker.id in seen:
                _outline(canvas, seen[marker.id] * times, _GOOD, unit)
    return _with_panel(canvas, sight, unit)


def _with_panel(picture: Picture, sight: Sight, unit: float) -> Picture:
    """The picture with words and meters below it."""
    top, high = picture.shape[0], round(_PANEL_PX * unit)
    canvas = u8(cv2.copyMakeBorder(picture, 0, high, 0, 0, cv2.BORDER_CONSTANT, value=_DARK))
    good = sight.state == "ok"
    _write(canvas, sight.words[:170], np.array([10 * unit, top + 18 * unit]), _GOOD if good else _BAD, unit)
    _meter(canvas, (10, top / unit + 28), "focus", sight.focus / _FOCUS_FULL, (1 / _FOCUS_FULL, 1.0), unit)
    low, high_level = (level / 255 for level in sight.paper_wanted)
    for number, level in enumerate(sight.paper or ()):
        at = (330 + 330 * number, top / unit + 28)
        _meter(canvas, at, ("least light", "most light")[number], level / 255, (low, high_level), unit)
    return canvas


def _meter(
    canvas: Picture, at: tuple[float, float], name: str, share: float, wanted: tuple[float, float], unit: float
) -> None:
    """A bar from 0 to 1 with marks where it should lie between."""
    (x, y), (width, height) = at, _METER_PX
    share = min(max(share, 0.0), 1.0)
    good = wanted[0] <= share <= wanted[1]

    def px(across: float, down: float) -> tuple[int, int]:
        return round((x + across) * unit), round((y + down) * unit)

    thick = round(unit)
    cv2.rectangle(canvas, px(0, 0), px(width, height), _PLAIN, thick)
    cv2.rectangle(canvas, px(1, 1), px(max(width * share, 1), height - 1), _GOOD if good else _BAD, -1)
    for mark in wanted:
        cv2.line(canvas, px(width * mark, -3), px(width * mark, height + 3), _PLAIN, thick)
    _write(canvas, name, np.array(px(0, height + 18)), _PLAIN, unit)


def _outline(canvas: Picture, corners: Points, colour: Colour, unit: float) -> None:
    cv2.polylines(canvas, [corners.round().astype(np.int32)], True, colour, round(unit), cv2.LINE_AA)


def _write(canvas: Picture, text: str, at: Points, colour: Colour, unit: float) -> None:
    spot, size, thick = (int(at[0]), int(at[1])), 0.45 * unit, round(unit)
    cv2.putText(canvas, text, spot, cv2.FONT_HERSHEY_SIMPLEX, size, _DARK, 3 * thick, cv2.LINE_AA)
    cv2.putText(canvas, text, spot, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)


def _notice(size_px: tuple[int, int], text: str) -> Picture:
    canvas = np.full((size_px[1], size_px[0], 3), 40, np.uint8)
    unit = _unit(canvas)
    _write(canvas, "no picture: " + text[:150], np.array([20 * unit, size_px[1] / 2]), _BAD, unit)
    return u8(canvas)


def _unit(canvas: Picture) -> float:
    """How large words and lines are, 1 in a picture of the usual width."""
    return max(1.0, float(canvas.shape[1]) / _DRAWN_PX[0])


def _fitted(picture: Picture, layout: TableLayout) -> TableLayout | None:
    """The layout in a picture of its own shape, whatever its size; None for a picture of another shape."""
    size = (picture.shape[1], picture.shape[0])
    if size == tuple(layout.size_px):
        return layout
    return layout.scaled(size) if abs(size[0] / size[1] * layout.size_px[1] / layout.size_px[0] - 1) < 0.01 else None


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
