"""Others on the PDDL that was written: two planners, and the validator of unified-planning."""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.soak.worlds import World
from plancost.observations.planfile import Plan
from plancost.oracles.downward_family import Planner
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from support.planner_runs import cheapest_cost

PLANNERS: Mapping[str, tuple[Planner, str]] = {
    "Fast Downward": (FAST_DOWNWARD, "astar(blind())"),
    "SymK": (SYMK, "sym_bd()"),
}


def is_readable(world: World) -> bool:
    """Whether unified-planning reads it: no derived predicates, and no brackets in names."""
    return "derived predicates" not in world.uses and "[" not in world.objects


def wrong_by_planner(
    name: str, domain: Path, problem: Path, right: int, work: Path
) -> Iterator[str]:
    """What is wrong if a planner's cheapest plan does not cost what it should."""
    planner, search = PLANNERS[name]
    try:
        found = cheapest_cost(planner, search, domain, problem, work)
    except (subprocess.CalledProcessError, AssertionError, OSError) as error:
        yield f"{name} does not take the PDDL written: {error}"
        return
    if found != right:
        yield f"under the PDDL written the cheapest plan costs {found} by {name}, not {right}"


def wrong_by_validator(
    domain: Path, problem: Path, plan: Plan, right: int, work: Path
) -> Iterator[str]:
    """What is wrong if the validator does not take a plan, or adds up another cost."""
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.io import PDDLReader

    work.mkdir(exist_ok=True)
    file = work / "observed.plan"
    file.write_text("".join(f"{step}\n" for step in plan))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        reader = PDDLReader()
        task = reader.parse_problem(str(domain), str(problem))
        validator = SequentialPlanValidator()
        validator.skip_checks = True  # it knows costs of actions, but does not say so
        said = validator.validate(task, reader.parse_plan(task, str(file)))
    if not said:
        yield f"unified-planning: {problem.name} has not the plan {plan}"
    elif [int(value) for value in said.metric_evaluations.values()] != [right]:
        yield f"unified-planning: {plan} costs {said.metric_evaluations}, not {right}"
