"""Splits hold out every unit once, and never a part of one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import UsageError
from plancost.evaluation.splits import SplitBy, folds, held_out
from plancost.observations.case import Case
from plancost.observations.parts import part_of_case
from plancost.observations.planfile import Plan
from support.small_tasks import cases


def units(case: Case, by: SplitBy) -> int:
    return len(case.observations) if by is SplitBy.OBSERVATIONS else len(case.tasks)


@settings(max_examples=60, deadline=None)
@given(cases(), st.sampled_from(SplitBy), st.integers(0, 3), st.data())
def test_folds(
    found: tuple[Case, list[list[Plan]]], by: SplitBy, seed: int, data: st.DataObject
) -> None:
    case, _ = found
    count = units(case, by)
    if count < 2:
        with pytest.raises(UsageError, match="only one"):
            folds(case, 2, by, seed)
        with pytest.raises(UsageError, match="only one"):
            held_out(case, 0.5, by, seed)
        return
    splits = folds(case, data.draw(st.integers(2, count)), by, seed)
    everything = set(range(len(case.observations)))
    assert sorted(number for split in splits for number in split.test) == sorted(everything)
    splits.append(held_out(case, data.draw(st.floats(0.01, 0.99)), by, seed))
    for split in splits:
        assert split.train
        assert split.test
        assert set(split.train) | set(split.test) == everything
        assert not set(split.train) & set(split.test)
        if by is SplitBy.TASKS:
            tasks = [
                {case.observations[number].task for number in side}
                for side in (split.train, split.test)
            ]
            assert not tasks[0] & tasks[1]
    assert splits[:-1] == folds(case, len(splits) - 1, by, seed)


def test_wrong_numbers(found_case: Case) -> None:
    with pytest.raises(UsageError, match="from 2 to 3"):
        folds(found_case, 4, SplitBy.OBSERVATIONS, 0)
    with pytest.raises(UsageError, match="between 0 and 1"):
        held_out(found_case, 1.5, SplitBy.OBSERVATIONS, 0)


@pytest.fixture
def found_case() -> Case:
    from plancost.observations.case import Observation
    from plancost.observations.files import ObservedFile
    from support.small_tasks import DOMAIN, PROBLEM

    file = ObservedFile(PROBLEM.path, PROBLEM.path)
    observation = Observation(0, (), False, file)
    return Case(PROBLEM.path, DOMAIN, (), (), (observation,) * 3, ())


@settings(max_examples=60, deadline=None)
@given(cases(), st.data())
def test_a_part_is_a_case(found: tuple[Case, list[list[Plan]]], data: st.DataObject) -> None:
    case, _ = found
    numbers = data.draw(st.sets(st.integers(0, len(case.observations) - 1), min_size=1).map(sorted))
    part = part_of_case(case, numbers)
    assert len(part.observations) == len(numbers)
    for number, observation in zip(numbers, part.observations, strict=True):
        whole = case.observations[number]
        assert observation.plan == whole.plan
        assert part.tasks[observation.task] is case.tasks[whole.task]
    assert all(part.observations_of_task)
    assert set(part.actions) <= set(case.actions)
