"""The worked examples in docs/extending.md: each diff applies to the source, and does what it says.

A diff that no longer applies is out of date: make the change again by hand, and put the new diff
(``git diff -U1``) into the page.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import plancost
from support.documents import ROOT, blocks

PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
SOURCE = Path(plancost.__file__).parent
MOST_FILES = 4
APPLY = {"git": ["git", "apply", "-"], "patch": ["patch", "--strip=1", "--fuzz=0", "--batch"]}
TOOL = next(filter(shutil.which, APPLY), None)

LIGHTS = """(define (domain lights)
  (:predicates (lit ?l))
  (:action light :parameters (?l) :precondition (not (lit ?l)) :effect (lit ?l)))
"""
TWO_LIGHTS = """(define (problem two) (:domain lights) (:objects a b)
  (:init) (:goal (and (lit a) (lit b))))
"""


def diffs() -> dict[str, str]:
    """The diff of each example, by the last word of its heading."""
    found = {}
    for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        heading = part.splitlines()[0]
        for block in blocks(part):
            if block.language == "diff":
                found[heading.rpartition(" ")[2]] = block.text
    return found


DIFFS = diffs()


class Changed:
    """A copy of the package with one of the changes, used as its users do."""

    def __init__(self, folder: Path, example: str) -> None:
        if TOOL is None:
            pytest.skip("neither git nor patch is installed, so diffs cannot be applied")
        copy = folder / "src" / "plancost"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
        # In a repository around this folder git would change nothing.
        environment["GIT_CEILING_DIRECTORIES"] = str(folder.resolve().parent)
        done = subprocess.run(
            APPLY[TOOL],
            input=DIFFS[example],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"the diff of the {example} is out of date: {done.stderr}"
        self._folder = folder
        self._environment = environment

    def run(self, *arguments: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run ``plancost`` of the copy."""
        done = subprocess.run(
            [sys.executable, "-m", "plancost", *map(str, arguments)],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done

    def learn(self, case: Path, *arguments: object) -> dict[str, Any]:
        """What the copy learns."""
        content: dict[str, Any] = json.loads(self.run("learn", case, "--json", *arguments).stdout)
        return content


@pytest.mark.parametrize("example", ["concept", "oracle", "option"])
def test_a_change_takes_few_files(example: str) -> None:
    files = re.findall(r"^\+\+\+ b/(.*)$", DIFFS[example], re.MULTILINE)
    assert 1 <= len(files) == len(set(files)) <= MOST_FILES
    assert all((ROOT / file).is_file() or "--- /dev/null" in DIFFS[example] for file in files)


@pytest.mark.slow
def test_the_new_concept_ignores_orderings(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    (case / "domain.pddl").write_text(LIGHTS)
    (case / "two.pddl").write_text(TWO_LIGHTS)
    (case / "two.plan").write_text("(light a)\n(light b)\n")
    changed = Changed(tmp_path, "concept")
    assert changed.learn(case, "--solution", "scf")["optimal_plans"] == 0
    output = tmp_path / "RESULT.json"
    found = changed.learn(case, "--solution", "ucf", "--output", output)
    assert (found["solution"], found["strict"]) == ("ucf", True)
    assert (found["optimal_plans"], found["proved"], found["verified"]) == (1, True, True)
    assert found["options"]["reorderings"] == "same"
    changed.run("verify", case, output)
    changed.run("report", case, output, "--output", tmp_path / "report.html")
    assert "with other actions (ucf)" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_new_oracle_agrees(tmp_path: Path, table_1: Path) -> None:
    changed = Changed(tmp_path, "oracle")
    for method in ("exact", "baseline"):
        asked = ("--alternatives", method, "--no-cache")
        plain = changed.learn(table_1, *asked)
        blind = changed.learn(table_1, *asked, "--oracle", "blind")
        for key in ("optimal_plans", "upper_bound", "proved", "secondary", "verified"):
            assert blind[key] == plain[key], key
    log = tmp_path / "log"
    changed.run("learn", table_1, *asked, "--oracle", "blind", "--log-file", log)
    assert "(blind, " in log.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_new_option_is_complete(tmp_path: Path, table_1: Path) -> None:
    changed = Changed(tmp_path, "option")
    assert "--min-cost N" in changed.run("learn", "--help").stdout
    plain = changed.learn(table_1)
    assert "min_cost" not in plain["options"]
    output = tmp_path / "RESULT.json"
    found = changed.learn(table_1, "--min-cost", 3, "--output", output)
    assert found["options"]["min_cost"] == 3
    assert min(found["costs"].values()) == 3
    assert found["optimal_plans"] == plain["optimal_plans"] == 2
    assert found["secondary"]["value"] == 3 * plain["secondary"]["value"]
    assert found["secondary"]["proved"]
    assert json.loads(output.read_text())["options"]["min_cost"] == 3
    changed.run("verify", table_1, output)
    refused = changed.run("learn", table_1, "--min-cost", 3, "--alternatives", 5, status=2)
    assert "--min-cost goes with --alternatives exact" in refused.stderr


def test_the_table_of_changes_counts_what_it_names() -> None:
    """Files that a change takes now exist, are as many as it says, and few."""
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 12
    for change, _, count, named in rows:
        names = re.findall(r"`([^`]+)`", named)
        assert len(names) == int(count) <= MOST_FILES, change
        for name in names:
            assert (SOURCE / name).is_file() or "NEW" in name, name
    assert median(int(count) for _, _, count, _ in rows) <= 3
