"""Nothing that plancost reads is ever run: a look at the source itself.

The only pickles are those between processes that plancost starts itself (worker processes, over
their own pipes) and those of a Dask cluster, which has to be trusted (docs/cluster.md).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import plancost
from support.sources import as_written

ROOT = Path(plancost.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

NEVER_IMPORTED = {
    *("marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml", "runpy", "code", "codeop"),
    *("pickle", "jsonpickle", "pty", "ctypes", "xmlrpc", "imp", "dbm"),
}
MAY_PICKLE = {"system/worker_process.py", "cluster/piece.py"}
"""Both say in their first lines what they unpickle, and from whom."""
NEVER_CALLED = {
    *("eval", "exec", "compile", "__import__", "input", "breakpoint", "os.system", "os.popen"),
    *("pd.read_pickle", "pandas.eval"),
    *("subprocess.getoutput", "subprocess.getstatusoutput", "os.execv", "os.spawnv"),
}
IMPORTS_BY_NAME = {
    *("__init__.py", "cli/main.py", "solver/cbc.py", "system/memory.py", "system/views.py")
}
"""Each takes the name from a table or a constant of its own."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def wrong(path: Path, text: str) -> Iterator[str]:
    """What a module does that it must not do."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
            )
            for module in modules:
                top = module.partition(".")[0]
                pickles = top == "pickle" and name_of(path) in MAY_PICKLE
                if top in NEVER_IMPORTED and not pickles:
                    yield f"line {node.lineno} imports {module}"
        if isinstance(node, ast.List | ast.Tuple) and "sys.executable" in text:
            words = [ast.unparse(item).lstrip("*(") for item in node.elts]
            for word, following in pairwise([*words, ""]):
                if word == "sys.executable" and not following.startswith("'-P'"):
                    yield f"line {node.lineno} starts a Python that imports from its folder"
        if not isinstance(node, ast.Call):
            continue
        called = as_written(node.func)
        if called in NEVER_CALLED and ast.unparse(node) != "exec('')":
            yield f"line {node.lineno} calls {called}"
        if called in ("np.load", "numpy.load") and "allow_pickle=False" not in ast.unparse(node):
            yield f"line {node.lineno} may unpickle"
        if called.endswith("import_module") and name_of(path) not in IMPORTS_BY_NAME:
            yield f"line {node.lineno} imports by name"
        for keyword in node.keywords:
            is_no = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
            if keyword.arg in ("shell", "allow_pickle") and not is_no:
                yield f"line {node.lineno} says {ast.unparse(keyword)}"


def test_nothing_is_evaluated_or_unpickled() -> None:
    for path in MODULES:
        assert list(wrong(path, path.read_text(encoding="utf-8"))) == [], name_of(path)


@pytest.mark.parametrize(
    "text",
    [
        "eval(text)",
        "import pickle",
        "from pickle import loads",
        "import yaml.constructor",
        "subprocess.run(words, shell=True)",
        "subprocess.run(words, shell=wanted)",
        "np.load(path, allow_pickle=True)",
        "np.load(path)",
        "os.system(text)",
        "importlib.import_module(text)",
        "run([sys.executable, '-m', 'json'])",
    ],
)
def test_the_look_finds_it(text: str) -> None:
    assert len(list(wrong(ROOT / "api.py", text))) >= 1


def test_pickles_have_a_reason() -> None:
    for name in MAY_PICKLE:
        docstring = ast.get_docstring(ast.parse((ROOT / name).read_text(encoding="utf-8")))
        assert docstring is not None and "pickle" in docstring and "trust" in docstring
