"""How much is fuzzed, and what a command may end in whatever it is given.

``PLANCOST_FUZZ_EXAMPLES`` is for a soak: so many examples of everything, another choice each time.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from plancost.cli.main import main
from plancost.observations.grounding import ground
from plancost.observations.pddl import Domain, Problem
from plancost.observations.sas import SasTask
from plancost.system.processes import Limits

_ASKED = os.environ.get("PLANCOST_FUZZ_EXAMPLES")
part = 1
"""So many times fewer examples than a test names are used; by default conftest sets it."""
DOCUMENTED = {0, 1, 2, 3, 4, 5, 6, 7}
"""Exit statuses of a command that came to its end; 70 would be a bug."""
_LONGEST_LINE = 1000


def examples(usual: int) -> Callable[[Any], Any]:
    """Settings of a fuzz test: so many examples, always the same, or as many as asked for."""
    return settings(
        max_examples=max(5, usual // part) if _ASKED is None else int(_ASKED),
        derandomize=_ASKED is None,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


_GROUNDED: dict[tuple[str, str], SasTask | Exception] = {}
_LOCK = threading.Lock()


def ground_once(domain: Domain, problem: Problem, limits: Limits) -> SasTask:
    """`ground`, but the same texts only once: the translator takes most of a small command."""
    key = (domain.text, problem.text)
    with _LOCK:
        if key not in _GROUNDED:
            try:
                _GROUNDED[key] = ground(domain, problem, limits)
            except Exception as error:
                _GROUNDED[key] = error
    found = _GROUNDED[key]
    if isinstance(found, Exception):
        raise found
    return found


@dataclass(frozen=True)
class Ended:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def run(words: Sequence[object]) -> Ended:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main([str(word) for word in words])
        except SystemExit as error:  # argparse
            status = error.code if isinstance(error.code, int) else 1
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
    return Ended(status, out.getvalue(), err.getvalue())


def check(words: Sequence[object]) -> Ended:
    """Run a command, and fail unless it ends as documented, with one sentence if it refuses."""
    ended = run(words)
    shown = (ended.status, ended.err[-3000:])
    assert ended.status in DOCUMENTED, shown
    assert "Traceback" not in ended.err, shown
    if ended.status in (1, 2):
        lines = ended.err.splitlines()
        assert lines, shown
        assert all(line.startswith("plancost: ") for line in lines), shown
        assert len(lines) == 1 or words[0] == "monitor", shown  # which may have a note before
        assert len(lines[-1]) < _LONGEST_LINE, shown
    return ended
