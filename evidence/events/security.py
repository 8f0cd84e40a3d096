"""Events: what a laboratory tries at a device to see whether it is shut."""

from typing import Literal

from evidence.events.base import Event

Check = Literal["ports", "logins", "identity", "order"]


class CheckBegan(Event, frozen=True, tag="check.began"):
    """The laboratory begins a security check of a device."""

    device: str
    check: Check


class CheckEnded(Event, frozen=True, tag="check.ended"):
    """A security check is over. `failed` where it could not be made to its end; `detail` says why."""

    device: str
    check: Check
    outcome: Literal["done", "failed"]
    detail: str = ""


class PortsTried(Event, frozen=True, tag="ports.tried"):
    """TCP connections were tried to an address of the device, one for each of `tried` ports."""

    device: str
    address: str
    ports: str
    """The ports as the laboratory's list has them, such as `1-1024, 8080`."""
    tried: int
    open: list[int] = []
    """Ports at which a connection came about."""
    silent: list[int] = []
    """Ports from which nothing came back in time, neither a connection nor a refusal; of many the first."""
    silent_count: int = 0
    declared: list[int] = []
    """Ports that the maker or the laboratory declares to be open."""


class LoginTried(Event, frozen=True, tag="login.tried"):
    """One login was tried at a service. User and password are not recorded, only which entry of the list it was."""

    device: str
    service: str
    port: int
    protocol: str
    entry: int
    """Number of the entry in the laboratory's list, from 1; 0: without any login."""
    name: str = ""
    """What the laboratory calls the entry."""
    outcome: Literal["accepted", "refused", "unclear", "no_answer"] = "unclear"
    detail: str = ""
    """How that was told, in the bench's own words; nothing that the service said."""
