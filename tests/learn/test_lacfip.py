"""The paper's algorithm: random cases against the truth by enumeration."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from agreement import wrong_in, wrong_verdicts
from brute_force import BruteForce, TooLargeError, loopless_plans
from fake_planner import fake
from plancost.api import learn
from plancost.case.model import Case, Network, Observation, Task, plain_model
from plancost.clock import Clock
from plancost.errors import UsageError
from plancost.learn import lacfip as module
from plancost.learn import verify
from plancost.learn.lacfip import lacfip
from plancost.learn.outcome import Learned
from plancost.options import LearnOptions
from plancost.search.downward import Costs, Verdict
from plancost.search.planners import Planners, Search
from random_tasks import bare_case, draw_network, with_observations

EDGES = ("AB", "AC", "BD", "CD", "CE", "DF", "EF")


def streets(edges: Sequence[str], trips: Sequence[str]) -> Case:
    """Edges that can be taken both ways, and trips as the letters of their places."""
    links = sorted([*edges, *(edge[::-1] for edge in edges)])
    places = sorted({place for link in links for place in link})
    number, action = ({name: n for n, name in enumerate(names)} for names in (places, links))
    ends = np.array([[number[place] for place in link] for link in links]).T
    world = Network(tuple(places), ends[0], ends[1], np.arange(len(links)))
    tasks = tuple(
        Task(trip, 0, frozenset([number[trip[0]]]), goal_states=frozenset([number[trip[-1]]]))
        for trip in trips
    )
    seen = tuple(
        Observation(trip, n, tuple(action[a + b] for a, b in itertools.pairwise(trip)))
        for n, trip in enumerate(trips)
    )
    return Case("streets", tuple(links), (world,), tasks, seen, plain_model(links))


class Enumerating(Planners):
    """Lists plans without a planner."""

    def top_k(self, task: int, costs: Costs, count: int | None, clock: Clock, **_: Any) -> Search:
        plans = loopless_plans(self._case, self._case.tasks[task])
        plans.sort(key=lambda plan: (self._case.cost(plan, costs), plan))
        return Search(Verdict.FOUND, tuple(plans[:count]), complete=count is None)


def confirmed(learned: Learned) -> int:
    """How many observations the check confirmed."""
    return sum(verdict.optimal is True for verdict in learned.verdicts)


def drawn(seed: int) -> BruteForce:
    """A case on a network without what the paper knows nothing of, and a question about it."""
    random = Random(seed)
    count, make = draw_network(random)
    hidden = [random.randint(1, 6) for _ in range(count)]
    case = with_observations(random, bare_case(count, (make(),)), hidden)
    seen = tuple(replace(own, factor=None, total=None) for own in case.observations)
    refine = random.random() < 0.4
    initial = np.array([random.randint(0, 5) for _ in range(count)]) if refine else None
    case = replace(case, observations=seen, costs=replace(case.costs, initial=initial))
    solution = random.choice(["mcf", "mcf", "scf", "icf"])
    solver = "cbc" if seed % 5 == 0 else "scip"
    options = LearnOptions(solution=solution, alternatives="all", solver=solver, refine=refine)
    return BruteForce(case, options)


@pytest.mark.parametrize("piece", range(4))
def test_all_alternatives_are_the_whole_truth(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(verify, "Planners", Enumerating)
    compared = 0
    for seed in range(piece * 15, piece * 15 + 15):
        force = drawn(seed)
        if not force.case.observations:
            continue
        try:
            learned = lacfip(force.case, force.options, Clock(60))
            wrong = wrong_in(force, learned)
        except TooLargeError:
            continue
        assert not wrong, (seed, wrong)
        assert not learned.notes, seed
        compared += 1
    assert compared > 7


@pytest.mark.parametrize("count", [1, 3])
def test_few_alternatives_never_prove_too_much(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(verify, "Planners", Enumerating)
    compared = 0
    for seed in range(100, 125):
        force = drawn(seed)
        options = replace(force.options, alternatives=count)
        try:
            truth = force.truth
        except TooLargeError:
            continue
        learned = lacfip(force.case, options, Clock(60))
        assert not list(wrong_verdicts(force, learned.costs, learned.verdicts)), seed
        if options.solution == "icf":
            assert not (learned.ending == "none exists" and truth.all_optimal), seed
            continue
        assert learned.upper_bound >= truth.most, seed
        claimed = sum(
            seen.count
            for seen, c in zip(force.case.observations, learned.claimed, strict=True)
            if c
        )
        assert claimed == learned.upper_bound, seed
        confirmed = sum(
            seen.count
            for seen, verdict in zip(force.case.observations, learned.verdicts, strict=True)
            if verdict.optimal
        )
        assert learned.second is not None
        if confirmed == truth.most:
            assert learned.second.lower_bound <= truth.second, seed
        compared += 1
    assert compared > 10


def test_baseline() -> None:
    case = streets(["AB", "BC", "AC"], ["ACB", "AB"])
    result = learn(case, alternatives="baseline")
    assert [seen.optimal for seen in result.observations] == [False, True]
    assert (result.optimal_plans, result.upper_bound, set(result.costs.values())) == (1, 2, {1})


@pytest.mark.parametrize("mode", ["crash", "wrong plan", "unknown code"])
def test_a_planner_that_fails_costs_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("PLANCOST_SYMK", fake(tmp_path, mode))
    learned = lacfip(streets(EDGES, ["ABD", "ACEF"]), LearnOptions(alternatives=3), Clock(60))
    assert learned.ending == "failed"
    assert any("SymK" in note for note in learned.notes)
    assert (learned.upper_bound, learned.verified) == (2, True)


@pytest.mark.parametrize("solver", ["scip", "cbc"])
def test_no_time_is_no_loss(monkeypatch: pytest.MonkeyPatch, solver: str) -> None:
    monkeypatch.setattr(verify, "Planners", Enumerating)
    case = streets(["AB", "BC", "AC"], ["ACB", "ABC"])
    learned = lacfip(case, LearnOptions(alternatives="all", solver=solver), Clock(0.0))
    assert learned.ending == "time limit"
    assert 1 <= learned.upper_bound <= 2
    assert len(learned.costs) == 6


@pytest.mark.parametrize("step", ["by_scip", "by_cbc"])
def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "Planners", Enumerating)
    monkeypatch.setattr(module, step, interrupted)
    case = streets(["AB", "BC", "AC"], ["ACB", "AB"])
    options = LearnOptions(alternatives="all", solver=step.removeprefix("by_"))
    learned = lacfip(case, options, Clock(60))
    assert learned.ending == "interrupted"
    assert (learned.claimed, confirmed(learned)) == ((False, True), 1)


def test_what_the_paper_does_not_know() -> None:
    case = streets(["AB", "BC"], ["AB"])
    seen = replace(case.observations[0], total=3)
    with pytest.raises(UsageError, match="totals"):
        lacfip(replace(case, observations=(seen,)), LearnOptions(alternatives=3), Clock(9))
    bounded = replace(case.costs, greatest=np.array([5, 5, 5, 5]))
    with pytest.raises(UsageError, match="bounds"):
        lacfip(replace(case, costs=bounded), LearnOptions(alternatives=3), Clock(9))
    ties = LearnOptions(solution="scf", ties="reorderings", alternatives="all")
    with pytest.raises(UsageError, match="ties"):
        lacfip(case, ties, Clock(9))
