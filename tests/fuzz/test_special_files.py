"""What stands where a file is asked for, but is none: never a hang, never unbounded memory."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.files import input_files
from plancost.monitoring.state import StateFile
from plancost.observations.bounds_files import read_bounds
from plancost.observations.files import read_manifest
from plancost.observations.outside import NamedFolders
from plancost.observations.pddl import read_domain, read_problem
from plancost.observations.planfile import read_plan
from plancost.pictures.coordinates import read_coordinates
from plancost.results.claims import read_learned_costs
from plancost.results.learned import read_learned
from plancost.results.reading import read_result
from plancost.routes.costs import read_costs
from plancost.routes.network import Link, Network
from plancost.routes.read_links import read_network
from plancost.routes.read_trips import read_trips

READERS: dict[str, Callable[[Path], object]] = {
    "domain": read_domain,
    "problem": read_problem,
    "plan": read_plan,
    "manifest": lambda path: read_manifest(path, NamedFolders.of(path)),
    "bounds": read_bounds,
    "costs": read_learned_costs,
    "coordinates": read_coordinates,
    "result": read_result,
    "learned": read_learned,
    "links": read_network,
    "trips": lambda path: read_trips(path, Network((Link("1", "a", "b"),))),
    "costs of links": read_costs,
    "state": lambda path: StateFile(path, {}).load(),
}


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "PATIENCE_S", 0.05)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file(name: str, tmp_path: Path) -> None:
    pipe, large = tmp_path / "pipe", tmp_path / "large"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(10 * 2**30)  # takes no room on the disk
    words = {
        Path("/dev/zero"): "it is a device",
        Path("/dev/null"): "it is a device",
        Path("/dev/tty"): "it is a device|No such device",
        tmp_path: "it is a folder",
        pipe: "nobody writes to this pipe",
        large: "more than 256 MB",
    }
    started = time.monotonic()
    for path, reason in words.items():
        with pytest.raises(InputError, match=f"{path}: cannot read .*({reason})"):
            READERS[name](path)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("name", sorted(set(READERS) - {"state"}))
@pytest.mark.parametrize("file", ["missing", "x" * 300, "a\0b", "p1.plan/below"])
def test_what_is_not_there(name: str, file: str, tmp_path: Path) -> None:
    (tmp_path / "p1.plan").touch()
    with pytest.raises(InputError, match="cannot read"):
        READERS[name](tmp_path / file)


@pytest.mark.parametrize("name", READERS)
def test_brackets_without_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / "deep"
    for bracket in ("(", "[", '{"a":'):
        path.write_text(bracket * 100_000)
        try:
            READERS[name](path)
        except InputError as error:
            assert len(str(error)) < 1200
        else:
            assert name in ("plan", "state")  # put aside; a plan refuses it below
    if name == "plan":
        path.write_text("(" * 100_000)
        with pytest.raises(InputError, match="deep:1: expected one"):
            read_plan(path)


def test_a_pipe_with_a_writer(tmp_path: Path) -> None:
    """As by ``--initial-costs <(command)``, also where the command takes longer than we wait."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("w") as file:
            file.write('{"(a)": 1, ')
            file.flush()
            time.sleep(0.3)
            file.write('"(b)": 2}')

    writer = threading.Thread(target=write)
    writer.start()
    input_files.PATIENCE_S = 10.0  # the fixture puts it back
    assert read_learned_costs(pipe).costs == {"(a)": 1, "(b)": 2}
    writer.join()


def test_a_pipe_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "MOST_BYTES", 2**20)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    over = threading.Event()

    def write() -> None:
        try:
            with pipe.open("wb", buffering=0) as file:
                while not over.is_set():
                    file.write(b"\0" * 4096)
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write)
    writer.start()
    input_files.PATIENCE_S = 10.0
    with pytest.raises(InputError, match="more than 1 MB"):
        read_learned_costs(pipe)
    over.set()
    writer.join()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1,\n "b": NaN}', ":2: NaN is no number that JSON knows"),
        ('{"a": 1,\n "b": -Infinity}', ":2: -Infinity is no number"),
        ('{"1e400": 1,\n "b": 1e400}', ":2: the number 1e400 is too large"),
        ('{"b": ' + "9" * 5000 + "}", ":1: the number 9+... has 5000 digits"),
        ('{"a": 1, "a": 2}', ": 'a' occurs twice in this file"),
        ('{"a": "\\ud800"}', "half of a character"),
        ('{"\\ud800": 1}', "half of a character"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": 1,\n', ":2: this is not JSON"),
    ],
)
def test_json_of_which_nothing_is_lost(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        input_files.parse_json(text, Path("file"))


def test_a_pair_of_surrogates_is_a_character() -> None:
    assert input_files.parse_json('"\\ud83d\\ude00"', Path("file")) == "😀"
