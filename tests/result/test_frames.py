"""Tables of pandas, in and out; what notebooks show."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import plancost
from plancost.errors import EXTRAS, needed
from towns import PDDL, STREETS, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_plans_costs_and_conflicts(tmp_path: Path) -> None:
    town = write(tmp_path, PDDL)
    result = plancost.learn(town)
    explanations = plancost.explain(town, result)
    plans, costs, conflicts = plancost.frames(result, explanations)
    assert list(plans.columns) == ["problem", "plan", "count", "optimal", "cost", "optimal_cost"]
    assert plans["plan"].tolist() == [item.plan for item in result.observations]
    assert plans.loc[plans["optimal"], "count"].sum() == result.optimal_plans
    assert dict(zip(costs["action"], costs["cost"], strict=True)) == result.costs
    assert set(conflicts["name"]) == {found.name for found in explanations}
    assert len(conflicts) == sum(len(found.with_plans) or 1 for found in explanations)


def test_groups_and_standard_errors(tmp_path: Path) -> None:
    trips = "trip,links,group\nmonday,r1 r2,ann\nfriday,h,bob\n"
    result = plancost.learn(write(tmp_path, STREETS, {"trips.csv": trips}), solution="likely")
    plans, costs, conflicts = plancost.frames(result)
    assert (plans["group"].tolist(), plans["trip"].tolist()) == (
        ["ann", "bob"],
        ["monday", "friday"],
    )
    assert set(costs["group"]) == {"ann", "bob"}
    assert costs["standard_error"].notna().all() and conflicts.empty


def test_links_and_trips(tmp_path: Path) -> None:
    folder = write(tmp_path, STREETS)
    links, trips = pd.read_csv(folder / "links.csv"), pd.read_csv(folder / "trips.csv")
    links["lanes"] = [np.nan, *[2] * (len(links) - 1)]
    links["paved"] = pd.array([True, None, False], dtype="boolean")
    case, read = plancost.street_case(links, trips), plancost.read_case(folder)
    assert (case.actions, case.observations) == (read.actions, read.observations)
    assert case.streets is not None
    assert [row[-2:] for row in case.streets.rows[:2]] == [("", "True"), ("2.0", "")]
    listed = trips.assign(links=trips["links"].str.split(), count=[3] + [None] * (len(trips) - 1))
    counts = [seen.count for seen in plancost.street_case(links, listed).observations]
    assert counts == [3] + [1] * (len(trips) - 1)
    for wrong in (links[[]], links[["link"]], links[:0]):
        with pytest.raises(plancost.InputError):
            plancost.street_case(wrong, trips)


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_missing_is_said(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, EXTRAS[extra][0], None)
    with pytest.raises(plancost.UsageError, match=rf"pip install 'plancost\[{extra}\]'"):
        needed(extra)


def test_a_result_is_shown_as_its_table(tmp_path: Path) -> None:
    plan = {"school.<b>.plan": PDDL["school.friday.plan"]}
    shown = plancost.learn(write(tmp_path, PDDL, plan))._repr_html_()
    assert "4 of 4" in shown and "&lt;b&gt;" in shown and "<b>" not in shown


def test_progress_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    plancost.learn(EXAMPLES / "town", progress=plancost.progress_line)
    lines = capsys.readouterr().out.split("\r")
    assert lines[0] == "" and len({len(line) for line in lines[1:]}) == 1
    assert "3 optimal of at most" in lines[-1]


@pytest.mark.parametrize("notebook", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(notebook: Path) -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    cells = nbformat.read(notebook, as_version=4)
    where = {"metadata": {"path": str(notebook.parent)}}
    nbclient.NotebookClient(cells, timeout=120, resources=where).execute()
    assert "iframe" in cells.cells[-1].outputs[0].data["text/html"]
