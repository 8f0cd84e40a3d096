"""`cardcert camera`: calibrate a camera, and preview its picture to align it by."""

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic_ns

from bench.rig import RigPlan, load_rig
from bench.setup import camera_of
from bench.workshop import table_reader
from cardcert.listings import print_lines
from cardcert.messages import tell_error
from cardcert.shipped import find_rig
from cardcert.stopping import Stopping
from evidence.errors import UsageError
from vision.board import PAPER_MM, Board, board_pdf, board_png
from vision.calibrating import calibrate
from vision.cameras import LIVE, kind_of
from vision.collecting import collect
from vision.layout import load_layout, standard_layout
from vision.mjpeg_server import MjpegServer
from vision.pictures import encode_jpeg
from vision.places import TableLayout
from vision.preview import PAGE, Preview
from vision.preview_window import WindowGone, open_window, show
from vision.scene import Scene
from vision.sources import FrameSource, RenderedSource, load_picture, stills
from vision.synthetic.renderer import Renderer
from vision.whole_file import write_whole

GRAB_TIMEOUT_S = 2.0
PAGE_FPS = 10.0
_EXTENT_MM = (50, 2000)
STILLS_FPS = 1.0
"""So fast the pictures of a folder follow each other."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("camera", help="calibrate or preview a camera", description=__doc__)
    kinds = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    _add_calibrate(kinds.add_parser("calibrate", help="print the board; measure the lens and where the table lies"))
    _add_preview(kinds.add_parser("preview", help="the live picture with places, health, focus and exposure"))


def _add_calibrate(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--print", type=Path, metavar="FILE", dest="sheet", help="write the board, as .pdf or .png")
    what.add_argument("--images", type=Path, metavar="DIR", help="pictures of the board and of the table")
    what.add_argument("--rig", help="take the pictures with this rig's camera")
    parser.add_argument("--paper", choices=list(PAPER_MM), default="A4", help="what the board is printed on")
    parser.add_argument(
        "--measured",
        type=_extent_mm,
        metavar="WIDTHxHEIGHT",
        help="what the printed chessboard measures from edge to edge, in millimetres, where it was not printed true",
    )
    parser.add_argument("--layout", type=Path, help="table layout file (default: the rig's, or the standard layout)")
    parser.add_argument("--out", type=Path, default=Path("camera.toml"), help="calibration file (default: camera.toml)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_calibrate)


def _extent_mm(text: str) -> tuple[float, float]:
    parts = text.lower().split("x")
    try:
        width, height = (float(part) for part in parts)
    except ValueError:
        width = height = 0.0
    if not (_EXTENT_MM[0] <= width <= _EXTENT_MM[1] and _EXTENT_MM[0] <= height <= _EXTENT_MM[1]):
        raise argparse.ArgumentTypeError(
            f"expected width x height in millimetres, each {_EXTENT_MM[0]} to {_EXTENT_MM[1]}, such as 270x180, "
            f"got {text[:40]!r}"
        )
    return width, height


def _add_preview(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rig", default="emulated", help="rig file or name (default: the emulated rig)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--port", type=int, help="show a page on this port of this machine, 0 for a free one")
    how.add_argument("--snapshots", type=Path, metavar="DIR", help="write pictures here instead")
    parser.add_argument("--count", type=int, default=1, help="how many snapshots (default: 1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_preview)


def run_calibrate(options: argparse.Namespace) -> int:
    """Print the board, or calibrate and write what was found."""
    board = Board(options.paper, options.measured)
    if options.sheet is not None:
        if options.measured is not None:
            raise UsageError("--measured: has no effect with --print; say it when pictures of the board are read")
        kind = options.sheet.suffix.lower()
        if kind not in (".pdf", ".png"):
            raise UsageError(f"{options.sheet}: expected a name that ends in .pdf or .png")
        write_whole(options.sheet, board_pdf(board) if kind == ".pdf" else board_png(board), "the board")
        print(json.dumps({"board": str(options.sheet)}) if options.json else f"{options.sheet}: {board.caption}")
        return 0
    if options.images is not None:
        layout = load_layout(options.layout) if options.layout else standard_layout()
        report = calibrate(((path.name, load_picture(path)) for path in stills(options.images)), layout, board)
    else:
        rig = load_rig(find_rig(options.rig))
        if not rig.file.camera.url:
            raise UsageError(f"{rig.path}: this rig's camera is emulated; there is nothing to calibrate")
        layout = load_layout(options.layout) if options.layout else _rig_layout(rig)
        source = camera_of(rig, monotonic_ns, corrected=False)
        try:
            report = calibrate(collect(source, board, monotonic_ns, _say), layout, board)
        finally:
            source.close()
    report.calibration.save(options.out)
    if options.json:
        one = report.calibration
        found = {"calibration": str(options.out), "pictures": one.pictures, "reprojection_px": one.reprojection_px}
        found |= {"mapping_mm": one.mapping_mm, "unseen": list(report.unseen), "bare": list(report.bare_cells)}
        found |= {"board_stretch": round(report.stretch, 4)}
        print(json.dumps(found))
    else:
        print_lines([*report.words(), f"{options.out}: name it in the rig file as [camera] calibration"])
    return 0


def run_preview(options: argparse.Namespace) -> int:
    """Show the picture in a window, on a page, or in files; 3 where the last picture is not fit to be evidence."""
    rig = load_rig(find_rig(options.rig))
    if not 1 <= options.count <= 100_000:
        raise UsageError(f"--count: expected 1 to 100000, got {options.count}")
    if options.port is not None and not 0 <= options.port < 65536:
        raise UsageError(f"--port: expected 0 to 65535, got {options.port}")
    with Stopping() as stopping, _camera(rig) as source:
        kind = kind_of(rig.file.camera.url) if rig.file.camera.url else None
        preview = Preview(source, table_reader(rig).layout, recorded=kind is not None and kind not in LIVE)
        if options.snapshots is not None:
            whole = _snapshots(preview, options, stopping)
        else:
            whole = _live(preview, options, stopping, kind == "folder")
        return 0 if whole and preview.last is not None and preview.last.state == "ok" else 3


def _live(preview: Preview, options: argparse.Namespace, stopping: Stopping, stills_only: bool) -> bool:
    """Show it until it is stopped; whether nothing else ended it."""

    def pause(timeout_s: float, other: int) -> bool:
        return stopping.wait(timeout_s, [other])

    window = open_window(pause) if options.port is None else None
    if stopping.asked and window is None:
        return True
    if window is None:
        _page(preview, options.port or 0, options.json, STILLS_FPS if stills_only else PAGE_FPS, stopping)
        return True
    with window:
        try:
            show(window, preview, monotonic_ns, pause, 1 / STILLS_FPS if stills_only else 0.0)
        except WindowGone:
            tell_error("the preview's window has gone, with its screen perhaps; --port 0 shows a page instead")
            return False
    return True


def _snapshots(preview: Preview, options: argparse.Namespace, stopping: Stopping) -> bool:
    """Write them; whether all were that were asked for and that there are."""
    for number in range(options.count):
        if stopping.asked:
            tell_error(f"stopped after {number} of {options.count} snapshots")
            return False
        picture, sight = preview.take(monotonic_ns(), GRAB_TIMEOUT_S)
        if preview.ended:
            return True
        path = options.snapshots / f"preview-{number:04d}.jpg"
        write_whole(path, encode_jpeg(picture, 90), "the snapshot")
        print(json.dumps({"file": str(path), **sight.data}) if options.json else f"{path}: {sight.words}", flush=True)
    return True


def _page(preview: Preview, port: int, as_json: bool, fps: float, stopping: Stopping) -> None:
    """Serve the page on the loopback address until told to stop."""

    def frame() -> bytes:
        return encode_jpeg(preview.take(monotonic_ns(), GRAB_TIMEOUT_S)[0], 80)

    def health() -> bytes:
        last = preview.last
        return json.dumps({} if last is None else {**last.data, "words": last.words}).encode()

    pages = {"/": ("text/html; charset=utf-8", lambda: PAGE), "/health.json": ("application/json", health)}
    with MjpegServer(frame, port=port, fps=fps, pages=pages) as server:
        address = f"http://127.0.0.1:{server.port}/"
        print(json.dumps({"preview": address}) if as_json else f"preview: {address} (Ctrl-C ends it)", flush=True)
        stopping.wait(None)


@contextmanager
def _camera(rig: RigPlan) -> Iterator[FrameSource]:
    if rig.file.camera.url:
        source = camera_of(rig, monotonic_ns)
    else:
        source = RenderedSource(lambda: Scene({}), Renderer(standard_layout(), seed=1), monotonic_ns)
    try:
        yield source
    finally:
        source.close()


def _rig_layout(rig: RigPlan) -> TableLayout:
    name = rig.file.camera.layout
    return load_layout(rig.path.parent / name) if name else standard_layout()


def _say(line: str) -> None:
    print(line, flush=True)
