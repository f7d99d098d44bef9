"""Predictions against dense algebra and enumeration, of other tasks, and as files."""

from __future__ import annotations

import csv
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chances import UNITS, Chances, as_result, drawn, whole
from plancost import InputError, predict, read_case
from towns import BY_HILL, BY_RIVER, PDDL, PROBLEM, STREETS, command, write


def rows_of(table: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(table.read_text().splitlines()))


@pytest.mark.parametrize("seed", range(4))
def test_plans_and_probabilities_are_those_of_all_walks(seed: int) -> None:
    case, costs = drawn(seed, 12)
    truth = Chances(case, costs)
    found = predict(case, as_result(case, whole(case, costs)), alternatives=5)
    number = {task.name: n for n, task in enumerate(case.tasks)}
    action = {name: n for n, name in enumerate(case.actions)}
    for name, task in number.items():
        plans = [plan for plan in found.plans if plan.task == name]
        assert [plan.rank for plan in plans] == [1, 2, 3, 4, 5]
        assert [plan.cost for plan in plans] == truth.cheapest(task, 5)
        assert len({plan.actions for plan in plans}) == 5
        uses = truth.uses(task)
        for plan in plans:
            links = [action[link] for link in plan.actions]
            assert plan.cost == sum(whole(case, costs)[link] for link in plan.actions)
            chance = math.exp(-costs[links].sum() - truth.log_z(task))
            assert plan.probability == pytest.approx(chance, rel=1e-4)
            assert plan.hits == pytest.approx(np.minimum(1, uses[links]).mean(), abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_as_defined(seed: int) -> None:
    case, costs = drawn(seed, 12)
    case = replace(
        case,
        observations=tuple(replace(o, count=1 + n % 3) for n, o in enumerate(case.observations)),
    )
    truth = Chances(case, costs)
    found = predict(case, as_result(case, whole(case, costs)))
    first = {plan.task: plan for plan in found.plans}
    values, counts = [], []
    for item in case.observations:
        plan = first[case.tasks[item.task].name]
        own = [case.actions[action] for action in item.actions]
        common = sum((Counter(own) & Counter(plan.actions)).values())
        spent = costs[list(item.actions)].sum()
        values.append(
            (
                2 * common / (len(own) + len(plan.actions)),
                tuple(own) == plan.actions,
                round(UNITS * spent) == plan.cost,
                -spent - truth.log_z(item.task),
            )
        )
        counts.append(item.count)
        assert item.name in plan.observed
    scores = found.scores
    assert scores is not None
    assert scores.plans == sum(counts)
    told = (scores.overlap, scores.exact, scores.optimal, scores.log_likelihood)
    assert told == pytest.approx(np.average(values, axis=0, weights=counts), abs=1e-4)


def test_infinite_sums_are_told() -> None:
    case, _ = drawn(6, 12)
    found = predict(case, as_result(case, dict.fromkeys(case.actions, 1)))
    assert any("no probabilities" in note for note in found.notes)
    assert all(plan.probability is None for plan in found.plans)


def test_an_action_that_nobody_has_seen_costs_as_its_schema(tmp_path: Path) -> None:
    case = read_case(write(tmp_path / "case", PDDL))
    costs = {name: 150 for name in case.actions if "hill" not in name}
    found = predict(case, as_result(case, costs))
    assert found.plans[0].cost == 300
    assert any("have that of similar ones" in note for note in found.notes)


def test_problems_of_pddl(tmp_path: Path) -> None:
    case = read_case(write(tmp_path / "case", PDDL))
    result = as_result(case, dict.fromkeys(case.actions, 150))
    other = {
        "bridge.pddl": PROBLEM.replace("(:goal (at school))", "(:goal (at bridge))"),
        "home.pddl": PROBLEM.replace("(:goal (at school))", "(:goal (at home))"),
    }
    tasks = write(tmp_path / "tasks", other)
    found = predict(case, result, tasks)
    assert [(p.task, p.cost, p.actions) for p in found.plans] == [
        ("bridge.pddl", 300, tuple(BY_RIVER.splitlines()[:2])),
        ("home.pddl", 0, ()),
    ]
    assert found.plans[0].probability == pytest.approx(1, abs=1e-6)
    assert found.scores is None
    assert predict(case, result, tasks / "bridge.pddl").plans[0] == found.plans[0]
    back = PROBLEM.replace("(at home)", "(at school)").replace("(:goal (at school))", "{}")
    (tasks / "home.pddl").write_text(back.format("(:goal (at home))"))
    less = predict(case, result, tasks)
    assert [plan.task for plan in less.plans] == ["bridge.pddl"]
    assert any("home.pddl" in note and "no plan" in note for note in less.notes)


def test_pairs_of_places_and_other_trips(tmp_path: Path) -> None:
    case = read_case(write(tmp_path / "case", STREETS))
    result = as_result(case, {"r1": 100, "r2": 110, "h": 250})
    table = tmp_path / "tasks.csv"
    table.write_text("from,to\nriver,school\nhome,school\nschool,home\n")
    found = predict(case, result, table)
    assert [(plan.task, plan.actions) for plan in found.plans] == [
        ("river -> school", ("r2",)),
        ("home -> school", ("r1", "r2")),
    ]
    both = math.exp(-2.1), math.exp(-2.5)
    assert found.plans[1].probability == pytest.approx(both[0] / sum(both))
    assert found.notes == ("1 tasks have no plan: school -> home",)
    table.write_text("trip,links,count\na,h,1\nb,r1 r2,3\n")
    scored = predict(case, result, table).scores
    assert scored is not None
    assert (scored.plans, scored.exact) == (4, 0.75)
    likelihood = (math.log(both[1]) + 3 * math.log(both[0])) / 4 - math.log(sum(both))
    assert scored.log_likelihood == pytest.approx(likelihood, abs=1e-5)
    for wrong, words in (("from,to\nriver,moon\n", "moon"), ("a,b\n1,2\n", "from and to")):
        table.write_text(wrong)
        with pytest.raises(InputError, match=words):
            predict(case, result, table)


def test_groups_have_predictions_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trips = "trip,links,group\na,r1 r2,early\nb,h,late\n"
    case = write(tmp_path / "case", STREETS, {"trips.csv": trips})
    result, table, output = tmp_path / "R.json", tmp_path / "tasks.csv", tmp_path / "out.csv"
    assert command(capsys, "learn", case, "--output", result, "--solution", "scf").status == 0
    shown = command(capsys, "predict", case, result, "--output", output)
    assert "early" in shown.out
    assert "late" in shown.out
    rows = rows_of(output)
    assert [(row["trip"], row["links"]) for row in rows] == [("a", "r1 r2"), ("b", "h")]
    table.write_text("from,to\nhome,school\n")
    command(capsys, "predict", case, result, "--tasks", table, "--output", output)
    rows = rows_of(output)
    told = [(row["from"], row["to"], row["group"], row["links"]) for row in rows]
    assert told == [("home", "school", "early", "r1 r2"), ("home", "school", "late", "h")]


def test_files_of_plans_are_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case, result = write(tmp_path / "case", PDDL), tmp_path / "R.json"
    command(capsys, "learn", case, "--output", result)
    output = tmp_path / "plans"
    for _ in range(2):  # what is ours is replaced
        done = command(capsys, "predict", case, result, "--alternatives", 2, "--output", output)
        assert (done.status, done.err) == (0, "")
    rows = rows_of(output / "predictions.csv")
    assert [row["plan"] for row in rows] == ["school.1.plan", "school.2.plan"]
    for name in ("domain.pddl", "school.pddl"):
        (output / name).write_text(PDDL[name])
    again = read_case(output)
    assert len(again.observations) == 2
    texts = {(output / row["plan"]).read_text().partition(";")[0] for row in rows}
    assert texts == {BY_HILL, BY_RIVER}


def test_no_input_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    streets = write(tmp_path / "streets", STREETS)
    pddl = write(tmp_path / "pddl", PDDL)
    costs = tmp_path / "costs.json"
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.*") if file.is_file()}
    for case, name, output in (
        (streets, "r1", streets / "trips.csv"),
        (streets, "r1", streets),
        (streets, "r1", tmp_path / "none" / "out.csv"),
        (pddl, "(walk home hill)", pddl),
        (pddl, "(walk home hill)", pddl / "domain.pddl"),
    ):
        costs.write_text(f'{{"{name}": 2}}')
        done = command(capsys, "predict", case, costs, "--output", output)
        assert done.status == 1
        assert done.err.count("\n") == 1
    assert {file: file.read_bytes() for file in before} == before


def test_no_plan_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case, costs = write(tmp_path / "case", STREETS), tmp_path / "costs.json"
    costs.write_text('{"r1": 2}')
    table = tmp_path / "tasks.csv"
    table.write_text("from,to\nschool,home\n")
    done = command(capsys, "predict", case, costs, "--tasks", table)
    assert done.status == 3
    assert "no plan" in done.out
