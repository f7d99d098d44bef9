"""Where the independent pieces of work are done: on this machine, or on a cluster.

A *piece of work* is one call that needs nothing but its arguments: ground this problem,
list the cheapest plans of this task, find a plan below this bound or prove that there is
none. It is a ``functools.partial`` of a module-level function over plain values. It takes
its limits as an argument and keeps them by itself (`processes.run`), so that it means the
same wherever it is done, and with no time left it says so in its own way.

What belongs together stays here. Threads of ours (`workers`) follow every task from
question to question, as many as an executor can work on at the same time; they look into
the cache, check what comes back and remember it. So there is one path, and the pieces take
their limits when their turn comes and not when they get into a queue.
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
        """Do it within these limits."""


class Executor(Protocol):
    """Does pieces of work somewhere. All of it may be called from many threads."""

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

    With `memory`, all programs at work at the same time share what it leaves for them.
    """

    width: int = 1
    most_programs: int = 2
    memory: MemoryShares | None = None

    @classmethod
    def within(cls, jobs: int, memory: MemoryShares | None) -> LocalExecutor:
        """As many pieces at the same time as asked for and as find room."""
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
