"""Table layouts from TOML files, read strictly: whatever is missing, unknown, or lies wrong is named with its key."""

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np

from evidence.errors import UsageError
from vision.pictures import project
from vision.places import Box, CalibrationMarker, DeviceSpot, Place, Shaker, TableLayout
from vision.scene import DEVICES, PLACES, POSITIONS
from vision.strict_toml import StrictTable, parse_strict
from vision.whole_file import read_whole

__all__ = ["TableLayout", "load_layout", "parse_layout", "standard_layout"]

MAX_LAYOUT_BYTES = 256 * 1024


def standard_layout() -> TableLayout:
    """The layout shipped with the product."""
    source = files("vision").joinpath("layouts", "standard.toml")
    return parse_layout(source.read_text(encoding="utf-8"), "layouts/standard.toml")


def load_layout(path: Path) -> TableLayout:
    """Read a layout file. Raises `UsageError` that names file, key, what was expected and what was seen."""
    try:
        text = read_whole(path, MAX_LAYOUT_BYTES, "the table layout").decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: expected UTF-8 text, got other bytes at {error.start}") from error
    return parse_layout(text, str(path))


def parse_layout(text: str, where: str) -> TableLayout:
    """Parse and check the text of a layout file; `where` names it in errors."""
    root = parse_strict(text, where)
    table, camera, cards = root.table("table"), root.table("camera"), root.table("cards")
    calibration, shaker, button = root.table("calibration"), root.table("shaker"), root.table("button")
    marker_mm = calibration.number("size_mm", above=0)
    spots = button.table("spots_mm")
    layout = TableLayout(
        name=root.text("name"),
        title=root.text("title"),
        size_mm=table.pair("size_mm", above=0),
        size_px=camera.whole_pair("size_px"),
        corners_mm=camera.corners("corners_mm"),
        corners_px=camera.corners("corners_px"),
        card_mm=cards.pair("size_mm", above=0),
        places={name: _place(name, root.table("places").table(name)) for name in root.keys_of("places", PLACES)},
        devices={name: _device(name, root.table("devices").table(name)) for name in root.keys_of("devices", DEVICES)},
        shaker=_shaker(shaker),
        button_radius_mm=button.number("radius_mm", above=0),
        button_spots_mm={name: spots.pair(name) for name in button.keys_of("spots_mm", POSITIONS)},
        calibration=tuple(
            CalibrationMarker(entry.whole("id", 0, 49), Box(entry.pair("centre_mm"), (marker_mm, marker_mm)))
            for entry in calibration.tables("markers", 4)
        ),
    )
    for part in (root, table, camera, cards, calibration, shaker, button):
        part.refuse_unknown()
    check_layout(layout, where)
    return layout


def _place(name: str, entry: StrictTable) -> Place:
    spread, stagger = entry.number("spread_pitch_mm", above=0), entry.number("stagger_pitch_mm", above=0)
    return entry.finished(Place(name, _box(entry), spread, stagger, entry.whole("countable", 1, 54)))


def _device(name: str, entry: StrictTable) -> DeviceSpot:
    size = entry.number("marker_size_mm", above=0)
    return entry.finished(DeviceSpot(name, _box(entry), entry.whole("marker", 0, 49), size))


def _shaker(entry: StrictTable) -> Shaker:
    centre = entry.pair("centre_mm")
    radius, die = entry.number("radius_mm", above=0), entry.number("die_mm", above=0)
    return Shaker(centre, radius, Box(centre, entry.pair("zone_mm", above=0)), die)


def _box(entry: StrictTable) -> Box:
    return Box(entry.pair("centre_mm"), entry.pair("size_mm", above=0), entry.number("angle_deg"))


def check_layout(layout: TableLayout, where: str) -> None:
    """Raise `UsageError` that names `where` if what lies on the table overlaps or lies outside the picture."""
    width, height = layout.size_px
    if width * height > 16_000_000 or width < 320 or height < 180:
        raise UsageError(f"{where}: camera.size_px: expected 320 x 180 to 16 megapixels, got {width} x {height}")
    for key, corners in (("corners_mm", layout.corners_mm), ("corners_px", layout.corners_px)):
        if abs(cv2.contourArea(np.array(corners, np.float32))) < 1000 or not _convex(corners):
            raise UsageError(f"{where}: camera.{key}: expected four corners of a convex shape, in order around it")
    boxes = {f"places.{name}": place.box for name, place in layout.places.items()}
    boxes |= {f"devices.{name}": device.box for name, device in layout.devices.items()}
    boxes["shaker.zone_mm"] = layout.shaker.zone
    for key, box in boxes.items():
        seen = project(layout.mm_to_px, box.corners_mm())
        if seen.min() < 0 or (seen > (width, height)).any():
            raise UsageError(f"{where}: {key}: lies partly outside the picture; move it or the calibration corners")
    for place in layout.places.values():
        if place.box.size_mm[0] < layout.card_mm[0] or place.box.size_mm[1] < layout.card_mm[1]:
            raise UsageError(f"{where}: places.{place.name}.size_mm: smaller than one card, {layout.card_mm} mm")
    names = list(boxes)
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            if _overlap(boxes[first], boxes[second]):
                raise UsageError(f"{where}: {first} and {second} overlap; move them apart")
    ids = [device.marker for device in layout.devices.values()] + [marker.id for marker in layout.calibration]
    if len(set(ids)) != len(ids):
        raise UsageError(f"{where}: marker ids: expected each once, got {sorted(ids)}")


def _convex(corners: tuple[tuple[float, float], ...]) -> bool:
    return bool(cv2.isContourConvex(np.array(corners, np.float32)))


def _overlap(first: Box, second: Box) -> bool:
    def rectangle(box: Box) -> tuple[tuple[float, float], tuple[float, float], float]:
        return box.centre_mm, box.size_mm, box.angle_deg

    kind, _ = cv2.rotatedRectangleIntersection(rectangle(first), rectangle(second))
    return kind != cv2.INTERSECT_NONE
