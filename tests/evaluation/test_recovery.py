"""Studies with hidden true costs."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plancost.errors import UsageError
from plancost.evaluation.methods import Method
from plancost.evaluation.recovery import Recovery, RecoveryOptions, rank_correlation, recover
from plancost.evaluation.tables import differences_table, recovery_table, write_recovery
from plancost.generators.grid import Grid
from plancost.generators.hidden import HiddenWorld, TruePlans, hidden_world
from plancost.generators.streets import Streets
from plancost.generators.transport import Transport
from plancost.observations.planfile import plan_cost
from plancost.observations.replay import replay
from support.small_tasks import simple_plans


@pytest.fixture(scope="module")
def small_world() -> HiddenWorld:
    return hidden_world(Grid(3), 4)


def test_true_plans_are_optimal(small_world: HiddenWorld) -> None:
    generator = random.Random(0)
    for seed in range(5):
        costs = small_world.true_costs(seed)
        assert set(costs.values()) <= set(range(1, 10))
        assert costs == small_world.true_costs(seed)
        source = TruePlans(small_world, costs)
        for number, task in enumerate(small_world.tasks):
            plan = source.draw(number, generator)
            assert replay(task.sas, plan).is_valid
            least = min(plan_cost(other, costs) for other in simple_plans(task.sas))
            assert plan_cost(plan, costs) == least == source.optimal_cost(number)


def test_ties_are_broken_at_random(small_world: HiddenWorld) -> None:
    source = TruePlans(small_world, dict.fromkeys(small_world.actions, 1))
    longest = max(range(4), key=source.optimal_cost)
    assert source.optimal_cost(longest) >= 2
    drawn = {source.draw(longest, random.Random(seed)) for seed in range(30)}
    assert len(drawn) > 1


def test_a_case_of_plans(small_world: HiddenWorld) -> None:
    source = TruePlans(small_world, small_world.true_costs(0))
    plans = [(task, source.draw(task, random.Random(0))) for task in (2, 0, 2)]
    case = small_world.case(plans)
    assert [observation.plan for observation in case.observations] == [plan for _, plan in plans]
    assert [case.tasks[o.task] for o in case.observations] == [
        small_world.tasks[task] for task, _ in plans
    ]
    assert len(case.tasks) == 2
    with pytest.raises(UsageError, match="only 12 different problems"):
        hidden_world(Grid(2), 13)


@pytest.fixture(scope="module")
def study() -> Recovery:
    quick = (Method.OURS, Method.STRICT, Method.UNIT, Method.MAXENT)
    return recover(Grid(3), RecoveryOptions(plans=(2, 6), held_out=4, seeds=2, methods=quick))


def test_a_study(study: Recovery, tmp_path: Path) -> None:
    assert (study.world, study.sizes, study.states, study.actions) == ("grid", {"side": 3}, 9, 24)
    assert [(row.plans, row.summary.method) for row in study.rows] == [
        (plans, method) for plans in (2, 6) for method in study.options.methods
    ]
    for row in study.rows:
        assert row.summary.plans == 8
        assert row.summary.unknown == 0
        assert row.true_regret_mean is not None
        assert row.true_regret_mean >= 1.0
        assert row.true_optimal is not None
        assert (row.rank_correlation is None) or row.summary.method is not Method.UNIT
    again = recover(Grid(3), study.options)
    assert [row.true_regret_mean for row in again.rows] == [
        row.true_regret_mean for row in study.rows
    ]
    assert again.differences == study.differences
    written = write_recovery(study, tmp_path)
    content = json.loads(written[0].read_text())
    assert (len(content["rows"]), len(content["differences"])) == (8, 18)
    for table in (recovery_table(study), differences_table(study)):
        assert table is not None
        assert all(len(row) == len(table.headings) for row in table.rows)
    lines = (tmp_path / "differences.csv").read_text().splitlines()
    assert lines[0] == "learned_from,method,against,measure,pairs,mean,low,high"
    assert (tmp_path / "recovery.md").read_text().count("\n") == 10 + 1 + 8


def test_differences_are_those_of_the_seeds(study: Recovery) -> None:
    rows = {(row.plans, row.summary.method): row for row in study.rows}
    for difference in study.differences:
        plans = difference.learned_from
        assert difference.interval.values == 2
        assert plans is not None
        own, rival = rows[plans, difference.method], rows[plans, Method.MAXENT]
        name = difference.measure.replace("regret", "regret_mean")
        assert difference.interval.mean == pytest.approx(getattr(own, name) - getattr(rival, name))
    assert {item.measure for item in study.differences} == {
        "true_regret",
        "true_optimal",
        "training_optimal",
    }
    # Plans that are truly optimal can all be optimal.
    assert all(rows[plans, Method.OURS].training_optimal == 1.0 for plans in (2, 6))


def test_without_maximum_entropy_nothing_is_compared() -> None:
    alone = RecoveryOptions(plans=(2,), held_out=2, seeds=1, methods=(Method.UNIT,))
    study = recover(Grid(2), alone)
    assert (study.differences, differences_table(study)) == ((), None)


def test_a_city_too() -> None:
    options = RecoveryOptions(plans=(3,), held_out=2, seeds=1, methods=(Method.UNIT, Method.OURS))
    study = recover(Streets(100), options)
    assert (study.world, study.sizes, study.actions) == ("city", {"links": 100}, 99)
    assert study.rows[1].training_optimal == 1.0


def test_transport_too() -> None:
    options = RecoveryOptions(
        plans=(3,), held_out=2, seeds=1, methods=(Method.OURS, Method.UNIT, Method.MAXENT)
    )
    study = recover(Transport(3, 1, 1), options)
    assert [row.summary.plans for row in study.rows] == [2, 2, 2]


def test_rank_correlation() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 90]) == pytest.approx(1.0)
    assert rank_correlation([3, 2, 1], [10, 20, 90]) == pytest.approx(-1.0)
    assert rank_correlation([1, 1, 1], [1, 2, 3]) is None
    assert isinstance(rank_correlation(np.arange(5).tolist(), [1, 1, 2, 2, 3]), float)


def test_options_in_plain_values() -> None:
    plain = RecoveryOptions(plans=5, methods="unit", learning=None)  # type: ignore[arg-type]
    assert plain == RecoveryOptions(plans=(5,), methods=(Method.UNIT,))
    assert plain.methods[0] is Method.UNIT
    assert RecoveryOptions(plans=[2, 4]).plans == (2, 4)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"plans": ()}, "a study needs at least one plan, .*"),
        ({"seeds": 0}, "a study needs at least one plan, .*"),
        ({"plans": "5"}, "plans takes a whole number, not '5'"),
        ({"plans": None}, "plans takes a whole number, not None"),
        ({"plans": (5, "6")}, "plans takes a whole number, not '6'"),
        ({"held_out": "5"}, "held_out takes a whole number, not '5'"),
        ({"seeds": 1.5}, "seeds takes a whole number, not 1.5"),
        ({"methods": ("x",)}, "a method is one of ours, .*, not 'x'"),
        ({"methods": ()}, "there is no method to evaluate"),
        ({"learning": 5}, "options must be LearnOptions, not 5; .*"),
    ],
)
def test_wrong_options(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        RecoveryOptions(**wrong)


def test_what_is_no_world() -> None:
    with pytest.raises(UsageError, match=r"^world must be a world such as Grid\(5\), not None$"):
        recover(None)  # type: ignore[arg-type]
