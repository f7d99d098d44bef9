"""Problems and plans of unified-planning in and out, with the real library and its engines."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from unified_planning import shortcuts as up
from unified_planning.io import PDDLReader
from unified_planning.plans import ActionInstance, PartialOrderPlan, SequentialPlan

import plancost

PLACE = up.UserType("Place")
AT = up.Fluent("At", up.BoolType(), p=PLACE)
ROAD = up.Fluent("road", up.BoolType(), a=PLACE, b=PLACE)
LENGTH = up.Fluent("length", up.IntType(), a=PLACE, b=PLACE)
# Names that PDDL cannot tell apart, or has words for.
NAMES = {"a": "A", "b": "a", "c": "The Park", "d": "the-park", "e": "object", "f": "7th/Main"}
KNOWN = {"ab": 2, "ac": 2, "bd": 1, "cd": 2, "ce": 2, "df": 1, "ef": 2}
ROADS = {way: length for one, length in KNOWN.items() for way in (one, one[::-1])}


def task(ends: str, *others: str, costs: bool = False) -> Any:
    """Table 1 of the paper as a problem, perhaps with further objects or known costs."""
    move = up.InstantaneousAction("Drive To", a=PLACE, b=PLACE)
    for condition in (AT(move.a), ROAD(move.a, move.b)):
        move.add_precondition(condition)
    move.add_effect(AT(move.a), False)
    move.add_effect(AT(move.b), True)
    problem = up.Problem(f"from {ends}")
    for fluent in (AT, ROAD):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_fluent(LENGTH, default_initial_value=0)
    problem.add_action(move)
    at = {letter: problem.add_object(name, PLACE) for letter, name in NAMES.items()}
    for name in others:
        problem.add_object(name, PLACE)
    for way, length in ROADS.items():
        problem.set_initial_value(ROAD(*(at[end] for end in way)), True)
        problem.set_initial_value(LENGTH(*(at[end] for end in way)), length)
    problem.set_initial_value(AT(at[ends[0]]), True)
    problem.add_goal(AT(at[ends[1]]))
    if costs:
        problem.add_quality_metric(up.MinimizeActionCosts({move: LENGTH(move.a, move.b)}))
    return problem


def route(problem: Any, places: str) -> Any:
    at = [up.ObjectExp(problem.object(NAMES[place])) for place in places]
    pairs = itertools.pairwise(at)
    return SequentialPlan([ActionInstance(problem.actions[0], pair) for pair in pairs])


def table(**options: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two observations of Table 1."""
    problems = {"d": task("ad", **options), "f": task("af", "place", "The  park", **options)}
    return problems, {"d": route(problems["d"], "abd"), "f": [route(problems["f"], "acef")]}


@pytest.mark.parametrize(
    ("solution", "refine", "value"),
    [("mcf", False, 14), ("scf", False, 16), ("mcf", True, 2), ("scf", True, 3)],
)
def test_the_numbers_of_the_paper(solution: str, refine: bool, value: int) -> None:
    case = plancost.pddl_case(*table(costs=refine))
    result = plancost.learn(case, solution=solution, refine=refine)
    assert (result.optimal_plans, result.proved, len(result.costs)) == (2, True, len(ROADS))
    assert result.secondary is not None and result.secondary.value == value


@pytest.mark.parametrize("engine", ["fast-downward-opt", "symk-opt"])
def test_engines_find_the_observed_plans(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # engines leave files where they run
    problems, plans = table()
    result = plancost.learn(plancost.pddl_case(problems, plans), solution="scf")
    up.get_environment().credits_stream = None
    for problem, plan in ((problems["d"], plans["d"]), (problems["f"], plans["f"][0])):
        with up.OneshotPlanner(name=engine) as planner:
            assert planner.solve(plancost.with_costs(problem, result)).plan == plan
    assert not problems["d"].quality_metrics


def test_costs_out_and_in_again_are_the_same() -> None:
    problems, plans = table(costs=True)
    result = plancost.learn(plancost.pddl_case(problems, plans), refine=True)
    priced = {name: plancost.with_costs(own, result) for name, own in problems.items()}
    again = plancost.learn(plancost.pddl_case(priced, plans), refine=True)
    assert again.secondary is not None and again.secondary.value == 0
    assert again.costs == result.costs


def test_predicted_plans_are_plans_of_the_library() -> None:
    problems, plans = table()
    case = plancost.pddl_case(problems, plans)
    found = plancost.predict(case, plancost.learn(case, solution="scf")).plans
    for plan, expected in zip(found, (plans["d"], plans["f"][0]), strict=True):
        assert plancost.unified_plan(problems[plan.task], plan.actions) == expected


def test_problems_that_the_library_has_read() -> None:
    town = Path(__file__).parents[2] / "examples" / "town"
    problem = PDDLReader().parse_problem(f"{town}/domain.pddl", f"{town}/school.pddl")
    texts = [path.read_text() for path in sorted(town.glob("school.*.plan"))]
    case = plancost.pddl_case({"school": problem}, {"school": texts})
    read = plancost.pddl_case(
        {"school": town / "school.pddl"}, {"school": texts}, domain=town / "domain.pddl"
    )
    assert (case.actions, case.observations) == (read.actions, read.observations)


def test_what_is_wrong_is_said() -> None:
    problems, plans = table()
    one, other = problems.values()
    empty = up.Problem("none")
    flight = up.InstantaneousAction("fly", a=PLACE, b=PLACE)
    foreign = SequentialPlan([ActionInstance(flight, plans["d"].actions[0].actual_parameters)])
    wrong: list[tuple[Any, str]] = [
        (lambda: plancost.pddl_case({"d": one}, {"d": PartialOrderPlan({})}), "SequentialPlan"),
        (lambda: plancost.pddl_case({"d": one}, {"d": foreign}), "unknown"),
        (lambda: plancost.pddl_case({"d": one, "f": "(x)"}, plans), "f is no problem of unified"),
        (lambda: plancost.pddl_case({"d": one, "f": empty}, plans), "another domain than d"),
        (lambda: plancost.with_costs(other, {"(fly a)": 2}), "another domain"),
        (lambda: plancost.unified_plan(one, ["(a)"]), "no action"),
    ]
    for call, said in wrong:
        with pytest.raises(plancost.InputError, match=said):
            call()
