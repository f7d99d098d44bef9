"""Results and proofs that were made up: the checker does not call them proven.

Found by somebody who tried to forge; each was called proven, or right ones were not.
"""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plancost.api.learn import learn
from plancost.cli import check_inputs, check_proof, exit_codes
from plancost.cli.main import main
from plancost.learning.problem.options import LearnOptions

EXAMPLES = Path(__file__).parents[2] / "examples"
TOWN, DRIVERS = EXAMPLES / "town", EXAMPLES / "two-kinds-of-drivers"
OPTIONS = LearnOptions(certificate=True)
Forge = Callable[[Any, Any], None]


@pytest.fixture(scope="module")
def town() -> tuple[Any, Any]:
    result = learn(TOWN, OPTIONS)
    return result.to_json(), json.loads(json.dumps(result.proof))


@pytest.fixture(scope="module")
def drivers() -> tuple[Any, Any]:
    result = learn(DRIVERS / "trips.csv", OPTIONS, domain=DRIVERS / "domain.pddl")
    return result.to_json(), json.loads(json.dumps(result.proof))


def judged(
    case: Path, honest: tuple[Any, Any], forge: Forge, folder: Path, domain: Path | None = None
) -> tuple[str, str]:
    """The verdict on what a forger makes of a result and its proof."""
    claims, proof = copy.deepcopy(honest)
    forge(claims, proof)
    files = folder / "r.json", folder / "p.json"
    for path, content in zip(files, (claims, proof), strict=True):
        path.write_text(json.dumps(content))
    word, said = check_inputs.verdict(case, *files, domain)
    return word, " / ".join(said)


def dearer(claims: Any, times: int) -> None:  # noqa: ANN401
    """All costs are so many times what they are; the same plans are optimal."""
    for name in claims["costs"]:
        claims["costs"][name] *= times
    for item in claims["observations"]:
        item["cost"] *= times
    value = sum(claims["costs"].values())
    claims["secondary"] = {"value": value, "lower_bound": value, "proved": False}


def with_a_factor(factor: int) -> Forge:
    def forge(claims: Any, proof: Any) -> None:  # noqa: ANN401
        for item in claims["observations"]:
            item["suboptimality"] = factor

    return forge


def of_another_problem(claims: Any, proof: Any) -> None:  # noqa: ANN401
    item = claims["observations"][0]
    item["problem"] = {"school.pddl": "shop.pddl", "shop.pddl": "school.pddl"}[item["problem"]]


def proven_of_no_set(claims: Any, proof: Any) -> None:  # noqa: ANN401
    dearer(claims, 1000)
    claims["secondary"]["proved"] = True
    claims.update(upper_bound=claims["upper_bound"] + 1, proved=False)
    proof["most"]["plans"] += 1
    proof["least"] = {"secondary": claims["secondary"]["value"], "tree": proof["most"]["tree"]}


def not_shown(claims: Any, proof: Any) -> None:  # noqa: ANN401
    dearer(claims, 1000)
    del proof["least"]


def shown_as_nothing(claims: Any, proof: Any) -> None:  # noqa: ANN401
    dearer(claims, 1000)
    proof["least"] = {"secondary": None}


def without_a_number(claims: Any, proof: Any) -> None:  # noqa: ANN401
    del proof["least"]
    claims["secondary"].update(lower_bound=float("nan"), proved=False)


def of_a_group(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims["observations"][0]["group"] = "nonsense"


def without_price(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims["observations"][0]["cost"] = None


def above_the_most(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims["options"]["max_cost"] = max(claims["costs"].values()) - 1


def from_initial_costs(claims: Any, proof: Any) -> None:  # noqa: ANN401
    dearer(claims, 1000)
    claims["initial_costs"] = dict(claims["costs"])


def put(**values: Any) -> Forge:  # noqa: ANN401
    """Say something else."""

    def forge(claims: Any, proof: Any) -> None:  # noqa: ANN401
        claims.update(values)

    return forge


def other_price(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims["observations"][0]["cost"] += 1


def nothing(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims.update(observations=[], groups=[], plans=0, optimal_plans=0, upper_bound=0)
    proof.clear()
    proof["groups"] = {}


@pytest.mark.parametrize(
    ("forge", "word", "sentence"),
    [
        (with_a_factor(0), "wrong", "may not cost so much"),
        (with_a_factor(100), "wrong", "may not cost so much"),
        (of_another_problem, "wrong", ""),
        (proven_of_no_set, "wrong", "another objective"),
        (not_shown, "not proven", "it is not shown to be"),
        (from_initial_costs, "wrong", "initial costs that are not refined"),
        (put(solution="scf"), "wrong", "another concept"),
        (put(strict=True), "wrong", "another concept"),
        (put(solution="icf", exists=True), "wrong", "not all plans are optimal"),
        (put(solution="icf", exists=False, upper_bound=5), "wrong", "all may be optimal"),
        (put(solution="icf", exists=1), "wrong", "whether such costs exist"),
        (put(refined=True, initial_costs={}), "wrong", "initial costs of others"),
        (shown_as_nothing, "not proven", "it is not shown to be"),
        (without_a_number, "wrong", "damaged"),
        (of_a_group, "wrong", "plans of a group"),
        (without_price, "wrong", "costs something else"),
        (above_the_most, "wrong", "above the most"),
        (other_price, "wrong", "costs something else"),
        (nothing, "wrong", "there are no plans"),
    ],
)
def test_of_one_cost_function(
    forge: Forge, word: str, sentence: str, town: tuple[Any, Any], tmp_path: Path
) -> None:
    assert judged(TOWN, town, lambda claims, proof: None, tmp_path)[0] == "proven"
    found, said = judged(TOWN, town, forge, tmp_path)
    assert (found, sentence in said) == (word, True), said


def test_a_factor_below_one_without_the_files(town: tuple[Any, Any], tmp_path: Path) -> None:
    """Each row would say that a plan costs nothing, so every plan would be in conflict."""
    judged(TOWN, town, with_a_factor(0), tmp_path)
    word, said = check_proof.verdict(TOWN, tmp_path / "r.json", tmp_path / "p.json")
    assert (word, said) == ("wrong", ["[0] differ"])


def twice(claims: Any, proof: Any) -> None:  # noqa: ANN401
    first = copy.deepcopy(claims["groups"][0])
    first["secondary"]["value"] = first["secondary"]["lower_bound"] = -13
    claims["groups"].append(first)


def phantom(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims["groups"][0]["costs"]["(fly to the moon)"] = 1
    claims["costs"] = claims["groups"][0]["costs"]


def other_top(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims["costs"] = dict.fromkeys(claims["costs"], -7.5)


def other_plans(claims: Any, proof: Any) -> None:  # noqa: ANN401
    claims["groups"][0]["plans"] = 4000


def other_group(claims: Any, proof: Any) -> None:  # noqa: ANN401
    names = sorted({item["group"] for item in claims["observations"]})
    item = claims["observations"][0]
    item["group"] = names[item["group"] == names[0]]


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (twice, "a group stands twice"),
        (phantom, "costs of other actions"),
        (other_top, "costs of no group"),
        (other_plans, "has other plans"),
        (other_group, "is of group"),
    ],
)
def test_of_groups(forge: Forge, sentence: str, drivers: tuple[Any, Any], tmp_path: Path) -> None:
    case, domain = DRIVERS / "trips.csv", DRIVERS / "domain.pddl"
    found, said = judged(case, drivers, forge, tmp_path, domain)
    assert (found, sentence in said) == ("wrong", True), said


def town_with(folder: Path, change: Callable[[str, str], str]) -> Path:
    """The town with other texts, by what a function makes of a name and a text."""
    case = folder / "town"
    shutil.copytree(TOWN, case)
    for path in case.glob("*.pddl"):
        path.write_text(change(path.name, path.read_text()))
    return case


METRIC = "(:metric minimize (+ (* 4 (total-cost)) (* 5 (tolls))))"


def with_a_metric(name: str, text: str) -> str:
    return text if name == "domain.pddl" else text.rstrip()[:-1] + METRIC + ")\n"


def metric_first(name: str, text: str) -> str:
    return text if name == "domain.pddl" else text.replace("(:init", f"{METRIC} (:init", 1)


def with_dummies(name: str, text: str) -> str:
    return text.replace("(:predicates", "(:predicates (dummy ?x)", 1)


@pytest.mark.parametrize("change", [with_a_metric, metric_first, with_dummies])
def test_other_pddl_is_read(change: Callable[[str, str], str], tmp_path: Path) -> None:
    case = town_with(tmp_path, change)
    result = learn(case, OPTIONS)
    honest = result.to_json(), json.loads(json.dumps(result.proof))
    found, said = judged(case, honest, lambda claims, proof: None, tmp_path)
    assert found == "proven", said


@pytest.mark.parametrize("options", [{}, {"refine": True}, {"solution": "scf", "max_cost": 9}])
def test_the_only_plan_of_a_problem_may_be_dropped(options: dict[str, Any], tmp_path: Path) -> None:
    """Its actions have costs all the same."""
    dropped = [path.name for path in TOWN.glob("shop.*.plan")]
    result = learn(TOWN, OPTIONS, drop=tuple(dropped), **options)
    honest = result.to_json(), json.loads(json.dumps(result.proof))
    found, said = judged(TOWN, honest, lambda claims, proof: None, tmp_path)
    assert found == "proven", said
    assert f"not in the result: {len(dropped)} plans" in said


def test_what_is_taken_as_given_is_said(tmp_path: Path) -> None:
    result = learn(TOWN, OPTIONS, require=("shop.monday.plan",), refine=True, suboptimality="4/3")
    honest = result.to_json(), json.loads(json.dumps(result.proof))
    found, said = judged(TOWN, honest, lambda claims, proof: None, tmp_path)
    assert found == "proven", said
    assert f"as given: {len(result.costs)} initial costs" in said
    assert "as given: 1 required plans (shop.monday.plan)" in said
    assert "as given: plans may cost 4/3 times the cheapest" in said


def test_a_tree_that_is_too_deep(town: tuple[Any, Any], tmp_path: Path) -> None:
    def deepest(text: str) -> str:
        return text.replace('"parts"', '"x": ' + "[" * 100_000 + "]" * 100_000 + ', "parts"', 1)

    judged(TOWN, town, lambda claims, proof: None, tmp_path)
    path = tmp_path / "p.json"
    path.write_text(deepest(path.read_text()))
    word, said = check_inputs.verdict(TOWN, tmp_path / "r.json", path)
    assert (word, "RecursionError" in said[0]) == ("wrong", True)


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ([str(TOWN), "no.json", "no.json"], exit_codes.BAD_INPUT, "there is no such file"),
        ([__file__, __file__, __file__], exit_codes.USAGE, "add --domain FILE"),
    ],
)
def test_files_that_are_missing(
    words: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-proof", *words]) == status
    assert sentence in capsys.readouterr().err


GO = """(define (domain d) (:predicates (at ?x) (edge ?x ?y))
(:action go :parameters (?x ?y) :precondition (and (at ?x) (edge ?x ?y))
  :effect (and (at ?y) (not (at ?x)))))
"""


def two_ways(folder: Path, manifests: dict[str, str]) -> Path:
    """Two problems in which there is a long way and a short one, and some manifests."""
    (folder / "domain.pddl").write_text(GO)
    for name in "pq":
        (folder / f"{name}.pddl").write_text(
            f"(define (problem {name}) (:domain d) (:objects a b c)\n"
            "(:init (at a) (edge a b) (edge b c) (edge a c)) (:goal (at c)))\n"
        )
    (folder / "long.plan").write_text("(go a b)\n(go b c)\n")
    (folder / "short.plan").write_text("(go a c)\n")
    for name, rows in manifests.items():
        (folder / name).write_text(rows)
    return folder


@pytest.mark.parametrize(
    ("true", "forged", "options", "sentence"),
    [
        (
            "problem,plan,count,group\np.pddl,long.plan,1,g1\np.pddl,long.plan,9,g2\n"
            "p.pddl,short.plan,5,g1\np.pddl,short.plan,1,g2\n",
            "problem,plan,count,group\np.pddl,long.plan,10,g2\np.pddl,short.plan,6,g1\n",
            {"solution": "scf"},
            "was not seen so often",
        ),
        (
            "problem,plan,suboptimality\np.pddl,long.plan,1\nq.pddl,long.plan,3\n"
            "p.pddl,short.plan,1\n",
            "problem,plan,suboptimality\np.pddl,long.plan,3\nq.pddl,long.plan,1\n"
            "p.pddl,short.plan,1\n",
            {},
            "may not cost so much",
        ),
        (
            "problem,plan,count,suboptimality\np.pddl,long.plan,9,1\np.pddl,long.plan,1,3\n"
            "p.pddl,short.plan,1,1\n",
            "problem,plan,count,suboptimality\np.pddl,long.plan,10,3\np.pddl,short.plan,1,1\n",
            {},
            "was not seen so often",
        ),
        (
            "problem,plan,cost\np.pddl,long.plan,10\np.pddl,short.plan,4\n",
            "problem,plan\np.pddl,long.plan\np.pddl,short.plan\n",
            {},
            "has another known cost",
        ),
    ],
)
def test_rows_that_were_exchanged(
    true: str, forged: str, options: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    """An honest result of another manifest is not one of this: what stands in a row is together."""
    folder = two_ways(tmp_path, {"true.csv": true, "forged.csv": forged})
    domain = folder / "domain.pddl"
    result = learn(folder / "forged.csv", OPTIONS, domain=domain, **options)
    honest = result.to_json(), json.loads(json.dumps(result.proof))
    same = judged(folder / "forged.csv", honest, lambda claims, proof: None, folder, domain)
    assert same[0] == "proven", same
    found, said = judged(folder / "true.csv", honest, lambda claims, proof: None, folder, domain)
    assert (found, sentence in said) == ("wrong", True), said


def test_a_known_cost_that_is_missed(tmp_path: Path) -> None:
    rows = "problem,plan,cost\np.pddl,long.plan,10\n"
    folder = two_ways(tmp_path, {"plans.csv": rows})
    domain, case = folder / "domain.pddl", folder / "plans.csv"
    result = learn(case, OPTIONS, domain=domain, cost_tolerance="20%")
    honest = result.to_json(), json.loads(json.dumps(result.proof))
    assert result.observations[0].cost == 8
    assert judged(case, honest, lambda claims, proof: None, folder, domain)[0] == "proven"
    found, said = judged(
        case, honest, lambda claims, proof: claims["options"].pop("cost_tolerance"), folder, domain
    )
    assert (found, "misses its known cost" in said) == ("wrong", True), said


def test_groups_that_nobody_gave(tmp_path: Path) -> None:
    """Plans that were divided by a search, as if a column had said so."""
    rows = "problem,plan,group\np.pddl,long.plan,u\np.pddl,short.plan,v\n"
    none = "problem,plan\np.pddl,long.plan\np.pddl,short.plan\n"
    folder = two_ways(tmp_path, {"given.csv": rows, "none.csv": none})
    domain = folder / "domain.pddl"
    result = learn(folder / "given.csv", OPTIONS, domain=domain)
    honest = result.to_json(), json.loads(json.dumps(result.proof))
    nothing_forged = judged(folder / "given.csv", honest, lambda c, p: None, folder, domain)
    assert nothing_forged[0] == "proven", nothing_forged
    found, said = judged(folder / "none.csv", honest, lambda c, p: None, folder, domain)
    assert (found, "groups that were found" in said) == ("not proven", True), said
    found, said = judged(
        folder / "given.csv",
        honest,
        lambda claims, proof: claims["options"].update(assignment="search"),
        folder,
        domain,
    )
    assert (found, "groups that were not given" in said) == ("wrong", True), said


def test_costs_that_are_made_of_less_than_nothing(tmp_path: Path) -> None:
    """With 1000 x - 999 y every cost is possible, and no bound on x and y is one on it."""
    folder = two_ways(tmp_path, {"plans.csv": "problem,plan\np.pddl,long.plan\n"})
    domain, case = folder / "domain.pddl", folder / "plans.csv"
    result = learn(case, OPTIONS, domain=domain, solution="scf")
    honest = result.to_json(), json.loads(json.dumps(result.proof))
    assert judged(case, honest, lambda claims, proof: None, folder, domain)[0] == "proven"

    def forge(claims: Any, proof: Any) -> None:  # noqa: ANN401
        costs = {"(go a b)": 1, "(go b c)": 97, "(go a c)": 102}
        claims["costs"] = costs
        claims["observations"][0].update(cost=98, optimal_cost=98)
        claims["secondary"] = {"value": 200, "lower_bound": 200, "proved": True}
        proof["made"] = {"(go a c)": {"x": 1000, "y": -999}}
        proof["values"] = {"x": 102, "y": 102}
        rows = {"rows": [{"times": 300, "of": [[0, 0]]}], "parts": 1}
        proof["least"] = {"secondary": 200, "tree": rows}

    found, said = judged(case, honest, forge, folder, domain)
    assert (found, "(go a c) is not made so" in said) == ("wrong", True), said
