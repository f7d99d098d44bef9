"""``plancost routes``, called as a user calls it."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from plancost.results.samples import read_samples
from support.command import PLANCOST, in_process, plancost
from support.contract import assert_contract
from support.drawn import write

LINKS = """link,from,to,minutes,x_from,y_from,x_to,y_to,street
1,a,b,0.5,0,0,1,0,High Street
2,b,c,0,1,0,2,0,High Street
3,a,c,0.125,0,0,2,0,
4,c,d,1,2,0,2,1,
"""
TRIPS = "trip,links,count\nx,1 2,2\ny,1 2 4,1\nz,3,1\n"
TURNS = "link,next,angle\n1,2,0\n2,4,-1.57\n3,4,-1.57\n"


@pytest.fixture
def town(tmp_path: Path) -> Path:
    for name, text in (("links", LINKS), ("trips", TRIPS), ("turns", TURNS)):
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "pairs.csv").write_text("from,to\na,d\n")
    return tmp_path


def learned(town: Path, capsys: pytest.CaptureFixture[str], *more: object) -> dict[str, Any]:
    files = (town / "links.csv", town / "trips.csv")
    done = in_process(
        capsys, "routes", "learn", *files, "--output", town / "r.json", "--quiet", *more
    )
    assert (done.returncode, done.stderr) == (0, "")
    content: dict[str, Any] = json.loads((town / "r.json").read_text())
    return content


def test_learn_and_predict(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = learned(town, capsys, "--initial", "Minutes")
    assert_contract(content, of_actions=False)
    assert content["options"]["initial"] == "minutes"
    assert content["options"]["scale"] == 8
    assert content["costs"].keys() == {"1", "2", "3", "4"}
    assert (content["plans"], content["optimal_plans"]) == (4, 4)
    trips = town / "trips.csv"
    done = in_process(
        capsys, "routes", "predict", town / "r.json", town / "links.csv", "--trips", trips
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "overlap   exact   optimal" in done.stdout
    done = in_process(
        capsys,
        *("routes", "predict", town / "r.json", town / "links.csv"),
        *("--pairs", town / "pairs.csv", "--alternatives", 3, "--output", town / "routes.csv"),
    )
    assert f"wrote {town / 'routes.csv'}" in done.stdout
    rows = list(csv.DictReader((town / "routes.csv").read_text().splitlines()))
    assert [row["rank"] for row in rows] == ["1", "2"]
    assert {row["links"] for row in rows} == {"1 2 4", "3 4"}


def test_turns_and_json(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = learned(town, capsys, "--turns", "coordinates")
    assert "turn:left" in content["costs"]
    files = (town / "r.json", town / "links.csv")
    done = in_process(capsys, "routes", "predict", *files, "--trips", town / "trips.csv", "--json")
    found = json.loads(done.stdout)
    assert found["trips"] == 4
    assert len(found["routes"]) == 3
    content = learned(town, capsys, "--turns", town / "turns.csv", "--split")
    assert content["options"]["turns"] == str(town / "turns.csv")
    done = in_process(capsys, "routes", "predict", *files, "--trips", town / "trips.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert "add --turns" in done.stderr


def test_explain(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learned(town, capsys, "--solution", "scf")
    files = (town / "r.json", town / "links.csv", town / "trips.csv")
    done = in_process(capsys, "routes", "explain", *files)
    assert done.returncode == 0
    assert "2 of 3 trips are cheapest routes" in done.stdout or "High Street" in done.stdout
    done = in_process(capsys, "routes", "explain", *files, "--trip", "x", "--json")
    (item,) = json.loads(done.stdout)
    assert (item["trip"], item["line"]) == ("x", 2)
    done = in_process(capsys, "routes", "explain", *files, "--trip", "q")
    assert (done.returncode, "there is no trip q" in done.stderr) == (1, True)


def test_evaluate(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = (town / "links.csv", town / "trips.csv", "--initial", "minutes", "--folds", 3)
    for kind in ("md", "csv", "json"):
        table = town / f"table.{kind}"
        done = in_process(capsys, "routes", "evaluate", *files, "--output", table)
        assert (done.returncode, done.stderr) == (0, "")
        for method in ("unit", "minutes", "maxent", "ours", "refined", "likely"):
            assert method in done.stdout
            assert method in table.read_text()
    done = in_process(capsys, "routes", "evaluate", *files, "--output", town / "table.txt")
    assert (done.returncode, "--output takes a file that ends in" in done.stderr) == (2, True)
    done = in_process(capsys, "routes", "evaluate", *files, "--methods", "best")
    assert (done.returncode, "unknown method 'best'" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        (["routes"], 2, "COMMAND"),
        (["routes", "teach"], 2, "unknown"),
        (["routes", "learn", "links.csv"], 2, "TRIPS"),
        (["routes", "learn", "links.csv", "none.csv"], 1, "none.csv: cannot read these trips"),
        (["routes", "learn", "links.csv", "trips.csv", "--scale", "2"], 2, "goes with --initial"),
        (["routes", "learn", "links.csv", "trips.csv", "--initial", "metres"], 1, "no column"),
        (["routes", "learn", "links.csv", "trips.csv", "--fix", "1=2.5"], 1, "or --scale 2 with"),
        (["routes", "learn", "links.csv", "trips.csv", "--oracle", "symk"], 2, "unknown option"),
        (["routes", "learn", "links.csv", "trips.csv", "--output", "links.csv"], 1, "links.csv"),
        (["routes", "predict", "trips.csv", "links.csv", "--pairs", "pairs.csv"], 1, "not JSON"),
        (["routes", "predict", "r.json", "links.csv"], 2, "--trips"),
    ],
)
def test_wrong_usage(
    town: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    status: int,
    message: str,
) -> None:
    monkeypatch.chdir(town)
    done = in_process(capsys, *command)
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_streets_back_to_their_own_place(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Dropped trips, bounds, explanations and maps do not stumble over them."""
    with (town / "links.csv").open("a") as file:
        file.write("s,b,b,1,1,0,1,0,\n5,b,a,1,1,0,0,0,\n")
    (town / "trips.csv").write_text("trip,links\nx,1 s 2\ny,3\nz,1 s 5\n")
    content = learned(town, capsys, "--drop", "y", "--split", "--fix", "s=3")
    plans = [item["plan"] for item in content["observations"]]
    assert plans == ["x", "z part 1 of 2", "z part 2 of 2"]
    assert content["trips"]["trips"] == 2
    files = (town / "r.json", town / "links.csv")
    for words in (
        ("explain", *files, town / "trips.csv", "--trip", "x"),
        ("report", *files, "--trips", town / "trips.csv", "--output", town / "map.html"),
    ):
        done = in_process(capsys, "routes", *words)
        assert (done.returncode, done.stderr) == (0, "")


def test_turn_costs_of_forbidden_turns(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (town / "turns.csv").write_text("link,next,class,forbidden\n1,2,a,0\n2,4,b,1\n")
    (town / "trips.csv").write_text("trip,links\nx,1 2\n")
    content = learned(town, capsys, "--turns", town / "turns.csv", "--turn-costs", "a=2,b=3")
    assert content["costs"]["turn:a"] == 2
    assert "turn:b" not in content["costs"]


def test_lines_that_do_not_fit(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (town / "trips.csv").write_text("trip,links\nx,1 2\ny,1 4\nz,9\n")
    files = (town / "links.csv", town / "trips.csv")
    done = in_process(capsys, "routes", "learn", *files)
    assert done.returncode == 1
    assert "trips.csv:3: trip y has a gap" in done.stderr
    done = in_process(capsys, "routes", "learn", *files, "--on-invalid", "skip")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "trips.csv:3: trip y has a gap" in text
    assert "trips.csv:4: trip z uses the link 9" in text


def test_help_names_all_commands() -> None:
    done = plancost("routes", "--help")
    assert done.returncode == 0
    for name in ("learn", "predict", "explain", "evaluate"):
        assert name in done.stdout
        assert "exit status:" in plancost("routes", name, "--help").stdout


def test_help_says_what_routes_pass_twice(capsys: pytest.CaptureFixture[str]) -> None:
    words = " ".join(in_process(capsys, "routes", "predict", "--help").stdout.split())
    assert "routes that pass no place twice, or with turns no link twice" in words


@pytest.mark.slow
def test_an_interrupt_keeps_the_best_answer(tmp_path: Path) -> None:
    """A grid with more trips than can be settled at once, stopped at the first answer."""
    import random

    side, chooser = 12, random.Random(1)
    ways = [
        (x, y, x + dx, y + dy)
        for x in range(side)
        for y in range(side)
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if 0 <= x + dx < side and 0 <= y + dy < side
    ]
    rows = [f"{n},{a}-{b},{c}-{d}" for n, (a, b, c, d) in enumerate(ways)]
    (tmp_path / "links.csv").write_text("link,from,to\n" + "\n".join(rows) + "\n")
    trips = []
    for number in range(400):
        x, y, nodes = chooser.randrange(side), chooser.randrange(side), []
        for _ in range(chooser.randint(4, 14)):
            nodes.append(f"{x}-{y}")
            onward = [w for w in ways if w[:2] == (x, y) and f"{w[2]}-{w[3]}" not in nodes]
            if not onward:
                break
            x, y = chooser.choice(onward)[2:]
        trips.append(f"{number},{' '.join(nodes)}")
    (tmp_path / "trips.csv").write_text("trip,nodes\n" + "\n".join(trips) + "\n")
    process = subprocess.Popen(
        [PLANCOST, "routes", "learn", "links.csv", "trips.csv", "--output", "r.json", "--verbose"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert process.stderr is not None
    assert any("optimal, at most" in line for line in process.stderr)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    content = json.loads((tmp_path / "r.json").read_text())
    assert content["interrupted"]
    assert content["optimal_plans"] > 0


def test_samples(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a to c by 1 and 2, or by 3."""
    learned(town, capsys)
    rows = [dict(zip("1234", costs, strict=True)) for costs in ((1.0, 1, 1, 1), (1, 1, 4, 1))]
    write(town / "samples.npz", rows)
    files = (town / "r.json", town / "links.csv", "--pairs", town / "pairs.csv")
    samples = ("--samples", town / "samples.npz")
    done = in_process(capsys, "routes", "ask", *files, *samples)
    assert (done.returncode, done.stderr) == (0, "")
    assert "from a to d" in done.stdout
    done = in_process(capsys, "routes", "ask", *files, *samples, "--budget", "1", "--json")
    assert json.loads(done.stdout)["tasks"][0]["score"] == pytest.approx(1.0)
    done = in_process(
        capsys, "routes", "predict", *files, *samples, "--alternatives", "2", "--json"
    )
    routes = json.loads(done.stdout)["routes"]
    assert {route["links"]: route["probability"] for route in routes} == {"1 2 4": 0.5, "3 4": 0.5}
    done = in_process(capsys, "routes", "ask", *files)
    assert done.returncode == 2
    streets = (town / "links.csv", town / "trips.csv")
    done = in_process(capsys, "routes", "learn", *streets, "--samples-out", town / "s.npz")
    assert done.returncode == 2
    assert "--samples-out goes with --choose mean" in done.stderr


def test_samples_out(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learned(town, capsys, "--choose", "mean", "--samples-out", town / "samples.npz")
    found = read_samples(town / "samples.npz")
    assert found.actions == ("1", "2", "3", "4")
    assert found.costs.shape == (200, 4)
