"""Upright patches of indices, and of what is none, cut out of drawn pictures: what the closer look is trained on."""

from pathlib import Path

import cv2
import numpy as np

from vision.indices.close_look import INDEX_PX, PATCH_PX
from vision.indices.letters import LETTERS

NONE = len(LETTERS)
_LEAST_PX = 13.0


class Patches:
    """Patches with their letters (`NONE` for none) and suits, each cut anew a little off its place, turn and size."""

    def __init__(self, files: list[Path]) -> None:
        parts = [np.load(file) for file in files]
        self._images = np.concatenate([part["images"] for part in parts])
        self._rows = np.concatenate([part["rows"] for part in parts])
        whole = (self._rows[:, :, 5] >= 0) & (self._rows[:, :, 7] > 0.95) & (self._rows[:, :, 4] > _LEAST_PX)
        part = (self._rows[:, :, 5] >= 0) & (self._rows[:, :, 7] < 0.6) & (self._rows[:, :, 4] > _LEAST_PX)
        self._whole, self._part = np.argwhere(whole), np.argwhere(part)

    def batch(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pictures `(n, 3, 64, 48)` from 0 to 1, letters and suits."""
        pictures = np.empty((size, 3, PATCH_PX[1], PATCH_PX[0]), np.float32)
        letters, suits = np.full(size, NONE, np.int64), np.full(size, -1, np.int64)
        for k in range(size):
            draw = rng.random()
            if draw < 0.72:
                image, row = self._whole[int(rng.integers(len(self._whole)))]
                x, y, ux, uy, height = self._rows[image, row, :5]
                letters[k], suits[k] = self._rows[image, row, 5:7]
            elif draw < 0.82:
                image, row = self._part[int(rng.integers(len(self._part)))]
                x, y, ux, uy, height = self._rows[image, row, :5]
            else:
                image = int(rng.integers(len(self._images)))
                x, y, ux, uy, height = self._elsewhere(rng, image)
            pictures[k] = self._cut(rng, self._images[image], (x, y), (ux, uy), height)
        return pictures, letters, suits

    def _elsewhere(self, rng: np.random.Generator, image: int) -> tuple[float, float, float, float, float]:
        """A place where no index stands as it would be looked at: beside one, across one, or upside down."""
        side = self._images.shape[1]
        known = self._rows[image][self._rows[image, :, 5] >= 0]
        if len(known) and rng.random() < 0.4:
            x, y, ux, uy, height = known[int(rng.integers(len(known))), :5]
            turn = float(rng.choice([np.pi, np.pi / 2, -np.pi / 2]))
            return x, y, ux * np.cos(turn) - uy * np.sin(turn), ux * np.sin(turn) + uy * np.cos(turn), height
        for _ in range(8):
            x, y = rng.uniform(0, side, 2)
            if all(np.hypot(x - row[0], y - row[1]) > 0.6 * row[4] for row in known):
                break
        turn = float(rng.uniform(0, 2 * np.pi))
        return x, y, np.cos(turn), np.sin(turn), float(np.exp(rng.uniform(np.log(14), np.log(60))))

    def _cut(
        self,
        rng: np.random.Generator,
        image: np.ndarray,
        at: tuple[float, float],
        up: tuple[float, float],
        height: float,
    ) -> np.ndarray:
        scale = INDEX_PX / height * float(np.exp(rng.normal(0, 0.1)))
        turn = np.arctan2(up[1], up[0]) + float(rng.normal(0, 0.1))
        ux, uy = np.cos(turn), np.sin(turn)
        move = np.array([[-uy, ux], [-ux, -uy]]) * scale
        aim = np.array([PATCH_PX[0] / 2, PATCH_PX[1] / 2]) + rng.normal(0, 2.2, 2)
        shift = aim - move @ np.asarray(at)
        kind = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
        patch = cv2.warpAffine(
            image, np.column_stack([move, shift]), PATCH_PX, flags=kind, borderMode=cv2.BORDER_REPLICATE
        )
        out = patch.astype(np.float32)
        if rng.random() < 0.3:
            out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.6)))
        out = out * rng.uniform(0.7, 1.25) * rng.normal(1, 0.06, 3) + rng.normal(0, 8)
        if rng.random() < 0.5:
            out = out + rng.standard_normal(out.shape) * rng.uniform(0, 10)
        return np.clip(out, 0, 255).transpose(2, 0, 1) / 255
