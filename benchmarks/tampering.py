"""Alters a signed run folder and its bundle in thousands of ways; tells those that `verify` does not find and place.

    python -m benchmarks.tampering [--run DIR --trust CERT] [--flips 2000] [--seed 1]

Without a run folder one is made of a few scenarios, signed with a test identity. Bytes are flipped at positions drawn
over all files, each file at least once; then files are dropped, added, cut, exchanged, and the whole is signed anew
with another key. Every alteration must be found, and the first finding must name the place. Ends with status 1 when
one is not.
"""

import argparse
import contextlib
import io
import itertools
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509

from cardcert.__main__ import main as cardcert
from evidence.errors import CardcertError
from fixtures.verification import verify_folder
from reports.bundle import opened, write_bundle
from reports.sealing.certificates import read_certificates
from reports.sealing.identity import load_identity
from reports.sealing.making import make_test_identity
from reports.sealing.seal import seal

SCENARIOS = ("nj-h", "pr-proper")


@dataclass(frozen=True, slots=True)
class Alteration:
    """One way to alter a folder: what is done, to which file, and how."""

    what: str
    place: str
    """What the first finding must name."""
    apply: Callable[[Path], None]


def files_of(folder: Path) -> list[Path]:
    """Files of a folder by their path from it, in order."""
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def flips(folder: Path, count: int, seed: int) -> Iterator[Alteration]:
    """Single bytes changed: one in each file, the rest drawn over all bytes."""
    draw = random.Random(seed)
    sizes = {name: (folder / name).stat().st_size for name in files_of(folder)}
    spread = [name for name in sizes if sizes[name]]
    drawn = draw.choices(spread, [sizes[name] for name in spread], k=max(0, count - len(spread)))
    for name in itertools.chain(spread, drawn):
        at, by = draw.randrange(sizes[name]), draw.randrange(1, 256)
        yield Alteration(f"byte {at} of {name} ^ {by}", name.as_posix(), _flip(name, at, by))


def rearrangements(folder: Path) -> Iterator[Alteration]:
    """Files dropped, cut, lengthened, added and exchanged; lines of the journal dropped, doubled and reordered."""
    names = files_of(folder)
    for name in names:
        place = name.as_posix()
        yield Alteration(f"drop {name}", place, _drop(name))
        yield Alteration(f"lengthen {name}", place, _write(name, lambda content: content + b"\n"))
        if (folder / name).stat().st_size:
            yield Alteration(f"cut {name}", place, _write(name, lambda content: content[: len(content) // 2]))
            yield Alteration(f"empty {name}", place, _write(name, lambda _: b""))
    for added in ("more.txt", "journal/attachments/" + "0" * 64 + ".jpg", "packs/NJ-69F-33.12/more.toml", ".hidden"):
        yield Alteration(f"add {added}", added, _add(added))
    frames = [name for name in names if name.parent.name == "attachments"][:20]
    for one, other in itertools.pairwise(frames):
        yield Alteration(f"swap {one.name} and {other.name}", "attachments/", _swap(one, other))
    journal = Path("journal/events.jsonl")
    for kind, change in (("drop", _dropped), ("double", _doubled), ("reorder", _reordered)):
        for share in (0.0, 0.3, 0.9):
            yield Alteration(f"{kind} a line at {share}", journal.as_posix(), _write(journal, change(share)))


def found(folder: Path, trusted: list[x509.Certificate], alteration: Alteration) -> str:
    """What is wrong with how an alteration of a folder was found; empty when it was found and placed."""
    try:
        first = next(iter(verify_folder(folder, trusted).findings), "")
    except CardcertError as error:
        first = str(error)
    if not first:
        return f"NOT FOUND: {alteration.what}"
    return "" if alteration.place in first else f"NOT PLACED: {alteration.what}: {first}"


def found_in_bundle(path: Path, trusted: list[x509.Certificate]) -> str:
    """The first finding about a bundle; empty for none."""
    try:
        with opened(path) as (folder, finding):
            return finding or next(iter(verify_folder(folder, trusted).findings), "")
    except CardcertError as error:
        return str(error)


def try_folder(folder: Path, trusted: list[x509.Certificate], alterations: Iterator[Alteration]) -> list[str]:
    """Apply each alteration by itself, look whether it is found, and undo it. Returns what went wrong, and prints."""
    missed, count = [], 0
    kept = {name: (folder / name).read_bytes() for name in files_of(folder)}
    for alteration in alterations:
        alteration.apply(folder)
        if wrong := found(folder, trusted, alteration):
            missed.append(wrong)
        for name in set(files_of(folder)) - set(kept):
            (folder / name).unlink()
        for name, content in kept.items():
            path = folder / name
            if not path.is_file() or path.stat().st_size != len(content) or path.read_bytes() != content:
                path.write_bytes(content)
        count += 1
    print(f"{count - len(missed)} of {count} alterations of the folder found and placed")
    return missed


def try_bundle(bundle: Path, trusted: list[x509.Certificate], count: int, seed: int) -> list[str]:
    """Flip single bytes all over a bundle, cut it and lengthen it. Returns what was not found, and prints."""
    draw, content, missed = random.Random(seed), bundle.read_bytes(), []
    altered = bundle.with_name("altered.zip")
    changes = [(draw.randrange(len(content)), draw.randrange(1, 256)) for _ in range(count)]
    # The list of entries at the end is small; it gets its share.
    changes += [(len(content) - draw.randrange(1, 4000), 1) for _ in range(count // 10)]
    for at, by in changes:
        altered.write_bytes(content[:at] + bytes([content[at] ^ by]) + content[at + 1 :])
        if not found_in_bundle(altered, trusted):
            missed.append(f"NOT FOUND: byte {at} of the bundle ^ {by}")
    cuts = [draw.randrange(len(content)) for _ in range(20)]
    for other in (*(content[:at] for at in cuts), content + b"x", content + content):
        altered.write_bytes(other)
        if not found_in_bundle(altered, trusted):
            missed.append(f"NOT FOUND: a bundle of {len(other)} bytes instead of {len(content)}")
    total = len(changes) + len(cuts) + 2
    print(f"{total - len(missed)} of {total} alterations of the bundle found")
    return missed


def try_other_key(folder: Path, trusted: list[x509.Certificate], work: Path) -> list[str]:
    """Sign the whole folder anew with another key of the same name."""
    make_test_identity(work / "stranger", "Laboratory")
    copy = Path(shutil.copytree(folder, work / "resigned"))
    with contextlib.redirect_stdout(io.StringIO()):
        cardcert(["report", str(copy), "--sign", str(work / "stranger")])
    resealed = Path(shutil.copytree(folder, work / "resealed"))
    seal(resealed)
    wrong = found(copy, trusted, Alteration("signed anew with another key", "signer.pem", lambda _: None))
    other = found(resealed, trusted, Alteration("signatures taken off", "manifest.json.sig", lambda _: None))
    print(f"{2 - bool(wrong) - bool(other)} of 2 resealings found and placed")
    return [one for one in (wrong, other) if one]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, help="signed run folder; it is copied, not altered")
    parser.add_argument("--trust", type=Path, help="certificate of its signer")
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cardcert-") as temporary:
        work = Path(temporary)
        trust, folder = options.trust, work / "run"
        if options.run:
            shutil.copytree(options.run, folder)
        else:
            make_test_identity(work / "identity", "Laboratory")
            trust = load_identity(work / "identity").beside("trust.pem")
            chosen = [f"--scenario={name}" for name in SCENARIOS]
            with contextlib.redirect_stdout(io.StringIO()):
                cardcert(["certify", *chosen, "--out", str(folder), "--sign", str(work / "identity")])
        trusted = read_certificates(trust)
        begun = time.perf_counter()
        sound = verify_folder(folder, trusted).findings
        print(f"untouched: {sound or 'holds'}; {len(files_of(folder))} files, {time.perf_counter() - begun:.2f} s")
        missed = [f"a sound folder does not hold: {one}" for one in sound]
        missed += try_folder(folder, trusted, flips(folder, options.flips, options.seed))
        missed += try_folder(folder, trusted, rearrangements(folder))
        missed += try_bundle(write_bundle(folder, work / "run.zip"), trusted, options.flips // 4, options.seed)
        missed += try_other_key(folder, trusted, work)
    print("\n".join(missed))
    return 1 if missed else 0


def _flip(name: Path, at: int, by: int) -> Callable[[Path], None]:
    return _write(name, lambda content: content[:at] + bytes([content[at] ^ by]) + content[at + 1 :])


def _write(name: Path, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / name).write_bytes(change((folder / name).read_bytes()))

    return apply


def _drop(name: Path) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _add(name: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"more")

    return apply


def _swap(one: Path, other: Path) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        contents = (folder / one).read_bytes(), (folder / other).read_bytes()
        (folder / other).write_bytes(contents[0])
        (folder / one).write_bytes(contents[1])

    return apply


def _dropped(share: float) -> Callable[[bytes], bytes]:
    return _lines(share, lambda lines, at: [*lines[:at], *lines[at + 1 :]])


def _doubled(share: float) -> Callable[[bytes], bytes]:
    return _lines(share, lambda lines, at: [*lines[: at + 1], *lines[at:]])


def _reordered(share: float) -> Callable[[bytes], bytes]:
    return _lines(share, lambda lines, at: [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])


def _lines(share: float, change: Callable[[list[bytes], int], list[bytes]]) -> Callable[[bytes], bytes]:
    def apply(content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        return b"".join(change(lines, int(len(lines) * share)))

    return apply


if __name__ == "__main__":
    sys.exit(main())
