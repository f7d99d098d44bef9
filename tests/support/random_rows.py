"""Random rows over the costs of a task, and costs that may break them."""

from __future__ import annotations

from hypothesis import strategies as st

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask


def rows_over(task: LearningTask, most: int = 4) -> st.SearchStrategy[list[Row]]:
    """Up to so many rows with small numbers."""
    actions = st.integers(0, len(task.parameters) - 1)
    coefficients = st.dictionaries(
        actions, st.sampled_from([-2, -1, 1, 2]), min_size=1, max_size=3
    ).map(lambda found: tuple(sorted(found.items())))
    return st.lists(st.tuples(coefficients, st.integers(-3, 3)), max_size=most)


def costs_of(task: LearningTask, most: int = 6) -> st.SearchStrategy[tuple[int, ...]]:
    """Costs within the bounds of the task."""
    return st.tuples(
        *(
            st.integers(term.least, most if term.greatest is None else term.greatest)
            for term in task.terms
        )
    )
