"""`cardcert doctor`: check ports, instruments, table software, camera and report tools before a run."""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.rig import RigPlan, load_rig
from bench.workshop import Workshop
from cardcert.shipped import find_rig
from evidence.errors import CardcertError
from reports.allure_html import find_allure
from reports.text import visible

SEEN_LIMIT = 1000
"""Characters shown of what one check saw; some of it are a device's or the software's own words."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: what was seen, or what is wrong with it and how to mend it."""

    name: str
    well: bool
    seen: str


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("doctor", help="check a rig before a run", description=__doc__)
    parser.add_argument("--rig", default="emulated", help="rig file or name (default: the emulated rig)")
    parser.add_argument("--safe", action="store_true", help="only bring the rig's instruments to their safe state")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Look at everything, even after something is found wrong; 0 when all is well, else 3."""
    rig = load_rig(find_rig(options.rig))
    checks = [_check("safe state", lambda: _safe(rig))] if options.safe else examine(rig)
    if options.json:
        print(json.dumps([asdict(check) for check in checks]))
    else:
        for check in checks:
            print(f"{'ok  ' if check.well else 'BAD '} {check.name}: {visible(check.seen, SEEN_LIMIT)}")
    return 0 if all(check.well for check in checks) else 3


def examine(rig: RigPlan) -> list[Check]:
    """Every check of a rig, in the order in which a run needs them."""
    checks = [_check("report tool", _allure)]
    checks += [_check(part, probe) for part, probe in Workshop(rig, seed=1).probes()]
    return checks


def _check(name: str, probe: Callable[[], str]) -> Check:
    try:
        return Check(name, True, probe())
    except CardcertError as error:
        return Check(name, False, str(error))


def _safe(rig: RigPlan) -> str:
    made = Workshop(rig, seed=1).make_safe()
    return f"{', '.join(made)} left safe" if made else "no instrument to make safe"


def _allure() -> str:
    path: Path = find_allure()
    return f"Allure at {path}"
