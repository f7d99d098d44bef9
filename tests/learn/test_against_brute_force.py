"""Random small cases: every answer and every verdict, against the truth by enumeration."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from agreement import wrong_in_run, wrong_verdicts
from brute_force import BruteForce, TooLargeError
from plancost.clock import Clock
from plancost.learn.verify import Check, Oracles
from random_tasks import draw_case, draw_options

PIECES = 8
EACH = 15


@pytest.mark.parametrize("piece", range(PIECES))
def test_learning(piece: int) -> None:
    compared = 0
    for seed in range(piece * EACH, (piece + 1) * EACH):
        case = draw_case(seed)
        try:
            wrong = wrong_in_run(BruteForce(case, draw_options(seed, case)))
        except TooLargeError:
            continue
        assert not wrong, (seed, wrong)
        compared += 1
    assert compared > EACH // 2


@pytest.mark.parametrize("seed", [77_000_088])
def test_once_wrong(seed: int) -> None:
    """Costs that are fixed, in rows that nothing can mend."""
    case = draw_case(seed)
    assert not wrong_in_run(BruteForce(case, draw_options(seed, case)))


@pytest.mark.parametrize("solution", ["mcf", "scf"])
def test_verifying_random_costs(solution: str) -> None:
    for seed in range(200, 240):
        case, random = draw_case(seed), Random(seed)
        options = draw_options(seed, case)
        if not any(seen.factor for seen in case.observations) and not options.suboptimality:
            options = replace(options, solution=solution)
        costs = tuple(random.choice([1, 2, 5]) for _ in case.actions)
        try:
            force = BruteForce(case, options)
            check = Check(costs, Oracles(case, options))
            check.run(Clock(60))
            wrong = list(wrong_verdicts(force, costs, check.verdicts))
        except TooLargeError:
            continue
        assert not wrong, (seed, wrong)
        assert all(verdict.optimal is not None for verdict in check.verdicts), seed
