"""A person as hands: orders at a real terminal, and what is recorded of the answers."""

import io
import os
import tty
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import numpy as np
import pytest

from bench.hands.picture import OrderPicture
from bench.hands.prompted import PromptedHands
from bench.hands.terminal import LONGEST_ANSWER, Terminal
from cardcert.__main__ import main
from evidence.errors import RigFault, UsageError
from evidence.events import AnyEvent, OperatorAnswered
from vision.layout import standard_layout
from vision.pictures import decode_picture


@dataclass
class Person:
    """Somebody at a terminal who answers each prompt as soon as it is shown; with nothing left to say, with Enter."""

    keyboard: int
    screen: TextIO
    says: list[bytes] = field(default_factory=list)
    silent: bool = False
    events: list[AnyEvent] = field(default_factory=list)
    shown: str = ""

    def write(self, text: str) -> int:
        self.shown += text
        return len(text)

    def flush(self) -> None:
        if not self.silent:
            os.write(self.keyboard, self.says.pop(0) if self.says else b"\n")

    def terminal(self, timeout_s: float = 20.0) -> Terminal:
        prompts: TextIO = self  # type: ignore[assignment]  # it writes and flushes, which is all that is asked of it
        return Terminal(self.events.append, "A. Dealer", timeout_s, self.screen, prompts)

    def answers(self) -> list[tuple[str, str]]:
        return [(one.answer, one.note) for one in self.events if isinstance(one, OperatorAnswered)]


@pytest.fixture
def person() -> Iterator[Person]:
    master, slave = os.openpty()
    tty.setraw(slave)
    with os.fdopen(slave) as screen:
        yield Person(master, screen)
    os.close(master)


def test_an_order_is_one_plain_sentence_and_enter_says_that_it_is_done(person: Person) -> None:
    hands = PromptedHands(person.terminal())
    hands.deliver("seat/3", "down", [0])
    hands.reverse_in_device("shoe", [5, 6])
    first, second = (order for order in person.shown.split("DEALER: ") if order)
    assert "seat/3, face down" in first
    assert "face up: 1" in first
    assert "5, 6" in second
    assert person.answers() == [("done", ""), ("done", "")]
    recorded = [one for one in person.events if isinstance(one, OperatorAnswered)]
    assert {one.operator for one in recorded} == {"A. Dealer"}
    assert all(one.order in person.shown for one in recorded)


def test_what_cannot_be_done_ends_the_scenario_with_the_reason(person: Person) -> None:
    person.says = [b"what?\n", b"no the button is lost \x1b[31m\n"]
    with pytest.raises(RigFault, match="move the button to seat/2: the button is lost"):
        PromptedHands(person.terminal()).move_button("seat/2")
    # What is no answer is asked again, and recorded as none.
    assert person.answers() == [("cannot", "the button is lost \x1b[31m")]


def test_a_long_answer_is_cut(person: Person) -> None:
    person.says = [b"no " + b"x" * 3000 + b"\n"]
    with pytest.raises(RigFault):
        PromptedHands(person.terminal()).cut()
    assert [len(note) for _, note in person.answers()] == [LONGEST_ANSWER]


def test_enter_typed_before_an_order_is_no_answer_to_it(person: Person) -> None:
    os.write(person.keyboard, b"\n\n\n")
    person.silent = True
    with pytest.raises(RigFault, match=r"nobody answered .*: cut the pack"):
        PromptedHands(person.terminal(timeout_s=0.2)).cut()
    assert person.answers() == [("none", "")]


def test_a_terminal_that_closes_is_a_rig_fault_and_never_an_answer() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    with os.fdopen(slave) as screen:
        person = Person(master, screen, silent=True)
        hands = PromptedHands(person.terminal())
        os.close(master)
        with pytest.raises(RigFault, match="closed"):
            hands.cut()
    assert person.answers() == []


def test_without_a_terminal_a_person_cannot_be_asked() -> None:
    with pytest.raises(UsageError, match="terminal"):
        Terminal(lambda _: None, answers=io.StringIO("\n"), prompts=io.StringIO())


def test_every_act_can_be_asked_of_a_person(person: Person) -> None:
    hands = PromptedHands(person.terminal())
    hands.place_pack(52, missing=1, extra=2)
    hands.load("shoe")
    hands.unload("shoe")
    hands.take_shuffled("shuffler")
    hands.shuffle_by_hand()
    hands.cut()
    hands.draw_by_hand()
    hands.move("seat/1", "discard_rack", 2, "down")
    hands.move("hand", "layout_centre", 12, "up")
    hands.move("floor", "seat/1", 1)
    hands.place_pack(52, swapped=1, back="blue")
    hands.spread("seat/1")
    hands.square("seat/1")
    hands.gather()
    hands.turn_up("seat/1", [0])
    hands.turn_up("seat/1")
    hands.shake_dice()
    hands.move_button("seat/2")
    hands.remove_device("shoe")
    hands.place_device("shoe")
    hands.arrange_in_device("shoe", {1: "Jc"})
    told = person.shown
    assert "12 card(s) from the top of the pack in your hand to layout_centre, face up" in told
    assert "that lie on the floor to seat/1" in told
    assert "52 cards with blue backs, with 1 cards replaced by duplicates" in told
    for word in ("1 cards left out", "2 cards of the same back", "discard_rack, face down", "number 1: Jc", "seat/2"):
        assert word in told


def test_a_picture_shows_where_an_order_is_to_be_carried_out(person: Person, tmp_path: Path) -> None:
    layout = standard_layout()
    picture = OrderPicture(tmp_path / "order.jpg", layout)
    hands = PromptedHands(person.terminal(), picture)
    hands.cut()
    assert not picture.path.exists()
    hands.move("seat/1", "discard_rack")
    assert str(picture.path) in person.shown
    drawn = decode_picture(picture.path.read_bytes(), "order").astype(int)
    plain = picture.draw([]).astype(int)
    scale = drawn.shape[1] / layout.size_mm[0]
    changed = {
        name: bool(np.abs(drawn - plain)[round(y * scale) - 9 : round(y * scale) + 9, :, :].max() > 60)
        for name, (_, y) in ((one, layout.places[one].box.centre_mm) for one in ("seat/1", "discard_rack"))
    }
    assert changed == {"seat/1": True, "discard_rack": True}


def test_nobody_can_be_passed_over_where_a_person_must_act(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text(
        'name = "bench"\n[[device]]\nname = "shoe"\nrole = "shoe"\nurl = "/dev/ttyX"\n'
        '[software]\nurl = "ws://127.0.0.1:9"\n[camera]\nurl = "http://127.0.0.1:9/"\n[hands]\nkind = "person"\n'
    )
    assert main(["certify", "--rig", str(rig), "--yes", "--out", str(tmp_path / "run")]) == 2
    assert "--yes" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
