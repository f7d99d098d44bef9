"""Where the independent pieces of work are done: on this machine, or on a cluster.

A *piece of work* is one call that needs nothing but its arguments: ground this problem,
list the cheapest plans of this task, find a plan below this bound or prove that there is
none. It is a ``functools.partial`` of a module-level function over plain values. It takes
its limits as an argument and enforces them itself (`processes.run`), so that it behaves the
same everywhere; with no time left it returns its own "out of time" value.

Everything else stays on this machine. Threads (`workers`), as many as the executor can serve at
the same time, follow each task from query to query; they read the cache, check the answers and
store them. A piece gets its limits when it starts, not when it is queued.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from plancost.system.memory import PROGRAM_MB, MemoryShares
from plancost.system.processes import Limits

_Result = TypeVar("_Result")
_Given = TypeVar("_Given", covariant=True)


class Work(Protocol[_Given]):
    """A piece of work, complete but for its limits."""

    def __call__(self, *, limits: Limits) -> _Given:
        """Run within these limits."""


class Executor(Protocol):
    """Runs pieces of work somewhere. All methods may be called from many threads."""

    @property
    def width(self) -> int:
        """How many pieces of work it can do at the same time."""

    @property
    def most_programs(self) -> int:
        """How many programs a piece of work may run side by side."""

    def run(self, work: Work[_Result], limits: Limits, *, programs: int = 1) -> _Result:
        """Do one piece of work, and wait for it.

        `programs` is how many programs it runs side by side; each may use the memory.
        """


@dataclass(frozen=True)
class LocalExecutor:
    """This machine: a piece of work is a call in the thread that asks for it.

    With `memory`, all programs that run at the same time share its budget for programs.
    """

    width: int = 1
    most_programs: int = 2
    memory: MemoryShares | None = None

    @classmethod
    def within(cls, jobs: int, memory: MemoryShares | None) -> LocalExecutor:
        """An executor of at most `jobs` pieces at a time, and no more than fit into the memory."""
        if memory is None:
            return cls(jobs)
        width = memory.fitting(jobs, PROGRAM_MB)
        return cls(width, min(2, max(1, memory.each_of(width) // PROGRAM_MB)), memory)

    def run(self, work: Work[_Result], limits: Limits, *, programs: int = 1) -> _Result:
        """See `Executor`."""
        if self.memory is not None:
            each = self.memory.each_of(self.width * programs)
            each = each if limits.memory_mb is None else min(each, limits.memory_mb)
            limits = replace(limits, memory_mb=each)
        return work(limits=limits)
