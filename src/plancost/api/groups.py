"""Groups that the manifest names: cases of their own, learned and checked one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from plancost.learning.problem.part import part_of_task
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.results.joined import join_groups
from plancost.results.result import Result

One = Callable[[int, LearningTask, Run], Result]
"""Learns or checks one group, given its number, its own learning task and its own run."""


def each_by_itself(
    run: Run, task: LearningTask, groups: Mapping[str, Sequence[int]], one: One
) -> Result:
    """Learn or check every named group as a case of its own, and join what comes out.

    Each may use the part of the time that its plans are of those that are left.
    """
    parts = []
    left = len(task.case.observations)
    for number, (name, members) in enumerate(groups.items()):
        if not members:
            continue  # a file may have a group that no plan of this case belongs to
        own = run.share(len(members) / left)
        left -= len(members)
        part = part_of_task(task, members, own.deadline)
        parts.append((name, members, one(number, part, own.on(part.case))))
    return join_groups(run, task, parts)
