"""The network: from a picture to a map of indices, one cell for eight pixels.

Channels of the output: 0 that an index is here; then its letters; its suit; the vector from suit to rank; the
logarithm of its height in pixels over 30; and where in the cell its middle lies, x and y, in cells.
"""

import torch
from torch import nn

from vision.indices.letters import LETTERS, SUITS

STRIDE = 8
OUT = 1 + len(LETTERS) + len(SUITS) + 2 + 1 + 2


def _step(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outside), nn.ReLU(True)
    )


class IndexNet(nn.Module):
    """A few plain convolutions; BGR in, 0 to 1."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            _step(3, w, 2),
            _step(w, 2 * w, 2),
            _step(2 * w, 2 * w),
            _step(2 * w, 4 * w, 2),
            _step(4 * w, 5 * w),
            _step(5 * w, 5 * w, 1, 2),
            _step(5 * w, 5 * w),
            _step(5 * w, 5 * w, 1, 2),
        )
        self.head = nn.Conv2d(5 * w, OUT, 1)
        nn.init.constant_(self.head.bias[:1], -4.0)  # type: ignore[index]

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.body(pictures))
        return out
