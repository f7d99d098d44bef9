"""Pieces of work on a Dask cluster.

Dask assigns pieces to workers, and reassigns them when a worker dies. Limits are not left to
Dask: a worker enforces them as this machine would. Our clock counts: a piece is sent with the
seconds that are left, and when they have passed we stop waiting. Then (as when the work is
cancelled) the piece is run here with no time left and returns its own "out of time" value, so
that a deadline is never read as "there is no plan".
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar, cast

from distributed import KilledWorker

from plancost.cluster.connection import Connection, connected
from plancost.cluster.piece import carry_out, pack, versions
from plancost.cluster.workforce import RESOURCE, Workforce, needed_bytes
from plancost.errors import ClusterError
from plancost.system.clock import Deadline
from plancost.system.executors import Work
from plancost.system.processes import Limits
from plancost.system.workers import stop_signal

_GRACE_S = 2.0
"""How long after its deadline an answer may still arrive: a planner that was stopped at
its limit has perhaps found something."""
_POLL_S = 0.05
"""How often to check the clock and the stop signal."""
_LOOK_S = 5.0
"""How often to update the list of workers."""
_PATIENCE_S = 60.0
"""How long work waits for a worker that could take it, if there was one before."""

_Result = TypeVar("_Result")


@contextlib.contextmanager
def cluster(address: str, memory_mb: int | None = None) -> Iterator[ClusterExecutor]:
    """The cluster of the scheduler at an address, connected during a ``with`` block.

    `memory_mb` is the memory of one planner; it determines how many run at the same time.
    """
    with connected(address) as connection:
        workforce = connection.start(connection.workforce()).result()
        executor = ClusterExecutor(connection, workforce, memory_mb)
        connection.start(executor.watch())
        yield executor


class ClusterExecutor:
    """Runs pieces of work on the workers of a cluster. See `executors.Executor`."""

    def __init__(self, connection: Connection, workforce: Workforce, memory_mb: int | None) -> None:
        self._connection = connection
        self._usual_bytes = needed_bytes(memory_mb)
        self._workforce = workforce
        self._largest_bytes = workforce.largest_bytes

    @property
    def width(self) -> int:
        """See `Executor`; as many as the workers have threads and memory for."""
        return max(1, self._workforce.width(self._usual_bytes))

    @property
    def most_programs(self) -> int:
        """See `Executor`; as many as the largest worker has memory for."""
        return max(1, int(self._largest_bytes // self._usual_bytes))

    def run(self, work: Work[_Result], limits: Limits, *, programs: int = 1) -> _Result:
        """See `Executor`. A cluster that fails is a `ClusterError`."""
        no_time = replace(limits, time_s=0.0)
        if limits.time_s is not None and limits.time_s <= 0:
            return work(limits=no_time)
        deadline = Deadline.after(None if limits.time_s is None else limits.time_s + _GRACE_S)
        needed = needed_bytes(limits.memory_mb, programs)
        self._require_large_enough(needed, programs)
        signal = stop_signal()
        had_room = time.monotonic()
        sent = self._connection.start(self._send(_name(work), pack(work, limits), needed))
        try:
            while not concurrent.futures.wait([sent], timeout=_POLL_S).done:
                if deadline.is_over or (signal is not None and signal.is_set()):
                    return work(limits=no_time)
                if self._workforce.largest_bytes >= needed:
                    had_room = time.monotonic()
                elif time.monotonic() > had_room + _PATIENCE_S:
                    raise ClusterError(
                        f"no worker of {self._connection.address} that could take {_name(work)} "
                        f"has been there for {_PATIENCE_S:.0f} s"
                    )
            return cast(_Result, sent.result())
        finally:
            sent.cancel()

    async def watch(self) -> None:
        """Keep the list of workers up to date."""
        while True:
            await asyncio.sleep(_LOOK_S)
            try:
                await self._look()
            except ClusterError:  # no answer is as bad as no workers
                self._workforce = Workforce(())

    async def _look(self) -> None:
        self._workforce = await self._connection.workforce()
        self._largest_bytes = max(self._largest_bytes, self._workforce.largest_bytes)

    async def _send(self, name: str, packed: bytes, needed: int) -> object:
        """Run a piece of work on the cluster; cancelling this coroutine cancels the piece."""
        client, address = self._connection.client, self._connection.address
        lost = f"the scheduler at {address} has gone away, or has dropped what it was asked"
        if client.status != "running":
            raise ClusterError(lost)
        future = client.submit(
            carry_out,
            dict(versions()),
            packed,
            key=f"{name}-{uuid.uuid4()}",
            resources={RESOURCE: needed},
        )
        try:
            return await future
        except KilledWorker as error:
            raise ClusterError(
                f"{name} was given up after the workers that began it had died, the last of them "
                f"{error.last_worker.address}: its log may say why, and whether it has as much "
                "memory as it declares"
            ) from error
        except concurrent.futures.CancelledError as error:
            raise ClusterError(lost) from error
        except OSError as error:
            raise ClusterError(f"{name} failed on {address}: {error}") from error
        finally:
            future.release()

    def _require_large_enough(self, needed: int, programs: int) -> None:
        if self._largest_bytes < needed:
            self._connection.start(self._look()).result()
        if self._largest_bytes < needed:
            raise ClusterError(
                f"{'a planner needs' if programs == 1 else f'{programs} planners at once need'} "
                f"{needed / 1e9:.1f} GB, and the largest worker of {self._connection.address} "
                f"declares {self._largest_bytes / 1e9:.1f} GB: start a larger one, or lower "
                "--memory-limit"
            )


def _name(work: Work[object]) -> str:
    function = work.func if isinstance(work, functools.partial) else work
    return str(getattr(function, "__name__", "work"))
