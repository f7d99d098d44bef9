"""Files are written whole or not at all, and nothing is left behind."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plancost.files.atomic import check_writable, write_atomically


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"one", b"another"):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_who_may_read_it(tmp_path: Path) -> None:
    """What the umask says, and for a file that is replaced what it was."""
    path, old = tmp_path / "new", tmp_path / "old"
    old.touch()
    old.chmod(0o640)
    before = os.umask(0o077)
    try:
        write_atomically(path, b"content")
        write_atomically(old, b"content")
        os.umask(0o002)
        write_atomically(tmp_path / "shared", b"content")
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {"new": 0o600, "old": 0o640, "shared": 0o664}


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(handle: int) -> None:
        raise error

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(type(error)):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    """As does /dev/null, which root could replace by a file."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    write_atomically(path, b"content")
    reader.join(10)
    assert read == [b"content"]
    assert path.is_fifo()


def _no_nameless_file(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """As a system without files that have no name, or without /proc."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "not here")

    original = os.open

    nameless = getattr(os, "O_TMPFILE", 0) or -1

    def open_named_only(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & nameless == nameless:
            refuse()
        return original(path, flags, mode)

    if how == "no such system":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif how == "no such file system":
        monkeypatch.setattr(os, "open", open_named_only)
    else:
        monkeypatch.setattr(os, "link", refuse)


@pytest.mark.parametrize("how", ["no such system", "no such file system", "no /proc"])
def test_a_system_without_nameless_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path = tmp_path / "file"
    _no_nameless_file(monkeypatch, how)
    check_writable(tmp_path)
    assert not list(tmp_path.iterdir())
    test_a_file_is_replaced_as_a_whole(tmp_path)
    path.unlink()
    test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch, KeyboardInterrupt())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none" / "file", b"content")
    with pytest.raises(FileNotFoundError):
        check_writable(tmp_path / "none")


KILLED_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from plancost.files.atomic import check_writable, write_atomically
os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
write_atomically(Path(sys.argv[1]), b"new")
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files have names here")
def test_a_kill_in_the_middle_of_writing_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    ended = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    write_atomically(link, b"content")
    assert not link.is_symlink()
    assert link.read_bytes() == b"content"
    assert not target.exists()
