"""Where frames come from. Every frame is stamped here, on arrival, on the run's own clock.

`grab(after_ns)` never gives a picture whose taking may have begun before `after_ns`: what was done at the table before
that moment is done in the picture.
"""

import hashlib
import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol

from evidence.errors import UsageError
from vision.complaints import complaints
from vision.pictures import MAX_FILE_BYTES, Picture, damaged, decode_picture
from vision.scene import Scene
from vision.synthetic.renderer import Renderer
from vision.synthetic.shown import Shown, shown_of
from vision.windows import Window

NowNs = Callable[[], int]
NOISES = 4
"""How many pictures of an unchanged table differ by their noise before the first one comes again."""
MAX_STILLS = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One camera picture, BGR. `stamp_ns` is when it arrived, `index` counts the frames of its source from 0.

    `lost` is the share of the pictures due lately that did not come, as far as the source can tell.
    """

    image: Picture
    stamp_ns: int
    index: int
    lost: float = 0.0


class DrawnFrame:
    """A picture of an emulated table, drawn once somebody looks at its pixels.

    `key` tells all that determines its pixels, so that what follows from them need not be worked out twice. A picture
    of a camera has no such key: nothing but its pixels tells what is in it.
    """

    def __init__(self, renderer: Renderer, shown: Shown, variant: int, stamp_ns: int, index: int) -> None:
        self._renderer = renderer
        self._shown = shown
        self._variant = variant
        self.stamp_ns = stamp_ns
        self.index = index
        self.key = key_of(shown.values(), variant)

    @cached_property
    def image(self) -> Picture:
        """The picture, BGR."""
        return self._renderer.draw(self._shown, self._variant)

    def image_within(self, windows: Sequence[Window]) -> Picture:
        """The picture, drawn within these windows only."""
        return self._renderer.draw_within(windows, self._shown, self._variant)

    def key_within(self, windows: Sequence[Window]) -> bytes:
        """What determines the pixels within these windows."""
        names = [name for window in windows for name in self._renderer.parts_within(window)]
        return key_of([self._shown[name] for name in names], self._variant)


class FrameSource(Protocol):
    """Something that takes pictures of the table."""

    def grab(self, after_ns: int, timeout_s: float) -> Frame | DrawnFrame | None:
        """A picture whose taking began at or after `after_ns`; None if there is none within `timeout_s`."""

    def close(self) -> None:
        """Let go of the camera. Safe to call twice."""


class RenderedSource:
    """A camera over an emulated table: it takes a picture of the scene whenever it is asked."""

    def __init__(self, scene_fn: Callable[[], Scene], renderer: Renderer, now_ns: NowNs) -> None:
        self._scene_fn = scene_fn
        self._renderer = renderer
        self._now_ns = now_ns
        self._taken = 0
        self._shots: dict[bytes, int] = {}
        """How often a table that looks like this was photographed."""

    def grab(self, after_ns: int, timeout_s: float) -> DrawnFrame | None:
        stamp_ns = self._now_ns()
        if stamp_ns < after_ns:
            return None
        shown = shown_of(self._scene_fn(), self._renderer.layout)
        # Which of the noises a picture has follows from what is on it, and from how often that was photographed: the
        # same table gives the same pictures whatever happened before, and never the same one twice in a row.
        look = key_of(shown.values())
        shots = self._shots[look] = self._shots.get(look, -1) + 1
        frame = DrawnFrame(self._renderer, shown, (look[0] + shots) % NOISES, stamp_ns, self._taken)
        self._taken += 1
        return frame

    def close(self) -> None:
        pass


class FolderSource:
    """Stills of a folder, or a list of files, in order, one for each grab; then None."""

    def __init__(self, where: Path | Sequence[Path], now_ns: NowNs) -> None:
        self._paths = stills(where) if isinstance(where, Path) else list(where)
        self._now_ns = now_ns
        self._taken = 0

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        stamp_ns = self._now_ns()
        if self._taken >= len(self._paths) or stamp_ns < after_ns:
            return None
        frame = Frame(load_picture(self._paths[self._taken]), stamp_ns, self._taken)
        self._taken += 1
        return frame

    def close(self) -> None:
        self._paths = []


def key_of(states: Iterable[Hashable], *more: int) -> bytes:
    """A digest of what parts of a table show: the same for the same, in every process."""
    said = [*map(_said, states), *map(str, more)]
    return hashlib.sha256(f"({', '.join(said)})".encode()).digest()


@lru_cache(maxsize=4096, typed=True)
def _said(state: Hashable) -> str:
    """The words for a state. A pile takes long to say, and most of a table stays as it is from look to look."""
    return repr(state)


def load_picture(path: Path) -> Picture:
    """Read a PNG or JPEG file. Raises `UsageError` that says what is wrong with it, also with a JPEG cut short."""
    try:
        if not path.is_file():
            raise UsageError(f"{path}: expected a PNG or JPEG file, found {_instead(path)}")
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # what was a file may be a pipe by now
        with open(fd, "rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot read the picture: {getattr(error, 'strerror', None) or error}") from error
    return decode_whole(data, str(path))


def decode_whole(data: bytes, where: str) -> Picture:
    """Decode a PNG or JPEG, none of whose damage the decoder complains. Raises `UsageError` naming `where`."""
    with complaints(data) as told:
        picture = decode_picture(data, where)
    if told.of_damage:
        raise damaged(where)
    return picture


def _instead(path: Path) -> str:
    if path.is_dir():
        return "a folder"
    if path.exists():
        return "a device or a pipe; save the picture to a file"
    return "a link that leads nowhere" if path.is_symlink() else "nothing"


def stills(folder: Path) -> list[Path]:
    """The pictures of a folder, by name. Raises `UsageError` if there are none."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: expected a folder of PNG or JPEG pictures")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".png", ".jpg", ".jpeg"))
    if not paths or len(paths) > MAX_STILLS:
        raise UsageError(f"{folder}: expected 1 to {MAX_STILLS} PNG or JPEG pictures, found {len(paths)}")
    return paths
