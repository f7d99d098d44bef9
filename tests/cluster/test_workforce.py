"""How much the workers of a cluster can take."""

from __future__ import annotations

from typing import Any

import pytest

from plancost.cluster.workforce import Workforce, needed_bytes
from plancost.errors import ClusterError


def identity(*workers: tuple[int, dict[str, float]]) -> dict[str, Any]:
    """What a scheduler says of its workers."""
    return {
        "workers": {
            f"tcp://host:{number}": {"nthreads": threads, "resources": resources}
            for number, (threads, resources) in enumerate(workers)
        }
    }


def test_memory_and_threads_bound_the_width() -> None:
    workforce = Workforce.of(identity((8, {"memory": 5e9}), (2, {"memory": 90e9}), (4, {"GPU": 1})))
    assert workforce.largest_bytes == 90e9
    assert workforce.width(10**9) == 5 + 2
    assert workforce.width(6 * 10**9) == 2
    workforce.require_usable("tcp://host:1")


def test_what_a_piece_of_work_declares() -> None:
    assert needed_bytes(2000) == 2000 * 1024 * 1024
    assert needed_bytes(2000, programs=2) == 2 * needed_bytes(2000)
    assert 0.6e9 < needed_bytes(None) < 1.2e9


def test_a_cluster_that_could_never_do_anything() -> None:
    with pytest.raises(ClusterError, match="has no workers: start some with 'dask worker tcp://h"):
        Workforce.of(identity()).require_usable("tcp://host:1")
    with pytest.raises(ClusterError, match='--resources "memory='):
        Workforce.of(identity((8, {}))).require_usable("tcp://host:1")
