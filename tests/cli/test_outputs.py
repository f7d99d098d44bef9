"""Files that cannot be written: said before the work, and the answer is not lost after it."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from plancost.files.atomic import UNFINISHED
from support.command import PLANCOST, in_process, installed, plancost


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins to work has failed the test."""

    def work(*arguments: object, **named: object) -> None:
        raise AssertionError("it should not have come to this")

    monkeypatch.setattr("plancost.evaluation.evaluate.evaluate", work)
    monkeypatch.setattr("plancost.planning.solve.solve", work)
    # Last: other modules import it when they are imported for the first time.
    monkeypatch.setattr("plancost.api.learn.learn", work)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("option", "name", "words"),
    [
        ("--output", "folder", "this is a folder; name a file to write"),
        ("--report", "folder", "this is a folder; name a file to write"),
        ("--log-file", "folder", "this is a folder; name a file to write"),
        ("--pddl-out", "file", "this is a file, and a folder is to be written here"),
        ("--output", "file/RESULT.json", "nothing can be written here (Not a directory)"),
        ("--output", "closed/RESULT.json", "nothing can be written here (Permission denied)"),
        ("--pddl-out", "closed/new/deep", "nothing can be written here (Permission denied)"),
    ],
)
def test_learn_fails_before_the_work(
    example_1: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    name: str,
    words: str,
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "closed").mkdir()
    _close(tmp_path / "closed", monkeypatch)
    done = in_process(capsys, "learn", example_1, option, tmp_path / name)
    assert done.returncode == 1
    assert done.stderr == f"plancost: {tmp_path / name}: {words}\n"


def _close(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be written into a folder, even by root, for whom every folder is open."""
    make = os.open

    def refuse(path: str, flags: int, mode: int = 0o777, **named: int | None) -> int:
        nameless = flags & os.O_TMPFILE == os.O_TMPFILE and Path(path) == folder
        if nameless or (flags & os.O_CREAT and Path(path).parent == folder):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return make(path, flags, mode, **named)

    monkeypatch.setattr(os, "open", refuse)


@pytest.mark.usefixtures("no_work")
def test_other_commands_fail_before_the_work_too(
    example_1: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    done = in_process(capsys, "evaluate", example_1, "--output", file)
    assert (done.returncode, done.stderr) == (
        1,
        f"plancost: {file}: this is a file, and a folder is to be written here\n",
    )
    problem = next(example_1.glob("p*.pddl"))
    domain = example_1 / "domain.pddl"
    done = in_process(capsys, "solve", problem, "--domain", domain, "--output", tmp_path)
    assert done.returncode == 1
    assert "this is a folder; name a file to write" in done.stderr


def test_one_folder_that_is_missing_is_made(example_1: Path, tmp_path: Path) -> None:
    output, log, pddl = (tmp_path / name for name in ("new/r.json", "logs/log", "a/pddl"))
    words = ["--output", output, "--log-file", log, "--pddl-out", pddl]
    done = plancost("learn", example_1, *words, "--report", tmp_path / "page" / "r.html")
    assert done.returncode == 0, done.stderr
    assert json.loads(output.read_text())["verified"]
    assert "second objective" in log.read_text()
    assert (pddl / "domain.pddl").is_file()


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("option", ["--output", "--report", "--log-file", "--pddl-out"])
def test_more_folders_are_not_made(
    example_1: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    path = tmp_path / "no" / "such" / "place"
    done = in_process(capsys, "learn", example_1, option, path)
    assert (done.returncode, done.stderr) == (
        1,
        f"plancost: {path}: nothing can be written here "
        f"(there is no folder {tmp_path / 'no'}; make it first)\n",
    )
    path = Path("/no-such-folder-of-plancost/place")
    done = in_process(capsys, "learn", example_1, option, path)
    assert (done.returncode, done.stderr) == (
        1,
        f"plancost: {path}: nothing can be written here (there is no folder {path.parent}; "
        "make it first)\n",
    )
    assert list(tmp_path.iterdir()) == [example_1]
    assert not path.parent.exists()


def test_the_case_may_be_read_only(example_1: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in [example_1, *example_1.rglob("*")]}
    for path in before:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = plancost("learn", example_1, "--output", tmp_path / "r.json", cwd=tmp_path)
    finally:
        for path in before:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.returncode == 0, done.stderr
    # For root, who may write anyway:
    assert before == {path: path.stat().st_mtime_ns for path in [example_1, *example_1.rglob("*")]}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for a few blocks, where we may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("mounting a file system is not allowed here")
    yield disk
    subprocess.run(["umount", str(disk)], check=False)


def test_a_disk_that_is_full_does_not_take_the_answer(example_1: Path, small_disk: Path) -> None:
    (small_disk / "filling").write_bytes(b"x" * 16 * 1024)
    output = small_disk / "r.json"
    done = plancost("learn", example_1, "--output", output)
    _assert_kept(done, output, "No space left on device")


def test_a_file_that_gets_too_large_does_not_take_the_answer(
    example_1: Path, tmp_path: Path
) -> None:
    """As on a full disk, where a file system cannot be mounted: files end after 2000 bytes."""
    output = tmp_path / "r.json"
    limit = "import resource, signal, sys; from plancost.cli.main import main;"
    limit += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    limit += "import plancost.api.learn as api; learn = api.learn\n"
    limit += "def limited(*a, **b):\n result = learn(*a, **b)\n"
    limit += " resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))\n"
    limit += " return result\n"
    limit += "api.learn = limited\nsys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [PLANCOST.parent / "python", "-c", limit, "learn", example_1, "--output", output],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert "optimal" in done.stdout
    assert f"plancost: {output}: cannot write this file (File too large)\n" in done.stderr
    assert not list(tmp_path.glob(f"{UNFINISHED}*"))
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def _assert_kept(done: subprocess.CompletedProcess[str], output: Path, why: str) -> None:
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "optimal" in done.stdout
    assert not output.exists()
    assert not list(output.parent.glob(f"{UNFINISHED}*"))
    said = re.fullmatch(
        rf"plancost: {re.escape(str(output))}: cannot write this file \({why}\); "
        r"the result is kept in (\S+)\n",
        done.stderr,
    )
    assert said, done.stderr
    kept = Path(said[1])
    assert json.loads(kept.read_text())["verified"]
    kept.unlink()


def test_nobody_to_read_what_is_printed(example_1: Path, tmp_path: Path) -> None:
    """The file is written all the same, and one sentence says what went wrong."""
    output = tmp_path / "r.json"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PLANCOST, "learn", example_1, "--output", output],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 1
    said = "plancost: standard output cannot be written (No space left on device)\n"
    assert done.stderr == said
    assert json.loads(output.read_text())["verified"]


def test_two_runs_with_one_output_and_one_cache(example_1: Path, tmp_path: Path) -> None:
    output = tmp_path / "r.json"
    found: list[subprocess.CompletedProcess[str]] = []

    def learn() -> None:
        found.append(installed("learn", example_1, "--alternatives", "5", "--output", output))

    threads = [threading.Thread(target=learn) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [done.returncode for done in found] == [0, 0], [done.stderr for done in found]
    assert json.loads(output.read_text())["verified"]
    assert [path.name for path in tmp_path.glob("*r.json*")] == ["r.json"]
    assert not list(tmp_path.glob(f"{UNFINISHED}*"))


def test_a_log_that_cannot_be_written_any_more_is_done_without(
    example_1: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "r.json"
    done = in_process(capsys, "learn", example_1, "--log-file", "/dev/full", "--output", output)
    assert done.returncode == 0
    (said,) = [line for line in done.stderr.splitlines() if "log" in line]
    assert said == "plancost: /dev/full: the log ends here ([Errno 28] No space left on device)"
    assert json.loads(output.read_text())["verified"]
