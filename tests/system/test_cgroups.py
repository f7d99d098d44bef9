"""A run in a control group of its own, where that can be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plancost.system import cgroups


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Control groups as in a desktop session: ours, and room beside it."""
    (tmp_path / "groups" / "app.slice" / "ours.scope").mkdir(parents=True)
    (tmp_path / "cgroup").write_text("0::/app.slice/ours.scope\n")
    return tmp_path


def test_a_control_group_is_made_entered_and_left(session: Path) -> None:
    groups = session / "groups" / "app.slice"
    abandoned = groups / "plancost-1"
    abandoned.mkdir()
    own = session / "cgroup"
    with cgroups.limited(500, root=session / "groups", own=own) as group:
        assert group == groups / f"plancost-{os.getpid()}"
        assert (group / "memory.max").read_text() == str(500 * 2**20)
        assert (group / "cgroup.procs").read_text() == str(os.getpid())
        assert not abandoned.exists()
        for file in group.iterdir():  # in a real group they go with it
            file.unlink()
    assert (groups / "ours.scope" / "cgroup.procs").read_text() == str(os.getpid())
    assert not group.exists()


@pytest.mark.parametrize(
    "text",
    ["", "0::/\n", "4:memory:/a\n0::/app.slice/ours.scope\n", "0::/elsewhere/ours.scope\n"],
)
def test_without_control_groups_nothing_happens(session: Path, text: str) -> None:
    """No version 2, the outermost group, version 1 beside it, or no right to make one."""
    (session / "cgroup").write_text(text)
    with cgroups.limited(500, root=session / "groups", own=session / "cgroup") as group:
        assert group is None
    assert [entry.name for entry in (session / "groups" / "app.slice").iterdir()] == ["ours.scope"]
