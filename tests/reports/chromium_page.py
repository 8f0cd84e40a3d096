"""A headless Chromium, driven through its DevTools protocol, for looking at a page as a reader would.

It is started with an empty profile and cannot reach the network; what the page asks for is recorded.
"""

import base64
import itertools
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from websockets.sync.client import ClientConnection, connect

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--remote-debugging-port=0", "--window-size=1400,2300",
    "--proxy-server=127.0.0.1:9", "--hide-scrollbars", "--disable-dev-shm-usage",
)  # fmt: skip
_PATIENCE_S = 20.0
_CLICK = """text => {
    const holding = element => element.innerText?.includes(text);
    const all = [...document.querySelectorAll('#app *')].filter(holding);
    all.find(element => ![...element.children].some(holding)).click();
}"""


class Page:
    """One tab. `asked` lists every address it requested; `complaints` what it wrote to its console as an error."""

    def __init__(self, socket: ClientConnection, session: str) -> None:
        self._socket = socket
        self._session = session
        self._ids = itertools.count(10)
        self.asked: list[str] = []
        self.complaints: list[str] = []

    def send(self, method: str, **params: Any) -> Any:
        """Ask the browser and wait for its answer; events meanwhile are noted."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": params, "sessionId": self._session}
        self._socket.send(msgspec.json.encode(message).decode())
        while True:
            answer = msgspec.json.decode(self._socket.recv(timeout=_PATIENCE_S))
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self._note(answer)

    def _note(self, event: Any) -> None:
        params = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.asked.append(params["request"]["url"][:200])
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.complaints.append(str(details.get("exception", {}).get("description", details["text"])))
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.complaints.append(params["entry"]["text"])

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, script: str) -> Any:
        """Wait until the expression is true in the page and return its value."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            if value := self.run(script):
                return value
            self.run("new Promise(done => setTimeout(done, 50))")
        raise AssertionError(f"the page never came to: {script}\nit shows: {self.text()[:2000]}")

    def text(self) -> str:
        """What a reader sees as text."""
        return str(self.run("document.body?.innerText ?? ''"))

    def wait_for_text(self, text: str) -> None:
        """Wait until a reader sees `text`."""
        self.wait_for(f"(document.body?.innerText ?? '').includes({msgspec.json.encode(text).decode()})")

    def click_text(self, text: str) -> None:
        """Click the innermost visible element whose text contains `text`."""
        self.wait_for_text(text)
        self.run(f"({_CLICK})({msgspec.json.encode(text).decode()})")

    def type_into(self, selector: str, text: str) -> None:
        """Type text into the first field that the selector finds."""
        self.wait_for(f"document.querySelector({msgspec.json.encode(selector).decode()}) !== null")
        self.run(f"document.querySelector({msgspec.json.encode(selector).decode()}).focus()")
        self.send("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """Store what is seen as PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def open_page(address: str, profile: Path) -> Iterator[Page]:
    """Open an address in a browser of its own, which ends with the block."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    assert executable, "chromium is not installed (Debian: apt-get install chromium)"
    browser = subprocess.Popen(
        [executable, *_FLAGS, f"--user-data-dir={profile}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with connect(_endpoint(profile, browser), max_size=None, proxy=None) as socket:
            yield _attach(socket, address)
    finally:
        browser.terminate()
        browser.wait(_PATIENCE_S)


def _endpoint(profile: Path, browser: subprocess.Popen[bytes]) -> str:
    told = profile / "DevToolsActivePort"
    deadline = time.monotonic() + _PATIENCE_S
    while not told.exists() or len(told.read_text().splitlines()) < 2:
        assert browser.poll() is None, f"chromium ended with {browser.returncode}"
        assert time.monotonic() < deadline, "chromium did not name its port"
        try:
            browser.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    port, path = told.read_text().splitlines()[:2]
    return f"ws://127.0.0.1:{port}{path}"


def _attach(socket: ClientConnection, address: str) -> Page:
    def ask(number: int, method: str, params: dict[str, Any]) -> Any:
        socket.send(msgspec.json.encode({"id": number, "method": method, "params": params}).decode())
        while True:
            answer = msgspec.json.decode(socket.recv(timeout=_PATIENCE_S))
            if answer.get("id") == number:
                return answer["result"]

    target = ask(1, "Target.createTarget", {"url": "about:blank"})["targetId"]
    session = ask(2, "Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
    page = Page(socket, session)
    for domain in ("Network", "Runtime", "Log", "Page"):
        page.send(f"{domain}.enable")
    page.send("Page.navigate", url=address)
    return page
