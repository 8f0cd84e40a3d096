"""The handbook tells the truth: its commands run as written, and end and print as the page shows.

On a page, a fenced `console` block holds commands (`$ cardcert ...`) and lines that they print, where `...` stands for
anything. `$ echo $?` shows the exit status of the command before it; without it the status is 0. A command that ends in
`&` goes on in the background until the page ends. A fenced `toml` block that begins with `# NAME.toml` is that file, in
the folder in which the page's commands run. Ports 47100 to 47199 stand for any free ones, so that two runs on one
machine do not meet.
"""

from __future__ import annotations

import argparse
import re
import select
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from cardcert.__main__ import build_parser
from tests.shared_runs import FULL_COMMAND, Finished, finished, performed, plain_environment

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(console|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = re.compile(r"\b471\d\d\b")
TIMEOUT_S = 180
ENDING_TIMEOUT_S = 20


@dataclass
class Command:
    words: list[str]
    background: bool = False
    status: int = 0
    shown: list[str] = field(default_factory=list)


@dataclass
class File:
    name: str
    content: str


def steps(page: str) -> Iterator[Command | File]:
    """The files and cardcert commands of a page, in order."""
    for kind, body in FENCE.findall(page):
        if kind == "toml":
            if named := re.match(r"# (\w[\w-]*(?:/\w[\w-]*)?\.toml)\n", body):
                yield File(named.group(1), body)
            continue
        yield from _commands(body)


def _commands(block: str) -> Iterator[Command]:
    last: Command | None = None
    status_follows = False
    for line in block.replace("\\\n", " ").splitlines():
        if line == "$ echo $?":
            status_follows = True
        elif line.startswith("$ cardcert "):
            if last:
                yield last
            text = line.removeprefix("$ ").removesuffix("&").strip()
            last = Command(shlex.split(text, comments=True), background=line.endswith("&"))
        elif line.startswith("$ "):
            if last:
                yield last
            last = None
        elif last and status_follows:
            last.status, status_follows = int(line), False
        elif last and line.strip():
            last.shown.append(line)
    if last:
        yield last


def shows(shown: str, printed: str) -> bool:
    """Is this line of the page somewhere in what was printed? Spacing is free, `...` stands for anything."""
    words = [".*?" if word == "..." else re.escape(word) for word in re.split(r"(\.\.\.)|\s+", shown) if word]
    return re.search(r"\s*".join(words), printed) is not None


def run(command: Command, folder: Path, stack: ExitStack, full_run: Callable[[], Finished], *, apart: bool) -> None:
    """Run a command as somebody would who stands in `folder`; `apart`: in a process of its own."""
    words = [sys.executable, "-m", *command.words]
    if tuple(command.words) == FULL_COMMAND:
        # The whole plan takes a minute; this very command was run once for all tests, in a folder of its own.
        done = full_run()
        (folder / done.folder.name).symlink_to(done.folder)
        printed = done.out + done.err
        assert done.status == command.status, printed
    elif command.background:
        process = subprocess.Popen(words, cwd=folder, env=plain_environment(folder), stdout=subprocess.PIPE, text=True)
        stack.callback(stop, process)
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], TIMEOUT_S)[0], f"{shlex.join(command.words)}: never ready"
        printed = process.stdout.readline()
        assert printed, f"{shlex.join(command.words)}: ended before it was ready"
    else:
        start = partial(finished, *command.words) if apart else partial(performed, *command.words[1:])
        ended = start(folder=folder, cwd=folder, environment=plain_environment(folder))
        printed = ended.out + ended.err
        assert ended.status == command.status, f"{shlex.join(command.words)}\n{printed}"
    for line in command.shown:
        assert shows(line, printed), f"{shlex.join(command.words)}: does not print {line!r}\n{printed}"


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(ENDING_TIMEOUT_S)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def with_free_ports(page: str) -> str:
    """The page with each of its ports replaced by one that nobody listens on."""
    with ExitStack() as stack:
        free: dict[str, str] = {}
        for port in PORT.findall(page):
            if port not in free:
                taken = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
                free[port] = str(taken.getsockname()[1])
    return PORT.sub(lambda match: free[match.group()], page)


def runnable(page: Path) -> bool:
    return any(isinstance(step, Command) for step in steps(page.read_text(encoding="utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if runnable(page)], ids=lambda page: page.stem)
def test_page_runs_as_written(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with ExitStack() as stack:
        for step in steps(with_free_ports(page.read_text(encoding="utf-8"))):
            if isinstance(step, File):
                (tmp_path / step.name).parent.mkdir(exist_ok=True)
                (tmp_path / step.name).write_text(step.content, encoding="utf-8")
            else:
                # The README is played as it is done; elsewhere a process shows nothing that a call does not.
                full_run = partial(request.getfixturevalue, "full_run")
                run(step, tmp_path, stack, full_run, apart=page.stem == "README")


def test_a_page_is_taken_apart() -> None:
    page = """
```toml
# my-rig.toml
name = "mine"
```
```toml
name = "a fragment, not a file"
```
```console
$ make certify
something
$ cardcert emulate table \\
    --port 9 &
$ cardcert verify 'a run'   # again
does not hold: ...
$ echo $?
1
$ cardcert doctor
```
"""
    assert list(steps(page)) == [
        File("my-rig.toml", '# my-rig.toml\nname = "mine"\n'),
        Command(["cardcert", "emulate", "table", "--port", "9"], background=True),
        Command(["cardcert", "verify", "a run"], status=1, shown=["does not hold: ..."]),
        Command(["cardcert", "doctor"]),
    ]


def test_ports_of_a_page_stay_apart_and_together() -> None:
    one, other, again, kept = with_free_ports("47101 47102 47101 8080").split()
    assert one == again != other
    assert kept == "8080"


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("ok  camera: ...", "BAD shoe: no answer\nok camera:  20 frames a second", True),
        ("43 of 43", "42 of 43", False),
        ("... verdicts, 0 changed", "97 verdicts,  0 changed; CONFORMS", True),
        ("a.c", "abc", False),
    ],
)
def test_a_shown_line_is_looked_for(shown: str, printed: str, expected: bool) -> None:
    assert shows(shown, printed) is expected


def subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (group,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(group.choices)


def test_every_command_and_every_option_of_the_main_one_stands_on_a_page() -> None:
    commands = subparsers(build_parser())
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in commands if f"cardcert {name}" not in text] == []
    handbook = (ROOT / "docs" / "handbook.md").read_text(encoding="utf-8")
    options = {option for action in commands["certify"]._actions for option in action.option_strings}
    assert sorted(option for option in options - {"-h", "--help"} if f"`{option}" not in handbook) == []
