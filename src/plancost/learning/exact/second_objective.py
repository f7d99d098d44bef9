"""The second objective of the exact strategy: the least secondary cost, on all actions.

Beside the first objective, the costs of each set found are lowered for that very set
(`SecondObjective.keep_up`), so that whatever ends the run leaves costs that can be used. In the end
(`conclude`), where the first objective is proven, the least costs over all sets of that many plans
are looked for (`least_costs`); else for the set at hand alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from math import inf

from plancost.learning.checkpoint.session import SECOND, Checkpoint
from plancost.learning.exact.all_action_graphs import AllActionGraphs
from plancost.learning.exact.least_costs import (
    Lowering,
    find_least_costs,
    improve_costs,
)
from plancost.learning.exact.price_raising import can_raise_prices, raise_prices
from plancost.learning.exact.price_reduction import reduce_prices
from plancost.learning.exact.price_steps import lower_in_steps
from plancost.learning.exact.subproblems import add_plans, full_subproblem
from plancost.learning.exact.tie_break import canonical_answer
from plancost.learning.exact.time_for_checking import end_of_learning
from plancost.learning.exact.waiting import Patience, patience_of
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import Choose
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.separation.top_k import failures_in, find_all_alternatives
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.oracles.graph_oracle import TaskGraph
from plancost.system.clock import Deadline, postpone
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

NOT_LOWERED = (
    "there was no time to lower the costs: actions that no optimal plan uses cost more than they "
    "need to"
)
PARTLY_LOWERED = (
    "there was no time to lower the costs further: for these plans the least is {} or more, and "
    "actions that no optimal plan uses may cost more than they need to"
)
STOPPED = (
    "the second objective is not proven: neither its value nor its bound improved for {:.0f} s, so "
    "the run ended (--prove goes on)"
)
_NO_INTEGER_PROGRAM: Patience = lambda: 0.0  # noqa: E731 (a constant)
NEARLY_LEAST = 1.1
"""Costs within this factor of their bound are not called high."""
_LARGER = 1.5
"""State graphs of all actions are expected to take so many times as long as the first ones."""
_LARGE_GRAPH = 20_000
"""States of a graph from which on prices are reduced before the linear program: it may not end."""
_HUGE_GRAPH = 2_000_000
"""States from which on searches through a whole graph take longer than the linear program."""


class SecondObjective:
    """Lowers the secondary cost as far as the same number of plans stays optimal."""

    def __init__(
        self, run: Run, task: LearningTask, incumbent: Incumbent, checkpoint: Checkpoint
    ) -> None:
        self._given = self._run = run
        self._task = task
        self._incumbent = incumbent
        self._best = incumbent.only
        self._checkpoint = checkpoint
        self._started = time.monotonic()
        self._total_s = run.deadline.remaining()
        self._taken_up: list[Conflict] = []
        self._lowered: PlanSet | None = None
        self._before: tuple[PlanSet, int] | None = None
        """A set, and its secondary cost before anything was lowered."""
        self._ended_with: PlanSet | None = None
        self._is_beside = True
        self._is_begun = False
        self._spent_s = 0.0
        self._longest_s = 0.0
        self._graphs = AllActionGraphs(run)
        self._patience = patience_of(run)
        self._is_chosen_later = run.options.choose is not Choose.LEAST
        """Whether costs that can be used are enough, since others take their place."""
        self.graphs_s = 0.0
        """How long the state graphs of the first objective took to build."""

    def keep_up(self) -> Deadline:
        """Lower the costs of a new set, if it is time; until when to look for larger sets."""
        self._use_time_of_check()
        self._try_baseline()
        began = time.monotonic()
        elapsed_s = began - self._started
        allowed_s = max(SCHEDULE.first_lowering_s, elapsed_s)
        until = self._run.deadline.share(SCHEDULE.first_lowering).within(allowed_s)
        if self._is_due(elapsed_s, until):
            self._run.stopwatch.lap("first objective")
            graphs_s = self._graphs.spent_s
            self._lower(self._run.until(until), _NO_INTEGER_PROGRAM)
            # Graphs are built once, which says nothing of the next time.
            took_s = time.monotonic() - began - (self._graphs.spent_s - graphs_s)
            self._longest_s = max(self._longest_s, took_s)
            self._spent_s += took_s
            self._run.stopwatch.lap("second objective")
        return self._end_of_search()

    def _try_baseline(self) -> None:
        """The first set is mostly optimal at the baseline; no answer should cost more than that.

        With a time limit there may be no time to find that out later.
        """
        best, run = self._best, self._run
        if not best.chosen or self._is_begun or not self._task.prices_out:
            return
        self._is_begun = True
        until = run.deadline.share(SCHEDULE.trying_baseline).within(SCHEDULE.trying_baseline_s)
        if run.deadline.at is None or until.before(_LARGER * self.graphs_s).is_over:
            return
        if self._graphs.build(until) and self._full(run).separator.graphs() is not None:
            baseline = self._task.baseline
            if self._full(run).check(baseline, best.chosen, until):
                self._incumbent.improve((best.chosen, baseline))

    @property
    def deadline(self) -> Deadline:
        """When learning has to end, by what is known now."""
        return self._run.deadline

    def _use_time_of_check(self) -> None:
        """Learn for longer where the check is known to take less than was set aside for it."""
        first = self._incumbent.first
        full = self._incumbent.full if self._task.prices_out else first
        if first is None or full is None:
            return
        end = end_of_learning(self._given, full, first)
        if end.at is not None and end != self._run.deadline:
            self._run = self._run.until(end)
            self._total_s = end.at - self._started
            postpone(end)

    def _is_due(self, elapsed_s: float, until: Deadline) -> bool:
        """Whether the costs of the set at hand should be lowered now."""
        chosen = self._best.chosen
        if not chosen or self._incumbent.proved or chosen == self._ended_with:
            return False
        if not self._is_beside or elapsed_s < SCHEDULE.lowering_after_s:
            return False
        expected_s = self._graphs.expected_s
        if expected_s is None:
            expected_s = _LARGER * self.graphs_s
        if until.before(expected_s / SCHEDULE.all_action_graphs).is_over:
            return False
        elapsed_s = elapsed_s if self._spent_s else inf
        return self._spent_s + self._longest_s <= SCHEDULE.lowering * elapsed_s

    def _end_of_search(self) -> Deadline:
        """Until when to look for larger sets: lowering the costs of the last one takes time."""
        if self._total_s is None:
            return self._run.deadline
        first = self._incumbent.first
        on_graphs = first is not None and first.separator.graphs() is not None
        is_quick = on_graphs and self._longest_s > 0  # as far as it was measured
        share = SCHEDULE.primary_on_graphs if is_quick else SCHEDULE.primary
        most_s = SCHEDULE.most_for_lowering * self._total_s
        expected_s = self._graphs.expected_s
        if expected_s is None:
            expected_s = SCHEDULE.lowering_after_s + _LARGER * self.graphs_s
        wanted_s = expected_s if expected_s <= most_s else 0.0
        wanted_s += SCHEDULE.lowering_times * self._longest_s
        return self._run.deadline.before(max((1 - share) * self._total_s, min(wanted_s, most_s)))

    def conclude(self) -> None:
        """Lower the costs of the last set, and look for other sets if their number is proven."""
        self._use_time_of_check()
        run, incumbent, best = self._run, self._incumbent, self._best
        self._is_beside = False
        if self._is_chosen_later:
            self._lower(run, _NO_INTEGER_PROGRAM)
            return
        if not incumbent.proved:
            self._lower(run, self._patience)
            _log.info("second objective: %s", self._in_words())
            return
        self._lower(run, _NO_INTEGER_PROGRAM)
        subproblem = self._full(run)
        conflicts = [*incumbent.conflicts, *self._taken_up]
        lowering = Lowering(self._report, self._patience, run.options.seed)
        waited_s = find_least_costs(subproblem, conflicts, best, run.deadline, lowering)
        if waited_s is not None:
            incumbent.notes.append(STOPPED.format(waited_s))
        if best.is_least:
            until = run.deadline.within(SCHEDULE.tie_break_s)
            _make_canonical(run.until(until), subproblem, conflicts, incumbent)
        proven = "proven" if best.is_least else "not proven"
        rows = subproblem.row_count
        _log.info("second objective: %s (%s), over %d rows", self._in_words(), proven, rows)
        self._show()

    def close(self) -> None:
        """Say what is known of the costs, whatever ended the run."""
        best = self._best
        if not best.chosen or (self._incumbent.proved and best.is_least) or self._is_chosen_later:
            return
        self._incumbent.facts["secondary_bound_of_set"] = best.bound_of_set
        if not self._task.prices_out or best.value == best.bound_of_set:
            return
        if best.chosen != self._lowered:
            self._incumbent.notes.append(NOT_LOWERED)
        elif best.value > NEARLY_LEAST * best.bound_of_set:
            self._incumbent.notes.append(PARTLY_LOWERED.format(best.bound_of_set))

    def _lower(self, run: Run, patience: Patience) -> None:
        """The least costs for the set at hand, or at least lower ones."""
        prices_out = self._task.prices_out
        if prices_out and not self._graphs.build(run.deadline):
            if self._is_beside:
                return  # there is more time later
            self._graphs.build(run.deadline)  # now that it is known how long they take
        graphs = self._full(run).separator.graphs()
        if graphs is None and self._is_beside:
            self._is_beside = False  # planners take too long to be asked again and again
            return
        if graphs is not None:
            self._take_in_others(run)
        self._note_value()
        chosen = self._best.chosen
        if not prices_out or self._lowered == chosen:
            self._improve(run, patience)
        elif graphs is None:
            self._lower_by_planners(run, patience)
        else:
            self._lower_on_graphs(run, graphs, patience)
        if self._lowered == chosen or self._best.value == self._best.bound_of_set:
            self._ended_with = chosen

    def _take_in_others(self, run: Run) -> None:
        """Plans that the costs at hand make optimal by chance belong to the set.

        Lower costs need not, and no time limit should give fewer plans than a shorter one.
        """
        subproblem, best = self._full(run), self._best
        others = frozenset(range(len(self._task.candidates))) - best.chosen
        if best.chosen == self._lowered or not others:
            return
        by_chance = subproblem.optimal_under(best.costs, others, run.deadline)
        if not by_chance:
            return
        more = best.chosen | by_chance
        if subproblem.check(best.costs, more, run.deadline):
            self._incumbent.improve((more, best.costs))

    def _note_value(self) -> None:
        best = self._best
        if self._before is None or self._before[0] != best.chosen:
            self._before = best.chosen, best.value

    def _lower_by_planners(self, run: Run, patience: Patience) -> None:
        """Prices in steps, the linear program, and if it does not end, more steps."""
        if self._incumbent.proved and len(self._best.chosen) < len(self._task.candidates):
            run = run.share(SCHEDULE.own_set)
        some = run.share(SCHEDULE.price_steps)
        self._take_steps(some.until(some.deadline.within(SCHEDULE.price_steps_s)))
        program = run.share(SCHEDULE.linear_program_by_planners)
        self._improve(program, patience)
        if self._best.value > self._best.bound_of_set:
            # If the program ended early, only an integer program can tell: it needs time too.
            self._take_steps(run if program.deadline.is_over else run.share(SCHEDULE.own_set))

    def _lower_on_graphs(
        self, run: Run, graphs: Mapping[int, TaskGraph], patience: Patience
    ) -> None:
        """The linear program, and prices of unused actions before it or if it does not end."""
        chosen = self._best.chosen
        largest = max(at.graph.state_count for at in graphs.values())
        if largest <= _HUGE_GRAPH:
            self._lower_at_once(run, graphs)
        if self._lowered == chosen or largest > _HUGE_GRAPH:
            self._improve(run, patience)
            return
        if largest > _LARGE_GRAPH:
            self._reduce(run, graphs)
            self._improve(run, patience)
            return
        self._improve(run.share(SCHEDULE.linear_program), patience)
        if self._lowered != chosen and self._best.value > self._best.bound_of_set:
            self._reduce(run, graphs)
            if not self._is_beside:
                self._improve(run, patience)

    def _take_steps(self, run: Run) -> None:
        lower_in_steps(self._full(run), self._best, run.deadline, self._report)

    def _reduce(self, run: Run, graphs: Mapping[int, TaskGraph]) -> None:
        """Lower prices on state graphs, without a linear program."""
        best = self._best
        until = run.deadline.share(1 - SCHEDULE.linear_program)
        lower = reduce_prices(self._task, graphs, best.chosen, best.costs, until)
        if lower != best.costs:
            self._take(run, lower)

    def _lower_at_once(self, run: Run, graphs: Mapping[int, TaskGraph]) -> None:
        """Costs that can be used, without a linear program."""
        best, chosen = self._best, self._best.chosen
        paths = self._full(run).separator.paths()
        if paths is None or not can_raise_prices(self._task):
            return
        lower = raise_prices(self._task, paths, chosen, best.costs, run.deadline)
        if lower is None:
            return
        lower = reduce_prices(self._task, graphs, chosen, lower, run.deadline)
        if self._task.secondary(lower) < best.value:
            self._take(run, lower)

    def _take(self, run: Run, lower: Costs) -> None:
        """Take lower costs if a search confirms that the same plans are optimal."""
        if self._full(run).check(lower, self._best.chosen, run.deadline):
            self._best.costs = lower
            self._report()

    def _improve(self, run: Run, patience: Patience) -> None:
        lowering = Lowering(self._report, patience, run.options.seed)
        improve_costs(self._full(run), self._best, run.deadline, lowering)

    def _report(self) -> None:
        best = self._best
        if (best.chosen, best.value) != self._before:
            self._lowered = best.chosen
        self._checkpoint.note_best(SECOND, best.chosen, best.costs)
        _log.debug("second objective: %s", self._in_words())
        self._show()

    def _show(self) -> None:
        """Progress is how far the bound has come to the value, which it reaches in the end."""
        bound, value = self._bound(), self._best.value
        history = self._incumbent.secondary_history
        if self._incumbent.proved and (not history or history[-1][1:] != (value, bound)):
            before_s = self._checkpoint.seconds_before
            history.append((before_s + self._run.stopwatch.seconds()["total"], value, bound))
        done, total = (bound, value) if value else (1, 1)
        self._run.progress("second objective", done, total, self._in_words())

    def _bound(self) -> int:
        """Of all sets of as many plans if their number is proven, else of this one."""
        best = self._best
        return best.secondary_bound if self._incumbent.proved else best.bound_of_set

    def _in_words(self) -> str:
        refined = self._task.initial_costs is not None
        what = "distance from the initial costs" if refined else "sum of costs"
        whose = "" if self._incumbent.proved else " for these plans"
        return f"{what} {self._best.value}, at least {self._bound()}{whose}"

    def _full(self, run: Run) -> Subproblem:
        """The subproblem on all actions, with all that is known beforehand."""
        incumbent, checkpoint = self._incumbent, self._checkpoint
        if incumbent.full is not None:
            return incumbent.full
        subproblem = _subproblem(run, self._task, incumbent)
        if subproblem.separator.graphs() is None and self._is_beside:
            return subproblem
        incumbent.full = subproblem
        # Where all actions are looked at from the start, all was taken up with the first objective.
        same = subproblem is incumbent.first
        self._taken_up = subproblem.proofs if same else checkpoint.take_up(SECOND, subproblem)
        kept = checkpoint.best(SECOND, subproblem, run.deadline)
        if kept is not None and incumbent.improve(kept):
            self._lowered = self._best.chosen
        return subproblem


def _subproblem(run: Run, task: LearningTask, incumbent: Incumbent) -> Subproblem:
    """The subproblem on all actions, with the plans that are known beforehand."""
    subproblem = incumbent.first
    if subproblem is None or task.prices_out:
        run.progress("second objective", 0, 1, "building state graphs")
        subproblem = full_subproblem(run, task, incumbent.first, Deadline.after(0.0))
    description = incumbent.facts["oracle_second_objective"] = subproblem.description
    _log.info("second objective: %s", description)
    if run.options.top_k_seed:
        listed = find_all_alternatives(run.share(SCHEDULE.listing_before_secondary), task)
        incumbent.failures += failures_in(listed)
        add_plans(subproblem, [item.plans for item in listed])
    add_plans(subproblem, run.valid_plans(task.case))
    return subproblem


def _make_canonical(
    run: Run, subproblem: Subproblem, conflicts: list[Conflict], incumbent: Incumbent
) -> None:
    """Of all equally good answers take the one that every run and every solver takes."""
    best = incumbent.only
    canonical = canonical_answer(subproblem, conflicts, best, run.deadline)
    incumbent.facts["canonical"] = canonical is not None
    if canonical is not None:
        best.chosen, best.costs = canonical
