"""Pictures taken in coloured light, put right by the colour of what is brightest in them, as paper is."""

import numpy as np

from vision.pictures import Picture, u8

_BRIGHTEST = 2.0
"""Percentage of a picture that tells the colour of the light."""
_LEAST_CAST = 0.8
"""Light whose weakest colour has more than this share of its strongest is left as it is."""
_MOST_GAIN = 2.5
_SAMPLES = 200


def balanced(picture: Picture) -> Picture:
    """A BGR picture in white light, if its light is clearly coloured; else the picture itself."""
    step = max(1, max(picture.shape[:2]) // _SAMPLES)
    some = picture[::step, ::step].reshape(-1, 3).astype(np.float32)
    light = some.sum(axis=1)
    white = some[light >= np.percentile(light, 100 - _BRIGHTEST)].mean(axis=0)
    if float(white.min()) >= _LEAST_CAST * float(white.max()):
        return picture
    gains = np.minimum(_MOST_GAIN, white.max() / np.maximum(white, 1.0))
    levels = np.minimum(np.arange(256)[:, None] * gains, 255).astype(np.uint8)
    return u8(np.dstack([levels[:, n][picture[:, :, n]] for n in range(3)]))
