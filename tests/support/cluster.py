"""A real cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TESTS = Path(__file__).parent.parent
PATIENCE_S = 30.0


class Cluster:
    """A scheduler, and the workers that were added to it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file = directory / "scheduler.json"
        self._started = 0
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            f"scheduler --port 0 --dashboard-address 127.0.0.1:0 --scheduler-file {self._file}"
        )

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        wait_until(lambda: self._file.is_file() and self._file.read_text().rstrip().endswith("}"))
        return str(json.loads(self._file.read_text())["address"])

    def _start(self, command: str) -> subprocess.Popen[bytes]:
        self._started += 1
        kind, *words = command.split()
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
            "TMPDIR": str(self._directory),  # a worker that is killed leaves its files behind
            "DASK_CONFIG": str(self._directory / "no-configuration"),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
        }
        program = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1"]
        with (self._directory / f"{self._started}-{kind}.log").open("wb") as log:
            return subprocess.Popen(
                [*program, *words],
                cwd=self._directory,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def add_worker(self, words: str = "") -> subprocess.Popen[bytes]:
        """Start another worker, with one thread unless the words say otherwise."""
        worker = self._start(
            f"worker {self.address} --no-nanny --nthreads 1 --death-timeout 30 "
            f"--local-directory {self._directory} {words}"
        )
        self.workers.append(worker)
        return worker

    def fill(self, count: int) -> None:
        """Start workers until so many are alive."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < count:
            self.add_worker("--resources memory=4e9")

    def close(self) -> None:
        """End everything."""
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()


@contextlib.contextmanager
def local_cluster(directory: Path) -> Iterator[Cluster]:
    """A scheduler without workers; all its processes are gone afterwards."""
    cluster = Cluster(directory)
    try:
        yield cluster
    finally:
        cluster.close()


def wait_until(holds: Callable[[], object]) -> None:
    """Wait for something that is bound to happen."""
    patience_ends = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < patience_ends, "it did not happen"
        time.sleep(0.02)
