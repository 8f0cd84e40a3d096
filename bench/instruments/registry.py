"""The instruments that the bench can drive, and the check of what a rig file says of them."""

from collections.abc import Iterator, Mapping, Sequence

from bench.instruments.base import Instrument
from bench.instruments.entry import ChannelEntry, InstrumentEntry, Role, Safe
from bench.instruments.loads import LD400P
from bench.instruments.meters import Keysight34465A
from bench.instruments.supplies import KeysightE36300, RigolDP832, RohdeSchwarzHMP
from bench.instruments.switches import Keysight34970A, Keysight34980A
from bench.instruments.visa import check_resource
from evidence.errors import UsageError

DRIVERS: dict[str, type[Instrument]] = {
    "keysight-e36300": KeysightE36300,
    "rigol-dp832": RigolDP832,
    "rs-hmp": RohdeSchwarzHMP,
    "rs-nge": RohdeSchwarzHMP,
    "keysight-34970a": Keysight34970A,
    "keysight-34980a": Keysight34980A,
    "keysight-34465a": Keysight34465A,
    "ld400p": LD400P,
}
"""Drivers by the name that a rig file uses."""
SAFE: dict[Role, tuple[Safe, ...]] = {
    "power_supply": ("", "off", "on"),
    "switch": ("", "open", "closed"),
    "meter": ("",),
    "load": ("", "off"),
}
USED: dict[Role, frozenset[str]] = {
    "power_supply": frozenset({"rail", "voltage_v", "max_voltage_v", "max_current_a", "ready_s", "safe"}),
    "switch": frozenset({"line", "across", "actuator", "work", "safe"}),
    "meter": frozenset({"rail", "quantity"}),
    "load": frozenset({"max_current_a", "safe"}),
}
"""Entries of a channel that have a meaning for each role, beside name, address and device."""
OPTIONAL = (
    "line", "across", "actuator", "rail", "quantity", "voltage_v", "max_voltage_v", "max_current_a", "ready_s", "work",
    "safe",
)  # fmt: skip


def check_instruments(
    instruments: Sequence[InstrumentEntry], devices: Mapping[str, str], where: str, *, emulated: bool
) -> None:
    """Check the instruments of a rig file; `devices` has the role of each.

    Raises UsageError with the first mistake, its place and its remedy.
    """
    names = [entry.name for entry in instruments]
    for entry in instruments:
        at = f"{where}: instrument {entry.name!r}"
        for mistake in _mistakes(entry, names, devices, emulated):
            raise UsageError(f"{at}: {mistake}")
    channels = [channel.name for entry in instruments for channel in entry.channel]
    for name in channels:
        if channels.count(name) > 1:
            raise UsageError(f"{where}: two channels of instruments are called {name!r}. Give each its own name.")


def _mistakes(entry: InstrumentEntry, names: list[str], devices: Mapping[str, str], emulated: bool) -> Iterator[str]:
    if not _plain(entry.name):
        yield "its name must be letters, digits, - and _, at most 40. Rename it."
    if names.count(entry.name) > 1:
        yield "two instruments have this name. Give each its own."
    if entry.name in devices:
        yield "a device has this name too. Rename one of them."
    driver = DRIVERS.get(entry.driver)
    if driver is None:
        yield f"there is no driver {entry.driver!r}; use one of {', '.join(DRIVERS)}."
        return
    if driver.role != entry.role:
        yield f"{entry.driver} drives a {driver.role}, not a {entry.role}. Correct one of them."
    if emulated and entry.resource:
        yield "in virtual time it is emulated here; remove its resource."
    if not emulated:
        if not entry.resource:
            yield "it has no resource. Name one, such as TCPIP0::192.0.2.7::5025::SOCKET."
        try:
            check_resource(entry.resource)
        except UsageError as error:
            yield str(error)
        if len(entry.identity.split(",")) != 2 or not all(part.strip() for part in entry.identity.split(",")):
            yield (
                f"identity is {entry.identity!r}; expected maker and model as *IDN? tells them, with a comma "
                "between, so that the wrong instrument is never switched."
            )
    if not entry.channel:
        yield "it has no channel. Add a [[instrument.channel]] with name and address."
    addresses = [channel.address for channel in entry.channel]
    for channel in entry.channel:
        for mistake in _channel_mistakes(entry, driver, channel, addresses, devices):
            yield f"channel {channel.name!r}: {mistake}"


def _channel_mistakes(
    entry: InstrumentEntry,
    driver: type[Instrument],
    channel: ChannelEntry,
    addresses: list[int],
    devices: Mapping[str, str],
) -> Iterator[str]:
    role, known = entry.role, driver.addresses
    if not _plain(channel.name):
        yield "its name must be letters, digits, - and _, at most 40. Rename it."
    if channel.address not in known:
        yield f"address is {channel.address}; {entry.driver} has {known.start} to {known.stop - 1}."
    if role != "meter" and addresses.count(channel.address) > 1:
        yield f"two channels have the address {channel.address}. Give each its own."
    if role == "meter" and any(
        other.address == channel.address and other.device != channel.device for other in entry.channel
    ):
        yield f"address {channel.address} is one pair of leads, and channels give it several devices. Name one."
    if channel.device and channel.device not in devices:
        yield f"there is no device {channel.device!r}; there are {', '.join(devices)}."
    if channel.actuator == "flap_stop" and devices.get(channel.device, "shuffler") != "shuffler":
        yield f"only a shuffler has a flap, and {channel.device!r} is a {devices[channel.device]}. Correct actuator."
    for field in OPTIONAL:
        if getattr(channel, field) and field not in USED[role]:
            yield f"{field} means nothing for a {role}. Remove it."
    if channel.safe not in SAFE[role]:
        yield f"safe is {channel.safe!r}; for a {role} it is one of {', '.join(word for word in SAFE[role] if word)}."
    if role == "power_supply" and not (channel.max_voltage_v and channel.max_current_a):
        yield "it has no max_voltage_v or no max_current_a. Say what the device may get at most."
    if role == "power_supply" and channel.voltage_v > channel.max_voltage_v:
        yield f"voltage_v is {channel.voltage_v:g}, above its own max_voltage_v of {channel.max_voltage_v:g}."
    if role == "load" and not channel.max_current_a:
        yield "it has no max_current_a. Say what it may draw at most."
    if role == "meter" and not channel.quantity:
        yield 'it has no quantity. Say quantity = "voltage" or "current".'
    yield from _left_out(channel)


def _left_out(channel: ChannelEntry) -> Iterator[str]:
    """What a channel needs to be what it says that it is."""
    if channel.rail and not channel.device:
        yield "rail needs the device whose motors it feeds. Add device."
    if channel.across and not channel.line:
        yield "across needs the line whose contacts it bridges. Add line."
    if channel.actuator and not channel.device:
        yield f"actuator {channel.actuator!r} needs the device that it is on. Add device."
    if channel.actuator and channel.line:
        yield "a relay lies at a line or feeds an actuator. Remove line or actuator, or use two relays."
    if channel.line and not channel.device:
        yield f"line {channel.line!r} needs the device whose line it is. Add device."


def _plain(name: str) -> bool:
    return name.replace("_", "").replace("-", "").isalnum() and name.isascii() and len(name) <= 40
