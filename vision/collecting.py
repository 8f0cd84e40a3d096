"""Collecting pictures of the calibration board from a live camera: only those that show it where it was not yet."""

from collections.abc import Callable

import numpy as np

from evidence.errors import RigFault
from vision.board import Board
from vision.calibrating import View, bare_cells, find_view
from vision.pictures import Picture
from vision.sources import FrameSource

ENOUGH = 20
MOST = 40
_PATIENCE = 300
"""So many pictures in a row without a new view end the collecting."""
_NEW_SHARE = 0.05
"""Of the picture's width: a view is new where the board's corners lie so far, on average, from those of each before."""
_GRAB_TIMEOUT_S = 5.0


def collect(
    source: FrameSource, board: Board, now_ns: Callable[[], int], tell: Callable[[str], None]
) -> list[tuple[str, Picture]]:
    """Pictures that together show the board all over; `tell` is told of each, and what is still missing.

    The first picture is kept whatever it shows: it is of the table. Raises `RigFault` when the camera gives none.
    """
    kept: list[tuple[str, Picture]] = []
    views: list[View] = []
    idle = 0
    while len(views) < MOST and idle < _PATIENCE:
        frame = source.grab(now_ns(), _GRAB_TIMEOUT_S)
        if frame is None:
            if kept:
                break  # a film or a folder has come to its end; of a camera that broke off, what there is may do
            raise RigFault(f"camera: no picture within {_GRAB_TIMEOUT_S:g} s. Check cable and address.")
        name, idle = f"picture {frame.index}", idle + 1
        view = find_view(name, frame.image, board)
        width, height = frame.image.shape[1], frame.image.shape[0]
        if view is not None and is_new(view, views, width):
            views.append(view)
            kept.append((name, frame.image))
            idle = 0
            bare = bare_cells(views, (width, height))
            tell(
                f"{len(views)} of {ENOUGH}; " + (f"show the board at the {bare[0]}" if bare else "tilt it another way")
            )
            if len(views) >= ENOUGH and not bare:
                break
        elif not kept:
            kept.append((name, frame.image))
            tell("the table is seen; show the board, near, far, tilted, and in every corner")
    return kept


def is_new(view: View, views: list[View], width_px: int) -> bool:
    """Whether the board is held otherwise than in each view before."""
    for other in views:
        shared, here, there = np.intersect1d(view.numbers, other.numbers, return_indices=True)
        if len(shared) < 4:
            continue
        away = np.linalg.norm(view.corners_px[here] - other.corners_px[there], axis=1).mean()
        if away < _NEW_SHARE * width_px:
            return False
    return True
