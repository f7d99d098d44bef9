"""Grid cases as in the paper: plans drawn at random from SymK's cheapest hundred."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from plancost.clock import Deadline
from plancost.observations.case import Task
from plancost.observations.grounding import ground
from plancost.observations.pddl import parse_domain, parse_problem, task_key, world_key
from plancost.observations.planfile import Plan, write_plan
from plancost.oracles.alternatives import find_alternatives
from plancost.oracles.cache import PlanCache
from plancost.processes import Limits

DOMAIN = """(define (domain grid)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates (at ?c - cell) (next ?a ?b - cell))
  (:action move
    :parameters (?a ?b - cell)
    :precondition (and (at ?a) (next ?a ?b))
    :effect (and (not (at ?a)) (at ?b))))
"""


def grid_problem(side: int, start: tuple[int, int], goal: tuple[int, int]) -> str:
    """From one cell of a square grid to another."""
    cells = [(x, y) for x in range(side) for y in range(side)]
    edges = [
        f"(next {_name((x, y))} {_name((x + dx, y + dy))})"
        for x, y in cells
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if (x + dx, y + dy) in set(cells)
    ]
    return (
        f"(define (problem grid) (:domain grid) (:objects {' '.join(map(_name, cells))} - cell)\n"
        f"  (:init (at {_name(start)}) {' '.join(edges)})\n  (:goal (at {_name(goal)})))\n"
    )


def write_grid_cases(
    folder: Path, side: int, tasks: int, sizes: Iterable[int], cases: int, seed: int
) -> dict[int, list[Path]]:
    """Draw cases of each size from one pool; the folders by size."""
    generator = random.Random(seed)
    pool: list[tuple[int, Plan]] = []
    problems: list[str] = []
    while len(problems) < tasks:
        start, goal = ((generator.randrange(side), generator.randrange(side)) for _ in range(2))
        if start == goal:
            continue
        problems.append(grid_problem(side, start, goal))
        pool += [(len(problems) - 1, plan) for plan in _plans(problems[-1])]
    written: dict[int, list[Path]] = {}
    for size in sizes:
        for number in range(cases):
            case = folder / f"grid-{side}-{size}-{number}"
            case.mkdir(parents=True)
            (case / "domain.pddl").write_text(DOMAIN)
            for position, (task, plan) in enumerate(generator.sample(pool, size)):
                (case / f"p{task}.pddl").write_text(problems[task])
                (case / f"p{task}.{position:04d}.plan").write_text(write_plan(plan))
            written.setdefault(size, []).append(case)
    return written


def _plans(text: str) -> tuple[Plan, ...]:
    domain, problem = parse_domain(DOMAIN), parse_problem(text)
    sas = ground(domain, problem, Limits())
    task = Task(problem, sas, task_key(domain, problem), world_key(domain, problem))
    costs = dict.fromkeys(task.actions, 1)
    return find_alternatives(task, costs, 100, cache=PlanCache(None), deadline=Deadline()).plans


def _name(cell: tuple[int, int]) -> str:
    return f"c{cell[0]}-{cell[1]}"
