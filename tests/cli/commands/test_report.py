"""``plancost plot``, ``plancost report`` and ``plancost learn --report``, as a user calls them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from plancost.api.learn import learn
from support.command import in_process, plancost

EXAMPLE = Path(__file__).parents[3] / "examples" / "avoid-the-centre"


@pytest.fixture
def result(tmp_path: Path) -> Path:
    path = tmp_path / "RESULT.json"
    learn(EXAMPLE).write(path)
    return path


@pytest.mark.parametrize("command", ["plot", "report"])
def test_help(command: str) -> None:
    done = plancost(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("CASE", "RESULT.json", "--output", "--domain", "--coordinates", "exit status:"):
        assert word in done.stdout


def test_from_learning_to_a_report(tmp_path: Path) -> None:
    page = tmp_path / "new" / "report.html"
    done = plancost("learn", EXAMPLE, "--output", tmp_path / "R.json", "--report", page)
    assert done.returncode == 0, done.stderr
    assert f"wrote {page}" in done.stdout
    first = page.read_text()
    assert "All 4 observed plans are optimal" in first
    page.unlink()
    done = plancost("report", EXAMPLE, tmp_path / "R.json", "--output", page)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"wrote {page}\n", "")
    assert page.read_text() == first


def test_plot(result: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "picture.svg"
    done = in_process(capsys, "plot", EXAMPLE, result, "--output", picture, "--plans", "1,4")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"wrote {picture}\n", "")
    root = ElementTree.fromstring(picture.read_text())
    numbers = [element.get("data-plan") for element in root.iter() if element.get("data-plan")]
    assert numbers == ["1", "4"]
    png = tmp_path / "picture.png"
    done = in_process(capsys, "plot", EXAMPLE, result, "--output", png, "--quiet")
    assert (done.returncode, done.stdout) == (0, "")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_a_manifest_with_coordinates(
    table_1: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = table_1 / "m.csv"
    manifest.write_text("problem,plan,count\np1.pddl,p1.plan,3\np2.pddl,p2.plan,1\n")
    domain = table_1 / "domain.pddl"
    file = tmp_path / "R.json"
    places = tmp_path / "places.csv"
    places.write_text("place,x,y\n" + "".join(f"{n},{i},{i % 2}\n" for i, n in enumerate("abcdef")))
    page = tmp_path / "r.html"
    options = ["--domain", domain, "--coordinates", places]
    learning = in_process(
        capsys, "learn", manifest, "--output", file, "--report", page, "--quiet", *options
    )
    assert learning.returncode == 0 and "m.csv" in page.read_text()
    done = in_process(capsys, "plot", manifest, file, "--output", tmp_path / "a.svg", *options)
    assert done.returncode == 0
    assert "seen 3 times" in (tmp_path / "a.svg").read_text()


def test_what_is_wrong_in_one_sentence(
    result: Path, table_1: Path, example_2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, picture = tmp_path / "r.html", tmp_path / "p.svg"
    content = json.loads(result.read_text())
    damaged = tmp_path / "damaged.json"
    damaged.write_text(json.dumps({**content, "plans": "four"}))
    blocks = tmp_path / "blocks.json"
    learn(example_2).write(blocks)
    for arguments, status, words in [
        (["report", table_1, result, "--output", page], 1, "belongs to another case"),
        (["report", EXAMPLE, damaged, "--output", page], 1, "plans must be a whole number"),
        (["report", EXAMPLE, tmp_path / "none.json", "--output", page], 1, "cannot read"),
        (["plot", EXAMPLE, result, "--output", tmp_path / "p.pdf"], 2, "NAME.svg or NAME.png"),
        (["plot", EXAMPLE, result, "--output", picture, "--plans", "5"], 2, "there is no plan 5"),
        (["plot", EXAMPLE, result, "--output", picture, "--plans", "0"], 2, "from 1 to"),
        (["plot", example_2, blocks, "--output", picture], 1, "there is no map to draw"),
        (["learn", EXAMPLE, "--coordinates", page], 2, "--report"),
        (["learn", EXAMPLE, "--coordinates", page, "--report", page], 1, "cannot read these"),
    ]:
        done = in_process(capsys, *arguments)
        assert (done.returncode, done.stdout) == (status, ""), arguments
        assert words in done.stderr and "Traceback" not in done.stderr
    assert not page.exists() and not picture.exists()


def without_times(page: Path) -> str:
    plot = '<figure class="history">.*?</figure>'
    return re.sub(rf"in [\d.]+ seconds|{plot}", "", page.read_text())


def test_groups_are_on_one_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = EXAMPLE.parent / "two-kinds-of-drivers"
    output, page, alone = (tmp_path / name for name in ("R.json", "report.html", "alone.html"))
    options = ("--solution", "scf", "--groups", "2", "--output", output, "--report", page)
    done = in_process(capsys, "learn", case, *options)
    assert done.returncode == 0, done.stderr
    assert f"wrote {page}" in done.stdout
    names = [group["name"] for group in json.loads(output.read_text())["groups"]]
    both = without_times(page)
    assert all(f">{name}</button>" in both for name in names)

    done = in_process(capsys, "report", case, output, "--output", page)
    assert done.returncode == 0, done.stderr
    assert without_times(page) == both
    done = in_process(capsys, "report", case, output, "--output", alone, "--group", names[0])
    assert done.returncode == 0, done.stderr
    assert f"this is the group {names[0]}; 8 of 8 plans are optimal" in alone.read_text()
    assert f">{names[1]}</button>" not in alone.read_text()
    done = in_process(capsys, "plot", case, output, "--output", tmp_path / "map.svg")
    assert done.returncode == 2 and f"choose one with --group: {', '.join(names)}" in done.stderr
    picture = tmp_path / "map.svg"
    done = in_process(capsys, "plot", case, output, "--output", picture, "--group", names[1])
    assert done.returncode == 0, done.stderr
    ElementTree.fromstring(picture.read_text())


def test_a_result_without_groups(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = in_process(capsys, "report", EXAMPLE, result, "--output", "x.html", "--group", "a")
    assert done.returncode == 2 and "there are no groups in this result" in done.stderr
