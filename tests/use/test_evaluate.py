"""Comparisons of methods on plans held out, against the same sums made by hand."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

from chances import as_result, drawn, forgotten, only, whole
from plancost import Case, InputError, evaluate, predict
from plancost.use.predict import SCORES
from towns import STREETS, command, write


@pytest.fixture(scope="module")
def seen() -> tuple[Case, np.ndarray]:
    """Trips, some several times and many between the same places, and costs in nats."""
    case, costs = drawn(1, 60)
    counted = (replace(o, count=1 + n % 3) for n, o in enumerate(case.observations))
    return replace(case, observations=tuple(counted)), costs


def by_plan(case: Case, costs: Any, score: str) -> np.ndarray:
    """The score of each plan, predicted alone."""
    found = (predict(only(case, [n]), costs).scores for n in range(len(case.observations)))
    return np.array([getattr(scores, score) for scores in found], dtype=float)


@pytest.mark.parametrize("how", [{"folds": 4}, {"folds": 4, "by_task": True}])
def test_folds_hold_out_each_plan_once(how: dict[str, Any], seen: tuple[Case, np.ndarray]) -> None:
    """What learns nothing scores as on all plans."""
    case, costs = seen
    given = whole(case, costs)
    found = evaluate(case, ["unit"], given={"given": given}, **how)
    for name, own in (("unit", dict.fromkeys(case.actions, 1)), ("given", given)):
        scores = predict(case, own).scores
        assert scores is not None
        assert found.scores[name].plans == sum(o.count for o in case.observations)
        for score in ("overlap", "exact", "optimal"):
            assert getattr(found.scores[name], score) == pytest.approx(getattr(scores, score))


@pytest.mark.parametrize("by_task", [False, True])
def test_differences_are_paired(by_task: bool, seen: tuple[Case, np.ndarray]) -> None:
    case, costs = seen
    random = np.random.default_rng(2)
    given: Mapping[str, Any] = {
        "true": forgotten(as_result(case, whole(case, costs))),
        "bent": forgotten(
            as_result(case, whole(case, costs * random.uniform(0.8, 1.3, len(costs))))
        ),
    }
    found = evaluate(case, [], given=given, folds=3, by_task=by_task)
    assert not any("learned from" in note for note in found.notes)
    weights = np.array([o.count for o in case.observations], dtype=float)
    weights /= weights.sum()
    units = [o.task if by_task else n for n, o in enumerate(case.observations)]
    assert [d.score for d in found.differences] == list(SCORES)
    for told in found.differences:
        assert (told.method, told.than) == ("true", "bent")
        apart = np.subtract(*(by_plan(case, given[name], told.score) for name in given))
        mean = weights @ apart
        sums = [
            sum(weights[n] * (apart[n] - mean) for n, own in enumerate(units) if own == unit)
            for unit in set(units)
        ]
        size = len(sums)
        error = np.sqrt(size / (size - 1) * np.square(sums).sum()) * student.ppf(0.975, size - 1)
        assert (told.mean, told.low, told.high) == pytest.approx((mean, mean - error, mean + error))


def test_log_likelihood_has_no_unit(seen: tuple[Case, np.ndarray]) -> None:
    """Costs without a scale get the one that fits the plans learned from."""
    case, costs = seen
    true = whole(case, costs)
    given: Mapping[str, Any] = {
        "nats": forgotten(as_result(case, true)),
        "once": true,
        "thrice": {name: 3 * cost for name, cost in true.items()},
    }
    found = evaluate(case, [], given=given, share=0.4).scores
    told = [found[name].log_likelihood for name in given]
    assert all(value is not None for value in told)
    assert told[1] == pytest.approx(told[2], abs=0.01)
    assert told[0] == pytest.approx(told[1], abs=0.1)


def test_likely_beats_unit() -> None:
    costs = np.random.default_rng(4).permutation(np.linspace(1.8, 6, 24))
    case, _ = drawn(4, 200, costs=costs)
    found = evaluate(case, ["likely", "unit"], share=0.4, features="none", time_limit=60)
    by = {d.score: d for d in found.differences}
    assert found.scores["likely"].plans == 80
    assert by["log_likelihood"].low > 0
    assert by["exact"].low > 0


def test_a_result_that_knew_the_plans_is_noted(seen: tuple[Case, np.ndarray]) -> None:
    case, costs = seen
    result = as_result(case, whole(case, costs))
    notes = evaluate(case, ["unit"], given={"R.json": result}).notes
    assert notes[-1].startswith("R.json was learned from")


def test_each_group_is_in_each_part(seen: tuple[Case, np.ndarray]) -> None:
    case, _ = seen
    size = len(case.observations)
    grouped = tuple(
        replace(o, group="few" if n >= size - 5 else "many")
        for n, o in enumerate(case.observations)
    )
    case = replace(case, observations=grouped)
    found = evaluate(case, ["mcf", "unit"], folds=5, time_limit=60)
    assert found.scores["mcf"].plans == found.scores["unit"].plans
    alone = (*grouped[:-1], replace(grouped[-1], group="one"))
    with pytest.raises(InputError, match="group"):
        evaluate(replace(case, observations=alone), ["unit"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--methods", "best"], "best is neither a method"),
        (["--methods", "unit", "unit", "initial"], "--refine"),
        (["--folds", "1"], "--folds must be at least 2"),
        (["--folds", "9"], "too few plans (2) for 9 parts"),
        (["--by", "task"], "too few tasks (1) for 5 parts: give fewer as --folds"),
        (["--share", "1"], "--share"),
        (["--share", "0.01"], "too few"),
        (["--share", "nan"], "--share"),
        (["--features", "none", "--features", "metres"], "none"),
    ],
)
def test_wrong_usage(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = write(tmp_path / "case", STREETS)
    done = command(capsys, "evaluate", case, *words)
    assert done.status in (1, 2)
    assert message in done.err
    assert done.err.count("\n") == 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trips = "trip,links\na,r1 r2\nb,h\nc,r1 r2\nd,r1 r2\n"
    case, costs = write(tmp_path / "case", STREETS, {"trips.csv": trips}), tmp_path / "costs.json"
    costs.write_text('{"r1": 100, "r2": 150, "h": 200}')
    words = ("--methods", "initial", "unit", "mcf", costs, "mcf", "--refine", "metres")
    output = tmp_path / "table.csv"
    done = command(capsys, "evaluate", case, *words, "--folds", 2, "--output", output)
    assert (done.status, done.err) == (0, "")
    assert "initial on the same plans" in done.out
    assert done.out.startswith("means over 4 plans that were held out\n")
    rows = list(csv.DictReader(output.read_text().splitlines()))
    means = {(row["method"], row["score"]): row["value"] for row in rows if not row["than"]}
    assert means["initial", "exact"] == "0.75"
    assert means[str(costs), "exact"] == "0.25"
    assert len(rows) == 4 * 4 + 6 * 4
    document = command(capsys, "evaluate", case, *words, "--folds", 2, "--json").json
    assert document["scores"]["initial"]["exact"] == 0.75
    assert len(document["differences"]) == 6 * 4
    assert command(capsys, "evaluate", case, "--output", costs).status == 1
    assert costs.read_text().startswith("{")
