"""What the translator made of each PDDL text, kept from test to test: a tenth of a second each.

Only by default; with ``--all`` the translator is asked every time, as users ask it. Calls that are
about the translator itself (one of the user's own, a limit on memory, little time, a thread that
was told to stop) always go through, and only tasks are kept, never failures.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plancost.observations import grounding
from plancost.system import processes
from plancost.system.processes import Ending, Finished, Limits
from plancost.system.workers import stop_signal

_BUNDLED = grounding.translator()
_LEAST_S = 5.0
_kept: dict[tuple[str, ...], tuple[str, Finished]] = {}


def keep() -> None:
    """From now on, texts that are known are not translated again in this process."""
    vars(grounding)["run"] = _run


def _run(command: Sequence[str], *, directory: Path, limits: Limits, **others: Any) -> Finished:  # noqa: ANN401
    if not _may_be_kept(command, limits):
        return processes.run(command, directory=directory, limits=limits, **others)
    *words, sas, domain, problem = command
    texts = [(directory / name).read_text(encoding="utf-8") for name in (domain, problem)]
    key = (*words, *texts)
    if key not in _kept:
        finished = processes.run(command, directory=directory, limits=limits, **others)
        if finished.ending is not Ending.EXITED or finished.exit_code != 0:
            return finished
        _kept[key] = (directory / sas).read_text(encoding="utf-8"), finished
    text, finished = _kept[key]
    (directory / sas).write_text(text, encoding="utf-8")
    return finished


def _may_be_kept(command: Sequence[str], limits: Limits) -> bool:
    stop = stop_signal()
    return (
        tuple(command[: len(_BUNDLED)]) == _BUNDLED
        and limits.memory_mb is None
        and (limits.time_s is None or limits.time_s >= _LEAST_S)
        and (stop is None or not stop.is_set())
    )
