"""Reports that are too large to learn in a test."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from plancost.api.learn import learn
from plancost.observations.case import load_case
from plancost.report.page import write_report
from plancost.results.document import Moment
from plancost.results.result import ExplanationKeys
from support.grid_walks import grid_case, random_walks


def write_large_report(folder: Path, path: Path) -> None:
    """The report of a case with its plans many times over, and with 20,000 more actions."""
    case = load_case(folder)
    result = learn(case)
    times = 1000 // len(case.observations)
    more = {f"(move far{n} away{n})": 1 + n % 7 for n in range(20_000)}
    result = replace(
        result,
        costs=result.costs | more,
        observations=result.observations * times,
        plans=result.plans * times,
        optimal_plans=result.optimal_plans * times,
    )
    write_report(result, replace(case, observations=case.observations * times), path)


def write_wide_report(path: Path) -> None:
    """The report of a hundred plans on a large map, with costs, conflicts and times made up."""
    case = grid_case(10, random_walks(10, 100, 8, 0))
    result = learn(case, alternatives="baseline")
    plans = [item.plan for item in result.observations]
    explained = [
        replace(item, explanation=ExplanationKeys(reason="in conflict", plans=list(pair)))
        for item, pair in zip(result.observations, pairwise([*plans, plans[0]]), strict=True)
    ]
    most = result.optimal_plans + 3
    moments = [(0.2, 0, 100), (3.0, 20, 100), (9.0, 20, most), (30.0, result.optimal_plans, most)]
    result = replace(
        result,
        costs={name: 3 if n % 5 == 0 else 1 for n, name in enumerate(result.costs)},
        observations=tuple(explained),
        upper_bound=most,
        history=tuple(map(Moment, moments)),
    )
    write_report(result, case, path, title="a hundred plans")
