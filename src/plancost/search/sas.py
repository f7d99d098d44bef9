"""SAS+, the language of Fast Downward and SymK, as text in which only the costs change.

A task becomes SAS+ once: PDDL by Fast Downward's translator, a network as one variable whose
values are its states. Afterwards only costs are written into it, and operators are left out.
Operators are named by the number of their action, so that any name of a link will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plancost.case.grounding import in_sas
from plancost.case.model import Ints, Network, PddlTexts, Task
from plancost.processes import Limits

Costs = Sequence[int] | Ints

ARRIVAL = -1
"""The action, without cost, that leads from each of several goal states to the goal."""


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
