"""A planner that goes wrong in the way that its first argument names.

It knows the SAS+ text that it gets no better than to say something about a task of one link.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

GOOD_PLAN = "(a0)\n; cost = 1 (general cost)\n"
PLANS = {
    "garbage": "no plan at all\n; cost = 1\n",
    "no such action": "(a99)\n; cost = 1\n",
    "wrong plan": "(a0)\n(a0)\n; cost = 2\n",
    "wrong cost": "(a0)\n; cost = 7\n",
    "half a plan": "(a0)\n",
    "plan and no plan": GOOD_PLAN,
}
EXIT_CODES = {
    "no plan": 11,
    "none below": 13,
    "plan and no plan": 11,
    "gave up": 12,
    "out of memory": 22,
    "out of time": 23,
    "critical": 32,
    "unknown code": 77,
    "failed": 1,
}


def main(mode: str) -> int:
    sys.stdout.write("reading input...\n")
    if mode == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "memory killer":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if mode == "child":
        child = subprocess.Popen(["sleep", "600"])
        note = os.environ.get("CHILD_NOTE")
        if note:
            Path(note).write_text(str(child.pid), encoding="ascii")
        return 12
    if mode == "prints without end":
        while True:
            sys.stdout.write("searching\n" * 10_000)
    if mode in PLANS:
        Path("sas_plan").write_text(PLANS[mode], encoding="ascii")
    return EXIT_CODES.get(mode, 0)


def fake(folder: Path, mode: str) -> str:
    """A program that goes wrong in this way."""
    path = folder / f"fake {mode}"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E "{__file__}" "{mode}"\n', "ascii")
    path.chmod(0o755)
    return str(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
