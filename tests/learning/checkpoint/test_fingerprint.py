"""The fingerprint tells every other question apart, and is the same for the same one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from plancost.learning.checkpoint.fingerprint import fingerprint
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.task import LearningTask
from support.grid_walks import grid_case, random_walks

CASE = grid_case(4, random_walks(4, 14, 4, seed=1))


def test_other_questions_have_other_fingerprints() -> None:
    task = LearningTask(CASE, Concept(), None)
    fewer = replace(CASE, observations=CASE.observations[:-1])
    more = replace(CASE.observations[0], source=replace(CASE.observations[0].source, count=2))
    other_rules = replace(
        CASE.tasks[0], sas=replace(CASE.tasks[0].sas, operators=CASE.tasks[0].sas.operators[:-1])
    )
    others = [
        LearningTask(CASE, Concept(Solution.SCF), None),
        LearningTask(CASE, Concept(), (2,) * len(CASE.actions)),
        LearningTask(CASE, Concept(), None, ((1, 9),) * len(CASE.actions)),
        LearningTask(CASE, Concept(), None, factors=(Fraction(2),) * len(CASE.observations)),
        LearningTask(fewer, Concept(), None),
        LearningTask(replace(CASE, observations=(more, *CASE.observations[1:])), Concept(), None),
        LearningTask(replace(CASE, tasks=(other_rules, *CASE.tasks[1:])), Concept(), None),
    ]
    assert len({fingerprint(item) for item in (task, *others)}) == 1 + len(others)
    assert fingerprint(task) == fingerprint(LearningTask(CASE, Concept(), None))
