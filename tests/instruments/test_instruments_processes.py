"""A bench and its instruments as processes: what a killed bench leaves switched on, the doctor switches off."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bench.emulators.instruments.ties import RemoteTie
from bench.instruments.rack import Rack
from bench.instruments.supplies import PowerSupply
from bench.instruments.visa import VisaSession
from bench.rig import load_rig
from cardcert.__main__ import build_parser
from evidence.errors import UsageError
from tests.links.emulator_process import emulated

ROOT = Path(__file__).parents[2]
RIG = """
name = "lab"
software = {{ url = "ws://127.0.0.1:1" }}
camera = {{ url = "http://127.0.0.1:1/stream.mjpg" }}
hands = {{ kind = "person" }}
[[device]]
name = "shoe"
role = "shoe"
url = "/dev/ttyUSB0"
[[instrument]]
name = "supply"
role = "power_supply"
driver = "rigol-dp832"
resource = "{resource}"
identity = "RIGOL TECHNOLOGIES,{model}"
[[instrument.channel]]
name = "rail"
address = 1
device = "shoe"
rail = true
voltage_v = 24.0
max_voltage_v = 25.0
max_current_a = 1.0
"""
AT_WORK = """
import sys, time
from pathlib import Path
from bench.instruments.rack import Rack
from bench.instruments.visa import VisaSession
from bench.rig import load_rig
entries = load_rig(Path(sys.argv[1])).file.instrument
rack = Rack(entries, lambda entry: VisaSession(entry.resource, entry.timeout_s), lambda name: lambda event: None)
rack.begin_work()
print("at work", flush=True)
sys.stdin.read()
rack.close()
"""


def rig_file(folder: Path, resource: str, model: str = "DP832") -> Path:
    path = folder / "rig.toml"
    path.write_text(RIG.format(resource=resource, model=model))
    return path


def is_on(rig: Path) -> bool:
    """Whether the output is on, by the supply's own word."""
    rack = Rack(load_rig(rig).file.instrument, lambda one: VisaSession(one.resource, 2.0), lambda _: lambda _: None)
    supply = rack.instruments["supply"]
    assert isinstance(supply, PowerSupply)
    on = supply.is_on(1)
    rack.close()
    return on


def doctor(rig: Path, *options: str) -> int:
    asked = build_parser().parse_args(["doctor", "--rig", str(rig), *options])
    status: int = asked.run(asked)
    return status


def test_what_a_killed_bench_leaves_on_the_doctor_switches_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        emulated("serve", "serve_device", "shoe") as shoe,
        emulated("instruments.build", "serve_instrument", "rigol-dp832", ties={1: shoe["control"]}) as supply,
    ):
        rig = rig_file(tmp_path, supply["resource"])
        rail = RemoteTie(shoe["control"])
        with pytest.raises(UsageError, match="there is no actuator 'flap_stop'; there are entry_pin, exit_pin, brake"):
            rail.actuate("flap_stop", True)
        rail.actuate("brake", True)
        assert rail.rail == (0.0, 0.0)  # a supply that has just been switched on gives nothing
        command = [sys.executable, "-c", AT_WORK, str(rig)]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bench:
            assert bench.stdout is not None
            assert bench.stdout.readline() == b"at work\n"
            assert rail.rail[0] == 24.0
            bench.send_signal(signal.SIGKILL)
            bench.wait(20)
        assert rail.rail[0] == 24.0
        assert is_on(rig)
        # The wrong instrument is left alone, and that is no success.
        assert doctor(rig_file(tmp_path, supply["resource"], "DP831"), "--safe") == 3
        assert "RIGOL TECHNOLOGIES DP832 answers, the rig file expects" in capsys.readouterr().out
        assert rail.rail[0] == 24.0
        assert doctor(rig_file(tmp_path, supply["resource"]), "--safe") == 0
        assert capsys.readouterr().out == "ok   safe state: supply left safe\n"
        assert rail.rail == (0.0, 0.0)
        assert not is_on(rig)


def test_a_bench_that_ends_leaves_its_instruments_safe(tmp_path: Path) -> None:
    with emulated("instruments.build", "serve_instrument", "rigol-dp832") as supply:
        rig = rig_file(tmp_path, supply["resource"])
        command = [sys.executable, "-c", AT_WORK, str(rig)]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bench:
            assert bench.stdin is not None
            assert bench.stdout is not None
            assert bench.stdout.readline() == b"at work\n"
            bench.stdin.close()
            assert bench.wait(20) == 0
        assert not is_on(rig)


def test_the_doctor_says_so_when_an_instrument_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = rig_file(tmp_path, "TCPIP0::127.0.0.1::9::SOCKET")
    assert doctor(rig, "--safe", "--json") == 3
    assert '"well": false' in capsys.readouterr().out


def test_a_rig_without_instruments_has_nothing_to_make_safe(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(Path("emulated"), "--safe") == 0
    assert "no instrument to make safe" in capsys.readouterr().out


@pytest.mark.parametrize("tie", ["http://127.0.0.1:1", "a=http://127.0.0.1:1", "1="])
def test_a_tie_that_names_no_channel_is_refused(tie: str) -> None:
    asked = build_parser().parse_args(["emulate", "power-supply", "--tie", tie])
    with pytest.raises(UsageError, match="expected CHANNEL=URL"):
        asked.run(asked)
