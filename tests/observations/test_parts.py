"""Parts of a case, and the groups that a manifest names."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.observations.case import load_case
from plancost.observations.parts import named_groups, part_of_case
from plancost.results.pddl_out import folder_names


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
