"""Random cases as files, from the reader to the result, against the same case made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agreement import wrong_in_folder, wrong_in_result
from brute_force import BruteForce, ContradictionError, TooLargeError
from plancost.api import learn
from plancost.errors import InputError
from random_tasks import draw_options, draw_streets
from written_tasks import draw_question, draw_written

ASKED = ("solution", "ties", "suboptimality")


@pytest.mark.parametrize("seed", [*range(12), 2026011090])  # the last: a total, and no action
def test_folders_and_manifests(seed: int, tmp_path: Path) -> None:
    written = draw_written(seed)
    try:
        assert not wrong_in_folder(written, draw_question(seed, written), tmp_path)
    except TooLargeError:
        pytest.skip("nobody knows the truth")


@pytest.mark.parametrize("seed", range(12))
def test_streets(seed: int, tmp_path: Path) -> None:
    by_hand, metres = draw_streets(seed, tmp_path)
    options = draw_options(seed, by_hand)
    refine = seed % 3 == 0
    if refine:
        by_hand = replace(by_hand, costs=replace(by_hand.costs, initial=metres))
    force = BruteForce(by_hand, options)
    asked: dict[str, Any] = {name: getattr(options, name) for name in ASKED}
    asked["refine"] = "metres" if refine else False
    try:
        _ = force.truth
    except ContradictionError:
        with pytest.raises(InputError):
            learn(tmp_path, **asked)
        return
    except TooLargeError:
        pytest.skip("nobody knows the truth")
    assert not wrong_in_result(force, learn(tmp_path, **asked))
