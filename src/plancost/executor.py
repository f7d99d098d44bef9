"""Where independent work runs: on the cores of this machine, or on a Dask cluster.

Work is dealt to workers once, as objects that stay where they are; then their methods are called.
The answers come in the order of the objects, so that they do not depend on how many cores there
are. Threads are enough here: the work is compiled and lets others run meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from typing import Any

from plancost.errors import SolverError, UsageError, needed
from plancost.processes import usable_cores


class Threads:
    """Objects on the cores of this machine, and calls of their methods."""

    def __init__(self, count: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(count or usable_cores())

    def place(self, make: Callable[..., Any], items: Sequence[tuple[Any, ...]]) -> list[Any]:
        """An object for each item, made where it is to stay."""
        return list(self._pool.map(lambda item: make(*item), items))

    def call(self, objects: Sequence[Any], method: str, *values: Any) -> list[Any]:
        """What the method of each object answers; if one fails, the others end first, so that what
        they remember does not depend on who was faster.
        """
        asked = [self._pool.submit(getattr(one, method), *values) for one in objects]
        wait(asked)
        return [future.result() for future in asked]


class Cluster:
    """The same on a Dask cluster: objects are actors on its workers."""

    def __init__(self, address: str) -> None:
        distributed = needed("cluster")
        try:
            self._client = distributed.Client(address, timeout=10)
        except (OSError, ValueError) as error:
            raise UsageError(f"there is no Dask scheduler at {address}") from error

    def place(self, make: Callable[..., Any], items: Sequence[tuple[Any, ...]]) -> list[Any]:
        """See `Threads`."""
        made = [self._client.submit(make, *item, actor=True, pure=False) for item in items]
        return [_answer(future) for future in made]

    def call(self, objects: Sequence[Any], method: str, *values: Any) -> list[Any]:
        """See `Threads`."""
        asked = [getattr(one, method)(*values) for one in objects]
        return [_answer(future) for future in asked]


def _answer(future: Any) -> Any:
    try:
        return future.result()
    except (OSError, RuntimeError, CancelledError) as error:
        raise SolverError(f"the Dask cluster failed: {error}") from error


Workers = Threads | Cluster


def workers(scheduler: str | None, jobs: int | None) -> Workers:
    """The cluster at this address, or else so many cores of this machine."""
    return Threads(jobs) if scheduler is None else Cluster(scheduler)
