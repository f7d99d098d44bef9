"""The public names: all of them are found by tab, and every function says what it takes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import plancost
from support.documents import ROOT

FUNCTIONS = [name for name in plancost.__all__ if inspect.isfunction(getattr(plancost, name))]
NEVER_RAISE = ("remove_checkpoints", "result_schema")
INTERFACES = re.findall(
    r"^::: (plancost\.interfaces\.\w+\.[a-z]\w*)$",
    (ROOT / "docs" / "reference.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
METHODS = (
    "LearnedRoutes.group",
    "LearnedRoutes.of",
    "LearnedRoutes.with_turns",
    "Result.cost_of",
    "Result.write",
    "Result.write_proof",
    "RouteCosts.graph",
    "Shares.of",
)
_LONGEST_SIGNATURE = 700


def test_tab_shows_every_public_name() -> None:
    names = dir(plancost)
    assert set(plancost.__all__) <= set(names) and "__version__" in names
    assert not [
        name for name in names if not name.startswith("__") and name not in plancost.__all__
    ]
    assert len(FUNCTIONS) > 20 and len(INTERFACES) > 5


def test_paths_may_be_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, a mapping or a result stands for costs, wherever costs are wanted."""
    monkeypatch.chdir(tmp_path)
    town = str(ROOT / "examples" / "town")
    domain, problem = f"{town}/domain.pddl", f"{town}/school.pddl"
    result = plancost.learn(town)
    result.write("RESULT.json")
    assert plancost.read_result("RESULT.json").costs == result.costs
    assert len(plancost.load_case(town).observations) == result.plans
    for costs in ("RESULT.json", result, result.costs):
        assert plancost.verify(town, costs).optimal_plans == result.optimal_plans
        assert plancost.explain(town, costs).observations[0].explanation is not None
        plancost.apply_costs(costs, problem, domain=domain, output="applied")
        assert plancost.solve(problem, domain=domain, costs=costs).plans[0].cost == 3
    plancost.write_report("RESULT.json", town, "report.html")
    assert plancost.write_result_pddl("RESULT.json", "pddl", case=town)
    assert plancost.evaluate(town, methods=("unit",)).case.plan_count == result.plans
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"RESULT.json", "applied", "report.html", "pddl"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_takes_and_returns(name: str) -> None:
    check_docstring(getattr(plancost, name), raises=name not in NEVER_RAISE)


@pytest.mark.parametrize("name", INTERFACES)
def test_a_function_for_other_libraries_does_too(name: str) -> None:
    module, _, function = name.rpartition(".")
    check_docstring(getattr(import_module(module), function))


@pytest.mark.parametrize("name", METHODS)
def test_a_method_that_users_call_does_too(name: str) -> None:
    kind, _, method = name.partition(".")
    check_docstring(getattr(getattr(plancost, kind), method), raises=False)


def check_docstring(function: Callable[..., object], *, raises: bool = True) -> None:
    """Args for every parameter, Returns unless it is nothing, Raises unless it never does."""
    text, signature = inspect.getdoc(function) or "", inspect.signature(function)
    for parameter in signature.parameters:
        if parameter != "self":
            assert re.search(rf"^    {parameter}: ", text, re.MULTILINE), parameter
    if signature.return_annotation not in (None, "None"):
        assert "\nReturns:\n" in text
    assert "\nRaises:\n" in text or not raises
    assert len(str(signature)) < _LONGEST_SIGNATURE
