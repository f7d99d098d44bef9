"""Imports go one way, and only the command line prints or exits.

cli -> {experiments, evaluation, monitoring} -> api -> results -> learning
    -> {oracles, solver} -> observations -> {system, files} -> errors
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import plancost
from support.sources import as_written

ROOT = Path(plancost.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

BELOW_OBSERVATIONS = {"errors", "system", "files", "version", "progress"}
BELOW_ORACLES = BELOW_OBSERVATIONS | {"observations"}
BELOW_LEARNING = BELOW_ORACLES | {"oracles", "solver"}
BELOW_RESULTS = BELOW_LEARNING | {"learning"}
BELOW_API = BELOW_RESULTS | {"results", "cluster"}

ALLOWED = {
    "errors": set[str](),
    "version": set[str](),
    "system": {"errors"},
    "files": {"errors"},
    "progress": {"errors", "system", "files"},
    "cluster": {"errors", "system", "version"},
    "observations": BELOW_OBSERVATIONS,
    "oracles": BELOW_ORACLES,
    "solver": {"errors", "system"},
    "generators": BELOW_ORACLES | {"oracles"},
    "learning": BELOW_LEARNING,
    "results": BELOW_RESULTS,
    "pictures": BELOW_RESULTS | {"results"},
    "report": BELOW_RESULTS | {"results", "pictures", "evaluation"},
    "api": BELOW_API,
    "probability": BELOW_API | {"api"},
    "routes": BELOW_API | {"api", "pictures", "probability"},
    "explore": BELOW_API | {"api", "report"},
    "planning": BELOW_RESULTS | {"results"},
    "doctor": BELOW_ORACLES | {"oracles", "solver"},
    "interfaces": BELOW_API | {"api", "planning", "routes"},
    "experiments": BELOW_ORACLES | {"oracles", "generators", "pictures"},
    "evaluation": BELOW_API | {"api", "generators"},
    "monitoring": BELOW_API | {"api", "evaluation", "probability"},
    "cli": BELOW_API
    | {"api", "evaluation", "experiments", "generators", "monitoring", "pictures"}
    | {"report", "planning", "doctor", "routes", "probability", "explore"},
    "__main__": {"cli"},
    "__init__": BELOW_API
    | {"api", "evaluation", "generators", "monitoring", "pictures", "report", "planning"}
    | {"routes", "probability"},
}
"""For each part of the package, the other parts that it may import."""

PLANNERS = {"fast_downward", "up_fast_downward", "up_symk"}
"""GPL programs, or wheels that hold them: run as processes, never imported."""
ONLY_SOLVER = {"highspy"}
"""The linear and integer solver: another one is another file there."""
ONLY_INTERFACES = {"networkx", "pandas", "unified_planning"}
"""Other people's data structures: whoever does not use them need not have them."""

ONLY_EXPLORE = {"starlette", "uvicorn"}
"""The server of the page that asks again."""


def part_of(path: Path) -> str:
    """The part of the package that a module belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The full names of all modules that a module imports, wherever it does so."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name the whole package"
            # "from plancost.solver import highs" imports plancost.solver.highs.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def calls(path: Path) -> tuple[tuple[int, str], ...]:
    """The names of all functions called, as written, with their lines."""
    return tuple(
        (node.lineno, as_written(node.func))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    )


def test_every_part_has_a_rule() -> None:
    assert {part_of(path) for path in MODULES} <= set(ALLOWED)
    assert len(MODULES) > 30


def test_imports_go_one_way() -> None:
    wrong = []
    for path in MODULES:
        part = part_of(path)
        for name in imported(path):
            package, _, rest = name.partition(".")
            other = rest.partition(".")[0]
            if package == "plancost" and other != part and other not in ALLOWED[part]:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_planners_are_never_imported() -> None:
    for path in MODULES:
        assert not {name.partition(".")[0] for name in imported(path)} & PLANNERS, path
        lines = path.read_text(encoding="utf-8").splitlines()
        for line, function in calls(path):
            if function.endswith(("import_module", "__import__")):
                assert not any(planner in lines[line - 1] for planner in PLANNERS), path


@pytest.mark.parametrize(
    ("part", "packages"),
    [("interfaces", ONLY_INTERFACES), ("solver", ONLY_SOLVER), ("explore", ONLY_EXPLORE)],
)
def test_only_one_part_imports_packages_of_others(part: str, packages: set[str]) -> None:
    importers = {
        part_of(path)
        for path in MODULES
        if {name.partition(".")[0] for name in imported(path)} & packages
    }
    assert importers == {part}


def test_only_the_command_line_prints_or_exits() -> None:
    forbidden = ("print", "exit", "quit", "sys.exit", "os._exit", "os.abort", "SystemExit")
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES
        if part_of(path) != "cli"
        for line, name in calls(path)
        if name in forbidden or name.startswith(("sys.stdout", "sys.stderr"))
    ]
    assert not found


def test_the_checks_see_what_they_look_for(tmp_path: Path) -> None:
    """A check that never fires is worth nothing."""
    module = tmp_path / "module.py"
    module.write_text(
        "import up_symk.x\nfrom plancost.cli import tables\ndef f():\n"
        "    import plancost.api\n    sys.exit(print(1))\n"
    )
    assert imported(module) == ("up_symk.x", "plancost.cli.tables", "plancost.api")
    assert {name for _, name in calls(module)} == {"print", "sys.exit"}
