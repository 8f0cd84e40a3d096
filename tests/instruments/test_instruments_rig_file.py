"""What a rig file may say of instruments and injections, and the one clear message for each mistake in it."""

from pathlib import Path

import pytest

from bench.rig import load_rig
from evidence.errors import UsageError

RIG = """
name = "lab"
time_scale = 1.0
software = { url = "ws://127.0.0.1:1" }
camera = { url = "http://127.0.0.1:1/stream.mjpg" }
hands = { kind = "person" }
[[device]]
name = "shoe"
role = "shoe"
url = "/dev/ttyUSB0"

[[instrument]]
name = "supply"
role = "power_supply"
driver = "keysight-e36300"
resource = "TCPIP0::127.0.0.1::5025::SOCKET"
identity = "Keysight Technologies,E36312A"
[[instrument.channel]]
name = "shoe-rail"
address = 2
device = "shoe"
rail = true
voltage_v = 24.0
max_voltage_v = 25.0
max_current_a = 1.0

[[instrument]]
name = "relays"
role = "switch"
driver = "keysight-34970a"
resource = "TCPIP0::127.0.0.1::5026::SOCKET"
identity = "HEWLETT-PACKARD,34970A"
[[instrument.channel]]
name = "shoe-exit"
address = 101
device = "shoe"
line = "exit"

[[instrument]]
name = "meter"
role = "meter"
driver = "keysight-34465a"
resource = "TCPIP0::127.0.0.1::hislip0::INSTR"
identity = "Keysight Technologies,34465A"
[[instrument.channel]]
name = "at-the-rail"
address = 1
device = "shoe"
quantity = "voltage"

[[instrument]]
name = "load"
role = "load"
driver = "ld400p"
resource = "TCPIP0::127.0.0.1::5027::SOCKET"
identity = "THURLBY THANDAR,LD400P"
[[instrument.channel]]
name = "more-load"
address = 1
device = "shoe"
max_current_a = 5.0

[[injection]]
fault = "stop_mid_cycle"
device = "shoe"
channel = "shoe-rail"
action = "off"
"""


def load(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rig.toml"
    path.write_text(text)
    load_rig(path)


def test_a_sound_rig_file_is_taken(tmp_path: Path) -> None:
    load(tmp_path, RIG)


MISTAKES = [
    (
        'url = "/dev/ttyUSB0"',
        'url = "/dev/ttyUSB0"\nline = "tcp:1"',
        "shoe: line is 'tcp:1'; expected the proxy's control",
    ),
    (
        "ws://127.0.0.1:1",
        'ws://127.0.0.1:1", line = "ws://127.0.0.1:2',
        "software: line is 'ws://127.0.0.1:2'; expected",
    ),
    ('name = "relays"', 'name = "supply"', "instrument 'supply': two instruments have this name. Give each its own."),
    ('name = "relays"', 'name = "shoe"', "instrument 'shoe': a device has this name too. Rename one of them."),
    ('name = "relays"', 'name = "re/lays"', "its name must be letters, digits, - and _"),
    ('driver = "ld400p"', 'driver = "ld500"', "there is no driver 'ld500'; use one of keysight-e36300, "),
    ('driver = "ld400p"', 'driver = "rs-hmp"', "rs-hmp drives a power_supply, not a load. Correct one of them."),
    ('resource = "TCPIP0::127.0.0.1::5025::SOCKET"', "", "'supply': it has no resource. Name one, such as TCPIP0::"),
    (
        "TCPIP0::127.0.0.1::5025::SOCKET",
        "127.0.0.1:5025",
        "resource '127.0.0.1:5025': expected a VISA resource such as",
    ),
    ('identity = "THURLBY THANDAR,LD400P"', "", "identity is ''; expected maker and model as *IDN? tells them"),
    ("HEWLETT-PACKARD,34970A", "34970A", "identity is '34970A'; expected maker and model"),
    ("address = 2", "address = 4", "channel 'shoe-rail': address is 4; keysight-e36300 has 1 to 3."),
    ("address = 101", "address = 1001", "channel 'shoe-exit': address is 1001; keysight-34970a has 101 to 399."),
    (
        'device = "shoe"\nrail',
        'device = "show"\nrail',
        "channel 'shoe-rail': there is no device 'show'; there are shoe.",
    ),
    ("max_voltage_v = 25.0\n", "", "it has no max_voltage_v or no max_current_a. Say what the device may get at most."),
    ("max_current_a = 1.0\n", "", "it has no max_voltage_v or no max_current_a."),
    ("voltage_v = 24.0", "voltage_v = 26.0", "voltage_v is 26, above its own max_voltage_v of 25."),
    ("max_current_a = 5.0", "", "it has no max_current_a. Say what it may draw at most."),
    ('quantity = "voltage"', "", 'it has no quantity. Say quantity = "voltage" or "current".'),
    (
        'quantity = "voltage"',
        'quantity = "voltage"\n[[instrument.channel]]\nname = "elsewhere"\naddress = 1\nquantity = "voltage"',
        "address 1 is one pair of leads, and channels give it several devices. Name one.",
    ),
    ('quantity = "voltage"', 'quantity = "power"', "Invalid enum value 'power'"),
    ('line = "exit"', 'line = "exit"\nrail = true', "rail means nothing for a switch. Remove it."),
    ('line = "exit"', 'line = "exit"\nvoltage_v = 2.0', "voltage_v means nothing for a switch. Remove it."),
    ('line = "exit"', 'line = "exit"\nsafe = "off"', "safe is 'off'; for a switch it is one of open, closed."),
    ('device = "shoe"\nline', "line", "line 'exit' needs the device whose line it is. Add device."),
    ('name = "more-load"', 'name = "shoe-rail"', "two channels of instruments are called 'shoe-rail'."),
    ("max_voltage_v = 25.0", "max_voltage_v = nan", "rig.toml"),
    ('fault = "stop_mid_cycle"', 'fault = "stopp"', "there is no such fault of a device. `cardcert faults list`"),
    ('fault = "stop_mid_cycle"', 'fault = "missing_card"', "there is no such fault of a device."),
    ('device = "shoe"\nchannel', 'device = "shuffler"\nchannel', "there is no device of this name; there are shoe."),
    (
        'channel = "shoe-rail"',
        'channel = "rail"',
        "there is no channel 'rail'; the instruments have shoe-rail, shoe-exit,",
    ),
    (
        'action = "off"',
        'action = "open"',
        "'open' is done by a switch, and channel 'shoe-rail' is one of a power_supply.",
    ),
    ('action = "off"', 'action = "sag"\nvoltage_v = 30.0', "voltage_v is above the channel's max_voltage_v of 25."),
    ('channel = "shoe-rail"\naction = "off"', 'channel = "more-load"\naction = "draw"', "current_a must be above 0"),
    ('channel = "shoe-rail"\naction = "off"', 'channel = "more-load"\naction = "pulse"', "current_a must be above 0"),
    ('action = "off"', 'action = "limit_current"\ncurrent_a = 1.5', "at most the channel's 1"),
    ('action = "off"', 'action = "pulse"', "'pulse' is done by a switch or a load, and channel 'shoe-rail' is one of"),
    ('action = "off"', 'action = "chatter"', "'chatter' is done by a switch, and channel 'shoe-rail' is one of"),
    ('line = "exit"', "across = true", "across needs the line whose contacts it bridges. Add line."),
    ('line = "exit"', 'line = "exit"\nactuator = "brake"', "at a line or feeds an actuator. Remove line or actuator,"),
    ('device = "shoe"\nline = "exit"', 'actuator = "brake"', "actuator 'brake' needs the device that it is on. Add"),
    (
        'quantity = "voltage"',
        'quantity = "voltage"\nactuator = "brake"',
        "actuator means nothing for a meter",
    ),
    ('line = "exit"', 'actuator = "flap_stop"', "only a shuffler has a flap, and 'shoe' is a shoe. Correct actuator."),
    ('quantity = "voltage"', 'quantity = "voltage"\nacross = true', "across means nothing for a meter. Remove it."),
]


@pytest.mark.parametrize(("old", "new", "says"), MISTAKES)
def test_each_mistake_has_one_clear_message(old: str, new: str, says: str, tmp_path: Path) -> None:
    assert old in RIG
    with pytest.raises(UsageError) as caught:
        load(tmp_path, RIG.replace(old, new, 1))
    (message,) = caught.value.lines
    assert says in message
    assert "rig.toml" in message


def test_a_channel_without_a_device_acts_on_nothing_and_is_allowed(tmp_path: Path) -> None:
    load(tmp_path, RIG.replace('device = "shoe"\nquantity', "quantity", 1))


def test_in_virtual_time_instruments_are_emulated(tmp_path: Path) -> None:
    text = RIG.replace("time_scale = 1.0", 'clock = "virtual"').replace('url = "/dev/ttyUSB0"\n', "")
    for line in ('software = { url = "ws://127.0.0.1:1" }', 'hands = { kind = "person" }'):
        text = text.replace(line, "")
    text = text.replace('camera = { url = "http://127.0.0.1:1/stream.mjpg" }', "")
    with pytest.raises(UsageError, match="in virtual time it is emulated here; remove its resource"):
        load(tmp_path, text)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("resource"))
    load(tmp_path, text)
    with pytest.raises(UsageError, match="shoe: in virtual time every line can go bad by itself; remove line"):
        load(tmp_path, text.replace('role = "shoe"', 'role = "shoe"\nline = "http://127.0.0.1:2"'))
