"""The notebooks run, and print what is stored in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat import reads

from support.documents import ROOT

NOTEBOOKS = sorted(ROOT.glob("examples/notebooks/*.ipynb"))
MOST_BYTES = 150_000

Notebook = dict[str, Any]


def executed(notebook: Notebook, folder: Path) -> Notebook:
    """The notebook with new outputs; a cell that fails is an error."""
    found = reads(json.dumps(notebook), as_version=4)  # type: ignore[no-untyped-call]
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(found, timeout=300, iopub_timeout=60, resources=resources)
    return dict(client.execute())


def printed(notebook: Notebook) -> list[str]:
    """What each cell prints and returns, as plain text."""
    return ["".join(map(_text, cell.get("outputs", ()))) for cell in notebook["cells"]]


def _text(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return "".join(output["text"])
    return "".join(output["data"].get("text/plain", ())) if "execution_count" in output else ""


def cells(*sources: str) -> Notebook:
    code: Notebook = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    found = [{**code, "id": f"cell-{n}", "source": text} for n, text in enumerate(sources)]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": found}


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_prints_what_it_shows(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert printed(executed(notebook, path.parent)) == printed(notebook)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text) < MOST_BYTES
    outputs = [cell["outputs"] for cell in json.loads(text)["cells"] if cell.get("outputs")]
    assert len(outputs) >= 5
    assert all(output["output_type"] != "error" for some in outputs for output in some)
    assert f"`{path.name}`" in (path.parent / "README.md").read_text(encoding="utf-8")


BAR = """
import time
from plancost.progress.notebook import NotebookBar, is_notebook
assert is_notebook()
bar = NotebookBar(60)
bar.__enter__()
bar("first objective", 3, 7)
time.sleep(3)
bar("first objective", 4, 7, "4 optimal, at most 7")
time.sleep(3)
"""


@pytest.mark.slow
def test_the_bar_in_a_kernel(tmp_path: Path) -> None:
    found = executed(cells(BAR, "bar.__exit__()", "import plancost; plancost.learn"), tmp_path)
    (shown,) = (output["data"]["text/html"] for output in found["cells"][0]["outputs"])
    assert shown == "", "gone when the work is done"
    first = executed(cells(BAR), tmp_path)
    (shown,) = (output["data"]["text/html"] for output in first["cells"][0]["outputs"])
    assert '<progress value="4" max="7">' in shown and "4 optimal, at most 7" in shown
    assert "keeps the best answer" in shown
