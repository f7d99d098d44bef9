"""The ways to costs that are compared, all with the same signature.

Each is given the plans that may be learned from and returns whole costs for the actions it
knows of. An action of a held-out task that no task learned from has gets the default cost;
maximum-entropy costs have a scale of their own, so there the default counts in units of the
cost that an action has before anything is seen. A mean has a scale too: actions that no plan says
anything of have the mean of the prior, and so have actions that were never met.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.evaluation.maximum_entropy import Journey, fits, learn_with_best_spread, whole_costs
from plancost.evaluation.measures import CostOf
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.bounds_files import ranges_for
from plancost.observations.case import Case
from plancost.observations.cost_files import initial_costs_from_pddl
from plancost.observations.features import costs_from_weights
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.state_graph import StateGraph
from plancost.results.claims import costs_for
from plancost.results.result import Result
from plancost.system.clock import Deadline

_PARTS = 1000
"""Maximum-entropy costs are rounded to this part of 1."""
_STRICT = Concept(Solution.SCF, reorderings=Reorderings.SAME, ties=Ties.OBSERVED)


class Method(enum.StrEnum):
    """Where costs come from."""

    OURS = "ours"
    """`plancost learn` with the given options."""
    MEAN = "mean"
    """The same with the mean of all costs that make the most plans optimal."""
    LIKELY = "likely"
    """The same with likely costs under which more plans are optimal than under the most likely."""
    STRICT = "strict"
    """The same, but plans must be cheaper than their alternatives: scf, where orderings of the
    same actions are one plan and observed plans of one task may tie."""
    UNIT = "unit"
    """All costs 1."""
    INITIAL = "initial"
    """C̄, raised to at least 1: from the PDDL, or from --initial-costs."""
    MAXENT = "maxent"
    """Maximum-entropy inverse reinforcement learning, its prior chosen by cross-validation."""


@dataclass(frozen=True)
class Found:
    """Costs by action; `default` is for all other actions."""

    costs: Mapping[str, int]
    default: int
    proved: bool | None = None
    """Ours: whether no costs make more of the plans learned from optimal."""
    seconds: float = 0.0
    likely: Mapping[str, int] | None = None
    """Likely costs: the most likely ones, which say which of the cheapest plans is predicted."""

    @property
    def second(self) -> CostOf | None:
        """What decides between equally cheap plans; None: nothing."""
        return None if self.likely is None else replace(self, costs=self.likely).of

    def of(self, name: str) -> int:
        """The cost of an action."""
        return self.costs.get(name, self.default)


@dataclass(frozen=True)
class Unavailable:
    """The method cannot be used here."""

    reason: str


def find_costs(
    method: Method,
    train: Case,
    whole: Case,
    options: LearnOptions,
    default: int = 1,
) -> Found | Unavailable:
    """Costs from the plans of `train`; C̄ is also known of the other tasks of `whole`."""
    started = time.monotonic()
    found: Found | Unavailable
    if method is Method.UNIT:
        return Found({}, 1)
    if method is Method.INITIAL:
        found = _initial(whole, options, default)
    elif method is Method.MAXENT:
        found = _maximum_entropy(train, options, default)
    else:
        found = _learned(method, train, whole, options, default)
    if isinstance(found, Found):
        return replace(found, seconds=time.monotonic() - started)
    return found


def _learned(
    method: Method, train: Case, whole: Case, options: LearnOptions, default: int
) -> Found | Unavailable:
    if method is Method.STRICT:
        options = replace(options, concept=_STRICT)
        if options.suboptimality != 1 or any(o.source.suboptimality for o in train.observations):
            return Unavailable("suboptimality does not go with strict costs")
    if method in (Method.MEAN, Method.LIKELY):
        options = replace(options, choose=Choose(method.value))
    result = learn(train, _options_for(train, whole, options))
    if result.interrupted:
        raise KeyboardInterrupt
    if method in (Method.MEAN, Method.LIKELY) and result.choice is None:
        return Unavailable(result.notes[-1])
    default *= _unknown_cost(result)
    costs = _for_all(whole, result, options, default)
    return Found(costs, default, result.proved, likely=result.tie_break)


def _unknown_cost(result: Result) -> int:
    """What an action costs of which nothing is known, in the scale of the result."""
    if result.choice is None:
        return 1
    return max(1, round(float(result.choice["unknown_cost"])))


def _options_for(train: Case, whole: Case, options: LearnOptions) -> LearnOptions:
    """One cost function, and only the bounds that speak of actions of these tasks."""
    own, all_actions = frozenset(train.actions), dict.fromkeys(whole.actions)
    bounds = tuple(
        bound for bound in options.bounds if not own.isdisjoint(bound.named(all_actions))
    )
    return replace(options, groups=1, bounds=bounds)


def _for_all(whole: Case, result: Result, options: LearnOptions, default: int) -> dict[str, int]:
    """The learned costs; others as their class, their features, or the default within bounds."""
    others = [name for name in whole.actions if name not in result.costs]
    costs = result.costs | costs_from_weights(whole, result.linear or {}, others)
    ranges = ranges_for(whole.actions, options.all_bounds)
    for name, (least, greatest) in zip(whole.actions, ranges, strict=True):
        if name not in costs:
            usual = max(least, default if greatest is None else min(default, greatest))
            costs[name] = result.cost_of(name) or usual
    return costs


def _initial(whole: Case, options: LearnOptions, default: int) -> Found | Unavailable:
    try:
        if options.initial_costs is not None:
            costs = costs_for(whole, options.initial_costs, least=0, default=default)
        else:
            costs = initial_costs_from_pddl(whole, options.cost_conflicts)
    except InputError as error:
        return Unavailable(str(error))
    raised = {name: max(1, cost) for name, cost in zip(whole.actions, costs, strict=True)}
    return Found(raised, default)


def _maximum_entropy(train: Case, options: LearnOptions, default: int) -> Found | Unavailable:
    deadline = Deadline.after(options.time_limit_s)
    store = GraphStore(train, options.graph_limits, options.jobs, options.memory)
    built = store.graphs(None, deadline)
    longest = max(len(observation.plan) for observation in train.observations)
    journeys: dict[int, tuple[StateGraph, list[Journey]]] = {}
    for observation in train.observations:
        at = built[observation.task]
        if not isinstance(at, TaskGraph) or not fits(at.graph, longest):
            return Unavailable("a state graph is too large for maximum-entropy IRL")
        journey = Journey(at.task, observation.plan, observation.count)
        journeys.setdefault(id(at.graph), (at.graph, []))[1].append(journey)
    found = learn_with_best_spread(list(journeys.values()), deadline)
    if found is None:
        return Unavailable("maximum-entropy IRL did not end within the time limit")
    costs, usual_cost = found
    unseen = max(1, round(_PARTS * default * usual_cost))
    return Found(whole_costs(costs, _PARTS), unseen)
