from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plancost.errors import InputError, UsageError
from plancost.files import input_files
from plancost.files.input_files import read_text
from plancost.observations.files import find_case_files, natural_order


def folder(tmp_path: Path, *names: str) -> Path:
    for name in names:
        (tmp_path / name).write_text("")
    return tmp_path


def pairs(case: Path) -> list[tuple[str, str]]:
    return [(item.problem.name, item.plan.name) for item in find_case_files(case).observed]


def test_all_names_of_plans_and_the_longest_problem_wins(tmp_path: Path) -> None:
    case = folder(
        tmp_path,
        *("domain.pddl", "p.pddl", "p.1.pddl", "q.pddl", "unused.pddl", "notes.txt"),
        *("p.plan", "p.002.plan", "p.1.7.plan", "p.1.plan", "q.plan.3", "q.soln"),
    )
    assert sorted(pairs(case)) == [
        ("p.1.pddl", "p.1.7.plan"),
        ("p.1.pddl", "p.1.plan"),
        ("p.pddl", "p.002.plan"),
        ("p.pddl", "p.plan"),
        ("q.pddl", "q.plan.3"),
        ("q.pddl", "q.soln"),
    ]
    assert find_case_files(case).notes == ("unused.pddl has no observed plan and is not used",)


def test_plans_come_in_natural_order(tmp_path: Path) -> None:
    case = folder(tmp_path, "domain.pddl", "p.pddl", "p.10.plan", "p.9.plan")
    assert [plan for _, plan in pairs(case)] == ["p.9.plan", "p.10.plan"]
    assert natural_order("p10") > natural_order("p9")


def test_a_plan_without_a_problem(tmp_path: Path) -> None:
    case = folder(tmp_path, "domain.pddl", "p.pddl", "r.plan")
    with pytest.raises(InputError, match=r"r\.plan: no problem fits this plan; expected r\.pddl"):
        find_case_files(case)


@pytest.mark.parametrize("name", ["p.PLAN", "p.x.Plan", "p.SOLN", "p.Plan.7"])
def test_endings_in_any_case(tmp_path: Path, name: str) -> None:
    case = folder(tmp_path, "domain.pddl", "p.PDDL", name)
    assert pairs(case) == [("p.PDDL", name)]


def test_two_problems_of_one_name(tmp_path: Path) -> None:
    case = folder(tmp_path, "domain.pddl", "p.pddl", "p.PDDL", "p.plan")
    with pytest.raises(InputError, match=r"p\.pddl: p\.PDDL is called the same; rename one"):
        find_case_files(case)


def test_what_is_nearly_called_a_plan_is_noted(tmp_path: Path) -> None:
    case = folder(tmp_path, "domain.pddl", "p.pddl", "p.plan", "plan.txt", "p.planner.txt")
    assert find_case_files(case).notes == ()
    folder(tmp_path, "p.plan~", "p.plan.bak", "p.soln.2")
    notes = find_case_files(case).notes
    assert [note.partition(" ")[0] for note in notes] == ["p.plan.bak", "p.plan~", "p.soln.2"]
    assert all(note.partition(" ")[2].startswith("is not read: a plan is") for note in notes)


def test_a_folder_that_cannot_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(InputError, match=r"cannot look into this folder \(Permission denied\)"):
        find_case_files(folder(tmp_path, "domain.pddl"))


# Whatever is called like a plan or a problem of one is read, or named in an error


def to_nowhere(path: Path) -> None:
    path.symlink_to(path.parent / "nothing-there")


def in_a_circle(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("name", ["p.tuesday.plan", "p.plan.2", "p.soln", "p.PLAN", "p.1.pddl"])
@pytest.mark.parametrize(
    ("make", "why"),
    [
        (to_nowhere, "this link leads nowhere"),
        (in_a_circle, "Too many levels of symbolic links"),
        (Path.mkdir, "it is a folder"),
        (os.mkfifo, "nobody writes to this pipe"),
    ],
)
def test_what_is_no_file_is_not_passed_over(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    make: Callable[[Path], None],
    why: str,
) -> None:
    """A problem neither: p.1.plan belongs to p.1.pddl, readable or not, and never to p.pddl."""
    monkeypatch.setattr(input_files, "PATIENCE_S", 0.1)
    case = folder(tmp_path, "domain.pddl", "p.pddl", "p.plan", "p.1.plan")
    make(case / name)
    found = find_case_files(case).observed
    files = {file for item in found for file in (item.problem, item.plan)}
    assert case / name in files
    with pytest.raises(InputError) as caught:
        read_text(case / name)
    assert str(caught.value) == f"{case / name}: cannot read this file ({why})"


def test_missing_domain_folder_or_plans(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        find_case_files(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"domain\.pddl: a case folder needs"):
        find_case_files(tmp_path)
    with pytest.raises(InputError, match="no observed plans"):
        find_case_files(folder(tmp_path, "domain.pddl", "p.pddl"))


def manifest(tmp_path: Path, text: str) -> Path:
    folder(tmp_path, "domain.pddl", "p.pddl", "a.plan")
    path = tmp_path / "m.csv"
    path.write_bytes(text.encode())
    return path


def test_a_manifest(tmp_path: Path) -> None:
    path = manifest(tmp_path, "\ufeffproblem, plan,count,group\r\np.pddl,a.plan,3,mornings\r\n\r\n")
    (item,) = find_case_files(path, tmp_path / "domain.pddl").observed
    assert (item.problem.name, item.plan.name, item.count) == ("p.pddl", "a.plan", 3)
    assert (item.group, item.cost) == ("mornings", None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("problem\np.pddl\n", r"m\.csv:1: .*missing: plan"),
        ("problem,plan,colour\n", r"m\.csv:1: unknown column 'colour'"),
        ("problem,plan\np.pddl,none.plan\n", r"m\.csv:2: there is no file .*none\.plan"),
        ("problem,plan\np.pddl,\n", r"m\.csv:2: the plan is missing"),
        ("problem,plan,count\np.pddl,a.plan,0\n", r"m\.csv:2: count must be"),
        ("problem,plan\np.pddl,a.plan,1\n", r"m\.csv:2: this line has more fields"),
        ("problem,plan\n", r"m\.csv: this manifest lists no plans"),
        ("", r"m\.csv:1: the first line must name"),
    ],
)
def test_a_wrong_manifest(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_case_files(manifest(tmp_path, text), tmp_path / "domain.pddl")


def test_a_manifest_needs_a_domain(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="domain"):
        find_case_files(manifest(tmp_path, "problem,plan\n"))


def test_a_line_of_a_manifest_ends_as_lines_do(tmp_path: Path) -> None:
    """Another separator of Unicode is part of a name."""
    path = manifest(tmp_path, "problem,plan,group\np.pddl,a.plan,x\u2028\np.pddl,a\u2028.plan,x\n")
    folder(tmp_path, "a\u2028.plan")
    first, second = find_case_files(path, tmp_path / "domain.pddl").observed
    assert (first.plan.name, first.group) == ("a.plan", "x\u2028")
    assert (second.plan.name, second.place) == ("a\u2028.plan", (path, 3))


def test_a_plan_with_a_misspelt_name(tmp_path: Path) -> None:
    for name in ("domain.pddl", "weekday.pddl", "wekday.monday.plan"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"did you mean .*/weekday\.pddl\?$"):
        find_case_files(tmp_path)
    with pytest.raises(
        InputError, match=rf"no such folder or manifest; did you mean {tmp_path}\?$"
    ):
        find_case_files(tmp_path.with_name(f"{tmp_path.name}x"))
