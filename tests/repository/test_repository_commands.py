"""A command loads no more than it needs: what signs PDFs is not there for a list of clauses."""

import argparse
import subprocess
import sys

import pytest

from cardcert.__main__ import COMMANDS, build_parser


def commands_of(parser: argparse.ArgumentParser) -> set[str]:
    (group,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return set(group.choices)


def test_every_command_stands_with_its_module() -> None:
    assert commands_of(build_parser()) == set(COMMANDS)
    for command in COMMANDS:
        assert command in commands_of(build_parser(command))


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        (["rules", "list"], {"pyhanko", "pytest", "typst"}),
        (["certify", "--rig", "nowhere"], {"pyhanko.sign"}),
        (["sensitivity", "--list"], {"pyhanko", "pytest"}),
    ],
)
def test_what_a_command_does_not_need_is_not_loaded(words: list[str], spared: set[str]) -> None:
    script = (
        "import sys; from cardcert.__main__ import main; main(sys.argv[1:]); print('LOADED', *sys.modules, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], check=True, capture_output=True, text=True)
    loaded = set(done.stdout.partition("LOADED\n")[2].split())
    assert "evidence.errors" in loaded
    assert not spared & loaded


def test_the_plugin_loads_nothing_of_the_rig_where_no_plan_is_asked_for() -> None:
    """It stands in every pytest of an environment in which cardcert is installed."""
    script = "import sys, fixtures.plugin; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert "fixtures.plugin" in loaded
    assert not {"cv2", "numpy", "msgspec", "bench.rig"} & loaded
