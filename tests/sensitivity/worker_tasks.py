"""Tasks for worker processes. A worker loads this module, so it asks for nothing that takes long to load."""

import os
import signal
from collections.abc import Callable


def adder(added: int) -> Callable[[int], tuple[int, int]]:
    return lambda task: (task + added, os.getpid())


def faulty(how: str) -> Callable[[int], int]:
    def work(task: int) -> int:
        if task == 3:
            if how == "raise":
                raise ValueError("three is too much")
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    return work
