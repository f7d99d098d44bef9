"""Evaluation on small cases whose answers can be told by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.evaluation.evaluate import EvaluateOptions, Evaluation, Trial, evaluate
from plancost.evaluation.measures import Measure, Measurer
from plancost.evaluation.methods import Found, Method, Unavailable, find_costs
from plancost.evaluation.paired import Interval
from plancost.evaluation.splits import Split, SplitBy
from plancost.evaluation.tables import differences_table, evaluation_table, write_evaluation
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.bounds_files import CostBound
from plancost.observations.case import load_case
from plancost.observations.parts import part_of_case
from plancost.oracles.graph_limits import GraphLimits

SQUARE = both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1, "ad": 1})
"""From a to d there is a direct way, and two ways round."""


@pytest.fixture
def walkers(write_graph_case: WriteGraphCase) -> Path:
    """Everybody goes from a to d by b, though there is a direct way."""
    return write_graph_case(SQUARE, ["abd", "abd", "abd", "abd"])


def test_what_is_learned_carries_over(walkers: Path) -> None:
    found = evaluate(walkers, EvaluateOptions(folds=2))
    by_method = {summary.method: summary for summary in found.summaries}
    assert set(by_method) == set(Method)
    assert all(summary.plans == 4 for summary in found.summaries)
    ours, unit = by_method[Method.OURS], by_method[Method.UNIT]
    assert (ours.optimal, ours.regret_mean) == (4, 1.0)
    assert (unit.optimal, unit.regret_mean, unit.overlap_mean) == (0, 2.0, 0.0)
    assert by_method[Method.STRICT].overlap_mean == 1.0
    maxent = by_method[Method.MAXENT]
    assert maxent.regret_mean is not None
    assert maxent.regret_mean < 2.0


def test_differences_from_maximum_entropy(write_graph_case: WriteGraphCase) -> None:
    roads = both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1})
    case = load_case(write_graph_case(roads, ["abd", "acd", "abd", "ab", "cd"]))

    def trial(method: Method, *overlaps: float | None) -> Trial:
        """All plans held out; None: the optimum was not found."""
        measures = tuple(
            Measure(number, 2, 2 if value else 1, ("(move a b)",), value)
            if value is not None
            else Measure(number, 2)
            for number, value in enumerate(overlaps)
        )
        return Trial(Split("all", (), tuple(range(5))), method, Found({}, 1), measures)

    trials = (
        trial(Method.UNIT, 0.5, 0.5, 0.25, 0.0, 1.0),
        trial(Method.MAXENT, 0.75, 0.5, 0.5, None, 0.5),
    )
    found = Evaluation(case, EvaluateOptions(), trials, (), {})
    optimal, overlap = found.differences
    assert (optimal.measure, overlap.measure) == ("optimal", "overlap")
    assert (optimal.interval.mean, optimal.interval.half) == (0.0, 0.0)
    # The first three plans are of one task, and the fourth is no pair.
    assert overlap.interval == Interval.of_clusters([[-0.25, 0.0, -0.25], [0.5]])
    table = differences_table(found)
    assert table is not None
    assert table.headings == ("against maxent", "held out", "optimal", "overlap")
    assert table.rows[0][:3] == ("unit", "4", "+0.0 ± 0.0 %")
    assert found.to_json()["differences"][1]["pairs"] == 4


def test_the_same_splits_for_all_methods(walkers: Path) -> None:
    found = evaluate(walkers, EvaluateOptions(folds=4))
    for method in Method:
        splits = [trial.split for trial in found.trials if trial.method is method]
        assert splits == [trial.split for trial in found.trials if trial.method is Method.OURS]
        assert len(splits) == 4


def test_ours_is_plancost_learn(walkers: Path) -> None:
    case = load_case(walkers)
    train = part_of_case(case, [0, 2])
    found = find_costs(Method.OURS, train, case, LearnOptions())
    assert isinstance(found, Found)
    assert found.costs == learn(train).costs
    assert found.proved


def test_of_equally_cheap_plans_the_most_likely_is_predicted(
    write_graph_case: WriteGraphCase,
) -> None:
    # All plans are optimal, so both ways cost the same; most walkers go by c.
    ways = both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1})
    case = load_case(write_graph_case(ways, ["acd"] * 5 + ["abd"]))
    options = LearnOptions(choose=Choose.LIKELY, optimality_weight=1.0)
    found = find_costs(Method.LIKELY, case, case, options)
    assert isinstance(found, Found)
    measurer = Measurer(case, options)
    (plain,) = measurer.measure(found.of, [0])
    assert plain.predicted == ("(move a b)", "(move b d)")
    (measure,) = measurer.measure(found.of, [0], second=found.second)
    assert measure.predicted == ("(move a c)", "(move c d)")
    likely = EvaluateOptions(folds=2, methods=(Method.LIKELY,), learning=options)
    (summary,) = evaluate(case, likely).summaries
    assert summary.overlap_mean == 5 / 6


def two_towns(write_graph_case: WriteGraphCase) -> Path:
    """Two tasks with different objects, so each has actions of its own."""
    folder = write_graph_case(both_ways({"ab": 3}), ["ab"], "case")
    other = write_graph_case(both_ways({"xy": 7, "yz": 1, "xz": 1}), ["xyz"], "other")
    for name in ("p1.pddl", "p1.plan"):
        (folder / name.replace("1", "2")).write_text(
            (other / name).read_text().replace("problem p1", "problem p2")
        )
    return folder


def test_what_is_told_holds_for_other_tasks(write_graph_case: WriteGraphCase) -> None:
    case = load_case(two_towns(write_graph_case))
    train = part_of_case(case, [0])
    assert not any("x" in name for name in train.actions)
    bounds = (CostBound("(move x *)", 3, 3), CostBound("(move * *)", 1, 4))
    found = find_costs(Method.OURS, train, case, LearnOptions(bounds=bounds), 9)
    assert isinstance(found, Found)
    costs = {name: found.of(name) for name in ("(move a b)", "(move x y)", "(move y x)")}
    assert costs == {"(move a b)": 1, "(move x y)": 3, "(move y x)": 4}
    shared = find_costs(Method.OURS, train, case, LearnOptions(share=("schema",)), 9)
    assert isinstance(shared, Found)
    assert shared.of("(move x y)") == shared.of("(move a b)") == 1


def test_one_cost_function_for_all_groups(walkers: Path) -> None:
    manifest = walkers / "grouped.csv"
    rows = [f"p{n}.pddl,p{n}.plan,{'early' if n < 3 else 'late'}" for n in (1, 2, 3, 4)]
    manifest.write_text("\n".join(["problem,plan,group", *rows]))
    options = EvaluateOptions(folds=2, methods=(Method.OURS,))
    found = evaluate(manifest, options, domain=walkers / "domain.pddl")
    assert "the group column is not used" in found.case.notes[-1]
    assert found.summaries[0].optimal == evaluate(walkers, options).summaries[0].optimal == 4
    with pytest.raises(UsageError, match="groups must be 1"):
        EvaluateOptions(learning=LearnOptions(groups=2))


def test_suboptimality_is_not_for_strict_costs(walkers: Path) -> None:
    methods = (Method.OURS, Method.STRICT)
    options = EvaluateOptions(
        folds=2, methods=methods, learning=LearnOptions(suboptimality=Fraction(2))
    )
    ours, strict = evaluate(walkers, options).summaries
    assert (ours.plans, ours.optimal, ours.regret_mean) == (4, 0, 2.0)
    assert strict.reason == "suboptimality does not go with strict costs"


def test_actions_of_other_tasks_get_the_default(write_graph_case: WriteGraphCase) -> None:
    case = load_case(two_towns(write_graph_case))
    for default in (1, 5):
        options = EvaluateOptions(folds=2, split_by=SplitBy.TASKS, default_cost=default)
        found = evaluate(case, options)
        costs = {
            (trial.method, measure.observation): measure.cost
            for trial in found.trials
            for measure in trial.measures
        }
        assert costs[Method.OURS, 1] == 2 * default
        assert costs[Method.UNIT, 1] == 2
        assert costs[Method.INITIAL, 1] == 8  # C̄ is known of every task
        learned = next(
            trial.found
            for trial in found.trials
            if trial.method is Method.MAXENT and trial.split.test == (1,)
        )
        assert isinstance(learned, Found)
        assert learned.of("(move x y)") == default * 1000  # one choice: 1 + log 1


def test_a_graph_that_does_not_fit(walkers: Path) -> None:
    case = load_case(walkers)
    options = LearnOptions(graph_limits=GraphLimits(states=2))
    assert isinstance(find_costs(Method.MAXENT, case, case, options), Unavailable)
    found = evaluate(
        case, EvaluateOptions(folds=2, methods=(Method.UNIT, Method.MAXENT), learning=options)
    )
    unit, maxent = found.summaries
    assert (unit.plans, maxent.plans, maxent.unknown) == (4, 0, 4)
    assert maxent.reason is not None
    assert evaluation_table(found).rows[1][1:5] == ("0", "–", "–", "–")


def test_initial_costs_that_contradict_each_other(write_graph_case: WriteGraphCase) -> None:
    """The other methods are evaluated all the same."""
    case = write_graph_case(both_ways({"ab": 1}), ["ab", "ba"])
    problem = case / "p2.pddl"
    problem.write_text(problem.read_text().replace("(length a b) 1", "(length a b) 2"))
    options = EvaluateOptions(folds=2, methods=(Method.UNIT, Method.INITIAL))
    unit, initial = evaluate(case, options).summaries
    assert (unit.plans, initial.plans) == (2, 0)
    assert initial.reason is not None
    assert "(move a b) costs 1 in" in initial.reason


def test_counts_are_plans(tmp_path: Path, walkers: Path) -> None:
    manifest = walkers / "seen.csv"
    manifest.write_text("problem,plan,count\np1.pddl,p1.plan,3\np2.pddl,p2.plan,1\n")
    found = evaluate(
        manifest,
        EvaluateOptions(folds=2, methods=(Method.UNIT,)),
        domain=walkers / "domain.pddl",
    )
    assert found.summaries[0].plans == 4


def test_files(tmp_path: Path, walkers: Path) -> None:
    found = evaluate(walkers, EvaluateOptions(test_share=0.5, methods=(Method.OURS, Method.UNIT)))
    written = write_evaluation(found, tmp_path / "deep" / "out")
    content = json.loads(written[0].read_text())
    assert [row["method"] for row in content["methods"]] == ["ours", "unit"]
    assert content["splits"] == [{"name": "held out", "train": 2, "test": 2}]
    assert len(content["measures"]) == 4
    lines = (tmp_path / "deep" / "out" / "evaluation.csv").read_text().splitlines()
    assert lines[0].startswith("method,plans,optimal,optimal_share,regret_mean")
    assert lines[1].startswith("ours,2,2,1.0,1.0")
    markdown = (tmp_path / "deep" / "out" / "evaluation.md").read_text().splitlines()
    assert len(markdown) == 4
    assert markdown[2].startswith("| ours | 2 | 100 % | 1.000 |")
    assert len((tmp_path / "deep" / "out" / "measures.csv").read_text().splitlines()) == 5


def test_words_are_members_of_their_enumerations(write_graph_case: WriteGraphCase) -> None:
    """Every method has its own costs here, and a task two plans."""
    case = load_case(write_graph_case(SQUARE, ["abd", "abd", "acd", "dba", "dba"]))
    for split_by in SplitBy:
        for method in (Method.OURS, Method.UNIT, Method.MAXENT):
            word = str(method.value)
            found = evaluate(case, folds=2, methods=(word,), split_by=str(split_by.value))
            wanted = evaluate(case, folds=2, methods=(method,), split_by=split_by)
            assert found.options == wanted.options
            assert found.rows() == wanted.rows()


def test_options_in_plain_values() -> None:
    plain = EvaluateOptions(
        folds=3.0,  # type: ignore[arg-type]
        split_by="tasks",  # type: ignore[arg-type]
        methods="mean",  # type: ignore[arg-type]
        default_cost=np.int64(2),  # type: ignore[arg-type]
        learning=None,  # type: ignore[arg-type]
    )
    methods = (Method.MEAN,)
    wanted = EvaluateOptions(folds=3, split_by=SplitBy.TASKS, methods=methods, default_cost=2)
    assert plain == wanted
    assert type(plain.folds) is int
    assert plain.methods[0] is Method.MEAN
    assert plain.split_by is SplitBy.TASKS


_METHODS = ", ".join(Method)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"methods": ()}, "there is no method to evaluate"),
        ({"methods": None}, "there is no method to evaluate"),
        ({"methods": ("ours", "x")}, f"a method is one of {_METHODS}, not 'x'"),
        ({"methods": (5,)}, f"a method is one of {_METHODS}, not '5'"),
        ({"methods": 5}, "methods are texts, not 5"),
        ({"split_by": "x"}, "split_by is one of observations, tasks, not 'x'"),
        ({"folds": "3"}, "folds takes a whole number, not '3'"),
        ({"folds": 2.5}, "folds takes a whole number, not 2.5"),
        ({"folds": None}, "folds takes a whole number, not None"),
        ({"test_share": "a"}, "test_share takes a number between 0 and 1, not 'a'"),
        ({"test_share": 0}, "test_share takes a number between 0 and 1, not 0"),
        ({"default_cost": "x"}, "default_cost takes a whole number, not 'x'"),
        ({"default_cost": None}, "default_cost takes a whole number, not None"),
        (
            {"default_cost": 0},
            "default_cost takes a number of at least 1 here: no action is free",
        ),
        ({"learning": 5}, "options must be LearnOptions, not 5; .*"),
    ],
)
def test_wrong_options(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        EvaluateOptions(**wrong)
