"""Whatever is wrong with the files: exit status 1 and one sentence that says what."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from conftest import DOMAIN, graph_problem
from support.command import PLANCOST, in_process, plancost

ONE_STEP = graph_problem("p", "ab", {("a", "b"): 1}, "a", "b")
FRACTION = ONE_STEP.replace("(length a b) 1", "(length a b) 0.5")

Files = dict[str, str | bytes | None]
BAD_INPUTS: dict[str, tuple[Files, list[str]]] = {
    "no domain": ({"domain.pddl": None}, []),
    "empty domain": ({"domain.pddl": ""}, []),
    "domain without ')'": ({"domain.pddl": DOMAIN.rstrip()[:-1]}, []),
    "domain that is no text": ({"domain.pddl": b"\xff\xfe\x00"}, []),
    "domain with an unknown predicate": ({"domain.pddl": DOMAIN.replace("(at ?b)", "(in ?b)")}, []),
    "durative action": ({"domain.pddl": DOMAIN.replace("(:action", "(:durative-action")}, []),
    "problem of another domain": ({"p1.pddl": "(define (problem p) (:domain x) (:init) )"}, []),
    "undeclared type": (
        {"p1.pddl": ONE_STEP.replace("node", "x")},
        [],
    ),
    "unsolvable problem": ({"p1.pddl": graph_problem("p", "abd", {("a", "b"): 1}, "a", "d")}, []),
    "no plans": ({"p1.plan": None, "p2.plan": None}, []),
    "plan without a problem": ({"q.plan": "(move a b)\n"}, []),
    "temporal plan": ({"p1.plan": "0.0: (move a b) [1.0]\n"}, []),
    "plan that is no plan": ({"p1.plan": "go to b\n"}, []),
    "plan that is no text": ({"p1.plan": b"\xff\x00"}, []),
    "unknown action": ({"p1.plan": "(fly a d)\n"}, []),
    "step that cannot be applied": ({"p1.plan": "(move b d)\n"}, []),
    "plan that misses the goal": ({"p1.plan": "(move a b)\n"}, []),
    "fraction": ({"p1.pddl": FRACTION, "p1.plan": "(move a b)\n"}, ["--refine"]),
    "initial costs missing": ({}, ["--initial-costs", "{case}/none.json"]),
    "initial costs no JSON": ({"c.json": "{"}, ["--initial-costs", "{case}/c.json"]),
    "initial costs incomplete": ({"c.json": "{}"}, ["--initial-costs", "{case}/c.json"]),
    "output is a folder": ({}, ["--output", "{case}"]),
    "output below a file": ({}, ["--output", "{case}/p1.plan/r.json"]),
    "PDDL out is a file": ({}, ["--pddl-out", "{case}/p1.plan"]),
    "initial costs beyond exact arithmetic": (
        {"c.json": json.dumps({"(move a b)": 10**30})},
        ["--initial-costs", "{case}/c.json", "--default-cost", "1"],
    ),
    "initial costs beyond SymK": (
        {"c.json": json.dumps({"(move a b)": 2**31})},
        ["--initial-costs", "{case}/c.json", "--default-cost", "1", "--alternatives", "5"],
    ),
}


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_bad_input_is_one_sentence(
    table_1: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files, arguments = BAD_INPUTS[name]
    for file, content in files.items():
        if content is None:
            (table_1 / file).unlink()
        else:
            (table_1 / file).write_bytes(content.encode() if isinstance(content, str) else content)
    words = [text.format(case=table_1) for text in arguments]
    done = in_process(capsys, "learn", table_1, *words)
    assert done.returncode == 1, (done.stdout, done.stderr)
    assert done.stderr.startswith("plancost: ")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "/tmp/plancost-" not in done.stderr, "the user's own files are named, not our copies"


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"(move a b)": 0}', '{"(move a b)": "3"}', '{"format": 1, "optimal_plans": 2}'],
)
def test_bad_costs_files(table_1: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = table_1 / "costs.json"
    file.write_text(content)
    for command in ("verify", "explain"):
        done = in_process(capsys, command, table_1, file)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("plancost: ")
        assert len(done.stderr.splitlines()) == 1


def test_the_installed_command_says_the_same(table_1: Path) -> None:
    (table_1 / "p1.plan").write_text("(move b d)\n")
    done = plancost("learn", table_1)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"plancost: {table_1}/p1.plan: step 1 (move b d) cannot be applied: "
        "(at b) does not hold before it\n"
    )


def test_a_reader_that_leaves(table_1: Path) -> None:
    """``plancost learn case | true``: nobody reads the table, and nobody should see why."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [PLANCOST, "learn", table_1], stdout=write, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(write)
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
