"""The stages of a run, each of which may end early while the run goes on.

What a stage has found by then stays: whoever runs it hands it something to write to. A stage
ends early at Ctrl-C, when its time is up although nobody looked at the clock, when memory
runs out, and when a planner, the solver or the cluster fails.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plancost.clock import Deadline, TimeIsUp, alarm
from plancost.errors import ClusterError, LimitError, PlannerError, SolverError

_log = logging.getLogger(__name__)

_NO_THREAD = "can't start new thread"
"""What Python says where there is no memory for its stack."""


class Stages:
    """How the stages of one run ended."""

    def __init__(self) -> None:
        self.interrupted = False
        """Somebody pressed Ctrl-C."""
        self.notes: list[str] = []
        """What else went wrong, in sentences."""
        self.failures: list[str] = []
        """Programs that failed, in sentences."""

    @contextmanager
    def stage(self, name: str, deadline: Deadline) -> Iterator[None]:
        """Do one stage; what ends it early ends here."""
        try:
            with alarm(deadline):
                yield
        except TimeIsUp:
            _log.info("%s: stopped from outside, soon after its time was up", name)
        except KeyboardInterrupt:
            self.interrupted = True
        except (MemoryError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and _NO_THREAD not in str(error):
                raise
            note = f"memory ran out while {name}; what was found by then is kept"
            self._say(note)
        except OSError as error:
            self._say(
                f"{error.strerror or error} while {name}; what was found by then is kept; check "
                "the place for temporary files"
            )
        except (PlannerError, SolverError, ClusterError) as error:
            _log.warning("%s ended early: %s", name, error)
            self.failures.append(str(error))

    def _say(self, note: str) -> None:
        _log.warning("%s", note)
        self.notes.append(note)


@contextmanager
def reading(path: Path, deadline: Deadline) -> Iterator[None]:
    """A block that reads files: if it does not end in time, `LimitError` names the path."""
    try:
        with alarm(deadline):
            yield
    except TimeIsUp:
        raise LimitError(f"{path}: reading it did not end within the time limit") from None
