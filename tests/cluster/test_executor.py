"""A real cluster: the same results as on this machine, whatever happens to its workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from distributed import Client

import plancost
from conftest import DOMAIN, graph_problem
from plancost.cluster import connection, executor, piece
from plancost.cluster.executor import ClusterExecutor, cluster
from plancost.errors import ClusterError
from plancost.system import processes
from plancost.system.processes import Ending, Limits
from plancost.system.progress import Progress, no_progress
from plancost.system.workers import Workers
from support import pieces
from support.cluster import Cluster, local_cluster, wait_until
from support.command import PLANCOST
from support.running import children, is_running, is_symk

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "avoid-the-centre"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with local_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def two(started: Cluster) -> Cluster:
    """A cluster of two workers, whatever a test before did to them."""
    started.fill(2)
    wait_for_workers(started, 2)
    return started


def wait_for_workers(of: Cluster, count: int) -> None:
    with Client(of.address, set_as_default=False) as client:
        wait_until(lambda: len(client.scheduler_info()["workers"]) == count)


@pytest.fixture
def on(two: Cluster) -> Iterator[ClusterExecutor]:
    with cluster(two.address) as found:
        yield found


ALTERNATIVES = plancost.LearnOptions(refine=True, alternatives="50", use_cache=False)
PLANNERS = plancost.LearnOptions(refine=True, oracle=plancost.OracleName.FAST_DOWNWARD)


@pytest.fixture(scope="module")
def streets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three problems in a city of 4 x 4.

    The lengths are such that no task has a tie between its 51st and 52nd cheapest plan:
    which of them SymK lists changes from run to run, on any machine.
    """
    random, nodes = Random(8), "abcdefghijklmnop"
    places = {node: divmod(number, 4) for number, node in enumerate(nodes)}
    lengths = {
        (a, b): random.randint(1, 9)
        for a, b in product(nodes, nodes)
        if sum(abs(x - y) for x, y in zip(places[a], places[b], strict=True)) == 1
    }
    case = tmp_path_factory.mktemp("streets")
    (case / "domain.pddl").write_text(DOMAIN)
    for number, route in enumerate(("abcdhlp", "dcbaeim", "bfjno")):
        problem = graph_problem(f"p{number}", nodes, lengths, route[0], route[-1])
        (case / f"p{number}.pddl").write_text(problem)
        steps = (f"(move {a} {b})\n" for a, b in pairwise(route))
        (case / f"p{number}.plan").write_text("".join(steps))
    return case


def learned(
    case: Path,
    options: plancost.LearnOptions,
    address: str | None,
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """RESULT.json without the clock."""
    options = replace(options, scheduler=address)
    content: dict[str, Any] = plancost.learn(case, options, progress=progress).to_json()
    del content["seconds"]
    content.pop("history", None)
    content.pop("secondary_history", None)
    return content


@cache
def learned_here(case: Path, options: plancost.LearnOptions) -> dict[str, Any]:
    return learned(case, options, None)


@pytest.mark.parametrize("options", [ALTERNATIVES, PLANNERS], ids=["alternatives", "planners"])
def test_the_same_is_learned_and_nothing_runs_here(
    options: plancost.LearnOptions, streets: Path, two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = learned_here(streets, options)
    monkeypatch.setattr(processes, "_start", None)
    assert learned(streets, options, two.address) == here


def test_the_same_is_verified(
    streets: Path, two: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a strict concept, which also lists plans."""
    costs = tmp_path / "costs.json"
    costs.write_text(json.dumps(learned_here(streets, PLANNERS)["costs"]))
    strict = replace(PLANNERS, concept=plancost.Concept(plancost.Solution.SCF))
    here = plancost.verify(streets, costs, strict)
    monkeypatch.setattr(processes, "_start", None)
    there = plancost.verify(streets, costs, replace(strict, scheduler=two.address))
    assert here.verified
    assert [(item.plan, item.optimal, item.optimal_cost) for item in there.observations] == [
        (item.plan, item.optimal, item.optimal_cost) for item in here.observations
    ]


@pytest.mark.parametrize(
    ("begun", "options"), [("grounding", PLANNERS), ("alternatives", ALTERNATIVES)]
)
def test_a_worker_dies_in_the_middle_of_learning(
    begun: str, options: plancost.LearnOptions, streets: Path, two: Cluster
) -> None:
    """It is stopped when the stage begins, and killed when it holds a piece of work."""
    victim = two.workers[0]
    with Client(two.address, set_as_default=False) as client:
        [address] = [at for at, pid in client.run(os.getpid).items() if pid == victim.pid]
    killed: list[str] = []

    def kill() -> None:
        with Client(two.address, set_as_default=False) as client:
            wait_until(lambda: client.processing().get(address))
            killed.extend(map(str, client.processing()[address]))
            victim.kill()

    thread = threading.Thread(target=kill)

    def progress(stage: str, done: int, total: int, known: str = "") -> None:
        if stage == begun and thread.ident is None:
            victim.send_signal(signal.SIGSTOP)
            thread.start()

    there = learned(streets, options, two.address, progress)
    thread.join()
    assert killed, "it held something when it died"
    assert there == learned_here(streets, options)


def test_a_worker_dies_while_its_program_runs(two: Cluster, tmp_path: Path) -> None:
    victim = two.workers[0]

    def programs(worker: int) -> list[int]:
        notes = [path.name.split("-") for path in tmp_path.iterdir()]
        return [int(program) for who, program in notes if int(who) == worker]

    with cluster(two.address) as on, Workers(on.width) as pool:
        done = pool.map(lambda s: on.run(partial(pieces.sleep, s, tmp_path), Limits()), [0.6] * 4)
        wait_until(lambda: programs(victim.pid))
        running = [program for program in programs(victim.pid) if is_running(program)]
        victim.kill()
        assert [finished.exit_code for finished in done] == [0] * 4
    assert running, "the program was at work when its worker died"
    assert not any(map(is_running, running))
    assert len(list(tmp_path.iterdir())) == 4 + 1, "only what was lost is done again"


def test_work_that_kills_its_workers_is_given_up(on: ClusterExecutor) -> None:
    with pytest.raises(ClusterError, match="kill_the_worker was given up after the workers"):
        on.run(pieces.kill_the_worker, Limits())


def test_both_workers_are_used_and_the_order_is_kept(on: ClusterExecutor, two: Cluster) -> None:
    assert on.width == 2
    with Workers(on.width) as pool:
        found = list(pool.map(lambda n: on.run(partial(pieces.where, n), Limits()), range(6)))
    assert [number for number, _ in found] == list(range(6))
    assert {process for _, process in found} == {worker.pid for worker in two.workers}


def test_limits_are_kept_by_the_worker(on: ClusterExecutor, tmp_path: Path) -> None:
    started = time.monotonic()
    finished = on.run(partial(pieces.sleep, 60, tmp_path), Limits(time_s=0.3, memory_mb=900))
    assert finished.ending is Ending.OUT_OF_TIME
    assert finished.seconds >= 0.3, "not from here"
    assert time.monotonic() - started < 2


def test_nobody_waits_longer_than_the_deadline(
    on: ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "_GRACE_S", 0.2)
    started = time.monotonic()
    assert on.run(partial(pieces.disregard_limits, 1.5), Limits(time_s=0.2)) == "out of time"
    assert on.run(partial(pieces.disregard_limits, 60), Limits(time_s=0.0)) == "out of time"
    assert time.monotonic() - started < 1.2


def test_what_is_called_off_ends_on_the_workers(on: ClusterExecutor, tmp_path: Path) -> None:
    def interrupted() -> None:
        with Workers(2) as pool:
            pool.map(lambda s: on.run(partial(pieces.sleep, s, tmp_path), Limits()), [60, 60])
            wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    programs = [int(path.name.split("-")[1]) for path in tmp_path.iterdir()]
    wait_until(lambda: not any(map(is_running, programs)))
    assert on.run(partial(pieces.square, 3), Limits()) == 9


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGKILL, -9, marks=pytest.mark.slow)],
)
def test_the_command_is_ended(
    two: Cluster, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    """Ctrl-C keeps the best answer; in any case no planner is left on the workers."""
    command = [str(PLANCOST), "learn", str(EXAMPLE), "--alternatives", "all", "--no-cache"]
    command += ["--scheduler", two.address, "--output", str(tmp_path / "r.json")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: len(planners(two)) == 2)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == status
    wait_until(lambda: not planners(two))
    if number is signal.SIGINT:
        assert err == ""
        assert "Interrupted: this is the best answer so far." in out
        assert json.loads((tmp_path / "r.json").read_text())["verified"] is True


def planners(of: Cluster) -> list[int]:
    """The processes of SymK that the workers have started."""
    return [child for worker in of.workers for child in filter(is_symk, children(worker.pid))]


def test_a_worker_that_fails_is_an_error_in_one_sentence(on: ClusterExecutor) -> None:
    with pytest.raises(ClusterError, match=r"fail failed on tcp.*: no space left on device"):
        on.run(pieces.fail, Limits())


def test_more_memory_than_any_worker_has(on: ClusterExecutor) -> None:
    with pytest.raises(ClusterError, match=r"a planner needs 5\.2 GB, and the largest .* 4\.0 GB"):
        on.run(partial(pieces.square, 3), Limits(memory_mb=5000))
    with pytest.raises(ClusterError, match=r"2 planners at once need 6\.3 GB"):
        on.run(partial(pieces.square, 3), Limits(memory_mb=3000), programs=2)


def test_no_worker_is_left(
    on: ClusterExecutor, two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "_LOOK_S", 0.1)
    monkeypatch.setattr(executor, "_PATIENCE_S", 0.5)
    for worker in two.workers:
        worker.kill()
    wait_for_workers(two, 0)
    with pytest.raises(ClusterError, match=r"no worker of tcp.* that could take square has been"):
        on.run(partial(pieces.square, 3), Limits())


def test_other_versions_are_found_when_connecting(
    two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(piece, "__version__", "99")
        piece.versions.cache_clear()
        with (
            pytest.raises(ClusterError, match=r"the scheduler at .* has plancost .* machine 99"),
            cluster(two.address),
        ):
            pass
    piece.versions.cache_clear()


def test_other_versions_are_refused_by_a_worker_that_comes_later(
    on: ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "versions", lambda: {"plancost": "99"})
    with pytest.raises(ClusterError, match=r"the worker tcp.* has plancost .* machine 99"):
        on.run(partial(pieces.square, 3), Limits())


@pytest.mark.slow
def test_memory_bounds_what_a_worker_takes(tmp_path: Path) -> None:
    """One that declares nothing is given nothing, one with room for two planners two."""
    notes = tmp_path / "notes"
    notes.mkdir()
    with local_cluster(tmp_path) as found:
        found.add_worker()
        with (
            pytest.raises(ClusterError, match=r"no worker of tcp.* says how much memory"),
            cluster(found.address),
        ):
            pass
        found.add_worker("--nthreads 4 --resources memory=2.2e9")
        wait_for_workers(found, 2)
        with cluster(found.address) as on, Workers(4) as pool:
            assert on.width == 2
            work = partial(pieces.sleep, 0.5, notes)
            list(pool.map(lambda _: on.run(work, Limits()), range(3)))
        begun = sorted(path.stat().st_mtime for path in notes.iterdir())
        assert begun[2] >= begun[0] + 0.5
        assert {int(path.name.split("-")[0]) for path in notes.iterdir()} == {found.workers[1].pid}


@pytest.mark.slow
def test_the_scheduler_goes_away(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    with local_cluster(tmp_path) as found:
        found.fill(1)
        with cluster(found.address) as on, Workers(1) as pool:
            done = pool.submit(lambda: on.run(partial(pieces.sleep, 60, notes), Limits()))
            wait_until(lambda: list(notes.iterdir()))
            found.scheduler.kill()
            with pytest.raises(ClusterError, match=r"the scheduler at tcp.* has gone away"):
                done.result(timeout=10)
            with pytest.raises(ClusterError, match=r"the scheduler at tcp.* has gone away"):
                on.run(partial(pieces.square, 3), Limits())
        [program] = [int(path.name.split("-")[1]) for path in notes.iterdir()]
        wait_until(lambda: not is_running(program))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "no-such-scheme://x:1"])
def test_nobody_there(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_ANSWER_S", 0.5)
    started = time.monotonic()
    with (
        pytest.raises(ClusterError, match=f"no Dask scheduler can be reached at {address}: "),
        cluster(address),
    ):
        pass
    assert time.monotonic() - started < 3
