"""Fast Downward and SymK (a fork of it) as programs: tasks, builds, plan files, exit codes.

The wheels `up-fast-downward` and `up-symk` are not imported (they are GPL, and would pull in
unified-planning); only their binaries are run. An environment variable may name another build.
An exit code is read as an answer only if it is known to be one; everything else is a
`PlannerError`.

What the answers prove. Fast Downward's 13 says "none below the bound", but only of searches that
reopen states under the real costs (all here). A bound cuts off by the cost so far, so A* must be
allowed to reach a plan that costs as much as the bound, or it walks through all that can be
reached for less. SymK's 12 can mean "there is none" as well as "gave up". SymK raises a lower
bound on the cost of plans not yet listed, and prints it with the upper bound at which it stops:
``BOUND: lower < upper``. All is listed if the lower one came up to the upper one, or jumped to
2^31 - 1 from far below. One that crept up to 2^31 has overflowed and proves nothing.

A task is a text in SAS+ in which only the costs change: PDDL by Fast Downward's translator, a
network as one variable whose values are its states. Operators are named by the number of their
action, so that any name of a link will do.
"""

from __future__ import annotations

import enum
import importlib.util
import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plancost.case.grounding import in_sas
from plancost.case.model import Ints, Network, PddlTexts, Task
from plancost.errors import PlannerError
from plancost.processes import Ending, Finished, Limits, private_directory, run

Costs = Sequence[int] | Ints

ARRIVAL = -1
"""The action, without cost, that leads from each of several goal states to the goal."""
LARGEST_COST = 2**31 - 1
"""Both planners count in 32 bits, and say nothing when that overflows."""

_AFTER_A_PLAN = (1, 2, 3)
"""A limit was reached after a plan; without a plan, 1 is how any program says that it failed."""
_BOUND = re.compile(r"BOUND: (\d+) < (\d+) \[")
_SILENT = "Active silent mode."
"""Printed after 2000 steps; from then on SymK keeps its bounds to itself."""
_BEGINNING = "reading input..."
"""Without it the output is only the end of what was printed."""
_COUNT = re.compile(r"Number of plans: (\d+)")
_PLAN_COST = re.compile(r"^; cost = (\d+)", re.MULTILINE)
"""The last line of a plan file: without it the plan may be half of one."""
_STEP = re.compile(r"\(a(-?\d+)\s*\)")


class Verdict(enum.Enum):
    """How a search ended; of two planners the one that is further up counts."""

    FOUND = "found"
    NONE = "none"
    """Proven that there is no such plan."""
    OUT_OF_MEMORY = "out of memory"
    GAVE_UP = "gave up"
    """Ended without a plan and without a proof."""
    OUT_OF_TIME = "out of time"


@dataclass(frozen=True)
class Answer:
    """What a planner says; `plans` with their costs as it counts them, in the order found."""

    verdict: Verdict
    plans: tuple[tuple[tuple[int, ...], int], ...]
    output: str
    complete: bool = False
    """Proven that there are no more."""


_EXIT_CODES = {
    **dict.fromkeys((0,), Verdict.FOUND),
    **dict.fromkeys((11, 13), Verdict.NONE),
    **dict.fromkeys((2, 23), Verdict.OUT_OF_TIME),
    **dict.fromkeys((1, 3, 22, 24), Verdict.OUT_OF_MEMORY),
    **dict.fromkeys((12,), Verdict.GAVE_UP),
}


@dataclass(frozen=True)
class Program:
    """A planner of the family."""

    name: str
    distribution: str
    folder: str
    """In the installed distribution."""
    variable: str
    """The environment variable that may name another build."""

    def binary(self) -> Path:
        """The user's own build, or else the installed one."""
        named = os.environ.get(self.variable)
        if named:
            own = Path(named).absolute()  # programs run in directories of their own
            if not os.access(own, os.X_OK) or not own.is_file():
                raise PlannerError(f"{self.variable} names {named}, which is no executable file")
            return own
        found = importlib.util.find_spec(self.distribution.replace("-", "_"))
        for place in (found.submodule_search_locations or []) if found else []:
            path = Path(place) / self.folder / "builds/release/bin/downward"
            if os.access(path, os.X_OK):
                return path
        raise PlannerError(
            f"{self.name} is not installed: run 'pip install {self.distribution}', or name a build "
            f"of your own in {self.variable}"
        )

    def search(
        self, sas: str, search: str, limits: Limits, stop: Callable[[], bool] | None = None
    ) -> Answer:
        """Run one search on a SAS+ text."""
        with private_directory() as directory:
            task = directory / "task.sas"
            task.write_text(sas, encoding="utf-8")
            command = [str(self.binary()), "--search", search]
            finished = run(command, directory=directory, stdin=task, limits=limits, stop=stop)
            plans = self._plans(directory)
        verdict = self._verdict(finished)
        if not plans and (verdict is Verdict.FOUND or finished.exit_code in _AFTER_A_PLAN):
            raise self.error("says that it found a plan but wrote none", finished.output)
        if plans and verdict is Verdict.NONE:
            raise self.error("wrote a plan but says that there is none", finished.output)
        return Answer(verdict, plans, finished.output)

    def error(self, complaint: str, output: str) -> PlannerError:
        """An error in one sentence, with the last lines of what the planner printed."""
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        return PlannerError(
            f"{self.name} {complaint}: {' / '.join(lines[-3:]) or 'it printed nothing'}"
        )

    def _verdict(self, finished: Finished) -> Verdict:
        if finished.ending in (Ending.OUT_OF_TIME, Ending.STOPPED):
            return Verdict.OUT_OF_TIME
        code = finished.exit_code
        if code is None:
            failed_allocation = finished.signal == signal.SIGABRT and "bad_alloc" in finished.output
            if finished.signal == signal.SIGKILL or failed_allocation:
                return Verdict.OUT_OF_MEMORY
            raise self.error(f"was killed by signal {finished.signal}", finished.output)
        if code not in _EXIT_CODES:
            raise self.error(f"ended with exit code {code}, which is no answer", finished.output)
        return _EXIT_CODES[code]

    def _plans(self, directory: Path) -> tuple[tuple[tuple[int, ...], int], ...]:
        """The plans in ``sas_plan``, ``sas_plan.1``, ..."""
        found = []
        for path in directory.glob("sas_plan*"):
            text = path.read_text(encoding="utf-8", errors="replace")
            cost = _PLAN_COST.search(text)
            if cost is None:
                continue  # it was stopped while it wrote this one
            lines = [line for line in text.splitlines() if line.strip() and line[0] != ";"]
            steps = [_STEP.fullmatch(line.strip()) for line in lines]
            if None in steps:
                raise PlannerError(f"{self.name} wrote something that is no plan")
            plan = tuple(int(step[1]) for step in steps if step)
            found.append((int(path.suffix[1:] or 0), plan, int(cost[1])))
        return tuple((plan, cost) for _, plan, cost in sorted(found))


FAST_DOWNWARD = Program("Fast Downward", "up-fast-downward", "downward", "PLANCOST_FAST_DOWNWARD")
SYMK = Program("SymK", "up-symk", "symk", "PLANCOST_SYMK")


def symk_proofs(answer: Answer, largest_cost: int, wanted: int | None = None) -> Answer:
    """The answer of a search by SymK, with what its output proves about further plans."""
    if answer.verdict not in (Verdict.FOUND, Verdict.GAVE_UP):
        return answer
    if wanted is not None:
        said = _COUNT.search(answer.output)
        if said is None or int(said[1]) != len(answer.plans):
            complaint = f"does not account for the {len(answer.plans)} plans it wrote"
            raise SYMK.error(complaint, answer.output)
        if len(answer.plans) >= wanted:
            return answer
    if not _has_seen_all(answer.output, largest_cost):
        return replace(answer, verdict=Verdict.GAVE_UP)
    return replace(answer, verdict=Verdict.FOUND if answer.plans else Verdict.NONE, complete=True)


def _has_seen_all(output: str, largest_cost: int) -> bool:
    """Whether the bounds that SymK printed prove that there is no further plan."""
    bounds = [(int(lower), int(upper)) for lower, upper in _BOUND.findall(output)]
    if not bounds:
        return False
    lower, upper = bounds[-1]
    safe = LARGEST_COST - 2 * largest_cost
    if upper < safe:
        return lower >= upper or _SILENT in output
    if _SILENT in output or (len(bounds) == 1 and _BEGINNING not in output):
        return False
    before = bounds[-2][0] if len(bounds) > 1 else 0
    return lower == LARGEST_COST and before < safe


@dataclass(frozen=True)
class SasTask:
    """A task between whose parts costs are written; operators are (action, text before cost)."""

    head: str
    operators: tuple[tuple[int, str], ...]
    tail: str
    is_simple: bool = True
    """Without axioms and conditional effects, which only the blind heuristic knows."""

    def text(self, costs: Costs, most: int) -> str:
        """The task without operators that cost more than `most`."""
        kept = [
            f"begin_operator\na{action}\n{body}{cost}\nend_operator\n"
            for action, body in self.operators
            for cost in (0 if action == ARRIVAL else int(costs[action]),)
            if cost <= most
        ]
        return f"{self.head}{len(kept)}\n{''.join(kept)}{self.tail}"


def sas_of_pddl(
    pddl: PddlTexts, problem: str, numbers: Mapping[str, int], limits: Limits
) -> SasTask:
    """A problem with all operators that the case knows; `numbers` are those of its actions."""
    found = in_sas(pddl, problem, limits)
    # What the case does not know can never be applied.
    known = [(numbers[name], body) for name, body in found["operators"] if name in numbers]
    return SasTask(**{**found, "operators": tuple(known)})


def sas_of_network(network: Network, task: Task) -> SasTask:
    """A task on a network: one variable, and an operator for each transition."""
    states = [f"Atom at({number})\n" for number in range(len(network.states))]
    goals = sorted(task.goal_states)
    arrives = len(goals) != 1
    if arrives:
        states.append("Atom arrived()\n")
    goal = len(network.states) if arrives else goals[0]
    (start,) = task.initial
    head = (
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n"
        f"1\nbegin_variable\nplace\n-1\n{len(states)}\n{''.join(states)}end_variable\n"
        f"0\nbegin_state\n{start}\nend_state\nbegin_goal\n1\n0 {goal}\nend_goal\n"
    )
    transitions = zip(
        network.source.tolist(), network.target.tolist(), network.action.tolist(), strict=True
    )
    end = None if arrives else goal
    operators = [  # without those that are in no plan that visits no state twice
        (action, f"0\n1\n0 0 {source} {target}\n")
        for source, target, action in transitions
        if source != target and target != start and source != end
    ]
    if arrives:
        operators += [(ARRIVAL, f"0\n1\n0 0 {place} {goal}\n") for place in goals]
    return SasTask(head, tuple(operators), "0\n")
