"""What belongs to a public project agrees with itself, and can be built and installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from release.fill_urls import PLACEHOLDER, PLACES, fill_urls
from release.try_package import try_package

from plancost.version import __version__

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_version_is_everywhere_the_same() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == __version__
    assert citation["license"] == _project()["license"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_targets_that_exist(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    jobs = yaml.safe_load(path.read_text())["jobs"]
    commands = [
        step["run"] for job in jobs.values() for step in job.get("steps", ()) if "run" in step
    ]
    assert all(command.split()[0] == "make" for command in commands)
    assert {word for command in commands for word in command.split()[1:]} <= targets


def test_workflows_take_the_pythons_that_are_named() -> None:
    tests = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())
    pythons = tests["jobs"]["test"]["strategy"]["matrix"]["python"]
    named = [line.rsplit(" :: ", 1)[1] for line in _project()["classifiers"] if ":: 3." in line]
    assert pythons == named


def test_one_command_fills_in_the_address(tmp_path: Path) -> None:
    for name in PLACES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    address = "https://host.example/owner/plancost"
    assert fill_urls(tmp_path, address) == list(PLACES)
    assert fill_urls(tmp_path, address) == []
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"]
    assert all(url.startswith(address) for url in urls.values())


def test_no_other_file_needs_the_address() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = listed.stdout.decode().strip("\0").split("\0")
    texts = [name for name in names if Path(name).suffix in {".cff", ".md", ".toml", ".yml"}]
    assert {name for name in texts if PLACEHOLDER in (ROOT / name).read_text()} <= set(PLACES)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_what_is_built_works_elsewhere(kind: str, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (package,) = tmp_path.iterdir()
    assert "4 of 4" in try_package(package)


def test_links_of_the_readme_work_outside_the_repository() -> None:
    """On the page of a package index a relative link leads nowhere."""
    hook = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["metadata"][
        "hooks"
    ]
    readme = (ROOT / "README.md").read_text()
    for change in hook["fancy-pypi-readme"]["substitutions"]:
        readme = re.sub(change["pattern"], change["replacement"], readme)
    links = re.findall(r"\]\(([^)]+)\)", readme)
    assert links
    assert all(link.startswith(("https://", "#")) for link in links)


def _project() -> dict[str, list[str]]:
    loaded: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return loaded
