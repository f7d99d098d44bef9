"""What is sent to a worker, and what the worker does with it.

A piece of work travels as one pickle of a module-level function and plain values; plain
``pickle`` refuses to send anything else. Whoever can reach a worker can send it a pickle, so the
cluster has to be trusted (docs/cluster.md). The sender states its versions, and a worker with
other versions refuses the piece. The limits are enforced by `processes.run`, as on any machine.

When nobody waits for a piece any more (Ctrl-C, the deadline has passed, the client died), the
scheduler tells the worker, which cannot stop a thread but marks the task as cancelled. At this
mark `processes.run` ends the planner. A stopped piece has no answer, so it asks to be
rescheduled, which has no effect for a cancelled task.
"""

from __future__ import annotations

import functools
import pickle
import zlib
from collections.abc import Mapping

from distributed import Reschedule, Worker, get_worker

from plancost.errors import ClusterError
from plancost.system.binaries import installed_version
from plancost.system.executors import Work
from plancost.system.processes import Limits
from plancost.system.workers import StopSignal, stopping_at
from plancost.version import __version__

_ANSWERS_REST_ON = ("fast-downward.translate", "up-fast-downward", "up-symk")
_ENDING = ("closing", "closed", "failed", "stopping")


@functools.cache
def versions() -> Mapping[str, str | None]:
    """The versions that an answer depends on; they must be the same on all machines."""
    return {"plancost": __version__, **{name: installed_version(name) for name in _ANSWERS_REST_ON}}


def require_same(here: Mapping[str, str | None], there: object, place: str) -> None:
    """Raise a `ClusterError` unless another machine has the same versions as this one."""
    if not isinstance(there, Mapping):
        raise ClusterError(f"{place} has no plancost {here['plancost']}: {there}")
    for name, version in here.items():
        if there.get(name) != version:
            raise ClusterError(
                f"{place} has {name} {there.get(name) or '(none)'} and this machine "
                f"{version or '(none)'}: install the same on all machines"
            )


def pack(work: Work[object], limits: Limits) -> bytes:
    """A piece of work as bytes."""
    return zlib.compress(pickle.dumps((work, limits)), level=1)


def carry_out(expected: Mapping[str, str | None], packed: bytes) -> object:
    """Run a piece of work on a worker, if it has the versions that the sender expects."""
    worker = get_worker()
    require_same(expected, versions(), f"the worker {worker.address}")
    work, limits = pickle.loads(zlib.decompress(packed))
    signal = _Unwanted(worker)
    try:
        with stopping_at(signal):
            return work(limits=limits)
    finally:
        if signal.seen:
            raise Reschedule


class _Unwanted(StopSignal):
    """Set when the task of this thread is cancelled, or its worker is closing."""

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self._worker = worker
        self._key = worker.get_current_task()
        self.seen = False

    def is_set(self) -> bool:
        """Whether nobody waits for the answer."""
        task = self._worker.state.tasks.get(self._key)
        cancelled = task is None or task.state in ("cancelled", "resumed")
        if cancelled or self._worker.status.name in _ENDING:
            self.seen = True
        return self.seen
