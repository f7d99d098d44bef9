"""The checker of proofs reads plans and tables with code of its own, and reads the same in them."""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn
from plancost.cli import check_files, check_inputs, check_proof
from plancost.errors import InputError
from plancost.files.input_files import BLANKS, csv_rows, read_text
from plancost.learning.problem.options import LearnOptions
from plancost.observations.planfile import read_plan

TOWN = Path(__file__).parents[2] / "examples" / "town"
_BLANK = st.text(" \t\f\v", max_size=2)
_WORDS = st.lists(st.sampled_from(["move", "A", "b-1", "(", ")"]), min_size=1, max_size=4)
_ASIDE = st.text("(a);\u2028\u202e\x85\u00a0\x1c 1", max_size=6).map(";{}".format)
_STEPS = st.one_of(
    st.builds("{0}({1}{2}{1}){0}".format, _BLANK, _BLANK, _WORDS.map(" ".join)),
    st.builds("{}{} ({}){}".format, _BLANK, _WORDS.map("\t".join), st.integers(0, 99), _BLANK),
    _BLANK,
)
_LINES = st.builds(
    "{}{}{}".format, _STEPS, _ASIDE | st.just(""), st.sampled_from(["\n", "\r\n", "\r"])
)
_CELLS = st.text('a,;"\n\r\t\u2028\x85\u00a0\x1c', max_size=5)


@settings(max_examples=300, deadline=None)
@given(st.lists(_LINES, max_size=4).map("".join), st.booleans())
@example("move a b (1)\n(move b c)\n", False)
@example("(move a b); \u2028 (move b c)\n", True)
def test_plans(text: str, marked: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "p.plan")
        path.write_bytes(text.encode("utf-8-sig" if marked else "utf-8"))
        try:
            ours = read_plan(path)
        except InputError:
            return
        assert check_proof.read_plan(path) == ours


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(_CELLS, min_size=3, max_size=3), max_size=4), st.sampled_from(",;\t"))
@example([["a", "p0.1\u202e\u2028<b>.plan", ""], ["a", "b\nc.plan\u00a0", "2"]], ",")
def test_tables(rows: list[list[str]], mark: str) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=mark).writerows([["problem", "Plan ", "count"], *rows])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plans.csv")
        path.write_bytes(text.getvalue().encode())
        try:
            ours = [row for _, row in csv_rows(read_text(path), path)[1]]
        except InputError:
            return
        fields = [{name: str(row[name] or "").strip(BLANKS) for name in row} for row in ours]
        assert check_files.read_table(path, "problem", "plan")[1] == fields


@pytest.mark.parametrize("name", ["weekday.\u202e\u2028<b>.plan", "weekday.a\nb.plan"])
def test_names_with_other_line_ends(name: str, tmp_path: Path) -> None:
    """Found by a soak: such a name was cut at the sign, and the plan called one never seen."""
    problem, plan = sorted(TOWN.glob("*.pddl"))[-1], sorted(TOWN.glob("*.plan"))[-1]
    domain = TOWN / "domain.pddl"
    shutil.copy(problem, tmp_path / "weekday.pddl")
    steps = [f"{step.strip('()')} (1)" for step in read_plan(plan)]
    (tmp_path / name).write_text("\n".join(steps))
    manifest = tmp_path / "plans.csv"
    manifest.write_bytes(f'problem,plan\r\nweekday.pddl,"{name}"\r\n'.encode())
    result = learn(manifest, LearnOptions(certificate=True), domain=domain)
    files = tmp_path / "r.json", tmp_path / "p.json"
    files[0].write_text(json.dumps(result.to_json()))
    files[1].write_text(json.dumps(result.proof))
    word, said = check_inputs.verdict(manifest, *files, domain)
    assert word == "proven", said
