"""A camera's calibration: its lens, and where the table lies in its corrected picture. Kept as a TOML file."""

from dataclasses import dataclass, replace
from pathlib import Path

from evidence.errors import UsageError
from vision.layout import MAX_LAYOUT_BYTES, check_layout
from vision.lens import Lens
from vision.places import TableLayout
from vision.strict_toml import parse_strict
from vision.whole_file import read_whole, write_whole


@dataclass(frozen=True)
class Calibration:
    """`corners_px` are the layout's calibration corners in the corrected picture; `paper_level` is how light the paper
    of its markers was. `reprojection_px` and `mapping_mm` say how well it fits: root mean squares.
    """

    layout: str
    lens: Lens
    corners_px: tuple[tuple[float, float], ...]
    paper_level: float
    pictures: int
    reprojection_px: float
    mapping_mm: float

    def applied(self, layout: TableLayout) -> TableLayout:
        """The layout as this camera sees it. Raises `UsageError` for another layout, or one that does not fit in."""
        if layout.name != self.layout:
            raise UsageError(
                f"calibration: made for table layout {self.layout!r}, used with {layout.name!r}; calibrate it anew"
            )
        seen = replace(layout, size_px=self.lens.size_px, corners_px=self.corners_px, paper_level=self.paper_level)
        check_layout(seen, f"calibration for layout {self.layout!r}")
        return seen

    def save(self, path: Path) -> None:
        """Write the calibration as one TOML file, all or nothing."""
        lens = self.lens
        corners = ", ".join(f"[{x:.3f}, {y:.3f}]" for x, y in self.corners_px)
        lines = [
            "# Written by `cardcert camera calibrate`. Calibrate anew when camera, lens, focus or table was moved.",
            f"layout = {_quoted(self.layout)}",
            f"size_px = [{lens.size_px[0]}, {lens.size_px[1]}]",
            "",
            "[lens]",
            f"focal_px = {_pair(lens.focal_px)}",
            f"centre_px = {_pair(lens.centre_px)}",
            f"distortion = [{', '.join(f'{v:.8f}' for v in lens.distortion)}]",
            f"view_focal_px = {_pair(lens.view_focal_px)}",
            f"view_centre_px = {_pair(lens.view_centre_px)}",
            "",
            "[table]",
            f"corners_px = [{corners}]",
            f"paper_level = {self.paper_level:.1f}",
            "",
            "[quality]",
            f"pictures = {self.pictures}",
            f"reprojection_px = {self.reprojection_px:.4f}",
            f"mapping_mm = {self.mapping_mm:.4f}",
            "",
        ]
        write_whole(path, "\n".join(lines).encode(), "the calibration")


def load_calibration(path: Path) -> Calibration:
    """Read a calibration file. Raises `UsageError` that names file, key, what was expected and what was seen."""
    try:
        root = parse_strict(read_whole(path, MAX_LAYOUT_BYTES, "the calibration").decode("utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a calibration: {error}; make it anew") from error
    except UsageError as error:
        raise UsageError(f"{error}. `cardcert camera calibrate` makes one.") from None
    lens, table, quality = root.table("lens"), root.table("table"), root.table("quality")
    size = root.whole_pair("size_px")
    if not (min(size) >= 160 and size[0] * size[1] <= 16_000_000):
        raise UsageError(f"{path}: size_px: expected 160 x 160 to 16 megapixels, got {size[0]} x {size[1]}")
    calibration = Calibration(
        root.text("layout"),
        Lens(
            size,
            lens.pair("focal_px", above=1),
            lens.pair("centre_px"),
            lens.numbers("distortion", 5),
            lens.pair("view_focal_px", above=1),
            lens.pair("view_centre_px"),
        ),
        table.corners("corners_px"),
        table.number("paper_level"),
        quality.whole("pictures", 1, 100_000),
        quality.number("reprojection_px"),
        quality.number("mapping_mm"),
    )
    for part in (lens, table, quality, root):
        part.refuse_unknown()
    return calibration


def _pair(values: tuple[float, float]) -> str:
    return f"[{values[0]:.4f}, {values[1]:.4f}]"


def _quoted(text: str) -> str:
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text if ord(c) < 0xFFFF)
    return f'"{escaped}"'
