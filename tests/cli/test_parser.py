"""Help, wrong usage, and what each command tells of its exit statuses."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys

import pytest

from plancost.cli.parser import build_parser
from support.command import in_process, plancost


@pytest.mark.parametrize("command", [[], ["learn"], ["verify"], ["explain"]])
def test_help(command: list[str]) -> None:
    done = plancost(*command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "exit status:" in done.stdout
    options = {
        "learn": "--solution --strict --refine --initial-costs --alternatives --time-limit "
        "--output --pddl-out --jobs --seed --quiet --json",
        "verify": "COSTS.json --solution --time-limit --json",
        "explain": "CASE --time-limit --json",
    }
    for option in options[command[0]].split() if command else options:
        assert option in done.stdout


def test_version() -> None:
    assert plancost("--version").stdout.startswith("plancost 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["teach"],
        ["learn"],
        ["learn", "case", "--solution", "best"],
        ["learn", "case", "--alternatives", "0"],
        ["learn", "case", "--alternatives", "few"],
        ["learn", "case", "--alternatives", "-3"],
        ["learn", "case", "--time-limit", "0"],
        ["learn", "case", "--time-limit", "soon"],
        ["learn", "case", "--jobs", "0"],
        ["learn", "case", "--seed", "x"],
        ["learn", "case", "--strict"],
        ["learn", "case", "--solution", "mcf", "--reorderings", "same"],
        ["learn", "case", "--solution", "mcf", "--ties", "observed"],
        ["learn", "case", "--colour"],
        ["verify", "case"],
    ],
    ids=" ".join,
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    done = in_process(capsys, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "plancost" in done.stderr
    assert "Traceback" not in done.stderr


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
    assert "resumes from here" in texts["generate"]
    assert "resumes from here" in texts["reproduce"]
    for world in subcommands(commands["generate"]).values():
        assert "icf" not in world.format_help()
    assert "only the exit status" in " ".join(commands["explain"].format_help().split())


def test_parsing_loads_nothing_heavy() -> None:
    code = (
        "import sys; from plancost.cli.parser import build_parser; "
        "build_parser().parse_args(['learn', 'x']); "
        "sys.exit(str({'numpy', 'scipy', 'highspy', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "set()"


def test_help_without_options(capsys: pytest.CaptureFixture[str]) -> None:
    alone = in_process(capsys)
    assert alone.returncode == 2 and alone.stderr.startswith("usage: plancost")
    assert in_process(capsys, "help").stdout == alone.stderr
    asked = in_process(capsys, "help", "learn")
    assert asked.returncode == 0 and asked.stdout == in_process(capsys, "learn", "--help").stdout
