"""Links: bytes to and from a device, whatever carries them, and the emulator's end of them."""

from urllib.parse import urlsplit

from bench.links.link import Link, StreamLink
from bench.links.ports import EmulatorPort, PtyPort, TcpPort
from bench.links.serial_port import Rfc2217Link, SerialLink, SerialSettings
from bench.links.tcp import SocketLink
from bench.links.wire import Wire
from evidence.errors import UsageError

__all__ = [
    "EmulatorPort",
    "Link",
    "PtyPort",
    "SerialSettings",
    "StreamLink",
    "TcpPort",
    "Wire",
    "open_link",
    "pty_pair",
]

DEFAULTS = SerialSettings()
FORMS = "a serial port such as /dev/ttyUSB0, socket://host:port or rfc2217://host:port"


def open_link(url: str, settings: SerialSettings = DEFAULTS) -> StreamLink:
    """Open a link by its URL. `settings` count for serial ports, also remote ones.

    UsageError when the URL or the settings are wrong, RigFault when the port is missing, busy or silent.
    Other schemes of pyserial are refused: some of them write files or load code.
    """
    if "://" not in url:
        if not url.startswith("/"):
            raise UsageError(f"link {url!r}: expected {FORMS}")
        return SerialLink(url, settings)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"link {url!r}: {error}; expected {FORMS}") from error
    if parts.scheme not in ("socket", "rfc2217") or not host or not port:
        raise UsageError(f"link {url!r}: expected {FORMS}")
    if parts.scheme == "socket":
        return SocketLink(url, host, port)
    return Rfc2217Link(url, settings)


def pty_pair(settings: SerialSettings = DEFAULTS) -> tuple[StreamLink, PtyPort]:
    """Both ends of an emulated serial port within this process: the bench's link and the emulator's port."""
    port = PtyPort()
    try:
        return SerialLink(port.path, settings), port
    except BaseException:
        port.close()
        raise
