"""``plancost explore`` and ``plancost routes explore`` as programs."""

from __future__ import annotations

import builtins
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from plancost.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "examples"
TOWN = EXAMPLES / "town"
RIVER = EXAMPLES / "riverside-town"
SOON_S = 60.0


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("town") / "RESULT.json"
    assert main(["learn", str(TOWN), "--output", str(path), "--quiet"]) == 0
    return path


@contextmanager
def served(*words: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program, and the address that it prints; at the end it must have ended."""
    command = [sys.executable, "-m", "plancost.cli.main", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            line = program.stdout.readline()
            assert line.startswith("Open http://127.0.0.1:")
            yield program, line.split()[-1]
            assert program.wait(SOON_S) is not None
        finally:
            program.kill()


def asked(address: str, **words: object) -> dict[str, object]:
    """The state after a question was answered."""
    body = json.dumps(words).encode()
    request = Request(f"{address}ask", body, {"Content-Type": "application/json"})
    urlopen(request, timeout=SOON_S).close()
    ends = time.monotonic() + SOON_S
    while time.monotonic() < ends:
        with urlopen(f"{address}state", timeout=SOON_S) as answer:
            state: dict[str, object] = json.load(answer)
        if not state["running"]:
            return state
        time.sleep(0.05)
    raise AssertionError("no answer")


def processes_of(group: int) -> list[str]:
    """The children of a process."""
    found = Path(f"/proc/{group}/task").glob("*/children")
    return [word for file in found for word in file.read_text().split()]


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_ctrl_c_leaves_nothing_behind(result: Path, number: signal.Signals) -> None:
    with served("explore", TOWN, result) as (program, address):
        state = asked(address, version=1, do="bound", action=0, least=7, greatest=7)
        assert state["isAnswered"]
        children = processes_of(program.pid) if Path("/proc/self/task").exists() else []
        program.send_signal(number)
        assert program.wait(SOON_S) == (0 if number is signal.SIGINT else 143)
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(int(child), 0)


@pytest.mark.slow
def test_streets(tmp_path: Path) -> None:
    path = tmp_path / "RESULT.json"
    files = [str(RIVER / "links.csv"), str(RIVER / "trips.csv")]
    words = ["--initial", "minutes", "--groups", "1", "--time-limit", "25", "--quiet"]
    words += ["--output", str(path)]
    assert main(["routes", "learn", *files, *words]) == 0
    costs = json.loads(path.read_text())["costs"]
    with served("routes", "explore", *files, path) as (program, address):
        state = asked(address, version=1, do="bound", action=0, least=70, greatest=70)
        line = str(state["command"])
        assert state["isAnswered"] and line.startswith("plancost routes learn ")
        assert f"--fix={min(costs)}=" in line and "--initial minutes" in line
        with urlopen(address, timeout=SOON_S) as page:
            assert b"Ask again" in page.read()
        program.send_signal(signal.SIGINT)


def test_without_the_extra(
    result: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = builtins.__import__

    def without(name: str, *more: object, **others: object) -> object:
        if name.split(".")[0] in ("starlette", "uvicorn"):
            raise ModuleNotFoundError(name)
        return original(name, *more, **others)  # type: ignore[arg-type]

    for name in [name for name in sys.modules if name.startswith("plancost.explore.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    assert main(["explore", str(TOWN), str(result)]) == 2
    said = capsys.readouterr().err
    assert said == (
        "plancost: explore needs starlette and uvicorn: run 'pip install plancost[explore]'\n"
    )


def test_what_it_is_not_for(
    tmp_path: Path, result: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "groups.json"
    words = ["--groups", "2", "--output", str(path), "--quiet"]
    assert main(["learn", str(TOWN), *words]) == 0
    assert main(["explore", str(TOWN), str(path)]) == 2
    assert "this result has several groups" in capsys.readouterr().err
    assert main(["explore", str(EXAMPLES / "savings"), str(result)]) == 1
    assert "RESULT.json: " in capsys.readouterr().err
    assert main(["explore", str(TOWN), str(result), "--port", "70000"]) == 2
