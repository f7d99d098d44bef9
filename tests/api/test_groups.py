"""Groups that are named are cases of their own, and share the time by their plans."""

from __future__ import annotations

import pytest

from conftest import TABLE_1, WriteGraphCase
from plancost.api.groups import each_by_itself
from plancost.api.pipeline import not_learned
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.observations.case import load_case
from plancost.results.result import Result
from plancost.system.clock import Deadline


@pytest.fixture
def task(write_graph_case: WriteGraphCase) -> LearningTask:
    case = load_case(write_graph_case(TABLE_1, ["abd", "acef", "cef", "df"]))
    return LearningTask(case, Concept(), None)


def test_each_group_has_its_own_plans_run_and_time(task: LearningTask) -> None:
    seen: list[tuple[int, list[str], float]] = []

    def one(number: int, part: LearningTask, own: Run) -> Result:
        remaining = own.deadline.remaining()
        assert remaining is not None
        plans = [observation.plan_file.name for observation in part.case.observations]
        seen.append((number, plans, remaining))
        assert len(own.oracles.graphs.groups) >= 1
        return not_learned(own, part)

    run = Run.of(task.case, LearnOptions(), Deadline.after(100.0))
    groups = {"mara": [3, 0, 1], "nobody": [], "ole": [2]}
    result = each_by_itself(run, task, groups, one)
    assert [(number, plans) for number, plans, _ in seen] == [
        (0, ["p4.plan", "p1.plan", "p2.plan"]),
        (2, ["p3.plan"]),
    ]
    assert seen[0][2] == pytest.approx(75, abs=5)
    assert seen[1][2] == pytest.approx(100, abs=5), "all that the first has left"
    assert [group.name for group in result.groups] == ["mara", "ole"]
    assert [group.plans for group in result.groups] == [3, 1]
    assert [item.group for item in result.observations] == ["mara", "mara", "ole", "mara"]
    names = [item.plan_file.name for item in task.case.observations]
    assert [str(item.plan).rpartition("/")[2] for item in result.observations] == names
    assert set(result.costs) == set(task.case.actions)
