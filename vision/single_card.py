"""Reading a picture of one card, lying at any angle on something darker than paper, or filling the picture."""

import cv2
import numpy as np

from vision.deck import EnrolledDeck, as_camera_sees, paper_level
from vision.faces import Sight, read_card, with_margin
from vision.pictures import Picture, Points, darkest_channel, u8, upright_rectangle
from vision.readings import CardReading
from vision.resolved import resolved_at
from vision.sharp import refined, settled

_STRAIGHT_PX_PER_MM = 6.0
_SHAPE_SLACK = 0.12
_LEAST_SHARE = 0.02
"""Of the picture's area that a card covers at least."""
_LEAST_FILLING = 0.93
"""Of its bounding quadrilateral that a card covers: its corners are round."""
_WORK_PX = 1200
_LEAST_SIDE_PX = 60
_LEAST_CONFIDENCE = 0.1
"""Of a card one of whose corners is only nearest to what the other surely is."""
_SEARCH_MM = (2.0, 2.4)
"""How far an index may lie from where the outline says: a photograph's is less exact than a row's."""


def straight_card(picture: Picture, card_mm: tuple[float, float]) -> Picture | None:
    """The one card in a picture, cut out upright at six pixels a millimetre, ready to be enrolled; None without one."""
    corners = find_single_card(picture, card_mm)
    return None if corners is None else straighten(picture, corners, card_mm)


def find_single_card(picture: Picture, card_mm: tuple[float, float]) -> Points | None:
    """Corners `(4, 2)` of the one card in a picture, clockwise from an upper left one; None without an outline."""
    if min(picture.shape[:2]) < _LEAST_SIDE_PX:
        return None
    corners = _whole_picture(picture, card_mm)
    return _outline(picture, card_mm) if corners is None else corners


def read_outlined(picture: Picture, corners: Points, deck: EnrolledDeck) -> CardReading | None:
    """The card with these corners, clockwise from an upper left one; None for what is like neither face nor back."""
    sights = [_read(picture, turned, deck) for turned in (corners, np.roll(corners, 2, axis=0))]
    one, other = sights
    label = one.label or other.label
    if label is not None and label == (one.label or one.nearest) == (other.label or other.nearest):
        confidence = min(max(sight.confidence, _LEAST_CONFIDENCE) for sight in sights)
        return CardReading(label, confidence, corners, True)  # both corners say so, one of them surely
    if one.face_up is False and other.face_up is False:
        return CardReading(None, min(one.confidence, other.confidence), corners, False, one.back)
    if one.face_up is None and other.face_up is None:
        return None
    return CardReading(None, 0.0, corners, True)


def _read(picture: Picture, corners: Points, deck: EnrolledDeck) -> Sight:
    straight = straighten(picture, corners, deck.card_mm)
    card = as_camera_sees(straight, deck.card_mm, "picture of a card")
    white = paper_level(card)
    sight = read_card(with_margin(card), white, deck.card_mm[0], deck)
    if deck.corners is None or settled(sight):
        return sight
    resolved = resolved_at(deck.corners, float(np.linalg.norm(corners[1] - corners[0])) / deck.card_mm[0])
    own = upright_corners(straight)
    return refined(sight, resolved.identify(straight, own, deck.card_mm, white, deck.card_mm[0], _SEARCH_MM))


def upright_corners(card: Picture) -> Points:
    """The corners of a picture that is one upright card."""
    height, width = card.shape[:2]
    return upright_rectangle((width, height)) - 0.5


def straighten(picture: Picture, corners: Points, card_mm: tuple[float, float]) -> Picture:
    """A card cut out upright at six pixels a millimetre, from its corners clockwise from an upper left one."""
    width, height = (round(v * _STRAIGHT_PX_PER_MM) for v in card_mm)
    target = upright_rectangle((width, height)).astype(np.float32)
    scale = max(1.0, float(np.linalg.norm(corners[1] - corners[0])) / width)
    soft = picture if scale <= 1.2 else u8(cv2.GaussianBlur(picture, (0, 0), 0.5 * scale))
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return u8(cv2.warpPerspective(soft, move, (width, height), borderMode=cv2.BORDER_REPLICATE))


def _whole_picture(picture: Picture, card_mm: tuple[float, float]) -> Points | None:
    """The picture's own corners, where it has a card's shape and paper along all its sides."""
    height, width = picture.shape[:2]
    tall = height >= width
    shape = (height / width if tall else width / height) / (card_mm[1] / card_mm[0])
    if abs(shape - 1) > _SHAPE_SLACK / 2:
        return None
    whiteness = darkest_channel(picture)
    white = float(np.percentile(whiteness, 96))
    inset = max(1, round(min(height, width) * 0.03))
    band = slice(round(0.2 * height), round(0.8 * height)), slice(round(0.2 * width), round(0.8 * width))
    sides = [
        whiteness[band[0], inset],
        whiteness[band[0], -inset - 1],
        whiteness[inset, band[1]],
        whiteness[-inset - 1, band[1]],
    ]
    if white < 60 or any(float(np.median(side)) < 0.8 * white for side in sides):
        return None
    corners = upright_rectangle((width, height))
    return corners if tall else np.roll(corners, 1, axis=0)


def _outline(picture: Picture, card_mm: tuple[float, float]) -> Points | None:
    """The corners of the largest paper thing of a card's shape, clockwise from one of its upper left corners."""
    shrink = min(1.0, _WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else picture
    whiteness = cv2.GaussianBlur(darkest_channel(u8(np.asarray(small))), (5, 5), 0)
    _, mask = cv2.threshold(whiteness, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    largest = cv2.convexHull(max(contours, key=cv2.contourArea))
    area = float(cv2.contourArea(largest))
    if area < _LEAST_SHARE * whiteness.size:
        return None
    quad = quadrilateral(largest)
    if quad is None or area < _LEAST_FILLING * abs(float(cv2.contourArea(quad.astype(np.float32)))):
        return None
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if across > along:
        quad, across, along = np.roll(quad, 1, axis=0), along, across
    shape = card_mm[1] / card_mm[0]
    if abs(along - across * shape) > 2 * _SHAPE_SLACK * across * shape:
        return None
    return np.asarray(quad / shrink, np.float64)


def quadrilateral(hull: np.typing.NDArray[np.generic]) -> Points | None:
    """Corners `(4, 2)`: four lines through the long straight sides of a hull, met at their crossings, clockwise."""
    length = cv2.arcLength(np.asarray(hull, np.float32), True)
    for share in (0.02, 0.03, 0.04, 0.06):
        rough = cv2.approxPolyDP(np.asarray(hull, np.float32), share * length, True).reshape(-1, 2)
        if len(rough) == 4:
            break
    else:
        rough = cv2.boxPoints(cv2.minAreaRect(np.asarray(hull, np.float32)))
    dense = _dense(np.asarray(hull, np.float64).reshape(-1, 2))
    rough = np.asarray(rough, np.float64)
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        off = (dense - start) @ np.array([-along[1], along[0]])
        at = (dense - start) @ along / max(float(np.linalg.norm(end - start)), 1e-6)
        near = dense[(np.abs(off) < 0.02 * length) & (at > 0.2) & (at < 0.8)]
        if len(near) < 4:
            return None
        vx, vy, x, y = np.asarray(cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)).ravel().tolist()
        lines.append((-vy, vx, x * vy - y * vx))
    corners = []
    for first, second in zip([lines[-1], *lines[:-1]], lines, strict=True):
        (a, b, c), (d, e, f) = first, second
        turn = a * e - b * d
        if abs(turn) < 1e-9:
            return None
        corners.append(((b * f - c * e) / turn, (c * d - a * f) / turn))
    quad = np.array(corners)
    signed = float(cv2.contourArea(quad.astype(np.float32), True))
    return quad if signed >= 0 else quad[::-1]


def _dense(points: Points) -> Points:
    """Points about a pixel apart along a closed outline."""
    closed = np.vstack([points, points[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    at = np.arange(0.0, along[-1])
    return np.column_stack([np.interp(at, along, closed[:, 0]), np.interp(at, along, closed[:, 1])])
