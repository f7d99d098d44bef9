"""A killed run is resumed, and ends with the same proven result; damage is never trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn, remove_checkpoints
from plancost.learning.checkpoint.file import CheckpointFile
from plancost.learning.checkpoint.session import Checkpoint
from plancost.learning.exact.maximal_sets import MaximalSets
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.results.result import Result
from plancost.system.clock import Deadline
from support.brute_force import LARGEST_COST, best_by_brute_force
from support.grid_walks import grid_case, random_walks
from support.small_tasks import learning_tasks

CASE = grid_case(4, random_walks(4, 14, 4, seed=1))


class KilledError(BaseException):
    """Stands for kill -9: nobody handles it, and nothing is written any more."""


def learn_until_killed(
    case: Case, options: LearnOptions, steps: int, initial: dict[str, int] | None = None
) -> Result | None:
    """The result, or None: killed after so many findings."""
    find = Checkpoint._news
    left = steps

    def find_and_die(self: Checkpoint) -> None:
        nonlocal left
        find(self)
        left -= 1
        if left < 0:
            raise KilledError

    with (
        patch.object(Checkpoint, "_news", find_and_die),
        patch.object(Checkpoint, "close", lambda self, *, finished: None),
    ):
        try:
            return learn(case, options, initial_costs=initial)
        except KilledError:
            return None


def proven(result: Result) -> tuple[object, ...]:
    return (
        result.optimal_plans,
        result.upper_bound,
        result.proved,
        result.secondary,
        result.exists,
        result.verified,
    )


def options_in(folder: Path, **more: Any) -> LearnOptions:  # noqa: ANN401
    return LearnOptions(checkpoint=folder, checkpoint_every_s=0.0, jobs=1, **more)


def with_a_known_cost(case: Case, cost: int) -> Case:
    """The same with a plan whose cost is known."""
    first = case.observations[0]
    known = replace(first, source=replace(first.source, cost=str(cost)))
    return replace(case, observations=(known, *case.observations[1:]))


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.lists(st.integers(0, 12), min_size=1, max_size=3), st.data())
def test_killed_runs_end_with_the_same_proof(
    found: tuple[LearningTask, list[list[Plan]]], kills: list[int], data: st.DataObject
) -> None:
    task, plans = found
    case = task.case
    more: dict[str, Any] = {"concept": task.concept}
    beyond = data.draw(st.sampled_from(["", "", "", "max_cost", "suboptimality", "costs"]))
    if beyond == "max_cost":
        more["max_cost"] = data.draw(st.integers(2, 3))
    elif beyond == "suboptimality" and not task.concept.is_strict:
        more["suboptimality"] = Fraction(3, 2)
    elif beyond == "costs":
        more["soft_costs"] = True
        case = with_a_known_cost(case, data.draw(st.integers(1, 9)))
    initial = None
    if task.initial_costs is not None:
        initial = dict(zip(task.case.actions, task.initial_costs, strict=True))
    plain = learn(case, LearnOptions(jobs=1, **more), initial_costs=initial)
    with TemporaryDirectory() as name:
        options = options_in(Path(name) / "kept", **more)
        for steps in kills:
            learn_until_killed(case, options, steps, initial)
        resumed = learn(case, options, initial_costs=initial)
    assert proven(resumed) == proven(plain)
    assert resumed.costs == plain.costs
    assert not any("damaged" in note for note in resumed.notes)
    if len(more) == 1:
        best = best_by_brute_force(task, plans)
        assert resumed.optimal_plans >= best.weight
        if max(resumed.costs.values()) <= LARGEST_COST:
            assert resumed.optimal_plans == best.weight
            assert resumed.secondary.value == best.secondary


def no_bound_of_all_sets(self: MaximalSets, deadline: Deadline, **how: bool) -> int:
    """So that single sets are looked at, and leave their bounds."""
    return 0


@cache
def learned_once() -> tuple[Result, str, bytes]:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(MaximalSets, "bound", no_bound_of_all_sets)
        result = learn(CASE, options_in(Path(name)))
        (path,) = result.checkpoints
        return result, path.name, path.read_bytes()


def checkpointed(folder: Path) -> tuple[Result, Path]:
    """An undisturbed result, and the checkpoint that it leaves."""
    result, name, text = learned_once()
    assert result.proved
    assert result.secondary.proved
    folder.mkdir()
    (folder / name).write_bytes(text)
    return replace(result, checkpoints=(folder / name,)), folder / name


def test_nothing_is_found_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MaximalSets, "bound", no_bound_of_all_sets)
    plain, path = checkpointed(tmp_path / "kept")
    content = CheckpointFile(path).read()
    assert content is not None
    assert content["stages"]["first"]["proofs"]
    assert content["stages"]["second"]["bounds"]
    resumed = learn(CASE, options_in(tmp_path / "kept"))
    assert proven(resumed) == proven(plain)
    assert resumed.costs == plain.costs
    told = resumed.options["resumed"]
    assert told["runs"] == 1
    assert told["proofs"] > 0
    assert any("went on from" in note for note in resumed.notes)
    assert resumed.history[: len(plain.history)] == plain.history, "the history goes on"
    again = CheckpointFile(path).read()
    assert again is not None
    assert again["stages"]["second"]["alternatives"] == content["stages"]["second"]["alternatives"]


def test_what_a_run_does_not_come_to_stays(tmp_path: Path) -> None:
    _, path = checkpointed(tmp_path / "kept")
    before = CheckpointFile(path).read()
    assert before is not None
    for part in ("stages", "best"):
        before[part].pop("first")  # so that there is something to find before the second objective
    CheckpointFile(path).write(before)
    assert learn_until_killed(CASE, options_in(tmp_path / "kept"), 0) is None
    after = CheckpointFile(path).read()
    assert after is not None
    assert after["runs"] == before["runs"] + 1, "it wrote before it died"
    assert after["stages"]["second"] == before["stages"]["second"]
    assert after["best"]["second"] == before["best"]["second"]


def test_a_time_limit_leaves_it_and_says_so(tmp_path: Path) -> None:
    options = options_in(tmp_path / "kept", time_limit_s=0.0001)
    cut_short = learn(CASE, options)
    if cut_short.checkpoints:  # the time was up before anything was found otherwise
        assert "not all is proven" in cut_short.notes[-1]
    assert not cut_short.is_finished
    whole = learn(CASE, options_in(tmp_path / "kept", time_limit_s=1000.0))
    assert whole.is_finished
    remove_checkpoints(whole)
    assert not (tmp_path / "kept").exists()


def test_short_learning_leaves_nothing(tmp_path: Path) -> None:
    result = learn(CASE, LearnOptions(checkpoint=tmp_path / "kept", checkpoint_every_s=1000.0))
    assert result.is_finished
    assert not result.checkpoints
    assert not (tmp_path / "kept").exists()


def test_a_folder_that_cannot_be_is_only_a_note(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    result = learn(CASE, options_in(tmp_path / "kept"))
    assert result.proved
    assert sum("no checkpoint" in note for note in result.notes) == 1


def test_an_unfinished_write_of_a_killed_run_goes_too(tmp_path: Path) -> None:
    result, path = checkpointed(tmp_path / "kept")
    (path.parent / ".writing-abc").write_text("half")
    remove_checkpoints(result)
    assert not path.parent.exists()


def test_other_questions_have_other_checkpoints(tmp_path: Path) -> None:
    fewer = replace(CASE, observations=CASE.observations[:-1])
    _, path = checkpointed(tmp_path / "kept")
    before = path.read_bytes()
    other = learn(fewer, options_in(tmp_path / "kept"))
    assert "resumed" not in other.options
    assert path.read_bytes() == before
    remove_checkpoints(other)
    assert path.exists(), "only its own"


Change = Callable[[dict[str, Any]], object]


def _first(content: dict[str, Any]) -> dict[str, Any]:
    stage: dict[str, Any] = content["stages"]["first"]
    return stage


EDITS: dict[str, Change] = {
    "another question": lambda c: c.update(question="0" * 64),
    "no stages": lambda c: c.pop("stages"),
    "stages of another kind": lambda c: c.update(stages=[]),
    "a stage of another kind": lambda c: c["stages"].update(first=3),
    "an alternative that is no plan": lambda c: _first(c)["stretches"][0].append(0),
    "an alternative that is the plan": lambda c: _first(c)["alternatives"].append([0, 0, 0, -1]),
    "an empty subpath": lambda c: (
        _first(c)["stretches"].append([]),
        _first(c)["alternatives"].append([0, 1, 1, len(_first(c)["stretches"]) - 1]),
    ),
    "an action that is none": lambda c: _first(c)["stretches"][0].append(10**9),
    "a candidate that is none": lambda c: _first(c)["alternatives"][0].__setitem__(0, -1),
    "a place that is none": lambda c: _first(c)["alternatives"][0].__setitem__(2, 10**6),
    "a place that is no number": lambda c: _first(c)["alternatives"][0].__setitem__(2, "1"),
    "a proof of nothing": lambda c: _first(c)["proofs"].append([[], []]),
    "a false proof": lambda c: _first(c)["proofs"].append([[0], [1]]),
    "a proof with a negative multiplier": lambda c: _first(c)["proofs"][0][1].__setitem__(0, -5),
    "a proof with half a multiplier": lambda c: _first(c)["proofs"][0][1].__setitem__(0, 0.5),
    "a proof with other rows": lambda c: _first(c)["proofs"][0][0].append(0),
    "a proof by rows that are none": lambda c: _first(c)["proofs"][0].__setitem__(0, [-1, -2]),
    "a bound that is too high": lambda c: c["stages"]["second"]["bounds"][0].__setitem__(2, 999),
    "a bound by nothing": lambda c: c["stages"]["second"]["bounds"].append([[0], [1e400], 70]),
    "costs below 1": lambda c: c["best"]["first"][1].__setitem__(0, 0),
    "too few costs": lambda c: c["best"]["first"][1].pop(),
    "a plan that is none": lambda c: c["best"]["first"][0].append(1000),
    "costs that do not do it": lambda c: c["best"]["first"].__setitem__(0, list(range(12))),
    "costs of the second objective that do not do it": lambda c: c["best"]["second"].__setitem__(
        1, [1] * len(c["best"]["second"][1])
    ),
    "a false history": lambda c: c["history"].append([0.0, 14, 13]),
    "seconds that are none": lambda c: c.update(seconds=-1.0),
    "runs that are none": lambda c: c.update(runs="many"),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_checkpoint_is_not_trusted(tmp_path: Path, what: str) -> None:
    """Written with a right checksum, so that only what it says gives it away."""
    plain, path = checkpointed(tmp_path / "kept")
    content = CheckpointFile(path).read()
    assert content is not None
    EDITS[what](content)
    CheckpointFile(path).write(content)
    after = learn(CASE, options_in(tmp_path / "kept"))
    assert proven(after) == proven(plain)
    assert after.costs == plain.costs
    assert sum("damaged" in note for note in after.notes) == 1, after.notes
    assert path.with_name(path.name + ".damaged").exists()


def damage(text: bytes, what: str) -> bytes:
    flipped = bytearray(text)
    if what.startswith("bit"):
        place = {"bit in the first line": 40, "bit at the end": len(text) - 1}
        flipped[place.get(what, len(text) // 2)] ^= 1
    return {
        "half": text[: len(text) // 2],
        "empty": b"",
        "more": text + b"\0",
        "another version": text.replace(b"checkpoint 1 ", b"checkpoint 2 ", 1),
        "nothing but noughts": b"\0" * len(text),
    }.get(what, bytes(flipped))


DAMAGES = ["half", "empty", "more", "another version", "nothing but noughts"]
BITS = ["bit in the first line", "bit in the middle", "bit at the end"]


@pytest.mark.parametrize("what", [*DAMAGES, *BITS])
def test_a_damaged_file_is_put_aside(tmp_path: Path, what: str) -> None:
    plain, path = checkpointed(tmp_path / "kept")
    damaged = damage(path.read_bytes(), what)
    path.write_bytes(damaged)
    after = learn(CASE, options_in(tmp_path / "kept"))
    assert proven(after) == proven(plain)
    assert "resumed" not in after.options
    assert sum("damaged" in note for note in after.notes) == 1
    assert path.with_name(path.name + ".damaged").read_bytes() == damaged
    assert CheckpointFile(path).read() is not None, "a new one is in its place"
