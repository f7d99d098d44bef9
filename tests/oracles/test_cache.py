"""The cache keeps what is worth most, and is never an error."""

from __future__ import annotations

import gzip
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from plancost.observations.planfile import Plan
from plancost.oracles.cache import CachedPlans, PlanCache, default_directory
from plancost.oracles.downward_family import Planner

SAS = "begin_version\n3\nend_version\n"
FIRST: Plan = ("(move a b)", "(move b c)")
SECOND: Plan = ("(move a c)",)


def files(directory: Path) -> list[Path]:
    return sorted(directory.iterdir())


def test_what_was_stored_comes_back(tmp_path: Path) -> None:
    directory = tmp_path / "not" / "there" / "yet"
    PlanCache(directory).store(SAS, [FIRST, SECOND, ()], complete=False)
    assert PlanCache(directory).load(SAS) == CachedPlans((FIRST, SECOND, ()), complete=False)


def test_no_plans_at_all_are_worth_keeping(tmp_path: Path) -> None:
    PlanCache(tmp_path).store(SAS, [], complete=True)
    assert PlanCache(tmp_path).load(SAS) == CachedPlans((), complete=True)


def test_another_task_is_another_entry(tmp_path: Path) -> None:
    cache = PlanCache(tmp_path)
    cache.store(SAS, [FIRST], complete=True)
    assert cache.load(SAS + "1\n") is None


def test_another_symk_is_another_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = PlanCache(tmp_path)
    cache.store(SAS, [FIRST], complete=True)
    monkeypatch.setattr(Planner, "version", lambda self: "99")
    assert cache.load(SAS) is None
    monkeypatch.setattr(Planner, "version", lambda self: None)
    assert cache.load(SAS) is None


def test_the_largest_request_is_kept(tmp_path: Path) -> None:
    cache = PlanCache(tmp_path)
    cache.store(SAS, [FIRST, SECOND], complete=False)
    cache.store(SAS, [FIRST], complete=False)
    assert cache.load(SAS) == CachedPlans((FIRST, SECOND), complete=False)
    cache.store(SAS, [FIRST, SECOND], complete=True)
    assert cache.load(SAS) == CachedPlans((FIRST, SECOND), complete=True)
    cache.store(SAS, [FIRST, SECOND, ()], complete=False)
    assert cache.load(SAS) == CachedPlans((FIRST, SECOND), complete=True)


def test_none_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cache = PlanCache(None)
    cache.store(SAS, [FIRST], complete=True)
    assert cache.load(SAS) is None
    assert files(tmp_path) == []


def packed(content: object) -> bytes:
    return gzip.compress(json.dumps(content).encode(), mtime=0)


GOOD = {"format": 1, "count": 1, "complete": True, "plans": [["(move a b)"]]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no gzip at all",
        packed(GOOD)[:-9],
        packed(GOOD)[:20] + bytes(20) + packed(GOOD)[40:],
        gzip.compress(b"\xff\xfe"),
        gzip.compress(b"[" * 100_000),
        packed([]),
        packed("text"),
        packed({}),
        packed(GOOD | {"format": 2}),
        packed(GOOD | {"count": 2}),
        packed(GOOD | {"plans": 3}),
        packed(GOOD | {"plans": [4]}),
    ],
    ids=map(str, range(13)),
)
def test_a_damaged_file_is_no_file(content: bytes, tmp_path: Path) -> None:
    cache = PlanCache(tmp_path)
    cache.store(SAS, [FIRST], complete=False)
    (path,) = files(tmp_path)
    path.write_bytes(content)
    assert cache.load(SAS) is None
    cache.store(SAS, [FIRST], complete=False)
    assert cache.load(SAS) == CachedPlans((FIRST,), complete=False)


def test_a_directory_in_the_place_of_the_file(tmp_path: Path) -> None:
    cache = PlanCache(tmp_path)
    cache.store(SAS, [FIRST], complete=False)
    (path,) = files(tmp_path)
    path.unlink()
    path.mkdir()
    cache.store(SAS, [FIRST], complete=False)
    assert cache.load(SAS) is None
    assert files(tmp_path) == [path]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for directory in (tmp_path / "file", tmp_path / "file" / "below"):
        cache = PlanCache(directory)
        cache.store(SAS, [FIRST], complete=True)
        assert cache.load(SAS) is None


def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", interrupt)
    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        PlanCache(tmp_path).store(SAS, [FIRST], complete=True)
    assert files(tmp_path) == []


def test_many_writers_at_once(tmp_path: Path) -> None:
    cache = PlanCache(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            pool.submit(cache.store, SAS, [FIRST] * number, complete=False)
    found = cache.load(SAS)
    assert found is not None
    assert set(found.plans) == {FIRST}
    assert len(files(tmp_path)) == 1


def test_the_files_not_used_for_the_longest_time_go_first(tmp_path: Path) -> None:
    cache = PlanCache(tmp_path)
    texts = [f"task {number}" for number in range(6)]
    noise = [f"({os.urandom(64).hex()})" for _ in range(20)]
    for number, text in enumerate(texts):
        cache.store(text, [tuple(noise)], complete=False)
        for path in tmp_path.iterdir():
            os.utime(path, (number, path.stat().st_mtime - 1000))
    size = max(path.stat().st_size for path in tmp_path.iterdir())
    assert cache.load(texts[0]) is not None  # used now
    PlanCache(tmp_path, largest_bytes=3 * size + 10).store("new", [tuple(noise)], complete=False)
    kept = [text for text in [*texts, "new"] if cache.load(text) is not None]
    assert kept == [texts[0], texts[5], "new"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x" * 10_000)
    (tmp_path / "photo.gz").write_text("x" * 10_000)
    forgotten, recent = tmp_path / ".writing-old", tmp_path / ".writing-new"
    forgotten.touch()
    recent.touch()
    os.utime(forgotten, (time.time() - 7200,) * 2)
    PlanCache(tmp_path, largest_bytes=1).store(SAS, [FIRST], complete=True)
    assert {path.name for path in files(tmp_path)} == {"thesis.txt", "photo.gz", recent.name}


def test_the_default_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANCOST_CACHE", "/chosen")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert default_directory() == Path("/chosen")
    monkeypatch.delenv("PLANCOST_CACHE")
    assert default_directory() == Path("/xdg/plancost")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert default_directory() == Path("/home/somebody/.cache/plancost")

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert default_directory() is None
