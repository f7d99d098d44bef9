from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plancost
from plancost.learn.outcome import Ending, Second, Verdict
from plancost.options import checked
from plancost.report.words import claims
from plancost.result.assemble import assemble, joined
from plancost.result.model import Result
from plancost.result.tables import check_lines, result_lines
from small import small_case, small_learned, undecided
from towns import PDDL, write

CASE = small_case()
LEARNED = small_learned(CASE)


def test_plans_count_as_often_as_they_were_seen() -> None:
    result = assemble(CASE, checked(), LEARNED)
    assert (result.plans, result.optimal_plans, result.claimed_optimal) == (4, 3, 3)
    assert result.proved
    assert result.verified
    assert result.costs == dict.fromkeys(CASE.actions, 1)
    assert [item.plan for item in result.observations] == ["direct.plan", "over.plan"]


def test_a_bound_that_is_not_reached_proves_nothing() -> None:
    result = assemble(CASE, checked(), replace(LEARNED, upper_bound=4))
    assert not result.proved


def test_what_the_check_did_not_decide_is_not_optimal() -> None:
    result = assemble(CASE, checked(), undecided(LEARNED))
    assert (result.optimal_plans, result.claimed_optimal) == (0, 3)
    assert not result.verified
    assert not result.proved
    nothing_claimed = replace(undecided(LEARNED), upper_bound=0)
    assert not assemble(CASE, checked(), nothing_claimed).proved, "0 of 0 by an unfinished check"


def test_notes_say_where_the_optimiser_was_wrong() -> None:
    verdicts = (Verdict(2, False, 1), Verdict(1, True, 1))
    result = assemble(CASE, checked(), replace(LEARNED, verdicts=verdicts))
    assert "the check refutes 3 of the plans that were thought to be optimal" in result.notes
    assert "1 more plans are optimal than the search knew: the check found them" in result.notes
    nothing = replace(LEARNED, claimed=(False, False), ending="none exists", second=None)
    assert assemble(CASE, checked(), nothing).notes == ["of the case"]
    half = replace(LEARNED, verdicts=(Verdict(1, None, None), Verdict(1, False, 1)))
    note = "the check could not decide about 3 of 4 plans"
    assert assemble(CASE, checked(), half).notes[1:] == [note]


@pytest.mark.parametrize("ending", ["time limit", "interrupted", "failed"])
def test_notes_say_why_it_ended(ending: Ending) -> None:
    learned = replace(LEARNED, ending=ending, notes=("a planner failed",))
    result = assemble(CASE, checked(), learned)
    assert result.ending != "done"
    assert "a planner failed" in result.notes
    assert len(result.notes) > len(assemble(CASE, checked(), LEARNED).notes)


def test_trips_have_no_problem() -> None:
    from plancost.case.model import StreetTable

    streets = StreetTable(("link", "from", "to"), (("x", "a", "b"),) * 3)
    result = assemble(replace(CASE, streets=streets), checked(), LEARNED)
    assert [item.trip for item in result.observations] == ["direct.plan", "over.plan"]
    assert '"problem"' not in result.to_json()
    assert "trip" in result_lines(result)[-4]


def test_groups_are_added_up() -> None:
    one = assemble(CASE, checked(), LEARNED)
    two = assemble(CASE, checked(), replace(LEARNED, second=Second(9, 4, False)))
    both = joined(CASE, checked(), [("one", one), ("two", two)])
    assert (both.plans, both.optimal_plans, both.upper_bound) == (8, 6, 6)
    assert both.secondary is not None
    assert (both.secondary.value, both.secondary.lower_bound, both.secondary.proved) == (
        12,
        7,
        False,
    )
    assert both.proved
    assert both.costs == {}
    assert [item.group for item in both.observations] == ["one", "one", "two", "two"]
    assert both.groups
    assert [part.group for part in both.groups] == ["one", "two"]
    assert both.notes == ["of the case"]
    assert all("of the case" not in part.notes for part in both.groups)


@pytest.mark.parametrize("endings", [("done", "failed"), ("time limit", "done")])
def test_groups_end_as_the_worst_of_them(endings: tuple[Ending, Ending]) -> None:
    parts = [assemble(CASE, checked(), replace(LEARNED, ending=name)) for name in endings]
    both = joined(CASE, checked(), list(zip("ab", parts, strict=True)))
    assert both.ending == next(name for name in endings if name != "done")


@pytest.mark.parametrize(
    ("asked", "columns", "costs"),
    [
        ({}, "", "costs"),
        ({}, "group", "costs of these groups"),
        ({"groups": 2}, "", "2 cost functions"),
        ({}, "cost", "costs with these totals"),
        ({"features": ["schema"]}, "group", "costs of these groups and features"),
        (
            {"features": ["schema"], "bounds": {"*": [1, 9]}},
            "",
            "costs of these features within these bounds",
        ),
    ],
)
def test_a_bound_says_which_costs_it_is_about(
    asked: dict[str, Any], columns: str, costs: str, tmp_path: Path
) -> None:
    known = {"": ("", "", ""), "group": ("a", "b", "b"), "cost": ("9", "9", "9")}[columns]
    names = ("monday", "tuesday", "friday")
    rows = [f"school.pddl,school.{n}.plan,{k}\n" for n, k in zip(names, known, strict=True)]
    manifest = f"problem,plan,{columns or 'time'}\n{''.join(rows)}"
    case = write(tmp_path / "case", PDDL, {"m.csv": manifest})
    opened = plancost.read_case(case / "m.csv", domain=case / "domain.pddl")
    result = plancost.learn(opened, **asked)
    assert result.proved
    assert result_lines(result)[0].endswith(f"  proven: no {costs} make more plans optimal")
    assert claims(result)[0]["words"] == f"proven: no {costs} make more plans optimal"


def many(count: int) -> Result:
    case = replace(CASE, observations=CASE.observations[:1] * count)
    verdicts = (Verdict(1, True, 1),) * count
    learned = replace(LEARNED, claimed=(True,) * count, verdicts=verdicts, upper_bound=3 * count)
    return assemble(case, checked(), learned)


@pytest.mark.parametrize("count", [20, 21, 50])
def test_tables_stay_short(count: int) -> None:
    lines = result_lines(many(count))
    assert sum("direct.plan" in line for line in lines) == 20
    assert any(f"and {count - 20} more" in line for line in lines) is (count > 20)


def test_names_cannot_harm_a_terminal() -> None:
    evil = "x\x1b[2J\u202egnp\nforged \ud800"
    observations = (replace(CASE.observations[0], name=evil), CASE.observations[1])
    case = replace(CASE, observations=observations, notes=(evil,))
    result = assemble(case, checked(), replace(LEARNED, costs=(5, 1, 1)))
    result = joined(case, checked(), [(evil, result), (evil, result)])
    for lines in (result_lines(result), check_lines(result)):
        text = "".join(lines)
        assert not {"\x1b", "\u202e", "\n", "\ud800"} & set(text)
        assert r"\u202egnp\nforged \ud800" in text
