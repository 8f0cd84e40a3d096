"""`cardcert keys`: an identity to sign with, made for trying out, and what an identity is."""

import argparse
import json
from pathlib import Path

import msgspec

from reports.sealing.identity import load_identity
from reports.sealing.making import TRUST_FILE, make_test_identity
from reports.text import visible


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("keys", help="make a test identity to sign with, or show an identity")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = actions.add_parser("new", help="make a test identity: worth nothing as a certification, and marked so")
    new.add_argument("folder", type=Path, metavar="DIR", help="folder to make; nothing is written over")
    new.add_argument("--name", default="cardcert", help="name in the certificates, at most 40 characters")
    new.set_defaults(run=run_new)
    show = actions.add_parser("show", help="who an identity is")
    show.add_argument("identity", type=Path, metavar="PATH", help="identity.toml or the folder that holds it")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(run=run_show)


def run_new(options: argparse.Namespace) -> int:
    make_test_identity(options.folder, options.name)
    print(f"TEST IDENTITY made in {options.folder}: for trying out, it certifies nothing")
    print("Keep its .key.pem files to yourself and out of every run folder.")
    print(f"Who checks what it signed needs {options.folder / TRUST_FILE}: cardcert verify PATH --trust {TRUST_FILE}")
    return 0


def run_show(options: argparse.Namespace) -> int:
    identity = load_identity(options.identity)
    signed_by = identity.signed_by()
    told = {"name": identity.file.name, **msgspec.to_builtins(signed_by)}
    if options.json:
        print(json.dumps(told))
        return 0
    if signed_by.kind == "test":
        print("TEST IDENTITY: for trying out, it certifies nothing")
    for name, value in told.items():
        print(f"{name:20} {visible(value)}")
    return 0
