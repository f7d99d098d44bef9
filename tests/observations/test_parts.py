"""Cases out of cases."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from conftest import TABLE_1, WriteGraphCase
from plancost.observations import case as case_module
from plancost.observations.case import Case, Task, case_from_files, load_case
from plancost.observations.files import find_case_files
from plancost.observations.parts import joined, part_of
from plancost.observations.planfile import Plan
from support.small_tasks import cases


@settings(max_examples=60, deadline=None)
@given(cases())
def test_joined_parts_are_the_whole(found: tuple[Case, list[list[Plan]]]) -> None:
    case, _ = found
    again = joined([part_of(case, [number]) for number in range(len(case.observations))])
    assert again.actions == case.actions
    assert {task.key for task in again.tasks} == {task.key for task in case.tasks}
    assert len(again.tasks) == len(case.tasks)
    for one, other in zip(again.observations, case.observations, strict=True):
        assert one.plan == other.plan
        assert again.tasks[one.task] is case.tasks[other.task]


def test_problems_follow_their_tasks(write_graph_case: WriteGraphCase) -> None:
    case = load_case(write_graph_case(TABLE_1, ["abd", "acef", "abd"]))
    assert len(case.tasks) == 2
    part = part_of(case, [1])
    assert [(problem.path.name, task) for problem, task in part.problems] == [("p2.pddl", 0)]
    both = joined([part, part_of(case, [2, 0])])
    names = {problem.path.name: both.tasks[task].key for problem, task in both.problems}
    assert set(names) == {"p1.pddl", "p2.pddl", "p3.pddl"}
    assert names["p1.pddl"] == names["p3.pddl"] != names["p2.pddl"]


def test_known_tasks_are_not_grounded_again(table_1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, Task] = {}
    first = case_from_files(find_case_files(table_1), known=known)
    assert len(known) == 2
    monkeypatch.setattr(case_module, "ground", None)
    again = case_from_files(find_case_files(table_1), known=known)
    assert [task is other for task, other in zip(first.tasks, again.tasks, strict=True)] == [
        True,
        True,
    ]
