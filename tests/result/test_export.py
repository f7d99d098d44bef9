from __future__ import annotations

import importlib.util
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from plancost.case.costs import with_costs
from plancost.case.model import Case
from plancost.case.read import pddl_case, read_case
from plancost.errors import InputError
from plancost.result.export import export_pddl

TOWN = """; a town
(define (domain town) (:requirements :strips :typing)
  (:types place) (:predicates (at ?p - place) (path ?a ?b - place) (seen ?p - place) (cost-look))
  (:functions (length ?a ?b - place) - number) ; of paths
  (:action walk :parameters (?A ?b - place) :precondition (and (at ?a) (path ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b))))
  (:action look :parameters (?p - place) :precondition (at ?p) :effect (seen ?p))
  (:action turn :parameters () :effect (and (when (cost-look) (increase (total-cost) 4))))
  (:action wait :parameters (?p - place) :precondition (at ?p))
)"""
SCHOOL = """(define (problem school) (:domain town) (:objects Home hill school - place)
  (:init (at HOME) (path home hill) (path hill school) (path home school)
    (= (length home hill) 1.5) (= (total-cost) 3) (= (length hill school) 2))
  (:goal (and (at school) (seen hill)))
  (:metric minimize (total-cost)))"""
PLAN = "(walk home hill)\n(look hill)\n(walk hill school)\n"


ALL = ("--keep-unimportant-variables", "--keep-no-ops")


def translated(folder: Path, problem: str, *options: str) -> dict[str, list[int]]:
    """The operators that Fast Downward's translator finds, with their costs."""
    command = [sys.executable, "-m", "fast_downward.translate", *options, "domain.pddl", problem]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    text = (folder / "output.sas").read_text()
    found: dict[str, list[int]] = {}
    for block in re.findall(r"begin_operator\n(.*?)\nend_operator", text, re.DOTALL):
        lines = block.splitlines()
        found.setdefault(f"({lines[0].strip()})", []).append(int(lines[-1]))
    return found


def learned(case: Case) -> dict[str, int]:
    chosen = random.Random(1)
    return {action: chosen.randrange(1, 50) for action in case.actions}


def test_the_translator_finds_the_same_operators_with_the_new_costs(tmp_path: Path) -> None:
    case = pddl_case({"school": SCHOOL}, {"school": [PLAN]}, domain=TOWN)
    costs = learned(case)
    paths = export_pddl(case, list(costs.values()), tmp_path)
    assert [path.name for path in paths] == ["domain.pddl", "school.pddl"]
    found = translated(tmp_path, "school.pddl", *ALL)
    assert found == {action: [cost] for action, cost in costs.items()}
    assert "; of paths" in paths[0].read_text()

    found_planner = importlib.util.find_spec("up_fast_downward")
    assert found_planner is not None and found_planner.origin is not None
    (planner,) = Path(found_planner.origin).parent.rglob("release/bin/downward")
    command = [str(planner), "--search", "astar(blind())"]
    translated(tmp_path, "school.pddl")
    with (tmp_path / "output.sas").open() as task:
        done = subprocess.run(command, stdin=task, cwd=tmp_path, capture_output=True, text=True)
    steps = PLAN.splitlines()
    assert f"Plan cost: {sum(costs[step] for step in steps)}" in done.stdout

    (tmp_path / "school.plan").write_text(PLAN)
    again = read_case(tmp_path)
    assert again.actions == case.actions
    known = with_costs(again, refine=True).costs.initial
    assert known is not None and dict(zip(again.actions, known.tolist(), strict=True)) == costs
    assert again.worlds[0].operators == case.worlds[0].operators  # type: ignore[union-attr]


def test_a_second_export_replaces_the_costs_of_the_first(tmp_path: Path) -> None:
    case = pddl_case({"school": SCHOOL}, {"school": [PLAN]}, domain=TOWN)
    export_pddl(case, [5] * len(case.actions), tmp_path / "first")
    (tmp_path / "first" / "school.plan").write_text(PLAN)
    again = read_case(tmp_path / "first")
    export_pddl(again, [8] * len(case.actions), tmp_path / "second")
    assert translated(tmp_path / "second", "school.pddl", *ALL) == {
        name: [8] for name in case.actions
    }


def test_inputs_are_never_overwritten(tmp_path: Path) -> None:
    files = {"domain.pddl": TOWN, "school.pddl": SCHOOL, "school.plan": PLAN}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    case = read_case(tmp_path)
    with pytest.raises(InputError):
        export_pddl(case, [1] * len(case.actions), tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files


def test_further_tasks_cost_what_was_learned_and_else_one(tmp_path: Path) -> None:
    case = pddl_case({"school": SCHOOL}, {"school": [PLAN]}, domain=TOWN)
    more = SCHOOL.replace("(path home school)", "(path school home)")
    (tmp_path / "more.pddl").write_text(more)
    out = tmp_path / "out"
    export_pddl(case, [6] * len(case.actions), out, tasks=tmp_path / "more.pddl")
    found = translated(out, "more.pddl")
    assert found["(walk school home)"] == [1]
    assert found["(walk hill school)"] == [6]


def test_problems_of_one_name_from_two_folders_are_both_written(tmp_path: Path) -> None:
    problems = {"a/school.pddl": SCHOOL, "b/School.pddl": SCHOOL}
    case = pddl_case(problems, {name: [PLAN] for name in problems}, domain=TOWN)
    paths = export_pddl(case, [1] * len(case.actions), tmp_path)
    assert len({path.name.lower() for path in paths}) == 3
