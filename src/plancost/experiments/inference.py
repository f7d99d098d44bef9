"""Failures that follow from others, so that no run is needed to know them.

A listing of more plans contains the listing of fewer. So if the planner did not list the k
cheapest plans of a task's problems within time or memory, it does not list more of them. That
a MILP was not solved in time says nothing of a larger one, with one exception: where
all plans of all problems were listed, larger k mean the same MILP.
"""

from __future__ import annotations

from dataclasses import replace

from plancost.experiments.plan import ALL, Run, is_lacfip
from plancost.experiments.records import Content, Recorded, run_key

GROUNDING_FAILED = "grounding out of time or memory"
PLANNER_OUT_OF_TIME = "planner out of time"
PLANNER_OUT_OF_MEMORY = "planner out of memory"
_OF_THE_LISTING = (GROUNDING_FAILED, PLANNER_OUT_OF_TIME, PLANNER_OUT_OF_MEMORY)


def inferred(run: Run, records: Recorded) -> Content | None:
    """The record of a run that must fail as a smaller k of its task did; None if it need not."""
    if not is_lacfip(run.row):
        return None
    for row in filter(is_lacfip, run.study.rows):
        if row != ALL and (run.row == ALL or int(row) < int(run.row)):
            content = records.load(run_key(replace(run, row=row)))
            if content is not None and implies_failure(content):
                return {
                    "status": "failed",
                    "reason": content["reason"],
                    "inferred_from": content.get("inferred_from", row),
                    "seconds": content["seconds"],
                }
    return None


def implies_failure(content: Content) -> bool:
    """Whether larger k fail as this run did."""
    if content["status"] != "failed":
        return False
    return is_of_the_listing(content) or content.get("alternatives_complete") is True


def is_of_the_listing(content: Content) -> bool:
    """Whether a run or a listing failed because its plans could not be listed within the limits."""
    return content["status"] == "failed" and content["reason"] in _OF_THE_LISTING
