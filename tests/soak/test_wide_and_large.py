"""What the soak draws: wide worlds, combinations of options, large cases, and how it counts."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.soak.cases import SmallCase, draw_case
from benchmarks.soak.draws import draw_question
from benchmarks.soak.findings import Finding, Wrong
from benchmarks.soak.large import LargeCase, Ways, draw_large_case, wrong_with
from benchmarks.soak.page import read_records, summed
from benchmarks.soak.records import Record
from benchmarks.soak.reference import Reference
from benchmarks.soak.tally import Tally
from hypothesis import given, settings
from hypothesis import strategies as st

import plancost
from support.brute_force import weights_and_secondary
from support.linear_tasks import Example, admissible, as_actions, linear_tasks
from support.small_tasks import simple_plans


@settings(max_examples=30)
@given(linear_tasks(limited=True))
def test_the_reference_knows_linear_costs(example: Example) -> None:
    """Where every action has a greatest cost, against all weights that there are."""
    task, plans = example
    structure = task.structure
    parts = {
        name: {structure.parameters[p]: times for p, times in structure.parts[number]}
        for number, name in enumerate(task.case.actions)
    }
    plain = replace(task, composition=None, known=(), most_deviation=None)
    reference = Reference(plain, plans, parts)
    grid = admissible(replace(task, known=(), most_deviation=None))
    if not grid.size:
        assert reference.is_contradictory
        return
    weight, secondary = weights_and_secondary(plain, as_actions(task, grid), plans)
    most = int(weight.max())
    assert reference.best == (most, int(secondary[weight == most].min()))


def drawn(seeds: range, folder: Path) -> Counter[str]:
    """What there is in random cases and questions."""
    found: Counter[str] = Counter()
    for seed in seeds:
        random = Random(seed)
        question = draw_question(random, draw_case(random), folder)
        found.update({*question.options, *question.case.features, question.case.world.kind})
    return found


WORLDS = {"roads", "switches", "blocks", "van", "house"}
FEATURES = {
    *("constants", "either types", "equality", "negative conditions", "disjunctive conditions"),
    *("conditional effects", "derived predicates", "actions that change nothing"),
    *("problems with different objects", "problems with different static facts"),
    *("costs with fractions in the PDDL", "plans of no steps", "plans with loops"),
    *("goals that always hold", "copies with counts"),
}
OPTIONS = {
    *("mcf", "scf", "icf", "icf strict", "reorderings", "ties", "initial costs", "bounds"),
    *("known, hard", "known, soft", "tolerance", "shared", "linear", "factors", "required"),
    *("counts", "groups named", "groups found", "choose mean", "choose likely", "ranges"),
    *("k or no alternatives", "least factors", "planners"),
}


@pytest.mark.slow
def test_everything_is_drawn(tmp_path: Path) -> None:
    assert set(drawn(range(250), tmp_path)) == WORLDS | FEATURES | OPTIONS


def plans_by_plancost(case: SmallCase, folder: Path) -> None:
    """What plancost reads of the PDDL has the plans that were listed by hand."""
    case.write(folder, [])
    read = plancost.load_case(folder)
    for observation in read.observations:
        problem = int(observation.problem_file.stem[1:])
        sas = read.tasks[observation.task].sas
        listed = simple_plans(sas)
        assert {p for p in listed if p} == {p for p in case.plans[problem] if p}
        assert (() in listed) == (() in case.plans[problem]) or not case.problems[problem].goal


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 40))]
)
def test_the_pddl_has_the_plans_listed_by_hand(seed: int, tmp_path: Path) -> None:
    """All worlds: objects, static facts, constants, axioms, conditional effects and so on."""
    plans_by_plancost(draw_case(Random(seed)), tmp_path / "case")


@st.composite
def small_ways(draw: st.DrawFn) -> tuple[Ways, dict[str, int]]:
    """A few places, roads between them, some of them parallel, and costs."""
    pairs = [(a, b) for a in "abcd" for b in "abcd" if a != b]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=3, max_size=9))
    leaving: dict[str, list[tuple[str, str]]] = {}
    for number, (a, b) in enumerate([*edges, ("a", "d")]):
        leaving.setdefault(a, []).append((f"({a}{b}{number})", b))
    costs = {name: draw(st.integers(1, 3)) for found in leaving.values() for name, _ in found}
    return Ways({place: tuple(found) for place, found in leaving.items()}), costs


@settings(max_examples=100)
@given(small_ways())
def test_the_search_of_large_runs_finds_the_cheapest(example: tuple[Ways, dict[str, int]]) -> None:
    ways, costs = example
    found: list[tuple[str, ...]] = []

    def extend(place: str, seen: str, plan: tuple[str, ...]) -> None:
        if place == "d":
            found.append(plan)
            return
        for action, there in ways.leaving.get(place, ()):
            if there not in seen:
                extend(there, seen + there, (*plan, action))

    extend("a", "a", ())
    totals = sorted(sum(costs[name] for name in plan) for plan in found)
    least, number, plan = ways.cheapest("a", "d", costs)
    assert (least, number) == (totals[0], min(2, totals.count(totals[0])))
    assert tuple(plan) in found and sum(costs[name] for name in plan) == least


def result_of(case: LargeCase, *, strict: bool) -> dict[str, Any]:
    """What plancost would say of the drivers' hidden costs."""
    items = [
        {
            "plan": f"t{number}.plan",
            "cost": sum(case.hidden[name] for name in trip.plan),
            "optimal_cost": case.ways.cheapest(trip.start, trip.goal, case.hidden)[0],
            "optimal": case.ways.is_optimal(trip, case.hidden, strict=strict),
        }
        for number, trip in enumerate(case.trips)
    ]
    optimal = sum(bool(item["optimal"]) for item in items)
    counts = {"optimal_plans": optimal, "upper_bound": optimal, "proved": True}
    return {"costs": case.hidden, "observations": items, **counts}


@pytest.mark.parametrize("strict", [False, True])
def test_a_spoilt_large_result_is_found_out(strict: bool) -> None:
    drawn_case = draw_large_case(Random(1))
    assert 100 <= len(drawn_case.trips) <= 1000
    case = replace(drawn_case, trips=drawn_case.trips[:15])
    right = result_of(case, strict=strict)
    assert list(wrong_with(case, right, strict=strict)) == []
    assert 0 < right["optimal_plans"] < 15
    first, *others = right["observations"]
    for spoilt in (
        {"observations": [{**first, "optimal": not first["optimal"]}, *others]},
        {"observations": [{**first, "cost": first["cost"] + 1}, *others]},
        {"observations": [{**first, "optimal_cost": first["optimal_cost"] - 1}, *others]},
        {"observations": others},
        {"upper_bound": right["upper_bound"] - 1},
        {"proved": False},
    ):
        assert list(wrong_with(case, {**right, **spoilt}, strict=strict)), spoilt


def test_figures_are_added_up(tmp_path: Path) -> None:
    """Of several soaks; runs that went wrong are named with their seeds."""
    wrong = [Finding(Wrong.ANSWER, "it is not so")]
    records = [
        Record(1, 7, "roads", "exact", ["mcf", "bounds"], seconds=60.0, memory_mb=90.0),
        Record(2, 7, "house", "exact", ["mcf", "bounds", "counts"], ["constants"], seconds=30.0),
        Record(1, 8, "van", "exact", ["scf"], seconds=30.0, findings=wrong, folder=tmp_path),
    ]
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file, part in zip(files, (records[:2], records[2:]), strict=True):
        file.write_text("".join(json.dumps(record.to_json()) + "\n" for record in part))
    tally = summed(read_records(files))
    assert (tally.runs, tally.seconds, tally.wrong[Wrong.ANSWER]) == (3, 120.0, 1)
    assert [failed["seed"] for failed in tally.failed] == [8]
    assert tally.pairs["mcf", "bounds"] == 2 and tally.pairs["bounds", "counts"] == 1
    lines = tally.markdown().splitlines()
    assert "| constants | 1 |" in lines
    assert "| 2 bounds | 2 | 2 |  |  |" in lines
    direct = Tally(0)
    for record in records:
        direct.add(record)
    assert {**tally.to_json(), "minutes": 0.0} == direct.to_json()
