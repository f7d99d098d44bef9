"""RESULT.json and its schema: what is published holds for all that learning writes."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plancost
from plancost.api.check import explain
from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions
from plancost.observations.bounds_files import CostBound
from plancost.results.document import Moment, as_json
from plancost.results.reading import check_fits, read_result
from plancost.results.result import Result
from support.examples_of_results import VALID, damaged, places

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs" / "schema" / "result.schema.json"
is_valid: Callable[[object], object] = fastjsonschema.compile(
    plancost.result_schema(), use_default=False
)

OPTIONS = {
    "mcf": LearnOptions(),
    "scf": LearnOptions(concept=Concept(Solution.SCF)),
    "ties": LearnOptions(concept=Concept(Solution.SCF, ties=Ties.OBSERVED)),
    "orders": LearnOptions(concept=Concept(Solution.SCF, reorderings=Reorderings.SAME)),
    "icf": LearnOptions(concept=Concept(Solution.ICF)),
    "strict icf": LearnOptions(concept=Concept(Solution.ICF, strict=True)),
    "baseline": LearnOptions(concept=Concept(Solution.ICF), alternatives="baseline"),
    "k": LearnOptions(alternatives="5"),
    "refine": LearnOptions(refine=True, ranges=True),
    "bounds": LearnOptions(bounds=(CostBound("(move a *)", 2, 3),), max_cost=6),
    "factors": LearnOptions(suboptimality=Fraction(11, 10), least_factors=True, max_cost=6),
    "shared": LearnOptions(share=("schema",), compare_unshared=True),
    "linear": LearnOptions(linear=("move (length ?a ?b)",), max_cost=9),
    "groups": LearnOptions(groups=2),
}


def check(result: Result, path: Path) -> dict[str, Any]:
    """Write a result, and hold the file against the schema and the reader."""
    result.write(path)
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    is_valid(content)
    found = read_result(path)
    assert json.dumps(found.to_json()) == json.dumps(content), "also in the same order"
    rounded = {name: round(value, 3) for name, value in result.seconds.items()}
    history = tuple(Moment((round(s, 3), optimal, bound)) for s, optimal, bound in result.history)
    assert found == replace(result, seconds=rounded, history=history)
    assert result.case is not None
    check_fits(found, result.case, path)
    return content


@pytest.mark.parametrize("options", OPTIONS.values(), ids=list(OPTIONS))
@pytest.mark.parametrize("case", ["table_1", "example_1", "example_2"])
def test_results_are_as_the_schema_says(
    case: str, options: LearnOptions, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder: Path = request.getfixturevalue(case)
    if case == "example_2" and (options.linear or options.bounds):
        pytest.skip("there are no moves in it")
    check(learn(folder, options), tmp_path / "RESULT.json")


@pytest.mark.parametrize("name", ["mcf", "groups", "linear"])
def test_explanations_are_as_the_schema_says(name: str, example_1: Path, tmp_path: Path) -> None:
    path, options = tmp_path / "RESULT.json", OPTIONS[name]
    learn(example_1, options).write(path)
    check(explain(example_1, path, options), tmp_path / "EXPLAINED.json")


@pytest.mark.parametrize("column", ["cost,7.5", "cost,7", "group,early", "suboptimality,3/2"])
def test_results_of_columns(column: str, table_1: Path, tmp_path: Path) -> None:
    name, value = column.split(",")
    manifest = table_1 / "manifest.csv"
    manifest.write_text(f"problem,plan,{name}\np1.pddl,p1.plan,{value}\np2.pddl,p2.plan,\n")
    if name == "group":
        manifest.write_text(manifest.read_text().rstrip() + "late\n")
    options = LearnOptions(soft_costs=name == "cost")
    result = learn(manifest, options, domain=table_1 / "domain.pddl")
    content = check(result, tmp_path / "RESULT.json")
    key = "known_cost" if name == "cost" else name
    assert content["observations"][0][key] is not None


@pytest.mark.parametrize("example", ["avoid-the-centre", "town", "two-kinds-of-drivers"])
def test_results_of_examples(example: str, tmp_path: Path) -> None:
    check(learn(ROOT / "examples" / example), tmp_path / "RESULT.json")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "format must be 1"),
        ({"costs": {"(a)": 0}}, r"costs\.\(a\) must be 1 or more"),
        ({"costs": {"(a)": 1, "(b)": 2**53}}, r"costs\.\(b\) must be 9007199254740991 or less"),
        ({"linear": {"move": {"constant": "x"}}}, r"linear\.move\.constant must be a whole"),
        ({"secondary": {"value": 1}}, r"secondary\.lower_bound is missing"),
        ({"history": [{"seconds": 1, "optimal": "x", "bound": 2}]}, r"history\[0\]\.optimal must"),
        ({"history": [3]}, r"history\[0\] must be an object, not 3"),
        ({"deviation": "1/2"}, 'deviation must be a number, not "1/2"'),
        ({"ranges": {"(a)": {"least": 1, "greatest": 2}}}, r"ranges\.\(a\)\.proved is missing"),
    ],
)
def test_the_schema_and_the_reader_find_damage(
    change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "RESULT.json"
    path.write_text(json.dumps(VALID | change))
    with pytest.raises(InputError, match=words):
        read_result(path)
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        is_valid(VALID | change)


EXPLAINED = ("observations", 0, "explanation")


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ((*EXPLAINED, "reason"), "bad luck", r"explanation\.reason must be one of .*bad luck"),
        ((*EXPLAINED, "reason"), "redundant", r"explanation\.redundant is missing"),
        ((*EXPLAINED, "plans"), "missing", r"explanation\.plans is missing"),
        ((*EXPLAINED, "certificate", 0, "times"), 0, r"certificate\[0\]\.times must be 1 or more"),
        ((*EXPLAINED, "certificate", 0, "given"), "bound", r"certificate\[0\]\.actions is missing"),
        ((*EXPLAINED, "certificate", 0, "strict"), "missing", r"\[0\]\.strict is missing"),
        (("observations", 0, "suboptimality"), "x/2", r"suboptimality must be a fraction"),
        (("observations", 0, "least_factor"), {}, r"least_factor\.infimum is missing"),
    ],
)
def test_damage_inside_of_observations(
    place: tuple[Any, ...], value: object, words: str, tmp_path: Path
) -> None:
    content = damaged(VALID, place, value)
    path = tmp_path / "RESULT.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=rf"observations\[0\].*{words}"):
        read_result(path)
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        is_valid(content)


@given(
    place=st.sampled_from(list(places(VALID))),
    value=st.sampled_from([None, True, 0, -1, 1.5, "x", [], {}, [1], {"a": 1}, "missing"]),
)
def test_what_is_read_is_valid(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[Any, ...], value: object
) -> None:
    content = damaged(VALID, place, value)
    path = tmp_path_factory.mktemp("damaged") / "RESULT.json"
    path.write_text(json.dumps(content))
    try:
        found = read_result(path).to_json()
    except InputError:
        return
    is_valid(content)
    is_valid(found)


def test_the_published_schema_is_that_of_the_types() -> None:
    """`make schema` writes it."""
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == plancost.result_schema()


def keys_of(schema: Any) -> Iterator[str]:  # noqa: ANN401 (a part of a schema)
    """All keys that a schema knows, at any depth."""
    if isinstance(schema, list):
        for item in schema:
            yield from keys_of(item)
    elif isinstance(schema, dict):
        yield from schema.get("properties", {})
        for item in schema.values():
            yield from keys_of(item)


def test_every_key_is_explained() -> None:
    text = (ROOT / "docs" / "result.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", text))))
    keys = set(keys_of(plancost.result_schema()))
    assert len(keys) > 60
    assert not keys - named, "docs/result.md does not name these keys"


def test_the_result_is_not_shared_with_its_content() -> None:
    content = copy.deepcopy(VALID)
    assert as_json(content) == content and as_json(content) is not content
