"""The learning task in numbers: actions, candidate plans, rows.

A plan's cost depends only on how often each action occurs in it, so a plan is a
sparse vector of counts over A. That plan j costs no more than an alternative reads
``difference . costs + margin <= 0``, where the difference of the counts has common
actions cancelled and the margin is 1 if j must be strictly cheaper. Such a *row*
is all that any learner in this package knows about an alternative.

The learners rest on facts that hold if costs may be any integers of at least 1. What takes
one of them away is part of the task, and the task says which of them still hold: `scales`,
`prices_out`, and of each candidate `cancels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf

import numpy as np
from scipy.sparse import csr_array

from plancost.learning.problem.candidate import Candidate
from plancost.learning.problem.concept import Concept, Reorderings, Ties
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.parameter_limits import limit_rows
from plancost.learning.problem.plan_cost_constraints import (
    PlanCostConstraint,
    deviation_row,
    total_deviation,
)
from plancost.learning.problem.rows import Counts, Row, difference, is_violated
from plancost.learning.problem.second_objective import SecondObjective
from plancost.learning.problem.terms import Term
from plancost.observations.bounds_files import Range
from plancost.observations.case import Case
from plancost.observations.planfile import Plan

Costs = tuple[int, ...]
"""One cost for each action of A, in the order of `Case.actions`.

Where costs are made of other numbers (`composition`), one for each parameter instead; "action" in
this package then stands for a parameter.
"""

PlanSet = frozenset[int]
"""Numbers of candidates."""


@dataclass(frozen=True)
class LearningTask:
    """A case together with what is asked for."""

    case: Case
    concept: Concept
    initial_costs: Costs | None
    """C̄ for refinement, None for learning from scratch."""
    ranges: tuple[Range, ...] | None = None
    """The least and greatest cost of each action of A; None: any integers of at least 1."""
    known: tuple[PlanCostConstraint, ...] = ()
    """Observed plans whose total cost is known."""
    most_deviation: Fraction | None = None
    """How far the costs of plans may be from the known ones in all; None: not at all."""
    factors: tuple[Fraction, ...] | None = None
    """For each observation how many times the optimum it may cost; None: all are 1."""
    composition: CostModel | None = None
    """What costs are made of; None: each action has its own."""
    required: frozenset[int] = frozenset()
    """Observations that must be optimal.

    A required candidate weighs more than all that are not, so a set without one of them is never
    the best as long as all of them can be optimal together."""

    @property
    def scales(self) -> bool:
        """Whether all costs that do may be multiplied by any number of at least 1.

        Then rational costs are as good as integers. Not so where a cost has a greatest value,
        or the cost of a plan is known.
        """
        return not self._limited and not self.known

    @cached_property
    def prices_out(self) -> bool:
        """Whether actions that a set of plans does not use may be made as expensive as we like.

        Then the plans of the set are the whole question, and alternatives through other
        actions need not be looked at. What a plan of known cost uses counts as used, and so does
        what has a greatest cost (`kept_actions`); not so where everything has one. An action
        counts as used unless its cost has a parameter that the set does not use.
        """
        return any(p not in self._limited for parts in self.structure.parts for p, _ in parts)

    @cached_property
    def _limited(self) -> frozenset[int]:
        """The parameters of costs that have a greatest value."""
        ranges = zip(self.ranges or (), self.structure.parts, strict=False)
        of = (parts for (_, greatest), parts in ranges if greatest is not None)
        return frozenset(parameter for parts in of for parameter, _ in parts)

    @cached_property
    def structure(self) -> CostModel:
        """What costs are made of; in refinement with all that distances from C̄ need."""
        given = self.composition or CostModel.by_names(self.case.actions)
        return given if self.initial_costs is None else given.with_links()

    @cached_property
    def objective(self) -> SecondObjective:
        """The second objective, and what each cost may be."""
        return SecondObjective(self.structure, self.case.actions, self.initial_costs, self.ranges)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The term of the second objective of each parameter, with its bounds."""
        return self.objective.terms

    @cached_property
    def limit_rows(self) -> dict[Row, str]:
        """What holds of costs that are made of several parameters, and what it is."""
        if self.structure.is_plain:
            return {}
        ranges = {
            parts: (term.least, term.greatest) for parts, term in self.objective.kind_terms.items()
        }
        return limit_rows(self.structure, ranges, self.terms)

    @cached_property
    def may_be_zero(self) -> frozenset[int]:
        """The parameters that need not be at least 1."""
        return frozenset(number for number, term in enumerate(self.terms) if term.least < 1)

    def bound_row(self, action: int, *, upper: bool) -> Row | None:
        """The greatest (or the least) cost of an action as a row, unless it goes without saying."""
        term = self.terms[action]
        if upper:
            return None if term.greatest is None else (((action, 1),), -term.greatest)
        return None if term.least <= 1 else (((action, -1),), term.least)

    def known_rows(self) -> Iterator[tuple[Row, PlanCostConstraint]]:
        """What hard known costs demand of the costs."""
        for item in self.known if self.most_deviation is None else ():
            for row in item.rows():
                yield row, item

    def deviation_row(self, costs: Sequence[float]) -> Row | None:
        """The row of soft known costs that these costs come nearest to breaking, or break."""
        if self.most_deviation is None:
            return None
        return deviation_row(self.known, self.most_deviation, costs)

    def admits(self, costs: Costs) -> bool:
        """Whether integer costs keep to all that is known about costs."""
        within = all(
            term.least <= cost and (term.greatest is None or cost <= term.greatest)
            for term, cost in zip(self.terms, costs, strict=True)
        )
        within = within and not any(is_violated(row, costs) for row in self.limit_rows)
        if self.most_deviation is not None:
            return within and total_deviation(self.known, costs) <= self.most_deviation
        return within and not any(is_violated(row, costs) for row, _ in self.known_rows())

    def is_void(self, row: Row) -> bool:
        """Whether all costs satisfy a row, by what they are at least."""
        coefficients, margin = row
        if any(coefficient > 0 for _, coefficient in coefficients):
            return False
        zero = self.may_be_zero
        return margin + sum(c for action, c in coefficients if action not in zero) <= 0

    def least_excess(self, row: Row) -> float:
        """The least by which costs within their bounds can break a row (0 or less: not at all)."""
        coefficients, margin = row
        total: float = margin
        for action, coefficient in coefficients:
            term = self.terms[action]
            if coefficient > 0:
                total += coefficient * term.least
            elif term.greatest is None:
                return -inf
            else:
                total += coefficient * term.greatest
        return total

    @cached_property
    def action_number(self) -> dict[str, int]:
        """The position of each action in `Case.actions`."""
        return {name: number for number, name in enumerate(self.case.actions)}

    @property
    def parameters(self) -> tuple[str, ...]:
        """What each cost is called: the actions of A, or what their costs are made of."""
        return self.structure.parameters

    def named(self, costs: Sequence[int]) -> dict[str, int]:
        """The cost of every action of A."""
        return dict(zip(self.case.actions, self.structure.costs(costs), strict=True))

    def classes_of(self, plan: Plan) -> tuple[str, ...]:
        """What the costs of the steps of a plan are called."""
        return tuple(self.structure.classes[self.action_number[name]] for name in plan)

    @property
    def baseline(self) -> Costs:
        """All 1, or C̄ raised to at least 1: also the costs of unconstrained actions."""
        return self.objective.baseline

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The distinct plans, in the order in which they were first observed."""
        merge_orderings = (
            not self.concept.is_strict or self.concept.reorderings is Reorderings.SAME
        ) and self.concept.ties is Ties.ALTERNATIVES
        groups: dict[tuple[int, object, Fraction], list[int]] = {}
        for number, observation in enumerate(self.case.observations):
            identity = self._bag(observation.plan) if merge_orderings else observation.plan
            key = (observation.task, identity, self.factor(number))
            groups.setdefault(key, []).append(number)
        found = []
        for (task, _, factor), members in groups.items():
            observations = [self.case.observations[number] for number in members]
            bonus = 0 if self.required.isdisjoint(members) else self.case.plan_count
            found.append(
                Candidate(
                    task,
                    observations[0].plan,
                    self.counts(observations[0].plan),
                    sum(observation.count for observation in observations) + bonus,
                    tuple(members),
                    any(observation.visits_a_state_twice for observation in observations),
                    factor,
                    bonus,
                )
            )
        return tuple(found)

    def factor(self, observation: int) -> Fraction:
        """How many times the optimum an observation may cost."""
        return Fraction(1) if self.factors is None else self.factors[observation]

    @cached_property
    def candidates_of_task(self) -> tuple[tuple[int, ...], ...]:
        """For each task the numbers of its candidates."""
        grouped: list[list[int]] = [[] for _ in self.case.tasks]
        for number, candidate in enumerate(self.candidates):
            grouped[candidate.task].append(number)
        return tuple(map(tuple, grouped))

    @cached_property
    def candidate_of_observation(self) -> dict[int, int]:
        """For each observation the candidate that it is a copy of."""
        return {
            member: number
            for number, candidate in enumerate(self.candidates)
            for member in candidate.observations
        }

    @cached_property
    def used_actions(self) -> frozenset[int]:
        """The actions that occur in an observed plan."""
        return self.actions_of(range(len(self.candidates)))

    @cached_property
    def deciding_actions(self) -> frozenset[int]:
        """The actions whose costs decide which plans can be optimal together."""
        everything = frozenset(range(len(self.parameters)))
        return self.used_actions | self._limited if self.prices_out else everything

    @cached_property
    def deciding_names(self) -> frozenset[str]:
        """The same by name."""
        deciding = self.deciding_actions
        return frozenset(
            name
            for name, parts in zip(self.case.actions, self.structure.parts, strict=True)
            if all(parameter in deciding for parameter, _ in parts)
        )

    def kept_actions(self, chosen: Iterable[int]) -> frozenset[int]:
        """The actions that cannot be priced out when these candidates are to be optimal."""
        known = frozenset(action for item in self.known for action, _ in item.counts)
        return self.actions_of(chosen) | known | self._limited

    def actions_of(self, chosen: Iterable[int]) -> frozenset[int]:
        """The actions that occur in some of the candidates."""
        return frozenset(a for number in chosen for a, _ in self.candidates[number].counts)

    @cached_property
    def count_matrix(self) -> csr_array:
        """How often each action occurs in each candidate."""
        return self.matrix_of(candidate.counts for candidate in self.candidates)

    def matrix_of(self, many: Iterable[Counts]) -> csr_array:
        """How often each action (each parameter) occurs in each of some plans."""
        pointers, columns, data = [0], list[int](), list[int]()
        for counts in many:
            columns += (parameter for parameter, _ in counts)
            data += (count for _, count in counts)
            pointers.append(len(columns))
        return csr_array(
            (np.array(data, dtype=np.int64), columns, pointers),
            shape=(len(pointers) - 1, len(self.parameters)),
        )

    def counts(self, plan: Plan) -> Counts:
        """How often each action (each parameter) occurs, sorted."""
        return self.structure.counts(map(self.action_number.__getitem__, plan))

    def cost(self, plan: Plan, costs: Sequence[int]) -> int:
        """What a plan costs."""
        if self.structure.is_plain:
            return self.structure.sum_of(map(self.action_number.__getitem__, plan), costs)
        return sum(self.structure.cost(self.action_number[name], costs) for name in plan)

    def weight(self, chosen: Iterable[int]) -> int:
        """How many observed plans a set of candidates stands for, and more for required ones."""
        return sum(self.candidates[number].weight for number in chosen)

    @cached_property
    def required_candidates(self) -> PlanSet:
        """The candidates that must be optimal."""
        return frozenset(n for n, candidate in enumerate(self.candidates) if candidate.bonus)

    def plans_of(self, weight: int) -> int:
        """How many observed plans a weight stands for, of a set with all that are required."""
        return weight - self.case.plan_count * len(self.required_candidates)

    def secondary(self, costs: Sequence[int]) -> int:
        """The second objective: the sum of costs, or of distances from C̄."""
        return self.objective.value(costs)

    @property
    def secondary_floor(self) -> int:
        """No cost function has less of the second objective."""
        return self.objective.floor

    def is_alternative(self, candidate: Candidate, plan: Plan) -> bool:
        """Whether a plan of the candidate's task counts as an alternative to it.

        The candidate itself does not; with ``reorderings=same`` neither do its
        orderings.
        """
        if plan == candidate.plan:
            return False
        if self.concept.is_strict and self.concept.reorderings is Reorderings.DISTINCT:
            return True
        if not self.concept.is_strict:
            return self.counts(plan) != candidate.counts
        return self._bag(plan) != self._bag(candidate.plan)

    def _bag(self, plan: Plan) -> object:
        """What two plans of a task have in common that cost the same, come what may.

        Strict concepts ask for other plans, whatever they cost: there it is the actions.
        """
        return tuple(sorted(plan)) if self.concept.is_strict else self.counts(plan)

    def margin(self, candidate: Candidate, plan: Plan) -> int:
        """1 if the candidate must be strictly cheaper than this alternative, else 0."""
        if not self.concept.is_strict:
            return 0
        if self.concept.ties is Ties.OBSERVED and self._was_observed(candidate.task, plan):
            return 0
        return 1

    def row(self, candidate: Candidate, alternative: Plan) -> Row:
        """What the candidate's optimality demands because of one alternative."""
        own, other = candidate.counts, self.counts(alternative)
        if candidate.factor != 1:
            own = tuple((a, count * candidate.factor.denominator) for a, count in own)
            other = tuple((a, count * candidate.factor.numerator) for a, count in other)
        return difference(own, other), self.margin(candidate, alternative)

    def _was_observed(self, task: int, plan: Plan) -> bool:
        if self.concept.reorderings is Reorderings.SAME:
            return self._bag(plan) in self._observed_bags[task]
        return plan in self._observed_plans[task]

    @cached_property
    def _observed_plans(self) -> tuple[frozenset[Plan], ...]:
        return tuple(
            frozenset(self.case.observations[number].plan for number in members)
            for members in self.case.observations_of_task
        )

    @cached_property
    def _observed_bags(self) -> tuple[frozenset[object], ...]:
        return tuple(frozenset(map(self._bag, plans)) for plans in self._observed_plans)
