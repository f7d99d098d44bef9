"""Parts of a case, cases joined, and the groups that a manifest names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from conftest import TABLE_1, WriteGraphCase
from plancost.errors import InputError
from plancost.observations import case as case_module
from plancost.observations.case import Case, Task, case_from_files, load_case
from plancost.observations.files import find_case_files
from plancost.observations.parts import joined, named_groups, part_of_case
from plancost.observations.planfile import Plan
from plancost.results.pddl_out import folder_names
from support.small_tasks import cases


def manifest(case: Path, *lines: str) -> Path:
    path = case / "m.csv"
    path.write_text("\n".join(["problem,plan,group", *lines]))
    return path


def test_a_part_is_what_the_same_files_alone_would_be(table_1: Path) -> None:
    whole = load_case(table_1)
    part = part_of_case(whole, [1])
    (table_1 / "p1.plan").unlink()
    alone = load_case(table_1)
    assert part.observations == alone.observations
    assert [task.key for task in part.tasks] == [task.key for task in alone.tasks]
    assert part.actions == alone.actions
    assert [(p.path, n) for p, n in part.problems] == [(p.path, n) for p, n in alone.problems]


def test_a_problem_without_plans_of_the_part_is_left_out(table_1: Path) -> None:
    """Two files of one task: only the file that the part's plans name stays."""
    (table_1 / "copy.pddl").write_text((table_1 / "p1.pddl").read_text())
    (table_1 / "copy.plan").write_text((table_1 / "p1.plan").read_text())
    whole = load_case(table_1)
    assert len(whole.tasks) == 2
    part = part_of_case(whole, [1, 2])
    assert [problem.path.name for problem, _ in part.problems] == ["p1.pddl", "p2.pddl"]


def test_groups_in_the_order_of_the_manifest(table_1: Path) -> None:
    lines = ["p2.pddl,p2.plan,late", "p1.pddl,p1.plan,early", "p2.pddl,p2.plan,late"]
    case = load_case(manifest(table_1, *lines), domain=table_1 / "domain.pddl")
    assert named_groups(case) == {"late": [0, 2], "early": [1]}
    assert list(named_groups(case)) == ["late", "early"]
    assert named_groups(load_case(table_1)) == {}


def test_all_plans_have_a_group_or_none(table_1: Path) -> None:
    path = manifest(table_1, "p2.pddl,p2.plan,late", "p1.pddl,p1.plan,")
    case = load_case(path, domain=table_1 / "domain.pddl")
    with pytest.raises(InputError, match=r"p1\.plan: this plan has no group"):
        named_groups(case)


def test_folders_for_all_kinds_of_names() -> None:
    names = ["a b", "a/b", "..", "Tür", "A_B", "x", "../x"]
    folders = folder_names(names)
    assert folders == ["a_b", "a_b-2", "_", "Tür", "A_B-3", "x", "_x"]


@settings(max_examples=60, deadline=None)
@given(cases())
def test_joined_parts_are_the_whole(found: tuple[Case, list[list[Plan]]]) -> None:
    case, _ = found
    again = joined([part_of_case(case, [number]) for number in range(len(case.observations))])
    assert again.actions == case.actions
    assert {task.key for task in again.tasks} == {task.key for task in case.tasks}
    assert len(again.tasks) == len(case.tasks)
    for one, other in zip(again.observations, case.observations, strict=True):
        assert one.plan == other.plan
        assert again.tasks[one.task] is case.tasks[other.task]


def test_problems_follow_their_tasks(write_graph_case: WriteGraphCase) -> None:
    case = load_case(write_graph_case(TABLE_1, ["abd", "acef", "abd"]))
    assert len(case.tasks) == 2
    part = part_of_case(case, [1])
    assert [(problem.path.name, task) for problem, task in part.problems] == [("p2.pddl", 0)]
    both = joined([part, part_of_case(case, [2, 0])])
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
