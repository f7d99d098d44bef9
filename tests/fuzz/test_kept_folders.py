"""Folders that a command resumes from: what is damaged is done again or refused, never believed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.experiments import figure1
from plancost.experiments.layout import Layout
from plancost.experiments.plan import Run
from plancost.files.checksum import CHECKSUM
from plancost.files.kept_files import DAMAGED
from plancost.observations.case import Task
from plancost.oracles.alternatives import Alternatives, find_alternatives
from support.fuzzing import check, examples, ground_once
from support.mutations import mutated_file, mutated_json
from support.studies import tiny_study

GENERATE = ("generate", "grid", "--side", 3, "--problems", 2, "--plans", 3, "--sizes", 2)
REPRODUCE = ("reproduce", "table3", "--scale", "smoke", "--jobs", 1, "--quiet")
FIGURE_1 = ("reproduce", "figure1", "--quiet")


class Planner:
    """SymK, but the same question only once."""

    known: ClassVar[dict[tuple[str, int | None], Alternatives]] = {}

    def __call__(
        self,
        task: Task,
        costs: dict[str, int],
        count: int | None,
        **options: Any,  # noqa: ANN401 (whatever the planner takes)
    ) -> Alternatives:
        key = (task.key, count)
        if key not in self.known:
            self.known[key] = find_alternatives(task, costs, count, **options)
        return self.known[key]


@dataclass
class Kept:
    """A folder as a command left it, and the command that resumes from it."""

    folder: Path
    words: tuple[object, ...]
    whole: Path
    files: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.go_on() == 0
        shutil.copytree(self.folder, self.whole)
        self.files = self.now()

    def go_on(self) -> int:
        """The same command again."""
        return check([*self.words, "--output", self.folder]).status

    def now(self) -> dict[str, bytes]:
        """All files, by their names."""
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths}

    def restore(self) -> None:
        """As it was in the beginning."""
        for path in self.folder.rglob(f"*{DAMAGED}"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, data in self.files.items():
            path = self.folder / name
            if path.is_dir():
                path.rmdir()
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)

    def damage(self, name: str, how: bytes | str) -> None:
        """Other bytes, no file, or a folder in its place."""
        path = self.folder / name
        if isinstance(how, bytes):
            path.write_bytes(how)
            return
        path.unlink()
        if how == "folder":
            path.mkdir()


Damage = tuple[str, bytes | str]


@st.composite
def damages(draw: st.DrawFn, files: dict[str, bytes]) -> Damage:
    """One of the files, and what becomes of it."""
    name = draw(st.sampled_from(sorted(files)))
    text = files[name].decode("utf-8", "replace")
    kinds = [mutated_file(text), mutated_file(text), st.sampled_from(["gone", "folder", b""])]
    if name.endswith(".json"):
        kinds = [mutated_json(json.loads(text)), *kinds[1:]]
    return name, draw(st.one_of(*kinds))


def fuzz(kept: Kept, files: dict[str, bytes], use: Callable[[Damage], object], usual: int) -> None:
    @examples(usual)
    @given(damages(files))
    def go(damage: Damage) -> None:
        kept.restore()
        kept.damage(*damage)
        use(damage)

    go()


@pytest.fixture
def planner(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Planner()
    for module in ("generators.pools", "experiments.listings"):
        monkeypatch.setattr(f"plancost.{module}.ground", ground_once)
        monkeypatch.setattr(f"plancost.{module}.find_alternatives", found)


@pytest.fixture
def pool(planner: None, tmp_path: Path) -> Kept:
    return Kept(tmp_path / "pool", (*GENERATE, "--tasks", 1, "--quiet"), tmp_path / "whole")


def test_a_pool(pool: Kept) -> None:
    """Files are written again; a record that was changed is refused, and nothing is touched."""
    statuses = []

    def use(damage: Damage) -> None:
        name, how = damage
        before = pool.now()
        status = pool.go_on()
        statuses.append(status)
        if status == 0:
            assert {**pool.now(), "pool.json": b""} == {**pool.files, "pool.json": b""}, damage
        else:
            assert status == 1
            assert pool.now() == before
            assert name == "pool.json" or how == "folder"

    fuzz(pool, pool.files, use, 25)
    assert set(statuses) == {0, 1}


def unsealed(data: bytes) -> bytes:
    """A record as it was before there were checksums."""
    content = json.loads(data)
    del content[CHECKSUM]
    return json.dumps({**content, "format": 1}).encode()


def test_the_record_of_an_older_pool(pool: Kept) -> None:
    record = unsealed(pool.files["pool.json"])
    pool.damage("pool.json", record)
    assert pool.go_on() == 0
    fuzz(pool, {"pool.json": record}, lambda _: pool.go_on(), 15)


def fake_run(run: Run, layout: Layout, listings: object) -> dict[str, Any]:
    """What becomes of a run; always the same."""
    assert layout.manifest(run).is_file()
    return {"status": "solved", "reason": None, "plans": run.size, "optimal_plans": 2,
            "proved": run.row == "exact", "seconds": {"total": 1.0}, "stages": {}}  # fmt: skip


@pytest.fixture
def study(planner: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """A study without drawings, which take a second each."""
    monkeypatch.setattr("plancost.experiments.plan.study_of", lambda *_, **__: tiny_study())
    monkeypatch.setattr("plancost.experiments.reproduce.do_run", fake_run)
    monkeypatch.setattr("plancost.experiments.reports.draw_seconds", lambda *_: [])
    return Kept(tmp_path / "study", REPRODUCE, tmp_path / "whole")


def records_of(kept: Kept) -> dict[str, bytes]:
    return {name: data for name, data in kept.files.items() if name.startswith("records/")}


def test_records(study: Kept) -> None:
    """Put aside, done again, and the same report."""
    records = records_of(study)
    assert len(records) == 3 + 2
    waiting = next(name for name in records if "-mcf-10-" in name)

    def use(damage: Damage) -> None:
        name, how = damage
        if "alternatives" in name:  # nobody reads it unless a run waits for it
            study.damage(waiting, "gone")
        assert study.go_on() == 0
        report = {key: data for key, data in study.now().items() if key.startswith("tables/")}
        assert report == {key: study.files[key] for key in report}, damage
        aside = study.folder / f"{name}{DAMAGED}"
        same = isinstance(how, bytes) and json.loads(study.files[name]) == content_of(how)
        assert how == "gone" or aside.exists() != same, damage

    fuzz(study, records, use, 25)


def content_of(data: bytes) -> Any:  # noqa: ANN401 (any JSON)
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def test_records_without_a_checksum(study: Kept) -> None:
    records = {name: unsealed(data) for name, data in records_of(study).items()}
    waiting = next(name for name in records if "-mcf-10-" in name)

    def use(damage: Damage) -> None:
        if "alternatives" in damage[0]:
            study.damage(waiting, "gone")
        assert study.go_on() == 0
        assert check([*REPRODUCE, "--report-only", "--output", study.folder]).status == 0

    fuzz(study, records, use, 25)


def test_all_else_in_the_folder_of_a_study(study: Kept) -> None:
    """Pools, the cache of plans, and reports."""
    others = {name: data for name, data in study.files.items() if name not in records_of(study)}
    assert any(name.startswith("cache/") for name in others)
    fuzz(study, others, lambda _: study.go_on(), 15)


def test_figure_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(side: str, _: Layout) -> dict[str, Any]:
        return {"status": "solved", "reason": None, "plans": 3, "optimal_plans": 3, "proved": True,
                "routes": figure1.ROUTES[side], "costs": {"(move x0y0 x0y1)": 2},
                "seconds": {"total": 1.0}}  # fmt: skip

    def draw(sides: dict[str, Any], _: Path) -> list[Path]:
        for content in sides.values():
            figure1.alignment_scene(content)
        return []

    monkeypatch.setattr(figure1, "_learn", learn)
    monkeypatch.setattr("plancost.experiments.reports.draw_alignment", draw)
    kept = Kept(tmp_path / "figure", FIGURE_1, tmp_path / "whole")
    assert len(kept.files) == 2
    records = {name: unsealed(data) for name, data in kept.files.items()}

    def use(_: Damage) -> None:
        assert kept.go_on() == 0

    fuzz(kept, records, use, 25)
