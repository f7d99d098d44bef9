"""Groups that nobody named, on small cases: no division is better than the bound."""

from __future__ import annotations

from dataclasses import replace

from brute_force import BruteForce, TooLargeError
from plancost.clock import Clock
from plancost.learn.groups import learn_groups
from plancost.options import LearnOptions
from plancost.progress import silent
from random_tasks import draw_case


def _most_of_two(force: BruteForce) -> int:
    """The heaviest union of two sets that can be optimal, each under costs of its own."""
    counts = [seen.count for seen in force.case.observations]
    every = range(len(counts))
    possible = [
        frozenset(n for n in every if mask >> n & 1)
        for mask in range(1 << len(counts))
        if force.least_for([n for n in every if mask >> n & 1]) is not None
    ]
    return max(sum(counts[n] for n in one | two) for one in possible for two in possible)


def test_two_groups() -> None:
    compared = 0
    for seed in range(300, 380):
        case = draw_case(seed)
        case = replace(case, observations=case.observations[:5])
        options = LearnOptions(groups=2)
        try:
            most = _most_of_two(BruteForce(case, replace(options, groups=None)))
        except (TooLargeError, AttributeError):
            continue
        parts, bound = learn_groups(case, options, Clock(30), silent)
        found = sum(
            seen.count
            for _, part, learned in parts
            for seen, verdict in zip(part.observations, learned.verdicts, strict=True)
            if verdict.optimal
        )
        assert found <= most <= bound, seed
        assert found == most or bound > found, seed
        seen = [item for _, part, _ in parts for item in part.observations]
        assert sorted(map(id, seen)) == sorted(map(id, case.observations)), seed
        compared += 1
    assert compared > 20
