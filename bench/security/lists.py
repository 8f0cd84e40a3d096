"""The laboratory's lists: which ports are tried and which of them are declared, and which logins no device may take.

What stands in the list of logins is for the device alone. It is never journalled, told or shown: entries go by number.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from bench.security.logins import OPTIONS, Login, login_names, page_path
from evidence.errors import UsageError
from evidence.tomlfile import load_toml

MOST_PORTS = 4096
MOST_SERVICES = 20
MOST_LOGINS = 100
MOST_ATTEMPTS = 500
"""Logins tried at all services of a device together."""
LONGEST_NAME = 60

Port = Annotated[int, msgspec.Meta(ge=1, le=65_535)]
_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_NAME = re.compile(r"[A-Za-z0-9 ()'_.,:/+-]{1,60}")


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Service(_Strict, frozen=True):
    """A port that is declared to be open, and how one logs in there."""

    port: Port
    name: str
    login: str = ""
    """How a login is tried: `line`, `http-basic` or one of a package's own; empty: there is none to try."""
    options: dict[str, str] = {}
    """What that way of logging in has to know, such as `path`."""
    tries_allowed: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    """Logins that it takes before it locks, and refuses good ones as well; None: it is stated that it never does."""
    unlocks_after_s: Annotated[float, msgspec.Meta(ge=0, le=7200)] = 0.0
    """How long after the last of them it has unlocked itself; 0: not by waiting."""


class _Services(_Strict, frozen=True):
    ports: list[str]
    service: list[Service] = []


class _Entry(_Strict, frozen=True):
    user: str
    password: str
    name: str = ""


class _Logins(_Strict, frozen=True):
    login: list[_Entry]


class ServiceList(_Strict, frozen=True):
    """Which ports are tried, in order, and which of them are declared."""

    text: str
    ports: tuple[int, ...]
    services: tuple[Service, ...]


def load_services(path: Path) -> ServiceList:
    """Read a list of ports and services. Raises UsageError with the place and the remedy."""
    file = load_toml(path, _Services, "list of services")
    ports = _ports(path, file.ports)
    for n, service in enumerate(file.service, 1):
        where = f"{path}: service {n}"
        _check_name(where, service.name)
        if service.port not in ports:
            raise UsageError(f"{where}: port {service.port} is not among the ports that are tried. Add it to `ports`.")
        if service.login and service.login not in login_names():
            known = ", ".join(login_names())
            raise UsageError(f"{where}: no way to log in is called {service.login[:40]!r}; there are {known}.")
        _check_options(where, service)
        if service.login == "http-basic":
            try:
                page_path(service.options)
            except UsageError as error:
                raise UsageError(f"{where}: options: {error}") from None
    for what, given in (("port", [one.port for one in file.service]), ("name", [one.name for one in file.service])):
        if len(set(given)) < len(given):
            raise UsageError(f"{path}: two services have the same {what}. Give each its own.")
    if len(file.service) > MOST_SERVICES:
        raise UsageError(f"{path}: {len(file.service)} services; expected at most {MOST_SERVICES}. Split the list.")
    return ServiceList(", ".join(file.ports), ports, tuple(file.service))


def load_logins(path: Path) -> tuple[Login, ...]:
    """Read a list of default logins. Raises UsageError with the place and the remedy, and never with what it says."""
    try:
        file = load_toml(path, _Logins, "list of logins")
    except UsageError as error:
        raise UsageError(_without_content(path, str(error))) from None
    if not 1 <= len(file.login) <= MOST_LOGINS:
        raise UsageError(f"{path}: {len(file.login)} logins; expected 1 to {MOST_LOGINS}. Split the list.")
    for n, entry in enumerate(file.login, 1):
        _check_entry(f"{path}: login {n}", entry)
    pairs = [(entry.user, entry.password) for entry in file.login]
    again = next((n for n, pair in enumerate(pairs, 1) if pair in pairs[: n - 1]), None)
    if again is not None:
        raise UsageError(f"{path}: login {again} stands there twice. Remove one.")
    return tuple(Login(n, entry.name, entry.user, entry.password) for n, entry in enumerate(file.login, 1))


def check_attempts(path: Path, services: ServiceList, logins: Sequence[Login]) -> None:
    """UsageError where more logins would be tried than a device should have to bear."""
    tried = len(logins) * sum(bool(service.login) for service in services.services)
    if tried > MOST_ATTEMPTS:
        raise UsageError(f"{path}: {tried} logins would be tried; expected at most {MOST_ATTEMPTS}. Shorten the lists.")


def _ports(path: Path, ranges: Sequence[str]) -> tuple[int, ...]:
    ports: dict[int, None] = {}
    for text in ranges:
        match = _RANGE.fullmatch(text.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= 65_535:
            raise UsageError(f'{path}: ports: {text[:40]!r}; expected a port such as "8080" or a range, "1-1024".')
        if len(ports) + last - first + 1 > 2 * MOST_PORTS:
            break
        ports.update(dict.fromkeys(range(first, last + 1)))
    if not 1 <= len(ports) <= MOST_PORTS:
        raise UsageError(f"{path}: ports: expected 1 to {MOST_PORTS} ports in all. Name those that matter.")
    return tuple(ports)


def _check_name(where: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{where}: a name is 1 to {LONGEST_NAME} of A-Z, a-z, 0-9, blank and ()'_.,:/+-")


def _check_options(where: str, service: Service) -> None:
    known = OPTIONS.get(service.login)
    unknown = sorted(set(service.options) - known) if known is not None else []
    if known is not None and unknown:
        there = f"has {', '.join(sorted(known))}" if known else "is none to try, so there are none"
        how = f"login {service.login!r}" if service.login else "login"
        raise UsageError(f"{where}: options: no {unknown[0][:40]!r}; {how} {there}. Correct or remove it.")
    if service.unlocks_after_s and service.tries_allowed is None:
        raise UsageError(f"{where}: unlocks_after_s, and no tries_allowed. Say how many logins it takes until then.")


def _check_entry(where: str, entry: _Entry) -> None:
    for what, text in (("user", entry.user), ("password", entry.password)):
        if len(text) > 64 or not text.isprintable() or not text.isascii():
            raise UsageError(f"{where}: the {what} must be at most 64 printable ASCII characters. Correct it.")
    if ":" in entry.user:
        raise UsageError(f"{where}: a user holds no colon. Correct it.")
    if entry.name:
        _check_name(where, entry.name)
        # The name goes into the report.
        if entry.password and entry.password.lower() in entry.name.lower():
            raise UsageError(f"{where}: its name tells the password. Call it otherwise.")


def _without_content(path: Path, message: str) -> str:
    """A parser's message may repeat what it stumbled over."""
    line = re.match(re.escape(str(path)) + r":(\d+): ", message)
    where = f"{path}:{line[1]}" if line else f"{path}"
    return (
        f"{where}: not a list of logins that can be read. Expected UTF-8 TOML with [[login]] entries that have "
        "user, password and perhaps name; nothing of it is repeated here."
    )
