"""Failures that follow from others, so that no run is needed to know them.

A listing of more plans contains the listing of fewer. So if the planner did not list the k
cheapest plans of a task's problems within time or memory, it does not list more of them, and not
for another concept either if the costs are the same: it is the same listing. That
a MILP was not solved in time says nothing of a larger one, with one exception: where
all plans of all problems were listed, larger k mean the same MILP.
"""

from __future__ import annotations

import math
from dataclasses import replace

from plancost.experiments.plan import ALL, Run, is_lacfip
from plancost.experiments.records import Content, Recorded, run_key

GROUNDING_FAILED = "grounding out of time or memory"
PLANNER_OUT_OF_TIME = "planner out of time"
PLANNER_OUT_OF_MEMORY = "planner out of memory"
_OF_THE_LISTING = (GROUNDING_FAILED, PLANNER_OUT_OF_TIME, PLANNER_OUT_OF_MEMORY)
_SOLUTIONS = ("mcf", "scf")
"""The concepts of the paper's tables, which share listings where costs are the same."""


def inferred(run: Run, records: Recorded) -> Content | None:
    """The record of a run that must fail as another run of its task did; None if it need not."""
    if not is_lacfip(run.row):
        return None
    rows = [row for row in run.study.rows if is_lacfip(row) and _size(row) <= _size(run.row)]
    for row in rows[:-1]:
        content = records.load(run_key(replace(run, row=row)))
        if content is not None and implies_failure(content):
            return _as(content, row)
    for solution in _SOLUTIONS:
        if solution != run.study.solution:
            other = replace(run, study=replace(run.study, solution=solution))
            for row in rows:
                content = records.load(run_key(replace(other, row=row)))
                if content is not None and is_of_the_listing(content):
                    costs = " with initial costs" if run.study.refine else ""
                    return _as(content, f"{row} of {solution}{costs}")
    return None


def _size(row: str) -> float:
    """How many plans a row lists."""
    return math.inf if row == ALL else int(row)


def _as(content: Content, source: str) -> Content:
    """The record of a run that fails as this one did."""
    return {
        "status": "failed",
        "reason": content["reason"],
        "inferred_from": content.get("inferred_from", source),
        "seconds": content["seconds"],
    }


def implies_failure(content: Content) -> bool:
    """Whether larger k fail as this run did."""
    if content["status"] != "failed":
        return False
    return is_of_the_listing(content) or content.get("alternatives_complete") is True


def is_of_the_listing(content: Content) -> bool:
    """Whether a run or a listing failed because its plans could not be listed within the limits."""
    return content["status"] == "failed" and content["reason"] in _OF_THE_LISTING
