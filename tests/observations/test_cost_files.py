"""C̄ from the PDDL and costs from JSON files, with every way in which they can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import DOMAIN, graph_problem
from plancost.errors import InputError
from plancost.observations.case import Case, load_case
from plancost.observations.cost_files import (
    CostConflicts,
    costs_for,
    initial_costs_from_pddl,
    read_costs,
)

LENGTHS = {("a", "b"): 3, ("b", "c"): 0}
PLAN = "(move a b)\n(move b c)\n"

Load = Callable[..., Case]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def write_and_load(*problems: str, domain: str = DOMAIN) -> Case:
        folder = tmp_path / "case"
        folder.mkdir()
        (folder / "domain.pddl").write_text(domain)
        for number, problem in enumerate(problems, start=1):
            (folder / f"p{number}.pddl").write_text(problem)
            (folder / f"p{number}.plan").write_text(PLAN)
        return load_case(folder)

    return write_and_load


def problem(*, ab: object = 3, bc: object = 0) -> str:
    text = graph_problem("p", "abc", LENGTHS, "a", "c")
    return text.replace("(length a b) 3", f"(length a b) {ab}").replace(
        "(length b c) 0", f"(length b c) {bc}"
    )


def test_costs_are_read_from_the_effects(load: Load) -> None:
    case = load(problem())
    assert case.actions == ("(move a b)", "(move b c)")
    assert initial_costs_from_pddl(case) == (3, 0)


def test_a_metric_is_not_needed(load: Load) -> None:
    case = load(problem().replace("(:metric minimize (total-cost))", ""))
    assert initial_costs_from_pddl(case) == (3, 0)


def test_no_cost_effects_anywhere_means_one(load: Load) -> None:
    free = DOMAIN.replace("(increase (total-cost) (length ?a ?b))", "")
    assert initial_costs_from_pddl(load(problem(), domain=free)) == (1, 1)


def test_no_cost_effect_in_a_domain_that_has_them_means_zero(load: Load) -> None:
    nap = "(:action nap :parameters () :precondition () :effect (and))\n  (:action move"
    case = load(problem(), domain=DOMAIN.replace("(:action move", nap))
    assert dict(zip(case.actions, initial_costs_from_pddl(case), strict=True)) == {
        "(nap)": 0,
        "(move a b)": 3,
        "(move b c)": 0,
    }


def test_conflicting_values_name_both_files(load: Load, tmp_path: Path) -> None:
    case = load(problem(), problem(ab=5), problem(ab=9))
    with pytest.raises(InputError) as caught:
        initial_costs_from_pddl(case)
    folder = tmp_path / "case"
    assert str(caught.value) == (
        f"(move a b) costs 3 in {folder}/p1.pddl and 5 in {folder}/p2.pddl; "
        "choose with --cost-conflicts first or median"
    )
    assert initial_costs_from_pddl(case, CostConflicts.FIRST) == (3, 0)
    assert initial_costs_from_pddl(case, CostConflicts.MEDIAN) == (5, 0)


def test_values_of_equal_tasks_count_too(load: Load) -> None:
    """Problems that differ only in a cost are one task, and still in conflict."""
    case = load(problem(), problem(ab=5))
    assert len(case.tasks) == 1
    with pytest.raises(InputError, match="costs 3 in"):
        initial_costs_from_pddl(case)


def test_the_median_of_an_even_number_is_a_value_that_was_given(load: Load) -> None:
    case = load(problem(), problem(ab=6))
    assert initial_costs_from_pddl(case, CostConflicts.MEDIAN)[0] in (3, 6)


@pytest.mark.parametrize("value", ["1.5", "-1"])
def test_fractions_and_negative_costs(load: Load, value: str) -> None:
    with pytest.raises(InputError, match=r"p1\.pddl: \(length a b\) is .*; a cost must be a whole"):
        initial_costs_from_pddl(load(problem(ab=value)))


def test_costs_beyond_exact_arithmetic(load: Load, tmp_path: Path) -> None:
    case = load(problem(ab=10**12 + 1))
    with pytest.raises(InputError, match=r"p1\.pddl: \(move a b\) costs 1000000000001; costs are"):
        initial_costs_from_pddl(case)
    path = write(tmp_path, json.dumps({"(move a b)": 10**30, "(move b c)": 1}))
    with pytest.raises(InputError, match=r"costs\.json: \(move a b\) costs 10+; costs are counted"):
        costs_for(case, path, least=1, default=None)


def test_a_whole_number_may_be_written_as_a_decimal(load: Load) -> None:
    assert initial_costs_from_pddl(load(problem(ab="2.0"))) == (2, 0)


def test_a_missing_value(load: Load) -> None:
    case = load(problem().replace("(= (length a b) 3)", ""))
    with pytest.raises(InputError, match=r"p1\.pddl: :init gives no value to \(length a b\)"):
        initial_costs_from_pddl(case)


# JSON files


@pytest.fixture
def case(load: Load) -> Case:
    return load(problem())


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "costs.json"
    path.write_text(text)
    return path


def test_a_plain_object_and_a_result_file(case: Case, tmp_path: Path) -> None:
    costs = {"(move a b)": 4, "(MOVE  b c)": 1, "(move z z)": 9}
    for content in (costs, {"format": 1, "costs": costs, "plans": 2}):
        path = write(tmp_path, json.dumps(content))
        assert costs_for(case, path, least=1, default=None) == (4, 1)


def test_a_missing_action(case: Case, tmp_path: Path) -> None:
    path = write(tmp_path, '{"(move a b)": 4}')
    with pytest.raises(InputError, match=r"costs\.json: there is no cost for \(move b c\); .*N"):
        costs_for(case, path, least=0, default=None)
    assert costs_for(case, path, least=0, default=7) == (4, 7)


def test_costs_below_the_least(case: Case, tmp_path: Path) -> None:
    path = write(tmp_path, '{"(move a b)": 0, "(move b c)": 2}')
    assert costs_for(case, path, least=0, default=None) == (0, 2)
    with pytest.raises(InputError, match=r"\(move a b\) is 0; it must be 1 or more"):
        costs_for(case, path, least=1, default=None)
    path = write(tmp_path, '{"(move a b)": -3, "(move b c)": 2}')
    with pytest.raises(InputError, match=r"\(move a b\) is -3; it must be 0 or more"):
        costs_for(case, path, least=0, default=None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"(a)": true}', r"the cost of \(a\) must be a whole number, not true"),
        ('{"(a)": "3"}', r'the cost of \(a\) must be a whole number, not "3"'),
        ('{"(a)": 1.5}', r"the cost of \(a\) must be a whole number, not 1\.5"),
        ('{"(a)": null}', r"the cost of \(a\) must be a whole number, not null"),
        ('{"(a)": NaN}', r"costs.json:1: NaN is no number that JSON knows"),
        ('{"(a)": 1, "(a)": 1}', r"'\(a\)' occurs twice in this file"),
        ('{"(a b)": 1, "(A  B)": 2}', r"\(a b\) has two costs in this file"),
        ('{"(a)": 1', r"costs\.json:1: this is not JSON"),
        ("", r"costs\.json:1: this is not JSON"),
        ("[1, 2]", r"expected an object such as"),
        ("[" * 100_000, r"this JSON is nested too deeply"),
        ('{"(a)": ' + "9" * 5000 + "}", r"costs\.json:1: .* has 5000 digits"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_costs(write(tmp_path, text))
    assert str(tmp_path / "costs.json") in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read this costs file \(No such file"):
        read_costs(tmp_path / "costs.json")
    with pytest.raises(InputError, match="cannot read this costs file"):
        read_costs(tmp_path)
    path = tmp_path / "costs.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        read_costs(path)


def test_a_byte_order_mark(tmp_path: Path) -> None:
    assert read_costs(write(tmp_path, '\ufeff{"(a)": 2}')) == {"(a)": 2}
