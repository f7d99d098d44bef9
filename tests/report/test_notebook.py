"""What notebooks show: complete, self-contained, and no name can break out of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from plancost.api.learn import learn
from plancost.evaluation.evaluate import evaluate
from plancost.evaluation.methods import Method
from plancost.observations.case import Case
from plancost.observations.strings import ObservedText, case_from_strings
from plancost.report.notebook import html_of
from plancost.results.result import Result

DOMAIN = """(define (domain d) (:predicates (at ?p) (road ?p ?q))
  (:action go :parameters (?p ?q) :precondition (and (at ?p) (road ?p ?q))
    :effect (and (not (at ?p)) (at ?q))))"""
PROBLEM = """(define (problem p) (:domain d) (:objects a b c)
  (:init (at a) (road a b) (road b c) (road a c)) (:goal (at c)))"""
HOSTILE = '<script>alert(1)</script>"onload=x'


@pytest.fixture(scope="module")
def result() -> Result:
    plans: list[ObservedText] = [
        (HOSTILE, ["(go a b)", "(go b c)"], 2),
        (HOSTILE, ["(go a c)"]),
    ]
    return learn(case_from_strings(DOMAIN, {HOSTILE: PROBLEM}, plans))


@pytest.fixture(scope="module")
def case(result: Result) -> Case:
    assert result.case is not None
    return result.case


def check(page: str) -> None:
    """Nothing from outside, no script, and names only as text."""
    outside = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "<script" not in page and "http" not in outside and '"onload' not in page
    assert not re.search(r"(src|href)=", page)


def test_a_result(result: Result) -> None:
    page = result._repr_html_()
    check(page)
    assert "proven: no costs make more plans optimal" in page
    assert page.count("<tr>") == 3 and "&lt;script&gt;" in page
    assert "<svg" in page
    assert "<svg" not in html_of(replace(result, case=None))


def test_a_case(case: Case) -> None:
    page = case._repr_html_()
    check(page)
    assert "3 observed plans of 1 tasks, 3 actions" in page and "<svg" in page


def test_an_evaluation(case: Case) -> None:
    found = evaluate(case, folds=2, methods=(Method.UNIT,))
    check(found._repr_html_())
    assert "unit" in found._repr_html_()
    assert "against maxent" not in found._repr_html_()
    compared = evaluate(case, folds=2, methods=(Method.UNIT, Method.MAXENT))._repr_html_()
    check(compared)
    assert "against maxent" in compared
    assert repr(found).startswith("<Evaluation on 3 plans, optimal when held out: unit ")


def test_long_lists_end(result: Result) -> None:
    many = replace(result, observations=result.observations * 20, case=None)
    assert "... and 20 more" in html_of(many) and html_of(many).count("<tr>") == 21


def test_representations_are_short(result: Result, case: Case) -> None:
    assert repr(result) == (
        "<Result mcf: 3 of 3 plans optimal (proven most), second objective 4 (proven least), "
        "3 costs>"
    )
    assert repr(case) == "<Case (no files): 3 plans of 1 tasks, 3 actions>"


def test_nothing_else_is_shown() -> None:
    with pytest.raises(TypeError, match="int is not shown"):
        html_of(5)
