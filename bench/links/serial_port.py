"""Links over serial ports: local ones, and remote ones that speak RFC 2217."""

import contextlib
import errno
import os
import socket
import termios
import threading
from dataclasses import asdict, dataclass
from typing import Literal

import serial
from serial.tools import list_ports

from bench.links.link import StreamLink
from bench.links.stream import CHUNK, Stream
from evidence.errors import CardcertError, RigFault, UsageError

READ_TIMEOUT_S = 0.1
"""Set once: changing it later renegotiates the whole port."""


@dataclass(frozen=True, slots=True)
class SerialSettings:
    """How a serial line is set, by pyserial's names. Meaningless, and ignored, for a socket."""

    baudrate: int = 115_200
    bytesize: Literal[5, 6, 7, 8] = 8
    parity: Literal["N", "E", "O", "M", "S"] = "N"
    stopbits: Literal[1, 2] = 1
    rtscts: bool = False
    xonxoff: bool = False


class SerialLink(StreamLink):
    """A local serial port, opened for us alone. pyserial sets it up; the bytes go straight through the descriptor."""

    def __init__(self, path: str, settings: SerialSettings) -> None:
        try:
            self._port = serial.Serial(path, **asdict(settings), timeout=0, exclusive=True)
            # With VMIN at 0, as pyserial leaves it, "nothing yet" and "unplugged" both read as no bytes.
            attributes = termios.tcgetattr(self._port.fileno())
            attributes[6][termios.VMIN] = 1
            termios.tcsetattr(self._port.fileno(), termios.TCSANOW, attributes)
        except (serial.SerialException, termios.error, OSError, ValueError) as error:
            raise _why_not_open(path, settings, error) from error
        self._flow_control = settings.rtscts or settings.xonxoff
        super().__init__(Stream(os.dup(self._port.fileno())), path)

    def close(self) -> None:
        if self._port.is_open and self._flow_control:
            # Otherwise the kernel waits up to 30 s for a device that holds its flow control.
            with contextlib.suppress(termios.error):
                termios.tcflush(self._port.fileno(), termios.TCOFLUSH)
        super().close()
        self._port.close()


class Rfc2217Link(StreamLink):
    """A serial port behind a terminal server that speaks RFC 2217.

    pyserial offers no descriptor to wait for here, so a thread carries what arrives into a socket pair.
    """

    def __init__(self, url: str, settings: SerialSettings) -> None:
        try:
            self._port = serial.serial_for_url(url, **asdict(settings), timeout=READ_TIMEOUT_S)
        except (serial.SerialException, OSError, ValueError) as error:
            raise _why_not_open(url, settings, error) from error
        ours, self._theirs = socket.socketpair()
        super().__init__(Stream(ours.detach()), url)
        self._closing = False
        self._carrier = threading.Thread(target=self._carry, name=f"read {url}", daemon=True)
        self._carrier.start()

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except (serial.SerialException, OSError) as error:
            self.stream.gone = self.stream.gone or str(error)
            raise self._vanished() from error
        self.stream.tx_bytes += len(data)

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            super().close()
            # Also ends the carrier, whose next read fails; pyserial's own thread is joined in here.
            self._port.close()
            self._carrier.join()

    def _carry(self) -> None:
        with contextlib.suppress(serial.SerialException, OSError, TypeError, AttributeError), self._theirs:
            while not self._closing:
                data = self._port.read(1)
                data += self._port.read(min(self._port.in_waiting, CHUNK))
                self._theirs.sendall(data)


def _errno(error: BaseException | None) -> int | None:
    number = getattr(error, "errno", None) or (error.args[0] if error is not None and error.args else None)
    return number if isinstance(number, int) else None


def _why_not_open(url: str, settings: SerialSettings, error: Exception) -> CardcertError:
    number = _errno(error) or _errno(error.__context__)  # pyserial wraps termios errors without their number
    if number == errno.ENOENT:
        known = ", ".join(sorted(port.device for port in list_ports.comports())[:20]) or "none"
        return RigFault(f"{url}: no such port. Is the device plugged in? Serial ports here: {known}.")
    if number in (errno.EACCES, errno.EPERM):
        return UsageError(f"{url}: not allowed to open this port. Join the group that owns it (often `dialout`).")
    if number in (errno.EAGAIN, errno.EBUSY):
        return RigFault(f"{url}: another program is using this port. Close that program.")
    if number in (errno.ENOTTY, errno.EISDIR, errno.ENODEV):
        return UsageError(f"{url}: not a serial port. Name a serial device such as /dev/ttyUSB0.")
    if isinstance(error, ValueError) or number == errno.EINVAL:
        return UsageError(f"{url}: cannot be set to {settings} ({error}). Correct the settings of this port.")
    return RigFault(f"{url}: cannot be opened ({error}). Check that the device is connected and running.")
