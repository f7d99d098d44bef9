"""The documentation site builds without a warning and needs no network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plancost
from support.documents import ROOT, pages
from support.page_runner import copy_of_the_repository

_LOADED = re.compile(
    r"<(?:script|img|iframe)[^>]*\ssrc=\"?(?:https?:)?//[^\s>]*"
    r"|<link(?=[^>]*rel=\"?(?:stylesheet|preload|preconnect|icon))[^>]*href=\"?(?:https?:)?//[^\s>]*"
)
"""What a browser fetches from elsewhere when it opens a page."""


def build(project: Path, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the pages, with the sources that the reference is made from."""
    copy = copy_of_the_repository(tmp_path)
    (copy / "src").symlink_to(ROOT / "src")
    return copy


@pytest.mark.slow
def test_the_site_builds_and_loads_nothing_from_elsewhere(project: Path, tmp_path: Path) -> None:
    done = build(project, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    built = list((tmp_path / "site").rglob("*.html"))
    assert len(built) >= 10
    fetched = {found for page in built for found in _LOADED.findall(page.read_text("utf-8"))}
    assert not fetched
    reference = (tmp_path / "site" / "reference.html").read_text("utf-8")
    documented = set(re.findall(r'id="?plancost\.(\w+)"?[ >]', reference))
    assert set(plancost.__all__) - {"__version__"} <= documented


def test_what_counts_as_loaded_from_elsewhere() -> None:
    for tag in (
        '<script src="https://example.org/a.js">',
        '<img alt="x" src="//example.org/a.png">',
        '<link rel="stylesheet" href="https://example.org/a.css">',
        '<link href="https://example.org/a.css" rel="preconnect">',
    ):
        assert _LOADED.search(tag), tag
    assert not _LOADED.search('<a href="https://example.org"><script src="a.js">')


def test_every_page_is_in_the_navigation_once() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r": (\S+\.md)$", text, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert {f"docs/{name}".replace("docs/examples", "examples") for name in listed} == {
        path.relative_to(ROOT).as_posix() for path in pages()
    } - {"README.md"}


@pytest.mark.slow
def test_broken_links_fail_the_build(project: Path, tmp_path: Path) -> None:
    broken = ("nowhere.md", "result.md#no-such-anchor", "/absolute.md", "../outside.md")
    page = project / "docs" / "index.md"
    links = "".join(f"\n[broken]({link})\n" for link in broken)
    page.write_text(page.read_text("utf-8") + links, encoding="utf-8")
    done = build(project, tmp_path / "site")
    assert done.returncode != 0
    for link in broken:
        assert link in done.stderr
