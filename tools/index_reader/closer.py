"""Train the closer look: what an upright patch says, if it is an index at all.

python tools/index_reader/closer.py PICTURES OUT.onnx --minutes 20
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from tools.index_reader.patches import NONE, PATCH_PX, Patches
from tools.index_reader.pictures import SUITS

OUT = NONE + 1 + len(SUITS)


def _step(inside: int, outside: int) -> list[nn.Module]:
    return [nn.Conv2d(inside, outside, 3, 1, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(True)]


class PatchNet(nn.Module):
    """BGR patches, 0 to 1, in; letters with `none` last, then suits, out."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            *_step(3, w), nn.MaxPool2d(2), *_step(w, 2 * w), *_step(2 * w, 2 * w), nn.MaxPool2d(2),
            *_step(2 * w, 3 * w), *_step(3 * w, 3 * w), nn.MaxPool2d(2), *_step(3 * w, 4 * w), nn.MaxPool2d(2),
        )  # fmt: skip
        cells = (PATCH_PX[0] // 16) * (PATCH_PX[1] // 16)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(4 * w * cells, 96), nn.ReLU(True),
            nn.Dropout(0.1), nn.Linear(96, OUT),
        )  # fmt: skip

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.body(patches))
        return out


def loss_of(out: torch.Tensor, letters: torch.Tensor, suits: torch.Tensor) -> torch.Tensor:
    index = suits >= 0
    both = F.cross_entropy(out[:, : NONE + 1], letters, label_smoothing=0.01)
    return both + 0.8 * F.cross_entropy(out[index, NONE + 1 :], suits[index], label_smoothing=0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--batch", type=int, default=128)
    options = parser.parse_args()
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    files = sorted(options.pictures.glob("shard-*.npz"))
    train, held = Patches(files[:-1]), Patches(files[-1:])
    net = PatchNet().to(memory_format=torch.channels_last)
    best = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.02)
    start, step = time.monotonic(), 0
    while (share := (time.monotonic() - start) / (60 * options.minutes)) < 1:
        for group in best.param_groups:
            group["lr"] = 2e-3 * min(1, (step + 1) / 100) * (0.5 * (1 + np.cos(np.pi * share)) + 0.003)
        patches, letters, suits = (torch.from_numpy(part) for part in train.batch(rng, options.batch))
        net.train()
        with torch.autocast("cpu", torch.bfloat16):
            out = net(patches.to(memory_format=torch.channels_last))
        loss = loss_of(out.float(), letters, suits)
        best.zero_grad()
        loss.backward()
        best.step()
        step += 1
        if step % 100 == 0:
            print(
                f"{step} {(time.monotonic() - start) / step * 1000:.0f} ms {share:.2f} {float(loss.detach()):.3f}",
                flush=True,
            )
        if step % 500 == 0:
            check(net, held)
            torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    check(net, held)
    torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    export(net, options.out)


@torch.no_grad()
def check(net: PatchNet, held: Patches) -> None:
    net.eval()
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(12):
        patches, letters, suits = (torch.from_numpy(part) for part in held.batch(rng, 128))
        out = net(patches)
        said, index = out[:, : NONE + 1].argmax(1), suits >= 0
        sure = out[:, : NONE + 1].softmax(1).max(1).values > 0.97
        rows.append(
            [
                float((said[index] == letters[index]).float().mean()),
                float((out[index, NONE + 1 :].argmax(1) == suits[index]).float().mean()),
                float((said[~index] == NONE).float().mean()),
                float(sure[index].float().mean()),
                float((said == letters)[sure & index].float().mean()),
            ]
        )
    names = ("letters", "suits", "none", "sure", "right when sure")
    print("held out", dict(zip(names, np.round(np.mean(rows, axis=0), 4).tolist(), strict=True)), flush=True)


def export(net: PatchNet, path: Path) -> None:
    net.eval()
    patch = torch.zeros(1, 3, PATCH_PX[1], PATCH_PX[0])
    axes = {"patch": {0: "n"}, "says": {0: "n"}}
    torch.onnx.export(
        net,
        (patch,),
        str(path),
        input_names=["patch"],
        output_names=["says"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
