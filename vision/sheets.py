"""Cards that lie apart from each other in one picture: a contact sheet, or a deck laid out."""

import cv2
import numpy as np

from vision.pictures import Picture, Points, darkest_channel, u8
from vision.single_card import quadrilateral

MOST_CARDS = 120
_WORK_PX = 2400
_LEAST_OF_LARGEST = 0.5
_LEAST_FILLING = 0.93
_SHAPE_SLACK = 0.15
_LEAST_SHARE = 0.001


def cards_apart(picture: Picture, card_mm: tuple[float, float]) -> list[Points]:
    """Corners `(4, 2)` of every card, row by row from the upper left; each clockwise from an upper left corner.

    Only things of a card's shape, about as large as the largest of them, on a ground darker than paper.
    """
    shrink = min(1.0, _WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else picture
    whiteness = cv2.GaussianBlur(darkest_channel(u8(np.asarray(small))), (5, 5), 0)
    _, mask = cv2.threshold(whiteness, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hulls = [cv2.convexHull(contour) for contour in contours]
    hulls = [hull for hull in hulls if cv2.contourArea(hull) > _LEAST_SHARE * whiteness.size]
    largest = max((float(cv2.contourArea(hull)) for hull in hulls), default=0.0)
    shape, found = card_mm[1] / card_mm[0], []
    for hull in hulls:
        area = float(cv2.contourArea(hull))
        quad = quadrilateral(hull) if area > _LEAST_OF_LARGEST * largest else None
        if quad is None or area < _LEAST_FILLING * abs(float(cv2.contourArea(quad.astype(np.float32)))):
            continue
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        if across > along:
            quad, across, along = np.roll(quad, 1, axis=0), along, across
        if abs(along - across * shape) < _SHAPE_SLACK * across * shape:
            upper = quad if quad[0].sum() <= quad[2].sum() else np.roll(quad, 2, axis=0)
            found.append(np.asarray(upper / shrink, np.float64))
    return _in_rows(found)


def _in_rows(cards: list[Points]) -> list[Points]:
    """By rows, each from left to right: a card begins a row where it lies below the middle of the one before."""
    if not cards:
        return []
    tall = float(np.median([np.ptp(card[:, 1]) for card in cards]))
    ordered = sorted(cards, key=lambda card: float(card[:, 1].mean()))
    rows: list[list[Points]] = [[ordered[0]]]
    for card in ordered[1:]:
        if float(card[:, 1].mean()) - float(rows[-1][0][:, 1].mean()) > tall / 2:
            rows.append([])
        rows[-1].append(card)
    return [card for row in rows for card in sorted(row, key=lambda card: float(card[:, 0].mean()))]
