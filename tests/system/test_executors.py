"""The executor of this machine, and that nobody pays for the other one."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import plancost
from plancost.system.executors import LocalExecutor
from plancost.system.processes import Ending, Limits
from plancost.system.workers import Workers
from support import pieces
from support.command import in_process

EXAMPLE = Path(__file__).parents[2] / "examples" / "avoid-the-centre"


def test_results_come_in_the_order_of_the_items() -> None:
    executor = LocalExecutor(3)
    with Workers(executor.width) as pool:
        squares = pool.map(lambda n: executor.run(partial(pieces.square, n), Limits()), range(9))
        assert list(squares) == [number * number for number in range(9)]


def test_a_piece_of_work_keeps_its_limits(tmp_path: Path) -> None:
    finished = LocalExecutor().run(partial(pieces.sleep, 60, tmp_path), Limits(time_s=0.2))
    assert finished.ending is Ending.OUT_OF_TIME


def test_dask_is_loaded_only_for_a_cluster() -> None:
    imports = "import sys, plancost.api.learn, plancost.cli.parser"
    code = f"{imports}; sys.exit('distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("command", ["learn", "verify", "explain"])
def test_without_dask_one_sentence_says_what_to_install(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for name in [name for name in sys.modules if name.startswith("plancost.cluster.")]:
        monkeypatch.delitem(sys.modules, name)
    file = tmp_path / "costs.json"
    file.write_text("{}")
    costs = [] if command == "learn" else [file]
    done = in_process(capsys, command, EXAMPLE, *costs, "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 7
    assert done.stderr == "plancost: Dask is not installed: run 'pip install plancost[cluster]'\n"


def test_a_cluster_error_is_an_error_of_ours() -> None:
    assert issubclass(plancost.ClusterError, plancost.PlancostError)
