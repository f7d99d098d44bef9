"""The harness itself: a check of pages that never complains would be worth nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.documents import Kind, blocks, commands, differs
from support.page_runner import PageRunner


def wrong_with(page: str, folder: Path) -> list[str]:
    return PageRunner(folder).run(page)


def test_state_is_shared_within_a_page(tmp_path: Path) -> None:
    page = """
<!-- file: new/a.txt -->
```text
hello
```
```console
$ cd new
$ WORD=$(cat a.txt)
$ echo "$WORD" \\
>   again
hello again
```
```python
from pathlib import Path
word = Path("a.txt").read_text().strip()
print(word)
```
<!-- output -->
```
hello
```
```python
>>> word.upper()
'HELLO'
```
"""
    assert wrong_with(page, tmp_path) == []


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ("```console\n$ echo a\nb\n```\n", "the page shows"),
        ("```console\n$ echo a\n```\n", "the page shows"),
        ("```bash\nfalse\n```\n", "ended with status 1"),
        ("```\nplancost nonsense\n```\n", "ended with status 2"),
        ("```python\n1 / 0\n```\n", "ZeroDivisionError"),
        ("```python\n>>> 1 + 1\n3\n```\n", "Expected"),
        ("```python\nprint(1)\n```\n\n<!-- output -->\n```\n2\n```\n", "the page shows"),
    ],
)
def test_what_does_not_work_is_found(page: str, complaint: str, tmp_path: Path) -> None:
    wrong = wrong_with(page, tmp_path)
    assert len(wrong) == 1
    assert complaint in wrong[0]


def test_kinds_of_blocks() -> None:
    page = (
        "```\nplancost learn x\n```\n```\na/b.txt\n```\n"
        "<!-- not run: takes hours -->\n```bash\nplancost\n```\n"
        "<!-- not run: takes hours -->\n\nWords between.\n\n```bash\nplancost\n```\n"
        "```json\n{}\n```\n"
    )
    kinds = [block.kind for block in blocks(page)]
    assert kinds == [Kind.SHELL, Kind.PROSE, Kind.NOT_RUN, Kind.SHELL, Kind.PROSE]


def test_lines_of_a_command_are_joined() -> None:
    (block,) = blocks("```\nplancost a \\\n  b   # why\n\nplancost c\n```\n")
    assert [command.text.split("#")[0].split() for command in commands(block)] == [
        ["plancost", "a", "b"],
        ["plancost", "c"],
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb", "a  \nb\n\n", True),
        ("took 1.5 s", "took 27 s", True),
        ("cost 1.5", "cost 2", False),
        ("a\n...\nd", "a\nb\nc\nd", True),
        ("a\n...", "a\nb\nc", True),
        ("a\n...\nd", "a\nb\nc", False),
        ("a\n...\nc", "a\nb\nc\nd", False),
        ("a", "a\nb", False),
        ("", "a", False),
    ],
)
def test_outputs_are_compared_without_seconds(shown: str, printed: str, same: bool) -> None:
    assert (differs(shown, printed) is None) == same
