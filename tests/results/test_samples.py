"""Draws of costs, written and read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from conftest import WriteGraphCase
from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.results.samples import Samples, read_samples, samples_of, write_samples


def test_samples_come_back(write_graph_case: WriteGraphCase, tmp_path: Path) -> None:
    plain = learn(write_graph_case({("a", "b"): 1, ("b", "c"): 1}, ["abc"]))
    path = tmp_path / "samples.npz"
    with pytest.raises(UsageError, match="no samples"):
        write_samples(plain, path)
    drawn = np.random.default_rng(0).uniform(1, 20, (7, len(plain.costs)))
    write_samples(replace(plain, samples=drawn), path)
    found = read_samples(path)
    assert found.actions == tuple(plain.costs)
    assert found.costs == pytest.approx(drawn, rel=1e-6)
    assert found.prior is None
    about = {"prior": {"spread": 20.0}, "scale": 100}
    write_samples(replace(plain, samples=drawn, choice=about), path)
    assert read_samples(path).prior == (100.0, 2000.0)
    write_samples(replace(plain, samples=drawn, choice=about, refined=True), path)
    assert read_samples(path).prior is None


@pytest.mark.parametrize(
    "content", [b"", b"not a file of samples", np.array([{"a": 1}], dtype=object)]
)
def test_other_files_are_one_sentence(content: bytes | np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "samples.npz"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.savez(path, actions=content, costs=content)
    with pytest.raises(InputError, match="no file of samples"):
        read_samples(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_samples(tmp_path / "samples.npz")


def test_shapes_and_signs_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "samples.npz"
    for costs in (np.ones((3, 2)), -np.ones((3, 1)), np.ones(1)):
        np.savez(path, actions=np.array(["(a)"]), costs=costs)
        with pytest.raises(InputError, match="one positive cost"):
            read_samples(path)


@pytest.mark.parametrize("prior", [[1.0], [0.0, 2.0], [3.0, 2.0], [1.0, np.inf]])
def test_a_prior_is_a_range(prior: list[float], tmp_path: Path) -> None:
    path = tmp_path / "samples.npz"
    np.savez(path, actions=np.array(["(a)"]), costs=np.ones((1, 1)), prior=np.array(prior))
    with pytest.raises(InputError, match="prior must be"):
        read_samples(path)


def test_samples_however_they_are_given(tmp_path: Path) -> None:
    path = tmp_path / "samples.npz"
    np.savez(path, actions=np.array(["(a)"]), costs=np.ones((2, 1)))
    found = samples_of(path)
    assert samples_of(found) is found
    assert found == Samples(("(a)",), found.costs)
