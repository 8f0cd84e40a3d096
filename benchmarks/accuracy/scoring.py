"""Random tables, and what was read of a place of one compared with what lies there."""

from collections.abc import Sequence

import numpy as np

from benchmarks.accuracy import conditions
from benchmarks.accuracy.parts import Counts
from vision.pictures import Picture, Points
from vision.readings import PlaceReading
from vision.scene import BACKS, DEVICES, DICE_POSES, LABELS, POSITIONS, Pile, Scene, SceneCard, SceneDie
from vision.synthetic.renderer import Renderer

Random = np.random.Generator
_AT_ITS_PLACE = 0.1
"""Of a card's width: a card that is named so near to where one lies is that one; none lies nearer to another."""


def random_table(rng: Random, countable: dict[str, int]) -> Scene:
    piles = {}
    for place, most in countable.items():
        count = int(rng.integers(0, most + 1))
        up = rng.choice([0.0, 0.15, 0.5, 0.85, 1.0])
        arrangement = str(rng.choice(["spread", "staggered", "squared"], p=[0.45, 0.45, 0.1]))
        labels = [str(label) for label in rng.permutation(LABELS)[:count]]
        back = str(rng.choice(BACKS))
        cards = tuple(SceneCard(label, bool(rng.random() < up), back) for label in labels)
        piles[place] = Pile(cards, arrangement)  # type: ignore[arg-type]
    covered = bool(rng.random() < 0.2)
    poses = [str(pose) for pose in rng.choice(DICE_POSES, 3, p=[0.86, 0.07, 0.07])]
    dice = tuple(SceneDie(int(rng.integers(1, 7)), pose) for pose in poses)  # type: ignore[arg-type]
    devices = frozenset(name for name in DEVICES if rng.random() < 0.5)
    button = None if rng.random() < 0.2 else str(rng.choice(POSITIONS))
    return Scene(piles, () if covered else dice, covered, devices, button)


def pairs_at(
    reading: PlaceReading, pile: Pile, close: bool, outlines: Sequence[Points] = ()
) -> list[tuple[str, str | None]]:
    """What each card at a place is, and what was read. A label that stands where no such card shows is misread,
    and so is a count that is not that of the cards.

    What a card is that is not there, or not face up, is told as `-`. `close`: the cards lie so near each other that
    only the last one's index shows. `outlines` are the corners of the cards that show: by them a card that is named at
    a place that is not told whole counts as the one that lies there.
    """
    shown = pile.cards[-1:] if pile.arrangement == "squared" else pile.cards
    if reading.named:
        return _pairs_in_part(reading, shown, close, outlines)
    named = [(card.label if card.face_up else None) for card in reading.cards]
    if reading.stacked:  # only the card that lies uppermost is read; the others that show are not
        named = [*(None for _ in shown[1:]), *(reading.labels or (None,))]
    truth = [(card.label if card.face_up else "-") for card in shown]
    shows = [true != "-" and not (close and number < len(truth) - 1) for number, true in enumerate(truth)]
    if len(named) != len(truth):
        strange: list[tuple[str, str | None]] = [("-", label) for label in named if label is not None]
        if reading.count is not None and not strange:
            strange = [("-", "miscounted")]
        unread = [true for true, index in zip(truth, shows, strict=True) if index][len(strange) :]
        return strange + [(true, None) for true in unread]
    cards = zip(named, truth, shows, strict=True)
    return [(true, label) for label, true, index in cards if label is not None or index]


def _pairs_in_part(
    reading: PlaceReading, shown: Sequence[SceneCard], close: bool, outlines: Sequence[Points]
) -> list[tuple[str, str | None]]:
    """Pairs as of `pairs_at` for the cards that are named at a place that is not told whole."""
    labels: list[list[str | None]] = [[] for _ in shown]
    pairs: list[tuple[str, str | None]] = []
    for card in reading.named:
        away = [float(np.abs(card.corners - outline).max()) for outline in outlines]
        nearest = int(np.argmin(away)) if away else -1
        if away and away[nearest] < _AT_ITS_PLACE * np.hypot(*(outlines[nearest][1] - outlines[nearest][0])):
            labels[nearest].append(card.label)
        else:
            pairs.append(("-", card.label))
    for number, (lying, told) in enumerate(zip(shown, labels, strict=True)):
        true = lying.label if lying.face_up else "-"
        index = lying.face_up and not (close and number < len(shown) - 1)
        pairs += [(true, label) for label in told] or ([(true, None)] if index else [])
    return pairs


def outlines_at(renderer: Renderer, place: str, pile: Pile) -> Sequence[Points]:
    """Corners of the cards of a pile that show, in pixels of the whole picture."""
    return renderer.outlines(place, pile) if pile.cards else ()


def count_at(reading: PlaceReading, pile: Pile) -> Counts:
    """Whether the cards at a place were counted right, faces and backs told apart; a squared stack has no number."""
    cards = pile.cards
    if reading.count is None and not reading.stacked:
        return Counts(uncertain=1)
    if pile.arrangement == "squared" and len(cards) > 1:
        return Counts(exact=1) if reading.stacked and reading.count is None else Counts(wrong=1)
    if reading.count is None and len(cards) > 1:
        return Counts(uncertain=1)  # where cards lie close, a stack is all that is said
    faces = [card.face_up for card in cards]
    right = not reading.stacked and reading.count == len(cards) and [card.face_up for card in reading.cards] == faces
    return Counts(exact=1) if right else Counts(wrong=1)


def wiped_out(clean: Picture, frame: Picture, renderer: Renderer, place: str, pile: Pile) -> set[str]:
    """Labels of the cards of a pile whose print light has wiped out."""
    lost = conditions.lost_in_light(clean, frame, renderer.outlines(place, pile), renderer.layout.card_mm)
    return {card.label for card, one in zip(pile.cards[-len(lost) :], lost, strict=True) if one}
