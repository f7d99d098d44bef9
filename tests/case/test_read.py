from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plancost.case.costs import with_costs
from plancost.case.model import Case, Strips
from plancost.case.read import pddl_case, read_case
from plancost.errors import InputError, InvalidPlanError, UnsolvableError, UsageError

DOMAIN = """(define (domain d) (:requirements :strips :negative-preconditions)
  (:predicates (at ?p) (road ?a ?b) (seen ?p)) (:functions (total-cost) (far ?a ?b))
  (:action go :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (seen ?b))))"""
COSTLY = DOMAIN.replace("(seen ?b))))", "(seen ?b) (increase (total-cost) (far ?a ?b)))))")


def problem(start: str = "a", goal: str = "(at c)", more: str = "", end: str = "") -> str:
    return (
        f"(define (problem p) (:domain d) (:objects a b c) (:init (at {start}) (road a b) "
        f"(road b c) (road a c) {more}) (:goal {goal}) {end})"
    )


GOOD = {"domain.pddl": DOMAIN, "p.pddl": problem(), "p.1.plan": "(go a b)\n(go b c)\n"}


def case(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_a_folder_becomes_a_case(tmp_path: Path) -> None:
    files = {
        "p.pddl": problem(),
        "p.x.pddl": problem("b"),
        "unused.pddl": problem(),
        "p.plan": "(GO A C)",
        "p.x.1.plan": "go b c (1)",
        "p.plan.3": "; walked\r\n( go  a b )\r(go b c) ; and there\n",
        "P.soln": "(go a c)",
        "P.PDDL": problem(),
        "p.old.plan": "\ufeff(go a c)",
        "domain.pddl": DOMAIN,
    }
    found = read_case(case(tmp_path / "town", files))
    assert found.name == "town"
    assert found.actions == ("(go a b)", "(go a c)", "(go b c)")
    assert len(found.worlds) == 1
    tasks = [task.name for task in found.tasks]
    plans = {
        o.name: (tasks[o.task], [found.actions[a] for a in o.actions]) for o in found.observations
    }
    by_b, direct = ["(go a b)", "(go b c)"], ["(go a c)"]
    assert plans == {
        "p.plan": ("p.pddl", direct),
        "p.x.1.plan": ("p.x.pddl", ["(go b c)"]),
        "p.plan.3": ("p.pddl", by_b),
        "P.soln": ("P.PDDL", direct),
        "p.old.plan": ("p.pddl", direct),
    }
    assert len(found.notes) == 1 and "unused.pddl" in found.notes[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"p.1.plan": "(go a b)\n(go a c)"}, "p.1.plan: step 2 (go a c)"),
        ({"p.1.plan": "(go a b)"}, "(at c) does not hold"),
        ({"p.1.plan": ""}, "(at c) does not hold"),
        ({"p.1.plan": "(go a b)\n(fly b c)"}, "'fly'"),
        ({"p.1.plan": "(go a)"}, "takes 2 arguments, not 1"),
        ({"p.1.plan": "(go c a)"}, "step 1 (go c a)"),
        ({"p.1.plan": "0.0: (go a c) [1]"}, "temporal"),
        ({"p.1.plan": "(go a c)\n(go \u0430 b)"}, "p.1.plan:2: "),
        ({"p.1.plan": "\0\1"}, "p.1.plan:1: "),
        ({"q.1.plan": "(go a c)"}, "q.1.plan: "),
        ({"domain.pddl": DOMAIN.replace("(domain d)", "(domain e)")}, "p.pddl: "),
        ({"domain.pddl": DOMAIN[:-1]}, "domain.pddl:1: "),
        ({"domain.pddl": DOMAIN.replace("(at ?a)", "(on ?a)", 1)}, "domain.pddl: "),
        ({"p.pddl": problem()[:-2]}, "p.pddl:1: "),
        ({"p.pddl": "\n\n" + problem() + "\n)"}, "p.pddl:4: "),
        ({"p.pddl": "; nothing"}, "p.pddl: "),
        ({"p.pddl": problem(goal="(at d)")}, "p.pddl: "),
        ({"p.pddl": "(" * 9999}, "p.pddl:1: "),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, changes: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError) as error:
        read_case(case(tmp_path, {**GOOD, **changes}))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_problem_without_any_plan_is_unsolvable(tmp_path: Path) -> None:
    files = {**GOOD, "q.pddl": problem("b", "(at a)"), "q.plan": "(go b c)"}
    with pytest.raises(UnsolvableError, match=r"q\.pddl: "):
        read_case(case(tmp_path, files))
    found = read_case(tmp_path, on_invalid="skip")
    assert [task.name for task in found.tasks] == ["p.pddl"]
    assert len(found.notes) == 1 and "q.pddl" in found.notes[0]


def test_only_the_first_wrong_plans_are_named(tmp_path: Path) -> None:
    wrong = {f"p.w{number}.plan": "(go a b)" for number in range(7)}
    with pytest.raises(InvalidPlanError) as error:
        read_case(case(tmp_path, {**GOOD, **wrong}))
    assert "p.w4.plan" in str(error.value) and "p.w5.plan" not in str(error.value)
    found = read_case(tmp_path, on_invalid="skip")
    assert [o.name for o in found.observations] == ["p.1.plan"]
    assert len(found.notes) == 7


def test_actions_of_problems_that_are_left_out_are_not_in_the_case(tmp_path: Path) -> None:
    files = {"domain.pddl": DOMAIN, "p.pddl": problem("b"), "p.plan": "(go b c)"}
    files |= {"q.pddl": problem("a"), "q.plan": "(go a b)"}
    found = read_case(case(tmp_path, files), on_invalid="skip")
    assert found.actions == ("(go b c)",)


@pytest.mark.parametrize("ending", ["", "\u2028(go a b)", "\u0085(go a b)", "\x0b (go a b)"])
def test_a_comment_ends_with_its_line(ending: str) -> None:
    found = pddl_case({"p": problem()}, {"p": [f"(go a c) ; now{ending}"]}, domain=DOMAIN)
    assert len(found.observations[0].actions) == 1


def test_problems_that_differ_only_in_costs_are_one_task_of_one_world() -> None:
    problems = {
        "plain": problem(),
        "metric": problem(end="(:metric minimize (total-cost))"),
        "zero": problem(more="(= (total-cost) 0) (= (far a b) 3)"),
        "other": problem("b"),
    }
    plans = {name: ["(go b c)" if name == "other" else "(go a c)"] for name in problems}
    found = pddl_case(problems, plans, domain=DOMAIN)
    assert len(found.worlds) == 1
    assert len({(task.world, task.initial, task.goal) for task in found.tasks}) == 2


def test_a_goal_that_always_holds_loses_no_actions() -> None:
    text = problem(goal="(seen a)", more="(seen a)")
    found = pddl_case({"p": text}, {"p": ["(go a c)", ""]}, domain=DOMAIN)
    assert len(found.actions) == 3
    assert [len(o.actions) for o in found.observations] == [1, 0]


def test_plans_are_replayed_with_derived_predicates_and_conditional_effects() -> None:
    domain = """(define (domain d) (:requirements :adl :derived-predicates)
      (:predicates (at ?p) (road ?a ?b) (mud ?p) (dirty) (reach ?a ?b) (tidy))
      (:derived (reach ?a ?b) (or (road ?a ?b) (exists (?c) (and (road ?a ?c) (reach ?c ?b)))))
      (:derived (tidy) (not (dirty)))
      (:action jump :parameters (?a ?b) :precondition (and (at ?a) (reach ?a ?b))
        :effect (and (not (at ?a)) (at ?b) (when (mud ?b) (dirty))))
      (:action wash :parameters () :effect (not (dirty))))"""
    clean = problem(goal="(and (at c) (tidy))", more="(mud b)")
    plans = {"p": ["(jump a c)", "(jump a b)\n(wash)\n(jump b c)"]}
    found = pddl_case({"p": clean}, plans, domain=domain)
    assert len(found.observations) == 2
    world = found.worlds[0]
    assert isinstance(world, Strips)
    assert world.axioms
    with pytest.raises(InvalidPlanError, match="tidy"):
        pddl_case({"p": clean}, {"p": ["(jump a b)\n(jump b c)"]}, domain=domain)
    with pytest.raises(InvalidPlanError, match="step 2"):
        pddl_case({"p": clean}, {"p": ["(jump a c)\n(jump c a)"]}, domain=domain)
    some = problem(goal="(exists (?p) (and (at ?p) (not (mud ?p)) (dirty)))", more="(mud b)")
    with pytest.raises(InvalidPlanError, match="goal"):
        pddl_case({"p": some}, {"p": ["(jump a b)"]}, domain=domain)
    assert pddl_case({"p": some}, {"p": ["(jump a b)\n(jump b c)"]}, domain=domain).observations


# Costs


def known(case: Case) -> list[int]:
    """What the PDDL says that actions cost."""
    initial = with_costs(case, refine=True).costs.initial
    assert initial is not None
    return [int(cost) for cost in initial]


def test_costs_of_pddl_are_read_but_never_change_the_actions() -> None:
    values = "(= (far a b) 2) (= (far b c) 0) (= (far a c) 5)"
    same = {"p": problem(more=values), "q": problem(more="(= (far a c) 5.0)")}
    found = pddl_case(same, {"p": ["(go a c)"], "q": ["(go a c)"]}, domain=COSTLY)
    assert found.actions == ("(go a b)", "(go a c)", "(go b c)") and known(found) == [2, 5, 0]
    for wrong, words in (
        ("(= (far b c) 1)", r"q: \(far b c\) is 1, but p says 0"),
        ("(= (far a c) 2.5)", r"q: \(far a c\) must be a whole number"),
    ):
        problems = {"p": problem(more=values), "q": problem(more=wrong)}
        found = pddl_case(problems, {"p": ["(go a c)"], "q": ["(go a c)"]}, domain=COSTLY)
        assert len(found.actions) == 3
        with pytest.raises(InputError, match=words):
            known(found)
    with pytest.raises(InputError, match=r"no problem gives a value to \(far a b\)"):
        known(pddl_case({"p": problem()}, {"p": ["(go a c)"]}, domain=COSTLY))


@pytest.mark.parametrize(
    ("amount", "cost"),
    [("7", 7), ("0", 0), ("7.0", 7), ("1.5", None), ("-1", None), ("(+ 1 2)", None)],
)
def test_a_constant_cost(amount: str, cost: int | None) -> None:
    domain = COSTLY.replace("(far ?a ?b)))))", f"{amount}))))")
    assert domain != COSTLY
    found = pddl_case({"p": problem()}, {"p": ["(go a c)"]}, domain=domain)
    if cost is not None:
        assert known(found) == [cost] * 3
        return
    with pytest.raises(InputError, match="the domain: the cost of 'go'"):
        known(found)


def test_without_a_cost_effect_nothing_is_known() -> None:
    found = pddl_case({"p": problem(more="(= (far a b) 2)")}, {"p": ["(go a c)"]}, domain=DOMAIN)
    assert known(found) == [1, 1, 1]


# Manifests and files outside


def test_a_manifest_says_more_of_each_plan(tmp_path: Path) -> None:
    folder = case(tmp_path, GOOD)
    (folder / "m.csv").write_text(
        "problem,plan,count,cost,suboptimality,group,time\n"
        "p.pddl,p.1.plan,1000000000,12,1.25,anna,2024-05-01\n\np.pddl,p.1.plan,,,,,\n"
    )
    found = read_case(folder / "m.csv", domain=folder / "domain.pddl")
    first, second = found.observations
    assert (first.count, first.total, first.factor) == (10**9, 12, Fraction(5, 4))
    assert (first.group, first.time) == ("anna", "2024-05-01")
    assert (second.count, second.total, second.factor, second.group) == (1, None, None, None)
    with pytest.raises(UsageError):
        read_case(folder / "m.csv")


@pytest.mark.parametrize(
    "text",
    [
        "problem,count\np.pddl,1\n",
        "problem,plan,cuont\np.pddl,p.1.plan,1\n",
        "problem,plan,count\np.pddl,p.1.plan,0\n",
        "problem,plan,count\np.pddl,p.1.plan,-1\n",
        "problem,plan,count\np.pddl,p.1.plan,1.5\n",
        "problem,plan,count\np.pddl,p.1.plan,1000000001\n",
        "problem,plan,suboptimality\np.pddl,p.1.plan,0.9\n",
        "problem,plan,suboptimality\np.pddl,p.1.plan,1.00001\n",
        "problem,plan\np.pddl,p.2.plan\n",
        "problem,plan\np.pddl,p.1\0.plan\n",
        f"problem,plan\np.pddl,{'p' * 5000}.plan\n",
        "problem,plan\np.pddl,\n",
        "problem,plan\n",
        "",
    ],
)
def test_a_wrong_manifest_is_refused(tmp_path: Path, text: str) -> None:
    folder = case(tmp_path, GOOD)
    (folder / "m.csv").write_text(text)
    with pytest.raises(InputError, match=r"m\.csv:"):
        read_case(folder / "m.csv", domain=folder / "domain.pddl")


def test_files_outside_are_read_only_if_that_is_allowed(tmp_path: Path) -> None:
    folder = case(tmp_path / "case", GOOD)
    case(tmp_path / "other", {"p.2.plan": "(go a c)"})
    (folder / "m.csv").write_text("problem,plan\np.pddl,../other/p.2.plan\n")
    (folder / "p.2.plan").symlink_to("../other/p.2.plan")
    for path, domain in ((folder, None), (folder / "m.csv", folder / "domain.pddl")):
        with pytest.raises(InputError, match="outside"):
            read_case(path, domain=domain)
        found = read_case(path, domain=domain, allow_outside=True)
        assert any(len(o.actions) == 1 for o in found.observations)


def test_a_folder_without_plans_or_domain_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"domain\.pddl"):
        read_case(case(tmp_path, {"p.pddl": problem(), "p.plan": "(go a c)"}))
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p.plan").unlink()
    with pytest.raises(InputError, match="no observed plans"):
        read_case(tmp_path)


def test_plans_as_paths_texts_and_lists_of_actions(tmp_path: Path) -> None:
    folder = case(tmp_path, GOOD)
    plans = [folder / "p.1.plan", str(folder / "p.1.plan"), "(go a c)", ["(GO a  b)", "go b c"]]
    found = pddl_case({"p": folder / "p.pddl"}, {"p": plans}, domain=folder / "domain.pddl")
    assert [len(o.actions) for o in found.observations] == [2, 2, 1, 2]
    with pytest.raises(InputError):
        pddl_case({"p": problem()}, {"q": ["(go a c)"]}, domain=DOMAIN)
    with pytest.raises(InputError):
        pddl_case({"p": problem()}, {}, domain=DOMAIN)


@pytest.mark.parametrize(
    "plans", [3, [3], [("p",)], {"p": 3}, {"p": [3]}, {"p": [None]}, {"p": [[""]]}, {"p": [[3]]}]
)
def test_what_a_program_gives_as_plans_is_checked(plans: Any) -> None:
    with pytest.raises(InputError):
        pddl_case({"p": problem()}, plans, domain=DOMAIN)


def test_axioms_that_nothing_reads_are_left_out() -> None:
    rule = "(:derived (spare) (exists (?p) (seen ?p)))"
    domain = DOMAIN.replace("(seen ?p))", "(seen ?p) (spare))").replace(
        "(:action", f"{rule} (:action"
    )
    plans = {"p": ["(go a c)"]}
    unread = pddl_case({"p": problem()}, plans, domain=domain).worlds[0]
    read = pddl_case({"p": problem(goal="(spare)")}, plans, domain=domain).worlds[0]
    assert isinstance(unread, Strips) and isinstance(read, Strips)
    assert not unread.axioms and read.axioms
