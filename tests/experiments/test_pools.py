"""Generators and pools: what is kept is made anew, and every plan solves its problem."""

from __future__ import annotations

import tarfile
from itertools import islice
from pathlib import Path

import pytest

from experiments.pools import ARCHIVE, Pool
from experiments.studies import PoolPlan, study_of
from experiments.worlds import Barman, Grid, Openstacks, Transport, World
from plancost.case.grounding import Request, ground
from plancost.case.read import read_case
from plancost.executor import Threads

SMALL, TABLE_2 = study_of("mcf", "small").pools, study_of("table2", "small").pools


@pytest.fixture(scope="module", params=[SMALL[1], *TABLE_2], ids=lambda plan: plan.name)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pool:
    pool = Pool(request.param, tmp_path_factory.mktemp("pools"))
    assert pool.unpack()
    assert pool.is_complete
    return pool


def test_kept_problems_are_those_of_the_generators() -> None:
    with tarfile.open(ARCHIVE) as archive:
        texts = {
            member.name: content.read().decode()
            for member in archive
            if member.name.endswith(".pddl") and (content := archive.extractfile(member))
        }
    count = 0
    for plan in (*SMALL, *TABLE_2):
        drawn = islice(plan.world.problems(plan.seed), plan.problems + 1)
        made = {f"p{number:02d}": text for number, text in enumerate(drawn, 1)}
        made["domain"] = plan.world.domain(plan.seed)
        names = {f"pools/{plan.name}/{name}.pddl": text for name, text in made.items()}
        same = [name for name in names.keys() & texts.keys() if names[name] == texts[name]]
        assert len(same) == plan.problems + 1
        count += len(same)
    assert count == len(texts)


def test_plans_of_a_task_solve_their_problems(kept: Pool) -> None:
    manifest = kept.task(10, 1)
    case = read_case(manifest, domain=kept.folder / "domain.pddl")  # replays them
    assert len(case.observations) == 10
    assert len(manifest.read_text().splitlines()) == 11


def test_tasks_are_drawn_without_repetition(kept: Pool) -> None:
    lines = kept.task(100, 2).read_text().splitlines()
    assert len(set(lines)) == len(lines) == 101
    assert kept.task(100, 3).read_text().splitlines() != lines


@pytest.mark.parametrize("world", [Grid(3), Barman(2, 1, 2), Openstacks(3, 3), Transport(4, 1, 1)])
def test_other_seeds_are_other_problems(world: World) -> None:
    for seed in (1, 2):
        texts = dict(zip("ab", world.problems(seed), strict=False))
        assert texts["a"] != texts["b"]
        case, unsolvable = ground(Request(world.domain(seed), texts, "domain"))
        assert len(case.tasks) == 2
        assert not unsolvable


def test_a_pool_that_was_begun_is_completed(tmp_path: Path) -> None:
    pool = Pool(PoolPlan(Grid(3), problems=2, plans=4), tmp_path)
    pool.make(Threads(1))
    texts = {path.name: path.read_text() for path in pool.folder.iterdir()}
    assert sorted(texts) == [
        *("domain.pddl", "p01.001.plan", "p01.002.plan", "p01.003.plan", "p01.004.plan"),
        *("p01.pddl", "p02.001.plan", "p02.002.plan", "p02.003.plan", "p02.004.plan", "p02.pddl"),
    ]
    (pool.folder / "p01.pddl").unlink()
    assert not pool.is_complete
    pool.make(Threads(1))
    made = {path.name: path.read_text() for path in pool.folder.iterdir()}
    assert sorted(made) == sorted(texts)
    assert made["p01.pddl"] == texts["p01.pddl"]
    # SymK need not list the same ones of several plans that cost the same.
    lengths = [[text.count("\n") for text in found.values()] for found in (made, texts)]
    assert sorted(lengths[0]) == sorted(lengths[1])


def test_a_problem_without_enough_time_is_replaced(tmp_path: Path) -> None:
    pool = Pool(PoolPlan(Grid(3), problems=1, plans=2), tmp_path)
    pool.folder.mkdir()
    (pool.folder / "p01.left-out").write_text("out of time\n")
    pool.make(Threads(1))
    assert [path.name for path in pool.folder.glob("p*.pddl")] == ["p02.pddl"]


def test_no_pool_where_there_are_too_few_problems(tmp_path: Path) -> None:
    assert len(list(Grid(2).problems(0))) == 12
    assert not Pool(PoolPlan(Grid(2), 1, 1), tmp_path).unpack()
