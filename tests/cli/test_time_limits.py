"""The time limit holds for the whole command; `python -m benchmarks.limits` measures how well."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from plancost.api import learn as learning
from plancost.api import pipeline
from plancost.learning.problem.options import LearnOptions
from plancost.system.clock import Deadline
from support.command import in_process

SLACK_S = 20.0
"""Far more than is promised, for machines under load; what is stopped would take a minute."""


@pytest.mark.parametrize("command", ["learn", "verify", "explain"])
def test_a_step_that_forgets_the_clock_is_ended(
    example_1: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    """The check, which all three do: what is left is an answer that says what is not known."""

    def forgetful(*arguments: object) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            sum(range(1000))

    costs = tmp_path / "r.json"
    given = () if command == "learn" else (costs,)
    assert in_process(capsys, "learn", example_1, "--output", costs).returncode == 0
    monkeypatch.setattr(pipeline, "check_incumbent", forgetful)
    started = time.monotonic()
    done = in_process(capsys, command, example_1, *given, "--time-limit", 2)
    assert time.monotonic() - started < 2 + SLACK_S
    assert done.returncode == 4
    assert "Traceback" not in done.stderr


def test_the_clock_runs_while_files_are_read(
    example_1: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("plancost.observations.case.read_problem", lambda path: time.sleep(60))
    started = time.monotonic()
    done = in_process(capsys, "learn", example_1, "--time-limit", 1)
    assert time.monotonic() - started < 1 + SLACK_S
    assert done.returncode == 4
    assert done.stderr == (f"plancost: {example_1}: reading it did not end within the time limit\n")


def test_the_clock_starts_when_the_command_does(
    example_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Deadline] = []

    def learn(case: Path, options: LearnOptions, **named: object) -> None:
        seen.append(options.deadline())
        raise KeyboardInterrupt

    monkeypatch.setattr(learning, "learn", learn)
    from plancost.cli.main import main

    started = time.monotonic() - 30
    assert main(["learn", str(example_1), "--time-limit", "50"], started_at=started) == 130
    assert seen == [Deadline(started + 50)]
