"""A driver from a package that is not of this repository: installed beside it, found by its entry point, certified."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = '''
"""A dealing shoe of another maker: asks the reference protocol's questions, and says so in the identity."""

import msgspec
from bench.drivers.reference import ReferenceDriver


class AcmeShoe(ReferenceDriver):
    """Shows that nothing in the bench names its drivers."""

    def __init__(self, name, role, link, clock, emit, options):
        settings = dict(options)
        self.label = settings.pop("label")
        super().__init__(name, role, link, clock, emit, settings)

    def identify(self):
        return msgspec.structs.replace(super().identify(), serial=self.label)
'''
RIG = """
name = "acme"
clock = "virtual"
[[device]]
name = "shuffler"
role = "shuffler"
[[device]]
name = "shoe"
role = "shoe"
driver = "acme-s3"
options = { label = "ACME-1" }
[[approval]]
device = "shoe"
maker = "cardcert"
model = "Group Shoe 7"
firmware_sha256 = "239c7aaf8fd9468ecb08b1a205d0b6653a0a211414b9f3a2d68c8853e1ec048e"
location = "table 1"
procedure = "groups of seven"
"""
PROJECT = {
    "METADATA": "Metadata-Version: 2.1\nName: acme-cardcert\nVersion: 3.0\n",
    "WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "entry_points.txt": "[cardcert.drivers]\nacme-s3 = acme_cardcert:AcmeShoe\n",
    "RECORD": "",
}
"""What an installer leaves of a package, written by hand: no index is asked, and nothing is built."""

PLAY = """
import sys
from pathlib import Path
import msgspec
from bench.drivers.registry import driver_names, load_driver
from bench.plan import load_plan, only
from bench.rig import load_rig
from bench.session import run_scenario
from bench.workshop import Workshop
from cardcert.shipped import find_plan
from evidence.events import DeviceIdentity
from evidence.notes import Notes
from rules.judge import judge
from rules.loader import load_packs

plan = only(load_plan(find_plan("pr-pgp-shoe")), ["pr-proper"])
workshop = Workshop(load_rig(Path(sys.argv[1])), 1, evidence=False)
notes = Notes(workshop.now_ns)
status = run_scenario(workshop, msgspec.structs.replace(plan.scenarios[0], also=[]), notes, {})
verdicts = judge(notes.records, load_packs(["PR-PGP-SHOE"]), {})
print(msgspec.json.encode({
    "status": status,
    "known": driver_names(),
    "module": load_driver("acme-s3").__module__,
    "serials": [record.event.serial for record in notes.records if isinstance(record.event, DeviceIdentity)],
    "verdicts": {verdict.clause: verdict.verdict.value for verdict in verdicts},
}).decode())
"""


def install(target: Path, **changes: str) -> None:
    """Lay the package into a folder as an installer would."""
    target.mkdir()
    (target / "acme_cardcert.py").write_text(DRIVER)
    folder = target / "acme_cardcert-3.0.dist-info"
    folder.mkdir()
    for name, text in (PROJECT | changes).items():
        (folder / name).write_text(text)


def python(*words: str, path: Path) -> "subprocess.CompletedProcess[str]":
    here = Path(__file__).parents[2]
    joined = ":".join(map(str, (path, here)))
    command = [sys.executable, "-P", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONPATH": joined}, timeout=300)


def test_a_package_of_somebody_elses_brings_a_driver_and_is_certified(tmp_path: Path) -> None:
    install(tmp_path / "site")
    (tmp_path / "rig.toml").write_text(RIG)
    done = python("-c", PLAY, str(tmp_path / "rig.toml"), path=tmp_path / "site")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["status"] == "completed"
    assert told["known"] == ["acme-s3", "angel-eye", "reference"]
    assert told["module"] == "acme_cardcert"
    assert "ACME-1" in told["serials"]
    assert told["verdicts"]["PR-PGP-SHOE.B.1"] == "PASS"
    assert "FAIL" not in told["verdicts"].values()


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ("[cardcert.drivers]\nacme-s3 = acme_cardcert:Nothing\n", "cannot be loaded"),
        ("[cardcert.drivers]\nacme-s3 = acme_cardcert:__doc__\n", "cannot be called"),
        ("[cardcert.drivers]\nother = acme_cardcert:AcmeShoe\n", "known are angel-eye, other, reference"),
        (
            "[cardcert.drivers]\nacme-s3 = acme_cardcert:AcmeShoe\nreference = acme_cardcert:Nothing\n",
            "loaded reference",
        ),
    ],
)
def test_a_package_that_is_wrong_is_named_and_takes_nobodys_place(tmp_path: Path, points: str, told: str) -> None:
    install(tmp_path / "site", **{"entry_points.txt": points})
    script = (
        "from bench.drivers.registry import load_driver\n"
        "try:\n    load_driver('acme-s3')\nexcept Exception as error:\n    print(type(error).__name__, error)\n"
        "ours = load_driver('reference').__module__ == 'bench.drivers.reference'\n"
        "print('loaded', 'reference' if ours else 'another')\n"
    )
    done = python("-c", script, path=tmp_path / "site")
    assert told in done.stdout, done.stderr
    assert "loaded reference" in done.stdout
