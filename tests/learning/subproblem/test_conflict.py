"""Conflicts: which sets they exclude, and which few plans show it."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from support.conflicts import EVERY_SET, classes


@given(classes, st.sampled_from(EVERY_SET))
def test_one_plan_from_every_class(found: list[PlanSet], chosen: PlanSet) -> None:
    conflict = Conflict(tuple(found), None)
    excluded = any(chosen.issuperset(choice) for choice in product(*found))
    assert conflict.contains(chosen) == excluded
    if excluded:
        few = conflict.members(chosen)
        assert few <= chosen
        assert len(few) <= len(found)
        assert conflict.contains(few)
