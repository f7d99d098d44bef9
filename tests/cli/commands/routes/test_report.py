"""``plancost routes report``, as a user calls it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from plancost.cli import exit_codes
from support.command import in_process, plancost

LINKS = """link,from,to,minutes,x_from,y_from,x_to,y_to
ab,a,b,1,0,0,1,0
bc,b,c,1,1,0,2,0
ac,a,c,1.5,0,0,2,0
ca,c,a,1.5,2,0,0,0
cd,c,d,1,2,0,2,1
"""
TRIPS = """trip,links,group
1,ab bc,day
2,ab bc cd,day
3,ac,night
4,cd,day
5,ab bc ca,day
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "links.csv").write_text(LINKS)
    (tmp_path / "trips.csv").write_text(
        TRIPS.replace(",group", "").replace(",day", "").replace(",night", "")
    )
    return tmp_path / "links.csv", tmp_path / "trips.csv"


def data_of(page: Path) -> dict[str, Any]:
    found = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)
    assert found is not None
    content: dict[str, Any] = json.loads(found[1])
    return content


def test_help() -> None:
    done = plancost("routes", "report", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("RESULT.json", "LINKS", "--trips", "--nodes", "--output", "exit status:"):
        assert word in done.stdout


def report(
    capsys: pytest.CaptureFixture[str], files: tuple[Path, Path], *options: str
) -> dict[str, Any]:
    """Learn with these options, and the data of the map."""
    links, trips = files
    result, page = links.with_name("r.json"), links.with_name("map.html")
    learned = in_process(capsys, "routes", "learn", links, trips, "--output", result, *options)
    assert learned.returncode == 0, learned.stderr
    turns = ["--turns", "coordinates"] if "--turns" in options else []
    done = in_process(
        capsys, "routes", "report", result, links, "--trips", trips, "--output", page, *turns
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"wrote {page}\n", "")
    return data_of(page)


def test_from_learning_to_a_map(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    data = report(capsys, files, "--initial", "minutes")
    assert data["trips"]["names"] == ["1", "2", "3", "4", "5"]
    assert data["trips"]["verdict"] == "11110"
    assert data["trips"]["learned"] == "11111"
    assert data["unit"][0] == "minutes"
    assert data["links"]["initial"] is not None
    assert data["places"]["x"] == [0, 30000, 60000, 60000]


def test_trips_that_were_cut(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    data = report(capsys, files, "--split")
    names = data["trips"]["names"]
    assert names[:4] == ["1", "2", "3", "4"]
    assert names[4:] == ["5 part 1 of 2", "5 part 2 of 2"]
    assert data["trips"]["learned"] == "111111"


def test_turns(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    data = report(capsys, files, "--turns", "coordinates")
    assert data["turns"] and data["links"]["least"] is not None


def test_groups(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    links, trips = files
    trips.write_text(TRIPS)
    result, page = links.with_name("r.json"), links.with_name("map.html")
    done = in_process(capsys, "routes", "learn", links, trips, "--output", result)
    assert done.returncode == 0, done.stderr
    asked = ("routes", "report", result, links, "--trips", trips, "--output", page)
    done = in_process(capsys, *asked)
    assert done.returncode == exit_codes.USAGE
    assert "choose one with --group: " in done.stderr
    done = in_process(capsys, *asked, "--group", "night", "--quiet")
    assert (done.returncode, done.stdout) == (0, "")
    assert data_of(page)["trips"]["names"] == ["3"]


def test_other_trips(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    report(capsys, files)
    links, _ = files
    others = links.with_name("others.csv")
    others.write_text("trip,nodes\nx,a b\ny,a c d\nz,b x\n")
    page = links.with_name("others.html")
    asked = ("routes", "report", links.with_name("r.json"), links, "--trips", others)
    done = in_process(capsys, *asked, "--output", page)
    assert done.returncode == exit_codes.BAD_INPUT
    assert "others.csv:4: " in done.stderr
    done = in_process(capsys, *asked, "--output", page, "--on-invalid", "skip")
    assert done.returncode == 0
    assert "left out: " in done.stdout
    assert data_of(page)["trips"]["learned"] == "00"


def test_what_is_wrong(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    report(capsys, files)
    links, trips = files
    result = links.with_name("r.json")
    before = links.read_text()
    done = in_process(
        capsys, "routes", "report", result, links, "--trips", trips, "--output", links
    )
    assert done.returncode != 0
    assert links.read_text() == before, "an input is never overwritten"
    links.write_text(f"{LINKS}dx,d,x,1,2,1,3,1\n")
    page = links.with_name("new.html")
    done = in_process(capsys, "routes", "report", result, links, "--trips", trips, "--output", page)
    assert done.returncode == exit_codes.BAD_INPUT and "dx" in done.stderr
    assert not page.exists()
