"""One round of Pai Gow Poker, as the software keeps count of it."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Deal:
    """One round. `counts`, `exposed` and the rest by position."""

    dealing: bool = False
    """Stacks are being dealt."""
    total: int | None = None
    """What the dice show, by the camera."""
    called: int | None = None
    """What the dealer says that they total."""
    called_by: str = ""
    faces: int = 0
    """Cards found face up in the shoe in this round."""
    drawn_by: str = ""
    """Id of the message in which the dealer told of a card drawn in error, until the camera has shown it."""
    waiting: int = 0
    """Cards drawn in error that lie at the mouth: they are the next ones."""
    claimed: int | None = None
    """Cards in the last group, by the shoe's own count."""
    counts: dict[str, tuple[int | None, str]] = field(default_factory=dict)
    """Cards in each stack when it was delivered, with the id of the look that showed them."""
    shown: set[str] = field(default_factory=set)
    """Hands of which a face is known to be visible."""
    looked: set[str] = field(default_factory=set)
    """Players who have looked at their cards."""
    choices: dict[str, str] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    """Hands that are void."""
    replaced: int = 0
    """Cards found face up that the next ones have taken the place of: as many fewer remain."""
    owed: list[tuple[str, str]] = field(default_factory=list)
    """Options that a defect holds back, with their causes."""
