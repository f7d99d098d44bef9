"""Can a plan do without some of its actions? Then the rest is cheaper, whatever actions cost.

Action elimination leaves out one step after the other, with all that cannot be applied without it,
wherever the goal is still reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plancost.case.model import Network, Task, World
from plancost.case.plans import Simulator, State

Apply = Callable[[State, int], State | None]


def needed_steps(world: World, task: Task, actions: Sequence[int]) -> list[int]:
    """The steps of a plan that are left when all that can be left out is; all if none can."""
    state, apply = simulated(world, task)
    needed: list[int] = []
    left = list(range(len(actions)))
    while left:
        rest, end = _followed(apply, state, actions, left[1:])
        if end <= task.goal_states if isinstance(world, Network) else task.goal.holds(end):
            left = rest
            continue
        state = apply(state, actions[left[0]]) or state
        needed.append(left.pop(0))
    return needed


def simulated(world: World, task: Task) -> tuple[State, Apply]:
    """Where a task begins, and what actions do."""
    if not isinstance(world, Network):
        simulator = Simulator(world)
        return simulator.initial(task), simulator.apply
    steps = zip(world.source.tolist(), world.action.tolist(), strict=True)
    target = dict(zip(steps, world.target.tolist(), strict=True))

    def move(state: State, action: int) -> State | None:
        (place,) = state
        found = target.get((place, action))
        return None if found is None else frozenset({found})

    return task.initial, move


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
