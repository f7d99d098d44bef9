"""C̄ from the PDDL, with every way in which it can be wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import DOMAIN, graph_problem
from plancost.errors import InputError
from plancost.observations.case import Case, load_case
from plancost.observations.cost_files import (
    CostConflicts,
    costs_of,
    initial_costs_from_pddl,
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
        "choose with cost_conflicts='first' or median"
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


def test_costs_beyond_exact_arithmetic(load: Load) -> None:
    case = load(problem(ab=10**12 + 1))
    with pytest.raises(InputError, match=r"p1\.pddl: \(move a b\) costs 1000000000001; costs are"):
        initial_costs_from_pddl(case)
    with pytest.raises(InputError, match=r"\(move a b\) costs 10+; costs are counted"):
        costs_of(case, {"(move a b)": 10**30, "(move b c)": 1}, least=1, default=None)


def test_a_whole_number_may_be_written_as_a_decimal(load: Load) -> None:
    assert initial_costs_from_pddl(load(problem(ab="2.0"))) == (2, 0)


def test_a_missing_value(load: Load) -> None:
    case = load(problem().replace("(= (length a b) 3)", ""))
    with pytest.raises(InputError, match=r"p1\.pddl: :init gives no value to \(length a b\)"):
        initial_costs_from_pddl(case)
