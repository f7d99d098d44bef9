"""The checker of proofs: what is true is proven, what is forged is not, and nothing is imported."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plancost
from plancost.case.read import read_case
from plancost.cli.main import main
from plancost.errors import InputError, PlancostError
from plancost.proof import check
from plancost.result.model import write_result
from random_tasks import draw_options, draw_streets
from written_tasks import draw_question, draw_written

Json = dict[str, Any]
Change = Callable[[Json, Json], None]

EXAMPLES = Path(__file__).parents[2] / "examples"
CONCEPTS: dict[str, Json] = {
    "mcf": {},
    "scf": {"solution": "scf"},
    "icf": {"solution": "icf"},
    "refined mcf": {"refine": True},
    "refined scf": {"solution": "scf", "refine": True},
    "reorderings": {"solution": "scf", "ties": "reorderings"},
    "observed": {"solution": "scf", "ties": "observed"},
    "features": {"features": ["schema"], "refine": True},
    "bounds": {"bounds": {"*": [None, 50]}},
    "baseline": {"alternatives": "baseline"},
}
STREETS: dict[str, Json] = {
    "mcf": {},
    "scf": {"solution": "scf"},
    "icf": {"solution": "icf"},
    "refined": {"refine": "minutes"},
    "turns": {"features": ["turns"]},
    "features": {"features": ["minutes"], "refine": "minutes"},
}


def learned(case: Path, folder: Path, **options: Any) -> Path:
    """Learn, and write RESULT.json with its proof."""
    path = folder / "RESULT.json"
    knowledge = folder / "RESULT.proof.json"
    write_result(plancost.learn(case, knowledge=knowledge, time_limit=60, **options), path)
    return path


@pytest.mark.parametrize("concept", CONCEPTS)
@pytest.mark.parametrize("example", ["town", "savings", "avoid-the-centre"])
def test_true_results_are_proven(example: str, concept: str, tmp_path: Path) -> None:
    case = EXAMPLES / example
    word, said = check.verdict(case, learned(case, tmp_path, **CONCEPTS[concept]))
    assert word == "proven", said
    if CONCEPTS[concept].get("features"):
        assert any(line.startswith("no costs that are allowed make more") for line in said)


@pytest.mark.parametrize("concept", STREETS)
def test_true_results_of_streets_are_proven(concept: str, tmp_path: Path) -> None:
    case = EXAMPLES / "riverside-town"
    word, said = check.verdict(case, learned(case, tmp_path, **STREETS[concept]))
    assert word == "proven", said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"alternatives": 3}, "there is no proof"),
        ({"solution": "likely"}, "more likely"),
        ({"groups": 2}, "there is no proof"),
    ],
)
def test_what_has_no_proof_is_not_proven(options: Json, sentence: str, tmp_path: Path) -> None:
    case = EXAMPLES / ("town" if "alternatives" in options else "savings")
    word, said = check.verdict(case, learned(case, tmp_path, **options))
    assert word == "not proven"
    assert any(sentence in line for line in said)


# Forgery

FOLDERS: dict[str, tuple[str, Json]] = {
    "savings": ("savings", {}),
    "town": ("town", {"solution": "scf", "refine": True}),
    "schema": ("savings", {"features": ["schema"]}),
    "none": ("town", {"solution": "icf"}),
    "streets": ("riverside-town", {}),
    "factor": ("town", {"suboptimality": "1.5"}),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    found = {}
    for name, (example, options) in FOLDERS.items():
        folder = tmp_path_factory.mktemp(name)
        found[name] = EXAMPLES / example, learned(EXAMPLES / example, folder, **options)
    return found


def put(where: str, value: Any, *, proof: bool = False) -> Change:
    """Put a value, or what a function makes of the old one, in a place such as ``a.0.b``."""

    def change(told: Json, shown: Json) -> None:
        *way, last = (
            int(word) if word.lstrip("-").isdigit() else word for word in where.split(".")
        )
        place: Any = shown if proof else told
        for word in way:
            place = place[word]
        place[last] = value(place[last]) if callable(value) else value

    return change


def together(*changes: Change) -> Change:
    def change(told: Json, shown: Json) -> None:
        for one in changes:
            one(told, shown)

    return change


def shown(where: str, value: Any) -> Change:
    return put(where, value, proof=True)


def more(value: int) -> int:
    return value + 1


def less(value: int) -> int:
    return value - 1


def dearer(told: Json, _: Json) -> None:
    """An action that no plan has costs more, and the sum says so."""
    used = {"(invest)"}
    action = next(name for name in told["costs"] if name not in used)
    told["costs"][action] += 1


def swapped(told: Json, _: Json) -> None:
    one, other = (
        next(i for i in told["observations"] if i["optimal"] is is_so) for is_so in (True, False)
    )
    one["optimal"], other["optimal"] = False, True


def all_optimal(told: Json, _: Json) -> None:
    for item in told["observations"]:
        item["optimal"] = True
    told["optimal_plans"] = told["upper_bound"] = told["plans"]


def left_out(told: Json, shown: Json) -> None:
    """The plan that is not optimal is not there, so all are."""
    lost = next(n for n, item in enumerate(told["observations"]) if not item["optimal"])
    del told["observations"][lost]
    told["plans"] -= 1
    own = [[n - (n > lost) for n in own if n != lost] for own in shown["observations"]]
    shown["observations"] = own


def lower_bound(told: Json, _: Json) -> None:
    told["secondary"]["lower_bound"] += 1
    told["secondary"]["value"] += 1


def nothing_paid(_: Json, shown: Json) -> None:
    shown["least"]["take"] = []


FORGED: list[tuple[str, str, Change]] = [
    ("a plan more", "savings", put("plans", more)),
    ("an optimal plan more", "savings", put("optimal_plans", more)),
    (
        "a bound that is lower",
        "savings",
        together(put("upper_bound", less), put("optimal_plans", less)),
    ),
    ("a bound below", "savings", put("upper_bound", 9)),
    ("a bound above, called proved", "savings", put("upper_bound", more)),
    ("not proved", "savings", put("proved", False)),
    ("not verified", "savings", put("verified", False)),
    ("another concept", "savings", put("solution", "cheap")),
    ("all are optimal", "savings", all_optimal),
    ("another is optimal", "savings", swapped),
    ("one is not optimal", "savings", put("observations.0.optimal", False)),
    ("one was left open", "savings", put("observations.0.optimal", None)),
    ("a plan was left out", "savings", left_out),
    ("a plan costs less", "savings", put("observations.0.cost", less)),
    ("a cheaper optimum", "savings", put("observations.0.optimal_cost", less)),
    ("seen twice", "savings", put("observations.0.count", 2)),
    ("another plan", "savings", put("observations.0.plan", "june.jon.plan")),
    ("another problem", "savings", put("observations.0.problem", "may.pddl")),
    ("an unknown plan", "savings", put("observations.0.plan", "nobody.plan")),
    ("an action costs more", "savings", dearer),
    ("an action costs nothing", "savings", put("costs.(invest)", 0)),
    ("an action costs a fraction", "savings", put("costs.(invest)", 1.5)),
    ("an action without a cost", "savings", lambda told, _: told["costs"].pop("(invest)")),
    ("an action that is none", "savings", put("costs", lambda costs: {**costs, "(steal)": 1})),
    ("a smaller sum", "savings", put("secondary.value", less)),
    ("a larger sum", "savings", put("secondary.value", more)),
    ("a larger lower bound", "savings", put("secondary.lower_bound", more)),
    ("both larger", "savings", lower_bound),
    ("a sum that is not proved", "savings", put("secondary.proved", False)),
    ("strict", "savings", put("solution", "scf")),
    ("refined", "savings", put("refined", True)),
    ("none exists", "savings", put("ending", "none exists")),
    ("a damaged format", "savings", put("format", 3)),
    ("no conflicts", "savings", shown("conflicts", [])),
    ("no alternatives", "savings", shown("alternatives", [])),
    (
        "an alternative that is none",
        "savings",
        shown("alternatives.0.other", lambda own: own[:-1] or [3]),
    ),
    ("an alternative of another plan", "savings", shown("alternatives.0.plan", 0)),
    ("an alternative of another stretch", "savings", shown("alternatives.0.begin", more)),
    ("an alternative to a step", "savings", shown("alternatives.0.end", 1)),
    ("a multiplier of 0", "savings", shown("conflicts.0.rows.0.1", 0)),
    ("a multiplier below 0", "savings", shown("conflicts.0.rows.0.1", -1)),
    ("a multiplier that is too large", "savings", shown("conflicts.0.rows.0.1", 50)),
    ("a row that is missing", "savings", shown("conflicts.0.rows", lambda rows: rows[:1])),
    ("a row that always holds", "savings", shown("conflicts.0.rows.0.0", -1)),
    ("a class with another plan", "savings", shown("conflicts.0.classes.0", lambda own: [*own, 0])),
    ("a class that is missing", "savings", shown("conflicts.0.classes", lambda own: own[1:])),
    (
        "cliques that are none",
        "savings",
        shown("inequalities", lambda all_: [{**i, "cliques": [[0, 1]] * 3} for i in all_]),
    ),
    (
        "an inequality of another conflict",
        "savings",
        shown("inequalities", lambda all_: [{**i, "of": 0} for i in all_]),
    ),
    ("a leaf that does not pay", "savings", shown("most.take", [])),
    ("a leaf with negative payment", "savings", shown("most.take.0.1", lambda times: -times)),
    ("a leaf in other parts", "savings", shown("most.parts", 0)),
    ("a tree that is open", "savings", shown("most", {"open": "no time"})),
    ("a tree that is missing", "savings", lambda _, own: own.pop("most")),
    ("a second tree that does not pay", "savings", nothing_paid),
    ("a second tree that is missing", "savings", lambda _, own: own.pop("least")),
    ("a price that is too high", "savings", shown("prices.0.bound", more)),
    ("a price with other rows", "savings", shown("prices.0.rows.0.1", more)),
    ("a price in other parts", "savings", shown("prices.0.parts", 1)),
    ("a price of fewer plans", "savings", shown("prices.0.classes", lambda own: own[:-1])),
    (
        "plans that are one",
        "savings",
        shown("observations", lambda own: [[*own[0], *own[1]], *own[2:]]),
    ),
    ("plans that are missing", "savings", shown("observations", lambda own: own[1:])),
    ("a known cost", "town", shown("given.known.(walk home hill)", more)),
    ("known costs that are missing", "town", shown("given", {})),
    ("a bound of a cost", "town", shown("given.bounds", {"(walk home hill)": [5, None]})),
    (
        "ties",
        "town",
        together(
            put("options.ties", "observed"), put("solution", "mcf"), put("optimal_plans", more)
        ),
    ),
    (
        "a feature's value",
        "schema",
        shown("values", lambda own: {n: v + 1 for n, v in own.items()}),
    ),
    ("other features", "schema", shown("given.made", lambda own: dict(list(own.items())[1:]))),
    ("an answer to icf", "none", put("ending", "done")),
    ("none exists, by no conflict", "none", shown("conflicts", [])),
    ("a trip of another group", "streets", put("groups.0.observations.0.group", "evening")),
    ("a sum of groups", "streets", put("optimal_plans", more)),
    (
        "a group's bound",
        "streets",
        together(put("groups.0.upper_bound", less), put("upper_bound", less)),
    ),
    ("a group's cost", "streets", put("groups.0.costs.north-road-1-east", more)),
    ("a larger factor", "factor", put("options.suboptimality", "1")),
]


def test_there_are_fifty_kinds_of_forgery() -> None:
    assert len({name for name, _, _ in FORGED}) == len(FORGED) >= 50


@pytest.mark.parametrize(("name", "of", "change"), FORGED, ids=[name for name, _, _ in FORGED])
def test_a_forged_result_is_not_proven(
    name: str,
    of: str,
    change: Change,
    results: dict[str, tuple[Path, Path]],
    tmp_path: Path,
) -> None:
    case, true = results[of]
    path = tmp_path / "RESULT.json"
    told = json.loads(true.read_text())
    proofs = {place.name: json.loads(place.read_text()) for place in true.parent.glob("*.proof*")}
    change(told, next(iter(proofs.values())))
    path.write_text(json.dumps(told))
    for place, document in proofs.items():
        (tmp_path / place).write_text(json.dumps(document))
    word, said = check.verdict(case, path)
    if word == "proven":  # as given are what costs are made of: the command reads that too
        word = plancost.check_proof(case, path).verdict
    assert word in ("wrong", "not proven"), said


# Random cases


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_random_streets(seed: int, tmp_path: Path) -> None:
    by_hand, _ = draw_streets(seed, tmp_path / "case")
    options = draw_options(seed, by_hand)
    asked = {"solution": options.solution, "ties": options.ties}
    try:
        path = learned(tmp_path / "case", tmp_path, **asked)
    except InputError:
        return
    assert_it_is_no_lie(tmp_path / "case", path, None)


@pytest.mark.parametrize("seed", range(400, 412))
def test_random_pddl(seed: int, tmp_path: Path) -> None:
    written = draw_written(seed)
    case, more_words = written.write(tmp_path)
    keywords = draw_question(seed, written).keywords | {"time_limit": 30}
    path = tmp_path / "RESULT.json"
    try:
        seen = read_case(case, **more_words)
        result = plancost.learn(seen, knowledge=tmp_path / "RESULT.proof.json", **keywords)
    except PlancostError:
        return
    write_result(result, path)
    assert_it_is_no_lie(case, path, more_words.get("domain"))


def assert_it_is_no_lie(case: Path, path: Path, domain: Path | None) -> None:
    """True results are proven, unless an integer program alone knows why, or it is not read."""
    word, said = check.verdict(case, path, domain)
    known = ("integer program", "goal always holds", "never possible", "derived predicates")
    assert word == "proven" or (word == "not proven" and any(w in said[0] for w in known)), said


# The command


def test_the_command(results: dict[str, tuple[Path, Path]], capsys: Any, tmp_path: Path) -> None:
    case, path = results["town"]
    words = ["check-proof", str(case), str(path)]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("proven\n")
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "proven"
    assert main(["check-proof", str(case), str(tmp_path / "nothing.json")]) == 1
    (tmp_path / "costs.json").write_text('{"(walk home hill)": 2}')
    capsys.readouterr()
    assert main(["check-proof", str(case), str(tmp_path / "costs.json")]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "this is not a RESULT.json" in said.err
    shutil.copy(path, tmp_path / "RESULT.json")
    assert main(["check-proof", str(case), str(tmp_path / "RESULT.json")]) == 4
    told = json.loads(path.read_text())
    (tmp_path / "RESULT.json").write_text(json.dumps({**told, "plans": 6}))
    assert main(["check-proof", str(case), str(tmp_path / "RESULT.json"), "--quiet"]) == 5


def test_a_run_that_was_ended_is_not_proven(
    results: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    """What is written last is missing then: what costs are made of, and trees."""
    case, path = results["town"]
    document = json.loads(path.with_suffix(".proof.json").read_text())
    for key in ("given", "values", "most", "least", "inequalities"):
        document.pop(key, None)
    shutil.copy(path, tmp_path / "RESULT.json")
    (tmp_path / "RESULT.proof.json").write_text(json.dumps(document))
    found = plancost.check_proof(case, tmp_path / "RESULT.json")
    assert found.verdict == "not proven"
    assert any("was the run ended" in sentence for sentence in found.said)


def test_a_division_is_not_proven_to_have_the_least_costs(tmp_path: Path) -> None:
    """Each group has the least for its plans; another division may have less."""
    path = learned(EXAMPLES / "town", tmp_path, groups=2)
    told = json.loads(path.read_text())
    second = told["secondary"]
    assert second["value"] > second["lower_bound"] == 12
    assert not second["proved"]
    assert check.verdict(EXAMPLES / "town", path)[0] == "not proven"
    told["secondary"] = {**second, "lower_bound": second["value"], "proved": True}
    path.write_text(json.dumps(told))
    assert check.verdict(EXAMPLES / "town", path)[0] == "wrong"


def test_what_is_given_is_compared_with_the_case(
    results: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    """The checker has to believe in known costs; the command reads them too."""
    case, path = results["town"]
    told, document = (
        json.loads(place.read_text()) for place in (path, path.with_suffix(".proof.json"))
    )
    action = next(name for name, cost in told["costs"].items() if cost == 1)
    document["given"]["known"][action] += 1
    told["secondary"] = {"value": told["secondary"]["value"] + 1, "lower_bound": 0, "proved": False}
    (tmp_path / "RESULT.json").write_text(json.dumps(told))
    (tmp_path / "RESULT.proof.json").write_text(json.dumps({**document, "prices": []}))
    found = plancost.check_proof(case, tmp_path / "RESULT.json")
    assert found.verdict == "wrong"


def test_it_stands_alone(results: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    source = Path(check.__file__)
    tree = ast.parse(source.read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names
    copy = shutil.copy(source, tmp_path / "check.py")
    case, path = results["savings"]
    command = [sys.executable, "-I", str(copy), str(case), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "proven")
