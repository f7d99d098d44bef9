"""Worker processes that insert plans: what they report holds, and they may die."""

from __future__ import annotations

import os
import random
import signal
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import plancost
from conftest import WriteGraphCase, both_ways
from plancost.learning.exact.hitting_set import Beside, find_feasible_subset
from plancost.learning.exact.local_search import Guide
from plancost.learning.exact.parallel import Errand, WorkerPool
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.combined import CombinedSeparator
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.case import load_case
from plancost.system.clock import Deadline


def _sets(case: Path, solution: Solution) -> Subproblem:
    task = LearningTask(load_case(case), Concept(solution), None)
    options = LearnOptions(concept=task.concept)
    return first_subproblem(Run.of(task.case, options, Deadline()), task)


def _pool(subproblem: Subproblem, count: int) -> WorkerPool:
    assert isinstance(subproblem.separator, CombinedSeparator)
    graphs = subproblem.separator.graphs()
    assert graphs is not None
    return WorkerPool(subproblem, graphs, count)


@pytest.mark.parametrize("solution", [Solution.MCF, Solution.SCF])
def test_a_worker_pool_reports_conflicts_and_sets_that_hold(
    example_1: Path, solution: Solution
) -> None:
    subproblem = _sets(example_1, solution)
    everything = list(range(len(subproblem.task.candidates)))
    with _pool(subproblem, 2) as pool:
        for is_first in (True, False):
            errands = [Errand([order], frozenset(), 0) for order in (everything, everything[::-1])]
            pool.start(errands, [], Deadline())
            found = pool.collect(Deadline())
            assert len(found) == 2
            for one in found:
                assert one.costs is not None
                assert subproblem.check(one.costs, one.chosen, Deadline())
                for conflict in one.conflicts:
                    assert conflict.certificate is not None
                    assert conflict.certificate.is_valid()
            assert any(one.conflicts for one in found) is is_first  # then they are known


def test_a_worker_searches_around_a_set(example_1: Path) -> None:
    subproblem = _sets(example_1, Solution.MCF)
    everything = list(range(len(subproblem.task.candidates)))
    guide = Guide(np.ones(len(everything)), everything, 20, 0)
    with _pool(subproblem, 1) as pool:
        pool.start([Errand([], frozenset(), 0, guide)], [], Deadline())
        (found,) = pool.collect(Deadline())
    assert found.costs is not None
    assert subproblem.check(found.costs, found.chosen, Deadline())
    assert found.conflicts
    for conflict in found.conflicts:
        assert conflict.certificate is not None
        assert conflict.certificate.is_valid()


def test_a_worker_pool_changes_nothing_about_what_is_proven(example_1: Path) -> None:
    weights = []
    for count in (0, 1):
        subproblem = _sets(example_1, Solution.MCF)
        start = Incumbent.baseline(subproblem.task)
        with _pool(subproblem, count) as pool:
            find_feasible_subset(subproblem, start, Deadline(), beside=Beside(pool))
        assert start.proved
        weights.append(start.weight)
    assert weights[0] == weights[1]


def test_a_worker_pool_that_dies_is_done_without(example_1: Path) -> None:
    subproblem = _sets(example_1, Solution.MCF)
    everything = list(range(len(subproblem.task.candidates)))
    with _pool(subproblem, 1) as pool:
        errand = Errand([everything], frozenset(), 0)
        pool.start([errand], [], Deadline())
        assert len(pool.collect(Deadline())) == 1
        os.killpg(pool._workers[0]._process.pid, signal.SIGKILL)
        pool.start([errand], [], Deadline())
        assert pool.collect(Deadline()) == []
        assert len(pool) == 0
        pool.start([], [], Deadline())
        assert pool.collect(Deadline()) == []


def _routes(count: int) -> list[str]:
    """Different routes without a loop on a grid of four by four crossings."""
    generator = random.Random(1)
    found: dict[str, None] = {}
    while len(found) < count:
        place = generator.randrange(16)
        route = [place]
        for _ in range(generator.randint(2, 8)):
            column, row = place % 4, place // 4
            around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
            places = [y * 4 + x for x, y in around if 0 <= x < 4 and 0 <= y < 4]
            free = [place for place in places if place not in route]
            if not free:
                break
            place = generator.choice(free)
            route.append(place)
        found["".join("abcdefghijklmnop"[place] for place in route)] = None
    return list(found)


@pytest.mark.slow
def test_many_plans_are_learned_from_alike_with_worker_processes(
    write_graph_case: WriteGraphCase,
) -> None:
    across = {f"{a}{b}": 1 for row in ("abcd", "efgh", "ijkl", "mnop") for a, b in pairwise(row)}
    down = {f"{a}{b}": 1 for row in ("aeim", "bfjn", "cgko", "dhlp") for a, b in pairwise(row)}
    case = load_case(write_graph_case(both_ways({**across, **down}), _routes(64)), jobs=2)
    alone = plancost.learn(case, LearnOptions(jobs=1))
    together = plancost.learn(case, LearnOptions(jobs=3))
    assert alone.proved
    assert alone.secondary.proved
    assert (together.optimal_plans, together.proved) == (alone.optimal_plans, True)
    assert together.costs == alone.costs
    assert [entry[1:] for entry in alone.history][-1] == (alone.optimal_plans,) * 2
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if children.is_file():
        commands = [Path(f"/proc/{pid}/cmdline") for pid in children.read_text().split()]
        assert not any("plancost.system.worker_process" in path.read_text() for path in commands)
