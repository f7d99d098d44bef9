"""Trees that prove bounds: complete on small tasks, and open where time or numbers run out."""

from __future__ import annotations

from hypothesis import given, settings

from plancost.learning.problem.task import LearningTask
from plancost.learning.proof.tree import Branch, Node, Open, Prover
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.learned import learned
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def leaves(node: Node) -> list[Node]:
    if isinstance(node, Branch):
        return [*leaves(node.without), *leaves(node.with_it)]
    return [node]


@settings(max_examples=100, deadline=None)
@given(learning_tasks())
def test_conflicts_are_found_where_none_are_known(example: Example) -> None:
    """The tree is complete even if the search that it is about left nothing."""
    answer = learned(example[0])
    assert answer.first is not None
    tree = Prover(answer.first, []).prove_count(answer.upper_bound, Deadline())
    assert not any(isinstance(leaf, Open) for leaf in leaves(tree))


@settings(max_examples=50, deadline=None)
@given(learning_tasks())
def test_what_can_be_reached_is_never_excluded(example: Example) -> None:
    answer = learned(example[0])
    assert answer.first is not None
    tree = Prover(answer.first, answer.conflicts).prove_count(answer.weight - 1, Deadline())
    assert any(isinstance(leaf, Open) for leaf in leaves(tree))


@settings(max_examples=20, deadline=None)
@given(learning_tasks())
def test_out_of_time(example: Example) -> None:
    answer = learned(example[0])
    assert answer.first is not None
    tree = Prover(answer.first, answer.conflicts).prove_count(answer.upper_bound, Deadline(0.0))
    assert tree == Open("out of time")
