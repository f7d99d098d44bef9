"""The folder of a reproduction: made where it is missing, and never one with other things."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.experiments.layout import Layout


def test_a_folder_is_ours_once_it_is_made(tmp_path: Path) -> None:
    """So a run that is killed before its first record can be resumed."""
    layout = Layout(tmp_path / "new" / "study")
    layout.check_is_ours()
    assert not (tmp_path / "new").exists()
    layout.make()
    (layout.root / "figure1").mkdir()
    layout.check_is_ours()
    layout.make()


def test_a_folder_with_other_things(tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    with pytest.raises(InputError, match="holds no reproduction; choose another output"):
        Layout(tmp_path).check_is_ours()
