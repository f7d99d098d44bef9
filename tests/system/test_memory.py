"""The memory limit is shared out, and the shares hold."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import PlancostError
from plancost.learning.problem.options import LearnOptions
from plancost.oracles.graph_limits import GraphLimits
from plancost.system.executors import LocalExecutor
from plancost.system.memory import WORKER_PROCESS_MB, MemoryShares, machine_mb
from plancost.system.processes import Ending, Finished, Limits, run
from plancost.system.worker_process import WorkerProcess
from support.command import PLANCOST

EAT = "import sys; size = int(sys.argv[1]); block = bytearray(size * 2**20); print('ate')"
NO_LIMITS = Limits()


@given(st.integers(200, 100_000), st.integers(1, 64), st.integers(1, 2))
def test_all_shares_together_stay_below_the_limit(total: int, jobs: int, programs: int) -> None:
    shares = MemoryShares.of(total)
    executor = LocalExecutor.within(jobs, shares)
    programs = min(programs, executor.most_programs)
    given: list[int] = []

    def work(*, limits: Limits) -> None:
        assert limits.memory_mb is not None
        given.append(limits.memory_mb)

    executor.run(work, NO_LIMITS, programs=programs)
    assert 1 <= executor.width <= jobs
    at_once = executor.width * programs
    assert shares.own_mb + at_once * given[0] <= total
    assert shares.own_mb + jobs * shares.each_of(jobs) <= total


def test_a_stricter_limit_of_a_piece_of_work_is_kept() -> None:
    executor = LocalExecutor.within(1, MemoryShares.of(10_000))
    assert executor.run(lambda *, limits: limits.memory_mb, Limits(memory_mb=700)) == 700


def test_jobs_that_find_no_room_wait() -> None:
    assert LocalExecutor.within(8, MemoryShares.of(2400)).width == 2
    assert LocalExecutor.within(8, MemoryShares.of(2400)).most_programs == 1
    assert LocalExecutor.within(2, MemoryShares.of(8000)) == LocalExecutor(
        2, 2, MemoryShares.of(8000)
    )
    assert LocalExecutor.within(3, None) == LocalExecutor(3)


def test_state_graphs_get_a_part_of_our_own_share() -> None:
    assert LearnOptions(memory_limit_mb=1200).graph_limits.memory_mb == 150
    assert (
        LearnOptions(memory_limit_mb=10 * machine_mb()).graph_limits == LearnOptions().graph_limits
    )
    assert LearnOptions(memory_limit_mb=1200, scheduler="tcp://host:1").memory is None


def test_graphs_get_half_of_the_machine_or_of_its_container(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    assert GraphLimits().memory_mb == machine_mb() // 2
    everything = machine_mb(limit)
    assert everything >= machine_mb() > 100
    limit.write_text("max\n")
    assert machine_mb(limit) == everything
    limit.write_text("64000000\n")
    assert machine_mb(limit) == 64


def _eat(size_mb: int, directory: Path, *, limits: Limits) -> Finished:
    return run([sys.executable, "-c", EAT, str(size_mb)], directory=directory, limits=limits)


def test_a_child_that_eats_memory_is_stopped_at_its_share(tmp_path: Path) -> None:
    executor = LocalExecutor.within(2, MemoryShares.of(2000))
    enough = executor.run(partial(_eat, 100, tmp_path), NO_LIMITS)
    assert (enough.exit_code, enough.output) == (0, "ate\n")
    too_much = executor.run(partial(_eat, 1900, tmp_path), NO_LIMITS)
    assert too_much.ending is Ending.EXITED
    assert too_much.exit_code == 1
    assert "MemoryError" in too_much.output


def test_a_worker_process_that_eats_memory_is_stopped_at_its_share() -> None:
    with WorkerProcess(300) as worker:
        worker.make(bytearray, b"1")
        worker.ask("zfill", 1000)
        assert len(worker.answer()) == 1000
        worker.ask("zfill", 400 * 2**20)
        with pytest.raises(PlancostError, match="MemoryError"):
            worker.answer()


HUNGRY = """
import sys
from plancost.api import learn as learning
from plancost.cli.main import main

def hungry(run, task, incumbent):
    incumbent.only.costs, eaten = tuple(2 for _ in incumbent.costs), []
    while True:
        eaten.append(bytearray(2**24))

learning.learn_exactly = hungry
sys.exit(main(["learn", *sys.argv[1:]]))
"""


def test_memory_that_runs_out_here_ends_in_the_best_answer(example_1: Path) -> None:
    """Children still get theirs: the check and the grounding work."""
    done = subprocess.run(
        [sys.executable, "-c", HUNGRY, example_1, "--memory-limit", "900"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "memory ran out while learning; what was found by then is kept" in done.stdout
    assert "cost 2" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("limit_mb", [1, 60, 150, 220, 240, 300])
def test_a_limit_hardly_above_what_python_needs_is_answered(example_1: Path, limit_mb: int) -> None:
    """Libraries that ran out of memory while they were loaded crashed, or never returned."""
    options = ["--memory-limit", str(limit_mb), "--no-cache"]
    command = [str(PLANCOST), "learn", str(example_1), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 4)
    assert "Traceback" not in done.stderr
    if limit_mb <= 150:
        assert "this memory limit leaves plancost itself" in done.stderr
        needed = int(done.stderr.rpartition("at least ")[2])
        assert needed > limit_mb


def test_without_room_for_worker_processes_there_are_none() -> None:
    assert MemoryShares.of(300).fitting(4, WORKER_PROCESS_MB, least=0) == 0
    assert MemoryShares.of(300).fitting(4, WORKER_PROCESS_MB) == 1
    assert MemoryShares.of(4000).fitting(4, WORKER_PROCESS_MB, least=0) == 4


@pytest.mark.parametrize("own_mb", [20, 115, 399, 400, 401, 1000])
def test_the_least_limit_for_a_share(own_mb: int) -> None:
    least = MemoryShares.least_for(own_mb)
    assert MemoryShares.of(least).own_mb >= own_mb
    assert MemoryShares.of(least - 10).own_mb < own_mb
