"""Whether the truth is the truth: the paper's own numbers, and every cost function up to a cost."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest

from brute_force import BruteForce, ContradictionError, TooLargeError
from plancost.case.model import (
    Case,
    Condition,
    Effect,
    Network,
    Observation,
    Operator,
    Strips,
    Task,
)
from plancost.options import LearnOptions
from random_tasks import draw_case, draw_options, plain_costs


def roads(edges: str, plans: list[str], known: dict[str, int] | None = None) -> Case:
    """Undirected edges such as ``AB``, plans such as ``ABD``, known costs of edges."""
    places = sorted(set(edges.replace(" ", "")))
    links = [link for edge in edges.split() for link in (edge, edge[::-1])]
    ends = np.array([[places.index(place) for place in link] for link in links]).T
    network = Network(tuple(places), ends[0], ends[1], np.arange(len(links)))
    tasks, seen = [], []
    for number, plan in enumerate(plans):
        start, goal = (frozenset({places.index(plan[end])}) for end in (0, -1))
        tasks.append(Task(plan, 0, start, goal_states=goal))
        actions = tuple(links.index(one + other) for one, other in pairwise(plan))
        seen.append(Observation(plan, number, actions))
    costs = plain_costs(len(links))
    if known:
        initial = [known.get(link) or known[link[::-1]] for link in links]
        costs = replace(costs, initial=np.array(initial))
    return Case("roads", tuple(links), (network,), tuple(tasks), tuple(seen), costs)


PAPER = ("AB AC BD CD CE DF EF", ["ABD", "ACEF"])
KNOWN = {"AC": 2, "BD": 1, "AB": 2, "CE": 2, "DF": 1, "EF": 2, "CD": 2}


@pytest.mark.parametrize(
    ("solution", "known", "second"),
    [("mcf", None, 14), ("scf", None, 16), ("mcf", KNOWN, 2), ("scf", KNOWN, 3)],
)
def test_table_1(solution: str, known: dict[str, int] | None, second: int) -> None:
    truth = BruteForce(roads(*PAPER, known), LearnOptions(solution=solution)).truth
    assert (truth.most, truth.second) == (2, second)


def test_example_1() -> None:
    truth = BruteForce(roads("AB BC CA", ["ACB", "ABC"]), LearnOptions(solution="icf")).truth
    assert (truth.most, truth.second, truth.all_optimal) == (1, 7, False)


def blocks(plan: tuple[int, ...]) -> Case:
    """A block is picked up and stacked; another may be unstacked and put down first."""
    atoms = ("(clear a)", "(held a)", "(done)", "(moved b)")
    clear, held, done, moved = range(4)

    def operator(action: int, needs: int, *effects: Effect) -> Operator:
        return Operator(action, Condition(frozenset({needs})), effects)

    operators = (
        operator(0, clear, Effect(held, True), Effect(clear, False)),
        operator(1, held, Effect(done, True), Effect(held, False)),
        operator(2, clear, Effect(moved, True)),
        operator(3, moved, Effect(moved, False)),
    )
    names = ("(pick a)", "(stack a)", "(unstack b)", "(put b)")
    task = Task("p", 0, frozenset({clear}), Condition(frozenset({done})))
    seen = Observation("p.plan", 0, plan)
    return Case("blocks", names, (Strips(atoms, operators),), (task,), (seen,), plain_costs(4))


def test_redundant_steps_are_never_optimal() -> None:
    wasteful = BruteForce(blocks((2, 3, 0, 1)), LearnOptions())
    assert (wasteful.truth.most, wasteful.truth.second) == (0, 4)
    assert wasteful.optimal((1, 1, 1, 1)) == (False,)
    assert BruteForce(blocks((0, 1)), LearnOptions(solution="scf")).truth.most == 1
    assert BruteForce(blocks((2, 3, 0, 1)), LearnOptions(suboptimality="1.5")).truth.most == 1
    assert BruteForce(blocks((2, 3, 0, 1)), LearnOptions(suboptimality="1.5")).truth.second == 6


@pytest.mark.parametrize("solution", ["mcf", "scf"])
def test_ties_of_copies_and_orderings(solution: str) -> None:
    """Two switches in either order: only `none` makes them each other's rivals."""
    effects = ((Effect(0, True),), (Effect(1, True),))
    world = Strips(
        ("(a)", "(b)"), tuple(Operator(n, Condition(), e) for n, e in enumerate(effects))
    )
    tasks = [Task(name, 0, frozenset(), Condition(frozenset({0, 1}))) for name in ("p", "q")]
    seen = (Observation("1", 0, (0, 1), count=2), Observation("2", 1, (1, 0)))
    case = Case("two", ("(a)", "(b)"), (world,), tuple(tasks), seen, plain_costs(2))
    found = {
        ties: BruteForce(case, LearnOptions(solution=solution, ties=ties)).truth.most
        for ties in ("none", "reorderings", "observed")
    }
    strict = {"none": 0, "reorderings": 3, "observed": 3}
    assert found == (strict if solution == "scf" else dict.fromkeys(strict, 3))


def test_every_cost_function_of_small_cases() -> None:
    """What some costs up to 4 reach, the truth reaches, and no less second objective."""
    compared = 0
    for seed in range(150):
        case = draw_case(seed)
        if len(case.actions) > 7 or not case.costs.is_plain:
            continue
        force = BruteForce(case, draw_options(seed, case))
        try:
            truth = force.truth
        except (ContradictionError, TooLargeError):
            continue
        weights = np.array([seen.count for seen in case.observations])
        totals = [seen for seen in case.observations if seen.total is not None]
        best = (-1, 0)
        for costs in product(range(1, 4), repeat=len(case.actions)):
            allowed = bool((case.costs.least <= costs).all())
            if allowed and all(case.cost(o.actions, costs) == o.total for o in totals):
                weight = int(weights @ np.array(force.optimal(costs)))
                best = max(best, (weight, -force.second(costs)))
        assert best <= (truth.most, -truth.second), seed
        compared += 1
    assert compared > 5
