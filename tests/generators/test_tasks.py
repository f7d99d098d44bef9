"""Learning tasks: drawn from a seed, without repetition, and read by `learn`."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.generators.grid import Grid
from plancost.generators.openstacks import Openstacks
from plancost.generators.pools import Pool, PoolOptions
from plancost.generators.record import PoolProblem
from plancost.generators.tasks import generate, write_tasks
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import load_case
from plancost.observations.cost_files import initial_costs_from_pddl

FEW = PoolOptions(problems=2, plans=4)


@pytest.fixture
def pool(tmp_path: Path) -> Pool:
    """A pool on paper: the names of 3 problems with 30 plans each."""
    problems = tuple(PoolProblem(f"p0{number}", 30, 0.0) for number in (1, 2, 4))
    return Pool(tmp_path, problems, ())


def test_tasks_have_their_size_and_no_repetition(pool: Pool) -> None:
    tasks = write_tasks(pool, [5, 90], 3, seed=1)
    assert [path.name for path in tasks[5]] == ["5-01.csv", "5-02.csv", "5-03.csv"]
    for size, paths in tasks.items():
        for path in paths:
            first, *rows = path.read_text().splitlines()
            assert first == "problem,plan"
            assert len(set(rows)) == len(rows) == size
    everything = tasks[90][0].read_text().splitlines()[1:]
    assert everything[0] == "../p01.pddl,../p01.001.plan"
    assert everything[-1] == "../p04.pddl,../p04.030.plan"


def test_draws_depend_on_seed_size_and_number_alone(pool: Pool) -> None:
    texts = {path.name: path.read_text() for path in write_tasks(pool, [5], 4, seed=1)[5]}
    assert len(set(texts.values())) == 4
    again = write_tasks(pool, [7, 5], 2, seed=1)[5]
    assert [path.read_text() for path in again] == [texts["5-01.csv"], texts["5-02.csv"]]
    other = write_tasks(pool, [5], 4, seed=2)[5]
    assert not {path.read_text() for path in other} & set(texts.values())
    assert texts["5-01.csv"].splitlines()[1:] == [
        "../p01.pddl,../p01.004.plan",
        "../p01.pddl,../p01.025.plan",
        "../p02.pddl,../p02.013.plan",
        "../p04.pddl,../p04.006.plan",
        "../p04.pddl,../p04.022.plan",
    ]


def test_sizes_beyond_the_pool(pool: Pool, tmp_path: Path) -> None:
    assert list(write_tasks(pool, [90, 91], 1, seed=1)) == [90]
    with pytest.raises(UsageError, match="a task of 9 observations needs as many plans"):
        generate(Grid(3), tmp_path / "pool", FEW, sizes=[9])
    assert not (tmp_path / "pool").exists()


def test_what_is_no_world(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^world must be a world such as Grid\(5\), not 5$"):
        generate(5, tmp_path / "pool", FEW)  # type: ignore[arg-type]


@pytest.mark.slow
def test_usual_sizes_are_at_most_half_of_the_pool(tmp_path: Path) -> None:
    few = generate(Grid(3), tmp_path / "few", FEW)
    assert few.tasks == {}
    assert not (tmp_path / "few" / "tasks").exists()
    enough = generate(Grid(4), tmp_path / "more", PoolOptions(problems=2, plans=10), tasks=2)
    assert {size: len(paths) for size, paths in enough.tasks.items()} == {10: 2}


def test_learning_from_a_generated_task(tmp_path: Path) -> None:
    """From the seed to proven costs, with zero costs in C̄ refined to costs of at least 1."""
    generated = generate(Openstacks(2, 2), tmp_path, FEW, tasks=1, sizes=[6])
    (task,) = generated.tasks[6]
    case = load_case(task, domain=generated.pool.domain)
    assert case.plan_count == 6
    assert set(initial_costs_from_pddl(case)) == {0, 1}
    result = learn(case, LearnOptions(refine=True, time_limit_s=60))
    assert result.proved and result.verified
    assert result.optimal_plans >= 1
    assert min(result.costs.values()) == 1
    assert result.observations[0].problem.startswith("../p0")
