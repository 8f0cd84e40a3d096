"""Events: what the camera sees."""

from typing import Literal

from evidence.events.base import CardLabel, Event


class CameraHealth(Event, frozen=True, tag="camera.health"):
    """Whether the camera can be believed; anything but `ok` cannot be evidence."""

    state: Literal["ok", "no_frame", "dropped", "frozen", "dark", "bright", "exposure", "blurred", "moved"]
    detail: str = ""


class CardsSeen(Event, frozen=True, tag="camera.cards"):
    """One look at one place. `count` is None when the camera abstains, or cannot count (a squared stack)."""

    place: str
    count: int | None
    face_up: list[CardLabel | None] = []
    """Labels of the cards whose face is visible; None where the face could not be read."""
    face_down: int | None = None
    backs: list[str | None] = []
    """Names of the backs that show, in order; None where a back is like none that was enrolled."""
    cut_cards: list[str] = []
    """Colours of the cut cards that lie there. They are never counted, and what may lie under them is not known."""
    stacked: bool = False
    """True when cards lie upon each other so closely that they cannot be counted; squared, only the top one shows."""
    in_part: bool = False
    """True when more of a stack's cards show than were told: that no face is named does not say that none shows."""
    named: list[CardLabel] = []
    """Cards that are surely read at a place that is not told whole, as one of which light hides a card: which others
    lie there, and how many, does not follow from them."""
    certainty: float = 0.0
    frame: str = ""
    """SHA-256 of the stored picture this was read from."""


class DiceSeen(Event, frozen=True, tag="camera.dice"):
    """The dice after they were uncovered. `total` is None when the camera abstains or not all lie flat."""

    flat: int
    leaning: int
    outside: int
    total: int | None
    certainty: float = 0.0
    frame: str = ""


class DeviceSeen(Event, frozen=True, tag="camera.device"):
    """Whether a device stands on the table. `present` is None when the camera abstains."""

    device: str
    present: bool | None
    frame: str = ""


class ButtonSeen(Event, frozen=True, tag="camera.button"):
    """Where the dealer button lies. None with certainty above 0: at no position; with 0 the camera abstains."""

    position: str | None
    certainty: float = 0.0
    frame: str = ""
