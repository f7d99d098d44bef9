"""Reports that are too large to learn in a test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plancost.api.learn import learn
from plancost.observations.case import load_case
from plancost.report.page import write_report


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
