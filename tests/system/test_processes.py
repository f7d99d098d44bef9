"""Child processes: every way to end, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from plancost.errors import PlancostError
from plancost.system.processes import Ending, Finished, Limits, run, usable_cores

PROMPT_S = 5.0
"""Far more than anything here should take, for machines under load."""

UNLIMITED = Limits()
SLEEPING_GRANDCHILD = 'sleep 60 & echo $! > "$PIDFILE"; '


def shell(
    script: str, directory: Path, limits: Limits = UNLIMITED, stop: threading.Event | None = None
) -> Finished:
    text = script.replace("$PIDFILE", str(directory / "grandchild"))
    return run(["/bin/sh", "-c", text], directory=directory, limits=limits, stop=stop)


def wait_for(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PROMPT_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def grandchild_is_gone(directory: Path) -> bool:
    pid = int((directory / "grandchild").read_text())
    return wait_for(lambda: not is_running(pid))


def children() -> set[int]:
    """Our own children, zombies too."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a thread that has just ended
            found.update(map(int, (task / "children").read_text().split()))
    return found


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No child, no zombie and no open file remains."""
    before = children(), open_files()
    yield
    assert (children(), open_files()) == before


def test_exit_code_and_merged_output(tmp_path: Path) -> None:
    finished = shell("echo out; echo err >&2; exit 7", tmp_path)
    assert finished.ending is Ending.EXITED
    assert (finished.exit_code, finished.signal) == (7, None)
    assert finished.output.split() == ["out", "err"]
    assert 0 < finished.seconds < PROMPT_S


def test_runs_in_its_directory_and_reads_its_input(tmp_path: Path) -> None:
    (tmp_path / "input").write_text("hello")
    finished = run(["/bin/sh", "-c", "pwd; cat"], directory=tmp_path, stdin=tmp_path / "input")
    assert finished.output.split() == [str(tmp_path), "hello"]


def test_no_input_is_an_empty_one(tmp_path: Path) -> None:
    assert run(["cat"], directory=tmp_path).output == ""


def test_death_by_a_signal_that_is_not_ours(tmp_path: Path) -> None:
    finished = shell("kill -SEGV $$", tmp_path)
    assert finished.ending is Ending.KILLED
    assert (finished.exit_code, finished.signal) == (None, signal.SIGSEGV)


def test_out_of_time(tmp_path: Path) -> None:
    finished = shell("echo begun; sleep 60", tmp_path, Limits(time_s=0.2))
    assert finished.ending is Ending.OUT_OF_TIME
    assert finished.exit_code is None
    assert finished.output == "begun\n"
    assert 0.2 <= finished.seconds < PROMPT_S


def test_long_silence_counts_as_out_of_time(tmp_path: Path) -> None:
    finished = shell("echo begun; sleep 60", tmp_path, Limits(silence_s=0.2))
    assert finished.ending is Ending.OUT_OF_TIME
    assert 0.2 <= finished.seconds < PROMPT_S


def test_silence_may_be_as_long_as_the_time_before_it(tmp_path: Path) -> None:
    talk = "for i in 1 2 3 4 5 6; do sleep 0.1; echo $i; done; sleep 0.4; exit 6"
    finished = shell(talk, tmp_path, Limits(silence_s=0.3))
    assert (finished.ending, finished.exit_code) == (Ending.EXITED, 6)


def test_a_child_that_ignores_sigterm_dies(tmp_path: Path) -> None:
    finished = shell('trap "" TERM; while :; do sleep 0.05; done', tmp_path, Limits(time_s=0.2))
    assert finished.ending is Ending.OUT_OF_TIME
    assert finished.seconds < PROMPT_S


def test_a_grandchild_dies_with_its_parent(tmp_path: Path) -> None:
    finished = shell(SLEEPING_GRANDCHILD + "wait", tmp_path, Limits(time_s=0.2))
    assert finished.ending is Ending.OUT_OF_TIME
    assert grandchild_is_gone(tmp_path)


def test_a_grandchild_that_ignores_sigterm_dies(tmp_path: Path) -> None:
    stubborn = '(trap "" TERM; while :; do sleep 0.05; done) & echo $! > "$PIDFILE"; wait'
    assert shell(stubborn, tmp_path, Limits(time_s=0.2)).ending is Ending.OUT_OF_TIME
    assert grandchild_is_gone(tmp_path)


def test_a_grandchild_that_outlives_its_parent_dies(tmp_path: Path) -> None:
    # It holds the output open, and must not keep us waiting for its end.
    finished = shell(SLEEPING_GRANDCHILD + "exit 3", tmp_path)
    assert (finished.ending, finished.exit_code) == (Ending.EXITED, 3)
    assert finished.seconds < PROMPT_S
    assert grandchild_is_gone(tmp_path)


def test_a_flood_of_output_is_cut_to_its_end(tmp_path: Path) -> None:
    program = "import sys\nfor i in range(20000): print('x' * 40, i)\nprint('the end')"
    finished = run([sys.executable, "-c", program], directory=tmp_path)
    assert finished.ending is Ending.EXITED
    assert finished.output.endswith("x 19999\nthe end\n")
    assert len(finished.output) == 65536


def test_an_endless_flood_ends_in_time(tmp_path: Path) -> None:
    finished = run(["yes"], directory=tmp_path, limits=Limits(time_s=0.3))
    assert finished.ending is Ending.OUT_OF_TIME
    assert len(finished.output) <= 65536
    assert finished.seconds < PROMPT_S


def test_a_flooding_grandchild_does_not_keep_us(tmp_path: Path) -> None:
    finished = shell('yes & echo $! > "$PIDFILE"; exit 0', tmp_path)
    assert finished.ending is Ending.EXITED
    assert grandchild_is_gone(tmp_path)


def test_output_that_is_not_text(tmp_path: Path) -> None:
    assert shell("printf 'a\\377b'", tmp_path).output == "a�b"


def test_a_closed_output_is_not_the_end(tmp_path: Path) -> None:
    finished = shell("exec >&- 2>&-; sleep 0.1; exit 5", tmp_path)
    assert finished.exit_code == 5
    assert finished.seconds >= 0.1


def test_stop(tmp_path: Path) -> None:
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    finished = shell(SLEEPING_GRANDCHILD + "wait", tmp_path, stop=stop)
    timer.join()
    assert finished.ending is Ending.STOPPED
    assert finished.seconds < PROMPT_S
    assert grandchild_is_gone(tmp_path)


def test_nothing_starts_when_it_is_too_late(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert shell("touch started", tmp_path, stop=stop).ending is Ending.STOPPED
    assert shell("touch started", tmp_path, Limits(time_s=0)).ending is Ending.OUT_OF_TIME
    assert shell("touch started", tmp_path, Limits(time_s=-1)).ending is Ending.OUT_OF_TIME
    assert not (tmp_path / "started").exists()


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals need it"
)
def test_ctrl_c_ends_the_group(tmp_path: Path) -> None:
    def interrupt() -> None:
        wait_for((tmp_path / "grandchild").exists)
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        shell(SLEEPING_GRANDCHILD + "wait", tmp_path)
    thread.join()
    assert grandchild_is_gone(tmp_path)


def test_the_memory_limit_holds(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "x = bytearray(400 * 2**20); print('enough')"]
    finished = run(program, directory=tmp_path, limits=Limits(memory_mb=200))
    assert finished.ending is Ending.EXITED
    assert finished.exit_code == 1
    assert "MemoryError" in finished.output
    finished = run(program, directory=tmp_path, limits=Limits(memory_mb=2000))
    assert (finished.exit_code, finished.output) == (0, "enough\n")


def test_arguments_survive_the_memory_limit(tmp_path: Path) -> None:
    words = ["a b", "$HOME", "'", '"', "*", ""]
    finished = run(
        ["/usr/bin/printf", "[%s]", *words], directory=tmp_path, limits=Limits(memory_mb=500)
    )
    assert finished.output == "".join(f"[{word}]" for word in words)


@pytest.mark.parametrize("limits", [Limits(), Limits(memory_mb=500)])
def test_a_program_that_is_not_there(tmp_path: Path, limits: Limits) -> None:
    with pytest.raises(PlancostError, match="cannot start /no/such/program"):
        run(["/no/such/program"], directory=tmp_path, limits=limits)


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"\x7fELF?")
    (tmp_path / "empty").chmod(0o755)
    with pytest.raises(PlancostError, match="cannot start"):
        run([str(tmp_path / "empty")], directory=tmp_path)


def test_many_threads_at_once(tmp_path: Path) -> None:
    def count(number: int) -> int | None:
        return shell(f"echo {number}; exit {number}", tmp_path, Limits(10, 500)).exit_code

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count, range(40))) == list(range(40))


def test_the_end_is_noticed_at_once(tmp_path: Path) -> None:
    fastest = min(
        run(["/bin/true"], directory=tmp_path, stop=threading.Event()).seconds for _ in range(20)
    )
    assert fastest < 0.03  # measured: 0.001


def test_without_pidfd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int) -> int:
        raise OSError

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    finished = shell("echo one; sleep 0.05; echo two; exit 4", tmp_path)
    assert (finished.exit_code, finished.output) == (4, "one\ntwo\n")
    assert shell("sleep 60", tmp_path, Limits(time_s=0.1)).ending is Ending.OUT_OF_TIME


def test_cores_that_the_process_may_not_use_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 7}, raising=False)
    assert usable_cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1
