"""Train the index reader on drawn pictures and write it as ONNX.

    python tools/index_reader/train.py PICTURES OUT.onnx --minutes 60

Needs torch and onnx, which the project itself does not.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from tools.index_reader.net import OUT, STRIDE, IndexNet
from vision.indices.letters import LETTERS, SUITS

L, S = len(LETTERS), len(SUITS)
CROP = 160


class Pictures:
    """Shards in memory, cropped, turned by quarters and tinted at random."""

    def __init__(self, folder: Path, held: str, train: bool) -> None:
        """`held` names the shard that is kept from training."""
        self._folder, self._held, self._train = folder, held, train
        self._files: list[Path] = []
        self.look_again()

    def look_again(self) -> None:
        """Take in the shards that were drawn in the meantime."""
        files = [file for file in sorted(self._folder.glob("shard-*.npz")) if (file.stem == self._held) ^ self._train]
        if files != self._files:
            parts = [np.load(file) for file in files]
            self.images = np.concatenate([part["images"] for part in parts])
            self.rows = np.concatenate([part["rows"] for part in parts])
            self._files = files

    def batch(self, rng: np.random.Generator, size: int, plain: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
        side = self.images.shape[1]
        images = np.empty((size, CROP, CROP, 3), np.float32)
        rows = np.empty((size, *self.rows.shape[1:]), np.float32)
        for k, n in enumerate(rng.integers(0, len(self.images), size)):
            x, y = rng.integers(0, side - CROP + 1, 2)
            image = self.images[n, y : y + CROP, x : x + CROP]
            row = self.rows[n].copy()
            row[:, 0] -= x
            row[:, 1] -= y
            for _ in range(int(rng.integers(4))):
                image = np.rot90(image)
                row[:, 0], row[:, 1] = row[:, 1].copy(), CROP - 1 - row[:, 0]
                row[:, 2], row[:, 3] = row[:, 3].copy(), -row[:, 2]
            images[k] = image
            if not plain:
                images[k] = images[k] * rng.uniform(0.75, 1.2) * rng.normal(1, 0.05, 3) + rng.normal(0, 6)
            rows[k] = row
        pictures = torch.from_numpy(images.clip(0, 255)).permute(0, 3, 1, 2).contiguous() / 255
        return pictures, torch.from_numpy(rows)


def targets(rows: torch.Tensor, cells: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The map wanted `(n, OUT', cells, cells)`, where it counts as an index, and where nothing is asked."""
    n = rows.shape[0]
    want = np.zeros((n, 8, cells, cells), np.float32)
    here, ignore = np.zeros((n, cells, cells), bool), np.zeros((n, cells, cells), bool)
    for b, table in enumerate(rows.tolist()):
        for x, y, ux, uy, height, letters, suit, visible in table:
            if letters < 0 or height < 11 or height > 72:
                continue
            cx, cy = x / STRIDE - 0.5, y / STRIDE - 0.5
            reach = max(1.0, height / STRIDE * 0.35)
            x0, x1 = max(0, int(np.floor(cx - reach))), min(cells - 1, int(np.ceil(cx + reach)))
            y0, y1 = max(0, int(np.floor(cy - reach))), min(cells - 1, int(np.ceil(cy + reach)))
            if visible < 0.93 or not (0 <= x < CROP and 0 <= y < CROP):
                ignore[b, y0 : y1 + 1, x0 : x1 + 1] = True
                continue
            for i in range(y0, y1 + 1):
                for j in range(x0, x1 + 1):
                    away = max(abs(j - cx), abs(i - cy))
                    if away <= 0.75:
                        here[b, i, j] = True
                        want[b, :, i, j] = (letters, suit, ux, uy, np.log(height / 30), cx - j, cy - i, 1)
                    elif away <= reach + 0.5:
                        ignore[b, i, j] = True
    return torch.from_numpy(want), torch.from_numpy(here), torch.from_numpy(ignore & ~here)


def loss_of(out: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, dict[str, float]]:
    want, here, ignore = targets(rows, out.shape[-1])
    out = out.float()
    score = out[:, 0]
    p = torch.sigmoid(score)
    bce = F.binary_cross_entropy_with_logits(score, here.float(), reduction="none")
    weight = torch.where(here, (1 - p) ** 1.5, p**1.5 * 0.75) * ~ignore
    found = (bce * weight).sum() / max(1, int(here.sum()))
    cell = out.permute(0, 2, 3, 1)[here]
    aim = want.permute(0, 2, 3, 1)[here]
    if not len(cell):
        return found, {"found": float(found.detach())}
    letters = F.cross_entropy(cell[:, 1 : 1 + L], aim[:, 0].long(), label_smoothing=0.02)
    suit = F.cross_entropy(cell[:, 1 + L : 1 + L + S], aim[:, 1].long(), label_smoothing=0.02)
    rest = F.smooth_l1_loss(cell[:, 1 + L + S :], aim[:, 2:7], beta=0.1)
    right = float((cell[:, 1 : 1 + L].argmax(1) == aim[:, 0]).float().mean())
    suits = float((cell[:, 1 + L : 1 + L + S].argmax(1) == aim[:, 1]).float().mean())
    return found + letters + 0.6 * suit + 2 * rest, {
        "found": float(found.detach()),
        "letters": right,
        "suits": suits,
        "rest": float(rest.detach()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--held", default="shard-000", help="the shard that only measures")
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate at the start")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    options = parser.parse_args()
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    torch.set_num_threads(1)
    train, held = Pictures(options.pictures, options.held, True), Pictures(options.pictures, options.held, False)
    net = IndexNet(options.width).to(memory_format=torch.channels_last)
    if options.start:
        net.load_state_dict(torch.load(options.start))
    best = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=0.02)
    start, step, took = time.monotonic(), 0, 0.0
    while (share := (time.monotonic() - start) / (60 * options.minutes)) < 1:
        for group in best.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 200) * (0.5 * (1 + np.cos(np.pi * share)) + 0.005)
        pictures, rows = train.batch(rng, options.batch)
        net.train()
        with torch.autocast("cpu", torch.bfloat16):
            out = net(pictures.to(memory_format=torch.channels_last))
        loss, parts = loss_of(out, rows)
        best.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        step += 1
        if step % 100 == 0:
            took = (time.monotonic() - start) / step
            print(f"{step} {took * 1000:.0f} ms {share:.2f} loss {float(loss.detach()):.3f} {parts}", flush=True)
        if step % 500 == 0:
            train.look_again()
            check(net, held)
            torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    check(net, held)
    torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    export(net, options.out)


@torch.no_grad()
def check(net: IndexNet, held: Pictures) -> None:
    net.eval()
    rng = np.random.default_rng(9)
    sums: dict[str, list[float]] = {}
    for _ in range(3):
        pictures, rows = held.batch(rng, 48, plain=True)
        for name, value in loss_of(net(pictures.to(memory_format=torch.channels_last)), rows)[1].items():
            sums.setdefault(name, []).append(value)
    print("held out", {name: round(float(np.mean(values)), 4) for name, values in sums.items()}, flush=True)


def export(net: IndexNet, path: Path) -> None:
    net.eval()
    picture = torch.zeros(1, 3, CROP, CROP)
    axes = {"picture": {2: "height", 3: "width"}, "map": {2: "rows", 3: "columns"}}
    torch.onnx.export(
        net,
        (picture,),
        str(path),
        input_names=["picture"],
        output_names=["map"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    print(f"{path}: {path.stat().st_size} bytes, {OUT} channels")


if __name__ == "__main__":
    main()
