"""Calling the installed command as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def learned(case: Path, *arguments: object) -> dict[str, Any]:
    """The JSON that ``plancost learn --json`` prints."""
    done = plancost("learn", case, "--json", *arguments)
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    return content
