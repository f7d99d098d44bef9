"""The machine under plancost: disks that are full, a clock that is set, two processes at once."""

from __future__ import annotations

import errno
import itertools
import json
import os
import re
import threading
import time
from pathlib import Path

import pytest

import plancost
from plancost import Case, LearnOptions, Result
from plancost.files import atomic
from plancost.files.atomic import UNFINISHED
from plancost.oracles.cache import PlanCache
from support.command import in_process, installed

SOURCE = Path(plancost.__file__).parent
FULL = "No space left on device"


class FullDisk:
    """A disk that is full from one write on, or in one place only."""

    def __init__(self, patch: pytest.MonkeyPatch, first: int = 0, only: str = "") -> None:
        self.writes = 0
        self.first, self.only = first, only
        self.fill = atomic._fill
        patch.setattr(atomic, "_fill", self)

    def __call__(self, handle: int, *arguments: object, **named: object) -> None:
        place = str(Path(f"/proc/self/fd/{handle}").readlink())
        self.writes += 1
        if self.writes > self.first and self.only in place:
            os.close(handle)
            raise OSError(errno.ENOSPC, FULL)
        self.fill(handle, *arguments, **named)  # type: ignore[arg-type]


def content_of(path: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads(path.read_text())
    return content


def test_a_disk_that_gets_full_at_each_write(
    example_1: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Result, proof, PDDL: the answer is kept where there is room, and a sentence says where."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def learn(folder: Path) -> tuple[int, str, str]:
        folder.mkdir()
        words = ["--output", folder / "r.json", "--certificate", folder / "proof.json"]
        words += ["--pddl-out", folder / "pddl", "--no-checkpoint", "--jobs", "1"]
        done = in_process(capsys, "learn", example_1, *words)
        return done.returncode, done.stdout, done.stderr

    with monkeypatch.context() as patch:
        enough = FullDisk(patch, first=10**9)
        assert learn(tmp_path / "enough")[0] == 0
    right = content_of(tmp_path / "enough" / "r.json")
    assert enough.writes == 5
    kept_in = set()
    for first in range(enough.writes):
        folder = tmp_path / f"full-{first}"
        with monkeypatch.context() as patch:
            FullDisk(patch, first, only=folder.name)
            status, out, err = learn(folder)
        assert status == 1 and "optimal plans" in out, err
        assert all(re.match(r"plancost: \S+: cannot ", line) for line in err.splitlines()), err
        assert FULL in err and "Traceback" not in err
        kept = re.search(r"the result is kept in (\S+)", err)
        kept_in.add("another place" if kept else "its place")
        found = content_of(Path(kept[1]) if kept else folder / "r.json")
        assert found["costs"] == right["costs"]
        assert found["optimal_plans"] == right["optimal_plans"]
        assert not list(folder.rglob(f"{UNFINISHED}*"))
    assert kept_in == {"its place", "another place"}


CASES: list[Case] = []


@pytest.fixture
def case(example_1: Path) -> Case:
    """Loaded once: grounding takes longer than the tests."""
    if not CASES:
        CASES.append(plancost.load_case(example_1))
    return CASES[0]


def claims(result: Result) -> tuple[object, ...]:
    return result.optimal_plans, result.upper_bound, result.secondary, dict(result.costs)


def test_a_full_disk_for_checkpoints_is_only_a_note(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = plancost.learn(case, LearnOptions(jobs=1))
    disk = FullDisk(monkeypatch, only="kept")
    options = LearnOptions(jobs=1, checkpoint=tmp_path / "kept", checkpoint_every_s=0.0)
    result = plancost.learn(case, options)
    assert disk.writes and claims(result) == claims(right) and result.is_complete
    (note,) = (note for note in result.notes if "no checkpoint" in note)
    assert FULL in note
    assert not list(tmp_path.rglob(f"{UNFINISHED}*"))


def test_a_full_disk_for_the_cache_is_never_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FullDisk(monkeypatch, only="cache")
    cache = PlanCache(tmp_path / "cache")
    cache.store("task", [("(move a b)",)], complete=True)
    assert disk.writes and cache.load("task") is None
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_clock_that_is_set_while_learning(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By ten years, back and forth: limits, checkpoints and seconds go by another clock."""
    right = plancost.learn(case, LearnOptions(jobs=1))
    jumps = itertools.cycle([0.0, 3e8, -3e8, 7200.0])
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    kept = tmp_path / "kept"
    options = LearnOptions(jobs=1, time_limit_s=600.0, checkpoint=kept, checkpoint_every_s=0.0)
    result = plancost.learn(case, options)
    assert claims(result) == claims(right) and result.is_complete
    assert 0.0 <= result.seconds["total"] < 600.0


def test_a_clock_that_is_set_keeps_what_is_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    for hours in (0, 24 * 3650, -24 * 3650, 2):
        monkeypatch.setattr(time, "time", lambda: real() + 3600 * hours)  # noqa: B023
        cache = PlanCache(tmp_path)
        cache.store(f"task {hours}", [("(move a b)",)], complete=True)
    assert all(PlanCache(tmp_path).load(f"task {h}") for h in (0, 24 * 3650, -24 * 3650, 2))


TIME_OF_DAY = re.compile(
    r"\btime\.(time|time_ns|localtime|gmtime|ctime)\(|\.(now|today|utcnow)\(|from time import"
)


def test_nothing_but_the_age_of_files_goes_by_the_time_of_day() -> None:
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if TIME_OF_DAY.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"oracles/cache.py"}


@pytest.mark.slow
def test_two_processes_with_one_cache_and_one_checkpoint_folder(
    example_1: Path, example_2: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same question twice and another one, all at once, three times."""
    monkeypatch.setenv("PLANCOST_CACHE", str(tmp_path / "cache"))
    shared = ["--checkpoint", tmp_path / "kept", "--checkpoint-every", "0.0001", "--json"]
    questions = [
        [example_1, *shared],
        [example_1, *shared],
        [example_2, *shared],
        [example_1, "--alternatives", "5", "--json"],
        [example_1, "--alternatives", "3", "--json"],
    ]
    right = [json.loads(installed("learn", *words).stdout)["costs"] for words in questions]
    for _ in range(3):
        found: dict[int, object] = {}

        def learn(number: int) -> None:
            done = installed("learn", *questions[number])
            assert done.returncode == 0, done.stderr
            found[number] = json.loads(done.stdout)["costs"]  # noqa: B023

        threads = [threading.Thread(target=learn, args=(n,)) for n in range(len(questions))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [found.get(number) for number in range(len(questions))] == right
        assert not list(tmp_path.rglob(f"{UNFINISHED}*"))
        assert not list(tmp_path.rglob("*.damaged"))
        assert not (tmp_path / "kept").exists()
