"""Other Pythons beside us: they answer, fail, die and leave nothing behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from plancost.errors import PlancostError
from plancost.system.worker_process import WorkerProcess, tell


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_process_calls_methods_of_its_object_and_is_gone_in_the_end() -> None:
    with WorkerProcess() as worker:
        worker.make(list, [3, 1, 2])
        worker.ask("sort")
        assert worker.answer() is None
        worker.ask("index", 3)
        assert worker.answer() == 2
        pid = worker._process.pid
        assert _is_alive(pid)
    assert not _is_alive(pid)


def test_an_error_in_a_worker_process_is_told_and_it_goes_on() -> None:
    with WorkerProcess() as worker:
        worker.make(list, [3])
        worker.ask("index", 7)
        with pytest.raises(PlancostError, match="7 is not in list"):
            worker.answer()
        worker.ask("index", 3)
        assert worker.answer() == 0


def test_a_dead_worker_process_is_an_error_and_not_a_hang() -> None:
    with WorkerProcess() as worker:
        worker.make(list, [3])
        worker.ask("index", 3)
        assert worker.answer() == 0
        os.killpg(worker._process.pid, signal.SIGKILL)
        with pytest.raises(PlancostError, match="has died"):
            worker.ask("index", 3)
            worker.answer()


def test_a_worker_process_imports_nothing_from_the_folder_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pickle", "contextlib", "plancost"):
        (tmp_path / f"{name}.py").write_text("open('owned', 'w')")
    monkeypatch.chdir(tmp_path)
    with WorkerProcess() as worker:
        worker.make(list, [3])
        worker.ask("index", 3)
        assert worker.answer() == 0
    assert not (tmp_path / "owned").exists()


def test_what_it_tells_is_heard_before_its_answer() -> None:
    heard: list[str] = []
    with WorkerProcess() as worker:
        worker.make(import_module, "plancost.system.worker_process")
        worker.ask("tell", "wait")
        assert worker.answer(heard.append) is None
    tell("nobody")  # outside of a worker process nothing happens
    assert heard == ["wait"]


@pytest.mark.parametrize("end", [WorkerProcess.interrupt, WorkerProcess.kill])
def test_ended_in_the_middle_it_is_an_error(end: Callable[[WorkerProcess], None]) -> None:
    """Unless its object is prepared for a signal."""
    with WorkerProcess() as worker:
        worker.make(import_module, "time")
        worker.ask("monotonic")
        assert worker.answer() > 0
        worker.ask("sleep", 60)
        end(worker)
        with pytest.raises(PlancostError, match="has died"):
            worker.answer()
