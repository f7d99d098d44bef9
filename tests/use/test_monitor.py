"""Streams of plans: p-values, change and no change, bad input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chances import Chances, as_result, drawn, forgotten, only, whole
from cities import case_of, grid
from plancost import Case, InputError, Result, monitor
from towns import STREETS, command, write

SIDE, CALM = 4, 120
"""After so many plans of the stream something changes."""


@pytest.fixture(scope="module")
def town() -> tuple[Case, Result, np.ndarray]:
    """Plans to compare with, the costs by which they were drawn, as a result and in nats."""
    costs = np.round(np.random.default_rng(1).uniform(2.5, 6, len(grid(SIDE))), 2)
    case, _ = drawn(1, 400, SIDE, costs)
    return case, forgotten(as_result(case, whole(case, costs))), costs


def stream(costs: np.ndarray, count: int, seed: int) -> Case:
    return drawn(seed, count, SIDE, costs)[0]


def test_scores_are_what_plans_cost_more_than_expected(
    town: tuple[Case, Result, np.ndarray],
) -> None:
    case, result, costs = town
    new = stream(costs, 60, 2)
    truth = Chances(new, costs)
    found = monitor(case, result, new)
    scores = [plan.score for plan in found.plans]
    expected = [costs[list(o.actions)].sum() - truth.uses(o.task) @ costs for o in new.observations]
    assert scores == pytest.approx(expected, abs=1e-4)
    assert [plan.plan for plan in found.plans] == [o.name for o in new.observations]
    own = Chances(case, costs)
    known = np.array(
        [costs[list(o.actions)].sum() - own.uses(o.task) @ costs for o in case.observations]
    )
    p_values = [
        (1 + np.count_nonzero(known >= score - 1e-6)) / (len(known) + 1) for score in expected
    ]
    assert [plan.p_value for plan in found.plans] == pytest.approx(p_values, abs=0.01)


def test_p_values_are_uniform_if_nothing_has_changed(
    town: tuple[Case, Result, np.ndarray],
) -> None:
    """Also under costs that are wrong."""
    case, result, costs = town
    wrong = dict.fromkeys(result.costs, 250)
    for own in (result, forgotten(as_result(case, wrong))):
        new = stream(costs, 400, 3)
        found = monitor(case, own, new)
        assert found.calibration == 400
        p_values = np.array([plan.p_value for plan in found.plans])
        for level in (0.05, 0.1, 0.25, 0.5, 0.75):
            error = np.sqrt(level * (1 - level) * 2 / 400)
            assert np.mean(p_values <= level) == pytest.approx(level, abs=3.5 * error)


def test_change_is_found_and_hardly_anything_else(town: tuple[Case, Result, np.ndarray]) -> None:
    """A CUSUM of this kind cries wolf once in 930 plans."""
    case, result, costs = town
    calm = stream(costs, 900, 6)
    assert sum(plan.changed for plan in monitor(case, result, calm).plans) <= 3
    for seed in range(4):
        other = stream(np.random.default_rng(seed).permutation(costs), 80, 20 + seed)
        trips = [o.actions for new in (only(calm, range(CALM)), other) for o in new.observations]
        found = monitor(case, result, case_of(grid(SIDE), trips)).plans
        flagged = [n for n, plan in enumerate(found) if plan.changed]
        assert flagged
        assert CALM < flagged[0] < CALM + 60


def test_equal_scores_are_no_change(town: tuple[Case, Result, np.ndarray]) -> None:
    """Costs under which nearly all plans are optimal; then a stream of plans that are not."""
    case, result, _ = town
    costs = dict.fromkeys(result.costs, 1)
    shares = [plan.score for plan in monitor(case, costs, case).plans]
    best = only(case, [n for n, score in enumerate(shares) if score == 0])
    worse = only(case, [n for n, score in enumerate(shares) if score > 0][:1] * 9)
    calm = monitor(best, costs, best).plans
    assert {plan.p_value for plan in calm} == {1.0}
    assert not any(plan.cusum for plan in calm)
    assert any(plan.changed for plan in monitor(best, costs, worse).plans)


def test_counts_are_plans(town: tuple[Case, Result, np.ndarray]) -> None:
    case, result, costs = town
    few = only(case, range(20))
    thrice = replace(few, observations=tuple(replace(o, count=3) for o in few.observations))
    new = stream(costs, 10, 4)
    one, three = monitor(few, result, new), monitor(thrice, result, new)
    assert (one.calibration, three.calibration) == (20, 60)
    for before, after in zip(one.plans, three.plans, strict=True):
        as_high = round(before.p_value * 21) - 1
        assert after.p_value == pytest.approx((3 * as_high + 1) / 61)


def test_only_plans_that_nobody_learned_from_count(
    town: tuple[Case, Result, np.ndarray],
) -> None:
    case, result, costs = town
    learned = as_result(only(case, range(100)), result.costs)
    new = stream(costs, 10, 5)
    found = monitor(case, learned, new)
    assert (found.calibration, found.notes) == (300, ())
    assert found.plans == monitor(only(case, range(100, 400)), result, new).plans
    all_learned = monitor(only(case, range(50)), learned, new)
    assert all_learned.calibration == 50
    assert "all plans of the case were learned from" in all_learned.notes[0]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case, costs = write(tmp_path / "case", STREETS), tmp_path / "costs.json"
    costs.write_text('{"r1": 2, "r2": 2, "h": 3}')
    new = tmp_path / "new.csv"
    new.write_text("trip,links,time\na,h,08:00\nb,r1 r2,08:10\n")
    done = command(capsys, "monitor", case, costs, new)
    assert (done.status, done.err) == (0, "")
    assert "2 plans, compared with 3" in done.out
    document = command(capsys, "monitor", case, costs, new, "--json").json
    told = [(p["plan"], p["time"], p["p_value"]) for p in document["plans"]]
    assert told == [("a", "08:00", 1.0), ("b", "08:10", 0.75)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("trip,links\na,moon\n", "moon"),
        ("trip,links\na,r2 r1\n", "jumps"),
        ("trip,links\n", "nothing below"),
        ("from,to\nhome,school\n", "no plans"),
        (None, "no such folder or file"),
    ],
)
def test_bad_streams(
    content: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case, costs = write(tmp_path / "case", STREETS), tmp_path / "costs.json"
    costs.write_text('{"r1": 2}')
    new = tmp_path / "new.csv"
    if content is not None:
        new.write_text(content)
    done = command(capsys, "monitor", case, costs, new)
    assert done.status == 1
    assert words in done.err
    assert done.err.count("\n") == 1


def test_infinite_sums_are_an_error(town: tuple[Case, Result, np.ndarray]) -> None:
    case, result, _ = town
    tiny = forgotten(as_result(case, dict.fromkeys(result.costs, 1)))
    with pytest.raises(InputError, match="no probabilities"):
        monitor(case, tiny, only(case, range(3)))
