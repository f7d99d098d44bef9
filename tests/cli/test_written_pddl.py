"""The PDDL that ``plancost learn --pddl-out`` writes, read by the planners themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from unified_planning.engines import SequentialPlanValidator
from unified_planning.io import PDDLReader

from plancost.generators.barman import Barman
from plancost.generators.grid import Grid
from plancost.generators.openstacks import Openstacks
from plancost.generators.pools import PoolOptions
from plancost.generators.tasks import generate
from plancost.generators.transport import Transport
from plancost.generators.world import World
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from support.command import learned, plancost
from support.planner_runs import cheapest_cost


@pytest.mark.parametrize("name", ["table_1", "example_1", "example_2"])
def test_planners_find_the_same_costs_in_the_pddl(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The important one: what we report is what any planner finds on the files we write."""
    case: Path = request.getfixturevalue(name)
    pddl = tmp_path / "pddl"
    solution = "scf" if name == "table_1" else "mcf"
    content = learned(case, "--solution", solution, "--pddl-out", pddl)
    for item in content["observations"]:
        for planner, search in ((FAST_DOWNWARD, "astar(blind())"), (SYMK, "sym_bd()")):
            found = cheapest_cost(
                planner, search, pddl / "domain.pddl", pddl / item["problem"], tmp_path / "work"
            )
            assert found == item["optimal_cost"], planner.name


ROOT = Path(__file__).parents[2]
EXAMPLES = ["small-city", "town"]
"""The reader of unified-planning does not take the others: a type and an object have one name, or a
type comes before the types that it is above."""


def agree(pddl: Path, plans: Path, item: dict[str, Any], work: Path) -> None:
    """Two planners and the validator of unified-planning on what was written for one plan."""
    domain, problem = pddl / "domain.pddl", pddl / Path(item["problem"]).name
    for planner, search in ((FAST_DOWNWARD, "astar(blind())"), (SYMK, "sym_bd()")):
        found = cheapest_cost(planner, search, domain, problem, work)
        assert found == item["optimal_cost"], planner.name
    reader = PDDLReader()
    task = reader.parse_problem(str(domain), str(problem))
    plan = reader.parse_plan(task, str(plans / item["plan"]))
    validator = SequentialPlanValidator()
    validator.skip_checks = True  # it knows costs of actions, but does not say so
    said = validator.validate(task, plan)
    assert said
    assert list(said.metric_evaluations.values()) == [item["cost"]]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", EXAMPLES)
def test_others_agree_on_examples(name: str, tmp_path: Path) -> None:
    case = ROOT / "examples" / name
    content = learned(case, "--groups", "1", "--pddl-out", tmp_path / "pddl")
    for item in content["observations"][:3]:
        agree(tmp_path / "pddl", case, item, tmp_path / "work")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "world", [Grid(3), Barman(2, 1, 2), Openstacks(2, 2), Transport(3, 1, 1)], ids=lambda w: w.name
)
def test_others_agree_on_every_bundled_domain(world: World, tmp_path: Path) -> None:
    few = PoolOptions(problems=2, plans=3)
    made = generate(world, tmp_path / "made", few, tasks=1, sizes=[4])
    (manifest,) = made.tasks[4]
    words = ("--domain", made.pool.domain, "--pddl-out", tmp_path / "pddl")
    content = learned(manifest, *words)
    for item in content["observations"][:2]:
        agree(tmp_path / "pddl", manifest.parent, item, tmp_path / "work")


def test_pddl_is_never_written_over_the_input(table_1: Path) -> None:
    before = (table_1 / "domain.pddl").read_text()
    done = plancost("learn", table_1, "--pddl-out", table_1)
    assert done.returncode == 1
    assert "could overwrite the input" in done.stderr
    assert (table_1 / "domain.pddl").read_text() == before
