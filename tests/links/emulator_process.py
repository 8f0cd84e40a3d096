"""An emulator as a process of its own, as a laboratory starts it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@contextmanager
def emulated(module: str, function: str, *arguments: object, **settings: object) -> Iterator[dict[str, Any]]:
    """A function of `bench.emulators` in a process; yields the line that it prints when ready. It must end well."""
    given = ", ".join([*map(repr, arguments), *(f"{name}={value!r}" for name, value in settings.items())])
    code = f"from pathlib import Path, PosixPath; from bench.emulators.{module} import *; {function}({given})"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, f"{code} ended before it was ready"
            yield json.loads(line)
            process.terminate()
            assert process.wait(20) == 0
        finally:
            process.kill()
