"""The learning task in numbers."""

from __future__ import annotations

from conftest import WriteGraphCase
from plancost.api.learn import learn
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from support.learned import learned
from support.linear_tasks import (
    composed,
)


def test_an_action_decides_unless_it_has_a_parameter_of_its_own(
    write_graph_case: WriteGraphCase,
) -> None:
    """All moves have the constant, but only those with a length can be priced out by it."""
    lengths = {("a", "b"): 0, ("b", "c"): 0, ("a", "c"): 2, ("c", "a"): 0}
    case = learn(write_graph_case(lengths, ["abc"])).case
    assert case is not None
    composition = composed(case.actions, {f"(move {a} {b})": (n,) for (a, b), n in lengths.items()})
    task = LearningTask(case, LearnOptions().concept, None, composition=composition)
    assert task.deciding_names == {"(move a b)", "(move b c)", "(move c a)"}
    answer = learned(task)
    assert dict(zip(task.parameters, answer.costs, strict=True)) == {"s: constant": 1, "s: (f0)": 1}
