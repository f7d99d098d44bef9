"""Standard streams that are closed, full or cut off have a documented outcome."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import PLANCOST


def _shell(redirection: str, *words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", PLANCOST, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        check=False,
    )


_CLOSED = (">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-")
_QUICK: dict[tuple[str, ...], tuple[str, ...]] = {
    (): (),
    ("--quiet",): ("<&- >&- 2>&-",),
    ("--json",): (">&-",),
    ("--verbose",): ("2>&-",),
}
"""By default each stream is closed once, and each option used once."""


@pytest.mark.parametrize(
    ("how", "streams"),
    [
        pytest.param(how, streams, marks=[] if streams in quick else [pytest.mark.slow])
        for how, quick in _QUICK.items()
        for streams in _CLOSED
    ],
)
def test_a_closed_stream_is_nowhere(
    example_1: Path, tmp_path: Path, streams: str, how: tuple[str, ...]
) -> None:
    words = ["--output", "r.json", "--log-file", "log", "--alternatives", "5", "--no-cache"]
    done = _shell(streams, "learn", example_1, *words, *how, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["verified"]
    if "2>&-" in streams or how != ("--verbose",):
        assert done.stderr == ""
    assert ("--quiet" in how or ">&-" in streams.split()) == (done.stdout == "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["case", "log", "r.json"]


@pytest.mark.parametrize(
    "streams",
    [">&-", *(pytest.param(s, marks=pytest.mark.slow) for s in ("2>&-", "<&-", ">&- 2>&-"))],
)
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["completion", "bash"]])
def test_other_commands(tmp_path: Path, words: list[str], streams: str) -> None:
    done = _shell(streams, *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "streams",
    [">&-", "2>&-", *(pytest.param(s, marks=pytest.mark.slow) for s in ("<&-", ">&- 2>&-"))],
)
@pytest.mark.parametrize(("words", "status"), [(["nonsense"], 2), (["learn", "not-there"], 1)])
def test_a_sentence_about_an_error_is_never_the_answer(
    tmp_path: Path, words: list[str], status: int, streams: str
) -> None:
    done = _shell(streams, *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    assert (done.stderr == "") is ("2>&-" in streams)


FULL = "plancost: standard output cannot be written (No space left on device)\n"


ANSWERS = [
    ["--help"],
    ["learn", "case"],
    *(pytest.param(w, marks=pytest.mark.slow) for w in (["--version"], ["completion", "bash"])),
]


@pytest.mark.parametrize("words", ANSWERS)
def test_a_full_standard_output_is_an_error(
    example_1: Path, tmp_path: Path, words: list[str]
) -> None:
    assert example_1 == tmp_path / "case"
    done = _shell(">/dev/full", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, FULL)
    assert _shell(">/dev/full 2>&1", *words, cwd=tmp_path).returncode == 1


@pytest.mark.slow
def test_a_full_standard_error_changes_nothing(example_1: Path, tmp_path: Path) -> None:
    assert _shell("2>/dev/full", "nonsense", cwd=tmp_path).returncode == 2
    assert _shell("2>/dev/full", "learn", "not-there", cwd=tmp_path).returncode == 1
    done = _shell("2>/dev/full", "learn", example_1, "--verbose", "--json", cwd=tmp_path)
    assert done.returncode == 0
    content = json.loads(done.stdout)
    assert content["verified"]
    assert not content.get("notes")


def test_files_are_written_before_anything_is_printed(example_1: Path, tmp_path: Path) -> None:
    problem = next(p for p in sorted(example_1.glob("*.pddl")) if p.name != "domain.pddl")
    words = [problem, "--domain", example_1 / "domain.pddl", "--output", "found.plan"]
    done = _shell(">/dev/full", "solve", *words, "--planner", "fast-downward", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, FULL)
    assert (tmp_path / "found.plan").read_text().startswith("(")


@pytest.mark.parametrize("words", ANSWERS)
def test_a_reader_that_has_gone(example_1: Path, tmp_path: Path, words: list[str]) -> None:
    assert example_1 == tmp_path / "case"
    for also_errors in (False, True):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = subprocess.run(
                [PLANCOST, *words],
                stdout=writing,
                stderr=writing if also_errors else subprocess.PIPE,
                text=True,
                timeout=120,
                cwd=tmp_path,
                check=False,
            )
        finally:
            os.close(writing)
        assert (done.returncode, done.stderr or "") == (0, "")


def test_what_a_library_prints_by_mistake_is_not_in_the_answer() -> None:
    lines = (
        "import os",
        "from plancost.cli.output import streams",
        "streams.prepare()",
        "print('before')",
        "os.write(1, b'noise of compiled code')",
        "print('after')",
        "streams.let_go()",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("before\nafter\n", "")
