"""What a command says while it works: nothing, a bar, lines, a log."""

from __future__ import annotations

import argparse
import logging
import os
import pty
import re
import select
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import DOMAIN, graph_problem
from plancost.cli.arguments import build_parser
from plancost.cli.log_lines import log_lines
from plancost.cli.progress_bar import ProgressBar, seconds_left
from plancost.files.escape import escaped
from support.command import PLANCOST, in_process, plancost

LINE = re.compile(r"\[ *\d+\.\d s\] \S.*")
LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (INFO|DEBUG) plancost\.[a-z_.]+: \S.*")
Capture = pytest.CaptureFixture[str]


def test_nothing_is_said_off_a_terminal(table_1: Path) -> None:
    assert plancost("learn", table_1).stderr == ""


def test_verbose_tells_every_stage(table_1: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    done = plancost("learn", table_1, "--verbose", "--output", result)
    lines = done.stderr.splitlines()
    assert done.returncode == 0
    assert all(map(LINE.fullmatch, lines)), lines
    text = done.stderr
    assert "2 observed plans, 2 tasks, 14 actions" in text
    for stage in ("grounding: 2 of 2", "first objective: 2 of 2", "second objective: 1 of 1"):
        assert stage in text
    assert "first objective: 2 of 2 plans optimal, at most 2 (proven)" in text
    assert "verifying: 2 of 2, 2 plans optimal, 0 not" in text
    assert "sum of costs 14, at least 14 (proven)" in text
    assert done.stdout == plancost("learn", table_1, "--output", result).stdout
    checked = plancost("verify", table_1, result, "--verbose")
    assert "check by search: 2 plans optimal, 0 not" in checked.stderr


def test_verbose_tells_of_alternatives_and_explanations(example_2: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    words = ("learn", example_2, "--alternatives", "3", "--verbose", "--output", result)
    text = plancost(*words).stderr
    assert re.search(r"alternatives: 1 of 1, \d plans", text)
    assert "solving: 0 of 2, first objective" in text
    assert "solving: 2 of 2, 0 believed optimal, at most 0" in text
    text = plancost("explain", example_2, result, "--verbose").stderr
    assert "explaining: 1 of 1, 1 redundant" in text


def test_a_log_file_has_times_and_planner_calls(table_1: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    words = ("learn", table_1, "--quiet", "--log-file", log, "--oracle", "fast-downward")
    done = plancost(*words)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lines = log.read_text().splitlines()
    assert all(map(LOGGED.fullmatch, lines)), lines
    text = log.read_text()
    assert re.search(r"plancost\.processes: \S*downward --search .*: exited, status \d+, ", text)
    assert re.search(r"Fast Downward: (none|found), ", text)
    assert plancost(*words).returncode == 0
    assert len(log.read_text().splitlines()) > len(lines), "a second run is appended"


def test_the_log_of_solve(table_1: Path, tmp_path: Path) -> None:
    words = ("solve", table_1 / "p1.pddl", "--domain", table_1 / "domain.pddl", "--verbose")
    log = tmp_path / "log.txt"
    done = plancost(*words, "--log-file", log)
    assert done.returncode == 0
    assert all(map(LINE.fullmatch, done.stderr.splitlines()))
    assert "a first plan costs 3" in done.stderr
    assert "proven, 1 plans" in done.stderr
    assert "Fast Downward: found, 1 plans, cost 3 to 3, " in log.read_text()


def test_a_log_that_cannot_be_written(table_1: Path, capsys: Capture) -> None:
    done = in_process(capsys, "learn", table_1, "--log-file", table_1)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"plancost: {table_1}: this is a folder; name a file to write")
    assert len(done.stderr.splitlines()) == 1


def test_quiet_and_verbose_contradict_each_other(capsys: Capture) -> None:
    assert in_process(capsys, "learn", "x", "--quiet", "--verbose").returncode == 2


def test_a_name_cannot_forge_a_line(tmp_path: Path) -> None:
    """File names may hold anything, also what a terminal would obey."""
    case = tmp_path / "case\n2026-01-01 forged \x1b[2J"
    case.mkdir()
    (case / "domain.pddl").write_text(DOMAIN)
    (case / "p.pddl").write_text(graph_problem("p", "ab", {("a", "b"): 1}, "a", "b"))
    (case / "p.plan").write_text("(move a b)\n")
    log = tmp_path / "log.txt"
    done = plancost("learn", case, "--verbose", "--log-file", log, "--quiet")
    assert done.returncode == 2
    done = plancost("learn", case, "--verbose", "--log-file", log)
    assert done.returncode == 0
    text = log.read_text()
    assert "\x1b" not in text + done.stderr
    assert r"\n2026-01-01 forged \x1b[2J/p.pddl" in text
    assert all(map(LOGGED.fullmatch, text.splitlines()))


@given(st.text())
def test_escaped_text_is_one_printable_line(text: str) -> None:
    shown = escaped(text)
    assert len(shown.splitlines()) <= 1
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in shown)
    shown.encode("utf-8")
    if text.isascii() and text.isprintable():
        assert shown == text


def test_handlers_are_gone_afterwards(tmp_path: Path) -> None:
    logger = logging.getLogger("plancost")
    before = list(logger.handlers), logger.level
    assert any(isinstance(handler, logging.NullHandler) for handler in logger.handlers)
    said: list[str] = []
    with log_lines(said.append, tmp_path / "log"):
        logging.getLogger("plancost.x").info("a %s", "b")
        logging.getLogger("plancost.x").debug("only in the file")
    logging.getLogger("plancost.x").info("later")
    assert [line.partition("] ")[2] for line in said] == ["a b"]
    assert (tmp_path / "log").read_text().count("\n") == 2
    assert (list(logger.handlers), logger.level) == before


# The bar


def test_an_estimate_only_where_it_is_sound() -> None:
    assert seconds_left("verifying", 5, 20, 10.0) == pytest.approx(30.0)
    assert seconds_left("verifying", 1, 20, 10.0) is None, "too few to tell"
    assert seconds_left("verifying", 5, 20, 0.5) is None, "too soon to tell"
    assert seconds_left("verifying", 20, 20, 10.0) is None
    assert seconds_left("first objective", 5, 20, 10.0) is None, "plans that are optimal so far"


def test_off_a_terminal_no_thread_is_started(capsys: Capture) -> None:
    with ProgressBar(quiet=False) as bar:
        bar("grounding", 1, 2)
    assert capsys.readouterr().err == ""


STAGES = """
import sys, time
from plancost.cli.progress_bar import ProgressBar
with ProgressBar(quiet=False, time_limit_s=float(sys.argv[1]) if sys.argv[1] else None) as bar:
    bar("grounding", 3, 3)
    bar("first objective", 1, 9, "1 optimal, at most [b]7[/b]")
    time.sleep(2.5)
"""


def on_a_terminal(command: list[str]) -> str:
    """What a program shows on a terminal, without the codes that move the cursor."""
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=slave, stderr=slave, env=environment) as process:
        os.close(slave)
        shown = b""
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            if not select.select([master], [], [], 1.0)[0]:
                continue
            try:
                part = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            shown += part
        process.kill()
    os.close(master)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


@pytest.mark.parametrize(("limit", "left"), [("60", r"5\d s left of the limit"), ("", r"[12] s")])
def test_the_bar_says_what_is_left(limit: str, left: str) -> None:
    """It appears although no stage reports after the first second."""
    python = str(PLANCOST.parent / "python")
    shown = on_a_terminal([python, "-c", STAGES, limit])
    assert re.search(rf"first objective .* 1/9 +{left} +1 optimal, at most \[b\]7\[/b\]", shown)
    assert re.search(r"grounding .* 3/3 +0 s", shown)


def test_a_short_run_shows_no_bar(table_1: Path) -> None:
    shown = on_a_terminal([str(PLANCOST), "learn", str(table_1), "--quiet"])
    assert shown == ""


# Exit statuses in the help


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= action.choices
    return found


def test_every_command_tells_its_own_exit_statuses() -> None:
    commands = subcommands(build_parser())
    texts = {
        name: command.format_help().partition("exit status:")[2]
        for name, command in commands.items()
    }
    assert all(re.search(r"^ +0 +\S", text, re.MULTILINE) for text in texts.values())
    assert "icf" in texts["learn"]
    for name in ("generate", "reproduce", "solve", "doctor", "apply"):
        assert "icf" not in texts[name], name
        assert "contradicts" not in texts[name], name
    assert "has no plan" in texts["solve"]
    assert "goes on from here" in texts["generate"]
    assert "goes on from here" in texts["reproduce"]
    for world in subcommands(commands["generate"]).values():
        assert "icf" not in world.format_help()
    assert "only the exit status" in " ".join(commands["explain"].format_help().split())
