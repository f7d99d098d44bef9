"""Why plans are not optimal: the reasons are true, and their sums hold by the PDDL alone."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

import plancost
from brute_force import BruteForce, ContradictionError, TooLargeError, is_goal, successors
from plancost.clock import Clock
from plancost.explain import explain_case
from plancost.explanation import Explanation
from plancost.learn.run import learn_costs
from plancost.progress import silent
from plancost.result.assemble import assemble
from plancost.result.model import Likely
from random_tasks import draw_case, draw_options
from towns import BY_HILL, PDDL, STREETS, command, write

EXAMPLES = Path(__file__).parents[1] / "examples"

BLOCKS = {
    "domain.pddl": """(define (domain blocks) (:requirements :strips)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (holding ?x) (handempty))
  (:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
  (:action put-down :parameters (?x) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
""",
    "p.pddl": """(define (problem p) (:domain blocks) (:objects a b c d)
  (:init (ontable a) (on b a) (clear b) (ontable c) (on d c) (clear d) (handempty))
  (:goal (on b d)))
""",
    "p.plan": "(unstack d c)\n(stack d c)\n(unstack b a)\n(stack b d)\n",
}
"""Example 2 of the paper: four blocks, and a plan that lifts one of them in vain."""


@dataclass(frozen=True)
class OnlyPddl:
    """A folder of plain STRIPS, read without anything of plancost."""

    folder: Path

    def problem_of(self, plan: str) -> Path:
        return self.folder / f"{plan.split('.')[0]}.pddl"

    def steps(self, plan: str) -> list[str]:
        return (self.folder / plan).read_text().split("\n")[:-1]

    def solves(self, problem: Path, steps: Sequence[str]) -> bool:
        state = set(_atoms(_section(problem.read_text(), ":init")))
        for step in steps:
            name, *words = step.strip("()").split()
            action = _section((self.folder / "domain.pddl").read_text(), f":action {name}")
            head, _, rest = action.partition(":precondition")
            needs, _, effect = rest.partition(":effect")
            value = dict(zip(_variables(head), words, strict=True))
            deleted = re.findall(r"\(not (\([^()]*\))\)", effect)
            added = [atom for atom in _atoms(effect) if atom not in deleted]
            if not {_ground(atom, value) for atom in _atoms(needs)} <= state:
                return False
            state -= {_ground(atom, value) for atom in deleted}
            state |= {_ground(atom, value) for atom in added}
        return set(_atoms(_section(problem.read_text(), ":goal"))) <= state

    def check(self, found: Explanation) -> None:
        """Replay every alternative, add up, and see that no costs of at least 1 do that."""
        total: Counter[str] = Counter()
        margin = 0
        for row in found.rows:
            steps = self.steps(row.plan)
            other = [*steps[: row.first - 1], *row.alternative, *steps[row.last :]]
            assert self.solves(self.problem_of(row.plan), other)
            assert row.multiplier >= 1
            assert {row.plan} <= {found.name, *found.with_plans}
            for sign, part in ((1, steps[row.first - 1 : row.last]), (-1, row.alternative)):
                for action in part:
                    total[action] += sign * row.multiplier
            if row.strict:
                assert other != steps
                margin += row.multiplier
        assert min(total.values()) >= 0
        assert sum(total.values()) + margin > 0
        terms = [f"{n} {name}" if n > 1 else name for name, n in total.items() if n]
        left, _, right = found.sum.partition(" <= ")
        assert sorted(left.split(" + ")) == sorted([*terms, *[f"{margin}"][: margin > 0]])
        assert right == "0"


def _section(text: str, head: str) -> str:
    """What is in the brackets that begin so."""
    begin = text.index(f"({head}") + 1
    depth = 1
    for place in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return text[begin + len(head) : place]
    raise ValueError(head)


def _atoms(text: str) -> list[str]:
    return [atom for atom in re.findall(r"\([^()]*\)", text) if "?" not in atom.split()[0]]


def _variables(text: str) -> list[str]:
    return re.findall(r"\?\w+", text)


def _ground(atom: str, value: dict[str, str]) -> str:
    return re.sub(r"\?\w+", lambda found: value[found[0]], atom)


def grid(folder: Path, seed: int) -> Path:
    """Plans on a grid of four by four cells; many wind about."""
    random = Random(seed)
    cells = [(x, y) for x in range(4) for y in range(4)]
    ways = [(a, b) for a in cells for b in cells if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    name = {cell: f"c{cell[0]}-{cell[1]}" for cell in cells}
    paths = " ".join(f"(path {name[a]} {name[b]})" for a, b in ways)
    files = {"domain.pddl": PDDL["domain.pddl"]}
    for number in range(5):
        start, end = random.sample(cells, 2)
        objects = " ".join(name.values())
        files[f"p{number}.pddl"] = (
            f"(define (problem p{number}) (:domain town) (:objects {objects} - place)\n"
            f"  (:init (at {name[start]}) {paths}) (:goal (at {name[end]})))\n"
        )
        for plan in range(3):
            walk = [start]
            while walk[-1] != end:
                walk.append(random.choice([b for a, b in ways if a == walk[-1]]))
                if walk[-1] in walk[:-1]:
                    walk = walk[: walk.index(walk[-1]) + 1]
            steps = pairwise(walk)
            text = "".join(f"(walk {name[a]} {name[b]})\n" for a, b in steps)
            files[f"p{number}.{plan}.plan"] = text
    return write(folder, files)


def learned(case: Path | plancost.Case, tmp_path: Path, **options: Any) -> Path:
    """RESULT.json, with what was proven beside it."""
    path = tmp_path / "RESULT.json"
    found = plancost.learn(case, knowledge=path.with_suffix(".proof.json"), **options)
    plancost.write_result(found, path)
    return path


def test_redundant_actions_are_named(tmp_path: Path) -> None:
    case = write(tmp_path / "blocks", BLOCKS)
    (found,) = plancost.explain(case, learned(case, tmp_path))
    assert (found.name, found.task, found.kind) == ("p.plan", "p.pddl", "redundant")
    assert found.steps == (1, 2)
    assert found.alternative == ("(unstack b a)", "(stack b d)")
    assert "1 (unstack d c), 2 (stack d c)" in found.lines[0]
    OnlyPddl(case).check(found)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("solution", ["mcf", "scf"])
def test_sums_hold_by_the_pddl_alone(solution: str, seed: int, tmp_path: Path) -> None:
    case = grid(tmp_path / "grid", seed)
    path = learned(case, tmp_path, solution=solution)
    result = plancost.read_result(path)
    optimal = {item.name for item in result.observations if item.optimal}
    for source in (path, result):  # with what was proven, and without
        found = plancost.explain(case, source)
        assert {one.name for one in found} == {i.name for i in result.observations} - optimal
        assert {"conflict"} <= {one.kind for one in found}
        for one in found:
            if one.kind != "not chosen":
                OnlyPddl(case).check(one)
            assert set(one.with_plans) <= optimal
            assert one.lines[0].startswith(f"{one.name}: ")


@pytest.mark.parametrize("name", ["town", "avoid-the-centre"])
@pytest.mark.parametrize("solution", ["mcf", "scf", "icf"])
def test_examples(name: str, solution: str, tmp_path: Path) -> None:
    case = EXAMPLES / name
    for one in plancost.explain(case, learned(case, tmp_path, solution=solution)):
        if one.kind != "not chosen":
            OnlyPddl(case).check(one)


@pytest.mark.parametrize("seed", range(60))
def test_reasons_are_true(seed: int) -> None:
    case = draw_case(seed)
    case = replace(case, costs=replace(case.costs, initial=None))
    options = replace(draw_options(seed, case), refine=False)
    force = BruteForce(case, options)
    try:
        _ = force.truth
    except (ContradictionError, TooLargeError):
        pytest.skip("nobody knows the truth")
    result = assemble(case, options, learn_costs(case, options, Clock(60), silent, None))
    found = explain_case(case, result, None, options, Clock(60))
    places = {item.name: place for place, item in enumerate(case.observations)}
    optimal = {item.name for item in result.observations if item.optimal}
    assert [one.name for one in found] == [n for n in places if n not in optimal]
    for one in found:
        members = [places[one.name], *(places[name] for name in one.with_plans)]
        if one.kind == "not chosen":
            assert force.least_for([places[one.name], *(places[n] for n in optimal)]) is not None
            continue
        assert force.least_for(members) is None
        if one.kind == "redundant":
            item = case.observations[places[one.name]]
            task = case.tasks[item.task]
            world, state = case.worlds[task.world], task.initial
            for action in one.alternative:
                state = dict(successors(world, state))[case.actions.index(action)]
            assert is_goal(world, task, state)
            rest = [a for n, a in enumerate(item.actions, 1) if n not in one.steps]
            assert sorted(case.actions[a] for a in rest) == sorted(one.alternative)


def test_other_orders(tmp_path: Path) -> None:
    """No step can be left out; in another order two of the three are enough: impossible alone."""
    domain = """(define (domain d) (:predicates (p) (q) (r))
      (:action a :parameters () :precondition (and) :effect (and (p) (not (q))))
      (:action b :parameters () :precondition (and) :effect (and (q) (r)))
      (:action c :parameters () :precondition (and (p) (r)) :effect (q)))"""
    problem = "(define (problem x) (:domain d) (:init) (:goal (and (p) (q))))"
    files = {"domain.pddl": domain, "x.pddl": problem, "x.plan": "(b)\n(a)\n(c)\n"}
    case = write(tmp_path / "case", files)
    (found,) = plancost.explain(case, {"(a)": 1})
    assert (found.kind, found.sum) == ("impossible", "(c) <= 0")
    assert found.rows[0].alternative == ("(a)", "(b)")


def test_a_state_in_which_nothing_is_true(tmp_path: Path) -> None:
    domain = """(define (domain d) (:requirements :negative-preconditions) (:predicates (p) (g))
      (:action off :parameters () :precondition (p) :effect (not (p)))
      (:action win :parameters () :precondition (not (p)) :effect (g))
      (:action wait :parameters () :precondition () :effect (p)))"""
    problem = "(define (problem x) (:domain d) (:init (p)) (:goal (g)))"
    files = {"domain.pddl": domain, "x.pddl": problem, "x.plan": "(off)\n(win)\n(wait)\n"}
    case = write(tmp_path / "case", files)
    (found,) = plancost.explain(case, {"(off)": 1})
    assert (found.kind, found.steps) == ("redundant", (3,))


def test_ties_of_reordered_plans(tmp_path: Path) -> None:
    domain = """(define (domain d) (:predicates (p) (q))
      (:action a :parameters () :precondition (and) :effect (p))
      (:action b :parameters () :precondition (and) :effect (q)))"""
    problem = "(define (problem x) (:domain d) (:init) (:goal (and (p) (q))))"
    files = {"domain.pddl": domain, "x.pddl": problem, "x.plan": "(b)\n(a)\n"}
    case = write(tmp_path / "case", files)
    (found,) = plancost.explain(case, plancost.learn(case, solution="scf"))
    assert (found.kind, found.sum) == ("impossible", "1 <= 0")
    assert found.rows[0].strict
    assert "as (a) (b) always costs as much: 1 <= 0, which is false" in found.lines[1]
    assert not plancost.explain(case, plancost.learn(case, solution="scf", ties="reorderings"))


def test_bounds_and_known_totals(tmp_path: Path) -> None:
    case = write(tmp_path / "town", PDDL)
    dear = {"(walk home hill)": [9, None], "(walk * r*)": [1, 2], "(walk r*)": [1, 2]}
    bounds = {**dear, "(walk bridge school)": [1, 2]}
    (found,) = plancost.explain(case, plancost.learn(case, bounds=bounds))
    assert (found.name, found.kind) == ("school.friday.plan", "impossible")
    assert "(walk home hill) >= 9" in found.against
    assert "(walk bridge school) <= 2" in found.against
    assert "no costs within these bounds make it optimal" in found.lines[0]
    rows = "problem,plan,cost\nschool.pddl,school.monday.plan,4\nschool.pddl,school.friday.plan,9\n"
    write(case, {"m.csv": rows})
    opened = plancost.read_case(case / "m.csv", domain=case / "domain.pddl")
    (found,) = plancost.explain(opened, plancost.learn(opened))
    assert (found.name, found.kind) == ("school.friday.plan", "impossible")
    assert [row.plan for row in found.rows].count("") == 2
    assert found.sum.startswith("5 <= 0")
    assert "no costs with these totals make it optimal" in found.lines[0]


def test_shared_costs_and_factors(tmp_path: Path) -> None:
    case = write(tmp_path / "town", PDDL)
    for found in plancost.explain(case, plancost.learn(case, features=["schema"])):
        assert (found.kind, found.sum, found.difference) == ("impossible", "(walk * *) <= 0", 1)
        assert "no costs of these features make it optimal" in found.lines[0]
    assert not plancost.explain(case, plancost.learn(case, features=["schema"], suboptimality=1.5))
    found = plancost.explain(case, plancost.learn(case, features=["schema"], suboptimality=1.4))[0]
    assert found.rows[0].text == "(walk * *) <= 0"


def test_groups_are_explained_one_by_one(tmp_path: Path) -> None:
    names = {"school.monday.plan": "b", "school.friday.plan": "a", "back.plan": "b"}
    rows = "".join(f"school.pddl,{name},{group}\n" for name, group in names.items())
    back = "(walk home hill)\n(walk hill school)\n(walk school hill)\n(walk hill school)\n"
    problem = PDDL["school.pddl"].replace(
        "(path hill school)", "(path hill school)(path school hill)"
    )
    files = {"m.csv": f"problem,plan,group\n{rows}", "back.plan": back, "school.pddl": problem}
    case = write(tmp_path / "town", PDDL, files)
    opened = plancost.read_case(case / "m.csv", domain=case / "domain.pddl")
    path = learned(opened, tmp_path, solution="scf")
    (found,) = plancost.explain(opened, path)
    assert (found.name, found.group, found.kind) == ("back.plan", "b", "redundant")


def test_streets_are_called_by_their_names(tmp_path: Path) -> None:
    links = "r1,a,b,River Road\nr2,b,c,River Road\nh,a,c,High\x1bStreet\nb,c,b,\n"
    files = {
        "links.csv": f"link,from,to,name\n{links}",
        "trips.csv": "trip,links\none,r1\ntwo,h b\nthree,h\nfour,r1 r2\n",
    }
    case = write(tmp_path / "streets", files)
    result = plancost.learn(case)
    (found,) = plancost.explain(case, result)
    assert (found.name, found.kind, found.with_plans) == ("four", "conflict", ("two",))
    assert found.rows[0].text.count("River Road [r1]") == 1
    assert all("\x1b" not in line for line in found.lines)
    dear = {"r1": 5, "h": 1, "r2": 1, "b": 1}
    one, _ = plancost.explain(case, dear)
    assert (one.alternative, one.difference) == (("h", "b"), 3)


def test_turns(tmp_path: Path) -> None:
    turns = "link,next,class\nr1,r2,left\n"
    trips = "trip,links\nfriday,h\nmonday,r1 r2\n"
    case = write(tmp_path / "streets", STREETS, {"turns.csv": turns, "trips.csv": trips})
    result = plancost.learn(case, features=["turns"], solution="scf")
    (found,) = plancost.explain(case, result)
    assert found.kind == "conflict"
    assert {(row.first, row.last) for row in found.rows} == {(1, 1), (1, 2)}


def test_unlikely_plans(tmp_path: Path) -> None:
    shop = PDDL["school.pddl"].replace(
        "(path bridge school)", "(path bridge school) (path river hill)"
    )
    by_both = "(walk home river)\n(walk river hill)\n(walk hill school)\n"
    case = write(tmp_path / "town", PDDL, {"a.pddl": shop, "a.plan": by_both})
    likely = Likely(
        log_likelihood=None, units_per_nat=100, standard_errors={}, features={}, spreads={}
    )
    result = plancost.verify(case, {"(walk home river)": 300, "(walk home hill)": 50})
    result = structs.replace(result, solution="likely", likely=likely)
    late, found, again = plancost.explain(case, result)
    assert replace(again, name=found.name, lines=()) == replace(found, lines=())
    assert (found.kind, found.rank, found.steps, found.difference) == ("unlikely", 2, (1,), 251)
    assert found.probability == found.step_probability == pytest.approx(1 / (1 + math.exp(2.51)))
    plans = {(p.task, p.rank): p for p in plancost.predict(case, result, alternatives=3).plans}
    assert found.probability == pytest.approx(plans["school.pddl", 2].probability)
    assert found.alternative == plans["school.pddl", 1].actions
    assert (late.name, late.rank, late.steps) == ("a.plan", 2, (1,))
    assert late.probability == pytest.approx(plans["a.pddl", 2].probability)


def test_where_planners_are_asked(tmp_path: Path) -> None:
    domain = (
        PDDL["domain.pddl"]
        .replace(":typing", ":typing :derived-predicates")
        .replace(
            "(path ?a ?b - place))",
            "(path ?a ?b - place) (near ?a - place))\n"
            "  (:derived (near ?a - place) (exists (?b - place) (and (at ?b) (path ?b ?a))))",
        )
        .replace("(and (at ?a) (path ?a ?b))", "(and (at ?a) (path ?a ?b) (near ?b))")
    )
    case = write(tmp_path / "town", PDDL, {"domain.pddl": domain})
    (found,) = plancost.explain(case, plancost.learn(case, solution="scf"))
    assert (found.kind, found.with_plans) == ("conflict", ("school.monday.plan",))
    assert found.sum == "2 <= 0"
    (found,) = plancost.explain(case, {"(walk home hill)": 3})
    assert (found.kind, found.difference, len(found.alternative)) == ("not chosen", 1, 3)


def test_what_was_not_chosen(tmp_path: Path) -> None:
    case = write(tmp_path / "town", PDDL)
    found = plancost.explain(case, {"(walk home hill)": 1})
    assert [one.name for one in found] == ["school.monday.plan", "school.tuesday.plan"]
    assert {one.kind for one in found} == {"not chosen"}
    assert found[0].alternative == tuple(BY_HILL.split("\n")[:-1])
    assert found[0].difference == 1
    opened = plancost.read_case(case)
    late = plancost.explain(
        opened, plancost.learn(opened, alternatives="baseline"), time_limit=1e-6
    )
    assert [one.note for one in late] == ["no reason was found within the limits"] * 2
    late = plancost.explain(opened, {"(walk home hill)": 1}, time_limit=1e-6)
    assert all(one.note.startswith("it is not known whether it is optimal") for one in late)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case, path = EXAMPLES / "town", tmp_path / "RESULT.json"
    assert command(capsys, "learn", case, "--output", path, "--quiet").status == 0
    done = command(capsys, "explain", case, path)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("2 of 5 plans are not optimal: 1 redundant, 1 in conflict\n")
    found = command(capsys, "explain", case, path, "--json").json["explanations"]
    assert [one["kind"] for one in found] == ["redundant", "conflict"]
    (only,) = command(capsys, "explain", case, path, "--json", "--plan", "shop.monday.plan").json[
        "explanations"
    ]
    assert only == found[1]
    assert command(capsys, "explain", case, path, "--quiet").out == ""
    optimal = command(capsys, "explain", case, path, "--plan", "school.monday.plan")
    assert optimal.out == "0 of 1 plans are not optimal\n"
    wrong = command(capsys, "explain", case, path, "--plan", "nobody")
    assert wrong.status == 1
    assert "there is no plan 'nobody'" in wrong.err
    wrong = command(capsys, "explain", case, path, "--plan", "saturday")
    assert "did you mean 'shop.saturday.plan'?" in wrong.err


def test_plans_count_as_often_as_they_were_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = write(tmp_path / "town", STREETS, {"trips.csv": "trip,links,count\na,h,3\nb,r1 r2,2\n"})
    path = tmp_path / "costs.json"
    path.write_text('{"r1": 2, "r2": 2, "h": 1}')
    done = command(capsys, "explain", case, path)
    assert done.out.startswith("2 of 5 plans are not optimal: 2 not chosen\n")


def test_a_forged_proof_is_not_used(tmp_path: Path) -> None:
    case = EXAMPLES / "town"
    path = learned(case, tmp_path)
    proof = path.with_suffix(".proof.json")
    document = json.loads(proof.read_text())
    for alternative in document["alternatives"]:
        alternative["other"] = alternative["other"][:-1]
    proof.write_text(json.dumps(document))
    for one in plancost.explain(case, path):
        OnlyPddl(case).check(one)
