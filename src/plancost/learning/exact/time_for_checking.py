"""How much of a time limit is left to the check of the answer.

Where planners check it, nobody knows how long they take, and a fixed part is set aside. On state
graphs that were built already, the check makes the same searches that learning made before. So it
is known how long they take, and learning may have the rest of the time.
"""

from __future__ import annotations

from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE


def end_of_learning(run: Run, on_graphs: Subproblem, *others: Subproblem) -> Deadline:
    """When learning has to end, if all tasks have state graphs of all actions that matter.

    Never earlier than the deadline of the run, which sets a fixed part aside.
    """
    if run.ends.at is None or run.deadline.at is None or on_graphs.separator.graphs() is None:
        return run.deadline
    longest_s = max(item.longest_check_s for item in (on_graphs, *others))
    checking_s = max(SCHEDULE.checking_s, SCHEDULE.checking_times * longest_s)
    used_s = run.stopwatch.seconds()["total"]
    explaining_s = max(SCHEDULE.explaining_s, SCHEDULE.least_explaining * used_s)
    latest = run.ends.before(checking_s + explaining_s)
    return latest if latest.at is not None and latest.at > run.deadline.at else run.deadline
