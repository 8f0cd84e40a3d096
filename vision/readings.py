"""What the camera says it saw. `None` means that it abstains."""

from dataclasses import dataclass, field

from vision.pictures import Points


@dataclass(frozen=True, slots=True, eq=False)
class CardReading:
    """One card. `label` is None where the face is down or could not be read; `back` names the enrolled back it shows.

    `corners` is `(4, 2)` in pixels of the whole picture, clockwise from the card's own upper left; for a card that
    lies partly under another it is the whole card's outline, or, where `index_only`, that of the one index that shows.
    `confidence` runs from 0 to 1. `cut_card` is the colour of a plain plastic card, which is no card of a deck.
    """

    label: str | None
    confidence: float
    corners: Points
    face_up: bool
    back: str | None = None
    index_only: bool = False
    cut_card: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """One look at one place.

    `count` is None when the camera abstains or the cards cannot be counted. `stacked` is True when cards lie upon each
    other so closely that not all of them show; `face_up` then holds the top card if its face shows. `in_part` is True
    where more of them may show than was told, as in a row of which only the last card was read: nothing follows from a
    face that is not named there. `named` are cards that are surely read at a place that is not told, left to right:
    which others lie there, and how many, does not follow from them. `cards` are all cards found, first to last,
    whichever way up. `certainty` is that of the weakest fact stated; 0 when abstaining.
    """

    place: str
    count: int | None
    face_up: tuple[CardReading, ...] = ()
    face_down: int | None = None
    stacked: bool = False
    certainty: float = 0.0
    cards: tuple[CardReading, ...] = field(default=(), compare=False)
    in_part: bool = False
    named: tuple[CardReading, ...] = field(default=(), compare=False)

    @property
    def labels(self) -> tuple[str | None, ...]:
        """Labels of the cards whose face shows, in order."""
        return tuple(card.label for card in self.face_up)

    @property
    def empty(self) -> bool:
        return self.count == 0


@dataclass(frozen=True, slots=True, eq=False)
class DieReading:
    """One die. `value` is None unless it lies flat in the shaker and its pips are clear."""

    pose: str
    value: int | None
    corners: Points


@dataclass(frozen=True, slots=True)
class DiceReading:
    """The dice that show. `total` is None unless three lie flat in the shaker with clear pips; all 0 when covered."""

    flat: int
    leaning: int
    outside: int
    total: int | None
    certainty: float
    covered: bool = False
    dice: tuple[DieReading, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ButtonReading:
    """Where the dealer button lies. None with certainty above 0 says that no spot has it; 0 is an abstention."""

    position: str | None
    certainty: float


def rounded(corners: Points) -> list[list[float]]:
    """Corner points as plain data, to a tenth of a pixel."""
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners]
