"""Streets and given groups for the checker of proofs: what it accepts, and damage that it finds."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plancost.api.learn import learn
from plancost.cli import check_files, check_inputs, check_proof, check_search, check_streets
from plancost.learning.problem.options import LearnOptions
from plancost.learning.proof import potentials
from support.proofs_of_trips import TRIPS, learned, street_files, verdict

ROOT = Path(__file__).parents[2]
OPTIONS = LearnOptions(certificate=True)


def graph_case_in_groups(folder: Path) -> tuple[Path, Path]:
    """Two problems with other places, a group each: a manifest and a domain."""
    domain = folder / "domain.pddl"
    domain.write_text(
        "(define (domain d) (:predicates (at ?a) (road ?a ?b))\n"
        "(:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))\n"
        "  :effect (and (at ?b) (not (at ?a)))))\n"
    )
    for name, (one, two) in {"p": ("a", "b"), "q": ("y", "z")}.items():
        (folder / f"{name}.pddl").write_text(
            f"(define (problem {name}) (:domain d) (:objects {one} {two})\n"
            f"(:init (at {one}) (road {one} {two})) (:goal (at {two})))\n"
        )
        (folder / f"{name}.plan").write_text(f"(move {one} {two})\n")
    case = folder / "plans.csv"
    case.write_text("problem,plan,group\np.pddl,p.plan,first\nq.pddl,q.plan,second\n")
    return case, domain


@pytest.mark.parametrize("options", [{}, {"initial": "minutes"}, {"solution": "scf"}])
def test_streets_with_groups(options: dict[str, Any], tmp_path: Path) -> None:
    links, trips = street_files(tmp_path)
    result, proof = learned(links, trips, **options)
    word, said = verdict(links, trips, result, proof)
    assert word == "proven", said
    assert {text.split(":")[0] for text in said} - {"as given"} == {"early", "late"}
    assert any(
        f"{group['optimal_plans']} plans are optimal" in said[0] for group in result["groups"]
    )


def test_a_run_that_ended_early_has_no_proof(tmp_path: Path) -> None:
    links, trips = street_files(tmp_path)
    assert verdict(links, trips, learned(links, trips)[0], None)[0] == "not proven"


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda _: None, "proven"),
        (lambda proof: proof["potentials"][0].update(numbers=[]), "proven"),
        (lambda proof: proof["potentials"][0].update(parts=0), "proven"),
        (lambda proof: proof["potentials"][0].update(observations=[999]), "wrong"),
        (lambda proof: proof["potentials"][0].pop("numbers"), "wrong"),
        (lambda proof: proof.update(potentials=5), "wrong"),
    ],
)
def test_potentials_are_used_if_they_are_right(
    damage: Callable[[Any], None], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(potentials, "_FEW_STATES", 0)
    case = ROOT / "examples" / "savings"
    result = learn(case, replace(OPTIONS, groups=1))
    proof = json.loads(json.dumps(result.proof))
    assert proof["potentials"]
    damage(proof)
    (tmp_path / "r.json").write_text(json.dumps(result.to_json()))
    (tmp_path / "p.json").write_text(json.dumps(proof))
    found, said = check_inputs.verdict(case, tmp_path / "r.json", tmp_path / "p.json")
    assert found == word, said


def test_a_proof_that_is_none_is_wrong(tmp_path: Path) -> None:
    files = street_files(tmp_path, trips="trip,links\none,ab bc\n")
    assert verdict(*files, learned(*files)[0], [])[0] == "wrong"


def change(*path: str | int, value: object) -> Callable[[Any], None]:
    """Damage: another value at a place."""

    def damage(root: Any) -> None:  # noqa: ANN401
        for key in path[:-1]:
            root = root[key]
        root[path[-1]] = value

    return damage


DAMAGES: list[tuple[str, Callable[[Any], None]]] = [
    ("result", change("groups", 0, "costs", "ab", value=9)),
    ("result", change("groups", 0, "name", value="noon")),
    ("result", change("groups", 1, "secondary", "value", value=1)),
    ("result", change("observations", 0, "count", value=1)),
    ("result", change("observations", 0, "group", value="late")),
    ("result", change("observations", 0, "plan", value="nobody")),
    ("result", change("plans", value=5)),
    ("result", change("upper_bound", value=4)),
    ("result", change("optimal_plans", value=4)),
    ("result", change("proved", value=False)),
    ("result", change("secondary", "lower_bound", value=99)),
    ("proof", change("groups", "late", value={})),
    ("proof", change("groups", "early", "most", "plans", value=1)),
    ("proof", change("groups", "early", "alternatives", 0, value=[])),
    ("proof", change("groups", "early", "proof", value=2)),
]


@pytest.mark.parametrize(("which", "damage"), DAMAGES)
def test_damage_is_found(which: str, damage: Callable[[Any], None], tmp_path: Path) -> None:
    links, trips = street_files(tmp_path)
    result, proof = copy.deepcopy(learned(links, trips, solution="scf"))
    damage(result if which == "result" else proof)
    word, said = verdict(links, trips, result, proof)
    assert word == "wrong", said


def test_trips_of_another_group(tmp_path: Path) -> None:
    links, trips = street_files(tmp_path)
    answer = learned(links, trips)
    trips.write_text(TRIPS.replace("early", "x").replace("late", "early").replace("x", "late"))
    word, said = verdict(links, trips, *answer)
    assert (word, said) == ("wrong", ["one is of group late"])


def test_costs_that_no_plan_of_a_group_bears_on(tmp_path: Path) -> None:
    """A cost of an action that is in no task of a group cannot be shown to be needed."""
    case, domain = graph_case_in_groups(tmp_path)
    result = learn(case, OPTIONS, domain=domain)
    claims, files = result.to_json(), (tmp_path / "r.json", tmp_path / "p.json")
    files[1].write_text(json.dumps(result.proof))
    files[0].write_text(json.dumps(claims))
    assert check_inputs.verdict(case, *files, domain)[0] == "proven"
    for at in (claims["groups"][0], claims):
        at["secondary"]["value"] += 99
        at["secondary"]["lower_bound"] += 99
    claims["groups"][0]["costs"]["(move y z)"] += 99
    files[0].write_text(json.dumps(claims))
    word, said = check_inputs.verdict(case, *files, domain)
    assert word == "not proven"
    assert "(move y z)" in said[0]


@pytest.mark.parametrize("refine", [False, True])
@pytest.mark.parametrize("bounds", [((5, 5),), ((2, None),), ((1, 6), (3, 4))])
def test_bounds_of_costs_that_no_plan_of_a_group_bears_on(
    refine: bool, bounds: tuple[tuple[int, int | None], ...], tmp_path: Path
) -> None:
    """Found by a soak: a fixed cost of an action of another group was called not proven."""
    case, domain = graph_case_in_groups(tmp_path)
    given = dict(zip(("(move y z)", "(move a b)"), bounds, strict=False))
    result = learn(case, OPTIONS, bounds=given, refine=refine, domain=domain)
    claims, files = result.to_json(), (tmp_path / "r.json", tmp_path / "p.json")
    files[1].write_text(json.dumps(result.proof))
    files[0].write_text(json.dumps(claims))
    word, said = check_inputs.verdict(case, *files, domain)
    assert word == "proven", said
    assert said[-1] == f"as given: {len(given)} bounds for all groups"
    assert result.proof is not None
    files[1].write_text(json.dumps({**result.proof, "bounds": {}}))
    word, said = check_inputs.verdict(case, *files, domain)
    assert (word, "no plan uses (move" in said[0]) == ("not proven", True)


def test_given_groups_of_a_case(tmp_path: Path) -> None:
    folder = ROOT / "examples" / "two-kinds-of-drivers"
    case, domain = folder / "trips.csv", folder / "domain.pddl"
    result = learn(case, OPTIONS, domain=domain)
    files = tmp_path / "r.json", tmp_path / "p.json"
    files[0].write_text(json.dumps(result.to_json()))
    files[1].write_text(json.dumps(result.proof))
    word, said = check_inputs.verdict(case, *files, domain)
    assert word == "proven", said
    assert "hurried: 4 plans are optimal" in said


def test_plans_that_are_not_in_the_result(tmp_path: Path) -> None:
    """In a folder, in a manifest, and among trips."""
    town, files = tmp_path / "town", (tmp_path / "r.json", tmp_path / "p.json")
    shutil.copytree(ROOT / "examples" / "town", town)
    domain = town / "domain.pddl"
    first, *others = sorted(path.name for path in town.glob("*.plan"))
    manifest = town / "some.csv"
    rows = [f"{name.partition('.')[0]}.pddl,./{name}" for name in others]
    manifest.write_text("\n".join(["problem,plan", *rows, ""]))
    result = learn(manifest, OPTIONS, domain=domain)
    files[0].write_text(json.dumps(result.to_json()))
    files[1].write_text(json.dumps(result.proof))
    for case, sentences in (
        (manifest, []),
        (town, [f"not in the result: 1 plans ({first})"]),
    ):
        word, said = check_inputs.verdict(case, *files, domain)
        assert word == "proven", said
        assert [line for line in said if "not in" in line] == sentences

    links, trips = street_files(tmp_path)
    answer = learned(links, trips)
    trips.write_text(TRIPS + "".join(f"t{n},ab bc,2,early\n" for n in range(6)))
    word, said = verdict(links, trips, *answer)
    assert (word, said[-1]) == ("proven", "not in the result: 12 plans (t0, t1, t2, t3, t4, ...)")


def test_a_plan_that_stands_twice(tmp_path: Path) -> None:
    """A result that counts a plan again, with a proof to match."""
    graph_case_in_groups(tmp_path)
    (tmp_path / "q.plan").unlink()
    (tmp_path / "q.pddl").unlink()
    result = learn(tmp_path, OPTIONS)
    claims, proof = result.to_json(), json.loads(json.dumps(result.proof))
    claims["observations"] *= 2
    for key in ("plans", "optimal_plans", "upper_bound"):
        claims[key] *= 2
    proof["plans"][0]["observations"] = [0, 1]
    proof["most"]["plans"] *= 2
    files = tmp_path / "r.json", tmp_path / "p.json"
    files[0].write_text(json.dumps(claims))
    files[1].write_text(json.dumps(proof))
    assert check_inputs.verdict(tmp_path, *files) == ("wrong", ["p.plan was not seen so often"])


def test_it_runs_beside_a_copy_of_the_checker(tmp_path: Path) -> None:
    for module in (check_files, check_inputs, check_proof, check_search, check_streets):
        shutil.copy(str(module.__file__), tmp_path)
    links, trips = street_files(tmp_path)
    verdict(links, trips, *learned(links, trips))
    names = ["check_inputs.py", "links.csv", "r.json", "p.json", "trips.csv"]
    command = [sys.executable, "-S", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, "proven"), done.stderr


def test_copies_are_used_where_plancost_is_installed(tmp_path: Path) -> None:
    for module in (check_files, check_inputs, check_proof, check_search, check_streets):
        shutil.copy(str(module.__file__), tmp_path)
    (tmp_path / "check_proof.py").write_text("raise SystemExit('the copy')\n")
    command = [sys.executable, "check_inputs.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr == "the copy\n"


def test_without_a_translator_nothing_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = ROOT / "examples" / "town"
    result = learn(case, OPTIONS)
    (tmp_path / "r.json").write_text(json.dumps(result.to_json()))
    (tmp_path / "p.json").write_text(json.dumps(result.proof))
    (tmp_path / "python").write_text("#!/bin/sh\necho no module named fast_downward >&2\nexit 1\n")
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    word, said = check_inputs.verdict(case, tmp_path / "r.json", tmp_path / "p.json")
    assert (word, "no module named fast_downward" in said[0]) == ("not proven", True)
