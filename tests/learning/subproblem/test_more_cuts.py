"""More cuts of one solution, against the cuts of one search."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.subproblems import full_subproblem
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.rows import excess
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.more_cuts import broken_cuts
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.integers(0, 2**20))
def test_every_cut_is_broken_and_none_means_none(example: Example, seed: int) -> None:
    task, _ = example
    separator = full_subproblem(
        Run.of(task.case, LearnOptions(concept=task.concept)), task
    ).separator
    drawn = random.Random(seed)
    chosen = [n for n in range(len(task.candidates)) if drawn.random() < 0.7]
    costs = np.array([drawn.choice([1.0, 1.5, 2.0, 7.0]) for _ in task.baseline])

    def separate(at: np.ndarray) -> list[Cut] | None:
        return separator.violated(at, chosen, exact=False, deadline=Deadline())

    of_one, of_many = separate(costs), broken_cuts(separate, costs, task.kept_actions(chosen))
    assert of_one is not None and of_many is not None
    assert bool(of_one) == bool(of_many)
    assert {(cut.candidate, cut.row) for cut in of_one} <= {(c.candidate, c.row) for c in of_many}
    for cut in of_many:  # a cut may be of other plans with the same subpath, too
        assert cut.candidate not in chosen or excess(cut.row, costs.tolist()) > 0


def test_many_alternatives_of_one_plan() -> None:
    """Ten streets that are shorter than the one taken: one search finds one at a time."""
    taken, others = 0, range(1, 11)
    asked = []

    def separate(at: np.ndarray) -> list[Cut]:
        asked.append(at.copy())
        best = min(others, key=lambda street: float(at[street]))
        if at[best] >= at[taken]:
            return []
        return [Cut(0, (((taken, 1), (best, -1)), 0), (f"(go {best})",))]

    costs = np.array([5.0, *[1.0] * 10])
    found = broken_cuts(separate, costs, frozenset([taken]))
    assert found is not None
    assert {cut.alternative for cut in found} == {(f"(go {street})",) for street in others}
    assert costs.tolist() == [5.0, *[1.0] * 10]
    assert all(at[taken] == 5.0 for at in asked)


def test_no_time() -> None:
    answers = iter([[Cut(0, (((0, 1), (1, -1)), 0), ("(a)",))], None])
    assert broken_cuts(lambda _: next(answers), np.array([2.0, 1.0]), frozenset([0])) is None
    assert broken_cuts(lambda _: None, np.array([2.0, 1.0]), frozenset([0])) is None
