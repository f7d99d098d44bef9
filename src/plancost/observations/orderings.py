"""Is there another valid plan with the same actions in another order?

Such a plan costs the same whatever the actions cost, so where orderings are told apart
a plan that has one is never strictly the cheapest. Top-k planners do not list it: they give
one ordering for all of the same actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from plancost.observations.planfile import Plan
from plancost.observations.replay import applicable
from plancost.observations.sas import SasTask, State

_MOST_DEAD_ENDS = 20_000


@dataclass(frozen=True)
class OtherOrdering:
    """Another ordering, or none; not `proven`: the search ended too early to know."""

    plan: Plan | None
    proven: bool


def other_ordering(task: SasTask, plan: Plan, known: Collection[Plan]) -> OtherOrdering:
    """A valid ordering of the plan's actions that is none of the known plans.

    The search gives up where there are many ways to begin of which none can be finished.
    """
    for ordering in _orderings(task, plan):
        if ordering is None:
            return OtherOrdering(None, proven=False)
        if ordering not in known:
            return OtherOrdering(ordering, proven=True)
    return OtherOrdering(None, proven=True)


def _orderings(task: SasTask, plan: Plan) -> Iterator[Plan | None]:
    """All valid orderings, depth first; what led nowhere once is not tried again.

    None at the end if it was given up.
    """
    left = Counter(plan)
    dead_ends: set[tuple[State, tuple[int, ...]]] = set()
    way: list[str] = []
    # For each step of the way, from the start on: the state before it, the actions
    # still to be tried there, and how many orderings had been found on arrival.
    open_nodes = [(task.initial_state, iter(sorted(left)), 0)]
    found = 0
    while open_nodes:
        state, untried, found_before = open_nodes[-1]
        name = next(untried, None)
        if name is None:
            if found == found_before:
                dead_ends.add((state, tuple(left.values())))
            open_nodes.pop()
            if way:
                left[way.pop()] += 1
            continue
        operator = applicable(task, task.operators_by_name[name], state)
        if not left[name] or operator is None:
            continue
        after = task.apply(operator, state)
        left[name] -= 1
        if len(way) + 1 == len(plan):
            if task.is_goal(after):
                found += 1
                yield (*way, name)
        elif (after, tuple(left.values())) not in dead_ends:
            if len(dead_ends) > _MOST_DEAD_ENDS:
                yield None
                return
            way.append(name)
            open_nodes.append((after, iter(sorted(left)), found))
            continue
        left[name] += 1
