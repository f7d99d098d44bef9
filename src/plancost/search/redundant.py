"""Can a plan do without some of its actions? Then the rest is cheaper, whatever actions cost.

Action elimination leaves out one step after the other, with all that cannot be applied without it,
wherever the goal is still reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from plancost.case.model import Network, Task, World
from plancost.case.plans import Simulator, State

Apply = Callable[[State, int], State | None]


@dataclass(frozen=True)
class Simulated:
    """What actions do in a world."""

    initial: Callable[[Task], State]
    apply: Apply

    def states(self, task: Task, actions: Sequence[int]) -> list[State]:
        """The states that a plan passes, the first one and the last one too."""
        found = [self.initial(task)]
        for action in actions:
            after = self.apply(found[-1], action)
            found.append(found[-1] if after is None else after)
        return found

    def solves(self, task: Task, actions: Sequence[int]) -> bool:
        """Whether actions are a plan of a task."""
        taken, end = _followed(self.apply, self.initial(task), actions, range(len(actions)))
        return len(taken) == len(actions) and _is_goal(task, end)


def needed_steps(world: World, task: Task, actions: Sequence[int]) -> list[int]:
    """The steps of a plan that are left when all that can be left out is; all if none can."""
    simulation = simulated(world)
    apply, state = simulation.apply, simulation.initial(task)
    needed: list[int] = []
    left = list(range(len(actions)))
    while left:
        rest, end = _followed(apply, state, actions, left[1:])
        if _is_goal(task, end):
            left = rest
            continue
        after = apply(state, actions[left[0]])
        state = state if after is None else after  # a state in which nothing is true is false
        needed.append(left.pop(0))
    return needed


@lru_cache(maxsize=4)
def simulated(world: World) -> Simulated:
    """What actions do, of PDDL or of streets; kept, as it is asked for each plan of a world."""
    if not isinstance(world, Network):
        simulator = Simulator(world)
        return Simulated(simulator.initial, simulator.apply)
    steps = zip(world.source.tolist(), world.action.tolist(), strict=True)
    target = dict(zip(steps, world.target.tolist(), strict=True))

    def move(state: State, action: int) -> State | None:
        (place,) = state
        found = target.get((place, action))
        return None if found is None else frozenset({found})

    return Simulated(lambda task: task.initial, move)


def _is_goal(task: Task, state: State) -> bool:
    return state <= task.goal_states if task.goal_states else task.goal.holds(state)


def _followed(
    apply: Apply, state: State, actions: Sequence[int], steps: Sequence[int]
) -> tuple[list[int], State]:
    """Those of some steps that can be applied one after the other, and where they lead."""
    taken = []
    for step in steps:
        after = apply(state, actions[step])
        if after is not None:
            state = after
            taken.append(step)
    return taken, state
