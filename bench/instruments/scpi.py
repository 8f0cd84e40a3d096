"""Questions and orders in SCPI, so that no answer is ever taken for that of another question.

After every answer and every order the instrument is given a number to keep (`*ESE`) that it has not been given for long
and is asked for it. Answers come in the order of their questions, so where that number comes back, what came before it
answered what was asked before it; an answer that came twice or too late shows. Then nothing is believed until question
and answer are back in step, and so it is after a time-out. The error queue is read last.
"""

import re
from collections.abc import Callable
from typing import Literal

from bench.instruments.session import AnswerTooLong, NoAnswer, Session
from evidence.errors import RigFault
from evidence.events import AnyEvent, LinkBytes, LinkFault

Emit = Callable[[AnyEvent], object]
LinkFaultKind = Literal["timeout", "garbage", "sequence", "nak", "closed", "overflow"]

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
WORD = re.compile(r"[A-Za-z]{1,20}")
NUMBERS = re.compile(rf"{NUMBER.pattern}(\s*,\s*{NUMBER.pattern})*")
ONE = re.compile(r"\+?1")
ERROR = re.compile(r"([+-]?\d{1,6})\s*,\s*\"([^\"]*)\".*")
NAME = re.compile(r"[^,\"]+,[^,\"]+,[^,\"]*,[^\"]*")
MAX_ERRORS = 20
"""Errors read from one queue before it counts as endless; real ones hold 10 to 20."""
MAX_STALE = 64
"""Late answers thrown away before the instrument counts as one that babbles."""
SHOWN = 200


class OutOfStep(RigFault):
    """An answer came that does not fit its question."""


class Scpi:
    """One instrument's line. `name` stands in messages and, as the link's, in the journal."""

    def __init__(
        self, name: str, session: Session, timeout_s: float, emit: Emit, error_query: str = "SYST:ERR?"
    ) -> None:
        self.name = name
        self._session = session
        self._timeout_s = timeout_s
        self._emit = emit
        self._error_query = error_query
        self._token = 1
        self._in_step = True

    def ask(self, query: str, shape: re.Pattern[str] = NUMBER) -> re.Match[str]:
        """The answer to a question, once it is sure to be that one's. RigFault when none comes or an error is queued.

        A question whose answer is in doubt is put once more.
        """
        for again in (False, True):
            try:
                answer = self._exchange(query, shape)
                errors = self._errors()
            except OutOfStep:
                if again:
                    raise
                continue
            self._refuse(errors, query)
            return answer
        raise AssertionError("unreachable")

    def number(self, query: str) -> float:
        """A number. RigFault also for the numbers by which instruments say that they could not measure."""
        answer = self.ask(query)[0]
        value = float(answer)
        if abs(value) >= 9.9e37:
            raise RigFault(
                f"{self.name}: {query} gives {answer}: overload, or nothing to measure. Check range and leads."
            )
        return value

    def act(self, order: str) -> None:
        """Give an order and see it done. RigFault when it is refused, or nobody says that it is done."""
        self._exchange("*OPC?", ONE, order)
        self._refuse(self._errors(), order)

    def name_itself(self) -> str:
        """The answer to `*IDN?`: maker, model, serial number, firmware."""
        return self.ask("*IDN?", NAME)[0]

    def resynchronise(self) -> None:
        """Throw away whatever is still to come, until question and answer are in step again. RigFault when it fails."""
        self._in_step = False
        thrown = self._session.drain()
        stale = 0
        # The second number must come at once: an instrument that says everything twice is never in step.
        self._send_token()
        while not self._is_token(self._read_line("*ESE?")):
            stale += 1
            if stale > MAX_STALE:
                raise self._fault("overflow", "babbles; no question can be put. Switch it off and on again")
        self._send_token()
        if not self._is_token(self._read_line("*ESE?")):
            raise self._fault("sequence", "answers more often than it is asked. Switch it off and on again")
        self._in_step = True
        for code, text in self._errors():
            self._emit(LinkFault(link=self.name, kind="nak", detail=f"left in the error queue: {code}, {text}"))
        if thrown or stale:
            detail = f"{thrown} bytes and {stale} late answers thrown away; in step again"
            self._emit(LinkFault(link=self.name, kind="timeout", detail=detail))

    def close(self) -> None:
        self._session.close()

    def _exchange(self, query: str, shape: re.Pattern[str], *orders: str) -> re.Match[str]:
        """Orders, one question and its answer, which must have the shape."""
        if not self._in_step:
            self.resynchronise()
        self._write(*orders, query)
        answer = self._read_line(query)
        fits = shape.fullmatch(answer)
        if fits is None:
            raise self._fault("sequence", f"answers {query} with {answer[:SHOWN]!r}", OutOfStep)
        return fits

    def _errors(self) -> list[tuple[int, str]]:
        """What stands in the error queue, which is empty then. OutOfStep when what was read before is in doubt."""
        self._send_token()
        if not self._is_token(answer := self._read_line("*ESE?")):
            raise self._fault("sequence", f"answers *ESE? with {answer[:SHOWN]!r}, not {self._token}", OutOfStep)
        errors: list[tuple[int, str]] = []
        while True:
            said = self._exchange(self._error_query, ERROR)
            if int(said[1]) == 0:
                return errors
            errors.append((int(said[1]), said[2][:SHOWN]))
            if len(errors) > MAX_ERRORS:
                self._write("*CLS")
                raise self._fault("overflow", f"its error queue has no end; the first is {errors[0]}")

    def _refuse(self, errors: list[tuple[int, str]], what: str) -> None:
        if errors:
            told = "; ".join(f"{code}, {text}" for code, text in errors[:3])
            self._emit(LinkFault(link=self.name, kind="nak", detail=f"{what}: {told}"))
            raise RigFault(f"{self.name}: refuses {what} ({told}). Check that driver, model and range fit together.")

    def _send_token(self) -> None:
        self._token = 2 + (self._token - 1) % 254  # 2 to 255, in turn
        self._write(f"*ESE {self._token}", "*ESE?")

    def _is_token(self, answer: str) -> bool:
        return NUMBER.fullmatch(answer) is not None and float(answer) == self._token

    def _write(self, *lines: str) -> None:
        sent = [line.encode("ascii") for line in lines]
        self._emit(LinkBytes(link=self.name, direction="tx", data=(b"\n".join(sent) + b"\n").hex()))
        try:
            self._session.write(*sent)
        except RigFault as error:
            raise self._fault("closed", str(error)) from None

    def _read_line(self, query: str) -> str:
        try:
            data = self._session.read(self._timeout_s)
        except NoAnswer:
            what = f"no answer to {query} within {self._timeout_s:g} s. Check that it is on and its address"
            raise self._fault("timeout", what, NoAnswer) from None
        except AnswerTooLong:
            raise self._fault("overflow", f"its answer to {query} has no end. Check what is at this address") from None
        except RigFault as error:
            raise self._fault("closed", str(error)) from None
        self._emit(LinkBytes(link=self.name, direction="rx", data=(data + b"\n").hex()))
        return data.decode("latin-1").strip()

    def _fault(self, kind: LinkFaultKind, what: str, error: type[RigFault] = RigFault) -> RigFault:
        """Journal the trouble, believe nothing until in step again, and return the error to raise."""
        self._in_step = False
        self._emit(LinkFault(link=self.name, kind=kind, detail=what))
        return error(f"{self.name}: {what}.")
