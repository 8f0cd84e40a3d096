"""The animation of a scenario: its pictures in order, those of the evidence marked, none that is not sound."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from evidence import events as e
from reports.animation import CAPTION_PX, FRAMES_MAX, HEIGHT_PX, LAST_MS, LOOK_MS, WIDTH_PX, scenario_animation
from reports.run_view import RunView
from tests.reports.report_runs import RunSketch


def looks(folder: Path, count: int) -> tuple[RunView, list[int]]:
    sketch = RunSketch(folder)
    sketch.scenario = "s"
    seqs = [
        sketch.add("camera:top", e.CardsSeen(place=f"seat/{number}", count=number, frame=sketch.frame()))
        for number in range(count)
    ]
    return RunView.load(sketch.finish()), seqs


def frames_of(data: bytes) -> tuple[list[np.ndarray], list[int]]:
    done, animation = cv2.imdecodeanimation(np.frombuffer(data, np.uint8))
    assert done
    return [frame[:, :, :3] for frame in animation.frames], [int(ms) for ms in animation.durations]


def test_it_shows_every_look_in_order_and_rests_on_the_last(tmp_path: Path) -> None:
    run, seqs = looks(tmp_path / "run", 5)
    data = scenario_animation(run.folder, run.records.of_scenario("s"), set())
    assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
    frames, durations = frames_of(data)
    assert len(frames) == len(seqs)
    assert durations == [LOOK_MS] * 4 + [LAST_MS]
    assert {frame.shape for frame in frames} == {(HEIGHT_PX + CAPTION_PX, WIDTH_PX, 3)}
    whites = [int((frame > 200).all(axis=2).sum()) for frame in frames]
    assert whites == sorted(whites), "each of the pictures has one card more than the one before"


def test_looks_that_a_verdict_rests_on_have_a_coloured_border(tmp_path: Path) -> None:
    run, seqs = looks(tmp_path / "run", 3)
    frames, _ = frames_of(scenario_animation(run.folder, run.records.of_scenario("s"), {seqs[1]}))
    redness = [float(frame[60:120, 1:3, 2].mean() - frame[60:120, 1:3, 0].mean()) for frame in frames]
    assert redness[1] > 100
    assert max(redness[0], redness[2]) < 50


def test_of_many_looks_the_evidence_is_kept(tmp_path: Path) -> None:
    run, seqs = looks(tmp_path / "run", 2 * FRAMES_MAX)
    frames, _ = frames_of(scenario_animation(run.folder, run.records.of_scenario("s"), {seqs[7]}))
    assert len(frames) <= FRAMES_MAX
    assert max(float(frame[60:120, 1:3, 2].mean() - frame[60:120, 1:3, 0].mean()) for frame in frames) > 100


def test_a_damaged_picture_is_left_out(tmp_path: Path) -> None:
    run, _ = looks(tmp_path / "run", 3)
    victim = min(p for p in (run.folder / "journal" / "attachments").iterdir() if "annotated" not in p.name)
    victim.write_bytes(victim.read_bytes() + b"\0")
    frames, _ = frames_of(scenario_animation(run.folder, run.records.of_scenario("s"), set()))
    assert len(frames) == 2


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_pictures_make_none(tmp_path: Path, count: int) -> None:
    run, _ = looks(tmp_path / "run", count)
    assert scenario_animation(run.folder, run.records.of_scenario("s"), set()) == b""


def test_the_same_pictures_give_the_same_bytes(tmp_path: Path) -> None:
    run, _ = looks(tmp_path / "run", 4)
    records = run.records.of_scenario("s")
    assert scenario_animation(run.folder, records, set()) == scenario_animation(run.folder, records, set())
