"""The pictures in docs/architecture.md are those of the imports, and it names every module."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import plancost
from support.documents import ROOT

PACKAGE = Path(plancost.__file__).parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FOLDERS, MODULES = re.findall(r"```mermaid\n(.*?)```", PAGE, re.S)
CORE = ("system", "files", "observations", "oracles", "solver", "learning", "results", "api")
EVERYWHERE = {"errors", "version", "__init__", "__main__"}


def arrows(picture: str) -> set[tuple[str, str]]:
    return set(re.findall(r"^ +([\w.]+) --> ([\w.]+)$", picture, re.M))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


@cache
def imports() -> dict[str, set[str]]:
    """For each module those that it imports."""
    names = {module_name(path) for path in PACKAGE.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        own = found.setdefault(module_name(path), set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("plancost"):
                base = (node.module or "").removeprefix("plancost").removeprefix(".")
                for alias in node.names:
                    inner = f"{base}.{alias.name}".removeprefix(".")
                    own.add(inner if inner in names else base)
    return found


def folder_imports() -> set[tuple[str, str]]:
    """Pairs of a folder and another that imports it."""
    pairs = set()
    for module, others in imports().items():
        for other in others:
            one, two = other.partition(".")[0], module.partition(".")[0]
            if one != two and not {one, two} & (EVERYWHERE - {"errors"}):
                pairs.add((one, two))
    return pairs


def reachable(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    found = set(edges)
    while True:
        more = {(a, d) for a, b in found for c, d in edges if b == c} - found
        if not more:
            return found
        found |= more


def test_every_folder_is_in_the_picture() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert folders == {name for pair in arrows(FOLDERS) for name in pair} - {"errors"}


def test_imports_follow_the_arrows() -> None:
    assert folder_imports() <= reachable(arrows(FOLDERS))


def test_every_arrow_is_an_import() -> None:
    assert arrows(FOLDERS) <= folder_imports()


def test_no_arrow_goes_round() -> None:
    assert not {a for a, b in reachable(arrows(FOLDERS)) if a == b}


def test_the_way_of_a_plan_is_made_of_imports() -> None:
    edges = arrows(MODULES)
    named = set(re.findall(r"^ +([\w.]+)\[", MODULES, re.M))
    assert named == {name for pair in edges for name in pair}
    assert len(named) >= 20
    for one, two in edges:
        assert one in imports()[two], f"{two} does not import {one}"


def test_every_module_of_the_core_is_named() -> None:
    words = set(re.findall(r"[\w.]+", PAGE))
    missing = [
        module
        for module in imports()
        if module.partition(".")[0] in CORE
        and not module.endswith("__init__")
        and module.rpartition(".")[2] not in words
        and module.split(".")[:2] != ["observations", "pddl"]
    ]
    assert not missing
