"""Ways to try a login at a service: a login line by line, as with Telnet, and HTTP Basic.

Another one is a function called as `Attempt`, under the entry-point group `cardcert.logins`.
"""

import base64
import builtins
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import Literal, Protocol, cast, get_args

from bench.security.dialogue import Dialogue
from evidence.errors import UsageError

GROUP = "cardcert.logins"
Outcome = Literal["accepted", "refused", "unclear", "no_answer"]
Found = tuple[Outcome, str]
"""What came of it, and in the bench's own words how that was told."""


@dataclass(frozen=True, slots=True)
class Login:
    """One entry of the laboratory's list. User and password never leave this process but to the device."""

    number: int
    name: str
    user: str = field(repr=False)
    password: str = field(repr=False)


class Attempt(Protocol):
    """Try one login over a fresh connection; `login` None: see what the service gives to somebody without any."""

    def __call__(self, line: Dialogue, login: Login | None, options: Mapping[str, str], /) -> Found: ...


USER_ASKED = re.compile(rb"(?:login|user ?name|user)\s*:\s*$", re.IGNORECASE)
PASSWORD_ASKED = re.compile(rb"pass(?:word|code)?\s*:\s*$", re.IGNORECASE)
REFUSED = re.compile(rb"(?:incorrect|invalid|denied|fail|wrong|refused)[^\r\n]*\s*\Z", re.IGNORECASE)
"""How the last line reads with which a service refuses: a welcome may tell of logins that failed."""
_LAST_LINE = re.compile(rb"[^\r\n]*\Z")
PROMPT = re.compile(rb"(?:^|[\r\n])[^\r\n]{0,60}[>$#]\s*$")
"""How a service shows that it takes orders."""


def try_line(line: Dialogue, login: Login | None, options: Mapping[str, str], /) -> Found:
    """A login line by line: the service asks for a user, then for a password, and shows a prompt or refuses."""
    prompt = re.compile(re.escape(options["prompt"].encode()) + rb"\s*$") if options.get("prompt") else PROMPT
    said = line.until(prompt, USER_ASKED, PASSWORD_ASKED)
    if said is prompt:
        return "accepted", "a prompt came before anything was asked"
    if said is None:
        return "no_answer", "neither a question for the user nor a prompt came"
    if login is None:
        return "refused", "a login was asked for"
    if said is USER_ASKED:
        line.say(login.user.encode() + b"\r\n")
        said = line.until(prompt, PASSWORD_ASKED, otherwise=REFUSED)
        if said is prompt:
            return "accepted", "a prompt came after the user alone"
        if said is not PASSWORD_ASKED:
            return ("refused", "the user was refused") if said is REFUSED else ("unclear", "no password was asked for")
    question = _last_line(line)
    line.say(login.password.encode() + b"\r\n")
    # A welcome may tell of logins that failed: what stands at the end decides.
    said = line.until(prompt, USER_ASKED, PASSWORD_ASKED, otherwise=REFUSED)
    if said is prompt:
        return "accepted", "a prompt came after the password"
    if said is PASSWORD_ASKED and _last_line(line) != question:
        return "unclear", "another password was asked for, as where the old one is to be changed"
    if said is not None:
        return "refused", "it was refused, or asked for once more"
    return "unclear", "the line was hung up" if line.ended else "no prompt came, and no refusal"


def _last_line(line: Dialogue) -> bytes:
    found = _LAST_LINE.search(line.heard)
    return found[0].strip().lower() if found else b""


def page_path(options: Mapping[str, str]) -> str:
    """The page that is asked for. UsageError where it is no path."""
    path = options.get("path", "/")
    if not re.fullmatch(r"/[!-~]{0,200}", path):
        raise UsageError(f"path {path[:40]!r}: expected one that begins with / and holds no blank.")
    return path


STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r]")


def try_http_basic(line: Dialogue, login: Login | None, options: Mapping[str, str], /) -> Found:
    """HTTP Basic: the page at `path` is asked for with the login in the header; its status tells."""
    head = [f"GET {page_path(options)} HTTP/1.1", "Host: device", "Connection: close", "User-Agent: cardcert"]
    if login is not None:
        given = base64.b64encode(f"{login.user}:{login.password}".encode()).decode()
        head.append(f"Authorization: Basic {given}")
    line.say("\r\n".join([*head, "", ""]).encode())
    if line.until(STATUS) is None:
        return "no_answer", "no status line came"
    found = STATUS.search(line.heard)
    status = int(found[1]) if found else 0
    if 200 <= status < 300:
        return "accepted", f"status {status}"
    return ("refused" if status == 401 else "unclear"), f"status {status}"


_BUILT_IN: dict[str, Attempt] = {"line": try_line, "http-basic": try_http_basic}
OPTIONS: Mapping[str, frozenset[str]] = {
    "": frozenset(),
    "line": frozenset({"prompt"}),
    "http-basic": frozenset({"path"}),
}
"""The options of each way to log in; those of other packages are for these to check."""


@cache
def login_names() -> tuple[str, ...]:
    """Every way to log in that a list of services can name."""
    return tuple(sorted({*_BUILT_IN, *(point.name for point in entry_points(group=GROUP))}))


def load_attempt(name: str) -> Attempt:
    """The way to log in of this name. UsageError when there is none, or when its package cannot be loaded."""
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    found = list(entry_points(group=GROUP, name=name))
    if len(found) != 1:
        raise UsageError(f"login {name!r}: claimed by {len(found)} packages; expected one. There are {login_names()}.")
    try:
        return cast(Callable[[Dialogue, Login | None, Mapping[str, str]], Found], found[0].load())
    except Exception as error:  # whatever a foreign package does wrong at import
        raise UsageError(f"login {name!r} ({found[0].value}) cannot be loaded: {error!r}. Mend it.") from error


def attempt(name: str, line: Dialogue, login: Login | None, options: Mapping[str, str]) -> Found:
    """Try one login in the way of this name. UsageError as of `load_attempt`.

    What another package says, or raises, may hold the password: of its words only the outcome is kept.
    """
    tried = load_attempt(name)
    if name in _BUILT_IN:
        return tried(line, login, options)
    try:
        said, _ = tried(line, login, options)
        outcome = next((one for one in get_args(Outcome) if one == said), None)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a foreign package does wrong
        # A class of its own could be called anything.
        kind = next(one for one in type(error).__mro__ if getattr(builtins, one.__name__, None) is one)
        return "unclear", f"its package failed with {kind.__name__}"
    if outcome is None:
        return "unclear", "what came of it was told by no word that there is"
    return outcome, "as its package told"
