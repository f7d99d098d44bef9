"""Cases out of texts: the same answer as from files, and labels instead of paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import plancost
from plancost.errors import InputError

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "avoid-the-centre"
LINE = """(define (domain line) (:requirements :strips :typing) (:types spot)
  (:predicates (at ?s - spot) (next ?a ?b - spot))
  (:action go :parameters (?a ?b - spot)
    :precondition (and (at ?a) (next ?a ?b)) :effect (and (not (at ?a)) (at ?b))))
"""
THREE = """(define (problem three) (:domain line) (:objects a b c - spot)
  (:init (at a) (next a b) (next b c) (next a c) (next b a)) (:goal (at c)))
"""
ALONG = ("(go a b)", "(go b c)")


def test_texts_and_files_give_the_same_answer() -> None:
    problems = {path.stem: path.read_text() for path in EXAMPLE.glob("[!d]*.pddl")}
    plans = [(path.name.split(".")[0], path.read_text()) for path in sorted(EXAMPLE.glob("*.plan"))]
    case = plancost.case_from_strings((EXAMPLE / "domain.pddl").read_text(), problems, plans)
    from_texts, from_files = plancost.learn(case), plancost.learn(EXAMPLE)
    assert from_texts.costs == from_files.costs
    assert from_texts.secondary == from_files.secondary
    assert from_texts.optimal_plans == from_files.optimal_plans == len(plans)
    assert from_texts.verified and from_texts.proved


def test_results_name_observations_by_labels() -> None:
    case = plancost.case_from_strings(
        LINE,
        {"p1": THREE, "p2": THREE, "p3": THREE},
        [
            ("p1", ALONG, 3),
            ("p2", "; the same\n(GO a b)\n(go b c)\n"),
            ("p1", ["Go  A b", "go b c"]),
        ],
    )
    result = plancost.learn(case)
    assert [(item.problem, item.plan, item.count) for item in result.observations] == [
        ("problem 'p1'", "plan 1 of problem 'p1'", 3),
        ("problem 'p2'", "plan 1 of problem 'p2'", 1),
        ("problem 'p1'", "plan 2 of problem 'p1'", 1),
    ]
    assert {observation.plan for observation in case.observations} == {ALONG}
    assert (result.plans, result.optimal_plans, result.costs["(go a c)"]) == (5, 5, 2)
    assert result.notes == ("problem 'p3' has no observed plan and is not used",)


def test_conflicts_and_notes_name_labels() -> None:
    case = plancost.case_from_strings(
        LINE, {"a/b.pddl": THREE}, [("a/b.pddl", ["go a b", "go b a", "go a c"])]
    )
    result = plancost.learn(case)
    label = "plan 1 of problem 'a/b.pddl'"
    assert result.observations[0].plan == label
    assert f"{label} visits a state twice, so it can never be optimal" in result.notes


def test_pddl_is_written_under_plain_names(tmp_path: Path) -> None:
    names = ["p 1", "p/1", "Domain", "x.pddl", "p2"]
    case = plancost.case_from_strings(
        LINE, dict.fromkeys(names, THREE), [(name, ALONG) for name in names]
    )
    written = plancost.write_result_pddl(plancost.learn(case), tmp_path)
    assert [path.name for path in written] == [
        *("domain.pddl", "p-1.pddl", "p-1-2.pddl", "Domain-2.pddl", "x.pddl", "p2.pddl")
    ]
    again = plancost.case_from_strings(
        written[0].read_text(), {"p": written[1].read_text()}, [("p", ALONG)]
    )
    refined = plancost.learn(again, plancost.LearnOptions(refine=True))
    assert (refined.optimal_plans, refined.secondary.value) == (1, 0)


@pytest.mark.parametrize(
    ("domain", "problems", "plans", "message"),
    [
        (LINE + ")", {"p": THREE}, [("p", ALONG)], "domain (string):5: "),
        (THREE, {"p": THREE}, [("p", ALONG)], "domain (string):1: this is a problem, not a domain"),
        (LINE, {"p": LINE}, [("p", ALONG)], "problem 'p':1: this is a domain, not a problem"),
        (
            LINE,
            {"p": THREE.replace("line", "circle")},
            [("p", ALONG)],
            "problem 'p':1: this problem belongs to the domain 'circle', "
            "but domain (string) defines 'line'",
        ),
        (
            LINE,
            {"p": THREE},
            [("p", ALONG), ("p", "(go a b)\n")],
            "plan 2 of problem 'p': the plan ends outside the goal: (at c) does not hold",
        ),
        (
            LINE,
            {"p": THREE},
            [("p", ["(go a b)", "(go a c)"])],
            "plan 1 of problem 'p': step 2 (go a c) cannot be applied",
        ),
        (
            LINE,
            {"p": THREE},
            [("p", ["(go c a)"])],
            "plan 1 of problem 'p': step 1 (go c a) does not exist in problem 'p'",
        ),
        (LINE, {"p": THREE}, [("p", "go a c")], "plan 1 of problem 'p':1: expected one '(action"),
        (LINE, {"p": THREE}, [("p", ["go a c", ""])], "plan 1 of problem 'p': step 2 is ''"),
        (LINE, {"p": THREE}, [("p", ["go (a c"])], "plan 1 of problem 'p': step 1 is 'go (a c'"),
        (LINE, {"p": THREE}, [("p", ["go a\u2028c"])], "step 1 is 'go a\\u2028c'; expected an"),
        (LINE, {"p": THREE}, [("p", [("go", "a")])], "step 1 is ('go', 'a'); expected an action"),
        (LINE, {"p": THREE}, [("q", ALONG)], "plan 1 is of problem 'q', which is not given (p)"),
        (
            LINE,
            {"p": THREE},
            [("p", ALONG, 0)],
            "count must be a whole number from 1 to",
        ),
        (LINE, {"p": THREE}, [("p", ALONG, 10**10)], "from 1 to 1000000000, not '10000000000'"),
        (LINE, {"p": THREE}, ["pq"], "plan 1: expected (problem, plan) or (problem, plan, count)"),
        (LINE, {"p": THREE}, [], "there is no plan to learn from"),
        (LINE, {"a/b": THREE, "a//b": THREE}, [], "two problems are called problem 'a/b'"),
    ],
)
def test_one_sentence_names_the_text(
    domain: str, problems: Mapping[str, str], plans: Sequence[Any], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        plancost.case_from_strings(domain, problems, plans)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_invalid_plans_can_be_left_out() -> None:
    plans = [("p", ["go a b"]), ("p", ALONG)]
    case = plancost.case_from_strings(LINE, {"p": THREE}, plans, skip_invalid=True)
    assert case.plan_count == 1
    assert case.notes[0].startswith("left out: plan 1 of problem 'p': the plan ends outside")


@pytest.mark.parametrize(
    ("domain", "problems", "plans", "message"),
    [
        (5, {"p": THREE}, [("p", ALONG)], "domain must be the text of a PDDL domain, not 5"),
        (LINE, None, [("p", ALONG)], "problems must be texts by name, not None"),
        (LINE, {"p": 5}, [("p", ALONG)], "problems must be texts by name"),
        (LINE, {"p": THREE}, None, "plans must be a list of (problem, plan), not None"),
        (LINE, {"p": THREE}, [None], "plan 1: expected (problem, plan)"),
        (LINE, {"p": THREE}, [("p", None)], "the plan is None; expected a text or a list"),
    ],
)
def test_other_kinds_of_things(domain: Any, problems: Any, plans: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(plancost.PlancostError) as caught:
        plancost.case_from_strings(domain, problems, plans)
    assert message in str(caught.value)
