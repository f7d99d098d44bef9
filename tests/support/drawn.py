"""Samples of costs, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from plancost.results.samples import Samples


def samples(*rows: Mapping[str, float]) -> Samples:
    """Samples, each a cost for every action."""
    names = tuple(rows[0])
    return Samples(names, np.array([[row[name] for name in names] for row in rows], dtype=float))


def write(path: Path, rows: Sequence[Mapping[str, float]]) -> Path:
    """The same as a file."""
    found = samples(*rows)
    np.savez(path, actions=np.array(found.actions), costs=found.costs.astype(np.float32))
    return path
