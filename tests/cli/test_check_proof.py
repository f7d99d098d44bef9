"""The checker of proofs: what it accepts, and damage of all kinds that it finds."""

from __future__ import annotations

import ast
import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import WriteGraphCase
from plancost.api.learn import learn
from plancost.cli import check_proof, exit_codes
from plancost.cli.main import main
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions

ROOT = Path(__file__).parents[2]
CHECKER = Path(check_proof.__file__)
Files = tuple[Path, Path, Path]

DEFAULT = LearnOptions(certificate=True, groups=1)
STRICT = replace(DEFAULT, concept=Concept(Solution.SCF))
UNORDERED = replace(DEFAULT, concept=Concept(Solution.SCF, reorderings=Reorderings.SAME))
SHARED = replace(DEFAULT, share=("schema",))
BOUNDED = replace(DEFAULT, max_cost=2)
REFINED = replace(STRICT, refine=True)
REQUIRED = replace(DEFAULT, require=("shop.monday.plan",))
TIES = replace(DEFAULT, concept=Concept(Solution.SCF, ties=Ties.OBSERVED))

_translate = cache(check_proof.translate)


@pytest.fixture(scope="module", autouse=True)
def translate_once() -> Any:  # noqa: ANN401
    """The same files again and again: ground them once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_proof, "translate", _translate)
        yield


@cache
def learned(name: str, options: LearnOptions = DEFAULT) -> tuple[Any, Any]:
    """RESULT.json and PROOF.json of an example."""
    result = learn(ROOT / "examples" / name, options)
    return result.to_json(), json.loads(json.dumps(result.proof))


def verdict(name: str, result: Any, proof: Any, folder: Path) -> tuple[str, list[str]]:  # noqa: ANN401
    (folder / "r.json").write_text(json.dumps(result))
    (folder / "p.json").write_text(json.dumps(proof))
    case = ROOT / "examples" / name
    word, said = check_proof.verdict(case, folder / "r.json", folder / "p.json")
    return word, said


@pytest.mark.parametrize("name", ["avoid-the-centre", "savings", "small-city", "town"])
def test_examples_are_proven(name: str, tmp_path: Path) -> None:
    result, proof = learned(name)
    word, said = verdict(name, result, proof, tmp_path)
    assert word == "proven", said
    assert said[0] == f"{result['optimal_plans']} plans are optimal"


@pytest.mark.parametrize(
    "options",
    [
        *(STRICT, UNORDERED, SHARED, BOUNDED, REFINED, TIES, REQUIRED),
        replace(DEFAULT, suboptimality=Fraction(5, 4)),
        replace(TIES, max_cost=3),
    ],
)
def test_other_questions_are_proven(options: LearnOptions, tmp_path: Path) -> None:
    result, proof = learned("town", options)
    word, said = verdict("town", result, proof, tmp_path)
    assert word == "proven", said
    assert f"no costs make more than {result['upper_bound']} plans optimal" in said


def with_costs(folder: Path, *costs: int) -> tuple[Path, Path]:
    """The town with known costs of plans, as a manifest; and its domain."""
    for path in (ROOT / "examples" / "town").iterdir():
        shutil.copy(path, folder)
    names = ("school.pddl,school.monday.plan", "shop.pddl,shop.monday.plan")
    lines = [f"{name},{cost}" for name, cost in zip(names, (*costs, ""), strict=False)]
    (folder / "trips.csv").write_text("\n".join(["problem,plan,cost", *lines]))
    return folder / "trips.csv", folder / "domain.pddl"


@pytest.mark.parametrize("row", [0, 1])
def test_known_costs_of_plans(row: int, tmp_path: Path) -> None:
    """A known cost is two rows that hold in any case, and the costs must keep to them."""
    case, domain = with_costs(tmp_path, 7)
    result = learn(case, replace(DEFAULT, refine=True), domain=domain)
    (tmp_path / "r.json").write_text(json.dumps(result.to_json()))
    proof = json.loads(json.dumps(result.proof))
    steps = {"(walk home river)": 1, "(walk river bridge)": 1, "(walk bridge school)": 1}
    held = {name: (-1 if row else 1) * times for name, times in steps.items()}
    cost = sum(result.costs[name] for name in steps)
    for slack, word in ((0, "proven"), (-1, "wrong")):
        given = [*proof["given"], [held, (-cost if row else cost) + slack, "known cost"]]
        (tmp_path / "p.json").write_text(json.dumps({**proof, "given": given}))
        files = (case, tmp_path / "r.json", tmp_path / "p.json")
        assert check_proof.verdict(*files, domain)[0] == word


def test_known_costs_that_are_missed(tmp_path: Path) -> None:
    case, domain = with_costs(tmp_path, 2, 9)
    result = learn(case, replace(DEFAULT, soft_costs=True, max_cost=2), domain=domain)
    (tmp_path / "r.json").write_text(json.dumps(result.to_json()))
    (tmp_path / "p.json").write_text(json.dumps(result.proof))
    word, said = check_proof.verdict(case, tmp_path / "r.json", tmp_path / "p.json", domain)
    assert result.deviation is not None
    assert result.deviation > 0
    assert word == "proven", said


def put(*path: str | int, value: object) -> Callable[[Any], None]:
    """Damage: another value at a place."""

    def change(root: Any) -> None:  # noqa: ANN401
        for key in path[:-1]:
            root = root[key]
        root[path[-1]] = value(root[path[-1]]) if callable(value) else value

    return change


def without(*path: str | int) -> Callable[[Any], None]:
    """Damage: something is missing."""

    def change(root: Any) -> None:  # noqa: ANN401
        for key in path[:-1]:
            root = root[key]
        del root[path[-1]]

    return change


def more(number: int) -> int:
    return number + 1


def less(number: int) -> int:
    return number - 1


BY_LENGTH = ("move (length ?a ?b)",)
LINEAR = replace(DEFAULT, linear=BY_LENGTH)
LINEAR_DAMAGES: list[Callable[[Any], None]] = [
    put("values", "move: constant", value=more),
    put("values", "move: (length ?a ?b)", value=more),
    put("made", "(move a c)", "move: (length ?a ?b)", value=more),
    put("made", "(move a c)", value={"(move a c)": 1}),
    put("made", value={}),
    put("given", 0, 1, value=-100),
    without("given", 0),
    without("values"),
]


@pytest.mark.parametrize("refine", [False, True])
def test_linear_costs(refine: bool, write_graph_case: WriteGraphCase) -> None:
    """A-B-C cannot cost as little as A-C, since every action costs at least 1."""
    lengths = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1, ("c", "a"): 4}
    case = write_graph_case(lengths, ["abc", "ac", "abc"])
    result = learn(case, replace(LINEAR, refine=refine))
    files = case, case / "r.json", case / "p.json"
    files[1].write_text(json.dumps(result.to_json()))
    files[2].write_text(json.dumps(result.proof))
    word, said = check_proof.verdict(*files)
    assert word == "proven", said
    for damage in LINEAR_DAMAGES:
        proof = json.loads(json.dumps(result.proof))
        damage(proof)
        files[2].write_text(json.dumps(proof))
        word, said = check_proof.verdict(*files)
        assert word == "wrong", said


@pytest.mark.parametrize(("name", "length"), [("b.1", "2.5"), ("2.5", "-3"), ("7", "0.25")])
def test_costs_in_the_pddl_that_the_translator_rejects(
    name: str, length: str, tmp_path: Path
) -> None:
    """They are not what is checked; places that look like numbers are."""
    domain = (
        "(define (domain d) (:predicates (at ?p) (road ?p ?q))"
        " (:functions (length ?p ?q) (total-cost)) (:action drive :parameters (?p ?q)"
        " :precondition (and (at ?p) (road ?p ?q)) :effect (and (at ?q) (not (at ?p))"
        " (increase (total-cost) (length ?p ?q)))) (:action walk :parameters (?p ?q)"
        " :precondition (at ?p) :effect (and (at ?q) (not (at ?p)) (increase (total-cost) 9.5))))"
    )
    problem = (
        f"(define (problem p) (:domain d) (:objects a {name}) (:init (at a) (road a {name})"
        f" (= (length a {name}) {length}) (= (total-cost) .0)) (:goal (at {name}))"
        " (:metric minimize (total-cost)))"
    )
    (tmp_path / "domain.pddl").write_text(domain)
    (tmp_path / "p.pddl").write_text(problem)
    (tmp_path / "p.plan").write_text(f"(drive a {name})\n")
    result = learn(tmp_path, DEFAULT)
    (tmp_path / "r.json").write_text(json.dumps(result.to_json()))
    (tmp_path / "proof.json").write_text(json.dumps(result.proof))
    word, said = check_proof.verdict(tmp_path, tmp_path / "r.json", tmp_path / "proof.json")
    assert word == "proven", said


def test_it_runs_by_itself(tmp_path: Path) -> None:
    """A copy of the one file is enough, with Python's library and the translator."""
    shutil.copy(CHECKER, tmp_path / "alone.py")
    result, proof = learned("town")
    verdict("town", result, proof, tmp_path)
    files = [ROOT / "examples" / "town", tmp_path / "r.json", tmp_path / "p.json"]
    command = [sys.executable, *map(str, (tmp_path / "alone.py", *files))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, "proven"), done.stderr


def test_it_is_small_and_imports_nothing_of_ours() -> None:
    text = CHECKER.read_text()
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [a.name for a in node.names]
            )
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


COST = "(drive car x1y2 x1y1)"
DAMAGES: list[tuple[str, str, Callable[[Any], None]]] = [
    # the example, what is damaged, how
    ("savings", "proof", put("proof", value=1)),
    ("savings", "proof", put("most", "plans", value=less)),
    ("savings", "proof", put("most", "plans", value=more)),
    ("savings", "proof", without("most")),
    ("savings", "proof", put("most", "tree", "inequalities", value=[])),
    ("savings", "proof", put("most", "tree", "inequalities", 0, 1, value=0)),
    ("savings", "proof", put("most", "tree", "inequalities", 0, 1, value=lambda n: -n)),
    ("savings", "proof", put("most", "tree", "inequalities", 0, 0, value=7)),
    ("savings", "proof", put("most", "tree", "parts", value=0)),
    ("savings", "proof", put("most", "tree", "parts", value=-1)),
    ("savings", "proof", put("least", "tree", value={"rows": [], "parts": -1})),
    ("savings", "proof", put("conflicts", 0, 0, "times", value=2)),
    ("savings", "proof", put("conflicts", 0, 0, "times", value=0)),
    ("savings", "proof", put("conflicts", 0, 0, "times", value=-1)),
    ("savings", "proof", without("conflicts", 0, 0)),
    ("savings", "proof", put("conflicts", 0, 0, "of", 0, 0, value=lambda plan: 8 - plan)),
    ("savings", "proof", put("conflicts", 0, 0, "of", 0, 1, value=1)),
    ("savings", "proof", put("conflicts", 0, 0, "of", value=[])),
    ("savings", "proof", put("conflicts", value=[])),
    ("savings", "proof", put("alternatives", 0, value=lambda steps: steps[:-1])),
    ("savings", "proof", put("alternatives", 0, value=lambda steps: steps + steps)),
    ("savings", "proof", put("alternatives", 0, value=[])),
    ("savings", "proof", put("actions", 0, value="(earn nothing)")),
    ("savings", "proof", put("inequalities", 0, "cliques", value=lambda c: c[:-1])),
    ("savings", "proof", put("inequalities", 0, "cliques", value=lambda c: [[2, 3, 4, 8]])),
    ("savings", "proof", put("inequalities", 0, value={})),
    ("savings", "proof", put("inequalities", 0, "conflict", value=99)),
    ("savings", "proof", put("plans", value=lambda plans: plans[:-1])),
    ("savings", "proof", put("plans", 0, "observations", value=[0, 1])),
    ("savings", "proof", put("plans", 1, "observations", value=[0])),
    ("savings", "proof", put("least", "secondary", value=more)),
    ("savings", "proof", put("least", "tree", value={"rows": [], "parts": 1})),
    ("savings", "proof", put("least", "tree", "with", "with", "rows", 0, "times", value=60)),
    ("savings", "proof", put("least", "tree", "with", "with", "rows", value=lambda rows: rows[1:])),
    ("savings", "proof", put("least", "tree", "with", "plan", value=2)),
    ("savings", "proof", put("least", "tree", "without", value={"rows": [], "parts": 1})),
    ("savings", "proof", put("most", "tree", value={"rows": [], "parts": 1})),
    ("town", "proof", put("pairs", -1, 2, value=0)),
    ("town", "proof", put("pairs", -1, value=[1, 1, 0])),
    ("town", "proof", put("pairs", value=lambda pairs: pairs[:-1])),
    ("town", "proof", put("pairs", 0, 0, value=3)),
    ("town", "proof", put("pairs", 0, value=lambda pair: [3, *pair])),
    ("town", "proof", put("pairs", value=[])),
    ("town", "proof", put("inequalities", 0, "cliques", 0, value=[1, 2, 3])),
    ("avoid-the-centre", "result", put("costs", COST, value=1)),
    ("avoid-the-centre", "result", put("costs", COST, value=0)),
    ("avoid-the-centre", "result", put("costs", COST, value=3.0)),
    ("avoid-the-centre", "result", without("costs", COST)),
    ("avoid-the-centre", "result", put("costs", "(fly)", value=1)),
    ("avoid-the-centre", "result", put("optimal_plans", value=less)),
    ("avoid-the-centre", "result", put("observations", 0, "optimal", value=False)),
    ("avoid-the-centre", "result", put("observations", 0, "count", value=2)),
    ("avoid-the-centre", "result", put("observations", 0, "plan", value="visitor.plan")),
    ("avoid-the-centre", "result", put("observations", 0, "problem", value="nobody.pddl")),
    ("avoid-the-centre", "result", without("observations", 3)),
    ("avoid-the-centre", "result", put("secondary", "value", value=less)),
    ("avoid-the-centre", "result", put("secondary", "lower_bound", value=more)),
    ("avoid-the-centre", "result", put("upper_bound", value=more)),
    ("savings", "result", put("proved", value=False)),
    ("savings", "result", put("upper_bound", value=more)),
]


@pytest.mark.parametrize(("name", "which", "damage"), DAMAGES)
def test_damage_is_found(
    name: str, which: str, damage: Callable[[Any], None], tmp_path: Path
) -> None:
    result, proof = copy.deepcopy(learned(name))
    damage(result if which == "result" else proof)
    word, said = verdict(name, result, proof, tmp_path)
    assert word == "wrong", said


OTHER_DAMAGES: list[tuple[LearnOptions, str, Callable[[Any], None]]] = [
    # the question, what is damaged, how
    (STRICT, "result", put("strict", value=False)),
    (STRICT, "result", put("observations", 0, "optimal", value=True)),
    (STRICT, "proof", put("alternatives", 0, value=lambda steps: steps[:-1])),
    (STRICT, "proof", put("plans", 0, "observations", value=lambda own: [*own, 2])),
    (SHARED, "proof", put("made", value={})),
    (SHARED, "proof", put("made", "(walk home hill)", value={"(walk alone)": 1})),
    (SHARED, "proof", put("made", "(walk home hill)", value={"(walk * *)": 0.5})),
    (SHARED, "proof", put("values", value={})),
    (SHARED, "proof", put("values", "(walk * *)", value=more)),
    (SHARED, "result", put("costs", "(walk home hill)", value=more)),
    (BOUNDED, "proof", put("bounds", "(walk home hill)", value=[1, 0])),
    (BOUNDED, "proof", put("bounds", "(walk home hill)", value=[3, 2])),
    (BOUNDED, "proof", put("bounds", "(fly home hill)", value=[1, 2])),
    (TIES, "result", put("observations", 0, "optimal", value=lambda optimal: not optimal)),
    (TIES, "proof", put("alternatives", 0, value=lambda steps: steps[:-1])),
    (REQUIRED, "result", put("options", "require", value=[])),
    (REQUIRED, "result", put("options", "require", value=["school.friday.plan"])),
    (REQUIRED, "result", put("upper_bound", value=more)),
    (REFINED, "result", without("initial_costs")),
    (REFINED, "result", put("initial_costs", "(walk home hill)", value=9)),
]


@pytest.mark.parametrize(("options", "which", "damage"), OTHER_DAMAGES)
def test_damage_of_other_questions_is_found(
    options: LearnOptions, which: str, damage: Callable[[Any], None], tmp_path: Path
) -> None:
    result, proof = copy.deepcopy(learned("town", options))
    damage(result if which == "result" else proof)
    word, said = verdict("town", result, proof, tmp_path)
    assert word == "wrong", said


def test_what_is_left_open_is_not_proven(tmp_path: Path) -> None:
    result, proof = copy.deepcopy(learned("savings"))
    proof["most"]["tree"] = {"open": "out of time"}
    assert verdict("savings", result, proof, tmp_path)[0] == "not proven"
    result, proof = copy.deepcopy(learned("savings"))
    del proof["least"]
    assert verdict("savings", result, proof, tmp_path)[0] == "not proven"


def test_a_search_that_is_too_large_is_not_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_proof, "MOST_STATES", 3)
    result, proof = learned("avoid-the-centre")
    word, sentences = verdict("avoid-the-centre", result, proof, tmp_path)
    assert word == "not proven"
    assert any(sentence.startswith("over 3 states: ") for sentence in sentences)


def test_how_many_states_may_be_searched(tmp_path: Path) -> None:
    verdict("avoid-the-centre", *learned("avoid-the-centre"), tmp_path)
    files = [str(tmp_path / name) for name in ("r.json", "p.json")]
    words = ["check-proof", str(ROOT / "examples" / "avoid-the-centre"), *files]
    assert main([*words, "--states", "3"]) == exit_codes.UNDECIDED
    assert main([*words, "--states", "30"]) == exit_codes.OK
    assert main(words) == exit_codes.OK, "it holds for one call"
