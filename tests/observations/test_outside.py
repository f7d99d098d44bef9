"""No manifest, folder or RESULT.json leads to a file outside of what the user named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conftest import WriteGraphCase
from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.learning.problem.options import LearnOptions
from plancost.monitoring.monitor import MonitorOptions
from plancost.monitoring.watch import MonitorSources, monitor
from plancost.observations.files import find_case_files
from plancost.observations.outside import NamedFolders
from support.command import in_process

EDGES = {"ab": 1, "ba": 1}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A case, a folder with other files beside it, and links between the two."""
    for name in ("case/domain.pddl", "case/p.pddl", "case/a.plan", "other/secret.pddl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "case" / "tasks").mkdir()
    (tmp_path / "case" / "link.pddl").symlink_to("../other/secret.pddl")
    (tmp_path / "case" / "folder").symlink_to("../other")
    (tmp_path / "case" / "own.pddl").symlink_to("p.pddl")
    (tmp_path / "case" / "loop.pddl").symlink_to("loop.pddl")
    return tmp_path


def manifest(folder: Path, problem: str) -> Path:
    path = folder / "m.csv"
    path.write_text(f"problem,plan\n{problem},{'../' if folder.name == 'tasks' else ''}a.plan\n")
    return path


@pytest.mark.parametrize(
    "problem", ["../other/secret.pddl", "link.pddl", "folder/secret.pddl", "tasks/../../other/x"]
)
def test_a_manifest_that_leads_out(place: Path, problem: str) -> None:
    path = manifest(place / "case", problem)
    words = rf"m\.csv:2: the problem {problem} leads to /.*/other/.* outside of .*/case; add allow_"
    with pytest.raises(InputError, match=words):
        find_case_files(path, place / "case" / "domain.pddl")
    if problem != "tasks/../../other/x":
        found = find_case_files(path, place / "case" / "domain.pddl", allow_outside=True)
        assert found.observed[0].problem == place / "case" / problem


def test_absolute_paths(place: Path) -> None:
    domain = place / "case" / "domain.pddl"
    with pytest.raises(InputError, match=r"m\.csv:2: the problem /.*secret\.pddl leads to"):
        find_case_files(manifest(place / "case", str(place / "other" / "secret.pddl")), domain)
    inside = find_case_files(manifest(place / "case", str(place / "case" / "p.pddl")), domain)
    assert inside.observed[0].problem == place / "case" / "p.pddl"


def test_the_folder_of_the_domain_is_named_too(place: Path) -> None:
    path = manifest(place / "case" / "tasks", "../p.pddl")
    assert len(find_case_files(path, place / "case" / "domain.pddl").observed) == 1
    with pytest.raises(InputError, match=r"outside of .*/tasks and .*/other; add allow_outside"):
        find_case_files(path, place / "other" / "domain.pddl")


def test_links_inside_and_a_case_that_is_a_link(place: Path) -> None:
    (place / "alias").symlink_to("case")
    path = manifest(place / "alias", "own.pddl")
    found = find_case_files(path, place / "alias" / "domain.pddl")
    assert found.observed[0].problem == place / "alias" / "own.pddl"
    with pytest.raises(InputError, match=r"m\.csv:2: there is no file .*loop\.pddl"):
        find_case_files(manifest(place / "case", "loop.pddl"), place / "case" / "domain.pddl")


@pytest.mark.parametrize("name", ["p.plan", "p.pddl", "domain.pddl"])
def test_links_in_a_case_folder(place: Path, name: str) -> None:
    case = place / "case"
    (case / "a.plan").rename(case / "p.plan")
    (case / name).unlink()
    (case / name).symlink_to("../other/secret.pddl")
    with pytest.raises(InputError, match=rf"case/{name}: this link leads to .* allow_outside"):
        find_case_files(case)
    assert find_case_files(case, allow_outside=True).observed
    if name == "domain.pddl":  # whoever names a link means it
        assert find_case_files(case, case / name).domain == case / name


@given(st.text(st.sampled_from("../a\0"), max_size=12))
@example("folder/../..")
def test_what_is_allowed_is_inside(words: str) -> None:
    root = Path("/nowhere/case")
    folders = NamedFolders([root])
    path = root / words
    if "\0" not in words:
        assert folders.has(path) is (path.resolve().parts[:3] == ("/", "nowhere", "case"))
    assert NamedFolders([root], allow_outside=True).has(path)


def test_a_stream_that_leads_out(write_graph_case: WriteGraphCase, tmp_path: Path) -> None:
    case = write_graph_case(EDGES, ["ab"] * 3)
    learn(case).write(case / "RESULT.json")
    (tmp_path / "secret.pddl").write_text((case / "p1.pddl").read_text())
    stream = case / "stream.csv"
    stream.write_text(
        f"problem,plan\n{tmp_path / 'secret.pddl'},{next(case.glob('*.plan')).name}\n"
    )
    sources = MonitorSources(case / "RESULT.json", case / "domain.pddl", stream)
    with pytest.raises(InputError, match=r"stream\.csv:2: the problem .* add allow_outside"):
        monitor(sources)
    allowed = MonitorOptions(learning=LearnOptions(allow_outside=True))
    assert len(monitor(sources, allowed).events) == 1


@pytest.mark.parametrize("what", ["problem", "initial_costs"])
def test_a_result_that_leads_out(
    write_graph_case: WriteGraphCase, tmp_path: Path, what: str
) -> None:
    case = write_graph_case(EDGES, ["ab"] * 3)
    learn(case).write(case / "RESULT.json")
    outside = tmp_path / "outside"
    outside.write_text((case / "p1.pddl").read_text())
    content = json.loads((case / "RESULT.json").read_text())
    if what == "problem":
        content["observations"][0]["problem"] = str(outside)
    else:
        content["options"]["initial_costs"] = str(outside)
    (case / "RESULT.json").write_text(json.dumps(content))
    (case / "stream.csv").write_text("problem,plan\n")
    sources = MonitorSources(case / "RESULT.json", case / "domain.pddl", case / "stream.csv")
    with pytest.raises(InputError, match=r"RESULT\.json: .*outside leads to .* allow_outside"):
        monitor(sources)
    allowed = MonitorOptions(learning=LearnOptions(allow_outside=True))
    if what == "problem":
        assert monitor(sources, allowed).events == ()


def test_the_command(
    write_graph_case: WriteGraphCase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = write_graph_case(EDGES, ["ab"])
    (tmp_path / "elsewhere.pddl").write_text((case / "p1.pddl").read_text())
    path = case / "m.csv"
    plan = next(case.glob("*.plan")).name
    path.write_text(f"problem,plan\n{tmp_path / 'elsewhere.pddl'},{plan}\n")
    result = tmp_path / "RESULT.json"
    words = [path, "--domain", case / "domain.pddl", "--quiet"]
    refused = in_process(capsys, "learn", *words)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"plancost: {path}:2: the problem {tmp_path}/elsewhere.pddl")
    assert refused.stderr.endswith("add --allow-outside if it may be read\n")
    allowed = in_process(capsys, "learn", *words, "--allow-outside", "--output", result)
    assert (allowed.returncode, allowed.stderr) == (0, "")
    page = [path, result, "--domain", case / "domain.pddl", "--output", tmp_path / "r.html"]
    assert in_process(capsys, "report", *page).returncode == 1
    assert in_process(capsys, "report", *page, "--allow-outside").returncode == 0
    assert learn(path, replace(LearnOptions(), allow_outside=True), domain=case / "domain.pddl")
