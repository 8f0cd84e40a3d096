"""What lies in the place of a file and is none is refused, not waited for."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.emulators.gat import serve_identity
from bench.inputs import InputFile, read_inputs
from bench.protocol.deckmate_log import read_log
from evidence.errors import UsageError
from reports.sealing.certificates import read_certificates
from reports.sealing.identity import secret_file
from vision.video_source import VideoSource


def _input(path: Path) -> object:
    return read_inputs({"rule": InputFile(file=path.name)}, path)


@pytest.mark.parametrize("read", [read_log, read_certificates, secret_file, serve_identity, _input, VideoSource])
def test_a_pipe_is_not_waited_for(read: Callable[[Path], object], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    with pytest.raises(UsageError, match="no ordinary file"):
        read(pipe)
