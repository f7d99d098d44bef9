from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plancost
from plancost.options import checked
from towns import PDDL, STREETS, write

HILL = "(walk home hill)"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("town"), PDDL)


@pytest.fixture(scope="module")
def result(town: Path) -> plancost.Result:
    return plancost.learn(town)


def test_importing_is_quick_and_loads_nothing() -> None:
    code = "import sys, plancost; print([n for n in ('numpy', 'msgspec') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", plancost.__all__)
def test_all_names_are_there_and_are_described(name: str) -> None:
    assert getattr(plancost, name).__doc__
    assert name in dir(plancost)


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError):
        _ = plancost.lern


def test_a_case_is_a_path_or_a_case(town: Path, result: plancost.Result) -> None:
    assert (result.optimal_plans, result.proved) == (3, True)
    for case in (str(town), plancost.read_case(town)):
        again = plancost.learn(case)
        assert again.costs == result.costs
        assert again.observations == result.observations


def test_costs_are_a_result_a_path_or_a_mapping(
    town: Path, result: plancost.Result, tmp_path: Path
) -> None:
    path = tmp_path / "RESULT.json"
    plancost.write_result(result, path)
    for costs in (result, path, str(path), result.costs):
        checked_by = plancost.verify(town, costs)
        assert checked_by.observations == result.observations
        assert checked_by.costs == result.costs
    assert plancost.verify(town, {HILL: np.int64(2)}).optimal_plans == 3
    assert plancost.verify(town, {HILL: 3}).optimal_plans == 2


def test_verify_asks_what_was_asked(town: Path) -> None:
    strict = plancost.learn(town, solution="scf", ties="reorderings")
    assert plancost.verify(town, strict).solution == "scf"
    assert plancost.verify(town, strict).optimal_plans == strict.optimal_plans == 2
    assert plancost.verify(town, strict, solution="mcf").solution == "mcf"
    tied = {HILL: 2}
    assert plancost.verify(town, tied, solution="scf").optimal_plans == 0
    assert plancost.verify(town, tied, solution="scf", ties="observed").optimal_plans == 3


@pytest.mark.parametrize(
    "costs", [{HILL: 0}, {HILL: 1.5}, {HILL: "2"}, {HILL: float("nan")}, {HILL: True}, {"(fly)": 1}]
)
def test_wrong_costs(town: Path, costs: Any) -> None:
    with pytest.raises(plancost.InputError):
        plancost.verify(town, costs)
    with pytest.raises(plancost.InputError):
        plancost.verify(town, [costs])  # type: ignore[arg-type]


def test_progress_is_told(town: Path) -> None:
    steps: list[plancost.Step] = []
    plancost.learn(town, progress=steps.append)
    assert steps
    assert all(step.doing for step in steps)


def test_the_baseline_keeps_to_bounds_and_known_costs(town: Path) -> None:
    known = {HILL: 5}
    result = plancost.learn(
        town, alternatives="baseline", refine=known, bounds={"(walk river *)": 3, HILL: [1, 4]}
    )
    assert result.costs[HILL] == 4
    assert result.costs["(walk river bridge)"] == 3
    assert result.secondary is not None
    assert result.secondary.value == (5 - 4) + (3 - 1)
    assert result.upper_bound == result.plans


def test_exported_pddl_has_the_costs(town: Path, result: plancost.Result, tmp_path: Path) -> None:
    files = plancost.export(town, result, tmp_path / "out")
    assert {file.name for file in files} == {"domain.pddl", "school.pddl"}
    for plan in town.glob("*.plan"):
        (tmp_path / "out" / plan.name).write_bytes(plan.read_bytes())
    again = plancost.learn(tmp_path / "out", alternatives="baseline", refine=True)
    assert again.costs == result.costs
    with pytest.raises(plancost.InputError):
        plancost.export(town, result, town)


def test_exported_links_have_the_costs(tmp_path: Path) -> None:
    case = write(tmp_path / "streets", STREETS)
    before = {file.name: file.read_bytes() for file in case.iterdir()}
    result = plancost.learn(case)
    (links,) = plancost.export(case, result, tmp_path / "out")
    trips = plancost.street_case(links, case / "trips.csv")
    again = plancost.learn(trips, alternatives="baseline", refine="cost")
    assert again.costs == result.costs
    (tmp_path / "network").mkdir()
    (tmp_path / "network" / "links.csv").write_bytes(before["links.csv"])
    for folder in (case, tmp_path / "network"):
        with pytest.raises(plancost.InputError):
            plancost.export(case, result, folder)
    assert {file.name: file.read_bytes() for file in case.iterdir()} == before


def test_other_problems_are_predicted_where_planners_search(tmp_path: Path) -> None:
    """State graphs do not know derived atoms; a problem of the case has the same name."""
    rules = "(:derived (reach ?a ?b - place) (path ?a ?b))\n  (:action walk"
    domain = PDDL["domain.pddl"].replace(
        "(and (at ?a) (path ?a ?b))", "(and (at ?a) (reach ?a ?b))"
    )
    domain = domain.replace("(:action walk", rules).replace(
        "(path ?a ?b - place))", "(path ?a ?b - place) (reach ?a ?b - place))"
    )
    domain = domain.replace(":typing", ":typing :derived-predicates")
    case = write(tmp_path / "case", {**PDDL, "domain.pddl": domain})
    problem = PDDL["school.pddl"].replace("(at home)", "(at river)")
    others = write(tmp_path / "others", {"school.pddl": problem, "new.pddl": problem})
    found = plancost.predict(case, {"costs": {"(walk river bridge)": 4}}, tasks=others)
    assert [(plan.task, plan.cost) for plan in found.plans] == [("new.pddl", 5), ("school.pddl", 5)]


def test_each_group_is_exported(tmp_path: Path) -> None:
    trips = "trip,links,group\nmonday,r1 r2,ann\nfriday,h,../bob\n"
    case = write(tmp_path / "streets", STREETS, {"trips.csv": trips})
    result = plancost.learn(case, solution="scf")
    files = plancost.export(case, result, tmp_path / "out")
    assert [file.parent for file in files] == [
        tmp_path / "out" / "ann",
        tmp_path / "out" / "group-2",
    ]
    assert files[0].read_bytes() != files[1].read_bytes()


def test_turns_are_verified_where_they_were_learned(tmp_path: Path) -> None:
    case = write(tmp_path / "streets", STREETS, {"turns.csv": "link,next,class\nr1,r2,left\n"})
    result = plancost.learn(case, features=["turns"])
    assert any(">" in name for name in result.costs)
    assert plancost.verify(case, result).observations == result.observations


def test_streets_from_tables(tmp_path: Path) -> None:
    case = write(tmp_path / "streets", STREETS)
    result = plancost.learn(plancost.street_case(case / "links.csv", case / "trips.csv"))
    assert result.observations == plancost.learn(case).observations


def test_pddl_from_texts() -> None:
    case = plancost.pddl_case(
        {"school": PDDL["school.pddl"]},
        {"school": [PDDL["school.monday.plan"], ["(walk home hill)", "(walk hill school)"]]},
        domain=PDDL["domain.pddl"],
    )
    assert plancost.learn(case).optimal_plans == 2


def test_nothing_but_their_own_files_is_written_over(town: Path, result: plancost.Result) -> None:
    domain = (town / "domain.pddl").read_bytes()
    with pytest.raises(plancost.InputError, match="no proof"):
        plancost.learn(town, knowledge=town / "domain.pddl")
    with pytest.raises(plancost.InputError, match="no report"):
        plancost.write_report(town, result, town / "domain.pddl")
    assert (town / "domain.pddl").read_bytes() == domain


@pytest.mark.parametrize("wrong", [3, None, b"town", []])
def test_what_is_no_path_is_said(town: Path, result: plancost.Result, wrong: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: plancost.learn(wrong),
        lambda: plancost.read_case(wrong),
        lambda: plancost.read_result(wrong),
        lambda: plancost.verify(town, wrong),
        lambda: plancost.export(town, result, wrong),
        lambda: plancost.monitor(town, result, wrong),
        lambda: plancost.write_report(town, result, wrong),
        lambda: plancost.pddl_case(wrong, {}, domain=PDDL["domain.pddl"]),
    ]
    for call in calls:
        with pytest.raises(plancost.InputError, match="must be"):
            call()


@pytest.mark.parametrize(
    "options", [{"folds": "x"}, {"folds": 1.5}, {"share": "x"}, {"share": np.nan}, {"methods": 3}]
)
def test_wrong_comparisons(town: Path, options: Any) -> None:
    with pytest.raises(plancost.PlancostError, match="`"):
        plancost.evaluate(town, **options)


def test_a_result_is_refined(town: Path, result: plancost.Result) -> None:
    again = plancost.learn(town, refine=result)
    assert (again.costs, again.secondary and again.secondary.value) == (result.costs, 0)


def test_options_are_checked(town: Path) -> None:
    with pytest.raises(plancost.UsageError):
        plancost.learn(town, time_limt=3)
    assert plancost.learn(town, time_limit=np.int64(60)).options["time_limit"] == 60
    assert checked(time_limit=None).time_limit is None
