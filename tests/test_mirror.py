"""Tests mirror the source: ``a/b.py`` is tested by ``tests/a/test_b.py``, or a table says why not.

`ELSEWHERE` has the modules that are tested in another file: one that imports them, or imports what
imports them. `COARSE` has folders that are tested as a whole, and `ACROSS` the test files that
belong to no single module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import plancost

SOURCE = Path(plancost.__file__).parent
TESTS = Path(__file__).parent

ELSEWHERE = {
    # module: the file that tests it, and why it has none of its own
    "api/learn": ("learning/test_paper_numbers.py", "the pipeline with a strategy"),
    "api/pddl": ("files/test_overwriting.py", "hands on to results/pddl_out"),
    "cluster/connection": ("cluster/test_executor.py", "needs a real scheduler, as that does"),
    "doctor/extras": ("doctor/test_checks.py", "one check of many, in one table"),
    "doctor/finding": ("doctor/test_checks.py", "plain data"),
    "doctor/programs": ("doctor/test_checks.py", "one check of many, in one table"),
    "doctor/system": ("doctor/test_checks.py", "one check of many, in one table"),
    "evaluation/checks": ("evaluation/test_evaluate.py", "what its options may be"),
    "evaluation/methods": ("evaluation/test_evaluate.py", "the methods that are compared"),
    "evaluation/tables": ("evaluation/test_evaluate.py", "shows what was compared"),
    "experiments/comparison": ("experiments/test_tables.py", "a column of the tables"),
    "experiments/figure1": ("experiments/test_figures.py", "one of the figures"),
    "experiments/listings": ("experiments/test_reproduce.py", "a stage of a reproduction"),
    "experiments/paper": ("experiments/test_tables.py", "the paper's numbers, plain data"),
    "experiments/plan": ("experiments/test_runs.py", "what is run, plain data"),
    "experiments/reports": ("experiments/test_reproduce.py", "a stage of a reproduction"),
    "explore/answers": ("explore/test_session.py", "what a session says of its answers"),
    "explore/desk": ("explore/test_server.py", "what the server asks"),
    "explore/opening": ("explore/test_command_line.py", "how a session begins"),
    "explore/why": ("explore/test_learner.py", "one of its two questions"),
    "generators/barman": ("generators/test_worlds.py", "all worlds keep to the same rules"),
    "generators/grid": ("generators/test_worlds.py", "all worlds keep to the same rules"),
    "generators/openstacks": ("generators/test_worlds.py", "all worlds keep to the same rules"),
    "generators/streets": ("generators/test_worlds.py", "all worlds keep to the same rules"),
    "generators/transport": ("generators/test_worlds.py", "all worlds keep to the same rules"),
    "generators/world": ("generators/test_worlds.py", "all worlds keep to the same rules"),
    "generators/hidden": ("evaluation/test_recovery.py", "the truth that is recovered there"),
    "generators/record": ("generators/test_tasks.py", "the file beside generated tasks"),
    "interfaces/graphs": ("interfaces/test_street_graphs.py", "what a graph may be"),
    "interfaces/unified_planning_pddl": (
        "interfaces/test_unified_planning.py",
        "the way there of the way there and back",
    ),
    "learning/choose/choice": ("learning/choose/test_choices.py", "plain data"),
    "learning/choose/cone": ("learning/choose/test_posterior.py", "what the chains walk through"),
    "learning/exact/first_objective": (
        "learning/exact/test_strategy.py",
        "through the strategy, against brute force",
    ),
    "learning/exact/least_costs": (
        "learning/partition/test_strategy.py",
        "through the strategy, against brute force",
    ),
    "learning/exact/subproblems": (
        "learning/subproblem/test_feasibility.py",
        "makes what is tested there",
    ),
    "learning/lacfip/milp": ("learning/lacfip/test_algorithm.py", "the model of that algorithm"),
    "learning/master/lazy_program": (
        "learning/master/test_integer_program.py",
        "what all integer programs are solved with",
    ),
    "learning/partition/hitting_set": (
        "learning/partition/test_strategy.py",
        "through the strategy, against brute force",
    ),
    "learning/problem/candidate": ("learning/problem/test_task.py", "plain data"),
    "learning/problem/cost_options": ("learning/problem/test_options.py", "part of LearnOptions"),
    "learning/problem/cuts": ("learning/subproblem/test_known_rows.py", "plain data"),
    "learning/problem/run_options": ("learning/problem/test_options.py", "part of LearnOptions"),
    "learning/problem/parameter_limits": (
        "learning/problem/test_linear_costs.py",
        "the rows of linear costs",
    ),
    "learning/separation/paths": ("learning/separation/test_on_graphs.py", "lifts its cuts"),
    "learning/subproblem/earlier": ("learning/exact/test_earlier_answers.py", "plain data"),
    "learning/subproblem/contradictions": (
        "learning/problem/test_plan_cost_constraints.py",
        "known costs that contradict themselves are made there",
    ),
    "monitoring/calibration": ("monitoring/test_watch.py", "needs what was watched"),
    "monitoring/monitor": ("monitoring/test_watch.py", "one step of watching"),
    "monitoring/reading": ("monitoring/test_watch.py", "what is watched"),
    "oracles/bit_system": ("oracles/test_state_graph.py", "the first step to a graph"),
    "oracles/exploration": ("oracles/test_state_graph.py", "the second step to a graph"),
    "oracles/graph_limits": ("oracles/test_state_graph.py", "plain data"),
    "oracles/search": ("oracles/test_fast_downward.py", "plain data"),
    "pictures/canvas": ("pictures/test_drawing.py", "one drawing on every canvas"),
    "pictures/files": ("pictures/test_drawing.py", "one drawing in every format"),
    "pictures/palette": ("pictures/test_drawing.py", "plain data"),
    "pictures/panel": ("pictures/test_drawing.py", "one drawing with everything in it"),
    "pictures/scene": ("pictures/test_drawing.py", "one drawing with everything in it"),
    "pictures/svg": ("pictures/test_drawing.py", "one drawing on every canvas"),
    "pictures/terrain": ("pictures/test_maps.py", "the ground of a map"),
    "planning/apply": ("planning/test_round_trip.py", "from a result to PDDL and back"),
    "report/conflicts": ("report/test_page.py", "a section of the page"),
    "report/content": ("report/test_page.py", "what the page shows"),
    "report/groups": ("report/test_browser.py", "a section of the page"),
    "report/histogram": ("report/test_page.py", "a section of the page"),
    "report/sections": ("report/test_page.py", "the sections of the page"),
    "routes/alternatives": ("routes/test_prediction.py", "against brute force over all routes"),
    "routes/costs": ("routes/test_learning.py", "what is learned there, read back"),
    "routes/csv_files": ("routes/test_read_trips.py", "what all tables are read with"),
    "routes/invalid": ("routes/test_read_links.py", "what readers do with wrong lines"),
    "routes/loops": ("routes/test_split.py", "the other trips that are changed"),
    "routes/methods": ("routes/test_evaluation.py", "the methods that are compared"),
    "routes/numbers": ("routes/test_scale.py", "the numbers that are scaled"),
    "routes/road_maps": ("routes/test_learning.py", "through learning, against brute force"),
    "routes/search": ("routes/test_prediction.py", "against brute force over all routes"),
    "routes/shapes": ("routes/test_read_links.py", "a column of links"),
    "routes/page/content": ("routes/page/test_page.py", "the data of the page"),
    "routes/page/palette": ("routes/page/test_picture.py", "plain data"),
    "routes/page/words": ("routes/page/test_page.py", "what the page says"),
    "solver/default": ("solver/test_highs_lp.py", "one line: which solver it is"),
    "solver/lp": ("solver/test_highs_lp.py", "the protocol of what is tested there"),
    "system/views": ("report/test_notebook.py", "one line: who shows values"),
    "system/progress": ("cluster/test_executor.py", "a protocol, and plain data"),
}
COARSE = {
    # folder: the folder of its tests, and why the modules without a namesake are not listed
    "cli": ("cli", "tested by running the command, as a user does"),
    "observations": ("observations", "tested by reading cases; pddl/ is one reader"),
    "results": ("results", "tested by writing results and reading them again"),
}
ACROSS = {
    # test file or folder: what it is about
    "benchmarking": "the programs in benchmarks/",
    "cli": "commands from end to end",
    "docs": "the documentation",
    "faults": "programs and solvers that fail, whoever asks them",
    "fuzz": "every reader and every command with random input",
    "soak": "the soak in benchmarks/",
    "test_project.py": "what is needed to publish the package",
    "learning/problem/test_bounds.py": "an option against brute force, through all steps",
    "learning/problem/test_linear_costs.py": "an option against brute force, through all steps",
    "learning/problem/test_shared_costs.py": "an option against brute force, through all steps",
    "learning/problem/test_suboptimality.py": "an option against brute force, through all steps",
    "learning/test_paper_numbers.py": "the numbers of the paper",
    "observations/test_identity.py": "when two tasks are one, through all of pddl/",
    "observations/test_pddl.py": "the reader of PDDL, all of pddl/",
    "pictures/test_drawing.py": "one drawing on every canvas and in every format",
    "planning/test_round_trip.py": "from a result to PDDL and back",
    "explore/test_browser.py": "the page in a real browser",
    "report/test_browser.py": "the page in a real browser",
    "routes/page/test_browser.py": "the page with the map in a real browser",
    "test_audit.py": "requirements/audit.py",
    "test_effort.py": "how many examples tests draw",
    "test_examples.py": "examples/",
    "test_imports.py": "the imports of all modules",
    "test_lock.py": "requirements/*.lock",
    "test_mirror.py": "all tests",
    "test_platforms.py": "the core on other systems",
    "test_public.py": "the names of the package itself",
    "test_notebooks.py": "examples/notebooks/",
    "test_no_code_from_data.py": "the source of all modules",
}
WITHOUT = {"__init__", "__main__", "version"}
"""Modules that do nothing: doors and a number."""


def modules() -> dict[str, Path]:
    """All modules by their path without the ending, such as ``learning/run``."""
    found = {path.relative_to(SOURCE).with_suffix("").as_posix(): path for path in _files(SOURCE)}
    return {name: path for name, path in found.items() if name.rpartition("/")[2] not in WITHOUT}


def namesake(module: str) -> Path:
    folder, _, name = module.rpartition("/")
    return TESTS / folder / f"test_{name}.py"


def test_every_module_has_a_namesake_or_a_reason() -> None:
    missing = [
        module
        for module in modules()
        if not namesake(module).exists()
        and module not in ELSEWHERE
        and module.partition("/")[0] not in COARSE
    ]
    assert not missing, f"write {namesake(missing[0])}, or give a reason in ELSEWHERE"


@pytest.mark.parametrize("module", ELSEWHERE)
def test_a_module_that_is_tested_elsewhere(module: str) -> None:
    test, reason = ELSEWHERE[module]
    assert module in modules(), "no such module"
    assert not namesake(module).exists(), "it has a namesake: take it out of the table"
    assert module.partition("/")[0] not in COARSE, "its folder stands in COARSE"
    assert (TESTS / test).exists(), "no such test file"
    assert reason
    near = imported(TESTS / test)
    assert module in near | further(near), "imported neither there nor by what is imported there"


@pytest.mark.parametrize("folder", COARSE)
def test_a_folder_that_is_tested_as_a_whole(folder: str) -> None:
    tests, reason = COARSE[folder]
    inside = [module for module in modules() if module.partition("/")[0] == folder]
    assert not all(namesake(module).exists() for module in inside), "take it out of the table"
    assert list((TESTS / tests).rglob("test_*.py"))
    assert reason


def test_every_test_file_is_a_namesake_or_has_a_reason() -> None:
    namesakes = {namesake(module) for module in modules()}
    for path in TESTS.rglob("test_*.py"):
        name = path.relative_to(TESTS).as_posix()
        across = name in ACROSS or name.partition("/")[0] in ACROSS
        assert path in namesakes or across, f"{name} is named after no module: say why in ACROSS"


@pytest.mark.parametrize("name", ACROSS)
def test_a_test_that_belongs_to_no_module(name: str) -> None:
    path = TESTS / name
    files = list(path.rglob("test_*.py")) if path.is_dir() else [path]
    namesakes = {namesake(module) for module in modules()}
    assert all(file.exists() for file in files)
    assert not namesakes.issuperset(files), "all are namesakes: take it out of the table"
    assert ACROSS[name]


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules that a file imports; a test also those that its helpers import."""
    found: set[str] = set()
    for name in _names(ast.parse(path.read_text(encoding="utf-8"))):
        parts = name.split(".")
        if parts[0] == "plancost":
            found.add(_module(parts[1:]))
        elif parts[0] == "support" and (TESTS / "support" / f"{parts[1]}.py").exists():
            found |= imported(TESTS / "support" / f"{parts[1]}.py")
    return frozenset(found)


def further(names: frozenset[str]) -> frozenset[str]:
    """What these modules import."""
    files = (SOURCE / f"{name}.py" for name in names)
    return frozenset[str]().union(*(imported(path) for path in files if path.exists()))


def _names(tree: ast.AST) -> Iterator[str]:
    """What is imported by full names; ``plancost.learn`` counts as importing where that is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


def _module(parts: list[str]) -> str:
    """The module that a name is in: itself, the one before its last part, or where that is from."""
    for end in (len(parts), len(parts) - 1):
        name = "/".join(parts[:end])
        if (SOURCE / f"{name}.py").exists():
            return name
    return _public().get(parts[-1], "") if len(parts) == 1 else ""


@cache
def _public() -> dict[str, str]:
    """Where the names of the package come from."""
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    return {
        alias.name: (node.module or "").removeprefix("plancost.").replace(".", "/")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))
