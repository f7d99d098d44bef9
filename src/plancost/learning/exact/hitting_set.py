"""The first objective: the most plans that can be optimal together, with a proof.

Implicit hitting sets. Plans are inserted one by one; each rejection is a new conflict, each
pass ends in a set that can be had. The conflicts so far bound the weight of every set from
above, through the master: its linear relaxation at first, which is cheap, and then an
integer program. Both also say which plans to insert first. So there is always a best answer so
far and a valid bound, conflicts are found where they lower the bound, and when the two meet
the answer is proven, since every conflict was checked in exact arithmetic.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from plancost.learning.exact.insertion import Inserter, Pass
from plancost.learning.exact.local_search import Guide, LocalSearch
from plancost.learning.exact.neighbourhoods import neighbourhoods
from plancost.learning.exact.parallel import Errand, WorkerPool
from plancost.learning.exact.waiting import Waiting
from plancost.learning.incumbent import Incumbent
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import heaviest_set
from plancost.learning.master.relaxation import Relaxation, RelaxedChoice
from plancost.learning.problem.concept import Reorderings, Ties
from plancost.learning.separation.crossings import find_crossings
from plancost.learning.separation.paths import Paths
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

_QUESTIONS_FOR_A_PLAN = 0.3
_MOST_QUESTIONS = 300
_COSTLY_QUESTION = 5
"""A local search asks so many questions for each plan, but no more than that; a question that takes
many searches counts as several."""
_MOST_MEANWHILE = 8
"""While the integer program is at work, worker processes ask more, in proportion to its time, but
no more than so many times as many."""
_MOST_OF_ALL = 0.8
"""The part of the plans, by weight, that counts as most of them."""
_NOISE = 0.3
_LEAN = 0.3
_LEAST_PROGRESS = 0.05
_LEAST_PART_OF_GAP = 0.05
"""By how much the relaxation's weight must fall for what was done to count as useful, in average
plans, and as a part of what it is above the best set."""


Between = Callable[[], Deadline]
"""Other work that is done between two steps; says until when the search may go on."""


@dataclass(frozen=True)
class Beside:
    """What is done beside a search.

    A worker `pool` searches in other orders meanwhile; `between` is called between two steps.
    With `waiting`, the proof is given up when neither the set nor the bound gets better.
    """

    pool: WorkerPool | None = None
    between: Between | None = None
    waiting: Waiting | None = None


def find_feasible_subset(
    subproblem: Subproblem,
    incumbent: Incumbent,
    deadline: Deadline,
    *,
    seed: int = 0,
    resumed: bool = False,
    beside: Beside = Beside(),  # noqa: B008 (frozen)
) -> Incumbent:
    """Improve the incumbent (perhaps the empty set) until it is proven best.

    `resumed`: the incumbent is the end of an earlier search, so the first answers need not be
    looked for again.
    """
    search = _Search(subproblem, deadline, incumbent, beside, seed)
    if resumed:
        search.bound()
    at_baseline = [] if resumed else search.optimal_at_baseline()
    search.insert(at_baseline)
    if not search.is_large:
        search.pause()
    search.find_infeasible_alone()
    search.find_crossings()
    search.insert_by_task(at_baseline)
    nearly, block = search.insert_by_neighbourhood()
    if not resumed:
        search.insert([*nearly, *at_baseline, *search.alive], block)
        search.pause()
    master_s = SCHEDULE.master_s
    while not search.is_over():
        if search.follow_relaxation() or search.is_over():
            continue
        if not search.follow_master(master_s):
            break  # nothing is left to learn: a question stayed undecided
        master_s *= 2
    return incumbent


def crossing_paths(subproblem: Subproblem) -> Paths | None:
    """The candidates as paths, where plans that cross are in conflict.

    Rows of whole plans, which tolerated ties need, cannot be reduced to crossing subpaths.
    """
    concept = subproblem.task.concept
    plain = concept.reorderings is Reorderings.DISTINCT and concept.ties is Ties.ALTERNATIVES
    return subproblem.separator.paths() if plain else None


class _Search:
    """The moves of the search, around one best answer."""

    def __init__(
        self,
        subproblem: Subproblem,
        deadline: Deadline,
        incumbent: Incumbent,
        beside: Beside,
        seed: int,
    ) -> None:
        self.subproblem = subproblem
        self.deadline = deadline
        self.best = incumbent
        self.weights = [candidate.weight for candidate in subproblem.task.candidates]
        self.alive = self.shortest_first(range(len(self.weights)))
        self._seed = seed
        self._random = random.Random(seed)
        self._orders = 0
        self._searches = 0
        self._pool = beside.pool
        self._between = beside.between
        self._waiting = beside.waiting or Waiting()
        self._inequalities = Inequalities(len(self.weights), incumbent.conflicts)
        self._inserter = Inserter(subproblem, incumbent.conflicts)
        self.is_large = self._inserter.goes_in_blocks(len(self.weights))
        """Whether there are so many plans that the first large set comes before all else."""
        self._least_progress = _LEAST_PROGRESS * sum(self.weights) / max(1, len(self.weights))
        self._relaxation = Relaxation(self.weights, self._inequalities)
        self._relaxed = RelaxedChoice(np.ones(len(self.weights)), 0, float(sum(self.weights)))

    def is_over(self) -> bool:
        """Whether there is nothing left to prove, or no time."""
        self._waiting.note((self.best.weight, self.best.upper_bound))
        return self.best.proved or self.deadline.is_over or self._waiting.is_over

    def shortest_first(self, plans: Iterable[int]) -> list[int]:
        """Short plans leave the most room for others."""
        candidates = self.subproblem.task.candidates
        return sorted(plans, key=lambda n: (len(candidates[n].plan), -self.weights[n], n))

    def learn(self, conflict: Conflict) -> None:
        """Take note of a conflict that was not found by inserting plans."""
        self._inserter.learn(conflict)
        self._take_note(Pass(conflicts=[conflict]))

    def find_infeasible_alone(self) -> None:
        """Find the plans that cannot even be optimal alone."""
        lost, found = self._inserter.infeasible_alone(self.alive, self.deadline)
        self._take_note(found)
        gone = frozenset(lost)
        _log.info("%d of %d different plans can never be optimal", len(gone), len(self.alive))
        self.alive = [number for number in self.alive if number not in gone]
        self.best.lower_bound_to(self.subproblem.task.weight(self.alive))

    def find_crossings(self) -> None:
        """Find conflicts of two plans at once, where plans are paths through state graphs."""
        paths = crossing_paths(self.subproblem)
        if paths is None:
            return
        candidates = self.subproblem.task.candidates
        whole = [number for number in self.alive if candidates[number].cancels]
        until = self.deadline.share(SCHEDULE.crossings)
        crossings = 0
        for crossing in find_crossings(self.subproblem, paths, whole, until, self.best.conflicts):
            self.learn(crossing)
            crossings += 1
        _log.info("%d conflicts of two plans that cross", crossings)

    def insert_by_task(self, fitting: Sequence[int]) -> None:
        """Find conflicts between plans of one task, where those of many tasks take long to find.

        They are quickly found and many, so there is a first bound before any large set. Very many
        plans are inserted in blocks, which is quicker than task by task. Nor is it done where
        most plans are known to fit: then the trivial bound is a good one.
        """
        if not self._inserter.is_costly:
            return
        alive = set(self.alive)
        weight = self.subproblem.task.weight
        is_late = self.is_large or weight(fitting) >= _MOST_OF_ALL * weight(alive)
        for members in () if is_late else self.subproblem.task.candidates_of_task:
            order = self.shortest_first(alive.intersection(members))
            if len(order) > 1:
                found = Pass()
                self._inserter.grow(order, self.deadline, found)
                self._take_note(found)
        self.bound()

    def bound(self) -> None:
        """What the conflicts so far say, before any integer program."""
        relaxed = self.subproblem.attempt(lambda: self._relaxation.solve(self.deadline))
        if relaxed is not None:
            self.best.lower_bound_to(relaxed.bound)

    def insert_by_neighbourhood(self) -> tuple[list[int], int]:
        """Find conflicts of very many plans with those around them.

        Returns plans that nearly fit together, and how many to insert at a time at first.
        """
        paths = self.subproblem.separator.paths() if self.is_large else None
        until = self.deadline.share(SCHEDULE.neighbourhoods)
        costs = self.subproblem.start.copy()
        fitting: list[int] = []
        block = 0
        for cells in () if paths is None else neighbourhoods(paths, self.alive):
            before, fitting = frozenset(fitting), []
            block = max(map(len, cells))
            found = Pass()
            for members in cells:
                first = [number for number in members if number in before]
                if until.is_over:
                    fitting += first
                    continue
                order = [*first, *(number for number in members if number not in before)]
                inserted = self._inserter.grow(order, until, found, len(first))
                used = self.subproblem.task.count_matrix[inserted].indices
                costs[used] = self._inserter.costs[used]
                fitting += inserted
            self._take_note(found)
            self.subproblem.begin_near(costs, fitting)
            _log.info(
                "%d neighbourhoods: %d plans nearly fit, %d new conflicts",
                len(cells),
                self.subproblem.task.weight(fitting),
                len(found.conflicts),
            )
        return fitting, block

    def optimal_at_baseline(self) -> list[int]:
        """The plans that need no learning: so the first answer is no worse than that."""
        subproblem = self.subproblem
        on_graphs = subproblem.separator.graphs() is not None
        together = [self.alive] if on_graphs else subproblem.task.candidates_of_task
        return self.shortest_first(
            number
            for members in together
            for number in subproblem.satisfying(subproblem.start, members, self.deadline)
        )

    def follow_relaxation(self) -> bool:
        """Insert the plans that the relaxation likes first; False if that leads nowhere."""
        relaxed = self.subproblem.attempt(lambda: self._relaxation.solve(self.deadline))
        if relaxed is None:
            return False
        _log.debug(
            "relaxation: at most %.2f, %d conflicts", relaxed.weight, len(self.best.conflicts)
        )
        self.best.lower_bound_to(relaxed.bound)
        best = self.best.weight
        gap = relaxed.weight - self.best.weight
        least = max(self._least_progress, _LEAST_PART_OF_GAP * gap)
        was_useful = relaxed.weight < self._relaxed.weight - least
        self._relaxed = relaxed
        if not (self.best.proved or self.deadline.is_over):
            with self._others_too():
                self.insert(self._by_value(0.0))
                self.search_nearby()
        return was_useful or self.best.weight > best

    def follow_master(self, seconds: float) -> bool:
        """Insert the integer program's proposal; False if nothing more can be learned."""
        known = len(self.best.conflicts)
        times = min(_MOST_MEANWHILE, max(1, round(seconds / SCHEDULE.master_s)))
        with self._others_too(times):
            until = self.deadline.within(seconds).within(self._waiting.until.remaining())
            choice = self.subproblem.attempt(
                lambda: heaviest_set(
                    self.weights,
                    self._inequalities,
                    until,
                    self._seed,
                    self.best.chosen,
                    self._relaxed.values if self._relaxed.bound else None,
                )
            )
        if choice is None:
            return False
        finished = "" if choice.finished else ", stopped"
        _log.info("integer program over %d conflicts: at most %d%s", known, choice.bound, finished)
        self.best.lower_bound_to(choice.bound)
        if choice.chosen is not None and not self.best.proved:
            self.insert([*self.shortest_first(choice.chosen), *self.alive])
        again = not (choice.finished or choice.gave_up)
        return self.best.proved or again or len(self.best.conflicts) > known

    def insert(self, order: Sequence[int], first: int = 0) -> None:
        """Insert plans one by one; what is left in the end may be a better answer."""
        required = self.subproblem.task.required_candidates
        if required:
            order = [*self.shortest_first(required), *order]
            first = first and first + len(required)
        found = Pass()
        try:
            self._inserter.insert(order, self.deadline, self.best.weight, first, found)
        finally:  # also if the time is up
            self._take_note(found)

    def search_nearby(self) -> None:
        """Look for better sets, and for conflicts, around the best set."""
        if self.best.proved or self.deadline.is_over:
            return
        search = LocalSearch(self._inserter, self._guide(), self.deadline)
        self._take_note(search.improve(self.best.chosen, self.best.weight))

    def _guide(self, times: int = 1) -> Guide:
        self._searches += 1
        questions = min(_MOST_QUESTIONS, int(_QUESTIONS_FOR_A_PLAN * len(self.alive)))
        if self._inserter.is_costly:
            questions //= _COSTLY_QUESTION
        seed = 1000 * self._seed + self._searches
        return Guide(self._relaxed.values, self.alive, times * questions, seed)

    def pause(self) -> None:
        """Leave the time to others for a while."""
        if self._between is not None:
            self.deadline = self._between()

    @contextmanager
    def _others_too(self, times: int = 1) -> Iterator[None]:
        """Have the worker pool search, in other orders, while something else is done."""
        if self._pool is None:
            yield
            self.pause()
            return
        best = self.best
        errands = [
            Errand([self._by_value(_NOISE)], best.chosen, best.weight, self._guide(times))
            for _ in range(len(self._pool))
        ]
        self._pool.start(errands, best.conflicts, self.deadline)
        yield
        self.pause()
        for found in self._pool.collect(self.deadline):
            for conflict in found.conflicts:
                self._inserter.learn(conflict)
            self._take_note(found)

    def _by_value(self, noise: float) -> list[int]:
        """The plans by how much the relaxation chooses of them, somewhat disturbed.

        Every other disturbed order also leans towards the best answer so far.
        """
        self._orders += noise > 0
        lean = _LEAN if noise and self._orders % 2 else 0.0
        values = self._relaxed.values
        key = {
            n: values[n] + lean * (n in self.best.chosen) + noise * self._random.random()
            for n in self.alive
        }
        return sorted(self.alive, key=lambda n: -key[n])

    def _take_note(self, found: Pass) -> None:
        """Keep the conflicts of a pass, and its set if it is the best so far."""
        self.best.conflicts.extend(found.conflicts)
        for conflict in found.conflicts:
            self._inequalities.add(conflict)
        if found.answer is not None:
            self.best.improve(found.answer)
