"""Every command and every Python example in README.md, docs/ and examples/ works as shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.documents import ROOT, Kind, blocks, pages
from support.page_runner import PageRunner

PAGES = [path.relative_to(ROOT).as_posix() for path in pages()]
RUN = [
    page if page == "README.md" else pytest.param(page, marks=pytest.mark.slow) for page in PAGES
]
"""The README's commands are always run, those of the other pages with ``--all``."""


@pytest.mark.parametrize("page", RUN)
def test_what_a_page_shows_works(page: str, tmp_path: Path) -> None:
    wrong = PageRunner(tmp_path).run((ROOT / page).read_text(encoding="utf-8"))
    assert not wrong, f"{page}:\n" + "\n\n".join(wrong)


@pytest.mark.parametrize("page", PAGES)
def test_every_exemption_has_a_reason(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    exempt = [block for block in blocks(text) if block.kind is Kind.NOT_RUN]
    for block in exempt:
        assert len(block.remark_text.split()) >= 2, f"{page}:{block.line}: say why it is not run"
    assert len(exempt) == len(re.findall(r"^<!-- *not run\b", text, re.MULTILINE)), (
        f"{page}: an exemption stands right before its block"
    )


@pytest.mark.parametrize("page", PAGES)
def test_lists_begin_after_an_empty_line(page: str) -> None:
    """The site's Markdown takes them for running text otherwise; git hosts do not mind."""
    fenced = False
    before = ""
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        starts = re.match(r"(-|\*|\d+\.) ", line) is not None and not fenced
        inside = not before.strip() or before.startswith(" ") or re.match(r"(-|\*|\d+\.) ", before)
        assert not starts or inside, f"{page}:{number}: put an empty line before the list"
        before = line


@pytest.mark.parametrize("page", PAGES)
def test_links_work_on_a_git_host(page: str) -> None:
    """There they go by the folders of the repository; the build of the site checks its own."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target:
            assert ((ROOT / page).parent / target).exists(), f"{page}: {target}"


def test_the_files_of_the_tutorial_are_those_of_the_example() -> None:
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    files = [block for block in blocks(text) if block.kind is Kind.FILE]
    assert len(files) == 7
    for block in files:
        path = ROOT / "examples" / block.remark_text
        assert block.text == path.read_text(encoding="utf-8"), path


def test_the_pages_do_run_something() -> None:
    kinds = [block.kind for path in pages() for block in blocks(path.read_text(encoding="utf-8"))]
    assert kinds.count(Kind.SHELL) >= 10
    assert kinds.count(Kind.PYTHON) >= 2


STUMBLED_OVER = (
    "leave the costs that the manifest",
    "is for single plans",
    "who solves the MILPs",
    "keep none",
    "take branching",
    "gives a reason for",
    "would speak of better answers",
    "who is held out when",
    "dearer than",
    "rather too few",
    "that only runs wait for",
    "loses its way",
    "from 1 on",
    "gone on with",
)
"""Words that readers of the help and of the pages did not understand."""


def test_words_that_readers_stumbled_over_are_gone() -> None:
    files = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("src/plancost/**/*.py")]
    assert len(files) > 100
    for path in files:
        text = " ".join(path.read_text(encoding="utf-8").split())
        assert [words for words in STUMBLED_OVER if words in text] == [], path
