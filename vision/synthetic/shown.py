"""What of a scene a camera can see: the states of the table's parts, without what lies hidden."""

from collections.abc import Hashable, Mapping

from vision.places import TableLayout
from vision.scene import POSITIONS, Pile, Scene, SceneCard
from vision.synthetic.piles import edges_alike

Shown = Mapping[str, Hashable]
"""The state of each part by its name, in the order of the layout; None where it is empty."""


def shown_of(scene: Scene, layout: TableLayout) -> Shown:
    """What each part shows: places, devices, the shaker, and the spots of the button."""
    shown: dict[str, Hashable] = {}
    for name in layout.places:
        pile = scene.piles.get(name)
        shown[name] = _visible(pile) if pile is not None and pile.cards else None
    for name in layout.devices:
        shown[name] = True if name in scene.devices else None
    shown["shaker"] = ("covered",) if scene.shaker_covered else scene.dice
    for position in POSITIONS:
        shown[f"button/{position}"] = True if scene.button == position else None
    return shown


def _visible(pile: Pile) -> Pile:
    """A pile that looks the same, with the same card for every side that does not show."""
    cards = tuple(_side(card) for card in pile.cards)
    if pile.arrangement == "squared":
        # Of those below the uppermost card only the edges show, and of a high stack not even how many they are.
        cards = (SceneCard("2c", False),) * (edges_alike(len(cards)) - 1) + cards[-1:]
    return Pile(cards, pile.arrangement)


def _side(card: SceneCard) -> SceneCard:
    return SceneCard(card.label, True) if card.face_up else SceneCard("2c", False, card.back)
