"""A Dask client that is connected to a usable cluster.

The client runs on an event loop in its own thread. Everything that could make the cluster
unusable is checked when connecting, and reported in one sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from distributed import Client

from plancost.cluster.piece import require_same, versions
from plancost.cluster.workforce import Workforce
from plancost.errors import ClusterError
from plancost.system.clock import Deadline

_ANSWER_S = 5.0
"""How long the scheduler or a worker may take to answer a small request."""
_FIRST_WORKER_S = 10.0
"""How long to wait for a worker when there is none yet."""
_POLL_S = 0.1

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Connection:
    """A client, and the loop that it runs on."""

    address: str
    client: Client
    loop: asyncio.AbstractEventLoop

    def start(self, coroutine: Coroutine[Any, Any, _Result]) -> Future[_Result]:
        """Let a coroutine run on the loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    async def workforce(self) -> Workforce:
        """The workers that the scheduler has now."""
        try:
            if self.client.scheduler is None:
                raise ConnectionError
            asked = self.client.scheduler.identity(n_workers=-1)
            return Workforce.of(await asyncio.wait_for(asked, _ANSWER_S))
        except (OSError, TimeoutError) as error:
            raise ClusterError(f"the scheduler at {self.address} does not answer") from error


@contextlib.contextmanager
def connected(address: str) -> Iterator[Connection]:
    """A connection to the scheduler at an address, open during a ``with`` block."""
    with _without_log(), _event_loop() as loop:
        client = asyncio.run_coroutine_threadsafe(_connect(address), loop).result()
        connection = Connection(address, client, loop)
        try:
            connection.start(_check(connection)).result()
            yield connection
        finally:
            connection.start(_close(client)).result()


async def _connect(address: str) -> Client:
    client: Client | None = None
    try:
        client = Client(address, asynchronous=True, timeout=_ANSWER_S, set_as_default=False)
        await asyncio.wait_for(client, _ANSWER_S + 1)
    except BaseException as error:  # the server at that address may have sent anything
        if client is not None:
            await _close(client)
        if not isinstance(error, Exception):
            raise
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ClusterError(f"no Dask scheduler can be reached at {address}: {reason}") from error
    return client


async def _close(client: Client) -> None:
    # It may be half open, or have lost its scheduler; the error helps nobody.
    with contextlib.suppress(Exception):
        await asyncio.wait_for(client.close(), _ANSWER_S)


async def _check(connection: Connection) -> None:
    """Check that there are usable workers, and the same versions everywhere.

    A worker that does not answer is ignored: if it has other versions, it says so when it gets a
    piece of work.
    """
    patience = Deadline.after(_FIRST_WORKER_S)
    workforce = await connection.workforce()
    while not workforce.rooms and not patience.is_over:
        await asyncio.sleep(_POLL_S)
        workforce = await connection.workforce()
    workforce.require_usable(connection.address)
    client, here = connection.client, versions()
    try:
        there: object = await asyncio.wait_for(client.run_on_scheduler(versions), _ANSWER_S)
    except Exception as error:
        there = error
    require_same(here, there, f"the scheduler at {connection.address}")
    with contextlib.suppress(TimeoutError):
        found = await asyncio.wait_for(client.run(versions, on_error="return"), _ANSWER_S)
        for worker, there in found.items():
            require_same(here, there, f"the worker {worker}")


@contextlib.contextmanager
def _without_log() -> Iterator[None]:
    """Silence the client's log, which would print what we report as an error."""
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


@contextlib.contextmanager
def _event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop that runs in its own thread during a ``with`` block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="plancost-cluster", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(_cancel_the_rest(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _cancel_the_rest() -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
