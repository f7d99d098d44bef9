"""Candidates as paths through state graphs, and which of them share a subpath.

A part of an optimal plan is optimal between its ends. So what an alternative demands of a
subpath of one plan, it demands of every plan that contains the same subpath: the same actions
from the same state on (up to the goal, if that is where the alternative ends).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plancost.learning.problem.cost_model import CostVector
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.rows import Row, difference
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.shortest_paths import Subpath
from plancost.oracles.state_graph import Indices, StateGraph


@dataclass(frozen=True)
class Path:
    """A candidate in its graph: one state more than actions, all as the graph's numbers."""

    states: tuple[int, ...]
    actions: tuple[int, ...]
    goal: bytes
    """Equal for plans with the same goal states."""


class Paths:
    """The paths of all candidates whose task has a graph."""

    def __init__(self, task: LearningTask, graphs: Mapping[int, TaskGraph]) -> None:
        self._task = task
        self._graphs = graphs
        self._path: dict[int, Path] = {}
        self._starts: dict[tuple[int, bytes], set[int]] = {}
        self._numbers: dict[int, list[int]] = {}
        self._vectors: dict[int, CostVector] = {}
        self._visits: dict[int, dict[tuple[int, tuple[int, ...]], list[tuple[int, int]]]] = {}
        for graph, numbers in self._members():
            tasks = [graphs[task.candidates[number].task].task for number in numbers]
            plans = [task.candidates[number].plan for number in numbers]
            visits = self._visits.setdefault(id(graph), {})
            goals = {at: graph.goals[at].tobytes() for at in set(tasks)}
            for number, at, plan, visited in zip(
                numbers, tasks, plans, graph.follow_all(tasks, plans), strict=True
            ):
                states = tuple(visited.tolist())
                actions = tuple(graph.action_number[name] for name in plan)
                self._path[number] = Path(states, actions, goals[at])
                self._starts.setdefault((id(graph), goals[at]), set()).add(states[0])
                for position, state in enumerate(states):
                    begins = state, actions[position : position + 1]
                    visits.setdefault(begins, []).append((number, position))

    def _members(self) -> Iterable[tuple[StateGraph, list[int]]]:
        """The candidates of each graph."""
        grouped: dict[int, tuple[StateGraph, list[int]]] = {}
        for number, candidate in enumerate(self._task.candidates):
            if candidate.task in self._graphs:
                graph = self._graphs[candidate.task].graph
                grouped.setdefault(id(graph), (graph, []))[1].append(number)
        return grouped.values()

    def __getitem__(self, number: int) -> Path:
        return self._path[number]

    def graph(self, number: int) -> StateGraph:
        """The graph of a candidate."""
        return self._graphs[self._task.candidates[number].task].graph

    def goal(self, number: int) -> Indices:
        """The goal states of a candidate."""
        at = self._graphs[self._task.candidates[number].task]
        return at.graph.goals[at.task]

    def starts(self, graph: StateGraph, goal: bytes) -> Indices:
        """Where the candidates with a goal begin."""
        return np.array(sorted(self._starts[id(graph), goal]), dtype=np.int64)

    def by_graph(self, chosen: Iterable[int] | None = None) -> list[tuple[StateGraph, list[int]]]:
        """The candidates (or the chosen ones) of each graph; those without one are left out."""
        grouped: dict[int, tuple[StateGraph, list[int]]] = {}
        for number in self._path if chosen is None else chosen:
            if number not in self._path:
                continue
            graph = self.graph(number)
            grouped.setdefault(id(graph), (graph, []))[1].append(number)
        return list(grouped.values())

    def numbers(self, graph: StateGraph) -> list[int]:
        """The graph's actions as numbers of A."""
        found = self._numbers.get(id(graph))
        if found is None:
            found = [self._task.action_number[name] for name in graph.action_names]
            self._numbers[id(graph)] = found
        return found

    def costs(self, graph: StateGraph, costs: np.ndarray) -> np.ndarray:
        """What the graph's actions cost."""
        vector = self._vectors.get(id(graph))
        if vector is None:
            vector = CostVector(self._task.structure, self.numbers(graph))
            self._vectors[id(graph)] = vector
        return vector(costs)

    def names(self, graph: StateGraph, actions: Iterable[int]) -> Plan:
        """The graph's actions by name."""
        return tuple(graph.action_names[action] for action in actions)

    def row(self, graph: StateGraph, own: Sequence[int], other: Sequence[int], margin: int) -> Row:
        """What it takes that some actions cost no more than others."""
        number = self.numbers(graph).__getitem__
        counts = self._task.structure.counts
        return difference(counts(map(number, own)), counts(map(number, other))), margin

    def key(self, number: int, subpath: Subpath) -> tuple[object, ...]:
        """Equal for subpaths whose rows and inducing plans (`lifted`) are the same."""
        path, graph = self._path[number], self.graph(number)
        own = path.actions[subpath.start : subpath.stop]
        goal = path.goal if subpath.stop is None else None
        return id(graph), path.states[subpath.start], own, subpath.actions, goal

    def lifted(self, number: int, subpath: Subpath, margin: int) -> Iterable[Cut]:
        """The row of a candidate's subpath, for every candidate that contains it.

        Of plans with a factor it says nothing.
        """
        graph, path = self.graph(number), self._path[number]
        stop = len(path.actions) if subpath.stop is None else subpath.stop
        own = path.actions[subpath.start : stop]
        row = self.row(graph, own, subpath.actions, margin)
        begins = path.states[subpath.start], own[:1]
        for other, position in self._visits[id(graph)][begins]:
            theirs = self._path[other]
            end = position + len(own)
            if theirs.actions[position:end] != own or not self._task.candidates[other].cancels:
                continue
            to_the_goal = theirs.goal == path.goal and end == len(theirs.actions)
            if subpath.stop is None and not to_the_goal:
                continue
            alternative = (*theirs.actions[:position], *subpath.actions, *theirs.actions[end:])
            yield Cut(other, row, self.names(graph, alternative))
