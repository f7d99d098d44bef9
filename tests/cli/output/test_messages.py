"""What a command says while it works: nothing, a bar, lines, a log."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import DOMAIN, graph_problem
from plancost.cli.output.log_lines import log_lines
from plancost.files.escape import escaped
from support.command import in_process, plancost

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
    for stage in ("grounding: 2 of 2", "first objective: 2 of 2", "second objective: 14 of 14"):
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
    assert re.search(
        r"plancost\.system\.processes: \S*downward --search .*: exited, status \d+, ", text
    )
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
