"""Small SAS+ texts for planners, and programs that pretend to be planners."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

Edge = tuple[int, int, int]
"""From, to, cost."""


def graph_sas(edges: Sequence[Edge], start: int, goal: int, *, idle_variables: int = 0) -> str:
    """Movement on a directed graph. Idle variables make the task look larger than it is."""
    size = 1 + max(max(a, b) for a, b, _ in edges)
    values = "\n".join(f"Atom at({node})" for node in range(size))
    idle = "".join(
        f"begin_variable\nidle{number}\n-1\n2\nAtom on({number})\nNegatedAtom on({number})\n"
        "end_variable\n"
        for number in range(idle_variables)
    )
    idle_state = "0\n" * idle_variables
    operators = "".join(
        f"begin_operator\nmove n{a} n{b}\n0\n1\n0 0 {a} {b}\n{cost}\nend_operator\n"
        for a, b, cost in edges
    )
    return (
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n"
        f"{1 + idle_variables}\nbegin_variable\nvar0\n-1\n{size}\n{values}\nend_variable\n{idle}"
        f"0\nbegin_state\n{start}\n{idle_state}end_state\n"
        f"begin_goal\n1\n0 {goal}\nend_goal\n{len(edges)}\n{operators}0\n"
    )


def both_ways(edges: Sequence[Edge]) -> list[Edge]:
    """Every edge in both directions."""
    return [*edges, *((b, a, cost) for a, b, cost in edges)]


def route(*nodes: int) -> tuple[str, ...]:
    """The plan that visits these nodes."""
    return tuple(f"(move n{a} n{b})" for a, b in itertools.pairwise(nodes))


TRIANGLE = both_ways([(0, 1, 1), (1, 2, 1), (0, 2, 3)])


def fake_planner(directory: Path, script: str) -> Path:
    """A program that runs a shell script whatever it is asked."""
    path = directory / "planner"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path
