"""Pools: complete, replayable, and never done twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plancost.errors import InputError, LimitError, UsageError
from plancost.generators import pools
from plancost.generators.barman import Barman
from plancost.generators.grid import Grid
from plancost.generators.openstacks import Openstacks
from plancost.generators.pools import Pool, PoolOptions, write_pool
from plancost.generators.transport import Transport
from plancost.generators.world import World
from plancost.observations.case import Task, load_case
from plancost.observations.pddl import initial_cost
from plancost.observations.planfile import plan_cost
from plancost.oracles import symk
from plancost.oracles.alternatives import Alternatives
from plancost.oracles.search import Verdict
from support.small_tasks import simple_plans

FEW = PoolOptions(problems=2, plans=4, use_cache=False)
GRID = Grid(side=3)


@pytest.fixture
def symk_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A list that grows with every call of SymK."""
    calls: list[str] = []
    really = symk.top_plans

    def counted(sas: str, *arguments: object, **options: object) -> object:
        calls.append(sas)
        return really(sas, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(symk, "top_plans", counted)
    yield calls


def content(folder: Path) -> dict[str, str]:
    """All files but the record, which holds seconds."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "pool.json"
    }


@pytest.mark.parametrize(
    "world",
    [Grid(side=3), Barman(2, 1, 1), Openstacks(2, 2), Transport(3, 1, 1)],
    ids=lambda world: world.name,
)
def test_every_problem_has_simple_plans_that_solve_it(world: World, tmp_path: Path) -> None:
    pool = write_pool(world, tmp_path, FEW)
    assert [(problem.name, problem.plans) for problem in pool.problems] == [("p01", 4), ("p02", 4)]
    case = load_case(tmp_path)  # replays every plan
    assert case.plan_count == 8
    assert not any(observation.visits_a_state_twice for observation in case.observations)
    assert len({(item.problem_file, item.plan) for item in case.observations}) == 8


def test_plans_are_the_cheapest_also_where_actions_cost_nothing(tmp_path: Path) -> None:
    """SymK's answer against all simple plans; one ordering stands for all."""
    write_pool(Openstacks(3, 2), tmp_path, replace(FEW, plans=30, problems=1, seed=3))
    case = load_case(tmp_path)
    (problem, _), (task,) = case.problems[0], case.tasks
    assert case.domain is not None
    costs = {name: initial_cost(case.domain, problem, name) for name in task.actions}
    assert 0 in costs.values()
    found = [plan_cost(item.plan, costs) for item in case.observations]
    everything = {tuple(sorted(plan)) for plan in simple_plans(task.sas, 10_000)}
    assert len(everything) > 50
    assert found == sorted(plan_cost(plan, costs) for plan in everything)[:30]
    assert len({tuple(sorted(item.plan)) for item in case.observations}) == 30


def test_what_is_there_is_not_done_again(tmp_path: Path, symk_calls: list[str]) -> None:
    options = replace(FEW, problems=3)
    whole = write_pool(GRID, tmp_path / "whole", options)
    assert len(symk_calls) == 3

    def interrupt(stage: str, done: int, total: int, known: str = "") -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pool(GRID, tmp_path / "again", replace(options, jobs=2), progress=interrupt)
    there = json.loads((tmp_path / "again" / "pool.json").read_text())["problems"]
    done = {
        name: text
        for name, text in content(tmp_path / "again").items()
        if name.partition(".")[0] in there
    }
    del symk_calls[:]
    again = write_pool(GRID, tmp_path / "again", options)
    assert len(symk_calls) == 3 - len(there) < 3
    found, expected = content(tmp_path / "again"), content(tmp_path / "whole")
    # Which of equally cheap plans SymK lists last may differ, so plans are compared by length.
    assert found.keys() == expected.keys()
    for name in found:
        if name.endswith(".plan"):
            assert len(found[name].splitlines()) == len(expected[name].splitlines())
        else:
            assert found[name] == expected[name]
    assert done.items() <= found.items(), "what was there is as it was"
    assert len(done) == 5 * len(there)
    assert again.observations() == whole.observations()
    write_pool(GRID, tmp_path / "again", options)
    assert len(symk_calls) == 3 - len(there)


def test_the_cache_serves_another_folder(tmp_path: Path, symk_calls: list[str]) -> None:
    options = replace(FEW, use_cache=True, seed=77)
    write_pool(GRID, tmp_path / "one", options)
    write_pool(GRID, tmp_path / "two", options)
    assert len(symk_calls) == 2
    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.parametrize(
    ("world", "options", "complaint"),
    [
        (Grid(side=4), FEW, "side 3, not 4"),
        (GRID, replace(FEW, seed=1), "seed 0, not 1"),
        (GRID, replace(FEW, plans=5), "plans 4, not 5"),
        (GRID, replace(FEW, problems=3), "problems 2, not 3"),
        (Transport(3, 1, 1), FEW, "domain grid, not transport"),
    ],
)
def test_two_pools_in_one_folder(
    tmp_path: Path, world: World, options: PoolOptions, complaint: str
) -> None:
    record = {"domain": "grid", "side": 3, "seed": 0, "problems": 2, "plans": 4}
    text = json.dumps({"format": 1, "request": record, "symk": "1", "problems": {}, "left_out": {}})
    (tmp_path / "pool.json").write_text(text)
    with pytest.raises(InputError, match=f"this pool was made with {complaint}; choose another"):
        write_pool(world, tmp_path, options)
    assert [path.name for path in tmp_path.iterdir()] == ["pool.json"]


def test_a_folder_with_something_else(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text("mine")
    with pytest.raises(InputError, match="not empty and holds no pool"):
        write_pool(GRID, tmp_path, FEW)
    assert content(tmp_path) == {"domain.pddl": "mine"}
    problems = {"../../p1": {"plans": 1, "seconds": 1}}
    escaping = {"format": 1, "request": {}, "symk": "1", "problems": problems, "left_out": {}}
    for record in ({"format": 1}, escaping):
        (tmp_path / "pool.json").write_text(json.dumps(record))
        with pytest.raises(InputError, match="not the record of a pool"):
            write_pool(GRID, tmp_path, FEW)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [('"format": 1', "'format' occurs twice"), ('"symk": NaN', "NaN is no number")],
)
def test_a_record_is_read_strictly(words: str, complaint: str, tmp_path: Path) -> None:
    request = {"domain": "grid", "side": 3, "seed": 0, "problems": 2, "plans": 4}
    record = {"format": 1, "request": request, "problems": {}, "left_out": {}}
    text = json.dumps(record).removesuffix("}") + f", {words}}}"
    (tmp_path / "pool.json").write_text(text)
    with pytest.raises(InputError, match=complaint):
        write_pool(GRID, tmp_path, FEW)
    assert (tmp_path / "pool.json").read_text() == text


def test_a_record_that_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_planner(monkeypatch, set())
    write_pool(GRID, tmp_path, FEW)
    record = json.loads((tmp_path / "pool.json").read_text())
    record["left_out"] = {"p03": {"plans": 0, "seconds": 1.0}}
    (tmp_path / "pool.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match=r"pool\.json: this record was changed"):
        write_pool(GRID, tmp_path, FEW)


@pytest.mark.parametrize("name", ["p01.pddl", "p01.001.plan"])
@pytest.mark.parametrize("text", [None, "", "(move x0y0 x1y0)\n"])
def test_files_that_were_changed_are_written_again(
    name: str, text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = fake_planner(monkeypatch, set())
    whole = write_pool(GRID, tmp_path, FEW)
    before = content(tmp_path)
    (tmp_path / name).unlink()
    if text is not None:
        (tmp_path / name).write_text(text)
    assert write_pool(GRID, tmp_path, FEW).observations() == whole.observations()
    assert content(tmp_path) == before
    assert tried == {"p01": 2, "p02": 1}


def test_a_pool_of_many_plans_that_were_never_asked_for(tmp_path: Path) -> None:
    request = {"domain": "grid", "side": 3, "seed": 0, "problems": 2, "plans": 4}
    many = {"p01": {"plans": 10**12, "seconds": 1.0}}
    record = {"format": 1, "request": request, "symk": "1", "problems": many, "left_out": {}}
    (tmp_path / "pool.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match="not the record of a pool"):
        write_pool(GRID, tmp_path, FEW)


def fake_planner(monkeypatch: pytest.MonkeyPatch, failing: set[str]) -> Counter[str]:
    """Find no plan in time for some problems; count how often each is tried."""
    tried: Counter[str] = Counter()

    def find(task: Task, *_: object, **__: object) -> Alternatives:
        name = Path(task.name).stem
        tried[name] += 1
        plan = ("(move x0y0 x0y1)",)
        return Alternatives(
            (plan,), False, 0.0, Verdict.OUT_OF_TIME if name in failing else Verdict.FOUND
        )

    monkeypatch.setattr(pools, "find_alternatives", find)
    return tried


def test_a_problem_without_enough_plans_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = fake_planner(monkeypatch, {"p02", "p04"})
    options = PoolOptions(problems=3, plans=1, jobs=2)
    pool: Pool = write_pool(GRID, tmp_path, options)
    assert [problem.name for problem in pool.problems] == ["p01", "p03", "p05"]
    assert [problem.name for problem in pool.left_out] == ["p02", "p04"]
    assert not (tmp_path / "p02.pddl").exists()
    again = write_pool(GRID, tmp_path, options)
    assert again.left_out == pool.left_out
    assert set(tried.values()) == {1}


def test_giving_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = fake_planner(monkeypatch, {f"p{number:02}" for number in range(100)})
    with pytest.raises(LimitError, match="within the limits for 5 of the first 5 problems"):
        write_pool(GRID, tmp_path, PoolOptions(problems=1, plans=1))
    assert tried.total() == 5


def test_only_problems(tmp_path: Path, symk_calls: list[str]) -> None:
    pool = write_pool(Openstacks(3, 3), tmp_path, replace(FEW, plans=0))
    assert sorted(content(tmp_path)) == ["domain.pddl", "p01.pddl", "p02.pddl"]
    assert pool.plan_count == 0
    assert not symk_calls


def test_more_problems_than_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="grid of this size has only 12 different problems"):
        write_pool(Grid(side=2), tmp_path, replace(FEW, problems=13, plans=0))
