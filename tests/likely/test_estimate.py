"""The estimator by what it must find: hidden costs, slopes, errors, the same answer everywhere."""

from __future__ import annotations

import math
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from cities import Link, case_of, cheapest_trips, drawn_trips, ends, grid, pairs_of
from plancost.api import learn, verify
from plancost.case.costs import with_costs
from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import LimitError, UsageError
from plancost.executor import Threads, workers
from plancost.likely.estimate import UNITS, Estimator, most_likely
from plancost.likely.likelihood import Likelihood, Prior, plans_of, prior_of
from plancost.pipeline import usual_features
from plancost.result.model import Result

SIDE = 4


def made(count: int, seed: int, *, noise: bool) -> tuple[list[Link], np.ndarray, Case]:
    """Links, their hidden costs in nats, and a case of trips."""
    random = np.random.default_rng(seed)
    links = grid(SIDE)
    costs = 2.5 * np.exp(random.normal(0, 0.3, len(links)))
    pairs = pairs_of(count, SIDE, random)
    trips = (
        drawn_trips(links, costs, pairs, random) if noise else cheapest_trips(links, costs, pairs)
    )
    return links, costs, case_of(links, trips)


@pytest.mark.parametrize("features", [(), ("metres", "kind", "turns")])
def test_the_slope_is_that_of_the_value(features: tuple[str, ...]) -> None:
    _, _, case = made(25, 1, noise=True)
    costed = with_costs(case, features=features)
    costs = np.random.default_rng(2).uniform(2.2, 3.0, len(costed.actions))
    likelihood = Likelihood(plans_of(costed, Clock()), costs, Threads(1), slack=math.inf)
    _, slope = likelihood(costs)
    for action in range(0, len(costs), 7):
        step = np.eye(len(costs))[action] * 1e-3
        up, down = likelihood(costs + step)[0], likelihood(costs - step)[0]
        assert slope[action] == pytest.approx((up - down) / 2e-3, abs=2e-3)


def test_standard_errors_are_those_of_a_bootstrap() -> None:
    """Costs are drawn anew as the prior says and trips as the model says: errors are as told."""
    links = grid(6)
    apart = []
    for seed in range(8):
        random = np.random.default_rng(seed)
        costs = np.maximum(1.3, 2.7 + random.normal(0, 0.6, len(links)))
        trips = drawn_trips(links, costs, pairs_of(2 * len(links), 6, random), random)
        found = most_likely(case_of(links, trips), Clock(), Threads(), 0)
        assert not any("standard errors" in note for note in found.notes)
        apart.append((np.array(found.costs) / UNITS - costs) / found.standard_errors * UNITS)
    assert 0.85 <= np.mean(np.abs(apart) <= 1.645) <= 0.95
    assert 0.8 < math.sqrt(np.mean(np.square(apart))) < 1.25


@pytest.mark.parametrize("count", [10, 30, 100])
def test_without_noise_all_plans_are_optimal(count: int) -> None:
    """Plans that are optimal under hidden costs from 1 to 9 are optimal under those learned."""
    random = np.random.default_rng(count)
    links = grid(10)
    hidden = random.integers(1, 10, len(links)) + random.uniform(0, 0.001, len(links))
    case = case_of(links, cheapest_trips(links, hidden, pairs_of(count, 10, random)))
    result = learn(case, solution="likely", features="none")
    assert result.optimal_plans == result.plans
    assert any("fewer plans than actions" in note for note in result.notes)


def test_the_answer_does_not_depend_on_the_workers() -> None:
    _, _, case = made(60, 8, noise=True)
    one, two = (most_likely(case, Clock(), Threads(n), 1) for n in (1, 3))
    assert one == two


class Slow:
    """Ends late, or fails at once."""

    def __init__(self, fails: bool) -> None:
        self.fails, self.ended = fails, False

    def work(self) -> None:
        if self.fails:
            raise LimitError
        time.sleep(0.2)
        self.ended = True


def test_where_one_fails_all_others_end_first() -> None:
    """What they remember does not depend on who was faster."""
    objects = [Slow(number == 1) for number in range(5)]
    with pytest.raises(LimitError):
        Threads(2).call(objects, "work")
    assert [one.ended for one in objects] == [True, False, True, True, True]


def test_a_cluster_gives_the_same_answer() -> None:
    distributed = pytest.importorskip("distributed")
    _, _, case = made(30, 8, noise=True)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        far = most_likely(case, Clock(), workers(cluster.scheduler_address, None), 1)
        distributed.default_client().close()
    assert far == most_likely(case, Clock(), Threads(2), 1)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_costs_are_finite_whatever_was_seen(seed: int) -> None:
    """Trips that lead anywhere and often in circles: costs are whole and at least 1, or there is
    an error that says why not.
    """
    random = np.random.default_rng(seed)
    links = grid(3)
    start, end, _ = ends(links)
    trips = []
    for _ in range(12):
        trip = [int(random.integers(len(links)))]
        while random.random() < 0.85:
            trip.append(int(random.choice(np.flatnonzero(start == end[trip[-1]]))))
        trips.append(trip)
    try:
        found = most_likely(case_of(links, trips), Clock(), Threads(1), 0)
    except LimitError as error:
        assert "circles" in str(error)
        return
    assert 1 <= min(found.costs) <= max(found.costs) < 100 * UNITS
    assert len(found.standard_errors) in (0, len(links))
    assert min(found.standard_errors, default=0) >= 0


@pytest.mark.parametrize("start", [-1.0, 0.0, 0.7, 9.0])
def test_a_start_at_which_the_sum_is_infinite_is_raised(start: float) -> None:
    """Four moves from a place: below log 4 a move the sum over all walks is infinite."""
    _, _, case = made(60, 14, noise=True)
    count = len(case.actions)
    usual = prior_of(case)
    found = []
    for theta in (usual.mean, np.where(np.arange(count + 1) == 0, start, 0.0)):
        estimator = Estimator(usual, Clock())
        estimator.theta = theta
        plans = plans_of(case, Clock())
        estimator.fit(lambda costs: Likelihood(plans, costs))  # noqa: B023
        found.append(estimator.costs)
        assert np.isfinite(Likelihood(plans, found[-1]).total(found[-1]))
    assert found[1] == pytest.approx(found[0], abs=0.3)


def test_steps_to_where_the_value_is_infinite_are_made_shorter() -> None:
    """The least value of 3 x - log x - log(0.2 - x), from near the end of where it is finite."""

    class Barrier:
        observed, plan_count = np.ones(1), 1.0

        def __call__(self, x: np.ndarray) -> tuple[float, np.ndarray]:
            if not 0 < x[0] < 0.2:
                return math.inf, x
            return 3 * x[0] - math.log(x[0]) - math.log(0.2 - x[0]), 3 - 1 / x + 1 / (0.2 - x)

    one, hardly_known = np.ones(1), np.full(1, 1e3)
    prior = Prior(csr_array(np.eye(1)), ("x",), one, 0.1999 * one, hardly_known)
    estimator = Estimator(prior, Clock())
    estimator.fit(lambda _: Barrier())  # type: ignore[arg-type,return-value]
    value = Barrier()(estimator.costs)[0]
    least = min(Barrier()(np.array([x]))[0] for x in np.arange(1, 2000) * 1e-4)
    assert value == pytest.approx(least)


def test_features_are_what_costs_shrink_towards() -> None:
    random = np.random.default_rng(9)
    links = grid(SIDE)
    hidden = np.array([0.01 * int(str(link["metres"])) for link in links]) + 1.3
    pairs = pairs_of(300, SIDE, random)
    case = case_of(links, drawn_trips(links, hidden, pairs, random))
    assert usual_features(case) == (("metres", "kind", "turns"), ())
    links[3] = {**links[3], "metres": ""}
    trips = drawn_trips(links, hidden, pairs[:9], random)
    told = learn(case_of(links, trips), solution="likely").notes
    assert any("metres is no feature: 1 of" in note for note in told)
    result = learn(case, solution="likely", features=["metres"])
    assert result.likely
    assert result.likely.features["metres"] == pytest.approx(1.0, abs=0.35)
    known = learn(case, solution="likely", features="none", refine="metres")
    assert known.likely
    assert known.likely.features["known costs"] == pytest.approx(1.0, abs=0.5)


def test_turns_cost() -> None:
    """Drivers who hardly ever turn left: left turns are dear, and all costs are whole."""
    links, _, case = made(500, 10, noise=True)
    classes = with_costs(case, features=["turns"]).streets
    assert classes
    kept = [
        observation.actions
        for observation in case.observations
        if all(classes.turns[pair] != "left" for pair in pairwise(observation.actions))
    ]
    result = learn(case_of(links, kept), solution="likely")
    assert result.likely
    assert result.likely.features["turn=left"] > result.likely.features["turn=right"] + 50
    assert min(result.costs.values()) >= 1


def test_groups_have_costs_of_their_own() -> None:
    links = grid(SIDE)
    random = np.random.default_rng(11)
    pairs = pairs_of(60, SIDE, random)
    trips = []
    for group in ("morning", "evening"):
        hidden = 2.5 * np.exp(random.normal(0, 0.8, len(links)))
        trips += [
            {"links": [f"l{n}" for n in trip], "group": group}
            for trip in cheapest_trips(links, hidden, pairs)
        ]
    from plancost.case.streets import street_case

    case = street_case([{k: str(v) for k, v in link.items()} for link in links], trips)
    result = learn(case, solution="likely", features="none")
    assert result.groups
    assert [part.group for part in result.groups] == ["morning", "evening"]
    assert all(part.likely for part in result.groups)
    assert result.groups[0].costs != result.groups[1].costs
    assert isinstance(verify(case, result), Result)


def test_a_short_limit_gives_an_answer() -> None:
    _, _, case = made(200, 12, noise=True)
    result = learn(case, solution="likely", time_limit=0.5)
    assert min(result.costs.values()) >= 1


def test_what_does_not_go_together_is_refused() -> None:
    _, _, case = made(5, 13, noise=False)
    for wrong in ({"bounds": {"*": [1, 2]}}, {"alternatives": "all"}, {"groups": 2}):
        with pytest.raises(UsageError, match="likely"):
            learn(case, solution="likely", **wrong)


def test_graphs_that_do_not_fit_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from plancost.case.read import pddl_case
    from plancost.likely import likelihood
    from towns import BY_RIVER, DOMAIN, PROBLEM

    monkeypatch.setattr(likelihood, "MOST_STATES", 2)
    case = pddl_case({"p": PROBLEM}, {"p": BY_RIVER}, domain=DOMAIN)
    with pytest.raises(LimitError, match="take solution mcf"):
        learn(case, solution="likely")
