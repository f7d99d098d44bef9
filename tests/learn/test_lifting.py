"""One action may lead from many states: a stretch is the same only from the same state."""

from __future__ import annotations

import numpy as np

from plancost.case.model import Case, Network, Observation, Task, plain_model
from plancost.clock import Clock
from plancost.learn.conflict import Conflict
from plancost.learn.feasibility import Feasibility
from plancost.learn.run import learn_costs
from plancost.learn.separation import Separations
from plancost.learn.task import LearningTask
from plancost.options import LearnOptions
from plancost.progress import silent

X, Y, Z = 0, 1, 2


def test_same_actions_from_another_state_have_other_alternatives() -> None:
    # From 0 to 2 by x and y, or by z; from 3 to 5 by x and y only.
    ways = np.array([(0, 1, X), (1, 2, Y), (0, 2, Z), (3, 4, X), (4, 5, Y)]).T
    world = Network(tuple("abcdef"), *ways)
    tasks = (
        Task("first", 0, frozenset({0}), goal_states=frozenset({2})),
        Task("second", 0, frozenset({3}), goal_states=frozenset({5})),
    )
    seen = (
        Observation("round", 0, (X, Y)),
        Observation("straight", 0, (Z,), count=5),
        Observation("alone", 1, (X, Y)),
    )
    names = ("x", "y", "z")
    case = Case("lifting", names, (world,), tasks, seen, plain_model(names))
    learned = learn_costs(case, LearnOptions(solution="scf"), Clock(30), silent)
    assert learned.claimed == (False, True, True)
    assert learned.upper_bound == 6


def test_plans_of_other_tasks_are_not_impossible_with_one() -> None:
    # A plan that goes round is impossible alone; on another task the same actions lead on.
    ways = np.array([(0, 1, X), (1, 0, Y), (2, 3, X), (3, 4, Y), (4, 5, X)]).T
    tasks = (
        Task("round", 0, frozenset({0}), goal_states=frozenset({1})),
        Task("on", 0, frozenset({2}), goal_states=frozenset({5})),
    )
    seen = tuple(Observation(own.name, n, (X, Y, X)) for n, own in enumerate(tasks))
    world, names = Network(tuple("abcdef"), *ways), ("x", "y")
    case = Case("alone", names, (world,), tasks, seen, plain_model(names))
    assert _refuted_alone(case) == (frozenset([0]),)


def test_plans_with_other_actions_are_not_impossible_with_one() -> None:
    # The same on one task: the plan that gets there has an action that the other has not.
    ways = np.array([(0, 1, X), (1, 0, Y), (0, 2, Z), (2, 3, X), (3, 4, Y), (4, 1, X)]).T
    task = Task("there", 0, frozenset({0}), goal_states=frozenset({1}))
    seen = (Observation("round", 0, (X, Y, X)), Observation("far", 0, (Z, X, Y, X)))
    world, names = Network(tuple("abcde"), *ways), ("x", "y", "z")
    case = Case("alone", names, (world,), (task,), seen, plain_model(names))
    assert _refuted_alone(case) == (frozenset([0]),)


def _refuted_alone(case: Case) -> tuple[frozenset[int], ...]:
    """Whom the conflict excludes that the first plan is in by itself."""
    task, options, clock = LearningTask(case, LearnOptions()), LearnOptions(), Clock(30)
    separation, _ = Separations(task, options).of_used([0], clock, lambda _: None)
    found = Feasibility(task, separation, clock).decide([0])
    assert isinstance(found, Conflict)
    return found.classes
