"""Results as tables of the real pandas."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import plancost
from plancost.errors import UsageError
from plancost.interfaces.frames import costs_frame, history_frame, observations_frame
from plancost.learning.choose.choice import Uncertainty
from plancost.results.reading import read_result
from plancost.results.result import Result


@pytest.fixture
def learned(table_1: Path) -> Result:
    return plancost.learn(table_1, plancost.LearnOptions(refine=True, ranges=True))


def test_costs(learned: Result) -> None:
    frame = costs_frame(learned)
    assert list(frame.columns) == [
        *("schema", "arguments", "action", "cost"),
        *("initial_cost", "constrained", "least", "greatest"),
    ]
    assert frame["cost"].sum() == sum(learned.costs.values())
    assert (frame["cost"] - frame["initial_cost"]).abs().sum() == learned.secondary.value == 2
    row = frame.set_index("action").loc["(move a c)"]
    assert (row["schema"], row["arguments"], row["initial_cost"]) == ("move", ("a", "c"), 2)
    assert ((frame["least"] <= frame["cost"]) & (frame["cost"] <= frame["greatest"])).all()
    assert set(frame.loc[frame["constrained"], "action"]) == set(learned.constrained or ())
    assert not frame["constrained"].all()


def test_costs_learned_from_nothing_have_no_initial_cost(table_1: Path) -> None:
    result = plancost.learn(table_1)
    assert list(costs_frame(result).columns) == [
        *("schema", "arguments", "action", "cost", "constrained")
    ]
    plain = replace(result, constrained=None)
    assert list(costs_frame(plain).columns) == ["schema", "arguments", "action", "cost"]


def test_uncertain_costs(table_1: Path) -> None:
    result = plancost.learn(table_1)
    known = {name: Uncertainty(2.5, 0.5, 1.75, 3.25, name == "(move a b)") for name in result.costs}
    frame = costs_frame(replace(result, uncertainty=known)).set_index("action")
    names = ["mean", "sd", "least_90", "greatest_90", "observed"]
    assert list(frame.columns)[-5:] == names
    row = frame.loc["(move a b)"]
    assert [row[name] for name in names] == [2.5, 0.5, 1.75, 3.25, True]
    assert frame["observed"].sum() == 1


def test_observations(example_1: Path) -> None:
    frame = observations_frame(plancost.learn(example_1))
    assert len(frame) == 2
    assert frame["optimal"].sum() == 1
    (beaten,) = frame.loc[~frame["optimal"]].to_dict("records")
    assert beaten["reason"] == "in conflict"
    assert beaten["optimal_cost"] == beaten["rival_cost"] < beaten["cost"]
    (best,) = frame.loc[frame["optimal"]].to_dict("records")
    assert pd.isna(best["rival_cost"]) and best["reason"] is None


def test_what_is_not_known_is_missing(example_1: Path) -> None:
    result = plancost.learn(example_1)
    unknown = tuple(
        replace(item, optimal=None, optimal_cost=None, rival_cost=None)
        for item in result.observations
    )
    frame = observations_frame(replace(result, observations=unknown))
    assert frame[["optimal", "optimal_cost", "rival_cost"]].isna().all(axis=None)
    assert str(frame["optimal_cost"].dtype) == "Int64"


def test_history(example_1: Path) -> None:
    result = plancost.learn(example_1)
    frame = history_frame(result)
    assert list(frame.columns) == ["seconds", "optimal", "bound"]
    assert frame.iloc[-1]["optimal"] == frame.iloc[-1]["bound"] == result.optimal_plans
    empty = history_frame(replace(result, history=()))
    assert empty.empty and list(empty.columns) == list(frame.columns)


def test_a_result_from_a_file_gives_the_same_tables(learned: Result, tmp_path: Path) -> None:
    learned.write(tmp_path / "RESULT.json")
    again = read_result(tmp_path / "RESULT.json")
    pd.testing.assert_frame_equal(costs_frame(again), costs_frame(learned))
    pd.testing.assert_frame_equal(observations_frame(again), observations_frame(learned))


def test_without_pandas_one_sentence_says_what_to_install(
    learned: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"pip install plancost\[pandas\]"):
        costs_frame(learned)
