"""Costs into PDDL, and plans out of it: planners, plancost and arithmetic agree."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import DOMAIN, graph_problem
from plancost.observations.grounding import ground
from plancost.observations.pddl import read_domain, read_problem
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from plancost.planning.apply import apply_costs
from plancost.planning.solve import SolveStatus, solve
from plancost.system.processes import Limits
from support.planner_runs import cheapest_cost

NODES = "abcde"
PAIRS = [(a, b) for a in NODES for b in NODES if a != b]


def cheapest_walk(costs: dict[tuple[str, str], int]) -> int:
    """The least cost from a to e, by trying all ways."""
    ways = [("a", *middle, "e") for count in range(4) for middle in permutations("bcd", count)]
    edges = [list(pairwise(way)) for way in ways]
    return min(sum(costs[edge] for edge in way) for way in edges if set(way) <= set(costs))


@pytest.mark.slow
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_round_trip(data: st.DataObject) -> None:
    edges = data.draw(st.sets(st.sampled_from(PAIRS), min_size=4)) | {("a", "b"), ("b", "e")}
    # Reachable edges only, so that every one of them is an action of the problem.
    edges |= {(node, "a") for node in NODES[1:]} | {("a", node) for node in "cd"}
    learned = data.draw(
        st.dictionaries(st.sampled_from(sorted(edges)), st.integers(1, 20), min_size=1)
    )
    default = data.draw(st.none() | st.integers(1, 9))
    rule = math.ceil(median(learned.values())) if default is None else default
    expected = {edge: learned.get(edge, rule) for edge in sorted(edges)}
    with TemporaryDirectory() as name:
        folder = Path(name)
        domain, problem = folder / "in" / "domain.pddl", folder / "in" / "p.pddl"
        domain.parent.mkdir()
        domain.write_text(DOMAIN)
        # The lengths in the PDDL are others, and must not show through.
        problem.write_text(graph_problem("p", NODES, dict.fromkeys(sorted(edges), 7), "a", "e"))
        named = {f"(move {a} {b})": cost for (a, b), cost in learned.items()}
        applied = apply_costs(
            named, problem, domain=domain, output=folder / "out", default_cost=default
        )
        assert [path.name for path in applied.files] == ["domain.pddl", "p.pddl"]
        assert applied.costs.costs == {f"(move {a} {b})": c for (a, b), c in expected.items()}
        assert applied.costs.learned == set(named)
        task = ground(read_domain(applied.files[0]), read_problem(applied.files[1]), Limits())
        assert set(task.operators_by_name) == set(applied.costs.costs)
        least = cheapest_walk(expected)
        written_files = applied.files[0], applied.files[1]
        for planner, search in ((FAST_DOWNWARD, "astar(blind())"), (SYMK, "sym_bd()")):
            found = cheapest_cost(planner, search, *written_files, folder / "work")
            assert found == least
        written = solve(applied.files[1], domain=applied.files[0])
        in_memory = solve(problem, domain=domain, costs=named, default_cost=default)
        for result in (written, in_memory):
            assert result.status is SolveStatus.PROVEN
            assert result.plans[0].cost == least
        assert solve(problem, domain=domain).plans[0].cost % 7 == 0, "the PDDL's own costs"
