"""The bench's eye: looks at one place through the camera, keeps the picture as evidence, says what was seen."""

from collections.abc import Callable

from bench.clock import Clock
from evidence.errors import RigFault
from evidence.events import ButtonSeen, CameraHealth, CardsSeen, DeviceSeen, DiceSeen
from vision.health import check_health
from vision.pictures import Picture
from vision.places import TableLayout
from vision.reader import BUTTON, SHAKER, TableReader
from vision.sources import FrameSource

GRAB_TIMEOUT_S = 5.0


class Eye:
    """One camera with its reader. Every look takes a new frame; a frame that is not healthy is never read."""

    def __init__(
        self, source: FrameSource, reader: TableReader, clock: Clock, attach: Callable[[bytes, str], str]
    ) -> None:
        self._source = source
        self._reader = reader
        self._clock = clock
        self._attach = attach
        self._previous: Picture | None = None

    def check(self) -> CameraHealth:
        """Whether the camera delivers frames fit to be evidence and still looks from where it was calibrated."""
        health, _ = self._grab(self._reader.layout)
        return health

    def cards(self, place: str) -> CardsSeen:
        """Look at a place for cards."""
        crop = self._reader.crop(self._picture(), place)
        reading = self._reader.look_crop(crop, place)
        return CardsSeen(
            place=place,
            count=reading.count,
            face_up=[card.label for card in reading.face_up],
            face_down=reading.face_down,
            backs=[card.back for card in reading.cards if not card.face_up],
            stacked=reading.stacked,
            certainty=round(reading.certainty, 4),
            frame=self._attach(crop, "jpg"),
        )

    def dice(self) -> DiceSeen:
        """Look into and around the shaker."""
        crop = self._reader.crop(self._picture(), SHAKER)
        reading = self._reader.dice_crop(crop)
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
        crop = self._reader.crop(self._picture(), name)
        present = self._reader.device_crop(crop, name)
        return DeviceSeen(device=name, present=present, frame=self._attach(crop, "jpg"))

    def button(self) -> ButtonSeen:
        """Look for the dealer button."""
        crop = self._reader.crop(self._picture(), BUTTON)
        reading = self._reader.button_crop(crop)
        return ButtonSeen(
            position=reading.position,
            certainty=round(reading.certainty, 4),
            frame=self._attach(crop, "jpg"),
        )

    def close(self) -> None:
        self._source.close()

    def _picture(self) -> Picture:
        health, picture = self._grab()
        if picture is None or health.state != "ok":
            raise RigFault(
                f"camera: {health.state} ({health.detail}); this frame cannot be evidence. "
                f"Check cable, light, focus and lens with `cardcert doctor`."
            )
        return picture

    def _grab(self, layout: TableLayout | None = None) -> tuple[CameraHealth, Picture | None]:
        """A frame taken after now, and whether it is fit to be evidence."""
        frame = self._source.grab(self._clock.now_ns(), GRAB_TIMEOUT_S)
        picture = frame.image if frame is not None else None
        health = check_health(picture, self._previous, layout)
        self._previous = picture
        return CameraHealth(state=health.state, detail=health.detail), picture
