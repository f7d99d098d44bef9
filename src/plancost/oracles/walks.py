"""Walks on a map: tasks whose only variable is the place where one is.

Such a task did not come from PDDL but from a graph of places (`observations.road_map`). Its
state graph is that graph, and need not be explored.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.observations.case import Task


@dataclass(frozen=True, eq=False)
class Moves:
    """All transitions, in the order of sources and then actions.

    Those that lead back to their own place are not among them but in `idle`, as in a
    `StateGraph`: numbers ``place * len(action_names) + action``, in increasing order.
    """

    action_names: tuple[str, ...]
    place_count: int
    source: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    action: npt.NDArray[np.int32]
    idle: npt.NDArray[np.int64]


def is_walk(task: Task) -> bool:
    """Whether it is a walk on a map. Those of one world have the same map."""
    return task.problem is None and len(task.sas.variables) == 1 and not task.sas.axioms


def walk_transitions(task: Task, actions: Collection[str] | None) -> Moves:
    """The map of a walk, with these actions only unless they are None."""
    names = sorted(task.actions if actions is None else task.actions & frozenset(actions))
    number = {name: position for position, name in enumerate(names)}
    moves, idle = [], []
    for operator in task.sas.operators:
        if operator.name not in number:
            continue
        place, action_number = operator.preconditions[0][1], number[operator.name]
        if operator.effects:
            moves.append((place, action_number, operator.effects[0].value))
        else:
            idle.append(place * len(names) + action_number)
    columns = np.array(sorted(moves), dtype=np.int32).reshape(-1, 3)
    source, action, target = (np.ascontiguousarray(column) for column in columns.T)
    return Moves(
        tuple(names),
        len(task.sas.variables[0].values),
        source,
        target,
        action,
        np.array(sorted(idle), dtype=np.int64),
    )
