"""Train the closer look: what an upright patch says, if it is an index at all.

    python tools/index_reader/closer.py CLOSE_UPS PICTURES OUT.onnx --minutes 20

CLOSE_UPS is what close_ups.py drew, PICTURES what pictures.py drew. With --start a network that was exported learns on:
a part of what it is told of letters is then what it said itself, so that it forgets no lettering that is drawn no more.
Needs torch and onnx, which the project does not.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

from tools.index_reader.patches import NONE, Patches
from vision.indices.close_look import PATCH_PX
from vision.indices.letters import SUITS

OUT = NONE + 1 + len(SUITS)


def _step(inside: int, outside: int, size: int = 3, stride: int = 1) -> list[nn.Module]:
    conv = nn.Conv2d(inside, outside, size, stride, size // 2, bias=False)
    return [conv, nn.BatchNorm2d(outside), nn.ReLU(True)]


class PatchNet(nn.Module):
    """BGR patches, 0 to 1, in; letters with `none` last, then suits, out."""

    def __init__(self, width: int = 20) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            *_step(3, w, 5, 2), *_step(w, 2 * w), *_step(2 * w, 2 * w), nn.MaxPool2d(2),
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


def likeness(out: torch.Tensor, teacher: PatchNet, patches: torch.Tensor) -> torch.Tensor:
    """How far answers on letters are from those of another network."""
    with torch.no_grad():
        told = teacher(patches)[:, : NONE + 1].softmax(1)
    return F.cross_entropy(out[:, : NONE + 1], told)


def weights_of(network: Path, like: PatchNet) -> dict[str, torch.Tensor]:
    """The weights of an exported network, in which each normalisation was drawn into the layer before it."""
    stored = {
        one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(network).graph.initializer
    }
    folded = iter([value for name, value in stored.items() if not name.startswith("head")])
    weights = like.state_dict()
    for name in weights:
        if name in stored:
            weights[name] = stored[name]
        elif name.endswith("running_mean"):
            weights[name] = torch.zeros_like(weights[name])
        elif name.endswith("running_var"):
            weights[name] = torch.ones_like(weights[name]) - 1e-5
        elif name.startswith("body") and (name.endswith("bias") or weights[name].dim() == 4):
            weights[name] = next(folded)
        elif name.endswith("weight"):
            weights[name] = torch.ones_like(weights[name])
    return weights


class CloseUps:
    """Drawn close-ups in memory, tinted, moved a little and partly hidden at random."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._files: list[Path] = []
        self.look_again()

    def look_again(self) -> None:
        """Take in the shards that were drawn in the meantime."""
        files = sorted(self._folder.glob(f"{self._name}-*.npz"))
        if files != self._files:
            parts = [np.load(file) for file in files]
            self.patches = np.concatenate([part["patches"] for part in parts])
            self.letters = np.concatenate([part["letters"] for part in parts])
            self.suits = np.concatenate([part["suits"] for part in parts])
            self._files = files

    def batch(self, rng: np.random.Generator, size: int, plain: bool = False) -> tuple[np.ndarray, ...]:
        picked = rng.integers(0, len(self.patches), size)
        out = self.patches[picked].astype(np.float32)
        if not plain:
            out = out * rng.uniform(0.75, 1.2, (size, 1, 1, 1)) * rng.normal(1, 0.05, (size, 1, 1, 3))
            out = out + rng.normal(0, 8, (size, 1, 1, 1))
            for patch in out[: size // 2]:
                dx, dy = rng.integers(-2, 3, 2)
                patch[:] = np.roll(patch, (dy, dx), (0, 1))
        pictures = np.ascontiguousarray(np.clip(out, 0, 255).transpose(0, 3, 1, 2), np.float32) / 255
        return pictures, self.letters[picked], self.suits[picked]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("close_ups", type=Path)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--scenes", type=float, default=0.25, help="share cut out of whole pictures")
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate at the start")
    parser.add_argument("--start", type=Path, help="exported network to go on from")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    close, held = CloseUps(options.close_ups, "close"), CloseUps(options.close_ups, "held")
    scenes = Patches(sorted(options.pictures.glob("shard-*.npz"))[1:])
    net = PatchNet().to(memory_format=torch.channels_last)
    teacher = None
    if options.start:
        net.load_state_dict(weights_of(options.start, net))
        teacher = PatchNet()
        teacher.load_state_dict(weights_of(options.start, net))
        teacher.eval()
    best = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=0.02)
    start, step = time.monotonic(), 0
    some = round(options.batch * options.scenes)
    while (share := (time.monotonic() - start) / (60 * options.minutes)) < 1:
        for group in best.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 100) * (0.5 * (1 + np.cos(np.pi * share)) + 0.003)
        both = zip(close.batch(rng, options.batch - some), scenes.batch(rng, some), strict=True)
        patches, letters, suits = (torch.from_numpy(np.concatenate(pair)) for pair in both)
        net.train()
        if teacher is not None:
            for layer in net.body:
                if isinstance(layer, nn.BatchNorm2d):
                    layer.eval()  # what it had learned of its input is in the weights before it
        with torch.autocast("cpu", torch.bfloat16):
            out = net(patches.to(memory_format=torch.channels_last)).float()
        loss = loss_of(out, letters, suits)
        if teacher is not None:
            loss = 0.75 * loss + 0.25 * likeness(out, teacher, patches)
        best.zero_grad()
        loss.backward()
        best.step()
        step += 1
        if step % 100 == 0:
            took = (time.monotonic() - start) / step * 1000
            print(f"{step} {took:.0f} ms {share:.2f} {float(loss.detach()):.3f}", flush=True)
        if step % 500 == 0:
            check(net, held)
            torch.save(net.state_dict(), options.out.with_suffix(".pt"))
            close.look_again()
            scenes = Patches(sorted(options.pictures.glob("shard-*.npz"))[1:])
    check(net, held)
    torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    export(net, options.out)
    print(f"temperature {temperature(net, held):.2f}", flush=True)


@torch.no_grad()
def temperature(net: PatchNet, held: CloseUps) -> float:
    """By what the answers must be divided for their certainties to come true on fonts that trained nothing."""
    net.eval()
    rng = np.random.default_rng(6)
    batches = [[torch.from_numpy(part) for part in held.batch(rng, 128, plain=True)] for _ in range(12)]
    outs = [(net(patches)[:, : NONE + 1], letters) for patches, letters, _ in batches]
    losses = {
        t: sum(float(F.cross_entropy(out / t, letters)) for out, letters in outs) for t in np.arange(0.5, 2, 0.05)
    }
    return float(min(losses, key=losses.__getitem__))


@torch.no_grad()
def check(net: PatchNet, held: CloseUps) -> None:
    net.eval()
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(12):
        patches, letters, suits = (torch.from_numpy(part) for part in held.batch(rng, 128, plain=True))
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
