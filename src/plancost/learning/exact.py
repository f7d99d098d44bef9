"""The exact strategy: k = infinity without listing plans, with proofs.

1. *The first objective on used actions alone.* An action that no observed plan uses can
   be priced out: dearer than every plan, so that no alternative through it wins. So
   which plans can be optimal together is decided on the actions that observed plans
   use, whose state space is small even where the full one is not. (Where costs have a
   greatest value that does not hold, and all actions are looked at from the start.)
2. That answer, with the unused actions priced out, is already a valid one.
3. *The second objective on all actions* lowers the prices step by step. Whenever the
   oracle confirms cheaper costs, they become the best answer so far.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from plancost.clock import Deadline, Stopwatch
from plancost.errors import LimitError, SolverError
from plancost.learning.answer import BestAnswer
from plancost.learning.checkpoint import FIRST, SECOND, Checkpoint
from plancost.learning.concept import Reorderings, Ties
from plancost.learning.contradictions import contradiction
from plancost.learning.crew import Crew
from plancost.learning.from_alternatives import failures_in, find_all_alternatives
from plancost.learning.least_costs import LeastCosts, find_least_costs, improve_costs
from plancost.learning.maximum_set import MaximumSet, find_maximum_set
from plancost.learning.options import LearnOptions, OracleName
from plancost.learning.part_first import improve_by_parts, is_divisible
from plancost.learning.paths import Paths
from plancost.learning.plan_sets import Conflict, PlanSets, Possible, findings
from plancost.learning.price_cuts import lower_prices
from plancost.learning.searchers import Searchers
from plancost.learning.separators import CombinedSeparator, build_separator
from plancost.learning.task import Costs, LearningTask, PlanSet
from plancost.learning.tie_break import canonical_answer
from plancost.observations.planfile import Plan
from plancost.observations.redundancy import without_redundant_actions
from plancost.oracles.graph_oracle import TaskGraph
from plancost.progress import Progress

_log = logging.getLogger(__name__)

_FIRST_SHARE = 0.85
_FIRST_SHARE_ON_GRAPHS = 0.95
"""The part of the time that the first objective may use, so that costs come down in any case."""
_PARTS_SHARE = 0.6
"""The part of the time that answers for some of the plans may use."""
_PLAIN_SHARE = 0.2
_PLAIN_S = 60.0
"""The part of the time, and the seconds, that an answer without factors may use."""
_MOST_OBSERVED_PAIRS = 2000
_LEAST_PLANS_FOR_COMPANY = 60


def learn_exactly(
    task: LearningTask,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    answer: BestAnswer,
    stopwatch: Stopwatch,
    progress: Progress,
    known: Sequence[Sequence[Plan]] = (),
    checkpoint: Checkpoint | None = None,
) -> None:
    """Improve the answer until both objectives are proven or the time is up.

    `known` are other plans of each task, to begin with. What is found goes into the checkpoint,
    and what an earlier run left there is taken up.
    """
    checkpoint = checkpoint or Checkpoint()
    try:
        maximum = _first_objective(
            task, options, searchers, deadline, answer, progress, stopwatch, known, checkpoint
        )
    finally:
        stopwatch.lap("first objective")
    if deadline.is_over:
        return
    try:
        _second_objective(
            task, options, searchers, deadline, answer, maximum, progress, known, checkpoint
        )
    finally:
        stopwatch.lap("second objective")


def _first_objective(
    task: LearningTask,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    answer: BestAnswer,
    progress: Progress,
    stopwatch: Stopwatch,
    known: Sequence[Sequence[Plan]],
    checkpoint: Checkpoint,
) -> MaximumSet:
    progress("first objective", 0, task.case.plan_count, "building state graphs")
    sets = first_objective_sets(task, options, searchers, deadline)
    # Only what is made of actions that decide; the others are priced out.
    names = task.deciding_names
    add_plans(sets, [[plan for plan in plans if names.issuperset(plan)] for plans in known])
    answer.facts["oracle_first_objective"] = _description(sets)
    _log.info("first objective: %s", _description(sets))
    answer.sets = sets
    maximum = MaximumSet(frozenset(), task.baseline, 0, task.case.plan_count)
    if task.known or not task.admits(task.baseline):
        maximum.costs = answer.costs = _costs_as_known(sets, deadline)
        sets.start = np.asarray(maximum.costs, dtype=np.float64)
    maximum.conflicts += [
        conflict for conflict in checkpoint.take_up(FIRST, sets) if conflict.secondary is None
    ]

    def report(best: int, bound: int) -> None:
        answer.upper_bound = bound
        seconds = checkpoint.seconds_before + stopwatch.seconds()["total"]
        answer.history.append((seconds, best, bound))
        if best > answer.believed:
            answer.costs = maximum.costs
            answer.believed = best
            checkpoint.note_best(FIRST, maximum.chosen, maximum.costs)
        gap = f", gap {100 * (bound - best) / best:.1f} %" if 0 < best < bound else ""
        words = f"{best} optimal, at most {bound}{gap}"
        _log.debug("first objective: %s", words)
        progress("first objective", best, task.case.plan_count, words)

    if (
        all_graphs(sets) is None
        and options.oracle is OracleName.AUTO
        and task.prices_out
        and is_divisible(task)
    ):
        improve_by_parts(
            task,
            maximum,
            lambda part, until: _on_graphs(part, options, searchers, until),
            deadline.share(_PARTS_SHARE),
            lambda: report(maximum.weight, maximum.upper_bound),
        )
    share = _FIRST_SHARE if all_graphs(sets) is None else _FIRST_SHARE_ON_GRAPHS
    kept = checkpoint.best(FIRST, sets, deadline)
    if kept is not None:
        maximum.chosen, maximum.costs = kept
        maximum.weight = task.weight(maximum.chosen)
        answer.costs, answer.believed = maximum.costs, maximum.weight
    elif _begin_without_factors(sets, options, searchers, deadline, maximum):
        report(maximum.weight, maximum.upper_bound)
    with _crew(sets, options) as crew:
        find_maximum_set(
            sets,
            deadline.share(share),
            start=maximum,
            paths=_crossing_paths(sets),
            crew=crew,
            report=report,
            seed=options.seed,
            resumed=kept is not None,
        )
    answer.conflicts = maximum.conflicts
    _log.info(
        "first objective: %d of %d plans optimal, at most %d (%s), by %d conflicts over %d rows",
        maximum.weight,
        task.case.plan_count,
        maximum.upper_bound,
        "proven" if maximum.proved else "not proven",
        len(maximum.conflicts),
        sets.row_count,
    )
    by_solver = sum(conflict.certificate is None for conflict in maximum.conflicts)
    if by_solver:
        answer.facts["conflicts_by_solver"] = by_solver
        answer.notes.append(
            f"{by_solver} of {len(maximum.conflicts)} conflicts rest on the solver's word that "
            "no whole numbers will do"
        )
    return maximum


def _begin_without_factors(
    sets: PlanSets,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    best: MaximumSet,
) -> bool:
    """Costs that make plans optimal are an answer for every factor, and are found sooner.

    True if that is better than `best`, which it is then.
    """
    task = sets.task
    if task.factors is None:
        return False
    plain = replace(task, factors=None)
    until = deadline.share(_PLAIN_SHARE).within(_PLAIN_S)
    plain_sets = first_objective_sets(plain, options, searchers, until)
    plain_sets.start = sets.start
    found = MaximumSet(frozenset(), best.costs, 0, task.case.plan_count)
    paths = _crossing_paths(plain_sets)
    find_maximum_set(plain_sets, until, start=found, paths=paths, seed=options.seed)
    for said in plain_sets.failures:
        sets.failures.setdefault(said)
    # Copies of a plan with different factors are one candidate there and several here.
    chosen = frozenset(
        task.candidate_of_observation[member]
        for number in found.chosen
        for member in plain.candidates[number].observations
    )
    if task.weight(chosen) <= best.weight or not sets.check(found.costs, chosen, deadline):
        return False
    best.chosen, best.costs, best.weight = chosen, found.costs, task.weight(chosen)
    _log.info("without factors: %d plans optimal", best.weight)
    return True


def _on_graphs(
    part: LearningTask, options: LearnOptions, searchers: Searchers, deadline: Deadline
) -> MaximumSet | None:
    """The most plans of a part that can be optimal together, if their state graphs fit."""
    own = Searchers.of(part.case, options, searchers.executor)
    sets = first_objective_sets(part, options, own, deadline)
    if all_graphs(sets) is None:
        return None
    start = MaximumSet(frozenset(), part.baseline, 0, part.case.plan_count)
    paths = _crossing_paths(sets)
    return find_maximum_set(sets, deadline, start=start, paths=paths, seed=options.seed)


def _crossing_paths(sets: PlanSets) -> Paths | None:
    """The candidates as paths, where plans that cross are in conflict.

    Rows of whole plans, which tolerated ties need, cannot be cut to crossing stretches.
    """
    concept = sets.task.concept
    plain = concept.reorderings is Reorderings.DISTINCT and concept.ties is Ties.ALTERNATIVES
    return separator_paths(sets) if plain else None


def _costs_as_known(sets: PlanSets, deadline: Deadline) -> Costs:
    """Costs that keep to what is known, whichever plans they make optimal."""
    answer = sets.decide(frozenset(), deadline)
    if isinstance(answer, Possible):
        return answer.costs
    if isinstance(answer, Conflict) and sets.task.most_deviation is None:
        raise contradiction(sets.task, deadline)
    if isinstance(answer, Conflict):
        raise SolverError("HiGHS does not find the costs of the least deviation again")
    raise LimitError("the time limit ended the search for costs that fit what is known")


def _second_objective(
    task: LearningTask,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    answer: BestAnswer,
    maximum: MaximumSet,
    progress: Progress,
    known: Sequence[Sequence[Plan]],
    checkpoint: Checkpoint,
) -> None:
    sets = answer.sets
    if sets is None or task.prices_out:
        progress("second objective", 0, 1, "building state graphs")
        separator = build_separator(task, None, options, searchers, deadline)
        sets = PlanSets(task, range(len(task.parameters)), separator)
        add_observed_rows(sets)
    answer.facts["oracle_second_objective"] = _description(sets)
    _log.info("second objective: %s", _description(sets))
    if options.top_k_seed:
        listed = find_all_alternatives(
            task, options, deadline.share(0.2), progress, searchers.executor
        )
        answer.failures += failures_in(listed)
        add_plans(sets, [item.plans for item in listed])
    add_plans(sets, known)
    answer.full_sets = sets
    # Where all actions are looked at from the start, all was taken up with the first objective.
    taken_up = sets.proofs if sets is answer.sets else checkpoint.take_up(SECOND, sets)
    chosen, costs = maximum.chosen, maximum.costs
    kept = checkpoint.best(SECOND, sets, deadline)
    if kept is not None and task.weight(kept[0]) == maximum.weight:
        chosen, costs = kept
        answer.costs = costs
    graphs = all_graphs(sets)
    if graphs is not None and task.prices_out and kept is None:
        lower = lower_prices(task, graphs, chosen, costs, deadline)
        if sets.check(lower, chosen, deadline):
            answer.costs = costs = lower
    best = LeastCosts(chosen, costs, task.secondary(costs), task.secondary_floor)

    def report(costs: Costs, chosen: PlanSet, bound: int) -> None:
        answer.costs = costs
        answer.secondary_bound = max(answer.secondary_bound, bound)
        checkpoint.note_best(SECOND, chosen, costs)
        words = _secondary_words(task, task.secondary(costs), bound)
        _log.debug("second objective: %s", words)
        progress("second objective", 0, 1, words)

    if not maximum.proved:
        improve_costs(sets, best, deadline, report=report, seed=options.seed)
        _log.info("second objective: %s", _secondary_words(task, best.value, best.lower_bound))
        return
    conflicts = [*maximum.conflicts, *taken_up]
    find_least_costs(sets, conflicts, best, deadline, report=report, seed=options.seed)
    if best.proved:
        canonical = canonical_answer(sets, conflicts, best, deadline)
        answer.facts["canonical"] = canonical is not None
        if canonical is not None:
            answer.costs = canonical[1]
    words = _secondary_words(task, best.value, best.lower_bound)
    proven = "proven" if best.proved else "not proven"
    _log.info("second objective: %s (%s), over %d rows", words, proven, sets.row_count)
    progress("second objective", 1, 1, words)


def _secondary_words(task: LearningTask, value: int, bound: int) -> str:
    what = "sum of costs" if task.initial_costs is None else "distance from the initial costs"
    return f"{what} {value}, at least {bound}"


def first_objective_sets(
    task: LearningTask, options: LearnOptions, searchers: Searchers, deadline: Deadline
) -> PlanSets:
    """What decides which plans can be optimal together: the used actions alone.

    All actions, where unused ones cannot be priced out.
    """
    names = task.deciding_names if task.prices_out else None
    separator = build_separator(task, names, options, searchers, deadline)
    sets = PlanSets(task, task.deciding_actions, separator, prices_out=task.prices_out)
    add_observed_rows(sets)
    return sets


def add_plans(sets: PlanSets, plans: Sequence[Sequence[Plan]]) -> None:
    """Rows of plans of each task that are known before any search for them."""
    for members, known in zip(sets.task.candidates_of_task, plans, strict=False):
        for member in members:
            for finding in findings(sets.task, member, known):
                sets.add(finding)


def _crew(sets: PlanSets, options: LearnOptions) -> Crew:
    """Companions for the other cores, where the search takes longer than they take to start."""
    graphs = all_graphs(sets)
    is_long = len(sets.task.candidates) >= _LEAST_PLANS_FOR_COMPANY
    # Rows of soft known costs are made up as they are needed, so they are not shared.
    alone = graphs is None or not is_long or sets.task.most_deviation is not None
    count = 0 if alone else options.jobs - 1
    return Crew(sets, graphs or {}, count, options.memory)


def all_graphs(sets: PlanSets) -> Mapping[int, TaskGraph] | None:
    """The state graphs, if every task has one."""
    separator = sets.separator
    return separator.graphs() if isinstance(separator, CombinedSeparator) else None


def separator_paths(sets: PlanSets) -> Paths | None:
    """The candidates as paths through state graphs, where there are any."""
    separator = sets.separator
    return separator.paths() if isinstance(separator, CombinedSeparator) else None


def _description(sets: PlanSets) -> str:
    return sets.separator.description if sets.separator is not None else "none"


def add_observed_rows(sets: PlanSets) -> None:
    """Plans observed on one task are alternatives of each other, and parts of them too.

    This only saves the separator the first few questions; with very many plans the rows
    would be more than they are worth.
    """
    task = sets.task
    if sum(len(members) ** 2 for members in task.candidates_of_task) > _MOST_OBSERVED_PAIRS:
        return
    for members in task.candidates_of_task:
        for number in members:
            candidate = task.candidates[number]
            plans = [task.candidates[other].plan for other in members]
            sas = task.case.tasks[candidate.task].sas
            plans.append(without_redundant_actions(sas, candidate.plan))
            for finding in findings(task, number, plans):
                sets.add(finding)
