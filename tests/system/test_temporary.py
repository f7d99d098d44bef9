"""Private directories: gone afterwards, also when their owner was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plancost.system.temporary import LOCK, PREFIX, private_directory, remove_abandoned


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for temporary files of our own."""
    found = tmp_path / "tmp"
    found.mkdir()
    monkeypatch.setenv("TMPDIR", str(found))
    monkeypatch.setattr(tempfile, "tempdir", str(found))
    return found


@pytest.fixture
def killed(place: Path) -> Path:
    """The directory of a process that was killed while it used it."""
    program = (
        "import sys\n"
        "from plancost.system.temporary import private_directory\n"
        "with private_directory() as directory:\n"
        "    (directory / 'inner').mkdir()\n"
        "    (directory / 'inner' / 'task.sas').write_text('text')\n"
        "    print(directory, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        directory = Path(process.stdout.readline().strip())
        remove_abandoned.cache_clear()
        remove_abandoned(str(place))
        assert (directory / "inner" / "task.sas").exists(), "it is in use"
        process.send_signal(signal.SIGKILL)
    assert directory.parent == place
    return directory


@pytest.mark.parametrize("error", [None, ValueError, KeyboardInterrupt, SystemExit])
def test_a_private_directory_is_gone_afterwards(
    error: type[BaseException] | None, place: Path
) -> None:
    def use() -> Iterator[Path]:
        with private_directory() as directory:
            yield directory
            (directory / "inner").mkdir()
            (directory / "inner" / "file").write_text("text")
            if error is not None:
                raise error

    before = len(list(Path("/proc/self/fd").iterdir()))
    steps = use()
    directory = next(steps)
    assert directory.parent == place
    assert directory.stat().st_mode & 0o077 == 0
    with pytest.raises(error or StopIteration):
        next(steps)
    assert not list(place.iterdir())
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_what_a_killed_run_left_is_removed_by_the_next(killed: Path) -> None:
    assert killed.exists()
    remove_abandoned.cache_clear()
    with private_directory() as directory:
        assert not killed.exists()
        assert directory.exists()


def test_nothing_else_is_removed(place: Path) -> None:
    foreign = place / f"{PREFIX}results"
    foreign.mkdir()
    (foreign / "RESULT.json").write_text("{}")
    (place / f"{PREFIX}file").write_text("text")
    (place / f"{PREFIX}link").symlink_to(foreign)
    (place / "other").mkdir()
    (place / "other" / LOCK).touch()
    remove_abandoned.cache_clear()
    with private_directory():
        pass
    names = {entry.name for entry in place.iterdir()}
    assert names == {foreign.name, f"{PREFIX}file", f"{PREFIX}link", "other"}
    assert (foreign / "RESULT.json").exists()
