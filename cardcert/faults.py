"""`cardcert faults`: what can go wrong on purpose, how it is brought about on a rig, and whether a script is sound."""

import argparse
import json
from collections import Counter
from pathlib import Path

import msgspec

from bench.faults.catalogue import AWAITED, MEANS, Fault, catalogue
from bench.faults.script import load_script
from cardcert.listings import CELL_LIMIT, print_rows, reading
from evidence.errors import UsageError
from reports.text import visible


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    faults = commands.add_parser("faults", help="fault catalogue: list, show, check a script").add_subparsers(
        required=True
    )
    reading(faults, "list", run_list, "list the faults that can be injected")
    reading(faults, "show", run_show, "show one fault").add_argument("fault")
    reading(faults, "check", run_check, "check a fault script").add_argument("script", type=Path)


def run_list(options: argparse.Namespace) -> int:
    faults = list(catalogue().values())
    rows = [{**msgspec.to_builtins(fault), "means": fault.hardware.means[0]} for fault in faults]
    print_rows(options, rows, ("name", "targets", "symptom", "means", "description"))
    if not options.json:
        count = Counter(fault.hardware.means[0] for fault in faults)
        print(f"{len(faults)} faults; on hardware {', '.join(f'{count[kind]} by {kind}' for kind in MEANS)}")
    return 0


def run_show(options: argparse.Namespace) -> int:
    fault = catalogue().get(options.fault)
    if fault is None:
        raise UsageError(f"there is no fault {options.fault!r}. `cardcert faults list` shows those there are.")
    if options.json:
        print(json.dumps({**msgspec.to_builtins(fault), "means": fault.hardware.means[0]}))
        return 0
    print(fault.name)
    for what, text in _said(fault):
        print(f"  {what:<15} {text}")
    return 0


def run_check(options: argparse.Namespace) -> int:
    faults = load_script(options.script)
    rows = [
        {"fault": fault.name, "target": fault.target, "at": dict(fault.at), "params": dict(fault.params)}
        for fault in faults
    ]
    if options.json:
        print(json.dumps(rows))
        return 0
    for fault in faults:
        when = ", ".join(f"{key} {value}" for key, value in fault.at.items()) or "at the next occasion"
        print(visible(f"{fault.name} on {fault.target}: {when}", CELL_LIMIT))
    return 0


def _said(fault: Fault) -> list[tuple[str, str]]:
    hardware, moments = fault.hardware, [*fault.moments, *AWAITED]
    how: str = hardware.means[0]
    if hardware.instrument is not None:
        how = f"{how}, {hardware.instrument.role.replace('_', ' ')}: {hardware.instrument.action}"
    elif hardware.link is not None:
        how = f"{how}: {hardware.link.action}"
    said = [
        ("befalls", ", ".join(fault.targets)),
        ("symptom", fault.symptom.replace("_", " ")),
        ("what happens", fault.description),
        ("cause", fault.cause),
        ("on hardware", f"({how}) {hardware.does}"),
        *([("afterwards", fault.afterwards)] if fault.afterwards else []),
        ("safe behaviour", fault.safe_behaviour),
        ("proven by", fault.proven),
        ("when", ", ".join(moments if fault.of_device else [moment for moment in moments if moment != "state"])),
    ]
    for name, param in fault.params.items():
        span = ", ".join(repr(choice) for choice in param.choices) or f"{param.minimum} to {param.maximum} {param.unit}"
        said.append((name, f"{param.meaning} {span}; {param.default!r} unless told otherwise"))
    return said
