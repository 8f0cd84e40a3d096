"""Instruments that misbehave: no answer is ever taken for that of another question, and nothing hangs or grows."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

import pytest
import simpy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bench.clock import VirtualClock
from bench.instruments import visa
from bench.instruments.scpi import Scpi
from bench.instruments.session import LinkSession
from bench.instruments.visa import VisaSession
from bench.links import Wire, pty_pair
from evidence.errors import RigFault, UsageError
from evidence.events import AnyEvent
from tests.instruments.served import Answerer, hostile, troubles

SOUND = b'+0,"No error"\n'


class Sound:
    """Answers as it should: each `READ?` with the next whole number."""

    def __init__(self) -> None:
        self.readings = itertools.count(1)
        self.token = b"0"

    def __call__(self, line: str) -> bytes:
        if line.startswith("*ESE "):
            self.token = line[5:].encode()
        if line == "READ?":
            return b"%d\n" % next(self.readings)
        return {"SYST:ERR?": SOUND, "*OPC?": b"1\n", "*ESE?": self.token + b"\n"}.get(line, b"")


@contextmanager
def over_visa(answer: Answerer) -> Iterator[tuple[Scpi, list[AnyEvent]]]:
    emitted: list[AnyEvent] = []
    with hostile(answer) as resource:
        scpi = Scpi("it", VisaSession(resource, 0.4), 0.4, emitted.append)
        yield scpi, emitted
        scpi.close()


@contextmanager
def over_link(answer: Answerer) -> Iterator[tuple[Scpi, list[AnyEvent]]]:
    """The same in virtual time, over a pty."""
    emitted: list[AnyEvent] = []
    clock = VirtualClock(simpy.Environment())
    link, port = pty_pair()

    def feed(data: bytes) -> None:
        for line in data.decode().splitlines():
            said = answer(line.strip())
            if said is None:
                port.close()
                return
            port.write(said)

    port.feed = feed
    clock.attach(Wire(link, port))
    scpi = Scpi("it", LinkSession(link, clock), 2.0, emitted.append)
    yield scpi, emitted
    scpi.close()
    port.close()


Talking = Callable[[Answerer], AbstractContextManager[tuple[Scpi, list[AnyEvent]]]]
BOTH = pytest.mark.parametrize("talking", [over_visa, over_link])


@BOTH
def test_a_sound_instrument_is_asked_in_step(talking: Talking) -> None:
    with talking(Sound()) as (scpi, emitted):
        assert [scpi.number("READ?") for _ in range(3)] == [1, 2, 3]
        scpi.resynchronise()
        assert scpi.number("READ?") == 4
        assert troubles(emitted) == []


@BOTH
def test_one_that_never_answers_is_a_rig_fault(talking: Talking) -> None:
    with talking(lambda _: b"") as (scpi, emitted):
        for _ in range(2):
            with pytest.raises(RigFault, match="no answer to"):
                scpi.number("READ?")
        assert set(troubles(emitted)) == {"timeout"}


class Late(Sound):
    """Keeps the answer to its first reading back until it is asked something else."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = b""

    def __call__(self, line: str) -> bytes:
        said = super().__call__(line)
        if said == b"1\n" and line == "READ?":
            self.kept = said
            return b""
        kept, self.kept = self.kept, b""
        return kept + said


@BOTH
def test_a_late_answer_is_not_paired_with_the_next_question(talking: Talking) -> None:
    with talking(Late()) as (scpi, _):
        with pytest.raises(RigFault, match="no answer to READ"):
            scpi.number("READ?")
        assert [scpi.number("READ?"), scpi.number("READ?")] == [2, 3]


FATES = ("sound", "lost", "twice", "again later", "again at the next reading", "kept back", "junk before")


class Fated(Sound):
    """Each answer meets a fate of its own."""

    def __init__(self, fates: list[str]) -> None:
        super().__init__()
        self.asked = 0
        self.fates = iter(fates)
        self.owed: list[bytes] = []
        self.later: list[bytes] = []

    def __call__(self, line: str) -> bytes:
        self.asked += line == "READ?"
        said = super().__call__(line)
        if not said:
            return b""
        owed, self.owed = b"".join(self.owed), []
        if line == "READ?":
            owed, self.later = b"".join(self.later) + owed, []
        match next(self.fates, "sound"):
            case "lost":
                return owed
            case "twice":
                return owed + said + said
            case "again later":
                self.owed = [said]
            case "again at the next reading":
                self.later.append(said)
            case "kept back":
                self.owed = [said]
                return owed
            case "junk before":
                return owed + b"7\n" + said
        return owed + said


@given(st.lists(st.sampled_from(FATES), max_size=14))
@example(["again at the next reading"] * 3)
@example(["again at the next reading"] * 2)
@example(["kept back"])
@settings(max_examples=60, deadline=None)
def test_whatever_becomes_of_answers_a_reading_is_that_of_its_question(fates: list[str]) -> None:
    instrument = Fated(fates)
    with over_link(instrument) as (scpi, _):
        for _ in range(4):
            with suppress(RigFault):
                assert scpi.number("READ?") == instrument.asked
        # Once the instrument is sound again it is understood again, at the second question at the latest.
        instrument.fates = iter(())
        with suppress(RigFault):
            scpi.number("READ?")
        assert scpi.number("READ?") == instrument.asked


class Twice(Sound):
    """Says its second reading twice: at once, or once more before the answer to the next question but one."""

    def __init__(self, later: bool) -> None:
        super().__init__()
        self.later = later
        self.owed: list[bytes] = []

    def __call__(self, line: str) -> bytes:
        said = super().__call__(line)
        if line == "READ?" and said == b"2\n":
            if not self.later:
                return said + said
            self.owed = [b"", said]
        elif self.owed:
            return self.owed.pop(0) + said
        return said


@BOTH
@pytest.mark.parametrize("later", [False, True])
def test_an_answer_that_comes_twice_is_found_out_before_it_is_believed(talking: Talking, later: bool) -> None:
    with talking(Twice(later)) as (scpi, emitted):
        asked = [scpi.number("READ?") for _ in range(4)]
        # A reading in doubt is taken anew; none is ever given out for a later one.
        assert asked == [1, 3, 4, 5]
        assert "sequence" in troubles(emitted)


@BOTH
def test_one_that_says_everything_twice_is_given_up(talking: Talking) -> None:
    sound = Sound()
    with talking(lambda line: sound(line) * 2) as (scpi, emitted):
        with pytest.raises(RigFault):
            scpi.number("READ?")
        assert set(troubles(emitted)) <= {"sequence", "timeout", "overflow"}


@BOTH
def test_megabytes_without_an_end_are_cut_off(talking: Talking) -> None:
    with talking(lambda line: b"9" * 200_000 if line == "READ?" else b"") as (scpi, emitted):
        with pytest.raises(RigFault, match="has no end"):
            scpi.number("READ?")
        assert troubles(emitted) == ["overflow"]


@BOTH
def test_an_endless_error_queue_is_cut_off_and_cleared(talking: Talking) -> None:
    heard: list[str] = []
    sound = Sound()

    def answer(line: str) -> bytes:
        heard.append(line)
        return b'-350,"Queue overflow"\n' if line == "SYST:ERR?" else sound(line)

    with talking(answer) as (scpi, emitted):
        with pytest.raises(RigFault, match="its error queue has no end"):
            scpi.act("VOLT 1")
        assert heard.count("SYST:ERR?") == 21
        assert "overflow" in troubles(emitted)
        with suppress(RigFault):
            scpi.act("VOLT 1")
        assert "*CLS" in heard


@BOTH
def test_errors_in_the_queue_refuse_the_order_and_each_is_read(talking: Talking) -> None:
    errors = [b'-222,"Data out of range"\n', b'-113,"Undefined header"\n']
    sound = Sound()

    def answer(line: str) -> bytes:
        return errors.pop(0) if line == "SYST:ERR?" and errors else sound(line)

    with talking(answer) as (scpi, _):
        with pytest.raises(RigFault, match=r"-222, Data out of range; -113, Undefined header"):
            scpi.act("VOLT 1")
        scpi.act("VOLT 1")


@BOTH
@pytest.mark.parametrize("said", [b"9.91E+37\n", b"nan\n", b"\n", b"1.0V\n", b"\xff\xfe\n", b'-1,"x"\n', b"1;2\n"])
def test_what_is_no_number_is_no_reading(talking: Talking, said: bytes) -> None:
    sound = Sound()
    with talking(lambda line: said if line == "READ?" else sound(line)) as (scpi, _), pytest.raises(RigFault):
        scpi.number("READ?")


@BOTH
def test_one_that_hangs_up_is_gone(talking: Talking) -> None:
    sound = Sound()
    with talking(lambda line: None if line == "READ?" else sound(line)) as (scpi, emitted):
        with pytest.raises(RigFault):
            scpi.number("READ?")
        assert troubles(emitted)[0] == "closed"


def test_one_that_drips_is_given_up() -> None:
    with hostile(lambda line: b"1" if line else b"") as resource:
        session = VisaSession(resource, 0.3)
        session.write(b"X")
        with pytest.raises(RigFault, match="no answer"):
            session.read(0.3)
        session.close()
        session.close()
        with pytest.raises(RigFault, match="closed"):
            session.write(b"X")


def test_one_that_never_falls_silent_is_not_listened_to_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visa, "MOST_DRAINED", 1 << 16)
    with hostile(lambda _: b"1" * (1 << 22)) as resource:
        session = VisaSession(resource, 0.3)
        session.write(b"X")
        with pytest.raises(RigFault, match="does not stop talking"):
            session.drain()
        session.close()


def test_nobody_at_the_address_is_a_rig_fault_and_nonsense_a_wrong_rig_file() -> None:
    with hostile(lambda _: b"") as resource:
        pass
    with pytest.raises(RigFault):
        Scpi("it", VisaSession(resource, 0.3), 0.3, lambda _: None).number("READ?")
    with pytest.raises(UsageError, match="expected a VISA resource"):
        VisaSession("192.0.2.7:5025", 1)
