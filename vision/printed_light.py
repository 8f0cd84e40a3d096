"""Light on a row of cards: how light its paper would be without, and what each part got more.

A reflection adds the same to all that is printed, changes slowly over a card, and hides what it makes as light as the
camera can tell. What it added shows where something dark is printed; on paper it soon shows no more.
"""

import cv2
import numpy as np

from vision.pictures import Picture, darkest_channel
from vision.printed import Plane

CLIPPED = 243.0
"""From this level on, over some pixels, a camera may have cut off what is lighter: noise and blur lie about it."""
_CUT_OFF, _LIT_SHARE = 252, 0.01
_LIGHT_PX = 15
_DARKER = -0.12
"""How much darker than the lightest paper a part may be where no glare lies."""
_NOT_TOLD = 2.0
_DARK = 0.55
_INK = 0.8
"""What is printed darker than this would show, were it not for light."""
_LEAST_SHOWN, _WHOLE = 0.6, 0.95
_LEAST_AGREES = 0.93
_UNKNOWN_PAPER = 0.9


def light_lies_on(picture: Picture) -> bool:
    """Whether part of a picture is as light as a camera can tell, so that a card there could be lost."""
    light = cv2.blur(darkest_channel(picture), (3, 3))
    return float((light >= _CUT_OFF).mean()) >= _LIT_SHARE


def paper_unlit(pairs: list[tuple[Plane, Plane]], white: float) -> float:
    """The level that paper has without light, from parts of a picture and what is printed there, as `(seen, art)`.

    `seen` are levels, `art` shares of paper white. Light adds to both ink and paper, so that their difference tells
    the level; what is cut off is left out. `white`, the level of the lightest paper, is the most that comes of it.
    """
    whole, least = [], _UNKNOWN_PAPER * white
    for seen, art in pairs:
        shown = cv2.blur(seen, (3, 3)) < CLIPPED
        if shown.mean() < _LEAST_SHOWN:
            continue
        spread = np.cov(art[shown], seen[shown])
        along = spread[0, 1] / max(float(np.sqrt(spread[0, 0] * spread[1, 1])), 1e-6)
        level = float(np.sqrt(spread[1, 1] / max(float(spread[0, 0]), 1e-6)))
        if along >= _LEAST_AGREES and shown.mean() >= _WHOLE:
            whole.append(level)
        elif along >= _LEAST_AGREES:
            least = max(least, level)
    return min(white, float(np.percentile(whole, 75)) if whole else least)


def light_on(seen: Plane, low: Plane, clipped: float) -> tuple[Plane, Plane]:
    """How much lighter each part of a card is than it was enrolled, and 1 where that is not to be told.

    Light changes slowly: what is lighter over less than some millimetres is another printing. `low` is the darkest that
    is printed within a pixel; `clipped` is `CLIPPED` as a share of paper white.
    """
    soft = np.asarray(cv2.blur(seen, (3, 3)), np.float32)
    cut_off = cv2.dilate(soft, np.ones((5, 5), np.uint8)) >= clipped  # what runs into white is lighter than it tells
    told = ~cut_off | ((low < _DARK) & (soft < clipped))
    lighter = np.where(told, soft - cv2.blur(low, (3, 3)), _NOT_TOLD).astype(np.float32)
    over = cv2.morphologyEx(lighter, cv2.MORPH_OPEN, np.ones((_LIGHT_PX, _LIGHT_PX), np.uint8))
    unseen = ((over >= 1) & (low < _INK)).astype(np.float32)
    return np.asarray(np.clip(over, _DARKER, _NOT_TOLD), np.float32), unseen
