"""`cardcert camera`: calibrate a camera, and preview its picture to align it by."""

import argparse
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic_ns

from bench.rig import RigPlan, load_rig
from bench.setup import camera_of
from bench.workshop import table_reader
from cardcert.listings import print_lines
from cardcert.shipped import find_rig
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
from vision.preview_window import can_open, show
from vision.scene import Scene
from vision.sources import FrameSource, RenderedSource, load_picture, stills
from vision.synthetic.renderer import Renderer
from vision.whole_file import write_whole

GRAB_TIMEOUT_S = 2.0
PAGE_FPS = 10.0
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
    parser.add_argument("--layout", type=Path, help="table layout file (default: the rig's, or the standard layout)")
    parser.add_argument("--out", type=Path, default=Path("camera.toml"), help="calibration file (default: camera.toml)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_calibrate)


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
    board = Board(options.paper)
    if options.sheet is not None:
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
    with _camera(rig) as source:
        kind = kind_of(rig.file.camera.url) if rig.file.camera.url else None
        preview = Preview(source, table_reader(rig).layout, recorded=kind is not None and kind not in LIVE)
        if options.snapshots is not None:
            _snapshots(preview, options.snapshots, options.count, options.json)
        elif options.port is None and can_open():
            show(preview, monotonic_ns, round(1000 / STILLS_FPS) if kind == "folder" else 1)
        else:
            _page(preview, options.port or 0, options.json, STILLS_FPS if kind == "folder" else PAGE_FPS)
        return 0 if preview.last is not None and preview.last.state == "ok" else 3


def _snapshots(preview: Preview, folder: Path, count: int, as_json: bool) -> None:
    for number in range(count):
        picture, sight = preview.take(monotonic_ns(), GRAB_TIMEOUT_S)
        if preview.ended:
            return
        path = folder / f"preview-{number:04d}.jpg"
        write_whole(path, encode_jpeg(picture, 90), "the snapshot")
        print(json.dumps({"file": str(path), **sight.data}) if as_json else f"{path}: {sight.words}", flush=True)


def _page(preview: Preview, port: int, as_json: bool, fps: float) -> None:
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
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


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
