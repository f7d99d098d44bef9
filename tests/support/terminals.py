"""Programs on a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time


def on_a_terminal(command: list[str]) -> str:
    """What a program shows on a terminal, without the codes that move the cursor."""
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=slave, stderr=slave, env=environment) as process:
        os.close(slave)
        shown = b""
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            if not select.select([master], [], [], 1.0)[0]:
                continue
            try:
                part = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            shown += part
        process.kill()
    os.close(master)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
