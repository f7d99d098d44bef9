"""The stages of a run, each of which may end early while the run goes on.

What a stage has found until then is kept: the caller passes it an object to write to. A stage
ends early at Ctrl-C, when a step overruns its deadline, when memory runs out, and when a
planner, the solver or the cluster fails.

An *optional* stage only adds to an existing answer. If it fails, even by a bug of ours, only
its addition is lost.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plancost.errors import ClusterError, LimitError, PlancostError, PlannerError, SolverError
from plancost.system.bugs import bug_sentence
from plancost.system.clock import Deadline, TimeIsUp, alarm

_log = logging.getLogger(__name__)

_NO_THREAD = "can't start new thread"
"""The message of Python's error if there is no memory for its stack."""
_FAILURES = (PlannerError, SolverError, ClusterError)


class Stages:
    """How the stages of one run ended."""

    def __init__(self) -> None:
        self.interrupted = False
        """Somebody pressed Ctrl-C."""
        self.notes: list[str] = []
        """What else went wrong, in sentences."""
        self.failures: list[str] = []
        """Programs that failed, and bugs in optional stages, in sentences."""

    @contextmanager
    def stage(self, name: str, deadline: Deadline, *, optional: bool = False) -> Iterator[None]:
        """Run one stage; an exception that ends it early is recorded and not passed on."""
        try:
            with alarm(deadline):
                yield
        except TimeIsUp:
            _log.info("%s: stopped from outside, soon after its time was up", name)
        except KeyboardInterrupt:
            self.interrupted = True
        except Exception as error:
            if not self._ended_by(error, name, optional=optional):
                raise

    def _ended_by(self, error: Exception, name: str, *, optional: bool) -> bool:
        """Record what ended a stage early; False if it must end the run."""
        kept = f"while {name}; what was found by then is kept"
        if isinstance(error, MemoryError) or (
            isinstance(error, RuntimeError) and _NO_THREAD in str(error)
        ):
            self._note(f"memory ran out {kept}")
        elif isinstance(error, OSError):
            self._note(f"{error.strerror or error} {kept}; check the place for temporary files")
        elif isinstance(error, PlancostError if optional else _FAILURES):
            _log.warning("%s ended early: %s", name, error)
            self.failures.append(str(error))
        elif optional:
            sentence = bug_sentence(error)
            _log.error("%s ended early: %s", name, sentence, exc_info=error)
            self.failures.append(
                f"{sentence} while {name}; the answer without that is kept; please report it"
            )
        else:
            return False
        return True

    def _note(self, note: str) -> None:
        _log.warning("%s", note)
        self.notes.append(note)


@contextmanager
def reading(path: Path, deadline: Deadline) -> Iterator[None]:
    """A block that reads files: if it overruns its time, `LimitError` names the path."""
    try:
        with alarm(deadline):
            yield
    except TimeIsUp:
        raise LimitError(f"{path}: reading it did not end within the time limit") from None
