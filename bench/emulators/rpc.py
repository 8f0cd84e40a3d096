"""Calls between emulators in several processes: JSON over HTTP, named methods only, bounded bodies.

    POST / {"method": "world.move", "params": {"place": "hand", "to": "shoe/tray"}}  ->  {"result": 52}

A wrong call is answered with status 400 and {"error": "..."}. There is no authentication: listen on the loopback
interface, as it does unless told otherwise.
"""

import http.client
import inspect
import json
import queue
import socket
import threading
import typing
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import msgspec

from bench.emulators.lines import LineEdge
from bench.emulators.world import Take, Turn
from evidence.errors import CardcertError, RigFault, UsageError

MAX_REQUEST = 64 * 1024
MAX_DIGITS = 20
"""Digits of a length; a longer one is no length of a call."""
MAX_ANSWER = 16 * 1024 * 1024
ANSWER_TIMEOUT_S = 10.0
JSON = "application/json"


class _Call(msgspec.Struct, forbid_unknown_fields=True):
    method: str
    params: msgspec.Raw = msgspec.Raw(b"{}")


class _Method:
    """A function with its parameters checked by their annotations."""

    def __init__(self, name: str, function: Callable[..., object]) -> None:
        hints = typing.get_type_hints(function)
        fields: list[tuple[str, type] | tuple[str, type, object]] = []
        for parameter in inspect.signature(function).parameters.values():
            hint = hints[parameter.name]
            fields.append(
                (parameter.name, hint)
                if parameter.default is parameter.empty
                else (parameter.name, hint, parameter.default)
            )
        self._function = function
        self._shape = msgspec.defstruct(name.replace(".", "_"), fields, forbid_unknown_fields=True, kw_only=True)

    def call(self, params: msgspec.Raw) -> object:
        decoded = msgspec.json.decode(params, type=self._shape)
        return self._function(**{name: getattr(decoded, name) for name in self._shape.__struct_fields__})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30
    server: "RpcServer"

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        # Told by its digits first: Python refuses to make a number of thousands of them.
        if not length.isdecimal() or len(length) > MAX_DIGITS or int(length) > MAX_REQUEST:
            self.close_connection = True
            self._answer(413, {"error": f"a call has a Content-Length of at most {MAX_REQUEST} bytes"})
            return
        body = self.rfile.read(int(length))
        if self.headers.get_content_type() != JSON:
            # A page in a browser cannot send this type to another address without asking first.
            self._answer(415, {"error": f"a call is sent as {JSON}"})
            return
        try:
            self._answer(200, {"result": self.server.call(body)})
        except UsageError as error:
            self._answer(400, {"error": str(error)})
        except CardcertError as error:
            self._answer(500, {"error": str(error)})

    def _answer(self, status: int, answer: object) -> None:
        data = msgspec.json.encode(answer)
        self.send_response_only(status)
        self.send_header("Content-Type", JSON)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named so by the base class
        """Say nothing: standard output belongs to the ready line."""


class RpcServer(ThreadingHTTPServer):
    """Serves named functions until it is closed. UsageError when the port is taken."""

    daemon_threads = True

    def __init__(self, methods: Mapping[str, Callable[..., object]], port: int = 0, host: str = "127.0.0.1") -> None:
        self._methods = {name: _Method(name, function) for name, function in methods.items()}
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
            raise UsageError(f"{host}:{port}: cannot listen there ({error}). Choose another port.") from None
        self.url = f"http://{host}:{self.server_address[1]}"
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def call(self, body: bytes) -> object:
        """Carry out the call in `body`. UsageError when it is malformed or names no method of this server."""
        try:
            call = msgspec.json.decode(body, type=_Call)
            method = self._methods.get(call.method)
            if method is None:
                raise UsageError(f"there is no method {call.method[:60]!r}; there are {', '.join(self._methods)}.")
            return method.call(call.params)
        except (msgspec.DecodeError, RecursionError) as error:
            raise UsageError(f"not a call this server understands: {str(error)[:200]}") from None

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up in the middle of a call is its own affair."""

    def close(self) -> None:
        """Stop serving and free the port."""
        self.shutdown()
        self.server_close()
        self._thread.join()


class Client:
    """Calls methods of an `RpcServer`, each call over a connection of its own, so that nothing is left to close."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        try:
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if parts.scheme != "http" or not host or not port or parts.path not in {"", "/"}:
            raise UsageError(f"address {url!r}: expected http://host:port, as the emulator printed it when it started.")
        self.url = url
        self._address = (host, port)

    def call(self, method: str, params: Mapping[str, object] | None = None) -> object:
        """Result of a call. UsageError when the far side refuses it, RigFault when there is no sound answer."""
        body = json.dumps({"method": method, "params": dict(params or {})}).encode()
        connection = http.client.HTTPConnection(*self._address, timeout=ANSWER_TIMEOUT_S)
        try:
            connection.request("POST", "/", body, {"Content-Type": JSON, "Connection": "close"})
            response = connection.getresponse()
            status, data = response.status, response.read(MAX_ANSWER + 1)
            answer = json.loads(data) if len(data) <= MAX_ANSWER else None
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            raise RigFault(
                f"{self.url}: no sound answer to {method} ({type(error).__name__}: {error}). "
                "Check that the emulator or robot at this address is running."
            ) from None
        finally:
            connection.close()
        if isinstance(answer, dict) and "result" in answer and status == 200:
            return answer["result"]
        said = answer.get("error") if isinstance(answer, dict) else None
        if status == 400 and said:
            raise UsageError(f"{self.url}: {method}: {str(said)[:1000]}")
        raise RigFault(f"{self.url}: {method} failed with status {status}: {str(said)[:1000]}")


class Mailbox:
    """Carries calls from the server's threads into the emulator's own. A port for `run_real_time`."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[tuple[Callable[[], object], Future[object]]] = queue.SimpleQueue()
        self._bell, self._rope = socket.socketpair()
        self._bell.setblocking(False)

    def call(self, action: Callable[[], object]) -> object:
        """Let the emulator's thread do `action`; its result. RigFault when the emulator does not get to it."""
        future: Future[object] = Future()
        self._calls.put((action, future))
        self._rope.send(b"\0")
        try:
            return future.result(ANSWER_TIMEOUT_S)
        except FutureTimeout:
            raise RigFault("the emulator is busy or has stopped; start it again.") from None

    def fileno(self) -> int:
        return self._bell.fileno()

    @property
    def unsent(self) -> int:
        return 0

    def pump(self) -> None:
        """Do what has been asked for."""
        try:
            self._bell.recv(4096)
        except BlockingIOError:
            return
        while not self._calls.empty():
            action, future = self._calls.get()
            try:
                future.set_result(action())
            except CardcertError as error:
                future.set_exception(error)

    def close(self) -> None:
        self._bell.close()
        self._rope.close()


class RemoteWorld:
    """The cards of a world in another process, for a device's mechanics."""

    def __init__(self, url: str) -> None:
        self._client = Client(url)

    def count(self, place: str) -> int:
        return _whole(self._client.call("world.count", {"place": place}))

    def counts(self, prefix: str) -> dict[str, int]:
        found = self._client.call("world.counts", {"prefix": prefix})
        return {str(place): _whole(count) for place, count in found.items()} if isinstance(found, dict) else {}

    def move(self, place: str, to: str, count: int | None = None, *, take: Take = "top", turn: Turn = "as_is") -> int:
        params = {"place": place, "to": to, "count": count, "take": take, "turn": turn}
        return _whole(self._client.call("world.move", params))

    def turn(self, place: str, index: int, face_up: bool) -> None:
        self._client.call("world.turn", {"place": place, "index": index, "face_up": face_up})

    def opened(self, device: str) -> int:
        return _whole(self._client.call("world.opened", {"device": device}))

    def pulled(self, device: str) -> int:
        return _whole(self._client.call("world.pulled", {"device": device}))

    def label(self, place: str, index: int) -> str:
        return str(self._client.call("world.label", {"place": place, "index": index}))


class RemoteDevice:
    """Control of an emulated device in another process: arm faults, fetch the probe's edges.

    With `now_ns`, the bench's clock, the moments of edges are told on that clock; without, on the device's own.
    """

    def __init__(self, url: str, now_ns: Callable[[], int] | None = None) -> None:
        self._client = Client(url)
        self._now_ns = now_ns

    def arm(self, name: str, **settings: int | str) -> None:
        self._client.call("device.arm", {"name": name, "settings": settings})

    def clip(self, name: str, **settings: int | str) -> None:
        self._client.call("device.clip", {"name": name, "settings": settings})

    def disarm(self) -> None:
        self._client.call("device.disarm")

    def image(self) -> str:
        return str(self._client.call("device.image"))[:64]

    def tap(self) -> list[LineEdge]:
        answer = self._client.call("device.tap")
        try:
            tapped = msgspec.convert(answer, Tapped)
        except msgspec.ValidationError as error:
            raise RigFault(f"{self._client.url}: not the edges of a probe ({error}).") from None
        offset_ns = self._now_ns() - tapped.now_ns if self._now_ns else 0
        return [LineEdge(edge.line, edge.level, edge.at_ns + offset_ns) for edge in tapped.edges]

    @property
    def current_a(self) -> float:
        """What the device draws now, in amperes."""
        answer = self._client.call("device.current")
        return float(answer) if isinstance(answer, (int, float)) else 0.0


class Tapped(msgspec.Struct, frozen=True):
    """Answer to `device.tap`: the edges, and the device's time at which they were fetched."""

    now_ns: int
    edges: list[LineEdge]


def _whole(answer: object) -> int:
    if isinstance(answer, int):
        return answer
    raise RigFault(f"the far side answered {str(answer)[:60]!r} where a whole number was expected.")
