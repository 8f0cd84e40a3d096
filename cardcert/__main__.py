"""`cardcert`: parse the command, run it, turn errors into one clear message and an exit status."""

import argparse
import errno
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from types import FrameType

from cardcert.messages import tell_error
from cardcert.process import Leaving, hold_streams
from evidence.errors import CardcertError, UsageError

INCONCLUSIVE = 3
"""One of the exit statuses that the help tells."""

_AT_ONCE = b"\ncardcert: stopped at once; what was recorded stands. A run is gone on with by --resume.\n"

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

COMMANDS = {
    "certify": "certify", "report": "stored", "judge": "rejudge", "verify": "verify", "bundle": "bundle",
    "keys": "keys", "sensitivity": "sensitivity", "explore": "explore", "rules": "packs", "faults": "faults",
    "plan": "plans", "read": "look", "camera": "camera", "deck": "decks", "emulate": "emulate", "doctor": "doctor",
    "import": "imports",
}  # fmt: skip
"""Each command with the module that has it."""


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of all commands, to which each module adds its own; of one alone where that is named.

    What a command does not need, such as the camera code or what signs, need not be loaded for it.
    """
    parser = argparse.ArgumentParser(
        prog="cardcert",
        description="Prove that card shufflers, dealing shoes and table software do what the regulation orders.",
        epilog="Exit status: 0 conforms or fine, 1 non-conformity found, 2 wrong usage or configuration, "
        "3 rig fault or inconclusive.",
    )
    parser.add_argument("--version", action="version", version=f"cardcert {version('cardcert')}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    modules = [COMMANDS[command]] if command in COMMANDS else dict.fromkeys(COMMANDS.values())
    for name in modules:
        import_module(f"cardcert.{name}").add_commands(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; without `arguments`, as the program that was started for it."""
    if arguments is None and not hold_streams():
        return UsageError.exit_status
    leaving = Leaving() if arguments is None else None
    stop = _Stop()
    try:
        status = _run_stoppable(arguments, stop)
    finally:
        stop.close()
    if leaving is not None:
        leaving.status, leaving.interrupted = status, stop.asked
    return status


def _run_stoppable(arguments: Sequence[str] | None, stop: "_Stop") -> int:
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        return _run(arguments)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(arguments: Sequence[str] | None) -> int:
    status = INCONCLUSIVE
    try:
        words = sys.argv[1:] if arguments is None else list(arguments)
        options = _load_parser(words[0] if words else "").parse_args(words)
        status = options.run(options)
        sys.stdout.flush()
    except CardcertError as error:
        for line in error.lines:
            tell_error(line)
        return error.exit_status
    except KeyboardInterrupt:
        print("cardcert: stopped", file=sys.stderr)
        return INCONCLUSIVE
    except BrokenPipeError:
        # The reader of our output has gone, as `cardcert rules list | head` does; there is nobody left to tell. What
        # the command would have found is not known where it did not come to its end.
        _drop_output()
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _tell_own_error()
        _drop_output()
        where = f"{error.filename}" if error.filename else "the output"
        tell_error(f"{where}: cannot be written in whole: {error.strerror}; make room there, then run it again")
        return status or INCONCLUSIVE
    except Exception:  # noqa: BLE001 - Python's own status for it, 1, would say that a non-conformity was found
        return _tell_own_error()
    return status


def _tell_own_error() -> int:
    traceback.print_exc()
    print("cardcert: this is an error of cardcert itself; please report it", file=sys.stderr)
    return INCONCLUSIVE


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that Python does not complain of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _load_parser(command: str) -> argparse.ArgumentParser:
    try:
        return build_parser(command)
    except ImportError as error:
        # OpenCV loads libraries of the system; without them Python's own message does not say what to do.
        if "cv2" not in str(error.name) and ".so" not in str(error):
            raise
        raise UsageError(
            f"OpenCV does not load: {error}. As root: apt-get install libgl1 libglib2.0-0; "
            f"or, without windows: pip install --force-reinstall opencv-python-headless"
        ) from None


class _Stop:
    """What Ctrl-C and SIGTERM do: the first ends the command in good order, the second at once.

    Nothing is lost either way: every record stands in the journal before anything rests on it.
    """

    def __init__(self) -> None:
        self.asked = False
        # Whatever captures the output of this process meanwhile does not capture this.
        self._stderr = os.dup(2)

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked:
            os.write(self._stderr, _AT_ONCE)
            os._exit(INCONCLUSIVE)
        self.asked = True
        raise KeyboardInterrupt

    def close(self) -> None:
        """Give back what `__init__` took."""
        os.close(self._stderr)


if __name__ == "__main__":
    sys.exit(main())
