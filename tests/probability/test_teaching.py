"""What plans teach, against the definition over all pairs of samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.probability.outlook import Outlook
from plancost.probability.teaching import Teaching


@st.composite
def looks(draw: st.DrawFn, samples: int = 4) -> Outlook:
    """Plans of one step each with costs far apart, and the cheapest under each sample."""
    plans = draw(st.integers(1, 3))
    cost = st.integers(1, 5).map(lambda n: 1000 * n)
    costs = np.array(
        draw(
            st.lists(
                st.lists(cost, min_size=samples, max_size=samples), min_size=plans, max_size=plans
            )
        )
    )
    return Outlook(tuple((f"(p{n})",) for n in range(plans)), costs, costs.argmin(axis=0))


def regret(look: Outlook, true: int, other: int) -> float:
    """What the plan of one sample costs too much under another, as a share."""
    best = look.costs[:, true].min()
    return float((look.costs[look.best[other], true] - best) / best)


@settings(max_examples=100)
@given(st.lists(looks(), min_size=1, max_size=4))
def test_scores_are_shares_of_what_pairs_disagree_on(found: list[Outlook]) -> None:
    pairs = [(s, t) for s in range(4) for t in range(4)]
    matters = {pair: sum(regret(look, *pair) for look in found) for pair in pairs}
    whole = sum(matters.values())
    lessons = Teaching(found).lessons()
    assert sorted(lesson.task for lesson in lessons) == list(range(len(found)))
    for lesson in lessons:
        apart = [pair for pair in pairs if regret(found[lesson.task], *pair) > 0]
        expected = sum(matters[pair] for pair in apart) / whole if whole else 0.0
        assert lesson.score == pytest.approx(expected)
        assert (lesson.score == 0) == (not apart)
    keys = [(-lesson.score, lesson.task) for lesson in lessons]
    assert keys == sorted(keys)


@settings(max_examples=50)
@given(looks(), st.lists(looks(), max_size=3))
def test_a_task_that_all_samples_agree_on_teaches_nothing(
    one: Outlook, others: list[Outlook]
) -> None:
    agreed = Outlook(one.plans, np.repeat(one.costs[:, :1], 4, axis=1), np.repeat(one.best[:1], 4))
    lessons = Teaching([*others, agreed]).lessons()
    assert next(lesson.score for lesson in lessons if lesson.task == len(others)) == 0


def look(*costs: tuple[int, ...]) -> Outlook:
    table = 1000 * np.array(costs)
    return Outlook(tuple((f"(p{n})",) for n in range(len(costs))), table, table.argmin(axis=0))


def test_the_same_task_twice_is_not_chosen_twice() -> None:
    """Two that tell the first pair of samples from the second, and one that tells within pairs."""
    across = look((2, 2, 5, 5), (5, 5, 2, 2))
    within = look((1, 2, 1, 2), (2, 1, 2, 1))
    teaching = Teaching([across, across, within])
    assert [lesson.task for lesson in teaching.lessons()] == [0, 1, 2]
    chosen = teaching.lessons(2)
    assert [lesson.task for lesson in chosen] == [0, 2]
    assert chosen[1].score < teaching.lessons()[2].score
    assert [lesson.task for lesson in teaching.lessons(9)] == [0, 2, 1]


def test_tasks_without_samples_are_left_out() -> None:
    unsearched = Outlook(
        (("(p0)",),), np.empty((1, 0), dtype=np.int64), np.empty(0, dtype=np.int64)
    )
    partly = look((1, 9), (9, 1))
    whole = look((1, 9, 1), (9, 1, 9))
    lessons = Teaching([unsearched, partly, whole]).lessons()
    assert [(lesson.task, lesson.score) for lesson in lessons] == [(1, 1.0), (2, 1.0)]
    assert Teaching([unsearched]).lessons(3) == []
