"""What a rig has to see whether a device is shut: its address and the laboratory's lists, as a rig file names them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec

from bench.inputs import Input
from bench.security.lists import ServiceList, check_attempts, load_logins, load_services
from bench.security.logins import Login
from bench.security.network import Network, check_address
from evidence.errors import UsageError


class SecurityEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a device is reached on a network, and what the laboratory tries there."""

    address: str = ""
    """Its IP address, the only one at which anything is tried; empty where the device is emulated in this process."""
    beyond_loopback: bool = False
    """True: whoever answers for the device at another machine's address, and for its network, has agreed."""
    services: str = ""
    """File with the ports that are tried and the services that are declared; its path counts from the rig file."""
    default_logins: str = ""
    """File with the logins that no device may take; likewise."""
    connect_timeout_s: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.0
    answer_timeout_s: Annotated[float, msgspec.Meta(gt=0, le=60)] = 3.0
    pause_s: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.0
    """Between two logins, for a device that locks whoever is too quick."""
    longest_s: Annotated[float, msgspec.Meta(gt=0, le=7200)] = 900.0
    """How long trying the ports, or the logins, may take together."""


@dataclass(frozen=True, slots=True)
class SecurityAccess:
    """The same, ready to be used."""

    network: Network
    services: ServiceList | None
    """None where the laboratory has given none."""
    logins: Sequence[Login] = field(default=(), repr=False)
    answer_timeout_s: float = 3.0
    pause_s: float = 0.0
    longest_s: float = 900.0


def lists_of(path: Path, entry: SecurityEntry) -> tuple[ServiceList | None, tuple[Login, ...]]:
    """The lists that a rig file names, as far as it does. UsageError for what is wrong with them."""
    services = load_services(path.parent / entry.services) if entry.services else None
    logins = load_logins(path.parent / entry.default_logins) if entry.default_logins else ()
    if services is not None:
        check_attempts(path, services, logins)
    return services, logins


def check_security(where: str, entry: SecurityEntry, *, virtual: bool) -> None:
    """Raises UsageError for an address that may not be tried."""
    if virtual and (entry.address or entry.beyond_loopback):
        raise UsageError(f"{where}: has an address, but time is virtual; remove address and beyond_loopback.")
    if not virtual:
        check_address(where, entry.address, beyond_loopback=entry.beyond_loopback)


def ready(path: Path, entry: SecurityEntry, network: Network) -> SecurityAccess:
    """What is tried at this network."""
    services, logins = lists_of(path, entry)
    return SecurityAccess(network, services, logins, entry.answer_timeout_s, entry.pause_s, entry.longest_s)


def inputs_of(path: Path, entry: SecurityEntry) -> dict[str, Input]:
    """The lists as inputs of the operator: that they were given, and how long they are. What they say stays here."""
    services, logins = lists_of(path, entry)
    given = {}
    if services is not None:
        asking = [service for service in services.services if service.login]
        unlocked = sum(service.tries_allowed is None for service in asking)
        stated = f"; {unlocked} of {len(asking)} with a login stated never to lock" if asking else ""
        text = f"ports {services.text}; {len(services.services)} declared{stated}"
        given["service_list"] = Input(name="service_list", text=text)
    if logins:
        given["login_list"] = Input(name="login_list", text=f"{len(logins)} logins")
    return given
