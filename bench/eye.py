"""The bench's eye: looks at one place through the camera, keeps the picture as evidence, says what was seen."""

import hashlib
from collections.abc import Callable
from typing import TypeVar

from bench.clock import Clock
from bench.recall import Recall
from evidence.errors import RigFault
from evidence.events import ButtonSeen, CameraHealth, CardsSeen, DeviceSeen, DiceSeen
from vision.health import check_health
from vision.places import TableLayout
from vision.reader import BUTTON, SHAKER, TableReader
from vision.sources import DrawnFrame, Frame, FrameSource

R = TypeVar("R")

GRAB_TIMEOUT_S = 5.0


class Eye:
    """One camera with its reader. Every look takes a new frame; a frame that is not healthy is never read.

    What follows from the same picture is worked out once and kept in `recall`: a reading by the bytes of its evidence
    picture, and of a drawn table also that picture itself. Nothing of a camera's picture is kept but by its bytes.

    Not for `evidence`, a drawn picture is looked at only where it is read, and judged fit or not by `check` alone: the
    emulated camera stays as it is through a scenario. A camera's pictures are always judged one by one.
    """

    def __init__(
        self,
        source: FrameSource,
        reader: TableReader,
        clock: Clock,
        attach: Callable[[bytes, str], str],
        recall: Recall | None = None,
        *,
        evidence: bool = True,
        tell: Callable[[CameraHealth], object] = lambda _: None,
    ) -> None:
        self._source = source
        self._reader = reader
        self._clock = clock
        self._attach = attach
        self._recall = recall if recall is not None else Recall()
        self._evidence = evidence
        self._tell = tell
        self._previous: Frame | DrawnFrame | None = None

    def check(self) -> CameraHealth:
        """Whether the camera delivers frames fit to be evidence and still looks from where it was calibrated."""
        previous, frame = self._previous, self._grab()
        return self._health(frame, previous, self._reader.layout)

    def cards(self, place: str) -> CardsSeen:
        """Look at a place for cards."""
        crop = self._crop(place)
        reading = self._read("cards", crop, lambda: self._reader.look_crop(crop, place), place)
        return CardsSeen(
            place=place,
            count=reading.count,
            face_up=[card.label for card in reading.face_up],
            face_down=reading.face_down,
            backs=[card.back for card in reading.cards if not card.face_up and card.cut_card is None],
            cut_cards=[card.cut_card for card in reading.cards if card.cut_card is not None],
            stacked=reading.stacked,
            in_part=reading.in_part,
            named=[card.label for card in reading.named if card.label is not None],
            certainty=round(reading.certainty, 4),
            frame=self._attach(crop, "jpg"),
        )

    def dice(self) -> DiceSeen:
        """Look into and around the shaker."""
        crop = self._crop(SHAKER)
        reading = self._read("dice", crop, lambda: self._reader.dice_crop(crop))
        return DiceSeen(
            flat=reading.flat,
            leaning=reading.leaning,
            outside=reading.outside,
            total=reading.total,
            certainty=round(reading.certainty, 4),
            frame=self._attach(crop, "jpg"),
        )

    def device(self, name: str) -> DeviceSeen:
        """Look whether a device stands on the table."""
        crop = self._crop(name)
        present = self._read("device", crop, lambda: self._reader.device_crop(crop, name), name)
        return DeviceSeen(device=name, present=present, frame=self._attach(crop, "jpg"))

    def button(self) -> ButtonSeen:
        """Look for the dealer button."""
        crop = self._crop(BUTTON)
        reading = self._read("button", crop, lambda: self._reader.button_crop(crop))
        return ButtonSeen(
            position=reading.position,
            certainty=round(reading.certainty, 4),
            frame=self._attach(crop, "jpg"),
        )

    def close(self) -> None:
        self._source.close()

    def _crop(self, area: str) -> bytes:
        """The evidence picture of an area, from a new frame. RigFault when that frame is not healthy."""
        previous, frame = self._previous, self._grab()
        trusted = isinstance(frame, DrawnFrame) and not self._evidence
        # A camera may be knocked at any moment; an emulated one stays where `check` found it.
        place = None if isinstance(frame, DrawnFrame) else self._reader.layout
        health = CameraHealth(state="ok") if trusted else self._health(frame, previous, place)
        if frame is None or health.state != "ok":
            self._tell(health)
            raise RigFault(
                f"camera: {health.state} ({health.detail}); this frame cannot be evidence. "
                f"Check cable, light, focus and lens with `cardcert doctor`."
            )
        if not isinstance(frame, DrawnFrame):
            return self._reader.crop(frame.image, area)
        windows = self._reader.windows(area)
        key = ("crop", area, frame.key_within(windows))
        if trusted:  # nobody looks at the rest of it
            return self._recall.of(key, lambda: self._reader.crop(frame.image_within(windows), area))
        return self._recall.of(key, lambda: self._reader.crop(frame.image, area))

    def _read(self, what: str, crop: bytes, read: Callable[[], R], area: str = "") -> R:
        return self._recall.of((what, area, hashlib.sha256(crop).digest()), read)

    def _grab(self) -> Frame | DrawnFrame | None:
        """A frame taken after now."""
        self._previous = self._source.grab(self._clock.now_ns(), GRAB_TIMEOUT_S)
        return self._previous

    def _health(
        self, frame: Frame | DrawnFrame | None, previous: Frame | DrawnFrame | None, layout: TableLayout | None = None
    ) -> CameraHealth:
        """Whether a frame is fit to be evidence, beside the one before it."""

        def judge() -> CameraHealth:
            image, before = (one.image if one is not None else None for one in (frame, previous))
            health = check_health(image, before, layout, frame.lost if isinstance(frame, Frame) else 0.0)
            return CameraHealth(state=health.state, detail=health.detail)

        if isinstance(frame, DrawnFrame) and not isinstance(previous, Frame):
            key = ("health", frame.key, previous.key if previous is not None else b"", layout is not None)
            return self._recall.of(key, judge)
        return judge()
