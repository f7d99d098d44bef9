"""A state graph that is small enough to draw: every state is a point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.observations.replay import applicable
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.state_graph import StateGraph
from plancost.system.clock import Deadline

_LIMITS = GraphLimits(states=60, transitions=1200)
_LIMIT_S = 20.0


@dataclass(frozen=True)
class SmallStates:
    """The states of all tasks of a case as one graph."""

    case: Case
    graph: StateGraph
    positions: dict[int, int]
    """For each task its position in the graph."""

    @cached_property
    def places(self) -> tuple[str, ...]:
        """For each state the facts that hold in it and not in all."""
        facts: dict[int, frozenset[str]] = {}
        for task, position in self.positions.items():
            self._describe(task, position, facts)
        everywhere = frozenset.intersection(*facts.values()) if facts else frozenset[str]()
        return tuple(
            " ".join(sorted(facts.get(state, frozenset()) - everywhere)) or "nothing holds"
            for state in range(self.graph.state_count)
        )

    @cached_property
    def ways(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """From one state to another: the actions that lead there."""
        found: dict[tuple[int, int], list[str]] = {}
        graph = self.graph
        for source, target, action in zip(graph.source, graph.target, graph.action, strict=True):
            way = (int(source), int(target))
            found.setdefault(way, []).append(graph.action_names[action])
        return {way: tuple(names) for way, names in sorted(found.items())}

    def route(self, task: int, plan: Plan) -> tuple[int, ...]:
        """The states that a plan passes, without the steps that change nothing in the graph."""
        states = self.graph.follow(self.positions[task], plan)
        return tuple(state for state, _ in groupby(map(int, states)))

    def _describe(self, task: int, position: int, facts: dict[int, frozenset[str]]) -> None:
        """Walk through the graph and the grounded task side by side."""
        sas = self.case.tasks[task].sas
        seen = {self.graph.initial[position]}
        waiting = [(self.graph.initial[position], sas.initial_state)]
        while waiting:
            number, state = waiting.pop()
            texts = (sas.fact_text(fact) for fact in enumerate(state))
            facts.setdefault(number, frozenset(t for t in texts if not t.startswith("(not ")))
            start, stop = self.graph.first_transition[number : number + 2]
            for transition in range(int(start), int(stop)):
                after = int(self.graph.target[transition])
                name = self.graph.action_names[self.graph.action[transition]]
                operator = applicable(sas, sas.operators_by_name.get(name, ()), state)
                if operator is not None and after not in seen:
                    seen.add(after)
                    waiting.append((after, sas.apply(operator, state)))


def find_small_states(case: Case) -> SmallStates | None:
    """The state graph of a case, if all its tasks share one that is small enough."""
    store = GraphStore(case, _LIMITS)
    if len(store.groups) != 1:
        return None
    built = store.graphs(None, Deadline.after(_LIMIT_S))
    graphs = {task: item for task, item in built.items() if isinstance(item, TaskGraph)}
    if len(graphs) < len(built):
        return None
    positions = {task: item.task for task, item in graphs.items()}
    return SmallStates(case, graphs[0].graph, positions)
