"""Worlds with hidden true costs: tasks, and plans that are optimal under costs nobody tells.

What a learner recovers can only be measured where the truth is known. One seed fixes the true
cost of every ground action; a plan of a task is drawn among its optimal plans, with ties broken
at random. Tasks are grounded once and can serve under many hidden costs.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np

from plancost.errors import LimitError, UsageError
from plancost.generators.world import World, different_problems
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.grounding import ground
from plancost.observations.parts import part_of_case
from plancost.observations.pddl import Domain, Problem, parse_domain, parse_problem
from plancost.observations.planfile import Plan
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.shortest_paths import CostToGo
from plancost.oracles.state_graph import StateGraph, build_state_graph
from plancost.system.clock import Deadline
from plancost.system.processes import Limits
from plancost.system.progress import Progress, no_progress
from plancost.system.workers import Workers

LARGEST_TRUE_COST = 9
"""True costs are drawn from 1 to this."""


@dataclass(frozen=True)
class HiddenWorld:
    """Different tasks of one world and their common state graph."""

    domain: Domain
    problems: tuple[str, ...]
    """The text of each task's problem."""
    tasks: tuple[Task, ...]
    graph: StateGraph = field(repr=False)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """All ground actions, sorted."""
        return self.graph.action_names

    def true_costs(self, seed: int) -> dict[str, int]:
        """A cost for each action."""
        generator = random.Random(f"hidden-{seed}")
        return {name: generator.randint(1, LARGEST_TRUE_COST) for name in self.actions}

    def problem(self, task: int) -> Problem:
        """The problem of a task by its number."""
        found = self.tasks[task].problem
        assert found is not None  # worlds are made of PDDL
        return found

    def case(self, plans: Sequence[tuple[int, Plan]]) -> Case:
        """The case of plans observed on tasks, as if it had been read from files."""
        observations = []
        for number, (task, plan) in enumerate(plans, start=1):
            problem = self.problem(task).path
            source = ObservedFile(problem, Path(f"{problem.stem}.{number:03d}.plan"))
            observations.append(Observation(task, plan, False, source))
        problems = tuple((self.problem(number), number) for number in range(len(self.tasks)))
        whole = Case(Path(), self.domain, problems, self.tasks, tuple(observations), ())
        return part_of_case(whole, range(len(observations)))


class TruePlans:
    """Optimal plans of the tasks of a world under true costs."""

    def __init__(self, world: HiddenWorld, costs: Mapping[str, int]) -> None:
        self._world = world
        self._costs = np.array([costs[name] for name in world.actions], dtype=np.int64)
        self._to_go: dict[int, CostToGo] = {}

    def optimal_cost(self, task: int) -> int:
        """What the optimal plans of a task cost."""
        cost = self._to(task).cost_from(self._world.graph.initial[task])
        assert isinstance(cost, int)  # the world has only tasks that can be solved
        return cost

    def draw(self, task: int, generator: random.Random) -> Plan:
        """An optimal plan; where several next steps are as good, any of them."""
        return any_cheapest(self._to(task), self._world.graph.initial[task], generator)

    def _to(self, task: int) -> CostToGo:
        if task not in self._to_go:
            graph = self._world.graph
            self._to_go[task] = CostToGo(graph, graph.goals[task], self._costs)
        return self._to_go[task]


def any_cheapest(to_go: CostToGo, state: int, generator: random.Random) -> Plan:
    """A cheapest plan from a state; where several next steps are as good, any of them."""
    plan = []
    while to_go.values[state] > 0:
        action, state = generator.choice(to_go.tight_transitions(state))
        plan.append(to_go.graph.action_names[action])
    return tuple(plan)


def hidden_world(
    world: World, count: int, seed: int = 0, *, jobs: int = 1, progress: Progress = no_progress
) -> HiddenWorld:
    """Ground so many different tasks of a world, each of which takes at least one step."""
    domain = parse_domain(world.domain(seed))
    texts = list(islice(different_problems(world, seed), count))
    if len(texts) < count:
        raise UsageError(f"{world.name} of this size has only {len(texts)} different problems")
    problems = [
        parse_problem(text, Path(f"p{number:03d}.pddl")) for number, text in enumerate(texts, 1)
    ]
    tasks: list[Task] = []
    with Workers(jobs) as workers:
        grounded = workers.map(lambda problem: ground(domain, problem, Limits()), problems)
        for problem, sas in zip(problems, grounded, strict=True):
            tasks.append(Task.of(domain, problem, sas))
            progress("grounding", len(tasks), count)
    graph = build_state_graph(domain, tasks, None, GraphLimits(), Deadline())
    if not isinstance(graph, StateGraph):
        raise LimitError(f"{world.name} of this size has no explicit state graph that fits")
    return HiddenWorld(domain, tuple(texts), tuple(tasks), graph)
