"""The bench's eye works out everything from pixels alone, and nothing twice from the same ones."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import simpy

from bench.clock import VirtualClock
from bench.eye import Eye
from bench.plan import load_plan, only
from bench.recall import SMALL_BYTES, Recall
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop, table_reader
from cardcert.shipped import find_plan, find_rig
from evidence.errors import RigFault
from evidence.journal import Journal, comparable, read_journal
from vision.pictures import Picture
from vision.reader import TableReader
from vision.scene import Pile, Scene, SceneCard
from vision.sources import Frame
from vision.synthetic.renderer import Renderer

BURNT = Scene({"burn": Pile((SceneCard("9d", True),), "squared")})


class Camera:
    """A camera of pictures that were taken somewhere: they come with no key."""

    def __init__(self, pictures: Iterator[Picture]) -> None:
        self._pictures = pictures

    def grab(self, after_ns: int, timeout_s: float) -> Frame | None:
        return Frame(next(self._pictures), after_ns, 0)

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def eye_parts() -> tuple[Renderer, TableReader]:
    rig = load_rig(find_rig("emulated"))
    reader = table_reader(rig)
    return Renderer(reader.layout, 5), reader


def eye_of(reader: TableReader, pictures: list[Picture], recall: Recall, *, evidence: bool = True) -> Eye:
    clock = VirtualClock(simpy.Environment())
    return Eye(Camera(iter(pictures)), reader, clock, lambda data, suffix: str(len(data)), recall, evidence=evidence)


def test_a_camera_is_read_by_its_pixels_alone(eye_parts: tuple[Renderer, TableReader]) -> None:
    renderer, reader = eye_parts
    pictures = [renderer.frame(Scene({}), 0), renderer.frame(BURNT, 0), renderer.frame(Scene({}), 1)]
    eye = eye_of(reader, pictures, Recall())
    assert [eye.cards("burn").count for _ in pictures] == [0, 1, 0]


@pytest.mark.parametrize("evidence", [True, False])
def test_a_camera_that_repeats_a_picture_is_frozen_however_well_it_is_remembered(
    eye_parts: tuple[Renderer, TableReader], evidence: bool
) -> None:
    renderer, reader = eye_parts
    picture = renderer.frame(BURNT, 0)
    eye = eye_of(reader, [picture, picture.copy()], Recall(), evidence=evidence)
    assert eye.cards("burn").face_up == ["9d"]
    with pytest.raises(RigFault, match="frozen"):
        eye.cards("burn")


def test_the_same_bytes_are_read_once(eye_parts: tuple[Renderer, TableReader]) -> None:
    renderer, reader = eye_parts
    recall = Recall()
    for _ in range(3):
        eye_of(reader, [renderer.frame(BURNT, 0)], recall).cards("burn")
    assert len(recall) == 1
    eye_of(reader, [renderer.frame(BURNT, 1)], recall).cards("burn")
    assert len(recall) == 2


def test_what_is_remembered_changes_nothing_in_the_journal(tmp_path: Path) -> None:
    [scenario] = only(load_plan(find_plan("default")), ["nj-c-next-dealt"]).scenarios
    rig, recall = load_rig(find_rig("emulated")), Recall()

    def played(name: str, recall: Recall, *, evidence: bool = True) -> list[object]:
        workshop = Workshop(rig, 3, recall=recall, evidence=evidence)
        with Journal.create(tmp_path / name, workshop.now_ns, durable=False) as journal:
            assert run_scenario(workshop, scenario, journal, {}) == "completed"
        return [comparable(record) for record in read_journal(tmp_path / name)]

    fresh = played("fresh", Recall())
    assert len(fresh) > 100
    assert played("first", recall) == fresh
    known = len(recall)
    assert played("second", recall) == fresh
    assert len(recall) == known
    # Runs that are no evidence of their own look less and see the same.
    assert played("quick", Recall(), evidence=False) == fresh


def test_memory_is_bounded_and_forgets_what_was_not_asked_for_longest() -> None:
    recall = Recall(most_bytes=3 * (SMALL_BYTES + 100), most_entries=10)
    asked: list[str] = []

    def picture(name: str) -> Callable[[], bytes]:
        def work_out() -> bytes:
            asked.append(name)
            return bytes(100)

        return work_out

    for name in "abcabdab":
        recall.of(name, picture(name))
    assert asked == ["a", "b", "c", "d"]
    assert recall.bytes == 3 * (SMALL_BYTES + 100)
    recall.of("c", picture("c"))
    assert asked == ["a", "b", "c", "d", "c"]
    few = Recall(most_entries=2)
    for number in range(5):
        few.of(number, lambda: None)
    assert len(few) == 2


def test_what_could_not_be_worked_out_is_not_remembered() -> None:
    recall = Recall()
    with pytest.raises(RigFault):
        recall.of("key", _fail)
    assert recall.of("key", lambda: 7) == 7


def _fail() -> int:
    raise RigFault("no picture")
