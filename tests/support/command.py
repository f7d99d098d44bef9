"""Calling the installed command as a user does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plancost.cli.main import main

PLANCOST = Path(sys.executable).parent / "plancost"


def plancost(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``plancost`` to its end."""
    return subprocess.run(
        [PLANCOST, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        check=False,
    )


def in_process(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> subprocess.CompletedProcess[str]:
    """The same without a new process, for tests that call it many times."""
    words = [str(word) for word in arguments]
    handler = signal.getsignal(signal.SIGTERM)
    try:
        status = main(words)
    except SystemExit as error:  # argparse
        assert isinstance(error.code, int)
        status = error.code
    finally:
        signal.signal(signal.SIGTERM, handler)
    captured = capsys.readouterr()
    return subprocess.CompletedProcess(words, status, captured.out, captured.err)


def learned(case: Path, *arguments: object) -> dict[str, Any]:
    """The JSON that ``plancost learn --json`` prints."""
    done = plancost("learn", case, "--json", *arguments)
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    return content
