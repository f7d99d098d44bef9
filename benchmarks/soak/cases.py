"""A random case: a world, problems in it, and plans that somebody may have carried out.

It is written as a case folder or as a manifest. What plancost is to find out about it is said by a
`LearningTask` that is built here from the ground actions, past all of plancost's readers.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random

from benchmarks.soak.house import draw_house
from benchmarks.soak.roads import draw_roads
from benchmarks.soak.wordings import plan_file, plan_text
from benchmarks.soak.worlds import (
    Problem,
    World,
    draw_blocks,
    draw_switches,
    draw_van,
)
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan
from plancost.observations.sas import SasTask
from support.factor_tasks import with_loops
from support.small_tasks import DOMAIN, PROBLEM, simple_plans

_WORLDS = [
    *(draw_roads, draw_roads, draw_switches, draw_switches, draw_blocks, draw_van),
    *(draw_house, draw_house),
]
_MOST_PLANS = 150
_MOST_DISTINCT = 6
"""Of observed plans: all their subsets are tried."""


@dataclass(frozen=True)
class Seen:
    """An observed plan: its files, how often it was seen, and what else the manifest says."""

    problem: int
    plan: Plan
    file: str
    count: int = 1
    group: str | None = None
    cost: Fraction | None = None
    factor: Fraction | None = None


@dataclass(frozen=True)
class SmallCase:
    """A world with problems, all simple plans of each, and what was observed."""

    world: World
    problems: tuple[Problem, ...]
    grounded: tuple[SasTask, ...]
    plans: tuple[tuple[Plan, ...], ...]
    seen: tuple[Seen, ...]
    wording: int
    """A seed for how files are written; nothing of it may change an answer."""

    @property
    def features(self) -> list[str]:
        """What is special about it, in the words of the table."""
        problems = [self.problems[n] for n in sorted({item.problem for item in self.seen})]
        plans = [self.plans[item.problem] for item in self.seen]
        tags = {
            "problems with different objects": len({p.absent for p in problems}) > 1,
            "problems with different static facts": len({p.static for p in problems}) > 1,
            "costs with fractions in the PDDL": self.world.fractional,
            "plans of no steps": any(not item.plan for item in self.seen),
            "plans with loops": any(s.plan not in p for s, p in zip(self.seen, plans, strict=True)),
            "goals that always hold": any(not p.goal for p in problems),
            "copies with counts": any(item.count > 1 for item in self.seen),
        }
        return [*self.world.uses, *(name for name, is_so in tags.items() if is_so)]

    @property
    def useful_actions(self) -> list[str]:
        """The actions that some simple plan uses: nobody may leave them out."""
        used = {name for plans in self.plans for plan in plans for name in plan}
        return sorted(used.union(*(item.plan for item in self.seen)))

    def reference_case(self, actions: Collection[str], keep: Callable[[Seen], bool]) -> Case:
        """The observations of a group as plancost sees them, over the given actions.

        Tasks of other groups stay: their actions have costs too.
        """
        seen = [item for item in self.seen if keep(item)]
        tasks: dict[Problem, int] = {}
        for item in self.seen:
            tasks.setdefault(self.problems[item.problem], len(tasks))
        found = tuple(
            Task(PROBLEM, _restricted(self.grounded[self.problems.index(p)], actions), str(n), "w")
            for p, n in tasks.items()
        )
        observations = []
        for item in seen:
            source = ObservedFile(Path(f"p{item.problem}.pddl"), Path(item.file), item.count)
            number = tasks[self.problems[item.problem]]
            observations.append(Observation(number, item.plan, False, source))
        return Case(Path(), DOMAIN, (), found, tuple(observations), ())

    def plans_of_tasks(self) -> list[tuple[Plan, ...]]:
        """All simple plans of each task of a `reference_case`."""
        tasks = dict.fromkeys(self.problems[item.problem] for item in self.seen)
        return [self.plans[self.problems.index(problem)] for problem in tasks]

    def write(self, folder: Path, columns: Collection[str]) -> list[str]:
        """Write the files; the words that name the case to ``plancost``.

        With columns it is a manifest, and without them a case folder.
        """
        folder.mkdir(parents=True)
        random = Random(self.wording)
        domain = folder / "domain.pddl"
        domain.write_text(self.world.domain)
        for number in sorted({item.problem for item in self.seen}):
            text = self.world.problem_text(random, f"p{number}", self.problems[number])
            (folder / f"p{number}.pddl").write_text(text)
        for item in self.seen:
            (folder / item.file).write_bytes(plan_text(random, item.plan).encode())
        if not columns:
            return [str(folder)]
        manifest = folder / "plans.csv"
        with manifest.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["problem", "plan", *columns], extrasaction="ignore")
            writer.writeheader()
            for item in self.seen:
                writer.writerow(
                    {
                        "problem": f"p{item.problem}.pddl",
                        "plan": item.file,
                        "count": item.count,
                        "group": item.group or "",
                        "cost": "" if item.cost is None else float(item.cost),
                        "suboptimality": "" if item.factor is None else str(item.factor),
                    }
                )
        return [str(manifest), "--domain", str(domain)]


def _restricted(task: SasTask, actions: Collection[str]) -> SasTask:
    return replace(task, operators=tuple(o for o in task.operators if o.name in actions))


def draw_case(random: Random) -> SmallCase:
    """A case with at least one observed plan."""
    while True:
        case = _try_case(random)
        if case is not None:
            return case


def _try_case(random: Random) -> SmallCase | None:
    world = random.choice(_WORLDS)(random)
    problems: list[Problem] = []
    grounded: list[SasTask] = []
    plans: list[tuple[Plan, ...]] = []
    for _ in range(random.randint(1, 3)):
        copy = problems and random.random() < 0.25
        problem = random.choice(problems) if copy else world.draw_problem(random)
        if random.random() < 0.08:  # it holds whatever is done
            problem = replace(problem, goal=frozenset())
        if random.random() < 0.4:
            problem = world.with_fewer_objects(random, problem)
        sas = world.grounded(problem)
        found = simple_plans(sas, _MOST_PLANS + 1)
        if not found or len(found) > _MOST_PLANS or (() in found and problem.goal):
            continue
        problems.append(problem)
        grounded.append(sas)
        plans.append(tuple(found))
    if not problems or max(map(len, plans)) < 2:
        return None
    seen: list[Seen] = []
    for number, (sas, listed) in enumerate(zip(grounded, plans, strict=True)):
        for position in range(random.choice([1, 1, 2, 2, 3])):
            plan = _draw_plan(random, sas, listed)
            seen.append(Seen(number, plan, plan_file(random, f"p{number}", position)))
    if len({(problems[item.problem], item.plan) for item in seen}) > _MOST_DISTINCT:
        return None
    wording = random.randrange(2**32)
    return SmallCase(world, tuple(problems), tuple(grounded), tuple(plans), tuple(seen), wording)


def _draw_plan(random: Random, sas: SasTask, plans: tuple[Plan, ...]) -> Plan:
    """Short ones rather than long ones; one in ten goes round in a circle."""
    if random.random() < 0.1:
        loose = [plan for plan in with_loops(sas, 5, 60) if plan]
        if loose:
            return random.choice(loose)
    by_length = sorted(plans, key=len)
    return by_length[min(random.randrange(len(plans)), random.randrange(len(plans)))]
