"""Explanations are of the plan at hand, and every certificate adds up, whatever the options are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn
from plancost.api.pipeline import explain_incumbent
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.incumbent import check_incumbent, check_of, not_checked
from plancost.observations.replay import replay
from plancost.results.assemble import Extras, assemble
from plancost.results.explaining import sentences
from plancost.results.result import ExplanationKeys
from plancost.results.sums import sums
from support.adding_up import (
    check_on_paper,
    is_contradiction,
    said_together,
    sum_of_json,
    sum_of_sentences,
)
from support.factor_tasks import factor_tasks, with_loops
from support.learned import learned
from support.linear_tasks import admissible, compositions, with_known_costs
from support.small_tasks import learning_tasks


@st.composite
def tasks_with_copies(draw: st.DrawFn) -> LearningTask:
    """Plans with loops and plans that cost the same, with all kinds of costs."""
    task, _ = draw(st.one_of(learning_tasks(5), factor_tasks()))
    kind = draw(st.sampled_from(["own", "shared", "linear"]))
    composition = None
    if kind == "shared":
        names = [f"(c{draw(st.integers(0, 2))} *)" for _ in task.case.actions]
        composition = CostModel.by_names(names)
    elif kind == "linear":
        composition = draw(compositions(task))
    task = with_copies(draw, replace(task, ranges=None, composition=composition))
    if draw(st.integers(0, 3)) == 0:
        least, ends = st.integers(1, 2), st.one_of(st.none(), st.integers(2, 4))
        task = replace(task, ranges=tuple((draw(least), draw(ends)) for _ in task.case.actions))
    if draw(st.integers(0, 3)) == 0 and admissible(task).size:
        task = with_known_costs(draw, task)
    return task


def with_copies(draw: st.DrawFn, task: LearningTask) -> LearningTask:
    """For some task a plan with loops, and others that cost the same under all costs."""
    observations = list(task.case.observations)
    first = draw(st.sampled_from(observations))
    loose = with_loops(task.case.tasks[first.task].sas, 4, 60)
    plan = draw(st.sampled_from([*loose, first.plan]))
    copies = [other for other in loose if task.counts(other) == task.counts(plan)]
    for number, copy in enumerate([plan, *draw(st.permutations(copies))][:4]):
        source = replace(first.source, plan=Path(f"copy.{number}.plan"))
        observations.append(replace(first, plan=copy, source=source))
    case = replace(task.case, observations=tuple(observations))
    if task.factors is None:
        return replace(task, case=case)
    own = task.factor(task.case.observations.index(first))
    extra = len(observations) - len(task.factors)
    return replace(task, case=case, factors=(*task.factors, *[own] * extra))


def explained(task: LearningTask) -> dict[int, ExplanationKeys]:
    """What RESULT.json says of each observation that is not optimal."""
    answer = learned(task)
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    found = not_checked(answer)
    check_incumbent(run, answer, {}, found)
    check = check_of(found, {})
    explanations = explain_incumbent(run, answer, check)
    result = assemble(run, answer, check, Extras(explanations))
    said = {}
    for number, item in enumerate(result.observations):
        assert (item.explanation is None) is (item.optimal is True)
        if item.explanation is not None:
            said[number] = item.explanation
    return said


@settings(max_examples=150, deadline=None)
@given(tasks_with_copies())
def test_explanations_name_what_the_plan_has(task: LearningTask) -> None:
    by_file = {str(o.plan_file): o for o in task.case.observations}
    for number, explanation in explained(task).items():
        observation = task.case.observations[number]
        own = str(observation.plan_file)
        sas = task.case.tasks[observation.task].sas
        if "copy_of" in explanation:
            first = by_file[explanation["copy_of"]]
            alike = {
                "steps": first.plan == observation.plan,
                "actions": sorted(first.plan) == sorted(observation.plan),
                "costs": sorted(first.plan) != sorted(observation.plan),
            }
            assert alike[explanation["copy_has"]]
            assert task.counts(first.plan) == task.counts(observation.plan)
        if explanation["reason"] == "redundant":
            steps = [step - 1 for step in explanation["redundant_steps"]]
            assert explanation["redundant"] == [observation.plan[step] for step in steps]
            rest = [a for step, a in enumerate(observation.plan) if step not in steps]
            assert steps and replay(sas, tuple(rest)).is_valid
        if explanation["reason"] == "in conflict":
            assert own in explanation["plans"]
        if explanation.get("another_order"):
            (argument,) = explanation["certificate"]
            assert sorted(argument["alternative"]) == sorted(observation.plan)
        for argument in explanation.get("certificate", ()):
            if "given" in argument:
                continue
            assert argument["plan"] == own or argument["plan"] in explanation["plans"]
            named = by_file[argument["plan"]]
            alternative = tuple(argument["alternative"])
            assert replay(task.case.tasks[named.task].sas, alternative).is_valid
            left, right = map(Counter, map(task.classes_of, (named.plan, alternative)))
            if "suboptimality" not in argument:
                left, right = left - right, right - left
            assert Counter(argument["plan_only"]) == left
            assert Counter(argument["alternative_only"]) == right


@settings(max_examples=150, deadline=None)
@given(tasks_with_copies())
def test_every_certificate_adds_up(task: LearningTask) -> None:
    plans = {str(o.plan_file): o.plan for o in task.case.observations}
    for explanation in explained(task).values():
        certificate = explanation.get("certificate")
        if certificate is None:
            assert not explanation.get("integers", True) or explanation["reason"] == "not proven"
            continue
        found = sum_of_json(certificate)
        assert is_contradiction(found)
        lines = sentences(explanation)
        if len(lines) > 1:
            assert sum_of_sentences(lines[1:-1]) == found
            assert said_together(lines[-1]) == found[0]
        assert check_on_paper(sums(explanation), plans) == found


DOMAIN = """(define (domain d) (:predicates (z) (extra ?x))
 (:action work :parameters () :effect (z))
 (:action idle :parameters (?x) :effect (extra ?x)))"""
PROBLEM = "(define (problem p) (:domain d) (:objects a b) (:init) (:goal (z)))"


@pytest.mark.parametrize(
    ("share", "second", "redundant"),
    [((), "(work)\n(idle a)", "(idle a)"), (("schema",), "(work)\n(idle b)", "(idle b)")],
)
def test_copies_have_steps_of_their_own(
    tmp_path: Path, share: tuple[str, ...], second: str, redundant: str
) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    (tmp_path / "p.1.plan").write_text("(idle a)\n(work)\n")
    (tmp_path / "p.2.plan").write_text(second)
    found = [item.explanation for item in learn(tmp_path, LearnOptions(share=share)).observations]
    assert found[0] is not None and found[1] is not None
    assert (found[0]["redundant"], found[0]["redundant_steps"]) == (["(idle a)"], [1])
    assert (found[1]["redundant"], found[1]["redundant_steps"]) == ([redundant], [2])
    assert [item["plan"] for item in found[1]["certificate"]] == ["p.2.plan"]


def test_a_weight_that_must_be_positive(tmp_path: Path) -> None:
    """The constant is what one of the moves costs: the certificate says that it is at least 1."""
    (tmp_path / "domain.pddl").write_text(
        "(define (domain d) (:predicates (at ?p) (road ?a ?b)) (:functions (toll ?b))"
        " (:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))"
        " :effect (and (not (at ?a)) (at ?b))))"
    )
    (tmp_path / "p.pddl").write_text(
        "(define (problem p) (:domain d) (:objects x y z) (:init (at x) (road x y) (road y z)"
        " (road x z) (= (toll y) 0) (= (toll z) 2)) (:goal (at z)))"
    )
    (tmp_path / "p.plan").write_text("(move x y)\n(move y z)\n")
    (item,) = learn(tmp_path, LearnOptions(linear=("move (toll ?b)",))).observations
    assert item.explanation is not None
    assert is_contradiction(sum_of_json(item.explanation["certificate"]))
    assert any("every action costs at least 1" in line for line in sentences(item.explanation))
