"""Calling the command as a user does."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from plancost.cli.main import main

PLANCOST = Path(sys.executable).parent / "plancost"

as_installed = False
"""Whether `plancost` starts the installed command each time: with ``--all``.

Otherwise it runs in this process, since a new one takes half a second before it reads a file.
"""


def plancost(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``plancost`` to its end."""
    words = [str(word) for word in arguments]
    if as_installed:
        return installed(*words, cwd=cwd)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with _signals_kept(), redirect_stdout(out), redirect_stderr(err), chdir(cwd or Path.cwd()):
        status = main(words)
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.read())
    return subprocess.CompletedProcess(words, status, *texts)


def installed(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
    return subprocess.run(
        [PLANCOST, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=cwd,
        check=False,
    )


def in_process(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> subprocess.CompletedProcess[str]:
    """The same in this process, for tests that call it many times."""
    words = [str(word) for word in arguments]
    with _signals_kept():
        try:
            status = main(words)
        except SystemExit as error:  # argparse
            assert isinstance(error.code, int)
            status = error.code
    captured = capsys.readouterr()
    return subprocess.CompletedProcess(words, status, captured.out, captured.err)


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Give the tests back their way to handle signals."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def learned(case: Path, *arguments: object) -> dict[str, Any]:
    """The JSON that ``plancost learn --json`` prints."""
    done = plancost("learn", case, "--json", *arguments)
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    return content
