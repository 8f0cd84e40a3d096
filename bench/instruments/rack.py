"""All instruments of a rig: opened, found to be the right ones, and brought to a safe state before and after."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry, InstrumentEntry
from bench.instruments.registry import DRIVERS
from bench.instruments.scpi import Emit, Scpi
from bench.instruments.session import Session
from evidence.errors import CardcertError, RigFault
from evidence.events import InstrumentIdentity, ReadingTaken

Connect = Callable[[InstrumentEntry], Session]
MOST_READINGS = 10_000


class Rack:
    """The instruments of a rig. Whoever makes one closes it, and closing leaves everything safe.

    Nothing is switched before every instrument has been found to be the one of the rig file.
    """

    def __init__(self, entries: Sequence[InstrumentEntry], connect: Connect, emit: Callable[[str], Emit]) -> None:
        self.instruments: dict[str, Instrument] = {}
        self._readings: list[tuple[str, ReadingTaken]] = []
        self._during: tuple[str, Mapping[str, float]] = ("", {})
        self._at_work = False
        self._emit = emit
        try:
            for entry in entries:
                driver = DRIVERS[entry.driver]
                session = connect(entry)
                scpi = Scpi(entry.name, session, entry.timeout_s, emit(entry.name), driver.error_query)
                self.instruments[entry.name] = driver(entry, scpi, self._note)
        except BaseException:
            self._let_go()
            raise

    def identify(self) -> list[InstrumentIdentity]:
        """Who they are, once all are those of the rig file; it goes on record. RigFault for the first that is not."""
        said = [instrument.identify() for instrument in self.instruments.values()]
        for identity in said:
            self._emit(identity.instrument)(identity)
        return said

    def begin_work(self) -> None:
        """Safe first, whatever an earlier run has left behind; then as it is while the rig is at work."""
        self.identify()
        self.make_safe()
        self._at_work = True
        for instrument in self.instruments.values():
            instrument.begin_work()

    def make_safe(self) -> None:
        """Leave every channel safe. One that fails does not keep the others from it; RigFault names all that did."""
        failed: list[str] = []
        for instrument in self.instruments.values():
            for channel in instrument.channels.values():
                try:
                    instrument.make_safe(channel)
                except CardcertError as error:
                    failed.append(str(error))
        if failed:
            raise RigFault(f"not left in a safe state, switch it off by hand: {' '.join(dict.fromkeys(failed))}")

    def close(self) -> None:
        """Leave safe what was put to work, and let go. RigFault when something was not left safe."""
        try:
            if self._at_work:
                self.make_safe()
        finally:
            self._let_go()

    @property
    def ready_s(self) -> float:
        """How long what the instruments feed needs until it can be spoken to, in seconds."""
        return max(
            (channel.ready_s for instrument in self.instruments.values() for channel in instrument.channels.values()),
            default=0.0,
        )

    def take_readings(self) -> list[tuple[str, ReadingTaken]]:
        """Readings since the last call, each with the instrument's name, in order."""
        readings, self._readings = self._readings, []
        return readings

    def find(self, kind: type[Instrument], device: str) -> Iterator[tuple[Instrument, ChannelEntry]]:
        """The channels of this kind of instrument that hang on a device."""
        for instrument in self.instruments.values():
            for channel in instrument.channels.values():
                if isinstance(instrument, kind) and channel.device == device:
                    yield instrument, channel

    @contextlib.contextmanager
    def during(self, fault: str, asked: Mapping[str, float]) -> Iterator[None]:
        """What is read meanwhile is read for a fault that is being brought about; `asked`: by unit, what for."""
        self._during = (fault, asked)
        try:
            yield
        finally:
            self._during = ("", {})

    def _note(self, instrument: str, reading: ReadingTaken) -> None:
        if len(self._readings) < MOST_READINGS:
            fault, asked = self._during
            known = msgspec.structs.replace(reading, fault=fault, asked=asked.get(reading.unit))
            self._readings.append((instrument, known))

    def _let_go(self) -> None:
        for instrument in self.instruments.values():
            instrument.close()
