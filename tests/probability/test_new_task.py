"""Plans of a new problem, and how probable each is to be optimal."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import DOMAIN, graph_problem
from plancost.errors import InputError, UnsolvableError
from plancost.probability.new_task import probable_plans
from support.drawn import samples, write

ROADS = {("a", "b"): 1, ("b", "d"): 1, ("a", "c"): 1, ("c", "d"): 1}
AB, BD, AC, CD = (f"(move {a} {b})" for a, b in ROADS)
ROWS = [{AB: ab, BD: 1.0, AC: ac, CD: 1.0} for ab, ac in ((1, 2), (1, 3), (1, 4), (5, 3))]


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    path = tmp_path / "domain.pddl"
    path.write_text(DOMAIN)
    return path


def problem(domain: Path, start: str, goal: str, roads: dict[tuple[str, str], int] = ROADS) -> Path:
    path = domain.with_name("p.pddl")
    nodes = sorted({node for road in roads for node in road})
    path.write_text(graph_problem("p", nodes, roads, start, goal))
    return path


def test_two_ways(domain: Path, tmp_path: Path) -> None:
    file = write(tmp_path / "samples.npz", ROWS)
    found = probable_plans(problem(domain, "a", "d"), file, domain=domain)
    assert [plan.steps for plan in found.plans] == [(AB, BD), (AC, CD)]
    assert [plan.probability for plan in found.plans] == [0.75, 0.25]
    expected = [(3 + 6 / 4) / 4, (3 / 2 + 4 / 2 + 5 / 2 + 1) / 4]
    assert [plan.expected_regret for plan in found.plans] == pytest.approx(expected, abs=1e-4)
    assert [plan.predicted for plan in found.plans] == [True, False]
    content = found.to_json()
    assert (content["samples"], content["searched"], content["unknown_actions"]) == (4, 4, [])
    assert content["plans"][0]["steps"] == [AB, BD]


def test_an_action_that_the_samples_do_not_know(domain: Path) -> None:
    roads = {**ROADS, ("a", "d"): 1}
    found = probable_plans(problem(domain, "a", "d", roads), samples(*ROWS), domain=domain)
    assert found.unknown == ("(move a d)",)
    assert "(move a d)" in found.notes()[0]
    cheap = probable_plans(
        problem(domain, "a", "d", roads), samples(*ROWS), domain=domain, default_cost=1
    )
    assert [plan.steps for plan in cheap.plans] == [("(move a d)",)]


def test_wrong_samples_and_no_plan(domain: Path) -> None:
    with pytest.raises(InputError, match="another result"):
        probable_plans(problem(domain, "a", "d"), samples(*ROWS), domain=domain, costs={AB: 1})
    with pytest.raises(UnsolvableError):
        probable_plans(problem(domain, "d", "a"), samples(*ROWS), domain=domain)
