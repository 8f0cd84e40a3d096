"""One card in a picture, read by its outline."""

from vision.deck import EnrolledDeck
from vision.pictures import Picture
from vision.readings import CardReading
from vision.single_card import find_single_card, read_outlined


def read_one(picture: Picture, deck: EnrolledDeck) -> CardReading | None:
    """The one card in a picture; None where there is no outline of one."""
    corners = find_single_card(picture, deck.card_mm)
    return None if corners is None else read_outlined(picture, corners, deck)
