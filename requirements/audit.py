"""Is a vulnerability known in anything that a lock file pins? For ``make check``, by pip-audit.

One that is known fails the check. Where the data cannot be had (no network, an index without
such data, no answer in time) nothing is known, which fails nothing; one line says so.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

LIMIT_S = 60.0
_PIN = re.compile(r"^[A-Za-z0-9][^\s;]*==[^\s;]+.*(?:\n[ \t]+--hash.*)+", re.MULTILINE)
_LONGEST = 200

Ask = Callable[[Path, float], str]
"""Gives a file of pins and seconds to pip-audit; its JSON comes back. Raises `OSError`."""


class NotAuditedError(Exception):
    """There is no telling, and why."""


def pip_audit(pins: Path, seconds: float) -> str:
    """What pip-audit prints about these pins."""
    options = ["--require-hashes", "--disable-pip", "--progress-spinner", "off"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pip_audit", *options, "--format", "json", "-r", str(pins)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    if not done.stdout.strip():
        words = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise OSError(words[-1][:_LONGEST])
    return done.stdout


def audit(lock: Path, ask: Ask = pip_audit, limit_s: float = LIMIT_S) -> list[str]:
    """A line for each known vulnerability; raises `NotAuditedError`."""
    end = time.monotonic() + limit_s
    # One package first: where the index has no such data, the others would take a minute.
    first = _PIN.search(lock.read_text(encoding="utf-8"))
    if first is None:
        raise NotAuditedError(f"{lock} pins nothing")
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "sample.txt"
        sample.write_text(first[0] + "\n", encoding="utf-8")
        _look(sample, ask, end, limit_s)
    return _look(lock, ask, end, limit_s)


def _look(pins: Path, ask: Ask, end: float, limit_s: float) -> list[str]:
    try:
        found: list[dict[str, Any]] = json.loads(ask(pins, max(0.1, end - time.monotonic())))[
            "dependencies"
        ]
        unknown = [str(item["name"]) for item in found if "skip_reason" in item]
        lines = [_line(item, flaw) for item in found for flaw in item.get("vulns", ())]
    except subprocess.TimeoutExpired as error:
        raise NotAuditedError(f"no answer within {limit_s:g} seconds") from error
    except OSError as error:
        raise NotAuditedError(str(error)) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotAuditedError("pip-audit answered something else than expected") from error
    if unknown and not lines:
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        raise NotAuditedError(f"there are no data on {unknown[0]}{more}")
    return lines


def _line(item: dict[str, Any], flaw: dict[str, Any]) -> str:
    mended = ", ".join(map(str, flaw.get("fix_versions") or ())) or "no version yet"
    return f"{item['name']} {item['version']}: {flaw['id']}, mended in {mended}"


def main(arguments: Sequence[str]) -> int:
    """Audit a lock file; the exit status."""
    try:
        lines = audit(Path(arguments[0]))
    except NotAuditedError as reason:
        print(f"not audited: {reason}")
        return 0
    for line in lines:
        print(line)
    print(f"{len(lines)} known vulnerabilities" if lines else "no known vulnerabilities")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
